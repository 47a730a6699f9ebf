//! Records as YAML documents: a member a line, texts in quotes.

use serde_json::Value;

use super::Record;

/// A stored record, if it can be read.
pub(super) fn read(bytes: &[u8]) -> Option<Record> {
    let value = crate::source::yaml::compose(&String::from_utf8_lossy(bytes)).ok()?.value;
    value.as_object().cloned()
}

/// A record as a document of YAML 1.2, which any reader of it takes for what it was.
pub(super) fn document(record: &Record) -> String {
    let mut text = String::new();
    for (name, value) in record {
        text.push_str(&scalar_name(name));
        text.push(':');
        match value {
            Value::Array(items) if !items.is_empty() => {
                text.push('\n');
                for item in items {
                    text.push_str("- ");
                    flow(item, &mut text);
                    text.push('\n');
                }
            }
            value => {
                text.push(' ');
                flow(value, &mut text);
                text.push('\n');
            }
        }
    }
    text
}

/// The name of a member. It needs no quotes if it has only ASCII letters, digits and `_`, begins with a
/// letter, and is not `true`, `false` or `null`.
fn scalar_name(name: &str) -> String {
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !matches!(name, "true" | "false" | "null");
    if is_plain { name.to_owned() } else { quoted(name) }
}

/// A value on one line, as JSON has it.
fn flow(value: &Value, text: &mut String) {
    match value {
        Value::String(own) => text.push_str(&quoted(own)),
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                flow(item, text);
            }
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (at, (name, member)) in members.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                text.push_str(&quoted(name));
                text.push_str(": ");
                flow(member, text);
            }
            text.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => text.push_str(&value.to_string()),
    }
}

/// A text in double quotes; what cannot be printed is escaped.
fn quoted(own: &str) -> String {
    let mut text = String::with_capacity(own.len() + 2);
    text.push('"');
    for c in own.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            c if c.is_control()
                || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') =>
            {
                let escape = format!("\\u{:04X}", u32::from(c));
                text.push_str(&escape);
            }
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_read_again() {
        let value = json!({
            "trial_number": 3, "text": "no: \"yes\" # \\ \n\t\u{7f}\u{85}\u{2028}\u{feff}\0 é 𝄞 - x",
            "null": null, "1": 0.5, "on": true, "list": ["a", {"b": [1, "c: d"]}, []], "empty": [], "o": {}
        });
        let text = document(value.as_object().expect("it is one"));
        let again = crate::source::yaml::compose(&text).expect("it is YAML");
        assert_eq!(again.value, value, "{text}");
        assert!(again.repairs.is_empty());
        assert!(text.starts_with("trial_number: 3\ntext: \"no:"), "{text}");
    }
}
