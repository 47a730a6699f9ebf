//! Whether runs repeat themselves, as far as their reflections were compared.

use hindscope::RunId;

use crate::protocol::count;

/// What is known of the runs that had their turn.
#[derive(Default)]
pub(crate) struct Repetition {
    /// Attempts of each that are part of a stretch in which it was stuck; none if its reflections are too
    /// long, or cannot be read.
    stuck: Vec<Option<u32>>,
    is_wanted: bool,
    /// Runs that had their turn when the page heard of it last.
    reported: u32,
}

impl Repetition {
    /// From now on all runs have their turn, one after another.
    pub(crate) fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Attempts of a run in which it was stuck, if that is known.
    pub(crate) fn stuck(&self, run: RunId) -> Option<u32> {
        self.stuck.get(run.0 as usize).copied().flatten()
    }

    /// The run whose turn it is, of so many, once somebody wants to know.
    pub(crate) fn next(&self, runs: usize) -> Option<RunId> {
        let next = RunId(self.compared());
        (self.is_wanted && (next.0 as usize) < runs).then_some(next)
    }

    /// Keeps in how many of its attempts that run was stuck.
    pub(crate) fn keep(&mut self, stuck: Option<u32>) {
        self.stuck.push(stuck);
    }

    /// Runs that had their turn.
    pub(crate) fn compared(&self) -> u32 {
        count(self.stuck.len())
    }

    /// The same when the page heard of it last: lists that depend on it are put in order again then.
    pub(crate) fn reported(&self) -> u32 {
        self.reported
    }

    /// Takes over what is known of a run after its turn: it was looked at by itself.
    pub(crate) fn replace(&mut self, run: RunId, stuck: Option<u32>) {
        if let Some(kept) = self.stuck.get_mut(run.0 as usize) {
            *kept = stuck.or(*kept);
        }
    }

    /// The same, where the page does not know yet: of many runs once twice as many had their turn, for each
    /// answer looks at all of them.
    pub(crate) fn news(&mut self, runs: usize) -> Option<u32> {
        let now = self.compared();
        let is_due = now as usize == runs || now >= self.reported.saturating_mul(2);
        let is_news = now > self.reported && is_due;
        is_news.then(|| {
            self.reported = now;
            now
        })
    }
}
