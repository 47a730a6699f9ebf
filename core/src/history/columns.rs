//! Runs and their iterations, one typed column for each fact.

use std::ops::Range;

use super::parsed_rows::Stored;
use crate::format::FormatId;
use crate::model::delta;
use crate::model::id::{GroupId, RecordId};
use crate::model::outcome::Outcome;
use crate::model::reward::Origin;
use crate::model::view::{BaseProvenance, ReflectionRef};

/// One attempt on its way into the columns.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub(crate) number: i64,
    pub(crate) outcome: Outcome,
    pub(crate) detail: Option<&'static str>,
    pub(crate) time_ms: Option<f64>,
    pub(crate) reward: Option<f64>,
    pub(crate) errors: Option<u32>,
    pub(crate) omega: Option<u8>,
    pub(crate) assumed_omega: Option<u8>,
    pub(crate) stored: Stored,
    pub(crate) record: RecordId,
    pub(crate) part: u32,
    pub(crate) merged: Vec<RecordId>,
    /// Records, each with its part, that make the attempt together: for each member the first
    /// value wins.
    pub(crate) joined: Vec<(RecordId, u32)>,
    /// Record and position of each reflection written in it.
    pub(crate) reflections: Vec<(RecordId, u32)>,
}

impl Attempt {
    /// An attempt of which only the number, the outcome and the place in a record are known.
    pub(crate) fn bare(number: i64, outcome: Outcome, (record, part): (RecordId, u32)) -> Self {
        Self {
            number,
            outcome,
            detail: None,
            time_ms: None,
            reward: None,
            errors: None,
            omega: None,
            assumed_omega: None,
            stored: Stored::NONE,
            record,
            part,
            merged: Vec::new(),
            joined: Vec::new(),
            reflections: Vec::new(),
        }
    }
}

/// Where the rewards of a run come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Series {
    pub(crate) origin: Origin,
    pub(crate) rule: Option<&'static str>,
}

/// What records say of a run as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RunFacts {
    pub(crate) outcome: Option<(Outcome, Option<&'static str>)>,
    /// Interned.
    pub(crate) status: Option<u32>,
    pub(crate) start_ms: Option<f64>,
    pub(crate) end_ms: Option<f64>,
    pub(crate) counter: Option<i64>,
    pub(crate) max_iterations: Option<i64>,
    pub(crate) lessons: u32,
    pub(crate) reward: Option<(f64, Series)>,
    pub(crate) aliases: Vec<String>,
}

/// One run, its attempts apart.
#[derive(Clone, Debug)]
pub(crate) struct RunRow {
    pub(crate) group: GroupId,
    pub(crate) key: String,
    /// Interned task description.
    pub(crate) task: Option<u32>,
    pub(crate) format: FormatId,
    pub(crate) base: u8,
    pub(crate) base_provenance: BaseProvenance,
    pub(crate) series: Series,
    /// Reflections that stand in a record but were written before its first attempt.
    pub(crate) earlier: Vec<ReflectionRef>,
    /// Records that describe the run as a whole, and which of their runs it is.
    pub(crate) parsed_runs: Vec<(RecordId, u32)>,
    /// What records say of it as a whole; nothing where each speaks of one attempt only.
    pub(super) facts: Option<Box<RunFacts>>,
    pub(crate) first: usize,
    pub(crate) len: usize,
}

impl RunFacts {
    /// What a run keeps of them.
    pub(super) fn kept(self) -> Option<Box<Self>> {
        (self != NO_FACTS).then(|| Box::new(self))
    }
}

static NO_FACTS: RunFacts = RunFacts {
    outcome: None,
    status: None,
    start_ms: None,
    end_ms: None,
    counter: None,
    max_iterations: None,
    lessons: 0,
    reward: None,
    aliases: Vec::new(),
};

impl RunRow {
    /// What its records say of it as a whole.
    pub(crate) fn facts(&self) -> &RunFacts {
        self.facts.as_deref().unwrap_or(&NO_FACTS)
    }

    /// Ordinals of the attempts that count where runs are compared attempt by attempt. The first and the last
    /// program of a search, which are all that a log keeps of it, are one attempt at its task: the last tells
    /// how it ended.
    pub(crate) fn counted(&self) -> Range<usize> {
        let skipped = if self.format.is_search() { self.len.saturating_sub(1) } else { 0 };
        skipped..self.len
    }
}

