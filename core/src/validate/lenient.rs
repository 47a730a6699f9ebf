//! The same facts, graded: can the record be used, and what is odd? (docs/spec/rules.md,
//! "Validation profiles")

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;

use super::schema::Schema;
use super::strict::Violation;
use super::text::At;
use super::words::{listed, shown};
use crate::model::datetime;
use crate::model::finding::{Finding, Severity};
use crate::source::pointer::escape;

/// Grades what deviates in a file of an episodic memory.
pub(crate) fn grade_data(schema: Schema, value: &Value, violations: &[Violation]) -> Vec<At> {
    let mut findings = of_violations(value, violations, |v| {
        value.pointer(&v.pointer).and_then(|value| reading_of(&v.expected, value))
    });
    let mut unknown = Vec::new();
    if let Some(compiled) = schema.compiled() {
        unknown_members(compiled.schema(), value, "", &mut unknown);
    }
    if !unknown.is_empty() {
        findings.push(of_unknown(&unknown));
    }
    findings
}

/// How a value of another type is still read, if it can be.
fn reading_of(expected: &str, value: &Value) -> Option<&'static str> {
    match (expected, value) {
        (_, Value::Null) => Some("null is treated as missing"),
        ("a string", Value::Number(_)) => Some("the number is read as a string"),
        ("a number", Value::String(text)) if text.trim().parse::<f64>().is_ok() => {
            Some("the string is read as a number")
        }
        ("an integer", Value::String(text)) if text.trim().parse::<i64>().is_ok() => {
            Some("the string is read as a number")
        }
        ("a boolean", Value::String(text)) if matches!(text.trim(), "true" | "false") => {
            Some("the string is read as a boolean")
        }
        ("an array", Value::String(_)) => Some("the string is read as an array with one item"),
        _ => None,
    }
}

/// Members that a schema does not name, as pointers.
fn unknown_members(schema: &Value, value: &Value, path: &str, unknown: &mut Vec<String>) {
    match (value, schema.get("properties"), schema.get("items")) {
        (Value::Object(members), Some(known), _) => {
            for (name, value) in members {
                let path = format!("{path}/{}", escape(name));
                match known.get(name) {
                    Some(schema) => unknown_members(schema, value, &path, unknown),
                    None => unknown.push(path),
                }
            }
        }
        (Value::Array(items), _, Some(schema)) => {
            for (i, value) in items.iter().enumerate() {
                unknown_members(schema, value, &format!("{path}/{i}"), unknown);
            }
        }
        _ => {}
    }
}

pub(crate) fn of_violations(
    value: &Value,
    violations: &[Violation],
    reading: impl Fn(&Violation) -> Option<&'static str>,
) -> Vec<At> {
    let of_type = violations.iter().filter(|v| v.keyword == "type");
    let mistyped: BTreeSet<&str> = of_type.map(|v| v.pointer.as_str()).collect();
    let mut missing = Vec::new();
    let mut findings = Vec::new();
    for violation in violations {
        let (rule, severity, hint) = match &*violation.keyword {
            "required" => {
                let name = violation.member.as_deref().unwrap_or_default();
                let path = format!("{}/{name}", violation.pointer);
                if path != "/self_reflection" && path != "/self_reflection/reflection_text" {
                    missing.push(path);
                    continue;
                }
                let hint = "Without a reflection text, later attempts have nothing to learn from this iteration.";
                ("lenient/missing", Severity::Warning, hint)
            }
            "type" => match reading(violation) {
                Some(how) => ("lenient/type", Severity::Info, how),
                None => ("lenient/type", Severity::Warning, "The value is treated as missing."),
            },
            // Said of its type already.
            "enum" if mistyped.contains(violation.pointer.as_str()) => continue,
            "enum" => ("lenient/enum", Severity::Warning, "The value is kept as text."),
            "pattern" => (
                "lenient/loop-id",
                Severity::Warning,
                "Loop ids start with `ralph-`, followed by lower-case letters, digits and hyphens. The id is used as it is.",
            ),
            "format" if is_readable_time(value.pointer(&violation.pointer)) => {
                ("lenient/timestamp", Severity::Warning, "The time is read as UTC.")
            }
            "format" => ("lenient/timestamp", Severity::Warning, "The time is treated as missing."),
            // `reward/detect` speaks of it.
            "minimum" | "maximum" if violation.pointer == "/evaluator_output/reward_signal" => {
                continue;
            }
            _ => ("lenient/range", Severity::Warning, "The value is used unchanged."),
        };
        findings.push(said(rule, severity, violation, hint));
    }
    if !missing.is_empty() {
        missing.sort();
        let finding = Finding::new(
            "lenient/missing",
            Severity::Info,
            format!("Properties that the schema requires are missing: {}.", listed(&missing)),
        );
        let finding = finding
            .contrast(listed(&missing), "no such properties")
            .pointer("")
            .hint("Missing values are treated as unknown. They are never replaced by defaults.");
        findings.push((String::new(), finding));
    }
    findings
}

/// Whether a time can be read at all.
fn is_readable_time(value: Option<&Value>) -> bool {
    value.and_then(Value::as_str).is_some_and(|t| datetime::read(t).is_some())
}

pub(crate) fn of_unknown(names: &[String]) -> At {
    let names = listed(names);
    let message = format!("Properties that the format does not define: {names}.");
    let finding = Finding::new("lenient/unknown-member", Severity::Info, message)
        .contrast("properties that the format defines", names)
        .pointer("")
        .hint("They are kept, and shown as raw data.");
    (String::new(), finding)
}

fn said(
    rule: &'static str,
    severity: Severity,
    violation: &Violation,
    hint: impl Into<Cow<'static, str>>,
) -> At {
    let finding = Finding::new(rule, severity, violation.message())
        .contrast(violation.expected.as_str(), violation.found.as_str())
        .pointer(violation.pointer.as_str())
        .hint(hint);
    (violation.pointer.clone(), finding)
}

/// Why a record of which something can be read is of no use all the same.
pub(crate) fn unusable(expected: &str, found: &str) -> Finding {
    let message = format!("Record unusable: expected {expected}, found {found}.");
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
            format!("The reward is {number}, but its scale is 0 to 1. It is read as {value}."),
        ),
        Detected::OutOfRange => Finding::new(
            "reward/out-of-range",
            Severity::Error,
            format!("The reward is {number}, outside 0 to 100. The iteration has no reward."),
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
            format!("The window capacity (Ω) is {omega}. It is ignored."),
        )
        .pointer("/memory_metadata/omega_capacity")
        .contrast("0 to 10", omega.to_string())
        .hint("Write the number of kept reflections, from 0 to 10.")
    })
}
