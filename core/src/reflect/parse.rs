//! From what a model or an action returned to the output.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::depth;
use super::json::{Balanced, Found, whole};
use crate::fences::code_blocks;

/// What a text is turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `none`: what came, unchanged.
    Unchanged,
    /// What came, but for a text that is JSON as a whole: a function beside a schema, and no `parse`.
    IfJson,
    /// `text`: the text of a message.
    Text,
    /// `json`: the JSON in the text.
    Json,
}

/// Why no value was found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unparsed {
    /// `parse_failed`, `too_deep`, `refused` or `cut_off`.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// What was to be parsed, as text: the output of the entry. Null for a value that is too deep, and for
    /// a refusal.
    pub(crate) output: Value,
}

/// Keys that a chat model's message may have: those of `OpenAI`, Anthropic and the AI SDK.
const MESSAGE_KEYS: [&str; 17] = [
    "content",
    "response",
    "role",
    "model",
    "usage",
    "id",
    "finish_reason",
    "finishReason",
    "stop_reason",
    "stopReason",
    "stop_sequence",
    "refusal",
    "annotations",
    "tool_calls",
    "toolCalls",
    "raw",
    "success",
];

/// Keys that say why a message ended.
const REASONS: [&str; 4] = ["finish_reason", "finishReason", "stop_reason", "stopReason"];
/// Reasons of a message that ended at its limit of tokens.
const CUT_OFF: [&str; 4] =
    ["length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"];
/// Reasons of a message in which the model or its provider refused to answer.
const REFUSED: [&str; 4] = ["refusal", "content_filter", "content-filter", "safety"];

/// The text of a message: an object with text in `content` (or a list of parts whose `text` is
/// joined), or else text in `response`, and no key that a chat model does not send. A text is no
/// message.
pub(crate) fn message_text(value: &Value) -> Option<Cow<'_, str>> {
    spoken(message_members(value)?)
}

/// Whether a value is a message, with or without text.
pub(crate) fn is_message(value: &Value) -> bool {
    message_text(value).is_some() || refusal(value).is_some()
}

fn message_members(value: &Value) -> Option<&Map<String, Value>> {
    let members = value.as_object()?;
    let is_known = |(key, value): (&String, &Value)| {
        MESSAGE_KEYS.contains(&key.as_str()) || (key == "type" && value == "message")
    };
    members.iter().all(is_known).then_some(members)
}

/// Why a message is not an answer, by what it says of itself: `refused`, or `cut_off` unless its text is
/// one complete JSON value.
pub(crate) fn refusal(value: &Value) -> Option<Unparsed> {
    let members = message_members(value)?;
    let text = |key: &str| members.get(key)?.as_str().filter(|text| !text.trim().is_empty());
    if let Some(said) = text("refusal") {
        let message = format!("The model refused to answer: {said}");
        return Some(Unparsed { code: "refused", message, output: Value::Null });
    }
    // Data may have a reason, too; only an answer has a member for its text.
    if !members.contains_key("content") && !members.contains_key("response") {
        return None;
    }
    let (key, reason) = REASONS.iter().find_map(|key| Some((*key, text(key)?)))?;
    let is_one_of = |reasons: &[&str]| reasons.iter().any(|one| one.eq_ignore_ascii_case(reason));
    let spoken = spoken(members).unwrap_or_default();
    if is_one_of(&REFUSED) {
        let message = format!("The model refused to answer ({key} is {reason}).");
        return Some(Unparsed { code: "refused", message, output: Value::Null });
    }
    if !is_one_of(&CUT_OFF) || whole(&spoken).is_some() {
        return None;
    }
    let message = format!(
        "The answer of the model was cut off at its limit of tokens ({key} is {reason}). Allow more \
         tokens, or ask for a shorter answer."
    );
    Some(Unparsed { code: "cut_off", message, output: Value::String(spoken.into_owned()) })
}

