//! JSON as it is written: white space taken out, and nothing else touched.
//!
//! Everything here works on the text. Member order, repeated members, spellings of numbers and of
//! characters stay, half a surrogate pair included.

use serde_json::value::RawValue;

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
}
