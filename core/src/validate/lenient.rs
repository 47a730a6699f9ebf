//! The same facts, graded: can the record be used, and what is odd? (rules.md, 11.3)

use std::borrow::Cow;

use serde_json::Value;

use super::deviation::{self, Placed};
use super::strict::Violation;
use super::words::{listed, shown};
use crate::json::pass::{Deviation, What};
use crate::json::shape::Table;
use crate::model::finding::{Finding, Severity};

/// Grades what deviates from the table of a schema.
pub(crate) fn grade<S: Copy>(
    table: &Table<S>,
    text: &str,
    deviations: &[Deviation],
) -> Vec<Placed> {
    let mut missing = Vec::new();
    let mut findings = Vec::new();
    for deviation in deviations {
        let Some(violation) = deviation::violation(table, text, deviation) else { continue };
        let (rule, severity, hint) = match deviation.what {
            What::Unknown => continue,
            What::Required(_) => {
                let name = violation.member.as_deref().unwrap_or_default();
                let path = format!("{}/{name}", violation.pointer);
                if path != "/self_reflection" && path != "/self_reflection/reflection_text" {
                    missing.push(path);
                    continue;
                }
                let hint = "Without a reflection text the iteration has nothing to remember.";
                ("lenient/missing", Severity::Warning, hint)
            }
            What::Type(reading) => match deviation::read_as(reading) {
                Some(how) => ("lenient/type", Severity::Info, how),
                None => ("lenient/type", Severity::Warning, "The value is treated as absent."),
            },
            // Said of its type already.
            What::Enum if is_mistyped(deviations, deviation) => continue,
            What::Enum => ("lenient/enum", Severity::Warning, "The word is kept as text."),
            What::Pattern => (
                "lenient/loop-id",
                Severity::Warning,
                "Loop ids begin with `ralph-`, followed by lower-case letters, digits and hyphens. The id is used as it is.",
            ),
            What::Format(Some(_)) => {
                ("lenient/timestamp", Severity::Warning, "The time is read as UTC.")
            }
            What::Format(None) => {
                ("lenient/timestamp", Severity::Warning, "The time is treated as absent.")
            }
            // `reward/detect` speaks of it.
            What::Minimum | What::Maximum
                if violation.pointer == "/evaluator_output/reward_signal" =>
            {
                continue;
            }
            What::Minimum | What::Maximum => {
                ("lenient/range", Severity::Warning, "The value is used as it is.")
            }
        };
        findings.push((deviation.at as usize, said(rule, severity, violation, hint)));
    }
    let start = text.len() - text.trim_start().len();
    if !missing.is_empty() {
        missing.sort();
        findings.push((start, of_missing(&missing)));
    }
    let unknown = deviation::unknown(table, text, deviations);
    if !unknown.is_empty() {
        findings.push((start, of_unknown(&unknown)));
    }
    findings
}

/// Whether the same value is of another type, too.
fn is_mistyped(deviations: &[Deviation], one: &Deviation) -> bool {
    deviations.iter().any(|d| d.at == one.at && deviation::mistyped(d) == Some(one.node))
}

fn of_missing(missing: &[String]) -> Finding {
    Finding::new(
        "lenient/missing",
        Severity::Info,
        format!("Members that the schema requires are missing: {}.", listed(missing)),
    )
    .contrast(listed(missing), "no such members")
    .pointer("")
    .hint("What is missing stays unknown; it is never filled in.")
}

pub(crate) fn of_unknown(names: &[String]) -> Finding {
    let names = listed(names);
    let message = format!("Members that the format does not name: {names}.");
    Finding::new("lenient/unknown-member", Severity::Info, message)
        .contrast("members that the format names", names)
        .pointer("")
        .hint("They are kept in the record and shown raw.")
}

fn said(
    rule: &'static str,
    severity: Severity,
    violation: Violation,
    hint: impl Into<Cow<'static, str>>,
) -> Finding {
    Finding::new(rule, severity, violation.message())
        .contrast(violation.expected, violation.found)
        .pointer(violation.pointer)
        .hint(hint)
}

/// Why a record of which something can be read is of no use all the same.
pub(crate) fn unusable(expected: &str, found: &str) -> Finding {
    let message = format!("The record is of no use: it would take {expected}; there is {found}.");
    Finding::new("lenient/unusable", Severity::Error, message).contrast(expected, found).pointer("")
}

/// A value that is no object where a record should stand.
pub(crate) fn not_object(value: &Value) -> Finding {
    let message = format!("Expected an object, found {}.", shown(value));
    Finding::new("lenient/not-object", Severity::Error, message)
        .contrast("an object", shown(value))
        .pointer("")
}

/// What `reward/detect` has to say of a `reward_signal`.
pub(crate) fn reward(number: f64) -> Option<Finding> {
    use crate::model::reward::{Detected, detect_unit};
    let finding = match detect_unit(number) {
        Detected::Unit(_) => return None,
        Detected::Mismatch(value) => Finding::new(
            "reward/scale-mismatch",
            Severity::Warning,
            format!(
                "The reward is {number}, on a scale declared as 0 to 1; it is read as {value}."
            ),
        ),
        Detected::OutOfRange => Finding::new(
            "reward/out-of-range",
            Severity::Error,
            format!("The reward is {number}, outside 0 to 100; the iteration has none."),
        ),
    };
    let finding = finding.contrast("a reward from 0 to 1", number.to_string());
    Some(finding.hint("Write rewards between 0 and 1.").pointer("/evaluator_output/reward_signal"))
}

/// `window/omega-invalid`: no window has fewer than no places.
pub(crate) fn omega(omega: f64) -> Option<Finding> {
    (omega < 0.0).then(|| {
        Finding::new(
            "window/omega-invalid",
            Severity::Error,
            format!("Ω is {omega}; the record's window has no size."),
        )
        .pointer("/memory_metadata/omega_capacity")
        .contrast("0 to 10", omega.to_string())
        .hint("Write how many reflections are kept.")
    })
}
