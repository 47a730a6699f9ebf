//! Queries over the columns of one run, and over groups of them.

use crate::model::omega::OmegaProvenance;
use std::collections::BTreeMap;
use std::ops::Range;

use super::columns::{RunRow, known};
use super::grouping::{GroupRow, Grouping};
use super::row::{Row, Table};
use super::totals;
use super::usage::{RunUsage, Took, UsageSum};
use crate::error::Error;
use crate::format::FormatId;
use crate::model::id::{GroupId, RecordId, RunId};
use crate::model::outcome::Outcome;
use crate::model::reward::{Origin, count};
use crate::model::view::{
    GroupView, IterationView, ReflectionRef, RunColumns, RunView, StoredDeltas,
};
use crate::sketch::ReflectionSketch;
use crate::window::candidate::Candidate;
use crate::window::engine::{Ask, choose, instants};
use crate::window::{Seat, Target, Window, WindowRule};

/// Iterations whose outcome letters a list shows.
const TREND_LEN: usize = 60;

/// One run of a [`History`](crate::History).
#[derive(Debug)]
pub struct Run<'a> {
    id: RunId,
    pub(super) row: &'a RunRow,
    pub(super) grouping: &'a Grouping,
    pub(super) table: &'a Table,
}

impl<'a> Run<'a> {
    pub(super) fn new(id: RunId, grouping: &'a Grouping, table: &'a Table) -> Option<Self> {
        let row = grouping.runs.get(id.index())?;
        Some(Self { id, row, grouping, table })
    }

    fn span(&self) -> std::ops::Range<usize> {
        self.row.first..self.row.first + self.row.len
    }

