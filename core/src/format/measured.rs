//! An attempt with a score in percent: analytics, trackers, their CSV files and their reports.

use serde_json::Value;

use super::read::{self, Member as _, strings};
use super::rest::others;
use crate::model::details::{Details, Reflection, Usage};
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::reward::{Scale, detect_percent, rounded};
use crate::model::view::{RewardView, StoredDeltas};

/// Member of the score.
pub(crate) const SCORE: &str = "quality_score";

/// Members that have a place; whatever else stands there is kept as text.
const KNOWN: [&str; 15] = [
    "iteration_number",
    "timestamp",
    SCORE,
    "quality_delta",
    "verification_status",
    "tokens_used",
    "input_tokens",
    "output_tokens",
    "tool_calls",
    "token_cost_usd",
    "execution_time_ms",
    "reflections",
    "artifacts",
    "dimensions",
    "eval_human_override",
];

/// One attempt. `is_first` says that nothing stands before it: its change of 0 means none.
pub(crate) fn step(item: &Value, is_first: bool) -> Details {
    let (outcome, detail, is_overridden) = verdict(item);
    let experiment = |name| item.object("experiment").and_then(|e| e.text(name));
    let usage = usage(item);
    Details {
        number: item.iteration("iteration_number"),
        time: item.text("timestamp"),
        duration_ms: item.number("execution_time_ms"),
        outcome,
        outcome_detail: detail.map(str::to_owned),
        reward: item.get(SCORE).and_then(percent),
        breakdown: read::counters(item.get("dimensions")).collect(),
        rationale: experiment("hypothesis"),
        strategy: experiment("adjustment_key"),
        files: strings(item.get("artifacts")),
        reflections: strings(item.get("reflections")).into_iter().map(Reflection::of).collect(),
        stored: item.number("quality_delta").and_then(|points| change(points, is_first)),
        usage: (usage != Usage::default()).then_some(usage),
        flags: is_overridden.then(|| "human-override".to_owned()).into_iter().collect(),
        texts: others(item, &KNOWN).collect(),
        ..Details::default()
    }
}

/// Outcome, finer word, and whether a person decided that a void attempt counts after all. The outcome of
/// such an attempt is unknown.
fn verdict(item: &Value) -> (Option<Outcome>, Option<&'static str>, bool) {
    let Some(word) = item.text("verification_status") else { return (None, None, false) };
    let (outcome, detail) = Outcome::read(&word);
    if outcome == Outcome::Void && item.flag("eval_human_override") == Some(true) {
        return (Some(Outcome::Unknown), Some("void"), true);
    }
    (Some(outcome), detail, false)
}

/// A reported reward from a percentage, given as a number or as text. `None`: it is no percentage.
pub(crate) fn percent(value: &Value) -> Option<RewardView> {
    let share = detect_percent(read::number(value)?)?;
    Some(RewardView::reported(share, read::text(value), Scale::Percent))
}

/// A change in points, as one of reward. Nothing stands before the first attempt: its zero is the
/// writer's unset value.
pub(crate) fn change(points: f64, is_first: bool) -> Option<StoredDeltas> {
    let is_known = !(is_first && points == 0.0);
    is_known.then(|| StoredDeltas {
        reward_change: Some(rounded(points / 100.0)),
        error_count_change: None,
        is_improvement: None,
    })
}

fn usage(item: &Value) -> Usage {
    Usage {
        tokens: item.number("tokens_used"),
        input_tokens: item.number("input_tokens"),
        output_tokens: item.number("output_tokens"),
        tool_calls: item.number("tool_calls"),
        cost_usd: item.number("token_cost_usd"),
        ms: item.number("execution_time_ms"),
    }
}

/// `reward/out-of-range` and `reward/scale-suspect` of the scores of one run, each with its
/// pointer.
pub(crate) fn judge<'a>(scores: impl Iterator<Item = (String, &'a Value)>) -> Vec<Finding> {
    let scores: Vec<(String, f64)> =
        scores.filter_map(|(pointer, value)| Some((pointer, read::number(value)?))).collect();
    let outside = scores.iter().filter(|(_, score)| detect_percent(*score).is_none());
    let mut findings: Vec<_> =
        outside.map(|(pointer, score)| out_of_range(*score).pointer(pointer.clone())).collect();
    let is_small = scores.iter().all(|(_, score)| (0.0..=1.0).contains(score));
    if is_small && let Some((pointer, score)) = scores.iter().find(|(_, s)| s.fract() != 0.0) {
        findings.push(
            Finding::new(
                "reward/scale-suspect",
                Severity::Info,
                format!(
                    "No score is above 1, and {score} is a fraction. They are still read as percentages."
                ),
            )
            .contrast("percentages from 0 to 100", score.to_string())
            .hint("If 1 is the best score, multiply them by 100.")
            .pointer(pointer.clone()),
        );
    }
    findings
}

/// `reward/out-of-range`.
pub(crate) fn out_of_range(score: f64) -> Finding {
    Finding::new(
        "reward/out-of-range",
        Severity::Error,
        format!("The score is {score}, outside 0 to 100. The iteration has no reward."),
    )
    .contrast("a score from 0 to 100", score.to_string())
    .hint("Write scores between 0 and 100.")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn percents_become_units_and_keep_their_spelling() {
        let item = json!({"quality_score": 55.000_000_000_000_01, "quality_delta": -4.999_999_999_999_993});
        let details = step(&item, false);
        let reward = details.reward.expect("it has one");
        assert_eq!((reward.value, reward.raw.as_deref()), (0.55, Some("55.00000000000001")));
        assert_eq!(details.stored.and_then(|s| s.reward_change), Some(-0.05));
    }

    #[test]
    fn what_is_null_or_said_of_no_predecessor_is_absent() {
        let item = json!({"quality_score": null, "quality_delta": 0, "tokens_used": null});
        let details = step(&item, true);
        assert_eq!((details.reward, details.stored, details.usage), (None, None, None));
        let later = step(&json!({"quality_delta": 0}), false);
        assert_eq!(later.stored.and_then(|s| s.reward_change), Some(0.0));
    }

    #[test]
    fn someone_may_let_a_void_attempt_count() {
        let void = json!({"verification_status": "void"});
        assert_eq!(step(&void, false).outcome, Some(Outcome::Void));
        let counted =
            step(&json!({"verification_status": "void", "eval_human_override": true}), false);
        assert_eq!(counted.outcome, Some(Outcome::Unknown));
        assert_eq!(counted.outcome_detail.as_deref(), Some("void"));
        assert_eq!(counted.flags, ["human-override"]);
    }

    #[test]
    fn scores_of_another_scale_are_said() {
        let rules = |scores: &[Value]| {
            let scores = scores.iter().enumerate().map(|(at, score)| (format!("/{at}"), score));
            judge(scores).into_iter().map(|f| (f.rule, f.pointer)).collect::<Vec<_>>()
        };
        let at = |rule: &'static str, pointer: &str| (rule.into(), Some(pointer.to_owned()));
        assert_eq!(rules(&[json!(0), json!(0.4), json!(1)]), [at("reward/scale-suspect", "/1")]);
        assert_eq!(rules(&[json!(0), json!(1)]), []);
        assert_eq!(rules(&[json!(140), json!(70)]), [at("reward/out-of-range", "/0")]);
    }
}
