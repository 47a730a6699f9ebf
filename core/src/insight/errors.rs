//! What became of each error, and errors that stay (`error/lifecycle`, `stuck/repeated-error`).

use std::collections::{BTreeMap, BTreeSet};

use super::answer::ErrorRow;
use super::context::{InsightContext, list, mean};
use super::signature::signature;
use crate::model::details::{Details, ErrorDetails};
use crate::model::finding::{Finding, Severity};
use crate::model::reward::rounded;
use crate::model::thresholds::{ERROR_STRETCH, NO_PROGRESS, REPEATED_ERRORS};

/// Errors that count: warnings and notes of tools are none.
pub(super) fn errors_of(details: &Details) -> impl Iterator<Item = &ErrorDetails> {
    details.errors.iter().filter(|e| !matches!(e.severity.as_deref(), Some("warning" | "info")))
}

/// The signatures of each iteration; none where its errors are not known.
pub(super) fn signatures(context: &InsightContext<'_>) -> Vec<Option<BTreeSet<String>>> {
    context
        .steps()
        .iter()
        .enumerate()
        .map(|(k, step)| {
            let found: BTreeSet<_> =
                context.details(k).into_iter().flat_map(errors_of).map(signature).collect();
            (!found.is_empty() || step.errors.is_some()).then_some(found)
        })
        .collect()
}

/// One row an error, in order of first sight.
pub(super) fn lifecycles(
    context: &InsightContext<'_>,
    signatures: &[Option<BTreeSet<String>>],
) -> Vec<ErrorRow> {
    let mut rows: Vec<ErrorRow> = Vec::new();
    let mut row_of: BTreeMap<&str, usize> = BTreeMap::new();
    // Rows of errors that are there and of those that are cleared.
    let mut open: BTreeSet<usize> = BTreeSet::new();
    let mut cleared: BTreeSet<usize> = BTreeSet::new();
    for (k, found) in signatures.iter().enumerate() {
        let Some(found) = found else { continue };
        let number = context.number(k);
        let mut now = BTreeSet::new();
        // The first message of each, made once: one record may bring 100,000 of them.
        let mut messages: Option<BTreeMap<String, &str>> = None;
        for signature in found {
            let at = *row_of.entry(signature).or_insert_with(|| {
                let messages = messages.get_or_insert_with(|| {
                    let mut messages = BTreeMap::new();
                    for error in context.details(k).into_iter().flat_map(errors_of) {
                        messages.entry(self::signature(error)).or_insert(error.message.as_str());
                    }
                    messages
                });
                let message = messages.get(signature).copied();
                rows.push(ErrorRow {
                    signature: signature.clone(),
                    message: message.unwrap_or_default().to_owned(),
                    seen: Vec::new(),
                    cleared: Vec::new(),
                    came_back: Vec::new(),
                });
                rows.len() - 1
            });
            now.insert(at);
            rows[at].seen.push(number);
            if cleared.remove(&at) {
                rows[at].came_back.push(number);
            }
        }
        for &at in open.difference(&now) {
            rows[at].cleared.push(number);
            cleared.insert(at);
        }
        open = now;
    }
    rows
}

pub(super) fn judge(
    context: &InsightContext<'_>,
    signatures: &[Option<BTreeSet<String>>],
    rows: &[ErrorRow],
    findings: &mut Vec<Finding>,
) {
    if context.judges("stuck/repeated-error") && context.is_chain() {
        repeated(context, signatures, findings);
    }
    if context.judges("error/came-back") {
        for row in rows {
            came_back(context, row, findings);
        }
    }
}

fn came_back(context: &InsightContext<'_>, row: &ErrorRow, findings: &mut Vec<Finding>) {
    for &number in &row.came_back {
        let cleared = row.cleared.iter().rev().find(|n| **n < number).copied();
        let Some(cleared) = cleared else { continue };
        let before = row.seen.iter().rev().find(|n| **n < cleared).copied().unwrap_or(cleared);
        let numbers = [before, cleared, number];
        let evidence = context.evidence(numbers.into_iter().filter_map(|n| ordinal(context, n)));
        let message = format!(
            "An error that was cleared in iteration {cleared} is back in iteration {number}: {}.",
            short(&row.message)
        );
        let hint =
            "Look at what changed between the two iterations, and add a test for this error.";
        let finding = context.finding("error/came-back", Severity::Warning, message, evidence);
        findings.push(finding.hint(hint));
    }
}

/// Numbers ascend, as a run has each once.
fn ordinal(context: &InsightContext<'_>, number: i64) -> Option<usize> {
    context.steps().binary_search_by_key(&number, |s| s.number).ok()
}

/// The beginning of a message, on one line.
pub(super) fn short(message: &str) -> String {
    let line = message.trim().lines().next().unwrap_or_default();
    let line = line.trim_end_matches('.');
    let mut short: String = line.chars().take(80).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

fn repeated(
    context: &InsightContext<'_>,
    signatures: &[Option<BTreeSet<String>>],
    findings: &mut Vec<Finding>,
) {
    // For each error its stretches without progress: the last position of the stretch, and all
    // positions in it that have the error.
    let mut still: BTreeMap<&str, Vec<(usize, BTreeSet<usize>)>> = BTreeMap::new();
    for k in REPEATED_ERRORS - 1..signatures.len() {
        let start = (k + 1).saturating_sub(ERROR_STRETCH);
        let mut counts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, found) in signatures.iter().enumerate().take(k + 1).skip(start) {
            for signature in found.iter().flatten() {
                counts.entry(signature).or_default().push(at);
            }
        }
        counts.retain(|_, at| at.len() >= REPEATED_ERRORS);
        if counts.is_empty() || has_progress(context, start, k) {
            continue;
        }
        for (signature, at) in counts {
            let stretches = still.entry(signature).or_default();
            match stretches.last_mut() {
                Some((last, all)) if *last + 1 == k => {
                    *last = k;
                    all.extend(at);
                }
                _ => stretches.push((k, at.into_iter().collect())),
            }
        }
    }
    for (signature, stretches) in still {
        for (_, ordinals) in stretches {
            let n = ordinals.len();
            let evidence = context.evidence(ordinals);
            let message = format!(
                "The same error occurs in {n} iterations without progress: {} ({}).",
                list(&evidence),
                short(signature)
            );
            let finding =
                context.finding("stuck/repeated-error", Severity::Warning, message, evidence);
            findings.push(
                finding.hint("The attempts so far do not fix its cause. Try another approach."),
            );
        }
    }
}

/// Whether there was progress: by the mean change of reward if there are at least two rewards, else by
/// the number of errors.
fn has_progress(context: &InsightContext<'_>, start: usize, end: usize) -> bool {
    let from = context.rewarded.partition_point(|r| r.k < start);
    let to = context.rewarded.partition_point(|r| r.k <= end);
    let rewards = context.rewarded.get(from..to).unwrap_or_default();
    let steps = rewards.array_windows::<2>();
    let deltas: Vec<_> = steps.map(|[a, b]| rounded(b.reward - a.reward)).collect();
    if let Some(mean) = mean(&deltas) {
        return mean.abs() >= NO_PROGRESS;
    }
    let mut counts =
        context.steps().get(start..=end).unwrap_or_default().iter().filter_map(|s| s.errors);
    let first = counts.next();
    matches!((first, counts.next_back()), (Some(first), Some(last)) if last < first)
}
