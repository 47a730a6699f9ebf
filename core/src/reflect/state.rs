//! What the host's callbacks and templates see: the caller's state with the loop's variables on top.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::history::History;
use super::number;
use super::step::BudgetLeft;

/// Variables of the loop, in the order in which a state shows them.
const NAMES: [&str; 15] = [
    "reflection_iteration",
    "reflection_candidate",
    "reflection_history",
    "reflection_output",
    "reflection_errors",
    "reflection_suggestions",
    "reflection_feedback",
    "reflection_best",
    "reflection_best_score",
    "reflection_max_iterations",
    "reflection_is_last",
    "reflection_budget_left",
    "reflection_correction",
    "reflection_memory",
    "output",
];

/// The state between two moments at which the loop sets something.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The caller's keys and those that corrections brought.
    base: Arc<Map<String, Value>>,
    /// What a correction put over variables, until they are set again.
    shadow: Arc<Map<String, Value>>,
    pub(crate) vars: Vars,
}

/// The loop's own variables (section 5).
#[derive(Clone, Debug)]
pub(crate) struct Vars {
    pub(crate) iteration: u32,
    pub(crate) history: History,
    pub(crate) output: Arc<Value>,
    pub(crate) errors: Arc<Vec<Value>>,
    pub(crate) suggestions: Arc<Vec<Value>>,
    pub(crate) feedback: Arc<str>,
    pub(crate) best: Arc<Value>,
    pub(crate) best_score: Option<f64>,
    pub(crate) max_iterations: u32,
    pub(crate) is_last: bool,
    pub(crate) budget_left: BudgetLeft,
    pub(crate) correction: Option<Arc<Value>>,
    pub(crate) memory: Option<Arc<Value>>,
}

/// The state that one step sees.
#[derive(Clone, Debug)]
pub(crate) struct StateView {
    pub(crate) state: Arc<State>,
    /// Where a round has several.
    pub(crate) candidate: Option<u32>,
    /// The candidate's own output, in place of the state's.
    pub(crate) output: Option<Arc<Value>>,
    /// `output` as a key of its own, for evaluators.
    pub(crate) has_output_key: bool,
}

impl StateView {
    /// The whole as JSON.
    pub(crate) fn to_value(&self) -> Value {
        let mut members = (*self.state.base).clone();
        for name in NAMES {
            if let Some(value) = self.variable(name) {
                members.insert(name.to_owned(), value.into_owned());
            }
        }
        Value::Object(members)
    }

    /// A variable of the loop, if this state has it.
    fn variable(&self, name: &str) -> Option<Cow<'_, Value>> {
        let vars = &self.state.vars;
        let is_own = matches!(name, "reflection_output") && self.output.is_some();
        if !is_own && let Some(value) = self.state.shadow.get(name) {
            return Some(Cow::Borrowed(value));
        }
        let number = |score: Option<f64>| score.map_or(Value::Null, number::json);
        Some(match name {
            "reflection_iteration" => Cow::Owned(vars.iteration.into()),
            "reflection_candidate" => Cow::Owned(self.candidate?.into()),
            "reflection_history" => Cow::Owned(vars.history.to_value()),
            "reflection_output" => Cow::Borrowed(self.output.as_ref().unwrap_or(&vars.output)),
            "reflection_errors" => Cow::Owned(json!(vars.errors)),
            "reflection_suggestions" => Cow::Owned(json!(vars.suggestions)),
            "reflection_feedback" => Cow::Owned(json!(vars.feedback)),
            "reflection_best" => Cow::Borrowed(&vars.best),
            "reflection_best_score" => Cow::Owned(number(vars.best_score)),
            "reflection_max_iterations" => Cow::Owned(vars.max_iterations.into()),
            "reflection_is_last" => Cow::Owned(vars.is_last.into()),
            "reflection_budget_left" => Cow::Owned(vars.budget_left.to_value()),
            "reflection_correction" => Cow::Borrowed(vars.correction.as_deref()?),
            "reflection_memory" => Cow::Borrowed(vars.memory.as_deref()?),
            "output" if self.has_output_key => {
                Cow::Borrowed(self.output.as_ref().unwrap_or(&vars.output))
            }
            _ => return None,
        })
    }
}
