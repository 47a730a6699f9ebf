//! What a face hands in as JSON text.

use serde_json::{Map, Value};

use super::depth;
use super::error::LoopError;
use super::error_code::LoopErrorCode;
use super::problem::Problem;

/// Reads a configuration, a state, an entry: anything but a reply. `what` is its name in the message.
///
/// # Errors
///
/// Type `config`, code `config_value`: the text is no JSON, or has more than 128 levels.
pub fn value_from_json(what: &str, text: &str) -> Result<Value, LoopError> {
    // Counted first: reading walks down.
    if depth::of_text(text) > depth::MAX_DEPTH {
        return Err(refused(format!("The {what} is nested deeper than 128 levels.")));
    }
    depth::parse(text).map_err(|error| refused(format!("The {what} is not valid JSON: {error}.")))
}

/// The same, of which only an object will do.
///
/// # Errors
///
/// As [`value_from_json`], and for everything that is no object.
pub fn object_from_json(what: &str, text: &str) -> Result<Map<String, Value>, LoopError> {
    match value_from_json(what, text)? {
        Value::Object(members) => Ok(members),
        _ => Err(refused(format!("The {what} must be an object."))),
    }
}

fn refused(message: String) -> LoopError {
    Problem::new(LoopErrorCode::ConfigValue, "", message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_or_too_deep_is_refused() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(value_from_json("state", &nested(128)).is_ok());
        for text in
            [nested(129), nested(1_000_000), "[".repeat(1_000_000), String::new(), "{} x".into()]
        {
            let error = value_from_json("state", &text).expect_err("refused");
            assert_eq!((error.code().as_str(), error.field()), ("config_value", Some("")));
            assert_eq!(error.details()["problems"][0]["code"], "config_value");
        }
        assert!(object_from_json("state", "{\"a\": null}").is_ok());
        for text in ["null", "[]", "1"] {
            let error = object_from_json("state", text).expect_err("refused");
            assert_eq!(error.message(), "The state must be an object.");
        }
    }
}
