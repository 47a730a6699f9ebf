//! Bytes of files that are read again: a block at a time, and the last ones are kept.

use std::collections::VecDeque;
use std::ops::Range;

use hindscope::{SourceId, Span};

/// A request costs the browser as much for a block as for a record, and records stand in rows.
const BLOCK: u64 = 64 << 10;
/// So many blocks are kept, 16 MB: a run may have its records in many places.
const BLOCKS: usize = 256;

/// The blocks that were read last.
#[derive(Default)]
pub(crate) struct BlockCache(VecDeque<Block>);

/// Some bytes of a file.
struct Block {
    source: SourceId,
    start: u64,
    bytes: Vec<u8>,
}

impl BlockCache {
    /// The bytes of a span of a file that has `size` of them; `fetch` reads what is not at hand.
    /// What is longer than a block is not kept.
    pub(crate) fn read(
        &mut self,
        span: &Span,
        size: u64,
        fetch: impl FnOnce(Range<u64>) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<u8>, String> {
        if let Some(part) = self.0.iter().rev().find_map(|block| block.part(span)) {
            return Ok(part.to_vec());
        }
        if span.end.saturating_sub(span.start) > BLOCK {
            return fetch(span.start..span.end);
        }
        let end = size.min(span.start.saturating_add(BLOCK)).max(span.end);
        let bytes = fetch(span.start..end)?;
        let block = Block { source: span.source, start: span.start, bytes };
        let missing = || "the browser gave less than was asked for".to_owned();
        let part = block.part(span).map(<[u8]>::to_vec).ok_or_else(missing)?;
        if self.0.len() >= BLOCKS {
            self.0.pop_front();
        }
        self.0.push_back(block);
        Ok(part)
    }
}

impl Block {
    fn part(&self, span: &Span) -> Option<&[u8]> {
        if span.source != self.source {
            return None;
        }
        let start = usize::try_from(span.start.checked_sub(self.start)?).ok()?;
        let end = usize::try_from(span.end.checked_sub(self.start)?).ok()?;
        self.bytes.get(start..end)
    }
}

#[cfg(test)]
mod tests {
    use hindscope::RecordId;

    use super::*;

    fn span(source: u32, start: u64, end: u64) -> Span {
        Span {
            record: RecordId(0),
            source: SourceId(source),
            path: String::new(),
            start,
            end,
            line: 1,
            column: 1,
        }
    }

    #[test]
    fn a_block_has_what_lies_inside_of_it() {
        let block = Block { source: SourceId(1), start: 10, bytes: b"abcde".to_vec() };
        assert_eq!(block.part(&span(1, 10, 15)), Some(b"abcde".as_slice()));
        assert_eq!(block.part(&span(1, 12, 14)), Some(b"cd".as_slice()));
        assert_eq!(block.part(&span(1, 9, 12)), None);
        assert_eq!(block.part(&span(1, 14, 16)), None);
        assert_eq!(block.part(&span(2, 12, 14)), None);
    }

    #[test]
    fn records_that_stand_in_a_row_are_fetched_together() {
        let file: Vec<u8> = (0..200_000u32).map(|at| at.to_le_bytes()[0]).collect();
        let size = file.len() as u64;
        let mut blocks = BlockCache::default();
        let mut fetched = Vec::new();
        let place = |at: u64| usize::try_from(at).expect("a small file");
        let mut read = |start: u64, end: u64| {
            let bytes = blocks.read(&span(1, start, end), size, |range| {
                fetched.push(range.clone());
                Ok(file[place(range.start)..place(range.end)].to_vec())
            });
            assert_eq!(bytes.as_deref(), Ok(&file[place(start)..place(end)]));
        };
        for start in (0..200_000).step_by(100) {
            read(start, start + 100);
        }
        // From the block that is kept.
        read(100, 200);
        // Too long to be kept: fetched twice.
        read(0, 150_000);
        read(0, 150_000);
        let lengths: Vec<u64> = fetched.iter().map(|range| range.end - range.start).collect();
        assert_eq!(lengths, [65_536, 65_536, 65_536, 3_500, 150_000, 150_000]);
    }

    #[test]
    fn what_cannot_be_read_is_not_kept() {
        let mut blocks = BlockCache::default();
        let part = span(1, 0, 4);
        assert!(blocks.read(&part, 9, |_| Err("gone".to_owned())).is_err());
        assert!(blocks.read(&part, 9, |_| Ok(vec![1])).is_err(), "less than was asked for");
        assert_eq!(blocks.read(&part, 9, |_| Ok(vec![7; 9])), Ok(vec![7; 4]));
    }
}
