//! Records that are read one after the other, a block of their file at a time.

use std::collections::VecDeque;

use hindscope::Span;

use super::desk::Desk;

/// A request costs the browser as much for a block as for a record, and records stand in rows.
const BLOCK: u64 = 64 << 10;
/// So many blocks are kept: a run may have its records in many places.
const BLOCKS: usize = 256;

/// The blocks that were read last.
#[derive(Default)]
pub(crate) struct Blocks(VecDeque<Block>);

/// Some bytes of a file; `place` says which.
struct Block {
    place: Span,
    bytes: Vec<u8>,
}

impl Blocks {
    /// The bytes of a span.
    pub(crate) fn read(&mut self, desk: &Desk, span: &Span) -> Result<&[u8], String> {
        let at = if let Some(at) = self.0.iter().position(|block| block.part(span).is_some()) {
            at
        } else {
            let end = desk.size(span.source).min(span.start.saturating_add(BLOCK)).max(span.end);
            let place = Span { end, ..span.clone() };
            let bytes = desk.read(&place)?;
            if self.0.len() >= BLOCKS {
                self.0.pop_front();
            }
            self.0.push_back(Block { place, bytes });
            self.0.len() - 1
        };
        let missing = || "the browser gave less than was asked for".to_owned();
        self.0.get(at).and_then(|block| block.part(span)).ok_or_else(missing)
    }
}

impl Block {
    fn part(&self, span: &Span) -> Option<&[u8]> {
        if span.source != self.place.source {
            return None;
        }
        let start = usize::try_from(span.start.checked_sub(self.place.start)?).ok()?;
        let end = usize::try_from(span.end.checked_sub(self.place.start)?).ok()?;
        self.bytes.get(start..end)
    }
}

#[cfg(test)]
mod tests {
    use hindscope::{RecordId, SourceId};

    use super::*;

    #[test]
    fn a_block_has_what_lies_inside_of_it() {
        let span = |source, start, end| Span {
            record: RecordId(0),
            source: SourceId(source),
            path: String::new(),
            start,
            end,
            line: 1,
            column: 1,
        };
        let block = Block { place: span(1, 10, 15), bytes: b"abcde".to_vec() };
        assert_eq!(block.part(&span(1, 10, 15)), Some(b"abcde".as_slice()));
        assert_eq!(block.part(&span(1, 12, 14)), Some(b"cd".as_slice()));
        assert_eq!(block.part(&span(1, 9, 12)), None);
        assert_eq!(block.part(&span(1, 14, 16)), None);
        assert_eq!(block.part(&span(2, 12, 14)), None);
    }
}
