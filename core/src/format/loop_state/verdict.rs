//! Which of several members says how it ended (docs/spec/formats.md, "Words about outcomes").

use serde_json::Value;

use super::super::members::Members;
use super::super::read::text;
use super::spelling::VERDICTS;
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;

/// How an iteration or a run ended, and the finer word.
pub(crate) type Verdict = (Outcome, Option<&'static str>);

/// Of an iteration. The first of these decides: an explicit boolean, the verification, the result, the
/// status, the criteria.
pub(crate) fn of_element(members: &mut Members<'_>, analysis: Option<&Value>) -> Option<Verdict> {
    if let Some((name, passed)) = members.peek(VERDICTS, Value::as_bool) {
        members.used(name);
        conflict(members, name, passed);
        let verdict = Outcome::of_verdict(passed);
        return Some((verdict, detail(members, verdict)));
    }
    word(members, "verification_status")
        .or_else(|| word(members, "result"))
        .or_else(|| status(members, analysis))
        .or_else(|| criteria(members))
}

/// Of a run. The first of these decides: a boolean in `finalResult` or `result`, the status, `completed`
/// if it is true, a boolean in `lastResult`, the word of `lastResult` or `result`, `active` if it is true.
/// Iterations are not asked.
pub(crate) fn of_run(members: &mut Members<'_>) -> Option<Verdict> {
    let success = |value: &Value| VERDICTS.iter().find_map(|name| value.get(name)?.as_bool());
    if let Some(passed) = members.look(&["finalResult", "result"], success) {
        let verdict = Outcome::of_verdict(passed);
        return Some((verdict, detail(members, verdict)));
    }
    let read = |value: &Value| Some(Outcome::read(value.as_str()?)).filter(is_known);
    let is = |name: &str| members.look(&[name], Value::as_bool) == Some(true);
    members
        .look(&["status"], read)
        .or_else(|| is("completed").then_some((Outcome::Success, None)))
        .or_else(|| Some((Outcome::of_verdict(members.look(&["lastResult"], success)?), None)))
        .or_else(|| members.look(&["lastResult", "result"], read))
        .or_else(|| is("active").then_some((Outcome::Running, None)))
}

/// `state/verdict-conflict`: not verified, and yet a success by its result.
fn conflict(members: &mut Members<'_>, name: &str, passed: bool) {
    let success = |value: &Value| Some(value.as_str()?.to_owned());
    let Some(result) = members.look(&["result"], success) else { return };
    let (outcome, _) = Outcome::read(&result);
    if name != "verified" || passed || outcome != Outcome::Success {
        return;
    }
    let finding = Finding::new(
        "state/verdict-conflict",
        Severity::Warning,
        "The result states success, but `verified` is false. The iteration counts as failed.",
    )
    .contrast("a result that agrees with `verified`", result)
    .hint("Check the verification. The result is only what the agent itself states.")
    .pointer(members.pointer("result"));
    members.findings.push(finding);
}

/// The finer word of a status or result that says the same outcome.
fn detail(members: &Members<'_>, verdict: Outcome) -> Option<&'static str> {
    let same = |value: &Value| {
        let (outcome, detail) = Outcome::read(value.as_str()?);
        detail.filter(|_| outcome == verdict)
    };
    members.look(&["status", "result"], same)
}

fn is_known(verdict: &Verdict) -> bool {
    verdict.0 != Outcome::Unknown || verdict.1.is_some()
}

/// A word, or a word and prose behind it; the prose is kept.
fn word(members: &mut Members<'_>, name: &str) -> Option<Verdict> {
    let (name, text) = members.peek(&[name], |v| text(v).filter(|t| !t.trim().is_empty()))?;
    let verdict = Some(Outcome::read(&text)).filter(is_known)?;
    if text.split_whitespace().count() == 1 {
        members.used(name);
    }
    Some(verdict)
}

/// The verdict of the status. If there is an analysis, as in a session, it decides in place of a status
/// that is a success or missing.
fn status(members: &mut Members<'_>, analysis: Option<&Value>) -> Option<Verdict> {
    let success = analysis.map(|a| a.get("success").and_then(Value::as_bool));
    match (word(members, "status"), success) {
        (Some((Outcome::Success, _)) | None, Some(success)) => {
            success.map(|passed| (Outcome::of_verdict(passed), None))
        }
        (verdict, _) => verdict,
    }
}

/// All criteria met, some, or none.
fn criteria(members: &Members<'_>) -> Option<Verdict> {
    let (met, all) = members.look(&["criteria_status"], met)?;
    let outcome = match met {
        0 => Outcome::Failure,
        met if met == all => Outcome::Success,
        _ => Outcome::Partial,
    };
    Some((outcome, None))
}

/// How many criteria of an object are met, and how many there are.
pub(crate) fn met(criteria: &Value) -> Option<(usize, usize)> {
    let criteria = criteria.as_object().filter(|c| !c.is_empty())?;
    let is_met = |value: &&Value| {
        let word = value.as_str().or_else(|| value.get("status")?.as_str());
        let is_success = |word| Outcome::read(word).0 == Outcome::Success;
        value.as_bool().unwrap_or_else(|| word.is_some_and(is_success))
    };
    Some((criteria.values().filter(is_met).count(), criteria.len()))
}