    /// Key within its group.
    pub fn key(&self) -> &'a str {
        &self.row.key
    }

    /// Its id.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// Numbers as written.
    pub fn numbers(&self) -> &'a [i64] {
        self.grouping.columns.numbers.get(self.span()).unwrap_or_default()
    }

    /// Rewards 0..1; NaN where there is none.
    pub fn rewards(&self) -> &'a [f64] {
        self.grouping.columns.rewards.get(self.span()).unwrap_or_default()
    }

    /// Changes of reward (`delta/reward`); NaN where there is none.
    pub fn deltas(&self) -> &'a [f64] {
        self.grouping.columns.deltas.get(self.span()).unwrap_or_default()
    }

    /// Outcomes.
    pub fn outcomes(&self) -> &'a [Outcome] {
        self.grouping.columns.outcomes.get(self.span()).unwrap_or_default()
    }

    /// Whether it says how any of its attempts ended: only such runs make rates of success.
    pub fn is_judged(&self) -> bool {
        self.outcomes().iter().any(|outcome| *outcome != Outcome::Unknown)
    }

    /// All columns.
    pub fn columns(&self) -> RunColumns<'a> {
        let columns = &self.grouping.columns;
        RunColumns {
            numbers: self.numbers(),
            rewards: self.rewards(),
            deltas: self.deltas(),
            errors: columns.errors.get(self.span()).unwrap_or_default(),
            outcomes: self.outcomes(),
            times_ms: columns.times_ms.get(self.span()).unwrap_or_default(),
        }
    }

    /// Every reflection that was written in it, oldest first.
    pub fn reflections(&self) -> Vec<ReflectionRef> {
        let own = self.grouping.columns.reflections(self.row.first, self.row.len);
        self.row.earlier.iter().chain(own).copied().collect()
    }

    /// Format of its leading record.
    pub(crate) fn format(&self) -> FormatId {
        self.row.format
    }

    /// Ordinals of the attempts that count where runs are compared attempt by attempt.
    pub(crate) fn counted(&self) -> Range<usize> {
        self.row.counted()
    }

    /// Reflections that were written before its first attempt.
    pub(crate) fn earlier(&self) -> &'a [ReflectionRef] {
        &self.row.earlier
    }

    /// Records that describe the run as a whole, and which of their runs it is.
    pub(crate) fn parsed_runs(&self) -> &'a [(RecordId, u32)] {
        &self.row.parsed_runs
    }

    /// The record that leads each attempt, and which of its parts.
    pub(super) fn parts(&self) -> impl Iterator<Item = (RecordId, u32)> + use<'a> {
        let columns = &self.grouping.columns;
        let records = columns.records.get(self.span()).unwrap_or_default();
        let parts = columns.parts.get(self.span()).unwrap_or_default();
        records.iter().copied().zip(parts.iter().copied())
    }

    /// By ordinal: records that make an attempt together.
    pub(crate) fn joins(&self) -> BTreeMap<usize, Vec<(RecordId, u32)>> {
        let joined = self.grouping.columns.joined.range(self.span());
        joined.map(|(at, parts)| (at - self.row.first, parts.clone())).collect()
    }

    /// Every record that it is made of, in the order of opening: with their spans, where it all
    /// comes from.
    pub fn records(&self) -> Vec<RecordId> {
        self.grouping.records_of(self.id).to_vec()
    }

    /// Its row in the list of runs.
    pub fn view(&self) -> RunView {
        let columns = &self.grouping.columns;
        let outcomes = self.outcomes();
        let last = outcomes.len().checked_sub(1);
        let best = best(self.rewards(), outcomes);
        let facts = self.row.facts();
        // What a record says of the run as a whole counts more than how its last attempt ended.
        let outcome = facts.outcome.or_else(|| {
            let k = last?;
            let detail = columns.details.get(self.row.first + k).copied().flatten();
            Some((*outcomes.get(k)?, detail))
        });
        // Without a reward of any attempt, that of the run speaks.
        let series = match facts.reward {
            Some((_, series)) if self.row.series.origin == Origin::None => series,
            _ => self.row.series,
        };
        let (omega, omega_provenance) =
            last.map_or((None, OmegaProvenance::Assumed), |k| self.omega_at(k));
        let first_success = outcomes.iter().position(|o| *o == Outcome::Success);
        let first_success_number = first_success.and_then(|k| self.numbers().get(k).copied());
        let ended = outcome.map_or(Outcome::Unknown, |o| o.0);
        let detail = outcome.and_then(|o| o.1);
        RunView {
            id: self.id,
            group: self.row.group,
            key: self.row.key.clone(),
            task: self.row.task.map(|t| self.table.texts.text(t).to_owned()),
            format: self.row.format.as_str().to_owned(),
            outcome: ended,
            outcome_detail: detail.map(str::to_owned),
            outcome_note: ended.note(detail, first_success_number, !outcomes.is_empty()),
            status: facts.status.map(|s| self.table.texts.text(s).to_owned()),
            start_ms: facts.start_ms,
            end_ms: facts.end_ms,
            counter: facts.counter,
            max_iterations: facts.max_iterations,
            aliases: facts.aliases.clone(),
            lessons: facts.lessons,
            reward: facts.reward.map(|(value, _)| value),
            iterations: count(outcomes.len()),
            base: self.row.base,
            base_provenance: self.row.base_provenance,
            first_success: first_success.map(count),
            first_success_number,
            best: best.map(|(_, r)| r),
            best_number: best.and_then(|(k, _)| self.numbers().get(k).copied()),
            last: self.rewards().iter().rev().copied().find_map(known),
            reward_origin: series.origin,
            reward_rule: series.rule.map(str::to_owned),
            reflections: count(self.reflections().len()),
            findings: self.grouping.findings_of.of(self.id).map(|count| count.times).sum(),
            trend: outcomes.iter().take(TREND_LEN).map(|o| o.letter()).collect(),
            omega,
            omega_provenance,
        }
    }

    /// Its attempts, in order.
    pub fn iterations(&self) -> Vec<IterationView> {
        let columns = &self.grouping.columns;
        let mut findings = BTreeMap::<i64, u32>::new();
        for count in self.grouping.findings_of.of(self.id) {
            if let Some(number) = count.number() {
                *findings.entry(number).or_default() += count.times;
            }
        }
        self.span()
            .enumerate()
            .map(|(k, at)| {
                let stored = columns.stored(at);
                let has_stored = stored.reward.is_some()
                    || stored.errors.is_some()
                    || stored.improvement.is_some();
                let number = columns.numbers[at];
                IterationView {
                    ordinal: count(k),
                    number,
                    outcome: columns.outcomes[at],
                    outcome_detail: columns.details[at].map(str::to_owned),
                    time_ms: known(columns.times_ms[at]),
                    reward: known(columns.rewards[at]),
                    delta: known(columns.deltas[at]),
                    delta_gap: columns.gaps[at],
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "was a u32"
                    )]
                    errors: known(columns.errors[at]).map(|n| n as u32),
                    error_delta: columns.error_delta(self.row, at),
                    is_improvement: columns.is_improvement(self.row, at),
                    stored: has_stored.then_some(StoredDeltas {
                        reward_change: stored.reward.map(|w| w.value),
                        error_count_change: stored.errors,
                        is_improvement: stored.improvement,
                    }),
                    record: columns.records[at],
                    part: columns.parts[at],
                    merged: columns.merged.get(&at).cloned().unwrap_or_default(),
                    reflections: columns.reflections(at, 1).to_vec(),
                    findings: findings.get(&number).copied().unwrap_or(0),
                }
            })
            .collect()
    }

    /// Ω at an ordinal, and where it comes from (`window/provenance`).
    pub(crate) fn omega_at(&self, ordinal: usize) -> (Option<u8>, OmegaProvenance) {
        let at = self.row.first + ordinal;
        let columns = &self.grouping.columns;
        match columns.omegas.get(at).copied().flatten() {
            Some(omega) => (Some(omega), OmegaProvenance::Recorded),
            None => (columns.assumed_omegas.get(at).copied().flatten(), OmegaProvenance::Assumed),
        }
    }

    /// Whether reflections were put before the attempt at an ordinal, where a record says so.
    pub(crate) fn has_injected_at(&self, ordinal: usize) -> Option<bool> {
        self.grouping.columns.stored(self.row.first + ordinal).has_injected
    }

    /// Its reflections that are not blank, with what windows ask of columns.
    pub(super) fn seats(&self) -> Vec<Seat> {
        let clock = instants(self.columns().times_ms.iter().copied().map(known));
        let own = self.grouping.columns.reflections(self.row.first, self.row.len);
        let earlier = i64::try_from(self.row.earlier.len()).unwrap_or(i64::MAX);
        let earlier = (-earlier..0).zip(&self.row.earlier).map(|(ordinal, at)| Seat {
            at: *at,
            ordinal,
            instant: f64::NEG_INFINITY,
            position: at.part,
            outcome: Outcome::Unknown,
        });
        let own = (0..).zip(own).map(|(position, at)| {
            let time = self.table.rows.get(at.record.index()).and_then(Row::time_ms);
            let k = at.ordinal as usize;
            Seat {
                at: *at,
                ordinal: i64::from(at.ordinal),
                instant: time.or(clock.get(k).copied()).unwrap_or(f64::NEG_INFINITY),
                position,
                outcome: self.outcomes().get(k).copied().unwrap_or(Outcome::Unknown),
            }
        });
        earlier.chain(own).filter(|seat| !self.is_blank(&seat.at)).collect()
    }

    /// What was kept to compare a reflection by.
    pub(super) fn sketch(&self, at: &ReflectionRef) -> Option<ReflectionSketch> {
        let row = self.table.rows.get(at.record.index())?;
        self.table.sketches.get(row.reflections.place(at.part)?)
    }

    fn is_blank(&self, at: &ReflectionRef) -> bool {
        let row = self.table.rows.get(at.record.index());
        row.and_then(|row| self.table.hashes(row).get(at.part as usize)) == Some(&0)
    }

    /// Reflections in context when iteration `at` began, oldest first. `at` is the number of an
    /// iteration, or the one after the last: what the next attempt would see.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchIteration`](crate::ErrorCode::NoSuchIteration);
    /// [`ErrorCode::OmegaOutOfRange`](crate::ErrorCode::OmegaOutOfRange) above 10;
    /// [`ErrorCode::InvalidOption`](crate::ErrorCode::InvalidOption) for a rule that
    /// [needs texts](WindowRule::needs_texts): [`LoadedRun::window`](crate::LoadedRun::window) has them.
    pub fn window(&self, at: i64, rule: WindowRule) -> Result<Window, Error> {
        let target = Target::find(at, &rule, self.numbers(), &self.row.key, |k| self.omega_at(k))?;
        if rule.needs_texts() {
            return Err(Error::invalid_option(
                "The policy relevance_weighted, a token budget and a dynamic Ω need the texts of the reflections. Read the records of the run first, and compute the window of the loaded run.",
            ));
        }
        let (seats, later): (Vec<_>, Vec<_>) =
            self.seats().into_iter().partition(|seat| seat.at.number < at);
        let candidates: Vec<Candidate> = seats.iter().map(Seat::unread).collect();
        let ask = Ask { rule: &rule, omega: target.omega, target: target.position(), query: &[] };
        let choice = choose(&candidates.iter().collect::<Vec<_>>(), &ask);
        Ok(Window::of(&target, &rule, &seats, &choice, later.len()))
    }

    /// What it took: the sum of its iterations, else what a record says of the whole run.
    pub fn usage(&self) -> RunUsage {
        let parsed = &self.table.parsed;
        if parsed.usage.is_empty() && parsed.declared.is_empty() {
            return RunUsage::default();
        }
        let of_steps = self.parts().map(|(record, part)| parsed.usage.get(&(record.index(), part)));
        let steps: Vec<_> = of_steps.collect();
        let of_run = self.parsed_runs().iter();
        let of_run: Vec<_> = of_run
            .filter_map(|(record, part)| parsed.declared.get(&(record.index(), *part)))
            .collect();
        let [tokens, cost_usd] = [0, 1].map(|which| {
            let known = |took: &Took| Some(took.0[which]).filter(|value| value.is_finite());
            let sum = steps.iter().fold(UsageSum::default(), |mut sum, took| {
                match took.and_then(known) {
                    Some(value) => {
                        sum.sum += value;
                        sum.known += 1;
                    }
                    None => sum.unknown += 1,
                }
                sum
            });
            if sum.known > 0 {
                return Some(sum);
            }
            let value = of_run.iter().find_map(|took| known(took))?;
            Some(UsageSum { sum: value, ..UsageSum::default() })
        });
        RunUsage { tokens, cost_usd }
    }
}

