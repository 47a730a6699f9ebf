//! Whether two configurations are equal, by 64 bits.

use serde_json::Value;
use xxhash_rust::xxh3::Xxh3;

use super::super::number;

/// The content of a value: the order of keys does not count, 1 and 1.0 are equal.
///
/// The value is not deeper than 128 levels.
pub(crate) fn fingerprint(value: &Value) -> u64 {
    let mut hasher = Xxh3::new();
    feed(value, &mut hasher);
    hasher.digest()
}

fn feed(value: &Value, hasher: &mut Xxh3) {
    match value {
        Value::Null => hasher.update(b"n"),
        Value::Bool(flag) => hasher.update(if *flag { b"t" } else { b"f" }),
        Value::Number(number) => {
            hasher.update(b"0");
            let text = number::integer(value)
                .map_or_else(|| number.to_string(), |integer| integer.to_string());
            hasher.update(text.as_bytes());
            hasher.update(b";");
        }
        Value::String(text) => feed_text(text, hasher),
        Value::Array(items) => {
            hasher.update(b"[");
            for item in items {
                feed(item, hasher);
            }
            hasher.update(b"]");
        }
        Value::Object(members) => {
            hasher.update(b"{");
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_unstable_by_key(|(key, _)| *key);
            for (key, value) in sorted {
                feed_text(key, hasher);
                feed(value, hasher);
            }
            hasher.update(b"}");
        }
    }
}

/// With its length, so that no two lists of texts are alike.
fn feed_text(text: &str, hasher: &mut Xxh3) {
    hasher.update(b"\"");
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn order_of_keys_and_points_do_not_count_but_all_else_does() {
        let one = fingerprint(&json!({"a": 1, "b": ["x", "y"]}));
        assert_eq!(one, fingerprint(&json!({"b": ["x", "y"], "a": 1.0})));
        assert_ne!(one, fingerprint(&json!({"b": ["xy"], "a": 1})));
        assert_ne!(one, fingerprint(&json!({"b": ["y", "x"], "a": 1})));
        assert_ne!(fingerprint(&json!("1")), fingerprint(&json!(1)));
    }
}
