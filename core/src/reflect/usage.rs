//! What calls cost, as far as their replies say, and what may still be spent.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
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
        let input = amount(&["input_tokens", "prompt_tokens"]);
        let output = amount(&["output_tokens", "completion_tokens"]);
        let (input_tokens, output_tokens) = (input.unwrap_or(0.0), output.unwrap_or(0.0));
        Self {
            input: input_tokens,
            output: output_tokens,
            total: amount(&["total_tokens"]).unwrap_or(input_tokens + output_tokens),
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

/// Kinds of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallKind {
    Generate,
    Evaluate,
    Correct,
}

/// Everything that was spent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Usage {
    generate: u64,
    evaluate: u64,
    correct: u64,
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

    /// A call is made.
    pub(crate) fn count(&mut self, kind: CallKind) {
        match kind {
            CallKind::Generate => self.generate += 1,
            CallKind::Evaluate => self.evaluate += 1,
            CallKind::Correct => self.correct += 1,
        }
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
    pub tokens: Option<f64>,
    /// Cost, in the host's unit.
    pub cost: Option<f64>,
    /// Milliseconds.
    pub ms: Option<f64>,
}

impl BudgetLeft {
    /// `{iterations, calls, tokens, cost, ms}`, null where unlimited.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(BudgetJson(self)).unwrap_or_default()
    }
}

/// `{iterations, calls, tokens, cost, ms}`, null where unlimited.
pub(super) struct BudgetJson<'a>(pub(super) &'a BudgetLeft);

impl Serialize for BudgetJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let BudgetLeft { iterations, calls, tokens, cost, ms } = self.0;
        let mut members = to.serialize_map(Some(5))?;
        members.serialize_entry("iterations", iterations)?;
        members.serialize_entry("calls", calls)?;
        for (name, number) in [("tokens", tokens), ("cost", cost), ("ms", ms)] {
            members.serialize_entry(name, &number.map(number::json))?;
        }
        members.end()
    }
}
