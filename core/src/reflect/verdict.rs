//! What any evaluator's answer becomes before the loop's own rules are applied, and after.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::coerce::Coercion;

/// Something that is worth telling and stops nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Warning {
    /// Stable code.
    pub(crate) code: Cow<'static, str>,
    /// What it is about, as a sentence.
    pub(crate) message: String,
}

impl Warning {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }
}

/// An evaluator's answer, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Judged {
    /// Its verdict; without one the score decides (loop.md, section 6).
    pub(crate) verdict: Option<bool>,
    /// The whole answer was a number: 0.5 passes where there is no `pass_score`.
    pub(crate) is_bare_number: bool,
    /// From 0 to 1, as given; without one it follows from the verdict.
    pub(crate) score: Option<f64>,
    /// Errors, whatever the verdict.
    pub(crate) errors: Vec<Value>,
    /// Errors if it does not pass, in place of nothing.
    pub(crate) refusal: Vec<Value>,
    /// Error code of an answer that passes or fails by its score, where it fails and has no other.
    pub(crate) code: Option<Code>,
    /// What to try.
    pub(crate) suggestions: Vec<Value>,
    /// Reason or feedback, in the evaluator's words.
    pub(crate) feedback: String,
    /// Other keys of the answer.
    pub(crate) details: Option<Value>,
    pub(crate) warnings: Vec<Warning>,
    /// The evaluator could not do its work: score 0, kind `evaluator`.
    pub(crate) has_crashed: bool,
    /// The output with its texts coerced, by a schema evaluator.
    pub(crate) output: Option<Value>,
    pub(crate) coercions: Vec<Coercion>,
}

/// What a failing answer without errors is told as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    CustomRejected,
    JudgeRejected,
    VerdictMissing,
}

/// An answer with a verdict and a score, whatever it lacked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settled {
    /// The evaluator's own verdict. Whether the score suffices, too, is decided over all of them
    /// (`combine.rs`).
    pub(crate) valid: bool,
    /// From 0 to 1.
    pub(crate) score: f64,
    pub(crate) errors: Vec<Value>,
    /// Errors for a pass whose score does not suffice.
    pub(crate) refusal: Vec<Value>,
    pub(crate) suggestions: Vec<Value>,
    pub(crate) feedback: String,
    pub(crate) details: Option<Value>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) has_crashed: bool,
    pub(crate) output: Option<Value>,
    pub(crate) coercions: Vec<Coercion>,
}

/// Applies section 6 to an answer: the score decides where there is no verdict, the verdict where
/// there is no score.
pub(crate) fn settle(judged: Judged, pass_score: Option<f64>) -> Settled {
    let _ = pass_score;
    Settled {
        valid: judged.verdict.unwrap_or(false),
        score: judged.score.unwrap_or(0.0),
        errors: judged.errors,
        refusal: judged.refusal,
        suggestions: judged.suggestions,
        feedback: judged.feedback,
        details: judged.details,
        warnings: judged.warnings,
        has_crashed: judged.has_crashed,
        output: judged.output,
        coercions: judged.coercions,
    }
}

/// An answer of a host that could not ask the evaluator: score 0, `evaluator_failed` (or another
/// code), kind `evaluator`.
pub(crate) fn crashed(code: &str, message: impl Into<String>) -> Judged {
    Judged {
        verdict: Some(false),
        errors: vec![item(code, message)],
        has_crashed: true,
        ..Judged::default()
    }
}

/// An error item.
pub(crate) fn item(code: &str, message: impl Into<String>) -> Value {
    let members = [("message", Value::String(message.into())), ("code", Value::from(code))];
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
}

/// Errors as a host or a model gives them: a list as it is, its texts wrapped as `{message}`; a
/// text is one; null and what cannot be an error are none.
pub(crate) fn errors(given: &Value) -> Vec<Value> {
    let wrapped =
        |text: &str| Value::Object(Map::from_iter([("message".to_owned(), Value::from(text))]));
    match given {
        Value::Array(items) => {
            items.iter().map(|item| item.as_str().map_or_else(|| item.clone(), wrapped)).collect()
        }
        Value::String(text) => vec![wrapped(text)],
        Value::Object(_) => vec![given.clone()],
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// Suggestions: a list as it is, a text as a list of one, else none.
pub(crate) fn suggestions(given: &Value) -> Vec<Value> {
    match given {
        Value::Array(items) => items.clone(),
        Value::String(_) => vec![given.clone()],
        _ => Vec::new(),
    }
}
