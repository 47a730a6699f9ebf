//! Looks at a history while it is read, so that its first runs are seen before its last.
//!
//! Records that come later undo what was put in order, so every look costs as much as all records
//! that are there. Looks are therefore as rare as keeps them at a share of the time, and the page
//! hears of more runs only once they are twice as many.

use super::answer;
use super::host;
use super::queue::Queue;
use super::session::Session;
use crate::browser::now;
use crate::protocol::{Answer, FromWorker, Query, SUMMED, SoFar, is_long};
use hindscope::Order as _;

/// A tenth of the time at most goes into looks, and there is no more than one in this time.
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
    /// The page was told of runs and does not show them yet.
    owes: bool,
    /// It asked for runs itself: until then it is answered ahead.
    has_asked: bool,
    /// It was told of runs.
    has_told: bool,
}

impl EarlyAnswers {
    /// Takes a question that may be answered early, or gives it back.
    pub(crate) fn take(&mut self, question: u32, query: Query) -> Option<Query> {
        if self.looked.is_none() || !query.is_early() {
            return Some(query);
        }
        self.has_asked |= is_runs(&query);
        self.asked.push((question, query));
        None
    }

    /// The page shows what it was told of.
    pub(crate) fn shown(&mut self) {
        self.owes = false;
    }

    /// Whether there is something to look at for the first time.
    pub(crate) fn is_first(&self, session: &Session, queue: &Queue) -> bool {
        let (bytes, files) = queue.totals();
        self.looked.is_none() && is_long(bytes, files) && session.record_count() > 0
    }

    /// Tells the page what is there, and answers what it asked; nothing until it is time. True when
    /// the page was told of runs for the first time.
    pub(crate) fn look(&mut self, session: &mut Session, queue: &Queue) -> bool {
        let begun = now();
        let asks_runs = self.asked.iter().any(|(_, query)| is_runs(query));
        let is_due = match self.looked {
            None => self.is_first(session, queue),
            Some(_) if self.owes && asks_runs => true,
            Some((at, took)) => {
                let pause = if self.asked.is_empty() { PAUSE_MS } else { 0.0 };
                begun - at >= (took * SHARE).max(pause)
            }
        };
        if !is_due {
            return false;
        }
        let (records, mut runs) = (session.record_count(), 0);
        // The page still asks for what it was told of, or shows half of what it would: another word
        // now would only make it ask again.
        let is_news = !self.owes && records >= self.records.saturating_mul(2);
        if self.asked.is_empty() && !is_news {
            return false;
        }
        if self.asked.is_empty() {
            self.owes = true;
            session.changed();
            let summary = session.summary();
            runs = summary.runs;
            let ahead = if self.has_asked { Vec::new() } else { ahead(session, runs) };
            host::tell_page(&FromWorker::SoFar(SoFar { summary, ahead }));
        } else if records != self.records {
            session.forget();
        }
        self.records = records;
        // Whatever else was asked for, it must not come before the runs.
        self.owes &= !asks_runs;
        self.asked.order_by_key(|(_, query)| !is_runs(query));
        for (question, query) in std::mem::take(&mut self.asked) {
            let answer = answer::answer(session, query)
                .unwrap_or_else(|error| Answer::Failed(error.to_string()));
            host::tell_page(&FromWorker::Answer { id: question, answer });
        }
        let end = now();
        self.looked = Some((end, end - begun));
        runs > 0 && !std::mem::replace(&mut self.has_told, true)
    }

    /// Reading is over: whoever still waits asks again.
    pub(crate) fn end(&mut self) {
        for (question, _) in std::mem::take(self).asked {
            host::tell_page(&FromWorker::Answer { id: question, answer: Answer::Later });
        }
    }
}

/// Answers to what the list of so many runs asks when it is entered.
pub(crate) fn ahead(session: &mut Session, runs: u32) -> Vec<Answer> {
    let is_asked = |query: &Query| is_runs(query) || runs <= SUMMED;
    let asked = Query::first().into_iter().filter(is_asked);
    asked.filter_map(|query| answer::answer(session, query).ok()).collect()
}

fn is_runs(query: &Query) -> bool {
    matches!(query, Query::Runs { .. })
}
