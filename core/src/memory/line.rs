//! Lines of a log that are told as they stand: a history has thousands, and most hosts pass them on.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Record;
use super::records::record_of;
use super::work::KINDS;
use crate::validate::datetime;

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
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct StoredLine(Box<RawValue>);

impl StoredLine {
    /// The text, as it stands in its file.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The members.
    pub fn record(&self) -> Record {
        record_of(self.text().as_bytes()).unwrap_or_default()
    }

    /// The text of a line that is an object.
    pub(super) fn of(line: &str) -> Option<Self> {
        let is_object = line.starts_with('{');
        serde_json::from_str(line).ok().filter(|_| is_object).map(Self)
    }
}

impl PartialEq for StoredLine {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

/// By way of a value: where an answer is told by its kind, the text of its parts is gone.
impl<'de> Deserialize<'de> for StoredLine {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let record = Record::deserialize(from)?;
        let text = serde_json::to_string(&record).map_err(serde::de::Error::custom)?;
        RawValue::from_string(text).map(Self).map_err(serde::de::Error::custom)
    }
}

/// Whether a line surely is an action that the schema allows, told without building anything of it. A
/// test holds it against the schema.
pub(super) fn is_plain_action(line: &str) -> bool {
    // Half a surrogate is no text, and what is passed over is not looked at that closely.
    let has_surrogate = line.contains("\\ud") || line.contains("\\uD");
    !has_surrogate && serde_json::from_str::<PlainAction>(line).is_ok()
}

struct PlainAction;

impl<'de> Deserialize<'de> for PlainAction {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(ActionVisitor)
    }
}

struct ActionVisitor;

impl<'de> Visitor<'de> for ActionVisitor {
    type Value = PlainAction;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a plain action")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<PlainAction, A::Error> {
        while let Some(name) = members.next_key::<Text<'de>>()? {
            let is_right = match name.0.as_ref() {
                "timestamp" => datetime::is_date_time(&members.next_value::<Text<'de>>()?.0),
                "type" => KINDS.contains(&members.next_value::<Text<'de>>()?.0.as_ref()),
                "tool" | "output" | "error" | "reasoning" | "expected_outcome" => {
                    members.next_value::<Text<'de>>().is_ok()
                }
                "iteration" => members.next_value::<i64>().is_ok(),
                "success" => members.next_value::<bool>().is_ok(),
                "params" => members.next_value::<Object>().is_ok(),
                // The schema knows no other member.
                _ => members.next_value::<IgnoredAny>().is_ok(),
            };
            if !is_right {
                return Err(serde::de::Error::custom("not plain"));
            }
        }
        Ok(PlainAction)
    }
}

/// A text, borrowed where nothing in it is escaped.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(TextVisitor(PhantomData))
    }
}

struct TextVisitor<'a>(PhantomData<&'a ()>);

impl<'de> Visitor<'de> for TextVisitor<'de> {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

/// Any object.
struct Object;

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Object, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::schema::Schema;
    use serde_json::{Value, json};

    #[test]
    fn plain_actions_are_those_of_the_schema() {
        let values = [
            json!("2026-03-05T09:00:00Z"),
            json!("2026-03-05"),
            json!("bash"),
            json!("b\n\u{e9}"),
            json!(1),
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
            assert!(!is_plain_action(text) && StoredLine::of(text).is_none(), "{text}");
        }
    }
}
