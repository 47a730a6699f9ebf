//! Numbers of iterations that are too large to keep (`number/beyond`).

use serde_json::Value;

use super::parsed_record::ParsedRecord;
use crate::json::numeric::{self, MOST_INTEGER, is_beyond};
use crate::json::pointer::escape;
use crate::model::finding::{Finding, Severity};

/// What such a number is, where a record says it.
pub(crate) const NUMBER: &str = "The number of the iteration";

/// The same where only the path says it.
pub(crate) const NUMBER_IN_PATH: &str = "The number of the iteration in the path";

/// The finding about such a number.
pub(crate) fn number_beyond(what: &str) -> Finding {
    let message = format!("{what} is beyond {MOST_INTEGER}. It is treated as missing.");
    Finding::new("number/beyond", Severity::Warning, message)
        .contrast(format!("at most {MOST_INTEGER}"), "more digits")
        .hint("Programs that read numbers as doubles cannot tell larger ones apart.")
}

/// Takes such numbers from the attempts of a record. `value` is the record.
pub(super) fn refuse(parsed: &mut ParsedRecord, value: &Value) {
    for step in parsed.runs.iter_mut().flat_map(|run| &mut run.steps) {
        if let Some(number) = step.number.take_if(|number| is_beyond(*number)) {
            let pointer = pointer_of(value, number).unwrap_or_default();
            parsed.findings.push(number_beyond(NUMBER).pointer(pointer));
        }
    }
}

/// Pointer to the first value that is this number.
fn pointer_of(value: &Value, number: i64) -> Option<String> {
    let below =
        |name: &str, value| Some(format!("/{}{}", escape(name), pointer_of(value, number)?));
    match value {
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(at, item)| below(&at.to_string(), item))
        }
        Value::Object(members) => members.iter().find_map(|(name, value)| below(name, value)),
        value => (numeric::iteration(value) == Some(number)).then(String::new),
    }
}
