//! What contradicts itself inside one state (docs/spec/rules.md, "Format checks").

use std::collections::BTreeSet;

use super::super::members::Members;
use super::spelling::{COUNTER, END};
use crate::model::datetime::moment_ms;
use crate::model::details::Details;
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;
use crate::text::counted;
use crate::validate::labels::cut;

/// Everything that can be said of one state alone. `steps` is none where no list of iterations
/// stands in it.
pub(crate) fn of_run(
    members: &Members<'_>,
    about: &RunDetails,
    steps: Option<&[Details]>,
) -> Vec<Finding> {
    let at = |names: &[&'static str]| {
        members.peek(names, Some).map(|(name, _)| members.pointer(name)).unwrap_or_default()
    };
    let counted = steps.and_then(|steps| counter(about, steps));
    let end = || at(END);
    [
        counted.map(|finding| finding.pointer(at(COUNTER))),
        over_max(about).map(|finding| finding.pointer(at(COUNTER))),
        active(members, about).map(|finding| finding.pointer(members.pointer("active"))),
        duration(about.start.as_deref(), about.end.as_deref(), end),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// `state/idle`: a state between two loops, or the answer that no loop runs.
pub(in super::super) fn idle(status: Option<&str>, at: &str) -> Finding {
    let status = status.map_or(String::new(), |status| format!(" It says: {}.", cut(status)));
    let message =
        format!("No task and no iterations are named here, so this makes no run.{status}");
    Finding::new("state/idle", Severity::Info, message)
        .hint("No loop was running when it was written. Reports and iterations of earlier loops may be beside it.")
        .pointer(at)
}

/// `state/stub`: the run has ended and its counter is above 0, but no iteration is listed.
/// `state/counter`: the counter is not the number of listed iterations.
fn counter(about: &RunDetails, steps: &[Details]) -> Option<Finding> {
    let counter = about.counter?;
    let numbers: BTreeSet<_> = steps.iter().filter_map(|step| step.number).collect();
    let has_ended = !matches!(about.outcome, None | Some(Outcome::Running | Outcome::Unknown));
    if steps.is_empty() && counter > 0 && has_ended {
        let message = format!(
            "The loop has ended and its iteration counter is {counter}, but its list of iterations is empty."
        );
        let hint = "Another copy of the state, in a folder above, may contain the iterations.";
        return Some(Finding::new("state/stub", Severity::Info, message).hint(hint));
    }
    let listed = i64::try_from(numbers.len()).unwrap_or(i64::MAX);
    let largest = numbers.last().copied().unwrap_or(0);
    if counter == listed && counter >= largest {
        return None;
    }
    let message = if counter < largest {
        format!("The iteration counter is {counter}, but one iteration has the number {largest}.")
    } else {
        let names = counted(numbers.len(), "iteration");
        format!("The iteration counter is {counter}, but the list of iterations names {names}.")
    };
    let finding = Finding::new("state/counter", Severity::Info, message);
    Some(finding.contrast(listed.max(largest).to_string(), counter.to_string()))
}

/// `state/over-max`.
fn over_max(about: &RunDetails) -> Option<Finding> {
    let (counter, max) = (about.counter?, about.max_iterations?);
    (counter > max).then(|| {
        let message = format!("The iteration counter is {counter}, but the limit is {max}.");
        Finding::new("state/over-max", Severity::Info, message)
            .contrast(format!("at most {max}"), counter.to_string())
    })
}

/// `state/active`: it says that it goes on and that it has ended, or neither.
fn active(members: &Members<'_>, about: &RunDetails) -> Option<Finding> {
    let is_active = members.look(&["active"], serde_json::Value::as_bool)?;
    let status = about.status.as_deref()?;
    let has_ended = match Outcome::read(status) {
        (Outcome::Running, None) => false,
        // Paused and unknown words go with either.
        (Outcome::Running | Outcome::Unknown, _) => return None,
        _ => true,
    };
    (is_active == has_ended).then(|| {
        let message = format!(
            "`active` is {is_active}, but the status `{}` means that the loop {}.",
            cut(status),
            if has_ended { "has ended" } else { "is still running" }
        );
        Finding::new("state/active", Severity::Info, message)
            .contrast(format!("{}, according to the status", !has_ended), is_active.to_string())
    })
}

/// `series/negative-duration`: the end lies before the start.
pub(crate) fn duration(
    start: Option<&str>,
    end: Option<&str>,
    at: impl FnOnce() -> String,
) -> Option<Finding> {
    let (start, end) = (start?, end?);
    (moment_ms(end)? < moment_ms(start)?).then(|| {
        Finding::new(
            "series/negative-duration",
            Severity::Warning,
            "The end time is before the start time.",
        )
        .contrast(format!("a time not before {start}"), end)
        .hint("One of the two times was probably written by hand, or in another time zone.")
        .pointer(at())
    })
}
