//! Numbers in texts, and numbers as texts.

use serde_json::Number;

/// Largest whole number up to which each has its own double: 2^53 − 1.
const MAX_SAFE: i64 = (1 << 53) - 1;

/// A text as a whole number: `[+-]?[0-9]+`, blanks of ASCII around it, up to ±(2^53 − 1).
pub(super) fn integer(text: &str) -> Option<Number> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let number: i64 = text.parse().ok()?;
    (-MAX_SAFE..=MAX_SAFE).contains(&number).then(|| number.into())
}

/// A text as a number: an optional sign, digits with an optional point, an optional exponent,
/// blanks of ASCII around it; digits alone follow the rule of [`integer`]. Finite.
pub(super) fn number(text: &str) -> Option<Number> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let exponent_is_one = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && is_digits(digits)
    });
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mantissa_is_one =
        is_digits(whole) && is_digits(fraction) && !(whole.is_empty() && fraction.is_empty());
    if !(mantissa_is_one && exponent_is_one) {
        return None;
    }
    if is_digits(unsigned) {
        return integer(text);
    }
    of_double(text.parse().ok()?)
}

/// A finite double, as a whole number where it is one.
pub(super) fn of_double(number: f64) -> Option<Number> {
    #[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is a double")]
    let is_safe = number.abs() <= MAX_SAFE as f64;
    if number.is_finite() && is_safe && number.fract() == 0.0 {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        return Some((number as i64).into());
    }
    Number::from_f64(number)
}

/// The shortest text of a number, as ECMAScript prints it; whole numbers keep all their digits.
pub(super) fn text(number: &Number) -> String {
    match number.as_f64() {
        Some(double) if number.is_f64() => text_of(double),
        _ => number.to_string(),
    }
}

/// `Number::toString` of ECMA-262, for finite numbers.
fn text_of(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let sign = if number < 0.0 { "-" } else { "" };
    // The shortest digits, as d.ddde±n.
    let shortest = format!("{:e}", number.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits = mantissa.replace('.', "");
    let point = exponent.parse::<i32>().unwrap_or_default() + 1;
    let len = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    match point {
        1..=21 if point >= len => format!("{sign}{digits}{}", zeros(point - len)),
        1..=21 => {
            let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or_default());
            format!("{sign}{whole}.{fraction}")
        }
        -5..=0 => format!("{sign}0.{}{digits}", zeros(-point)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let point_and_rest = if rest.is_empty() { String::new() } else { format!(".{rest}") };
            let mark = if point > 0 { "+" } else { "-" };
            format!("{sign}{first}{point_and_rest}e{mark}{}", (point - 1).abs())
        }
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

    /// Answers of V8 to `String(number)`.
    #[test]
    fn numbers_are_written_as_ecmascript_does() {
        for (number, expected) in [
            (5.0, "5"),
            (2.5, "2.5"),
            (-0.0, "0"),
            (-1.5, "-1.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e21, "1.5e+21"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (0.000_001, "0.000001"),
            (1e-7, "1e-7"),
            (1.25e-7, "1.25e-7"),
            (0.1, "0.1"),
            (5e-324, "5e-324"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
        ] {
            assert_eq!(text(&Number::from_f64(number).expect("finite")), expected);
        }
        assert_eq!(text(&u64::MAX.into()), "18446744073709551615");
        assert_eq!(text(&(-7).into()), "-7");
    }
}
