//! What a host answers to a step.
//!
//! As JSON a reply is one object:
//!
//! ```json
//! {"type": "value", "value": {"name": "Ada"}}
//! {"type": "error", "message": "boom", "kind": "error", "retryable": true, "retry_after_ms": 250}
//! {"type": "aborted", "reason": "the user left"}
//! {"type": "too_deep"}
//! ```
//!
//! `kind` is `error` (default), `timeout`, `unavailable` or `cancelled`. `fatal: true` says that
//! another try would fail as well: the loop ends at once, unless an evaluator with `on_fail: warn` has
//! failed. Every reply may also have `usage` (`{input_tokens,
//! output_tokens, total_tokens, cost}`, each ≥ 0; other names that SDKs use are read as well), `ms` (how
//! long the call took), `now` (the host's clock in milliseconds) and `at` (RFC 3339). `too_deep` stands
//! for a value that cannot be written as JSON, or has more than 128 levels: it becomes a failed attempt.
//! `not_finite` lists JSON Pointers of numbers in `value` that are NaN or infinite. JSON has no such
//! numbers, so `value` has null in their place; a score among them counts as 0. In a verdict
//! `{"$float": "NaN"}` means the same. Unknown keys are ignored. Null means absent, except for
//! `value`.

use serde_json::{Map, Value};

use super::depth;
use super::error::LoopError;
use crate::labels::labels;

labels! {
    /// How a call failed.
    #[derive(Default)]
    FailureKind {
        /// It was made and failed.
        #[default]
        Error = "error",
        /// It took too long.
        Timeout = "timeout",
        /// The host cannot make it.
        Unavailable = "unavailable",
        /// The host took it back.
        Cancelled = "cancelled",
    }
}

/// A call that failed, or could not be made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Failure {
    /// The host's text.
    pub message: String,
    /// How it failed.
    pub kind: FailureKind,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// Whether another try would fail as well, in this round or a later one: a loop ends at once, unless an
    /// evaluator with `on_fail: warn` has failed.
    pub fatal: bool,
    /// The least to wait before, in milliseconds.
    pub retry_after_ms: Option<f64>,
}

/// What a reply says, apart from what every reply may carry.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// What the call returned.
    Value(Value),
    /// A value that is nested deeper than 128 levels, or goes round in a circle.
    TooDeep,
    /// The call failed.
    Error(Failure),
    /// Whoever asked for the loop wants no more of it.
    Aborted {
        /// Why, as it is to stand in `stop_detail`.
        reason: Option<String>,
    },
}

/// The answer to one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What it says.
    pub answer: Answer,
    /// `{input_tokens, output_tokens, total_tokens, cost}`, as far as known.
    pub usage: Option<Map<String, Value>>,
    /// How long the call took, in milliseconds.
    pub ms: Option<f64>,
    /// The host's clock, in milliseconds from any origin.
    pub now: Option<f64>,
    /// Date and time, RFC 3339.
    pub at: Option<String>,
    /// JSON Pointers of nulls in the value that stand for NaN and infinities.
    pub not_finite: Vec<String>,
}

impl Answer {
    /// What a call returned, as JSON text of any depth.
    ///
    /// # Errors
    ///
    /// Code `reply_invalid` for a text that is no JSON.
    pub fn from_json(text: &str) -> Result<Self, LoopError> {
        if depth::of_text(text) > depth::MAX_DEPTH {
            return Ok(Self::TooDeep);
        }
        let value = depth::parse(text).map_err(|error| {
            LoopError::reply_invalid(format!("the value is not valid JSON: {error}"))
        })?;
        Ok(Self::Value(value))
    }
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self { answer, usage: None, ms: None, now: None, at: None, not_finite: Vec::new() }
    }
}

impl Reply {
    /// What the call returned.
    pub fn value(value: impl Into<Value>) -> Self {
        Answer::Value(value.into()).into()
    }

    /// The call failed, and will again.
    pub fn error(message: impl Into<String>) -> Self {
        Answer::Error(Failure { message: message.into(), ..Failure::default() }).into()
    }

    /// The loop is to end.
    pub fn aborted(reason: Option<String>) -> Self {
        Answer::Aborted { reason }.into()
    }

    /// The same at a moment of the host's clock.
    #[must_use]
    pub fn at_now(mut self, now: f64) -> Self {
        self.now = Some(now);
        self
    }

