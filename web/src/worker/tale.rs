//! What is told of one run, kept between questions: a step from one iteration to the next must not
//! go through the whole run again.

use std::collections::BTreeSet;

use hindscope::{RecordId, RunId, Story};

use super::desk::Desk;

/// Records that are read at most; a run may have a hundred thousand.
const READ: usize = 20_000;
/// Bytes of them at most: the page waits for the answer.
const READ_BYTES: u64 = 64 << 20;

/// The story of a run, and what of it was read.
pub(crate) struct Tale {
    pub(crate) story: Story,
    told: BTreeSet<RecordId>,
    bytes: u64,
    /// Records that were not read because there are too many.
    pub(crate) unread: usize,
    /// Why one of them could not be read.
    pub(crate) problem: Option<String>,
}

impl Tale {
    pub(crate) fn new(story: Story) -> Self {
        Self { story, told: BTreeSet::new(), bytes: 0, unread: 0, problem: None }
    }

    pub(crate) fn run(&self) -> RunId {
        self.story.run()
    }

    /// Whether it is worth its memory between two questions.
    pub(crate) fn is_small(&self) -> bool {
        self.bytes < READ_BYTES
    }

    /// Reads records that were not read yet.
    pub(crate) fn tell(&mut self, desk: &Desk, records: impl IntoIterator<Item = RecordId>) {
        for record in records {
            if self.told.contains(&record) {
                continue;
            }
            if let Err(reason) = self.read(desk, record) {
                self.problem.get_or_insert(reason);
            }
        }
    }

    fn read(&mut self, desk: &Desk, record: RecordId) -> Result<(), String> {
        let span = desk.history.locate(record).map_err(|error| error.to_string())?;
        if self.told.len() >= READ || self.bytes + (span.end - span.start) > READ_BYTES {
            self.unread += 1;
            return Ok(());
        }
        self.told.insert(record);
        self.bytes += span.end - span.start;
        let read = desk.read(&span);
        let bytes = read.map_err(|reason| format!("{}: {reason}", span.path))?;
        let told = desk.history.tell(&mut self.story, record, &bytes);
        told.map_err(|error| error.to_string())
    }

    /// Reads what one attempt needs. A number without an attempt needs nothing.
    pub(crate) fn tell_attempt(&mut self, desk: &Desk, number: i64) {
        let needs = self.story.needs_of(number).unwrap_or_default();
        self.tell(desk, needs);
    }

    /// Reads everything, as far as that is sensible.
    pub(crate) fn tell_all(&mut self, desk: &Desk) {
        let needs = self.story.needs();
        self.tell(desk, needs);
    }
}
