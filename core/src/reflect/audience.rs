//! JSON text for those who read it: for JavaScript, its large integers are texts.

use std::io::{Error, Write};

use serde::ser::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

/// JSON text for JavaScript: integers beyond ±(2^53 − 1) are written as texts, for a number of that
/// language cannot hold them. An integer is what the language writes without an exponent: 1e20 is
/// one, 1e21 is not, whichever way it was written before.
pub fn script_json(value: &impl Serialize) -> String {
    let mut bytes = Vec::with_capacity(256);
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, ForScripts);
    // Values are made of maps with text keys, which cannot fail.
    if value.serialize(&mut serializer).is_err() {
        return "null".to_owned();
    }
    String::from_utf8(bytes).unwrap_or_else(|_| "null".to_owned())
}

/// Who reads JSON text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Audience {
    /// Somebody who can hold every integer.
    Any,
    /// JavaScript: [`script_json`].
    Script,
}

impl Audience {
    /// JSON text for it.
    pub(crate) fn text(self, value: &impl Serialize) -> String {
        match self {
            Self::Any => serde_json::to_string(value).unwrap_or_default(),
            Self::Script => script_json(value),
        }
    }
}

/// The formatter of [`script_json`].
struct ForScripts;

/// 2^53 − 1.
const LARGEST_EXACT: u64 = 9_007_199_254_740_991;
/// 2^53.
const FIRST_INEXACT: f64 = 9_007_199_254_740_992.0;
/// JavaScript writes it and what is larger with an exponent.
const FIRST_WITH_EXPONENT: f64 = 1e21;

impl Formatter for ForScripts {
    fn write_u64<W: Write + ?Sized>(&mut self, writer: &mut W, value: u64) -> Result<(), Error> {
        if value > LARGEST_EXACT {
            return write!(writer, "\"{value}\"");
        }
        CompactFormatter.write_u64(writer, value)
    }

    fn write_i64<W: Write + ?Sized>(&mut self, writer: &mut W, value: i64) -> Result<(), Error> {
        if value.unsigned_abs() > LARGEST_EXACT {
            return write!(writer, "\"{value}\"");
        }
        CompactFormatter.write_i64(writer, value)
    }

    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> Result<(), Error> {
        // All of these are integers, and what is printed is what JavaScript prints.
        if (FIRST_INEXACT..FIRST_WITH_EXPONENT).contains(&value.abs()) {
            return write!(writer, "\"{value}\"");
        }
        CompactFormatter.write_f64(writer, value)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn integers_beyond_a_number_of_javascript_travel_as_text() {
        let value = json!([LARGEST_EXACT, LARGEST_EXACT + 1, i64::MIN, -1, 2.5, 1e300]);
        let expected =
            r#"[9007199254740991,"9007199254740992","-9223372036854775808",-1,2.5,1e+300]"#;
        assert_eq!(script_json(&value), expected);
        // What JavaScript writes as an integer, read: beyond 2^64 it is a float here.
        let read: Value = serde_json::from_str(
            "[1152921504606846976, 100000000000000000000, -1e20, 9007199254740992.0, 1e21, 0.5]",
        )
        .expect("JSON");
        let expected = r#"["1152921504606846976","100000000000000000000","-100000000000000000000","9007199254740992",1e+21,0.5]"#;
        assert_eq!(script_json(&read), expected);
    }
}
