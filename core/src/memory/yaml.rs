//! Records as YAML documents: a member a line, texts in quotes.

use serde_json::Value;

use super::Record;

/// A stored record, if it can be read. What was written here is read by its lines, which is faster: a loop reads
/// all of its iterations after each of them.
pub(super) fn read(bytes: &[u8]) -> Option<Record> {
    if let Some(record) = std::str::from_utf8(bytes).ok().and_then(by_lines) {
        return Some(record);
    }
    let value = crate::source::yaml::compose(&String::from_utf8_lossy(bytes)).ok()?.value;
    value.as_object().cloned()
}

/// A document as [`document`] writes it: names, and behind each a value as JSON has it, or a list with an item
/// on each line. JSON is YAML and says the same in it. None for any other document.
fn by_lines(text: &str) -> Option<Record> {
    let mut record = Record::new();
    // The list that goes on.
    let mut open: Option<(String, Vec<Value>)> = None;
    for line in text.strip_suffix('\n')?.split('\n') {
        if let Some(item) = line.strip_prefix("- ") {
            open.as_mut()?.1.push(json(item)?);
            continue;
        }
        close(&mut record, open.take())?;
        let (name, value) = line.split_once(':')?;
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && !matches!(name, "true" | "false" | "null");
        if !is_name || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return None;
        }
        match value.strip_prefix(' ') {
            Some(value) if !record.contains_key(name) => {
                record.insert(name.to_owned(), json(value)?);
            }
            None if value.is_empty() => open = Some((name.to_owned(), Vec::new())),
            _ => return None,
        }
    }
    close(&mut record, open)?;
    Some(record)
}

/// Keeps a list that has ended. None if it is empty, which is no list in YAML, or if its name is taken.
fn close(record: &mut Record, list: Option<(String, Vec<Value>)>) -> Option<()> {
    let Some((name, items)) = list else { return Some(()) };
    if items.is_empty() || record.contains_key(&name) {
        return None;
    }
    record.insert(name, Value::Array(items));
    Some(())
}

/// A value of JSON that is the same in YAML: an object with the same name twice is none.
fn json(text: &str) -> Option<Value> {
    // Spaces around a value, and numbers such as 1e2 or 0.10, are written otherwise here.
    let value: Value = serde_json::from_str(text).ok()?;
    let mut again = String::with_capacity(text.len());
    flow(&value, &mut again);
    (again == text).then_some(value)
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
        assert_eq!(read(text.as_bytes()).map(Value::Object), Some(value));
    }

    #[test]
    fn lines_are_read_as_yaml_reads_them() {
        let own = [
            "a: 1\n",
            "a: \"x: # \\\" \\n\"\nb:\n- \"- y\"\n- {\"c\": [1, true, null]}\nd: []\n",
            "trial_number: 3\ntrajectory:\n- \"Ran it\"\nreflection: \"é 𝄞\"\n",
        ];
        for text in own {
            let value = crate::source::yaml::compose(text).expect("it is YAML").value;
            assert_eq!(by_lines(text).map(Value::Object), Some(value), "{text}");
        }
        let others = [
            "a: 1",
            "a: x\n",
            "a: 0x1\n",
            "a: 1e2\n",
            "a: 1 # note\n",
            "a: \"x\" \n",
            "a:\n",
            "a:\nb: 1\n",
            "a: 1\na: 2\n",
            "a: {\"b\": 1, \"b\": 2}\n",
            "a:\n  - 1\n",
            "- 1\n",
            "# note\na: 1\n",
            "true: 1\n",
            "a: \"\\/\"\n",
            "a: 1\r\n",
            "---\na: 1\n",
            "",
        ];
        for text in others {
            assert_eq!(by_lines(text), None, "{text}");
        }
    }
}
