//! What to try after a schema's error, from its keyword and its parameters.

use serde_json::Value;

/// A suggestion for an error item of a schema, in a sentence that names the key; nothing where
/// there is no better advice than the error itself.
pub(crate) fn suggestion(error: &Value) -> Option<String> {
    let _ = error;
    None
}