    /// Reads the JSON form as text, of any depth.
    ///
    /// # Errors
    ///
    /// Code `reply_invalid` for a text that is no reply.
    pub fn from_json(text: &str) -> Result<Self, LoopError> {
        // One level is the reply's own.
        if depth::of_text(text) > depth::MAX_DEPTH + 1 {
            return Ok(Answer::TooDeep.into());
        }
        let value = depth::parse(text).map_err(|error| {
            LoopError::reply_invalid(format!("the reply is not valid JSON: {error}"))
        })?;
        Self::from_value(value)
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    ///
    /// Code `reply_invalid` for an unknown `type` and for members of another type or range.
    pub fn from_value(value: Value) -> Result<Self, LoopError> {
        let Value::Object(mut members) = value else {
            depth::bury(value);
            return Err(LoopError::reply_invalid("the reply must be an object"));
        };
        let answer = match members.get("type").and_then(Value::as_str) {
            Some("value") => match members.shift_remove("value") {
                Some(value) => Answer::Value(value),
                None => {
                    return Err(LoopError::reply_invalid(
                        "a reply of type value must have a `value`",
                    ));
                }
            },
            Some("too_deep") => Answer::TooDeep,
            Some("error") => Answer::Error(Failure {
                message: text(&members, "message")?.unwrap_or_default(),
                kind: match text(&members, "kind")? {
                    None => FailureKind::Error,
                    Some(word) => FailureKind::named(&word).ok_or_else(|| {
                        wrong("kind", &format!("a known kind of error, found {word:?}"))
                    })?,
                },
                retryable: flag(&members, "retryable")?,
                fatal: flag(&members, "fatal")?,
                retry_after_ms: number(&members, "retry_after_ms")?,
            }),
            Some("aborted") => Answer::Aborted { reason: text(&members, "reason")? },
            _ => {
                return Err(LoopError::reply_invalid(
                    "`type` of the reply must be value, error, aborted or too_deep",
                ));
            }
        };
        let texts = |list: &Value| -> Option<Vec<String>> {
            list.as_array()?.iter().map(|one| Some(one.as_str()?.to_owned())).collect()
        };
        let reply = Self {
            answer,
            usage: member(&members, "usage", "an object", |usage| usage.as_object().cloned())?,
            ms: number(&members, "ms")?,
            now: number(&members, "now")?,
            at: text(&members, "at")?,
            not_finite: member(&members, "not_finite", "an array of JSON Pointers", texts)?
                .unwrap_or_default(),
        };
        reply.check()?;
        Ok(reply)
    }

    /// What the types of a reply cannot say; asked again of replies that were made in Rust.
    pub(crate) fn check(&self) -> Result<(), LoopError> {
        let is_amount = |number: f64| number.is_finite() && number >= 0.0;
        if self.ms.is_some_and(|ms| !is_amount(ms)) {
            return Err(wrong("ms", "a number ≥ 0"));
        }
        if self.now.is_some_and(|now| !now.is_finite()) {
            return Err(wrong("now", "a finite number"));
        }
        if let Answer::Error(Failure { retry_after_ms: Some(ms), .. }) = self.answer
            && !is_amount(ms)
        {
            return Err(wrong("retry_after_ms", "a number ≥ 0"));
        }
        for (key, value) in self.usage.iter().flatten() {
            let is_known = USAGE_KEYS.contains(&key.as_str());
            if is_known && !value.is_null() && !value.as_f64().is_some_and(is_amount) {
                return Err(wrong(&format!("usage.{key}"), "a number ≥ 0"));
            }
        }
        Ok(())
    }
}

/// Keys of a reply's `usage` that are read.
const USAGE_KEYS: [&str; 4] = ["input_tokens", "output_tokens", "total_tokens", "cost"];

fn wrong(key: &str, what: &str) -> LoopError {
    LoopError::reply_invalid(format!("`{key}` of the reply must be {what}"))
}

/// A member that may be absent, or null.
fn member<T>(
    members: &Map<String, Value>,
    key: &str,
    what: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<Option<T>, LoopError> {
    let given = members.get(key).filter(|given| !given.is_null());
    given.map(|given| read(given).ok_or_else(|| wrong(key, what))).transpose()
}

fn flag(members: &Map<String, Value>, key: &str) -> Result<bool, LoopError> {
    Ok(member(members, key, "a boolean", Value::as_bool)?.unwrap_or_default())
}

fn text(members: &Map<String, Value>, key: &str) -> Result<Option<String>, LoopError> {
    member(members, key, "a string", |given| given.as_str().map(str::to_owned))
}

fn number(members: &Map<String, Value>, key: &str) -> Result<Option<f64>, LoopError> {
    member(members, key, "a number", Value::as_f64)
}