/// Highest reward of what counts, earliest on ties.
fn best(rewards: &[f64], outcomes: &[Outcome]) -> Option<(usize, f64)> {
    let mut best = None;
    for (k, (r, outcome)) in rewards.iter().zip(outcomes).enumerate() {
        if let Some(r) = known(*r).filter(|_| *outcome != Outcome::Void)
            && best.is_none_or(|(_, b)| r > b)
        {
            best = Some((k, r));
        }
    }
    best
}

/// Groups with their curves: runs whose first success is at or before each attempt.
pub(super) fn groups(grouping: &Grouping) -> Vec<GroupView> {
    let view = |(g, group): (usize, &GroupRow)| {
        if !group.curve.is_empty() {
            return totals::view(GroupId::at(g), group);
        }
        let runs = grouping.runs.get(group.runs.clone()).unwrap_or_default();
        group_view(grouping, g, group, runs.iter())
    };
    grouping.groups.iter().enumerate().map(view).collect()
}

/// The groups of some runs, as if they had no others. Curves that a file states are not theirs.
pub(super) fn groups_of(grouping: &Grouping, runs: &[RunId]) -> Vec<GroupView> {
    let mut of = BTreeMap::<usize, Vec<&RunRow>>::new();
    for run in runs.iter().filter_map(|id| grouping.runs.get(id.index())) {
        of.entry(run.group.0 as usize).or_default().push(run);
    }
    let view = |(g, runs): (usize, Vec<&RunRow>)| {
        Some(group_view(grouping, g, grouping.groups.get(g)?, runs.into_iter()))
    };
    of.into_iter().filter_map(view).collect()
}

