//! `iteration_history` of the 2.x schema: the quality of each iteration, beside or instead of the
//! iterations themselves.

use serde_json::Value;

use super::super::measured;
use super::super::members::Members;
use super::progress;
use super::spelling::TIME;
use super::verdict;
use crate::model::details::{Counter, Details};
use crate::model::finding::Finding;

/// Adds what the history says to the iterations of its numbers, and iterations that it alone
/// lists.
pub(crate) fn add(steps: &mut Vec<Details>, history: &[Value], at: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (position, value) in history.iter().enumerate() {
        let mut members = Members::of(value, format!("{at}/{position}"));
        let entry = read(&mut members, position == 0);
        findings.append(&mut members.findings);
        let Some(number) = entry.number else { continue };
        match steps.iter_mut().find(|step| step.number == Some(number)) {
            Some(step) => fill(step, entry),
            None => steps.push(entry),
        }
    }
    findings
}

fn read(members: &mut Members<'_>, is_first: bool) -> Details {
    let delta = members.number(&["quality_delta"]);
    let verdict = verdict::of_element(members, None);
    let mut step = Details {
        number: members.iteration(&["iteration", "iteration_number"]),
        time: members.time(TIME),
        outcome: verdict.map(|(outcome, _)| outcome),
        outcome_detail: verdict.and_then(|(_, detail)| detail).map(str::to_owned),
        reward: progress::percent(members, &["quality_score"]),
        breakdown: members.take(&["quality_breakdown"], breakdown).unwrap_or_default(),
        stored: delta.and_then(|points| measured::change(points, is_first)),
        ..Details::default()
    };
    step.texts = members.rest("iteration_history.");
    step
}

/// Parts of a quality, if every one of them is 0..1.
fn breakdown(value: &Value) -> Option<Vec<Counter>> {
    let part = |(name, value): (&String, &Value)| {
        let value = value.as_f64().filter(|n| (0.0..=1.0).contains(n))?;
        Some(Counter { name: name.clone(), value })
    };
    value.as_object()?.iter().map(part).collect()
}

fn fill(step: &mut Details, entry: Details) {
    step.time = step.time.take().or(entry.time);
    if step.outcome.is_none() {
        step.outcome = entry.outcome;
        step.outcome_detail = entry.outcome_detail;
    }
    step.reward = step.reward.take().or(entry.reward);
    step.stored = step.stored.take().or(entry.stored);
    step.breakdown = entry.breakdown;
    step.texts.extend(entry.texts);
}
