//! Numbers as JSON writes them.

use serde_json::Value;

/// The largest integer that every JSON reader holds exactly: 2^53 − 1.
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

/// A finite number, without a point where it is integral: sums of tokens are integers again.
pub(crate) fn json(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= LARGEST_EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "integral and within 2^53")]
        return Value::from(number as i64);
    }
    Value::from(number)
}

/// The integer that a JSON number is, whether it is written as 3 or 3.0.
pub(crate) fn integer(value: &Value) -> Option<i64> {
    if let Some(integer) = value.as_i64() {
        return Some(integer);
    }
    let number = value.as_f64()?;
    #[expect(clippy::cast_possible_truncation, reason = "integral and within 2^53")]
    (number.fract() == 0.0 && number.abs() <= LARGEST_EXACT).then_some(number as i64)
}

/// As people read it: `0.5`, `1`, `0`.
pub(crate) fn text(number: f64) -> String {
    json(number).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json as value;

    use super::*;

    #[test]
    fn integral_numbers_have_no_point() {
        assert_eq!(text(1.0), "1");
        assert_eq!(text(0.25), "0.25");
        assert_eq!(integer(&value!(3.0)), Some(3));
        assert_eq!(integer(&value!(3.5)), None);
        assert_eq!(integer(&value!("3")), None);
        assert_eq!(integer(&value!(1e300)), None);
    }
}