/// Text in `content`, else in `response`.
pub(super) fn spoken(members: &Map<String, Value>) -> Option<Cow<'_, str>> {
    let content = match members.get("content") {
        Some(Value::String(text)) => Some(Cow::Borrowed(text.as_str())),
        Some(Value::Array(parts)) => joined(parts).map(Cow::Owned),
        _ => None,
    };
    content.or_else(|| members.get("response")?.as_str().map(Cow::Borrowed))
}

/// The texts of parts; a list without any is no content.
fn joined(parts: &[Value]) -> Option<String> {
    let mut texts = parts.iter().filter_map(|part| part.get("text")?.as_str()).peekable();
    texts.peek()?;
    Some(texts.collect())
}

/// Turns what came into the output.
///
/// # Errors
///
/// When it is wanted as JSON, is a message or a text, and holds none; or, whatever was wanted, when it
/// is nested too deeply, or a message that is not an answer ([`refusal`]).
pub(crate) fn parse(came: Value, form: Form) -> Result<Value, Unparsed> {
    if depth::is_too_deep(&came) {
        depth::bury(came);
        return Err(Unparsed::new("too_deep", Value::Null));
    }
    if let Some(refusal) = refusal(&came) {
        return Err(refusal);
    }
    let text = match (form, &came) {
        (Form::Unchanged | Form::IfJson, _) => None,
        (_, Value::String(text)) => Some(Cow::Borrowed(text.as_str())),
        _ => message_text(&came),
    };
    let Some(text) = text else { return Ok(came) };
    match form {
        Form::Json => {
            json_in(&text).map_err(|code| Unparsed::new(code, Value::String(text.into_owned())))
        }
        Form::Text | Form::Unchanged | Form::IfJson => Ok(Value::String(text.into_owned())),
    }
}

impl Unparsed {
    fn new(code: &'static str, output: Value) -> Self {
        let message = match code {
            "too_deep" => format!("The output is nested deeper than {} levels.", depth::MAX_DEPTH),
            _ => "There is no JSON in the text.".to_owned(),
        };
        Self { code, message, output }
    }
}

