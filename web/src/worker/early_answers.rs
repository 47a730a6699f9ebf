//! Looks at a history while it is read, so that its first runs are seen before its last.
//!
//! Runs must be put in order again after new records, so the cost of a look grows with all records
//! read so far. Looks therefore take only a share of the time, and the page hears of more runs without
//! asking only once there are twice as many records.

use super::answer;
use super::host;
use super::queue::Queue;
use super::session::Session;
use crate::browser::now;
use crate::protocol::{Answer, FromWorker, Query, is_long};
use hindscope::StableSort as _;

/// After a look, this many times its duration passes before the next one, and at least `PAUSE_MS` if the
/// page asks nothing. Only runs that the page has just heard of are answered at once.
const SHARE: f64 = 10.0;
const PAUSE_MS: f64 = 500.0;

/// Questions that are answered while files are read, and when.
#[derive(Default)]
pub(crate) struct EarlyAnswers {
    asked: Vec<(u32, Query)>,
    /// When the last look ended, and how long it took.
    looked: Option<(f64, f64)>,
    /// Records that were there then.
    records: u32,
    /// The page was told of more runs and has not asked for them yet: when it does, it is answered at once.
    owes: bool,
}

impl EarlyAnswers {
    /// Takes a question that may be answered early, or gives it back.
    pub(crate) fn take(&mut self, question: u32, query: Query) -> Option<Query> {
        if self.looked.is_none() || !query.is_early() {
            return Some(query);
        }
        self.asked.push((question, query));
        None
    }

    /// Sends the page what is there, and answers what it asked; nothing until it is time.
    pub(crate) fn look(&mut self, session: &mut Session, queue: &Queue) {
        let begun = now();
        let asks_runs = self.asked.iter().any(|(_, query)| is_runs(query));
        let is_due = match self.looked {
            None => {
                let (bytes, files) = queue.totals();
                is_long(bytes, files) && session.record_count() > 0
            }
            Some(_) if self.owes && asks_runs => true,
            Some((at, took)) => {
                let pause = if self.asked.is_empty() { PAUSE_MS } else { 0.0 };
                begun - at >= (took * SHARE).max(pause)
            }
        };
        if !is_due {
            return;
        }
        let records = session.record_count();
        if self.asked.is_empty() {
            // The page shows more than half of the records: a message now would only make it ask again.
            if records < self.records.saturating_mul(2) {
                return;
            }
            self.owes = true;
            session.changed();
            host::post(&FromWorker::SoFar(session.summary()));
        } else if records != self.records {
            session.forget();
        }
        self.records = records;
        // Other questions leave this set, and runs are answered before anything else.
        self.owes &= !asks_runs;
        self.asked.stable_sort_by_key(|(_, query)| !is_runs(query));
        for (question, query) in std::mem::take(&mut self.asked) {
            let answer =
                answer::answer(session, query).unwrap_or_else(|error| Answer::Failed(error.0));
            host::answer(question, answer);
        }
        let end = now();
        self.looked = Some((end, end - begun));
    }

    /// Reading is over: whoever still waits asks again.
    pub(crate) fn end(&mut self) {
        for (question, _) in std::mem::take(self).asked {
            host::answer(question, Answer::Later);
        }
    }
}

fn is_runs(query: &Query) -> bool {
    matches!(query, Query::Runs { .. })
}
