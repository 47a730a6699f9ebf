//! Records that describe several runs, kept from run to run.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::error::Error;
use crate::history::{History, Opened};
use crate::model::id::RecordId;

/// Bytes of records that are kept together; one longer than that is kept alone.
const MAX_LEN: usize = 16 << 20;

/// A record that was read.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) opened: Opened,
    pub(super) bytes: Vec<u8>,
    /// The text of the record that the ranges in `places` refer to.
    text: Vec<u8>,
    /// By run of the record: pointer to what describes it, and where that stands.
    places: BTreeMap<u32, (String, Range<usize>)>,
}

impl Kept {
    /// Reads a record; with `has_places` the part about each of its runs can be cut out.
    pub(super) fn read(
        history: &History,
        record: RecordId,
        bytes: &[u8],
        has_places: bool,
    ) -> Result<Self, Error> {
        let opened = history.opened(record, bytes)?;
        let mut kept =
            Self { opened, bytes: bytes.to_vec(), text: Vec::new(), places: BTreeMap::new() };
        let Opened::ParsedRecord(parsed) = &kept.opened else { return Ok(kept) };
        let runs = (0..).zip(&parsed.runs).filter(|(_, run)| has_places && !run.at.is_empty());
        let pointers: BTreeSet<&str> = runs.clone().map(|(_, run)| run.at.as_str()).collect();
        if pointers.is_empty() {
            return Ok(kept);
        }
        let (text, mut found) = history.stretches(record, bytes, &pointers);
        kept.text = text;
        kept.places =
            runs.filter_map(|(part, run)| Some((part, found.remove_entry(&run.at)?))).collect();
        Ok(kept)
    }

    /// The parts about some of its runs; none if one of them cannot be cut out.
    pub(super) fn cuts(&self, parts: impl Iterator<Item = u32>) -> Option<Vec<(u32, Cut)>> {
        let one = |part: u32| {
            let (pointer, place) = self.places.get(&part)?;
            let bytes = self.text.get(place.clone())?.to_vec();
            Some((part, Cut { pointer: pointer.clone(), bytes }))
        };
        parts.map(one).collect()
    }
}

/// What a record says of one of its runs.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// Where it stands in the record.
    pub(super) pointer: String,
    /// As it stands there, decoded.
    pub(super) bytes: Vec<u8>,
}

/// Records that later runs need again, within a budget.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    /// Each with the positions of the runs that need it.
    kept: BTreeMap<RecordId, (Kept, Vec<usize>)>,
    len: usize,
}

impl Cache {
    pub(super) fn get(&self, record: RecordId) -> Option<&Kept> {
        self.kept.get(&record).map(|(kept, _)| kept)
    }

    /// Keeps a record. If there is no room, the records whose next use is furthest away are dropped,
    /// which may include this one.
    pub(super) fn put(&mut self, record: RecordId, kept: Kept, runs: Vec<usize>, at: usize) {
        self.put_within(MAX_LEN, record, kept, runs, at);
    }

    fn put_within(
        &mut self,
        max_len: usize,
        record: RecordId,
        kept: Kept,
        runs: Vec<usize>,
        at: usize,
    ) {
        self.remove(record);
        self.len += kept.bytes.len();
        self.kept.insert(record, (kept, runs));
        while self.len > max_len && self.kept.len() > 1 {
            let next = |runs: &[usize]| runs.get(runs.partition_point(|run| *run <= at)).copied();
            let last = self.kept.iter().map(|(id, (_, runs))| (next(runs), *id));
            // A record that no run after `at` needs is dropped first.
            let Some((_, last)) = last.max_by_key(|(next, id)| (next.unwrap_or(usize::MAX), *id))
            else {
                return;
            };
            self.remove(last);
        }
    }

    fn remove(&mut self, record: RecordId) {
        if let Some((kept, _)) = self.kept.remove(&record) {
            self.len -= kept.bytes.len();
        }
    }

    /// Drops what no run from a position on needs.
    pub(super) fn pass(&mut self, at: usize) {
        let is_over = |runs: &[usize]| runs.last().is_none_or(|last| *last < at);
        self.kept.retain(|_, (_, runs)| !is_over(runs));
        self.len = self.kept.values().map(|(kept, _)| kept.bytes.len()).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_last_goes_first() {
        let kept = |len: usize| Kept {
            opened: Opened::Value(serde_json::Value::Null),
            bytes: vec![0; len],
            text: Vec::new(),
            places: BTreeMap::new(),
        };
        let mut cache = Cache::default();
        let ids = |cache: &Cache| cache.kept.keys().map(|id| id.0).collect::<Vec<_>>();
        cache.put_within(10, RecordId(0), kept(40), vec![0, 1, 9], 0);
        assert_eq!(ids(&cache), [0], "one that is too long is kept alone");
        cache.put_within(10, RecordId(1), kept(4), vec![0, 2, 3], 0);
        assert_eq!(ids(&cache), [0], "the next run needs the first");
        cache.put_within(10, RecordId(1), kept(4), vec![0, 2, 3], 1);
        cache.put_within(10, RecordId(2), kept(4), vec![1, 4], 1);
        assert_eq!((ids(&cache), cache.len), (vec![1, 2], 8));
        cache.put_within(10, RecordId(3), kept(4), vec![1, 3], 1);
        assert_eq!((ids(&cache), cache.len), (vec![1, 3], 8));
        cache.pass(3);
        assert_eq!(ids(&cache), [1, 3]);
        cache.pass(4);
        assert_eq!((ids(&cache), cache.len), (vec![], 0));
    }
}