/// JSON in a text: the whole text, else the first fenced block that parses, else the first balanced
/// object or list that parses. No byte is read more than a few times.
///
/// # Errors
///
/// `parse_failed` if there is none, `too_deep` if what was found is nested too deeply.
pub(crate) fn json_in(text: &str) -> Result<Value, &'static str> {
    let made = |found: Found, text: &str| found.value(text).ok_or("too_deep");
    if let Some(found) = whole(text) {
        return made(found, text);
    }
    if let Some((found, block)) =
        code_blocks(text).find_map(|(_, block)| Some((whole(block)?, block)))
    {
        return made(found, block);
    }
    match Balanced::all(text).next() {
        Some(found) => made(found, text),
        None => Err("parse_failed"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text_of(value: &Value) -> Option<String> {
        message_text(value).map(Cow::into_owned)
    }

    #[test]
    fn a_message_has_text_and_no_foreign_keys() {
        for (value, expected) in [
            (json!({"content": "a"}), Some("a")),
            (json!({"content": "", "response": "b"}), Some("")),
            (json!({"response": "b", "success": true}), Some("b")),
            (json!({"content": null, "response": "b"}), Some("b")),
            (
                json!({"role": "assistant", "content": [{"type": "text", "text": "a"},
                    {"type": "image"}, {"text": "b"}], "usage": {}}),
                Some("ab"),
            ),
            (json!({"content": "a", "name": "b"}), None),
            (json!({"content": 5}), None),
            (json!({"content": [1, 2]}), None),
            (json!({"content": []}), None),
            (json!({"role": "assistant"}), None),
            (json!("a"), None),
            (json!(["content"]), None),
        ] {
            assert_eq!(text_of(&value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn what_came_becomes_what_is_wanted() {
        let message = json!({"content": " {\"a\": 1} "});
        assert_eq!(parse(message.clone(), Form::Unchanged), Ok(message.clone()));
        assert_eq!(parse(message.clone(), Form::Text), Ok(json!(" {\"a\": 1} ")));
        assert_eq!(parse(message, Form::Json), Ok(json!({"a": 1})));
        for other in [json!({"a": 1}), json!(null), json!([1]), json!(5)] {
            assert_eq!(parse(other.clone(), Form::Json), Ok(other));
        }
        let failed = parse(json!({"content": "prose"}), Form::Json).expect_err("no JSON");
        assert_eq!((failed.code, failed.output), ("parse_failed", json!("prose")));
    }

    #[test]
    fn a_message_that_is_no_answer_is_named() {
        let cut = "{\"items\": [{\"a\": 1}, {\"a\"";
        for (message, expected) in [
            (json!({"content": null, "refusal": "I can't help with that."}), Some("refused")),
            (json!({"content": "", "finish_reason": "content_filter"}), Some("refused")),
            (json!({"content": [], "stop_reason": "refusal", "type": "message"}), Some("refused")),
            (json!({"content": "", "finishReason": "content-filter"}), Some("refused")),
            (json!({"content": cut, "finish_reason": "length"}), Some("cut_off")),
            (
                json!({"content": [{"type": "text", "text": cut}], "type": "message",
                    "role": "assistant", "stop_reason": "max_tokens", "stop_sequence": null}),
                Some("cut_off"),
            ),
            (json!({"response": "Once upon", "stopReason": "MAX_TOKENS"}), Some("cut_off")),
            // The limit came after the last byte.
            (json!({"content": "{\"a\": 1}\n", "finish_reason": "length"}), None),
            (json!({"content": "a", "refusal": null, "finish_reason": "stop"}), None),
            (json!({"finish_reason": "length"}), None),
            (json!({"content": "a", "finish_reason": "length", "name": "data"}), None),
            (json!({"content": "a", "finish_reason": "length", "type": "post"}), None),
            (json!("length"), None),
        ] {
            assert_eq!(refusal(&message).map(|one| one.code), expected, "{message}");
            for form in [Form::Json, Form::Text, Form::Unchanged] {
                let code = parse(message.clone(), form).err().map(|one| one.code);
                let is_named = matches!(code, Some("refused" | "cut_off"));
                assert_eq!(is_named, expected.is_some(), "{message}");
            }
        }
    }

    #[test]
    fn json_is_looked_for_in_order() {
        for (text, expected) in [
            ("\n42\n", Ok(json!(42))),
            ("\"text\"", Ok(json!("text"))),
            // A block before a balanced object that stands further up.
            ("As {\"a\": 1}:\n```json\n{\"b\": 2}\n```\n", Ok(json!({"b": 2}))),
            ("```\nno\n```\n~~~~\n```\n~~~~\n```js\n[3]\n```", Ok(json!([3]))),
            ("```json\n{\"cut\": 1}", Ok(json!({"cut": 1}))),
            ("````\n{\"a\": \"\\n```\\n\"}\n````", Ok(json!({"a": "\n```\n"}))),
            ("```json\r\n7\r\n```\r\n", Ok(json!(7))),
            ("inline ```{\"a\": 1}``` code", Ok(json!({"a": 1}))),
            ("``` `x` ```\n[1] and {}", Ok(json!([1]))),
            ("first [1, then {\"a\": 2}", Ok(json!({"a": 2}))),
            ("{\"a\": 1, \"a\": 2}", Ok(json!({"a": 2}))),
            ("{'a': 1}", Err("parse_failed")),
            ("[NaN]", Err("parse_failed")),
            ("", Err("parse_failed")),
            ("say 5", Err("parse_failed")),
        ] {
            assert_eq!(json_in(text), expected, "{text}");
        }
    }

    #[test]
    fn deep_values_are_refused_and_not_walked() {
        let nested = |levels| "[".repeat(levels) + &"]".repeat(levels);
        assert!(json_in(&nested(128)).is_ok());
        assert_eq!(json_in(&nested(129)), Err("too_deep"));
        assert_eq!(json_in(&format!("so: {}", nested(1_000_000))), Err("too_deep"));
        assert_eq!(json_in(&format!("```\n{}\n```", nested(200))), Err("too_deep"));
        let deep = (0..1_000_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
        let refused = parse(deep, Form::Unchanged).expect_err("too deep");
        assert_eq!((refused.code, refused.output), ("too_deep", Value::Null));
    }
}
