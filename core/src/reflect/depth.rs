//! Values that are nested too deeply, without walking down into them.

use serde_json::Value;

/// Most lists and objects in each other. What is deeper is refused (`too_deep`).
pub(crate) const MAX_DEPTH: usize = 128;

/// Whether lists and objects are nested deeper than [`MAX_DEPTH`].
pub(crate) fn is_too_deep(value: &Value) -> bool {
    exceeds(value, MAX_DEPTH)
}

/// The recursion ends where it would become deep.
fn exceeds(value: &Value, levels: usize) -> bool {
    let below = |child: &Value| levels.checked_sub(1).is_none_or(|left| exceeds(child, left));
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(below),
        Value::Object(members) => levels == 0 || members.values().any(below),
        _ => false,
    }
}

/// Takes a value apart that is too deep to be dropped: dropping walks down.
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

#[cfg(test)]
mod tests {
    use super::*;

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
