//! Looks at the reflections of one run after another, record by record.

use hindscope::{CategoryCount, Error, History, InsightOptions, LoadedRun, RecordId, RunId};

use crate::worker::run_reader::{ReadLimit, StepReader};

/// A run whose reflections are being read.
pub(crate) struct CategoryReading(StepReader);

impl CategoryReading {
    /// Nothing for a run that is too long: its own page reads a part of it, and says how much.
    pub(crate) fn begin(history: &History, run: RunId) -> Result<Option<Self>, Error> {
        let needs = |run: &LoadedRun| run.needs_for(&options());
        let reading = StepReader::begin(history, run, needs, ReadLimit::ONE_RUN)?;
        Ok((reading.unread == 0).then_some(Self(reading)))
    }

    pub(crate) fn run(&self) -> RunId {
        self.0.loaded_run.run()
    }

    /// Reads one record; whether there was one.
    pub(crate) fn step(
        &mut self,
        history: &History,
        read: impl FnOnce(RecordId) -> Result<Vec<u8>, String>,
    ) -> Result<bool, String> {
        let step = self.0.step(history, |span| read(span.record));
        match self.0.problem.take() {
            Some(problem) => Err(problem),
            None => step.map_err(|error| error.to_string()),
        }
    }

    /// Whoever judges the run later need not read its reflections again.
    pub(crate) fn keep_sketches(&mut self, history: &mut History) {
        history.keep_sketches(&mut self.0.loaded_run);
    }

    pub(crate) fn categories(&self) -> Vec<CategoryCount> {
        self.0.loaded_run.explain(&options()).categories
    }
}

/// The one rule that finds failure categories.
pub(crate) fn options() -> InsightOptions {
    let rules = vec!["aggregate/categories".to_owned()];
    InsightOptions { rules, ..InsightOptions::default() }
}
