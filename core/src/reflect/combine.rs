//! One verdict of several evaluators.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::coerce::Coercion;
use super::verdict::{Settled, Warning};

/// How verdicts and scores become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Combine {
    /// All pass; the lowest score.
    #[default]
    All,
    /// One passes; the highest score.
    Any,
    /// Up to the first that fails.
    First,
    /// The weighted mean suffices, and all that are required pass.
    Weighted,
}

/// What the configuration says of one evaluator among others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// Its `name`, else its `type`; told apart by their number where two are equal.
    pub(crate) name: String,
    /// `schema`, `llm` or `custom`.
    pub(crate) kind: &'static str,
    /// Above 0.
    pub(crate) weight: f64,
    pub(crate) is_required: bool,
    /// `on_fail: warn`: no part in verdict and score, its errors are warnings.
    pub(crate) is_advisory: bool,
}

/// Verdicts so far. It is part of a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Combining {
    how: Combine,
    pass_score: Option<f64>,
    /// There is more than one evaluator: errors and suggestions say whose they are.
    is_many: bool,
    rows: Vec<Value>,
}

/// The verdict on an attempt.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Combined {
    /// Accepted: the verdict passes, and the score suffices.
    pub(crate) valid: bool,
    pub(crate) score: f64,
    pub(crate) errors: Vec<Value>,
    pub(crate) suggestions: Vec<Value>,
    pub(crate) feedback: String,
    pub(crate) details: Option<Value>,
    pub(crate) warnings: Vec<Warning>,
    /// Kind `evaluator` in place of `evaluation`.
    pub(crate) has_crashed: bool,
    pub(crate) coercions: Vec<Coercion>,
    /// `{name, type, valid, score, errors}` of each that ran; only if there are several.
    pub(crate) rows: Vec<Value>,
}

impl Combining {
    pub(crate) fn new(how: Combine, pass_score: Option<f64>, is_many: bool) -> Self {
        Self { how, pass_score, is_many, rows: Vec::new() }
    }

    /// Takes the verdict of the next evaluator. Whether the one after it is to be asked.
    pub(crate) fn add(&mut self, part: &Part, settled: Settled) -> bool {
        let _ = (part, settled);
        self.rows.push(Value::Null);
        true
    }

    /// The verdict of all that ran.
    pub(crate) fn finish(self) -> Combined {
        let _ = (self.how, self.pass_score, self.is_many);
        Combined { rows: self.rows, ..Combined::default() }
    }
}
