//! What the rules of insight found in the runs that were judged so far.

use std::collections::BTreeMap;
use std::rc::Rc;

use hindscope::{Finding, RunId};

use crate::protocol::{Judged, count};

/// Runs that are judged without being looked at.
const RUNS: u32 = 20_000;

/// What the rules of insight found.
#[derive(Default)]
pub(crate) struct InsightFindings {
    of: BTreeMap<u32, Rc<[Finding]>>,
    /// Runs before this one had their turn.
    next: u32,
    /// Runs among them that were left out: they are too long, or cannot be read.
    left: u32,
    is_wanted: bool,
    /// Runs that had their turn when the page heard of it last.
    reported: u32,
}

impl InsightFindings {
    /// The number of runs whose findings are kept. It grows whenever another run was judged.
    pub(crate) fn changes(&self) -> u32 {
        count(self.of.len())
    }

    pub(crate) fn of(&self, run: RunId) -> Option<&Rc<[Finding]>> {
        self.of.get(&run.0)
    }

    /// Those of all runs that were judged, by run.
    pub(crate) fn all(&self) -> Vec<(u32, Rc<[Finding]>)> {
        self.of.iter().map(|(run, findings)| (*run, Rc::clone(findings))).collect()
    }

    /// From now on all runs are judged, one after another.
    pub(crate) fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Runs that had their turn, where the page does not know yet.
    pub(crate) fn news(&mut self) -> Option<u32> {
        let is_news = self.reported != self.next;
        self.reported = self.next;
        is_news.then_some(self.next)
    }

    /// The next run that nobody looked at yet, of so many.
    pub(crate) fn next_run(&mut self, runs: usize) -> Option<RunId> {
        let end = count(runs).min(RUNS);
        while self.is_wanted && self.next < end {
            let run = RunId(self.next);
            self.next += 1;
            if self.of(run).is_none() {
                return Some(run);
            }
        }
        None
    }

    pub(crate) fn keep(&mut self, run: RunId, findings: Vec<Finding>) {
        self.of.insert(run.0, findings.into());
    }

    /// A run cannot be judged beside others.
    pub(crate) fn leave(&mut self) {
        self.left += 1;
    }

    /// How far that is, of so many runs.
    pub(crate) fn progress(&self, runs: usize) -> Judged {
        let total = count(runs);
        let left = self.left + total.saturating_sub(RUNS);
        Judged { done: self.next - self.left, total, left }
    }
}
