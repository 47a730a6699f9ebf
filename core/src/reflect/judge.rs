//! A model that judges: what it is asked, and how its answer is read.

use serde_json::{Map, Value};

use super::problem::Problem;
use super::template::Scope;
use super::template_error::TemplateError;
use super::verdict::{Judged, Warning};

/// An llm evaluator.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    model: Option<String>,
}

/// What the model is asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// Name of the model, with its provider in front where that is usual.
    pub(crate) model: String,
    /// `{role, content}`.
    pub(crate) messages: Vec<Value>,
}

/// A model's answer, read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    pub(crate) judged: Judged,
    /// There was no verdict in it: it may be asked again.
    pub(crate) is_unparsable: bool,
}

impl Judge {
    /// Reads the configuration of an llm evaluator: `prompt`, `model`, `examples`. `defaults` is
    /// `llm_defaults` (`provider`, `model`).
    ///
    /// Warnings are `judge_blind` and `judge_example`.
    ///
    /// # Errors
    ///
    /// `config_value` for a value of a wrong type, `config_template` for a prompt that is no
    /// template. Fields are relative to the evaluator.
    pub(crate) fn new(
        config: &Map<String, Value>,
        defaults: &Map<String, Value>,
        score_scale: f64,
    ) -> Result<(Self, Vec<Warning>), Problem> {
        let _ = (config, defaults, score_scale);
        Ok((Self { model: None }, Vec::new()))
    }

    /// What to ask about an output. `is_again`: the answer before had no verdict in it.
    ///
    /// # Errors
    ///
    /// When the prompt cannot be rendered.
    pub(crate) fn ask(
        &self,
        state: &dyn Scope,
        output: &Value,
        is_again: bool,
    ) -> Result<Question, TemplateError> {
        let _ = (state.names(), output, is_again);
        Ok(Question { model: self.model.clone().unwrap_or_default(), messages: Vec::new() })
    }

    /// Reads a reply: a message, a text, or a verdict object.
    pub(crate) fn read(&self, reply: &Value) -> Verdict {
        let _ = reply;
        Verdict { judged: Judged::default(), is_unparsable: false }
    }
}