fn group_view<'a>(
    grouping: &Grouping,
    g: usize,
    group: &GroupRow,
    runs: impl ExactSizeIterator<Item = &'a RunRow>,
) -> GroupView {
    let columns = &grouping.columns;
    let run_count = runs.len();
    // Attempts and first successes at each number.
    let mut at = BTreeMap::<i64, (u32, u32)>::new();
    let mut judged = 0_usize;
    let mut reflections = 0;
    for run in runs {
        let (counted, numbers) = (run.counted(), run.first..run.first + run.len);
        let outcomes = run.first + counted.start..run.first + counted.end;
        let outcomes = columns.outcomes.get(outcomes).unwrap_or_default();
        let numbers = columns.numbers.get(numbers).unwrap_or_default();
        reflections += columns.reflections(run.first, run.len).len() + run.earlier.len();
        judged += usize::from(outcomes.iter().any(|o| *o != Outcome::Unknown));
        let mut is_solved = false;
        for (number, outcome) in numbers.iter().zip(outcomes) {
            let (attempts, successes) = at.entry(*number).or_default();
            *attempts += 1;
            if *outcome == Outcome::Success && !is_solved {
                is_solved = true;
                *successes += 1;
            }
        }
    }
    let sums = at.values().scan(0, |sum, (_, successes)| {
        *sum += successes;
        Some(*sum)
    });
    GroupView {
        id: GroupId::at(g),
        label: group.label.clone(),
        format: group.format.as_str().to_owned(),
        runs: count(run_count),
        judged: count(judged),
        reflections: count(reflections),
        solved_after: if judged > 0 { sums.collect() } else { Vec::new() },
        attempted: at.values().map(|(attempts, _)| *attempts).collect(),
        numbers: at.into_keys().collect(),
    }
}
