//! What calls cost, as far as their replies say, and what may still be spent.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::number;

/// Tokens and cost of some calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tokens {
    pub(crate) input: f64,
    pub(crate) output: f64,
    pub(crate) total: f64,
    pub(crate) cost: f64,
}

impl Tokens {
    /// Reads the `usage` of a reply, whose numbers were checked, or of a message, where anything that
    /// is not a number ≥ 0 is ignored. The names that chat models use (`prompt_tokens`,
    /// `completion_tokens`) are read as well.
    pub(crate) fn read(usage: &Map<String, Value>) -> Self {
        let amount = |keys: &[&str]| {
            keys.iter()
                .filter_map(|key| usage.get(*key)?.as_f64())
                .find(|amount| amount.is_finite() && *amount >= 0.0)
        };
        let input = amount(&["input_tokens", "prompt_tokens"]).unwrap_or(0.0);
        let output = amount(&["output_tokens", "completion_tokens"]).unwrap_or(0.0);
        Self {
            input,
            output,
            total: amount(&["total_tokens"]).unwrap_or(input + output),
            cost: amount(&["cost"]).unwrap_or(0.0),
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.input += other.input;
        self.output += other.output;
        self.total += other.total;
        self.cost += other.cost;
    }

    /// As entries show it.
    pub(crate) fn to_value(self) -> Value {
        json!({
            "input_tokens": number::json(self.input),
            "output_tokens": number::json(self.output),
            "total_tokens": number::json(self.total),
            "cost": number::json(self.cost),
        })
    }
}

/// Everything that was spent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Usage {
    /// Calls that were made, by their kind.
    pub(crate) generate: u64,
    pub(crate) evaluate: u64,
    pub(crate) correct: u64,
    pub(crate) tokens: Tokens,
    /// Of calls, as their replies say.
    ms: f64,
    /// Replies without usage.
    unknown: u64,
}

impl Usage {
    pub(crate) fn calls(&self) -> u64 {
        self.generate + self.evaluate + self.correct
    }

    /// A call was answered.
    pub(crate) fn charge(&mut self, tokens: Option<Tokens>, ms: Option<f64>) {
        match tokens {
            Some(tokens) => self.tokens.add(tokens),
            None => self.unknown += 1,
        }
        self.ms += ms.unwrap_or(0.0);
    }

    /// As results and errors show it.
    pub(crate) fn totals(&self) -> Value {
        json!({
            "calls": {
                "generate": self.generate,
                "evaluate": self.evaluate,
                "correct": self.correct,
                "total": self.calls(),
            },
            "input_tokens": number::json(self.tokens.input),
            "output_tokens": number::json(self.tokens.output),
            "total_tokens": number::json(self.tokens.total),
            "cost": number::json(self.tokens.cost),
            "ms": number::json(self.ms),
            "unknown": self.unknown,
        })
    }
}

/// What may still be spent; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BudgetLeft {
    /// Rounds, this one included.
    pub iterations: u32,
    /// Calls of the host.
    pub calls: Option<u64>,
    /// Tokens of models.
    #[serde(serialize_with = "number::plain")]
    pub tokens: Option<f64>,
    /// Cost, in the host's unit.
    #[serde(serialize_with = "number::plain")]
    pub cost: Option<f64>,
    /// Milliseconds.
    #[serde(serialize_with = "number::plain")]
    pub ms: Option<f64>,
}

impl BudgetLeft {
    /// `{iterations, calls, tokens, cost, ms}`, null where unlimited.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
