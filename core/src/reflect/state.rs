//! What the host's callbacks and templates see: the caller's state with the loop's variables on top.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::audience::Audience;
use super::history::History;
use super::number;
use super::template::Scope;
use super::usage::BudgetLeft;

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

/// The one that may be long.
const HISTORY: &str = "reflection_history";

/// The state between two moments at which the loop sets something.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// The caller's keys and those that corrections brought.
    base: Arc<Map<String, Value>>,
    /// Values that a correction gave to variables. Each counts until the loop sets its variable again.
    shadow: Arc<Map<String, Value>>,
    /// Single forms have no variables.
    pub(crate) vars: Option<Vars>,
}

/// The loop's own variables (docs/spec/loop.md, 5).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Vars {
    pub(crate) iteration: u32,
    /// As the loop's own while steps are pending; so snapshots keep it once.
    #[serde(skip)]
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
    #[serde(with = "super::maybe")]
    pub(crate) correction: Option<Arc<Value>>,
    pub(crate) memory: Option<Arc<Value>>,
}

impl State {
    /// The caller's state before round 1: nothing of an earlier loop shows through.
    pub(crate) fn starting(base: &Arc<Map<String, Value>>, vars: Vars) -> Self {
        let mut base = Arc::clone(base);
        if NAMES.iter().any(|name| *name != "output" && base.contains_key(*name)) {
            Arc::make_mut(&mut base)
                .retain(|key, _| key == "output" || !NAMES.contains(&key.as_str()));
        }
        Self { base, shadow: Arc::default(), vars: Some(vars) }
    }

    /// The state of a single form: as it was given.
    pub(crate) fn bare(base: &Arc<Map<String, Value>>) -> Self {
        Self { base: Arc::clone(base), shadow: Arc::default(), vars: None }
    }

    /// Sets variables; what a correction put over those that are named ends.
    pub(crate) fn set(&mut self, names: &[&str], set: impl FnOnce(&mut Vars)) {
        if !self.shadow.is_empty() {
            Arc::make_mut(&mut self.shadow).retain(|key, _| !names.contains(&key.as_str()));
        }
        if let Some(vars) = &mut self.vars {
            set(vars);
        }
    }

    /// Merges a correction's context over the state.
    pub(crate) fn merge(&mut self, context: Map<String, Value>) {
        for (key, value) in context {
            let is_variable = key != "output" && NAMES.contains(&key.as_str());
            let over = if is_variable { &mut self.shadow } else { &mut self.base };
            Arc::make_mut(over).insert(key, value);
        }
    }
}

impl Scope for StateView {
    fn value(&self, name: &str) -> Option<Cow<'_, Value>> {
        self.variable(name).or_else(|| self.state.base.get(name).map(Cow::Borrowed))
    }

    fn names(&self) -> Vec<Cow<'_, str>> {
        let base = self.state.base.keys().map(|name| Cow::Borrowed(name.as_str()));
        let own =
            NAMES.into_iter().filter(|name| !self.state.base.contains_key(*name) && self.has(name));
        base.chain(own.map(Cow::Borrowed)).collect()
    }
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
    /// What every callback of a round sees.
    pub(crate) fn of(state: &Arc<State>, candidate: Option<u32>) -> Self {
        Self { state: Arc::clone(state), candidate, output: None, has_output_key: false }
    }

    /// Whether it has a variable; without making its value.
    fn has(&self, name: &str) -> bool {
        if name == "reflection_history" {
            self.state.vars.is_some()
        } else {
            self.variable(name).is_some()
        }
    }

    /// The whole as JSON text; entries that were read before are only copied.
    pub(crate) fn to_json(&self, audience: Audience) -> String {
        self.write(audience, true)
    }

    /// The history that the loop has made, unless a correction has put something over it.
    pub(crate) fn own_history(&self) -> Option<&History> {
        let vars = self.state.vars.as_ref()?;
        (!self.state.shadow.contains_key(HISTORY)).then_some(&vars.history)
    }

    /// JSON text, with the loop's own history or without.
    pub(crate) fn write(&self, audience: Audience, with_history: bool) -> String {
        let own_history = self.own_history();
        let base = &self.state.base;
        let own = NAMES.into_iter().filter(|name| !base.contains_key(*name));
        let mut out = String::from("{");
        for name in base.keys().map(String::as_str).chain(own) {
            let history = own_history.filter(|_| name == HISTORY);
            let value = if history.is_none() { self.value(name) } else { None };
            let is_written = if history.is_some() { with_history } else { value.is_some() };
            if !is_written {
                continue;
            }
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(&Value::from(name).to_string());
            out.push(':');
            match history {
                Some(history) => history.write(audience, &mut out),
                None => out.push_str(&audience.text(&value)),
            }
        }
        out.push('}');
        out
    }

    /// A variable of the loop, or the output, if this state has it.
    fn variable(&self, name: &str) -> Option<Cow<'_, Value>> {
        if name == "output" && self.has_output_key {
            return self.output.as_deref().map(Cow::Borrowed);
        }
        let vars = self.state.vars.as_ref()?;
        let is_own = match name {
            "reflection_output" => self.output.is_some(),
            "reflection_candidate" => self.candidate.is_some(),
            _ => false,
        };
        if !is_own && let Some(value) = self.state.shadow.get(name) {
            return Some(Cow::Borrowed(value));
        }
        let number = |score: Option<f64>| score.map_or(Value::Null, number::json);
        Some(match name {
            "reflection_iteration" => Cow::Owned(vars.iteration.into()),
            "reflection_candidate" => Cow::Owned(self.candidate?.into()),
            "reflection_history" => Cow::Owned(json!(vars.history)),
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
            _ => return None,
        })
    }
}
