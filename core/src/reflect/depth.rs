//! Values that are nested too deeply, without walking down into them.

use serde::Deserialize;
use serde_json::Value;

pub(crate) use crate::json::verbatim::levels as of_text;
use crate::validate::refs::exceeds;

/// Most lists and objects in each other. What is deeper is refused (`too_deep`).
pub(crate) const MAX_DEPTH: usize = 128;

/// Whether lists and objects are nested deeper than [`MAX_DEPTH`].
pub(crate) fn is_too_deep(value: &Value) -> bool {
    exceeds(value, MAX_DEPTH)
}

/// Drops a value that is nested too deeply for the ordinary drop, which is recursive.
pub(crate) fn bury(value: Value) {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(members) => rest.extend(members.into_iter().map(|(_, child)| child)),
            _ => {}
        }
    }
}

/// Parses a text whose levels were counted before: the parser's own limit is one lower than ours.
pub(crate) fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_a_text_are_those_of_its_value() {
        let deepest = nested(MAX_DEPTH);
        assert_eq!(of_text(&deepest.to_string()), MAX_DEPTH);
        assert_eq!(parse(&deepest.to_string()).ok(), Some(deepest));
        assert_eq!(of_text(r#"{"a[[[\"{{": "]]"}"#), 1);
        assert_eq!(of_text("3"), 0);
    }

    fn nested(levels: usize) -> Value {
        (0..levels).fold(Value::Null, |inner, level| {
            if level % 2 == 0 {
                Value::Array(vec![inner])
            } else {
                Value::Object([("a".to_owned(), inner)].into_iter().collect())
            }
        })
    }

    #[test]
    fn a_hundred_and_twenty_eight_levels_are_not_too_deep() {
        for (levels, expected) in [(0, false), (127, false), (128, false), (129, true)] {
            assert_eq!(is_too_deep(&nested(levels)), expected, "{levels}");
        }
    }

    #[test]
    fn what_would_overflow_the_stack_is_buried() {
        let deep = nested(1_000_000);
        assert!(is_too_deep(&deep));
        bury(deep);
    }
}
