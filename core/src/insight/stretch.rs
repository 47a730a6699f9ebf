//! Attempts in a row that led to nothing.

use crate::history::loaded_run::LoadedStep;
use crate::model::finding::Evidence;
use crate::model::outcome::Outcome;
use crate::model::thresholds::FLAT_POINTS;

/// The numbers of the first and the last of these attempts that led to nothing: those before a success. None
/// if they are fewer than `enough`, or if the reward rose over them.
pub(super) fn stretch_of(
    steps: &[LoadedStep],
    evidence: &[Evidence],
    enough: usize,
) -> Option<(i64, i64)> {
    let (first, last) = (evidence.first()?.number, evidence.last()?.number);
    let all = between(steps, first, last);
    let success = all.iter().position(|step| step.outcome == Outcome::Success);
    let all = &all[..success.unwrap_or(all.len())];
    let mut rewards = all.iter().filter_map(|step| step.reward);
    let before = rewards.next();
    let is_better = |r: f64| before.is_some_and(|before| 100.0 * (r - before) >= FLAT_POINTS);
    if all.len() < enough || rewards.any(is_better) {
        return None;
    }
    Some((all.first()?.number, all.last()?.number))
}

/// Attempts by their numbers, which ascend.
pub(super) fn between(steps: &[LoadedStep], from: i64, to: i64) -> &[LoadedStep] {
    let start = steps.partition_point(|step| step.number < from);
    let end = steps.partition_point(|step| step.number <= to);
    steps.get(start..end).unwrap_or_default()
}