/// The iterations of all runs, run after run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) numbers: Vec<i64>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) details: Vec<Option<&'static str>>,
    pub(crate) times_ms: Vec<f64>,
    pub(crate) rewards: Vec<f64>,
    pub(crate) deltas: Vec<f64>,
    pub(crate) gaps: Vec<u32>,
    pub(crate) errors: Vec<f64>,
    pub(crate) omegas: Vec<Option<u8>>,
    pub(crate) assumed_omegas: Vec<Option<u8>>,
    /// By position of the iteration, only where a record states something; most do not.
    stored: std::collections::BTreeMap<usize, Stored>,
    pub(crate) records: Vec<RecordId>,
    pub(crate) parts: Vec<u32>,
    pub(crate) merged: std::collections::BTreeMap<usize, Vec<RecordId>>,
    pub(crate) joined: std::collections::BTreeMap<usize, Vec<(RecordId, u32)>>,
    /// End of each iteration's stretch of `reflections`.
    reflection_ends: Vec<usize>,
    reflections: Vec<ReflectionRef>,
}

impl Columns {
    /// Appends the attempts of one run, in order; returns where they stand.
    pub(crate) fn append(&mut self, attempts: Vec<Attempt>) -> (usize, usize) {
        let first = self.numbers.len();
        let rewards: Vec<_> = attempts.iter().map(|a| a.reward).collect();
        self.make_room(attempts.len());
        for ((ordinal, attempt), delta) in (0_u32..).zip(attempts).zip(delta::rewards(&rewards)) {
            self.numbers.push(attempt.number);
            self.outcomes.push(attempt.outcome);
            self.details.push(attempt.detail);
            self.times_ms.push(attempt.time_ms.unwrap_or(f64::NAN));
            self.rewards.push(attempt.reward.unwrap_or(f64::NAN));
            self.deltas.push(delta.map_or(f64::NAN, |d| d.change));
            self.gaps.push(delta.map_or(0, |d| d.gap));
            self.errors.push(attempt.errors.map_or(f64::NAN, f64::from));
            self.omegas.push(attempt.omega);
            self.assumed_omegas.push(attempt.assumed_omega);
            if !attempt.stored.is_empty() || attempt.stored.has_injected.is_some() {
                self.stored.insert(self.numbers.len() - 1, attempt.stored);
            }
            self.records.push(attempt.record);
            self.parts.push(attempt.part);
            if attempt.merged.len() > 1 {
                self.merged.insert(self.numbers.len() - 1, attempt.merged);
            }
            if attempt.joined.len() > 1 {
                self.joined.insert(self.numbers.len() - 1, attempt.joined);
            }
            self.reflections.extend(attempt.reflections.into_iter().map(|(record, part)| {
                ReflectionRef { number: attempt.number, ordinal, record, part }
            }));
            self.reflection_ends.push(self.reflections.len());
        }
        (first, self.numbers.len() - first)
    }

    /// Makes room for so many attempts. A full column grows by a quarter: if it doubled, it would take
    /// three times its size for a moment, and up to twice its size afterwards.
    fn make_room(&mut self, more: usize) {
        macro_rules! grow {
            ($($column:ident),*) => {$(
                let (len, room) = (self.$column.len(), self.$column.capacity());
                if room - len < more {
                    self.$column.reserve_exact(more.max(len / 4));
                }
            )*};
        }
        grow!(numbers, outcomes, details, times_ms, rewards, deltas, gaps, errors, omegas);
        grow!(assumed_omegas, records, parts, reflection_ends, reflections);
    }

    /// The change of the number of errors since the attempt before, which must be of the same run.
    pub(crate) fn error_delta(&self, run: &RunRow, at: usize) -> Option<i64> {
        let before = at.checked_sub(1).filter(|before| *before >= run.first)?;
        let errors = |at: usize| self.errors.get(at).copied().and_then(known);
        #[expect(clippy::cast_possible_truncation, reason = "both were a u32")]
        Some((errors(at)? - errors(before)?) as i64)
    }

    /// Whether an attempt is better than the one before.
    pub(crate) fn is_improvement(&self, run: &RunRow, at: usize) -> Option<bool> {
        let change = self.deltas.get(at).copied().and_then(known);
        delta::is_improvement(change, self.error_delta(run, at))
    }

    /// What the record of an iteration states of the change since the one before.
    pub(crate) fn stored(&self, at: usize) -> Stored {
        self.stored.get(&at).copied().unwrap_or(Stored::NONE)
    }

    /// Reflections of the iterations `first .. first + len`.
    pub(crate) fn reflections(&self, first: usize, len: usize) -> &[ReflectionRef] {
        let start =
            first.checked_sub(1).and_then(|i| self.reflection_ends.get(i)).copied().unwrap_or(0);
        let end = match (first + len).checked_sub(1) {
            Some(last) if len > 0 => self.reflection_ends.get(last).copied().unwrap_or(start),
            _ => start,
        };
        self.reflections.get(start..end).unwrap_or_default()
    }
}

/// NaN as absence.
pub(crate) fn known(x: f64) -> Option<f64> {
    (!x.is_nan()).then_some(x)
}
