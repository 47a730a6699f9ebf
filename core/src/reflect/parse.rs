//! From what a model or an action returned to the output.

use std::borrow::Cow;

use serde_json::Value;

/// What a text is turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `none`: what came, unchanged.
    Unchanged,
    /// `text`: the text of a message.
    Text,
    /// `json`: the JSON in the text.
    Json,
}

/// Why no value was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unparsed {
    /// `parse_failed` or `too_deep`.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// What was to be parsed: the output of the entry.
    pub(crate) text: String,
}

/// The text of a message: an object with text in `content` (or a list of parts whose `text` is
/// joined), or else text in `response`, and no key that a chat model does not send. A text is no
/// message.
pub(crate) fn message_text(value: &Value) -> Option<Cow<'_, str>> {
    let _ = value;
    None
}

/// Turns what came into the output.
///
/// # Errors
///
/// When it is wanted as JSON, is a message or a text, and holds none; or when it is nested too
/// deeply, whatever was wanted.
pub(crate) fn parse(came: Value, form: Form) -> Result<Value, Unparsed> {
    let _ = form;
    Ok(came)
}

/// JSON in a text: the whole text, else the first fenced block that parses, else the first balanced
/// object or list that parses. One pass over the text for each.
///
/// # Errors
///
/// `parse_failed` if there is none, `too_deep` if what was found is nested too deeply.
pub(crate) fn json_in(text: &str) -> Result<Value, &'static str> {
    serde_json::from_str(text).map_err(|_| "parse_failed")
}
