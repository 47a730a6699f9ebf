//! What a loop refuses, and how it ends when it must not return.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::error_code::LoopErrorCode;
use super::problem::Problem;
use super::template_error::TemplateError;
use super::usage::Usage;
use crate::labels::labels;

labels! {
    /// The four kinds of errors, each a class of its own in JavaScript.
    #[non_exhaustive]
    LoopErrorType {
        /// The configuration cannot be run; nothing was called but for documents of schemas. Codes
        /// `config_*`.
        Config = "config",
        /// The loop ended without an accepted output, and `on_failure` is `raise`; or, whatever `on_failure` is,
        /// a call failed and another try would fail as well (code `call_failed`).
        Failed = "ReflectionFailedError",
        /// A template could not be rendered when its step was made, or `render` refuses one.
        Template = "template",
        /// The machine was used wrongly; it is as it was before the call.
        Usage = "usage",
    }
}

/// Why a loop cannot start, go on or return.
///
/// As JSON ([`LoopError::to_value`]) it is `{type, code, message, field, details}`. `field` is a
/// JSON Pointer into the configuration, or null. `details` depends on the type:
///
/// | type | details |
/// |---|---|
/// | `config` | `problems`: list of `{code, field, message}` in the order of checking; `usage` |
/// | `ReflectionFailedError`, `template` of a loop | `history`, `best`, `best_score`, `errors`, `iterations`, `usage`, `stop_reason`, `stop_detail`, `warnings`, and `records` where there is a memory |
/// | `template` of `render` | `line` of the template, where it is known |
/// | `usage` | `{}` |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopError(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    #[serde(rename = "type")]
    kind: LoopErrorType,
    code: LoopErrorCode,
    message: String,
    field: Option<String>,
    details: Map<String, Value>,
}

impl LoopError {
    pub(crate) fn new(
        kind: LoopErrorType,
        code: LoopErrorCode,
        message: impl Into<String>,
    ) -> Self {
        Self(Box::new(Inner {
            kind,
            code,
            message: message.into(),
            field: None,
            details: Map::new(),
        }))
    }

    /// The error of a configuration: its first problem, and all of them. `usage` is what was spent
    /// before they were found.
    pub(crate) fn of_problems(problems: Vec<Problem>, usage: &Usage) -> Self {
        let mut details = Map::new();
        details.insert("problems".to_owned(), json!(problems));
        details.insert("usage".to_owned(), usage.totals());
        let first = problems.into_iter().next().unwrap_or_else(|| {
            Problem::new(LoopErrorCode::ConfigValue, "", "The configuration cannot be read.")
        });
        Self::new(LoopErrorType::Config, first.code, first.message)
            .with_field(Some(first.field))
            .with_details(details)
    }

    /// Misuse of the machine.
    pub(crate) fn usage(code: LoopErrorCode, message: impl Into<String>) -> Self {
        Self::new(LoopErrorType::Usage, code, message)
    }

    /// The error for a reply that is not valid, with a message of the caller: code `reply_invalid`.
    pub fn reply_invalid(message: impl Into<String>) -> Self {
        Self::usage(LoopErrorCode::ReplyInvalid, message)
    }

    pub(crate) fn with_field(mut self, field: Option<String>) -> Self {
        self.0.field = field;
        self
    }

    pub(crate) fn with_details(mut self, details: Map<String, Value>) -> Self {
        self.0.details = details;
        self
    }

    /// Which kind of error it is.
    pub fn kind(&self) -> LoopErrorType {
        self.0.kind
    }

    /// The stable code.
    pub fn code(&self) -> LoopErrorCode {
        self.0.code
    }

    /// What is wrong, for people; it may change.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where in the configuration, as a JSON Pointer.
    pub fn field(&self) -> Option<&str> {
        self.0.field.as_deref()
    }

    /// Everything else that is known: see the table above.
    pub fn details(&self) -> &Map<String, Value> {
        &self.0.details
    }

    /// The form that crosses a face.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl From<TemplateError> for LoopError {
    /// Of a template that was rendered on its own.
    fn from(error: TemplateError) -> Self {
        let line = error.line().map(|line| ("line".to_owned(), line.into()));
        Self::new(LoopErrorType::Template, error.code(), error.to_string())
            .with_details(line.into_iter().collect())
    }
}

impl From<Problem> for LoopError {
    /// The error of a configuration with one problem.
    fn from(problem: Problem) -> Self {
        Self::of_problems(vec![problem], &Usage::default())
    }
}

impl fmt::Display for LoopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for LoopError {}
