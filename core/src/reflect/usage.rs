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
    /// Of one usage: whether `total` is known, as given or as a sum. Not kept for sums of usages.
    #[serde(skip)]
    pub(crate) has_total: bool,
    /// The same for `cost`.
    #[serde(skip)]
    pub(crate) has_cost: bool,
}

/// Names for tokens that went in, without those of the cache where it is counted apart.
const INPUT: [&str; 2] = ["input_tokens", "inputTokens"];
/// Names whose number includes the cache already: `LiteLLM` reports it beside that of the cache.
const WHOLE_INPUT: [&str; 2] = ["prompt_tokens", "promptTokens"];
/// Anthropic counts the tokens of its cache apart from the others; other SDKs do not.
const CACHED_INPUT: [&str; 4] = [
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "cacheCreationInputTokens",
    "cacheReadInputTokens",
];
const OUTPUT: [&str; 4] =
    ["output_tokens", "completion_tokens", "outputTokens", "completionTokens"];
const TOTAL: [&str; 2] = ["total_tokens", "totalTokens"];
const COST: [&str; 1] = ["cost"];

/// A number ≥ 0, or the `total` of an object: newer versions of the AI SDK say more than the sum.
fn amount(given: &Value) -> Option<f64> {
    let number = given.get("total").unwrap_or(given).as_f64()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

impl Tokens {
    /// Of a call that is known to ask no model.
    pub(crate) const NONE: Self =
        Self { input: 0.0, output: 0.0, total: 0.0, cost: 0.0, has_total: true, has_cost: true };

    /// Reads the `usage` of a reply or of a message, in every spelling of [`INPUT`] and its
    /// neighbours. What is not a number ≥ 0 counts as not there.
    ///
    /// `None` if nothing in it is known: what is unknown is never 0.
    pub(crate) fn read(usage: &Map<String, Value>) -> Option<Self> {
        let amount = |names: &[&str]| names.iter().find_map(|name| amount(usage.get(*name)?));
        let all =
            |names: &[&str]| names.iter().filter_map(|name| amount(&[*name])).reduce(|a, b| a + b);
        let parts = [amount(&INPUT), all(&CACHED_INPUT)];
        let sum = || parts.into_iter().flatten().reduce(|a, b| a + b);
        let input = amount(&WHOLE_INPUT).or_else(sum);
        let output = amount(&OUTPUT);
        let total = amount(&TOTAL)
            .or_else(|| input.or(output).map(|_| input.unwrap_or(0.0) + output.unwrap_or(0.0)));
        let cost = amount(&COST);
        total.or(cost)?;
        Some(Self {
            input: input.unwrap_or(0.0),
            output: output.unwrap_or(0.0),
            total: total.unwrap_or(0.0),
            cost: cost.unwrap_or(0.0),
            has_total: total.is_some(),
            has_cost: cost.is_some(),
        })
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
    /// Replies of models and functions that do not say what they cost.
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

/// What may still be spent. What has no limit is null in JSON.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(usage: &Value) -> Option<Tokens> {
        Tokens::read(usage.as_object().expect("an object"))
    }

    #[test]
    fn usage_is_read_in_the_spelling_of_every_sdk() {
        for usage in [
            json!({"input_tokens": 7, "output_tokens": 2}),
            json!({"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}),
            json!({"inputTokens": 7, "outputTokens": 2, "totalTokens": 9, "cachedInputTokens": 3}),
            json!({"promptTokens": 7, "completionTokens": 2}),
            json!({"inputTokens": {"total": 7, "noCache": 4}, "outputTokens": {"total": 2}}),
            json!({"input_tokens": 3, "cache_read_input_tokens": 3,
                "cache_creation_input_tokens": 1, "output_tokens": 2}),
            json!({"prompt_tokens": 7, "cache_read_input_tokens": 3,
                "cache_creation_input_tokens": 1, "completion_tokens": 2}),
            json!({"input_tokens": 3, "prompt_tokens": 7, "cache_read_input_tokens": 4,
                "output_tokens": 2}),
        ] {
            let tokens = read(&usage).expect("known").to_value();
            let expected =
                json!({"input_tokens": 7, "output_tokens": 2, "total_tokens": 9, "cost": 0});
            assert_eq!(tokens, expected, "{usage}");
        }
    }

    #[test]
    fn what_is_not_said_is_unknown() {
        for usage in [
            json!({}),
            json!({"tokens": 9}),
            json!({"inputTokens": "many", "totalTokens": -1, "cost": null}),
            json!({"inputTokens": {"noCache": 4}}),
        ] {
            assert_eq!(read(&usage), None, "{usage}");
        }
        let tokens = read(&json!({"total_tokens": 9})).expect("known");
        assert_eq!((tokens.has_total, tokens.has_cost), (true, false));
        let cost = read(&json!({"cost": 0})).expect("known");
        assert_eq!((cost.has_total, cost.has_cost), (false, true));
    }
}
