//! A run and what was read of its records. It is kept between questions: a step from one iteration
//! to the next must not go through the whole run again.

use std::collections::{BTreeSet, VecDeque};

use hindscope::{Error, History, LoadedRun, RecordId, RunId, Span};

use super::files::Records;

/// How much is read of a run.
#[derive(Clone, Copy)]
pub(crate) struct ReadLimit {
    pub(crate) records: usize,
    pub(crate) bytes: u64,
}

impl ReadLimit {
    /// For a run that somebody looks at. It may have a hundred thousand records, and the page waits
    /// for the answer.
    pub(crate) const ONE_RUN: Self = Self { records: 20_000, bytes: 64 << 20 };
    /// For a run that is read beside others, between other messages.
    pub(crate) const BESIDE_OTHERS: Self = Self { records: 2_000, bytes: 8 << 20 };
}

/// A run whose records are read one by one, as far as they are within a limit.
pub(crate) struct StepReader {
    pub(crate) loaded_run: LoadedRun,
    /// Where the records stand that are still to be read.
    pub(crate) spans: VecDeque<Span>,
    /// Records that are not read because there are too many.
    pub(crate) unread: u32,
    /// Records that could not be read.
    pub(crate) failed: u32,
    /// Why one of them could not.
    pub(crate) problem: Option<String>,
}

impl StepReader {
    /// Begins with the first of the records that `needs` names.
    pub(crate) fn begin(
        history: &History,
        run: RunId,
        needs: impl FnOnce(&LoadedRun) -> Vec<RecordId>,
        limit: ReadLimit,
    ) -> Result<Self, Error> {
        let loaded_run = history.loaded_run(run)?;
        let (mut spans, mut unread, mut bytes) = (VecDeque::new(), 0, 0);
        let located = needs(&loaded_run).into_iter().filter_map(|id| history.locate(id).ok());
        for span in located {
            bytes += span.end - span.start;
            if spans.len() >= limit.records || bytes > limit.bytes {
                unread += 1;
            } else {
                spans.push_back(span);
            }
        }
        Ok(Self { loaded_run, spans, unread, failed: 0, problem: None })
    }

    /// Reads one record; false once there is none to read.
    pub(crate) fn step(
        &mut self,
        history: &History,
        read: impl FnOnce(&Span) -> Result<Vec<u8>, String>,
    ) -> Result<bool, Error> {
        let Some(span) = self.spans.pop_front() else { return Ok(false) };
        match read(&span) {
            Ok(bytes) => history.load(&mut self.loaded_run, span.record, &bytes)?,
            Err(reason) => {
                self.failed += 1;
                self.problem.get_or_insert(format!("{}: {reason}", span.path));
            }
        }
        Ok(true)
    }
}

/// A run, and what of it was read.
pub(crate) struct RunReader {
    pub(crate) loaded_run: LoadedRun,
    done: BTreeSet<RecordId>,
    bytes: u64,
    /// Records that were not read because there are too many.
    pub(crate) unread: usize,
    /// Why one of them could not be read.
    pub(crate) problem: Option<String>,
}

impl RunReader {
    pub(crate) fn new(loaded_run: LoadedRun) -> Self {
        Self { loaded_run, done: BTreeSet::new(), bytes: 0, unread: 0, problem: None }
    }

    pub(crate) fn run(&self) -> RunId {
        self.loaded_run.run()
    }

    /// Whether it is worth its memory between two questions.
    pub(crate) fn is_small(&self) -> bool {
        self.bytes < ReadLimit::ONE_RUN.bytes
    }

    /// Reads those of these records that were not read yet.
    pub(crate) fn read(&mut self, from: Records<'_>, records: impl IntoIterator<Item = RecordId>) {
        for record in records {
            if !self.done.contains(&record)
                && let Err(reason) = self.read_one(from, record)
            {
                self.problem.get_or_insert(reason);
            }
        }
    }

    fn read_one(&mut self, from: Records<'_>, record: RecordId) -> Result<(), String> {
        const LIMIT: ReadLimit = ReadLimit::ONE_RUN;
        let span = from.history.locate(record).map_err(|error| error.to_string())?;
        let bytes = span.end - span.start;
        if self.done.len() >= LIMIT.records || self.bytes + bytes > LIMIT.bytes {
            self.unread += 1;
            return Ok(());
        }
        self.done.insert(record);
        self.bytes += bytes;
        let (_, bytes) = from.read(record)?;
        let loaded = from.history.load(&mut self.loaded_run, record, &bytes);
        loaded.map_err(|error| error.to_string())
    }

    /// Reads what one attempt needs. A number without an attempt needs nothing.
    pub(crate) fn read_attempt(&mut self, from: Records<'_>, number: i64) {
        let needs = self.loaded_run.needs_of(number).unwrap_or_default();
        self.read(from, needs);
    }

    /// Reads everything, as far as that is sensible.
    pub(crate) fn read_all(&mut self, from: Records<'_>) {
        let needs = self.loaded_run.needs();
        self.read(from, needs);
    }
}
