//! JSON as it is written: white space taken out, and nothing else touched.
//!
//! Everything here works on the text. Member order, repeated members, spellings of numbers and of
//! characters stay, half a surrogate pair included.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

/// How deep a value may be nested that is put into a bundle, whose own levels come on top.
pub(crate) const MAX_DEPTH: usize = 480;

/// A JSON value without insignificant white space; nothing if the text is none, or too deep.
pub(crate) fn compact(text: &str, max_depth: usize) -> Option<String> {
    if levels(text) > max_depth {
        return None;
    }
    let mut rest = serde_json::from_str::<&RawValue>(text).ok()?.get();
    let mut out = String::with_capacity(rest.len());
    while let Some(quote) = memchr::memchr(b'"', rest.as_bytes()) {
        let end = string_end(rest, quote);
        out.extend(rest.get(..quote)?.split_ascii_whitespace());
        out.push_str(rest.get(quote..end)?);
        rest = rest.get(end..)?;
    }
    out.extend(rest.split_ascii_whitespace());
    Some(out)
}

/// How deep a JSON text is nested, by its brackets. For a text that is not JSON the number means nothing.
pub(crate) fn levels(text: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0_usize);
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'"' => {
                at = string_end(text, at);
                continue;
            }
            b'[' | b'{' => {
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    deepest
}

/// Members of an object in JSON, as written; empty for any other value.
pub(crate) fn members(object: &str) -> Vec<(Cow<'_, str>, &str)> {
    struct Members;

    impl<'a> Visitor<'a> for Members {
        type Value = Vec<(Cow<'a, str>, &'a str)>;

        fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
            to.write_str("an object")
        }

        fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some((name, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                members.push((unquoted(name.get()), value.get()));
            }
            Ok(members)
        }
    }

    serde_json::Deserializer::from_str(object).deserialize_map(Members).unwrap_or_default()
}

/// Items of a list in JSON, as written; empty for any other value.
pub(crate) fn items(list: &str) -> Vec<&str> {
    let items: Vec<&RawValue> = serde_json::from_str(list).unwrap_or_default();
    items.into_iter().map(RawValue::get).collect()
}

/// Decodes a JSON string. Half of a surrogate pair becomes U+FFFD.
pub(crate) fn unquoted(lexeme: &str) -> Cow<'_, str> {
    let raw = lexeme.strip_prefix('"').and_then(|l| l.strip_suffix('"')).unwrap_or(lexeme);
    crate::json::scan::Text { raw, is_escaped: raw.contains('\\') }.decode()
}

/// Behind the string whose quote stands at `at`.
fn string_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at + 1;
    while let Some(hit) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += hit;
        if bytes.get(at) == Some(&b'"') {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_goes() {
        let text = " { \"a\" : [ 1.0 , 55.00000000000001 ] ,\n\"a\":\t\"x y\\u00e9\\ud800\" , \"b\\\"\": {} } ";
        let compacted = compact(text, 8).expect("it is JSON");
        assert_eq!(
            compacted,
            "{\"a\":[1.0,55.00000000000001],\"a\":\"x y\\u00e9\\ud800\",\"b\\\"\":{}}"
        );
        assert_eq!(compact(&compacted, 8).as_deref(), Some(compacted.as_str()));
        let names: Vec<_> = members(&compacted).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "a", "b\""]);
        assert_eq!(items(members(&compacted)[0].1), ["1.0", "55.00000000000001"]);
    }

    #[test]
    fn what_is_no_json_is_left_alone() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "NaN",
            "01",
            "\"a\nb\"",
            "\"\\x\"",
            "{} {}",
            "[[[1]]]",
            "1 2",
        ] {
            assert_eq!(compact(text, 2), None, "{text}");
        }
        assert_eq!(compact("[[1]]", 2).as_deref(), Some("[[1]]"));
    }

    #[test]
    fn items_end_where_they_end() {
        assert_eq!(items("[[1,{\"]\":2}],\"a,]\",3]"), ["[1,{\"]\":2}]", "\"a,]\"", "3"]);
        assert_eq!(items("[]"), Vec::<&str>::new());
        assert_eq!(members("{\"a\":\"}\",\"b\":-1}"), [("a".into(), "\"}\""), ("b".into(), "-1")]);
    }
}
