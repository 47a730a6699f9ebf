//! Values nested deeper than 128 levels: found, refused and taken apart without recursion.

use serde::Deserialize;
use serde_json::Value;

/// Levels that a value may have. A text or number has none, `[]` one, `[[]]` two.
pub(crate) const LIMIT: usize = 128;

/// Levels of a JSON text, by its brackets; of a text that is not JSON, something at least as high.
pub(crate) fn of_text(text: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0_usize);
    let (mut in_text, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        if in_text {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => in_text = false,
                _ => {}
            }
        } else {
            match byte {
                b'"' => in_text = true,
                b'[' | b'{' => {
                    open += 1;
                    deepest = deepest.max(open);
                }
                b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
        }
    }
    deepest
}

/// Parses a text whose levels were counted before: the parser's own limit is one lower than ours.
pub(crate) fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Whether `value` has more than `levels` levels.
pub(crate) fn is_deeper(value: &Value, levels: usize) -> bool {
    // Goes down by at most `levels` calls.
    match value {
        Value::Array(items) => {
            levels == 0 || items.iter().any(|item| is_nested(item) && is_deeper(item, levels - 1))
        }
        Value::Object(members) => {
            levels == 0
                || members.values().any(|item| is_nested(item) && is_deeper(item, levels - 1))
        }
        _ => false,
    }
}

fn is_nested(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// Drops a value of any depth: its own way of dropping is a recursion.
pub(crate) fn dismantle(value: Value) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.into_iter().filter(is_nested)),
            Value::Object(members) => {
                open.extend(members.into_iter().map(|(_, value)| value).filter(is_nested));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> Value {
        (0..levels).fold(Value::Null, |value, _| Value::Array(vec![value]))
    }

    #[test]
    fn a_value_at_the_limit_is_not_deeper() {
        assert!(!is_deeper(&nested(LIMIT), LIMIT));
        assert!(is_deeper(&nested(LIMIT + 1), LIMIT));
        assert_eq!(of_text(&nested(LIMIT).to_string()), LIMIT);
        assert_eq!(parse(&nested(LIMIT).to_string()).unwrap(), nested(LIMIT));
    }

    #[test]
    fn brackets_in_texts_are_no_levels() {
        assert_eq!(of_text(r#"{"a[[[\"{{": "]]"}"#), 1);
        assert_eq!(of_text("3"), 0);
    }

    #[test]
    fn a_million_levels_are_dropped() {
        let deep = nested(1_000_000);
        assert!(is_deeper(&deep, LIMIT));
        dismantle(deep);
    }
}
