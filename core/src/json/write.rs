//! JSON as we write it: members in a fixed order, absent ones left out, numbers as short as they
//! read back.

use serde_json::{Number, Value};

use super::double;

/// A double may not hold an integer beyond this exactly; such integers are written as texts.
const MAX_INTEGER: u64 = 1 << 53;

/// A string: only quotes, backslashes and control characters are escaped.
pub(crate) fn quoted(text: &str) -> String {
    // A text always has a JSON form.
    serde_json::to_string(text).unwrap_or_default()
}

/// The shortest text that reads back to the same double, as ECMAScript spells it. Nothing for what
/// is no number.
pub(crate) fn number(x: f64) -> Option<String> {
    if !x.is_finite() {
        return None;
    }
    if x == 0.0 {
        return Some("0".to_owned());
    }
    let size = x.abs();
    if (1e-6..1e21).contains(&size) {
        return Some(double::shown(x));
    }
    Some(double::scientific(x))
}

/// A value as JSON.
pub(crate) fn value(value: &Value) -> String {
    let mut out = String::new();
    add(value, &mut out);
    out
}

fn add(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&numeral(number)),
        Value::String(text) => out.push_str(&quoted(text)),
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                out.push(if place == 0 { '[' } else { ',' });
                add(item, out);
            }
            out.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        Value::Object(members) => {
            for (place, (name, member)) in members.iter().enumerate() {
                out.push(if place == 0 { '{' } else { ',' });
                out.push_str(&quoted(name));
                out.push(':');
                add(member, out);
            }
            out.push_str(if members.is_empty() { "{}" } else { "}" });
        }
    }
}

/// A number as JSON: a double has a point or an exponent, as where it was read from.
pub(crate) fn numeral(number: &Number) -> String {
    let integer = number.as_i64().map(|n| n.to_string());
    integer.or_else(|| number.as_u64().map(|n| n.to_string())).unwrap_or_else(|| {
        let x = number.as_f64().unwrap_or_default();
        let text = match x.abs() {
            size if size == 0.0 || (1e-5..1e16).contains(&size) => double::shown(x),
            _ => double::scientific(x),
        };
        if text.contains(['.', 'e']) { text } else { text + ".0" }
    })
}

/// An integer; as text where a double could not hold it.
pub(crate) fn integer(n: i64) -> String {
    if n.unsigned_abs() > MAX_INTEGER { format!("\"{n}\"") } else { n.to_string() }
}

/// A list of what is JSON already.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// Whether a value is one that we never write: null, and containers without anything in them.
pub(crate) fn is_nothing(json: &str) -> bool {
    matches!(json, "" | "null" | "[]" | "{}")
}

/// An object, member by member.
#[derive(Debug, Default)]
pub(crate) struct Object {
    inside: String,
}

impl Object {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A member of what is JSON already; nothing if there is nothing in it.
    pub(crate) fn json(&mut self, name: &str, json: &str) -> &mut Self {
        if !is_nothing(json) {
            self.verbatim(&quoted(name), json);
        }
        self
    }

    /// A member as it stands, name and all.
    pub(crate) fn verbatim(&mut self, name: &str, json: &str) {
        if !self.inside.is_empty() {
            self.inside.push(',');
        }
        self.inside.push_str(name);
        self.inside.push(':');
        self.inside.push_str(json);
    }

    pub(crate) fn text(&mut self, name: &str, text: Option<&str>) -> &mut Self {
        if let Some(text) = text {
            self.json(name, &quoted(text));
        }
        self
    }

    pub(crate) fn number(&mut self, name: &str, x: Option<f64>) -> &mut Self {
        if let Some(json) = x.and_then(number) {
            self.json(name, &json);
        }
        self
    }

    pub(crate) fn integer(&mut self, name: &str, n: Option<i64>) -> &mut Self {
        if let Some(n) = n {
            self.json(name, &integer(n));
        }
        self
    }

    pub(crate) fn texts(&mut self, name: &str, texts: &[String]) -> &mut Self {
        self.json(name, &list(texts.iter().map(|text| quoted(text))))
    }

    pub(crate) fn integers(&mut self, name: &str, numbers: &[i64]) -> &mut Self {
        self.json(name, &list(numbers.iter().map(|n| integer(*n))))
    }

    pub(crate) fn end(&self) -> String {
        format!("{{{}}}", self.inside)
    }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Standard base64 with padding (RFC 4648).
pub(crate) fn base64(bytes: &[u8]) -> String {
    let digit = |n: u32| char::from(DIGITS[(n & 63) as usize]);
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |k: usize| chunk.get(k).copied().map_or(0, u32::from);
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        out.push(digit(word >> 18));
        out.push(digit(word >> 12));
        out.push(if chunk.len() > 1 { digit(word >> 6) } else { '=' });
        out.push(if chunk.len() > 2 { digit(word) } else { '=' });
    }
    out
}

/// The bytes of what [`base64`] wrote; none of any other text.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut chunks = text.as_bytes().chunks(4).peekable();
    while let Some(chunk) = chunks.next() {
        let is_last = chunks.peek().is_none();
        let letters = chunk.iter().take_while(|b| **b != b'=').count();
        let is_padded = chunk.get(letters..)?.iter().all(|b| *b == b'=');
        if chunk.len() != 4 || letters < 2 || !is_padded || (letters < 4 && !is_last) {
            return None;
        }
        let mut bits = 0_u32;
        for letter in chunk.get(..letters)? {
            let value = DIGITS.iter().position(|l| l == letter)?;
            bits = bits << 6 | u32::try_from(value).ok()?;
        }
        bits <<= 6 * (4 - letters);
        let [_, a, b, c] = bits.to_be_bytes();
        bytes.extend([a, b, c].iter().take(letters - 1));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_as_ecmascript_does() {
        for (x, text) in [
            (-0.0, "0"),
            (0.3, "0.3"),
            (1.0, "1"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e-6, "0.000001"),
            (1.25e-7, "1.25e-7"),
            (0.1, "0.1"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
            (-5e-324, "-5e-324"),
        ] {
            assert_eq!(number(x).as_deref(), Some(text));
        }
        assert_eq!(number(f64::NAN), None);
        assert_eq!(integer(1 << 53), "9007199254740992");
        assert_eq!(integer(-(1 << 53) - 1), "\"-9007199254740993\"");
    }

    #[test]
    fn texts_escape_what_they_must() {
        assert_eq!(quoted("a\"\\\n\u{1f}\u{8}é😀\u{7f}/"), "\"a\\\"\\\\\\n\\u001f\\bé😀\u{7f}/\"");
    }

    #[test]
    fn objects_leave_out_what_is_absent() {
        let mut object = Object::new();
        object.text("a", None).text("b", Some("")).texts("c", &[]).integer("d", Some(2));
        assert_eq!(object.end(), "{\"b\":\"\",\"d\":2}");
    }

    #[test]
    fn bytes_as_base64() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
            assert_eq!(from_base64(text).as_deref(), Some(bytes.as_bytes()));
        }
        for text in ["Z", "Zg", "Zg=", "Zg==Zg==", "Z===", "Zm9!", "=Zg="] {
            assert_eq!(from_base64(text), None, "{text}");
        }
    }
}
