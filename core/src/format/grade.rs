//! Grades what deviates in a record of a format.

use std::collections::BTreeMap;

use serde_json::Value;

use super::FormatId;
use super::shape::Note;
use super::times;
use crate::model::finding::{Finding, Severity};
use crate::validate::lenient::{of_unknown, of_violations};
use crate::validate::strict::Violation;
use crate::validate::text::At;
use crate::validate::words::shown;

/// Grades what deviates in a record of a format.
pub(crate) fn grade(
    format: FormatId,
    value: &Value,
    violations: &[Violation],
    notes: &[Note],
) -> Vec<At> {
    let coerced: BTreeMap<&str, &'static str> = notes
        .iter()
        .filter_map(|note| match note {
            Note::Coerced(at, what) => Some((at.as_str(), *what)),
            Note::Number(at, _) => Some((at.as_str(), "the string is read as a number")),
            Note::Unreadable(..) | Note::Unknown(_) | Note::Time(..) => None,
        })
        .collect();
    let mut findings =
        of_violations(value, violations, |v| coerced.get(v.pointer.as_str()).copied());
    findings.extend(notes.iter().filter_map(|note| of_note(format, value, note)));
    findings
}

/// A deviation that the tolerant reading met.
fn of_note(format: FormatId, value: &Value, note: &Note) -> Option<At> {
    let found = |at: &str| value.pointer(at).map_or_else(|| "nothing".to_owned(), shown);
    let (at, finding) = match note {
        Note::Unknown(names) => return Some(of_unknown(names)),
        // The schema has spoken of these already.
        _ if format.schema().is_some() => return None,
        Note::Time(at, form) => {
            let text = value.pointer(at).and_then(Value::as_str).unwrap_or_default();
            (at, times::finding(*form, text, 0)?)
        }
        Note::Number(at, number) => {
            return Some((at.clone(), number.finding(value.pointer(at)?, at.as_str())));
        }
        Note::Coerced(at, how) => {
            let expected = match *how {
                "null is treated as missing" => "a value, or no such property",
                "the number is read as a string" => "a string",
                "the string is read as a number" => "a number",
                "the string is read as a boolean" => "a boolean",
                "the string is read as an array with one item" => "an array",
                _ => "another type",
            };
            let message = format!("The value has another type than expected: {how}.");
            let finding = Finding::new("lenient/type", Severity::Info, message)
                .contrast(expected, found(at))
                .hint("The value is used.");
            (at, finding)
        }
        Note::Unreadable(at, what) => {
            let message = format!("The value cannot be read: {what}.");
            let finding = Finding::new("lenient/type", Severity::Warning, message)
                .contrast(what.strip_prefix("expected ").unwrap_or(what), found(at))
                .hint("The value is treated as missing.");
            (at, finding)
        }
    };
    Some((at.clone(), finding.pointer(at.as_str())))
}
