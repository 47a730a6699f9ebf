//! Lines of a log, as records and as the text in the file. The text is kept because a history has
//! thousands of lines, and most hosts only pass them on.

use serde::de::Deserializer;
use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Record;
use crate::json::tree::Tree;
use crate::validate::deviation::is_violation;
use crate::validate::schema::Schema;

/// A record as the text of its line, which is a JSON object. In JSON it is that object.
///
/// # Example: the record of a line
///
/// ```
/// use hindscope::StoredLine;
///
/// let line: StoredLine = serde_json::from_str(r#"{"type":"bash","success":true}"#)?;
/// assert_eq!(line.text(), r#"{"type":"bash","success":true}"#);
/// assert_eq!(line.record()["type"], "bash");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredLine(Box<str>);

impl StoredLine {
    /// The text, as it stands in its file.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The members.
    pub fn record(&self) -> Record {
        record_of(self.text().as_bytes()).unwrap_or_default()
    }

    /// The text of a line that is known to be an object.
    pub(super) fn of_object(line: &str) -> Self {
        Self(line.into())
    }

    /// The text of a record.
    pub(super) fn of_record(record: &Record) -> Self {
        // A map of JSON values has a text, always.
        Self(serde_json::to_string(record).unwrap_or_default().into())
    }
}

impl Serialize for StoredLine {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<&RawValue>(&self.0).map_err(S::Error::custom)?.serialize(to)
    }
}

/// By way of a value: in an enum with a tag, serde keeps no text of the parts.
impl<'de> Deserialize<'de> for StoredLine {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Record::deserialize(from).map(|record| Self::of_record(&record))
    }
}

/// Whether a line surely is an action that the schema allows, decided without building anything of it.
pub(super) fn is_plain_action(line: &str) -> bool {
    let mut deviations = Vec::new();
    Schema::Action.read(line, &mut deviations).is_ok() && !deviations.iter().any(is_violation)
}

/// The record of a line.
pub(super) fn record_of(line: &[u8]) -> Option<Record> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let value = value_of(std::str::from_utf8(line.trim_ascii()).ok()?)?;
    value.is_object().then(|| object(value))
}

/// The value of a JSON text. Numbers that no double holds are null here, and deep values are read to
/// the depth to which all records are: neither is damage.
pub(super) fn value_of(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().or_else(|| {
        let tree = Tree::read(text, false).ok()?;
        let is_all = text.get(tree.end..).unwrap_or_default().trim_ascii().is_empty();
        (tree.is_json() && is_all).then(|| tree.to_value())
    })
}

/// The members of a value; none of anything but an object.
pub(super) fn object(value: Value) -> Record {
    match value {
        Value::Object(record) => record,
        _ => Record::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plain_actions_are_those_of_the_schema() {
        let values = [
            json!("2026-03-05T09:00:00Z"),
            json!("2026-03-05"),
            json!("bash"),
            json!("b\n\u{e9}"),
            json!(1),
            json!(1.0),
            json!(1.5),
            json!(true),
            json!(null),
            json!({"a": [1]}),
            json!([]),
        ];
        let schema: Value = serde_json::from_str(Schema::Action.json()).expect("it is JSON");
        let names = schema["properties"].as_object().expect("it has some").keys();
        let mut plain = 0;
        for name in names.map(String::as_str).chain(["quality", "own"]) {
            for value in &values {
                let action = json!({"other": {"x": [null]}, name: value});
                let is_valid = Schema::Action.violations_unsorted(&action).is_empty();
                assert_eq!(is_plain_action(&action.to_string()), is_valid, "{action}");
                plain += usize::from(is_valid);
            }
        }
        assert!(plain > 40, "only {plain}");
        assert!(!is_plain_action(r#"{"own":"\ud800"}"#));
        for text in ["", "[]", "{} {}", "{\"tool\":\"a\"", "3"] {
            assert!(!is_plain_action(text), "{text}");
        }
    }
}
