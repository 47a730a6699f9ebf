//! Whether memory made retries better (docs/spec/rules.md, "Evaluator and retries"), from columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::aggregate::first_success;
use crate::history::{History, Run};
use crate::model::id::{GroupId, RunId};
use crate::model::outcome::Outcome;
use crate::model::reward::{points, rounded};
use crate::model::thresholds::{ENOUGH_RETRIES, RETRY_AIM};

/// Successes with and without memory (`retry/improvement`).
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Retries {
    /// Retries that have ended, or tasks, with reflections in the window.
    pub with: u32,
    /// Those that were a success.
    pub with_successes: u32,
    /// Retries that have ended, or tasks, without.
    pub without: u32,
    /// Those that were a success.
    pub without_successes: u32,
    /// Whether one side has fewer than 5: then nothing is compared.
    pub is_too_few: bool,
    /// Difference of the success rates in points.
    pub points: Option<f64>,
    /// Difference against the rate without, 0.2 for a fifth more.
    pub relative: Option<f64>,
    /// Whether that reaches the stated aim of 0.2.
    pub is_aim_met: Option<bool>,
}

impl Retries {
    /// From four counts: retries with memory, their successes, retries without, their successes.
    pub(crate) fn new([with, with_successes, without, without_successes]: [u32; 4]) -> Self {
        let is_too_few = with < ENOUGH_RETRIES || without < ENOUGH_RETRIES;
        // Only the result is rounded: from rounded rates, a gain of exactly 0.2 could come out lower.
        let rate = |good: u32, all: u32| (!is_too_few).then(|| f64::from(good) / f64::from(all));
        let rates = rate(with_successes, with).zip(rate(without_successes, without));
        let relative = rates.filter(|(_, b)| *b > 0.0).map(|(a, b)| rounded((a - b) / b));
        Self {
            with,
            with_successes,
            without,
            without_successes,
            is_too_few,
            points: rates.map(|(a, b)| points(a - b)),
            relative,
            is_aim_met: relative.map(|relative| relative >= RETRY_AIM),
        }
    }
}

impl History {
    /// Retries of a group with and without reflections in their windows (`retry/improvement`).
    /// Stored memory does not prove that it was injected. None for an unknown group.
    pub fn retries(&self, group: GroupId) -> Option<Retries> {
        let (_, _, runs) = self.group_runs(group)?;
        Some(retries(runs.iter()))
    }

    /// As [`History::retries`], over some runs, such as those that a filter leaves. Ids that are not
    /// known are left out.
    pub fn retries_of(&self, runs: &[RunId]) -> Retries {
        let runs: Vec<_> = runs.iter().filter_map(|&id| self.run(id).ok()).collect();
        retries(runs.iter())
    }

    /// Two experiments over the same tasks, one with memory and one without: solved up to and with
    /// trial `at` (`retry/improvement`). Only tasks that both have count. Which of them had memory
    /// is the caller's word. None for an unknown group.
    pub fn compare_retries(&self, with: GroupId, without: GroupId, at: i64) -> Option<Retries> {
        let (_, _, with) = self.group_runs(with)?;
        let (_, _, without) = self.group_runs(without)?;
        let without: BTreeMap<_, _> =
            without.into_iter().map(|run| (run.key().to_owned(), run)).collect();
        let is_solved = |run: &Run<'_>| {
            first_success(run).and_then(|k| run.numbers().get(k)).is_some_and(|n| *n <= at)
        };
        let mut counts = [0_u32; 4];
        for run in with {
            let Some(other) = without.get(run.key()) else { continue };
            counts[0] += 1;
            counts[1] += u32::from(is_solved(&run));
            counts[2] += 1;
            counts[3] += u32::from(is_solved(other));
        }
        Some(Retries::new(counts))
    }
}

fn retries<'a>(runs: impl Iterator<Item = &'a Run<'a>>) -> Retries {
    let mut counts = [0_u32; 4];
    for run in runs {
        // Where no record says it: reflections written before each attempt, all are candidates.
        let reflections = run.reflections();
        for (k, outcome) in run.outcomes().iter().enumerate().skip(1) {
            // One that goes on may still succeed, and one that is void never counted.
            if matches!(outcome, Outcome::Running | Outcome::Void) {
                continue;
            }
            let has_earlier = reflections.first().is_some_and(|r| (r.ordinal as usize) < k);
            let has_place = run.omega_at(k).0 != Some(0);
            let has_injected = run.has_injected_at(k).unwrap_or(has_earlier && has_place);
            let side = if has_injected { 0 } else { 2 };
            counts[side] += 1;
            counts[side + 1] += u32::from(*outcome == Outcome::Success);
        }
    }
    Retries::new(counts)
}
