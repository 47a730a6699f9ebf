//! What was done: the same again, or to and fro (`stuck/repeated-action`, `oscillation/files`).

use std::collections::BTreeSet;

use super::context::{InsightContext, list};
use crate::model::details::{Action, Details};
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::reward::share;
use crate::model::thresholds::{
    FILES_FEWEST, FILES_RETURNED, FILES_RETURNS, FILES_STRETCH, REPEATED_ACTIONS,
};
use crate::text::norm;

/// Sorted (type, target, diff without white space); none without actions.
fn fingerprint(details: &Details) -> Option<Vec<(String, String, String)>> {
    let mut print: Vec<_> = details.actions.iter().map(of_action).collect();
    print.sort_unstable();
    (!print.is_empty()).then_some(print)
}

fn of_action(action: &Action) -> (String, String, String) {
    let path = action.path.clone().filter(|path| !path.is_empty());
    let command = || action.command.as_deref().map(norm).filter(|command| !command.is_empty());
    // Some logs describe nothing and keep what was called, or what came out.
    let described = Some(action.description.as_str()).filter(|text| !text.trim().is_empty());
    let said = described.or(action.params.as_deref()).or(action.output.as_deref());
    let target = path.or_else(command).unwrap_or_else(|| norm(said.unwrap_or_default()));
    let diff = action.diff.as_deref().unwrap_or_default();
    (action.kind.clone(), target, diff.split_whitespace().collect())
}

/// Files that an attempt touched, by its actions and its list.
pub(super) fn files_of(details: &Details) -> BTreeSet<&str> {
    let of_actions = details.actions.iter().filter_map(|a| a.path.as_deref());
    of_actions.chain(details.files.iter().map(String::as_str)).filter(|p| !p.is_empty()).collect()
}

pub(super) fn judge(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    if context.judges("stuck/repeated-action") {
        repeated(context, findings);
    }
    if context.judges("oscillation/files") {
        to_and_fro(context, findings);
    }
}

fn repeated(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    let mut stretch: Vec<usize> = Vec::new();
    let mut last = None;
    for (k, step) in context.steps().iter().enumerate() {
        let print =
            context.details(k).filter(|_| step.outcome != Outcome::Success).and_then(fingerprint);
        if print.is_none() || print != last {
            say(context, &stretch, findings);
            stretch.clear();
        }
        if print.is_some() {
            stretch.push(k);
        }
        last = print;
    }
    say(context, &stretch, findings);
}

fn say(context: &InsightContext<'_>, stretch: &[usize], findings: &mut Vec<Finding>) {
    if stretch.len() < REPEATED_ACTIONS {
        return;
    }
    let evidence = context.evidence(stretch.iter().copied());
    let message = format!(
        "{} iterations in a row had the same actions, and none succeeded: {}.",
        stretch.len(),
        list(&evidence)
    );
    let finding = context.finding("stuck/repeated-action", Severity::Warning, message, evidence);
    findings.push(finding.hint("Forbid the repeated action in the next attempt."));
}

fn to_and_fro(context: &InsightContext<'_>, findings: &mut Vec<Finding>) {
    let start = context.steps().len().saturating_sub(FILES_STRETCH);
    let last: Vec<usize> = (start..context.steps().len()).collect();
    if last.len() < FILES_FEWEST {
        return;
    }
    let files: Vec<_> =
        last.iter().map(|&k| context.details(k).map(files_of).unwrap_or_default()).collect();
    let returns = files
        .array_windows::<3>()
        .filter(|[before, between, now]| {
            let again = before.iter().filter(|f| now.contains(*f) && !between.contains(*f));
            share(again.count(), before.len()).is_some_and(|share| share >= FILES_RETURNED)
        })
        .count();
    if returns >= FILES_RETURNS {
        let evidence = context.evidence(last);
        let message = format!(
            "In iterations {}, files that were left alone for one iteration were touched again {returns} times.",
            list(&evidence)
        );
        let finding = context.finding("oscillation/files", Severity::Warning, message, evidence);
        findings.push(finding.hint("Two changes may undo each other. Make them together."));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_without_a_description_differ_by_what_they_say() {
        let printed = |params: Option<&str>, output: &str| {
            let action = Action {
                kind: "other".to_owned(),
                params: params.map(str::to_owned),
                output: Some(output.to_owned()),
                ..Action::default()
            };
            of_action(&action)
        };
        assert_ne!(printed(None, "first draft"), printed(None, "second draft"));
        assert_eq!(printed(None, "First draft."), printed(None, "first draft"));
        assert_eq!(printed(Some("{}"), "one"), printed(Some("{}"), "two"));
    }
}
