//! Records that describe several runs, kept from run to run.

use std::collections::BTreeMap;

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
}

impl Kept {
    pub(super) fn read(history: &History, record: RecordId, bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self { opened: history.opened(record, bytes)?, bytes: bytes.to_vec() })
    }
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
