//! Numbers as JSON writes them.

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::json::numeric::whole;

/// A finite number, without a point where it is integral: sums of tokens are integers again.
pub(crate) fn json(number: f64) -> Value {
    whole(number).map_or_else(|| Value::from(number), Value::from)
}

/// [`json`] for serde, of a number or of one that may be missing.
pub(crate) fn plain<S: Serializer>(
    number: &(impl Copy + Into<Option<f64>>),
    to: S,
) -> Result<S::Ok, S::Error> {
    let number: Option<f64> = (*number).into();
    number.map(json).serialize(to)
}

/// The integer that a JSON number is, whether it is written as 3 or 3.0.
pub(crate) fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| whole(value.as_f64()?))
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
