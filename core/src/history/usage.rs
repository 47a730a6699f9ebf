//! What runs took: tokens and US dollars, as far as records say.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use crate::model::details::Usage;

/// A sum over the iterations of a run. What nobody recorded is no part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageSum {
    /// Sum over the iterations that record a value. If none does, the total that a record states for the
    /// whole run; `known` and `unknown` are 0 then. The sum is 0 only if 0 was recorded.
    pub sum: f64,
    /// Iterations that say.
    pub known: u32,
    /// Iterations that do not: the run took at least `sum`.
    pub unknown: u32,
}

/// What a run took. Absent: neither an iteration nor the run says.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunUsage {
    /// Tokens.
    pub tokens: Option<UsageSum>,
    /// US dollars.
    pub cost_usd: Option<UsageSum>,
}

/// Tokens and US dollars; NaN where nothing is said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took(pub(super) [f64; 2]);

/// What was taken, by record and part: few formats record it, so nobody else pays for it.
pub(crate) type UsageTable = BTreeMap<(usize, u32), Took>;

/// Keeps what something took, if it says.
pub(super) fn keep(table: &mut UsageTable, key: (usize, u32), usage: Option<&Usage>) {
    let Some(usage) = usage else { return };
    let took = [usage.tokens_in_all(), usage.cost_usd].map(|value| value.unwrap_or(f64::NAN));
    if took.iter().any(|value| value.is_finite()) {
        table.insert(key, Took(took));
    }
}

impl Usage {
    /// Tokens in all: as recorded, else the sum of input and output tokens if both are recorded.
    pub fn tokens_in_all(&self) -> Option<f64> {
        self.tokens.or_else(|| Some(self.input_tokens? + self.output_tokens?))
    }
}

#[cfg(test)]
mod tests {
    use crate::{History, Profile, RunId, RunUsage, UsageSum};

    fn usage(name: &str, text: &str) -> RunUsage {
        let mut history = History::new(Profile::Lenient);
        let source = history.open(name);
        history.push(source, text.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
        history.run(RunId(0)).expect("there is a run").usage()
    }

    const HEADER: &str = "iteration,timestamp,quality_score,quality_delta,tokens_used,cost_usd,execution_time_ms,verification_status\n";

    #[test]
    fn what_nobody_recorded_is_not_nought() {
        let text = format!(
            "{HEADER}1,2026-03-07T10:00:00Z,40,0,700,0,1,failed\n2,2026-03-07T10:01:00Z,50,10,,,1,failed\n3,2026-03-07T10:02:00Z,60,10,500.5,,1,passed\n"
        );
        let took = usage("a.csv", &text);
        assert_eq!(took.tokens, Some(UsageSum { sum: 1200.5, known: 2, unknown: 1 }));
        assert_eq!(took.cost_usd, Some(UsageSum { sum: 0.0, known: 1, unknown: 2 }));
        let text = format!("{HEADER}1,2026-03-07T10:00:00Z,40,0,,,1,failed\n");
        assert_eq!(usage("b.csv", &text), RunUsage::default());
    }

    #[test]
    fn a_run_may_say_what_its_attempts_do_not() {
        let text = r#"[{"task_id":"q7","task_description":"Name the port.","domain":"demo","backend":"sliding_window","total_attempts":1,"success":true,"final_reward":1.0,"total_tokens":90,"reflections":["Short answers match."],"per_attempt_rewards":[1.0],"per_attempt_error_types":["exact_match"],"per_attempt_responses":["b"],"per_attempt_feedback":["ok"],"per_attempt_retrieved":[[]]}]"#;
        let took = usage("study.json", text);
        assert_eq!(took.tokens, Some(UsageSum { sum: 90.0, known: 0, unknown: 0 }));
        assert_eq!(took.cost_usd, None);
    }
}
