//! The same facts, graded: can the record be used, and what is odd? (rules.md, 11.3)

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::finding::{Finding, Severity};
use super::strict::{Violation, is_readable_time};
use crate::format::FormatId;
use crate::format::shape::Note;

/// Grades what deviates. Findings carry pointers; places are filled in by the caller.
pub(crate) fn grade(
    format: FormatId,
    value: &Value,
    violations: &[Violation],
    notes: &[Note],
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let coerced: BTreeMap<&str, &'static str> = notes
        .iter()
        .filter_map(|note| match note {
            Note::Coerced(at, what) => Some((at.as_str(), *what)),
            Note::Unreadable(..) | Note::Unknown(_) => None,
        })
        .collect();
    let of_type = violations.iter().filter(|v| v.keyword == "type");
    let mistyped: BTreeSet<&str> = of_type.map(|v| v.pointer.as_str()).collect();
    let mut missing = Vec::new();
    for violation in violations {
        let finding = match violation.keyword {
            "required" => {
                let name = violation.missing.as_deref().unwrap_or_default();
                let path = format!("{}/{name}", violation.pointer);
                if path == "/self_reflection" || path == "/self_reflection/reflection_text" {
                    found(
                        "lenient/missing",
                        Severity::Warning,
                        violation,
                        "Without a reflection text the iteration has nothing to remember.",
                    )
                } else {
                    missing.push(path);
                    continue;
                }
            }
            "type" => match coerced.get(violation.pointer.as_str()).copied() {
                Some(what) => found("lenient/type", Severity::Info, violation, what),
                None => found(
                    "lenient/type",
                    Severity::Warning,
                    violation,
                    "The value is treated as absent.",
                ),
            },
            // Said of its type already.
            "enum" if mistyped.contains(violation.pointer.as_str()) => {
                continue;
            }
            "enum" => {
                found("lenient/enum", Severity::Warning, violation, "The word is kept as text.")
            }
            "pattern" => found(
                "lenient/loop-id",
                Severity::Warning,
                violation,
                "Loop ids begin with `ralph-`, followed by lower-case letters, digits and hyphens. The id is used as it is.",
            ),
            "format" if is_readable_time(value.pointer(&violation.pointer)) => {
                found("lenient/timestamp", Severity::Warning, violation, "The time is read as UTC.")
            }
            "format" => found(
                "lenient/timestamp",
                Severity::Warning,
                violation,
                "The time is treated as absent.",
            ),
            // `reward/detect` speaks of it.
            "minimum" | "maximum" if violation.pointer == "/evaluator_output/reward_signal" => {
                continue;
            }
            _ => {
                found("lenient/range", Severity::Warning, violation, "The value is used as it is.")
            }
        };
        findings.push(finding);
    }
    if !missing.is_empty() {
        missing.sort();
        findings.push(
            Finding::new(
                "lenient/missing",
                Severity::Info,
                format!("Members that the schema requires are missing: {}.", missing.join(", ")),
            )
            .pointer("")
            .hint("What is missing stays unknown; it is never filled in."),
        );
    }
    findings.extend(notes.iter().filter_map(|note| of_note(format, note)));
    findings
}

/// Names for a message: the first ten, and how many more there are.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 10;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{shown} and {more} more"),
        _ => shown,
    }
}

/// A deviation that the tolerant reading met.
fn of_note(format: FormatId, note: &Note) -> Option<Finding> {
    Some(match note {
        Note::Unknown(names) => Finding::new(
            "lenient/unknown-member",
            Severity::Info,
            format!("Members that the format does not name: {}.", listed(names)),
        )
        .pointer("")
        .hint("They are kept in the record and shown raw."),
        // The schema of a reflection-memory record has spoken of these already.
        Note::Coerced(..) | Note::Unreadable(..) if format == FormatId::ReflectionMemory => {
            return None;
        }
        Note::Coerced(at, what) => Finding::new(
            "lenient/type",
            Severity::Info,
            format!("The value has another type: {what}."),
        )
        .pointer(at.as_str())
        .hint("The value is used."),
        Note::Unreadable(at, what) => Finding::new(
            "lenient/type",
            Severity::Warning,
            format!("The value cannot be read: {what}."),
        )
        .pointer(at.as_str())
        .hint("The value is treated as absent."),
    })
}

fn found(
    rule: &'static str,
    severity: Severity,
    violation: &Violation,
    hint: impl Into<Cow<'static, str>>,
) -> Finding {
    Finding::new(rule, severity, violation.message.clone())
        .pointer(violation.pointer.clone())
        .hint(hint)
}

/// What `reward/detect` has to say of a `reward_signal`.
pub(crate) fn reward(number: f64) -> Option<Finding> {
    use crate::history::reward::{Detected, detect_unit};
    let finding = match detect_unit(number) {
        Detected::Unit(_) => return None,
        Detected::Mismatch(value) => Finding::new(
            "reward/scale-mismatch",
            Severity::Warning,
            format!(
                "The reward is {number}, on a scale declared as 0 to 1; it is read as {value}."
            ),
        )
        .hint("Write rewards between 0 and 1."),
        Detected::OutOfRange => Finding::new(
            "reward/out-of-range",
            Severity::Error,
            format!("The reward is {number}, outside 0 to 100; the iteration has none."),
        )
        .hint("Write rewards between 0 and 1."),
    };
    Some(finding.pointer("/evaluator_output/reward_signal"))
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
