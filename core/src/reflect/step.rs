//! What the machine asks of its host.
//!
//! As JSON ([`Step::to_value`]) every step has these members, and those of its type:
//!
//! | member | is |
//! |---|---|
//! | `id` | integer, given in order from 1 |
//! | `type` | `resolve_schema`, `generate`, `evaluate_llm`, `evaluate_custom`, `correct`, `wait`, `done`, `failed` |
//! | `iteration` | the round, from 1; 0 before the first |
//! | `candidate` | from 1, or null where the step belongs to none (`resolve_schema`, `done`, `failed`) |
//! | `try` | from 1; 2 for the first retry |
//! | `timeout_ms` | how long the host should wait at most, or null |
//!
//! | type | members |
//! |---|---|
//! | `resolve_schema` | `uri`, `from` (the URI of the document that refers to it, `""` for the schema itself) |
//! | `generate` | the call, `is_last`, `budget_left` |
//! | `evaluate_llm` | `evaluator` (its name, else `llm`), `model` (text or null), `messages` (list of `{role, content}`) |
//! | `evaluate_custom` | `evaluator` (its name, else `custom`), `output`, the call |
//! | `correct` | the call, `output`, `errors`, `suggestions`, `feedback`, `is_last`, `budget_left` |
//! | `wait` | `ms` |
//! | `done` | `result` |
//! | `failed` | `error`: [`LoopError::to_value`] |
//!
//! *The call* is `action` and `params`; or `run` and `language`; or `callback` (what the
//! configuration has there: true or a name) and `params`; or, for `correct`, `prompt` and `params`.
//! All texts in `params` and `prompt` are rendered. `budget_left` is
//! `{iterations, calls, tokens, cost, ms}`, null where unlimited.
//!
//! `state` is not among them: it costs time to make, so the host asks for it
//! ([`Loop::state_json`](super::Loop::state_json)). It is an object for `generate`, `evaluate_custom` and
//! `correct`.
//!
//! The serde forms of these types are for snapshots, and differ.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::IntoStaticStr;

use super::error::LoopError;
use super::result::LoopResult;
use super::state::StateView;
use super::usage::BudgetLeft;

/// What is to be called for an output, a verdict or a correction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Call {
    /// A named action of the host.
    Action {
        /// Its name.
        action: String,
        /// Its parameters, rendered.
        params: Arc<Map<String, Value>>,
    },
    /// Inline code.
    Run {
        /// The code, as configured.
        run: Arc<str>,
        /// Its language.
        language: Arc<str>,
    },
    /// A function of the driver.
    Callback {
        /// What stands in the configuration: true, or a name.
        callback: Value,
        /// Its parameters, rendered.
        params: Arc<Map<String, Value>>,
    },
    /// A prompt for the host's model.
    Prompt {
        /// The prompt, rendered.
        prompt: String,
        /// What was configured beside it, rendered.
        params: Arc<Map<String, Value>>,
    },
}

/// What a step asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum StepKind {
    /// A schema that another one refers to.
    ResolveSchema {
        /// Which.
        uri: String,
        /// The document that refers to it.
        from: String,
    },
    /// An output.
    Generate {
        /// By what.
        call: Call,
        /// Whether this is the last round that can be paid for.
        is_last: bool,
        /// What may still be spent.
        budget_left: BudgetLeft,
    },
    /// A model's verdict.
    EvaluateLlm {
        /// The evaluator's name.
        evaluator: Arc<str>,
        /// The model's name.
        model: Option<String>,
        /// What to send.
        messages: Arc<Vec<Value>>,
    },
    /// A verdict of code or a function.
    EvaluateCustom {
        /// The evaluator's name.
        evaluator: Arc<str>,
        /// What to judge.
        output: Arc<Value>,
        /// By what.
        call: Call,
    },
    /// A correction.
    Correct {
        /// By what.
        call: Call,
        /// What was refused.
        output: Arc<Value>,
        /// Why.
        errors: Arc<Vec<Value>>,
        /// What might help.
        suggestions: Arc<Vec<Value>>,
        /// The state's `reflection_feedback`.
        feedback: Arc<str>,
        /// Whether this is the last round that can be paid for.
        is_last: bool,
        /// What may still be spent.
        budget_left: BudgetLeft,
    },
    /// Time to pass before a call is made again.
    Wait {
        /// How long.
        ms: f64,
    },
    /// The end; it wants no reply.
    Done {
        /// The result.
        result: LoopResult,
    },
    /// The end without a result; it wants no reply.
    Failed {
        /// Why.
        error: LoopError,
    },
}

/// One thing for the host to do. Cheap to clone: what is large is shared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    /// To reply by.
    pub id: u32,
    /// The round, from 1; 0 before the first.
    pub iteration: u32,
    /// The number of the candidate within its round, from 1.
    pub candidate: Option<u32>,
    /// How often the call is made, from 1.
    pub r#try: u32,
    /// How long the host should wait at most.
    pub timeout_ms: Option<f64>,
    /// What is asked for.
    pub kind: StepKind,
    #[serde(skip)]
    pub(crate) view: Option<StateView>,
}

impl StepKind {
    /// The stable spelling.
    pub fn as_str(&self) -> &'static str {
        self.into()
    }
}

impl Step {
    /// Whether the loop ended with this step: it wants no reply.
    pub const fn is_end(&self) -> bool {
        matches!(self.kind, StepKind::Done { .. } | StepKind::Failed { .. })
    }

    /// Whether inline code is to be run.
    pub(crate) const fn is_code(&self) -> bool {
        matches!(
            self.kind,
            StepKind::Generate { call: Call::Run { .. }, .. }
                | StepKind::EvaluateCustom { call: Call::Run { .. }, .. }
                | StepKind::Correct { call: Call::Run { .. }, .. }
        )
    }
}
