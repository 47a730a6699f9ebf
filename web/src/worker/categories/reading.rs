//! Looks at the reflections of one run after another, record by record.

use std::collections::VecDeque;

use hindscope::{CategoryCount, Error, History, InsightOptions, LoadedRun, RecordId, RunId};

use crate::worker::run_reader::ReadLimit;

/// A run whose reflections are being read.
pub(crate) struct CategoryReading {
    run: RunId,
    loaded_run: LoadedRun,
    records: VecDeque<RecordId>,
}

impl CategoryReading {
    /// Nothing for a run that is too long: its own page reads a part of it, and says how much.
    pub(crate) fn begin(history: &History, run: RunId) -> Result<Option<Self>, Error> {
        let limit = ReadLimit::ONE_RUN;
        let loaded_run = history.loaded_run(run)?;
        let mut records = VecDeque::new();
        let mut bytes = 0;
        for record in loaded_run.needs_for(&options()) {
            let span = history.locate(record)?;
            bytes += span.end - span.start;
            if records.len() >= limit.records || bytes > limit.bytes {
                return Ok(None);
            }
            records.push_back(record);
        }
        Ok(Some(Self { run, loaded_run, records }))
    }

    pub(crate) fn run(&self) -> RunId {
        self.run
    }

    /// Reads one record; whether there was one.
    pub(crate) fn step(
        &mut self,
        history: &History,
        read: impl FnOnce(RecordId) -> Result<Vec<u8>, String>,
    ) -> Result<bool, String> {
        let Some(record) = self.records.pop_front() else { return Ok(false) };
        let bytes = read(record)?;
        let loaded = history.load(&mut self.loaded_run, record, &bytes);
        loaded.map_err(|error| error.to_string()).map(|()| true)
    }

    pub(crate) fn categories(&self) -> Vec<CategoryCount> {
        self.loaded_run.explain(&options()).categories
    }
}

/// The one rule that finds failure categories.
pub(crate) fn options() -> InsightOptions {
    let rules = vec!["aggregate/categories".to_owned()];
    InsightOptions { rules, ..InsightOptions::default() }
}
