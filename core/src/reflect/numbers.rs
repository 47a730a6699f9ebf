//! Numbers in texts, and numbers as texts.

use serde_json::Number;

use crate::json::numeric::{digits, whole};
use crate::json::write;

/// A text as a whole number: `[+-]?[0-9]+`, blanks of ASCII around it, up to ±(2^53 − 1).
pub(super) fn integer(text: &str) -> Option<Number> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    unsigned.bytes().all(|b| b.is_ascii_digit()).then(|| digits(text))?.map(Number::from)
}

/// A text as a number: an optional sign, digits with an optional point, an optional exponent,
/// blanks of ASCII around it; digits alone follow the rule of [`integer`]. Finite.
pub(super) fn number(text: &str) -> Option<Number> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned.bytes().all(|b| b.is_ascii_digit()) {
        return integer(text);
    }
    // Of the words that the standard library takes for numbers, none is one here.
    let is_word = text.bytes().any(|b| b.is_ascii_alphabetic() && !matches!(b, b'e' | b'E'));
    of_double(text.parse().ok().filter(|_| !is_word)?)
}

/// A finite double, as a whole number where it is one.
pub(super) fn of_double(number: f64) -> Option<Number> {
    whole(number).map(Number::from).or_else(|| Number::from_f64(number))
}

/// The shortest text of a number, as ECMAScript prints it; whole numbers keep all their digits.
pub(super) fn text(number: &Number) -> String {
    match number.as_f64() {
        Some(double) if number.is_f64() => write::number(double).unwrap_or_default(),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn texts_are_read_as_numbers_by_one_rule() {
        for (text, expected) in [
            ("12", json!(12)),
            (" +7\n", json!(7)),
            ("-0", json!(0)),
            ("007", json!(7)),
            ("1.5", json!(1.5)),
            ("5.", json!(5)),
            (".5", json!(0.5)),
            ("-.5e1", json!(-5)),
            ("1e3", json!(1000)),
            ("1E-2", json!(0.01)),
            ("9007199254740991", json!(9_007_199_254_740_991_i64)),
            ("1e300", json!(1e300)),
        ] {
            assert_eq!(number(text).map(Value::Number), Some(expected), "{text}");
        }
        for text in [
            "",
            " ",
            ".",
            "+",
            "e5",
            "1e",
            "1e+",
            "1e999",
            "-1e999",
            "NaN",
            "inf",
            "Infinity",
            "1_000.5",
            "1,000",
            "0x10",
            "1 2",
            "--1",
            "9007199254740992",
            "٤٢",
            "\u{a0}1",
            "1.2.3",
        ] {
            assert_eq!(number(text), None, "{text:?}");
        }
        for text in ["3.0", "1e3", "5.", "4_2"] {
            assert_eq!(integer(text), None, "{text:?}");
        }
    }

    #[test]
    fn integers_keep_all_their_digits() {
        assert_eq!(text(&Number::from_f64(5.0).expect("finite")), "5");
        assert_eq!(text(&u64::MAX.into()), "18446744073709551615");
        assert_eq!(text(&(-7).into()), "-7");
    }
}
