//! `iteration-analytics`: scores of every attempt, and a summary. Two versions of
//! a program write it, and a schema of another spelling is followed by language models.

use serde_json::Value;

use super::declared::{Settings, Summary};
use super::measured::{self, SCORE};
use super::parsed_record::{Context, ParsedRecord};
use super::read::{self, Member as _, numbers};
use super::rest::others;
use super::traits::Traits;
use super::{Format, Reading, detect};
use crate::model::datetime;
use crate::model::details::{Counter, Details, Usage};
use crate::model::finding::{Finding, Severity};
use crate::model::reward::{Scale, detect_percent, rounded};
use crate::model::run_details::{Declared, RunDetails};
use crate::model::view::RewardView;

pub(crate) const FORMAT: Format = Format {
    id: "iteration-analytics",
    title: "Iteration analytics",
    gives: "iterations with quality scores, usage and reflections, and a declared summary",
    known_by: "`iterations` with `quality_score`, and `total_iterations` or `quality_trajectory`; or none of them beside `loop_id` and both; or `history` with `quality` and `scores`",
    found_at: "analytics/{loop}.json, loops/{loop}/analytics/analytics.json",
    fits,
    traits: Traits { marks: &["iterations", "total_iterations"], rank: 8, ..Traits::USUAL },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    let is_measured = value.items("iterations").any(|item| item.has(SCORE));
    let has_summary = value.has("total_iterations") || value.has("quality_trajectory");
    (is_measured && has_summary) || is_empty(value) || is_third(value)
}

/// A loop that has not measured an iteration yet.
fn is_empty(value: &Value) -> bool {
    let iterations = value.get("iterations").and_then(Value::as_array);
    iterations.is_some_and(Vec::is_empty)
        && ["loop_id", "total_iterations", "quality_trajectory"].iter().all(|name| value.has(name))
}

/// The spelling of the schema.
fn is_third(value: &Value) -> bool {
    value.items("history").any(|item| item.has("quality") && item.has("scores"))
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    if is_third(value) { third(value) } else { written(value) }
}

/// Members of the summary that have a place.
const KNOWN: [&str; 16] = [
    "loop_id",
    "task_description",
    "start_time",
    "iterations",
    "total_iterations",
    "optimal_iteration",
    "final_iteration",
    "selected_iteration",
    "selection_reason",
    "total_tokens",
    "total_cost_usd",
    "total_time_ms",
    "diminishing_returns_iteration",
    "quality_trajectory",
    "void_iteration_count",
    "flat_cycle_count",
];

/// What the programs write.
fn written(value: &Value) -> ParsedRecord {
    let items: Vec<&Value> = value.items("iterations").collect();
    let steps: Vec<Details> =
        items.iter().enumerate().map(|(at, item)| measured::step(item, at == 0)).collect();
    let findings = judge(value, &items, &steps);
    ParsedRecord { findings, ..ParsedRecord::of(about(value, &items), steps) }
}

fn about(value: &Value, items: &[&Value]) -> RunDetails {
    let usage = Usage {
        tokens: value.number("total_tokens"),
        cost_usd: value.number("total_cost_usd"),
        ms: value.number("total_time_ms"),
        ..Usage::default()
    };
    let declared = Declared {
        best: value.integer("optimal_iteration"),
        selected: value.integer("selected_iteration"),
        last: value.integer("final_iteration"),
        trajectory: value.text("quality_trajectory"),
        diminishing: value.integer("diminishing_returns_iteration"),
        reason: value.text("selection_reason"),
        usage: (usage != Usage::default()).then_some(usage),
    };
    let minutes = |limits: Option<&Value>| limits?.number("wall_clock_minutes");
    let config = value.object("analytics_config");
    RunDetails {
        key: value.text("loop_id"),
        task: value.text("task_description"),
        start: value.text("start_time"),
        // `end_time` was frozen when the first attempt was saved.
        end: items.iter().rev().find_map(|item| item.text("timestamp")),
        max_minutes: minutes(value.object("budget_limits"))
            .or_else(|| minutes(config.and_then(|c| c.object("budgetLimits")))),
        counter: value.integer("total_iterations"),
        declared: (declared != Declared::default()).then_some(declared),
        counters: numbers(value, &["void_iteration_count", "flat_cycle_count"]),
        texts: others(value, &KNOWN).collect(),
        ..RunDetails::default()
    }
}

/// Whether the later version wrote it. That version writes `null` for a token count that it does not know.
fn is_second(value: &Value) -> bool {
    value.has("analytics_config")
        || value.has("void_iteration_count")
        || value.items("iterations").any(|item| item.get("tokens_used").is_some_and(Value::is_null))
}

fn judge(value: &Value, items: &[&Value], steps: &[Details]) -> Vec<Finding> {
    let config = value.object("analytics_config");
    let settings = config.map_or_else(Settings::default, Settings::of_analytics);
    let summary = Summary::new(value, steps, settings);
    let scores = items.iter().enumerate();
    let scores =
        scores.filter_map(|(at, i)| Some((format!("/iterations/{at}/{SCORE}"), i.get(SCORE)?)));
    let mut findings = measured::judge(scores);
    findings.extend(items.is_empty().then(|| {
        Finding::new(
            "analytics/empty",
            Severity::Info,
            "The analytics list no iterations, so they say nothing of how the loop went.",
        )
        .hint("They are written before the first iteration is measured, too.")
        .pointer("/iterations")
    }));
    let compared = [
        summary.trajectory("quality_trajectory"),
        summary.diminishing("diminishing_returns_iteration", "diminishing_returns_detected"),
        summary.best("optimal_iteration"),
        summary.selected("selected_iteration"),
        summary.last("final_iteration"),
        summary.reason("selection_reason", "selected_iteration"),
        summary.count("total_iterations", "iterations", items.len()),
        summary.count("void_iteration_count", "void iterations", summary.voids()),
        summary.sum("total_tokens", "tokens", items, "tokens_used"),
        summary.sum("total_cost_usd", "US dollars", items, "token_cost_usd"),
        summary.sum("total_time_ms", "milliseconds", items, "execution_time_ms"),
        frozen_end(value, items),
        tool_calls(value, items),
    ];
    findings.extend(compared.into_iter().flatten());
    findings
}

/// `analytics/end-time`: the writer froze it when it first saved.
fn frozen_end(value: &Value, items: &[&Value]) -> Option<Finding> {
    let end = value.text("end_time")?;
    let last = items.iter().rev().find_map(|item| item.text("timestamp"))?;
    let (stored, ours) = (datetime::read(end.trim())?.ms, datetime::read(last.trim())?.ms);
    (stored < ours).then(|| {
        Finding::new(
            "analytics/end-time",
            Severity::Info,
            "The end time is before the last iteration, because it was written when the first one was saved. The time of the last iteration is used instead.",
        )
        .contrast(last, end)
        .pointer("/end_time")
    })
}

/// `analytics/tokens`: the first version wrote how often tools were called where tokens belong.
fn tool_calls(value: &Value, items: &[&Value]) -> Option<Finding> {
    let has_some = |item: &&Value| item.number("tokens_used").is_some_and(|n| n > 0.0);
    let at = items.iter().position(has_some)?;
    let is_priced = items.iter().any(|item| item.number("token_cost_usd").is_some_and(|c| c > 0.0));
    (!is_second(value) && !is_priced).then(|| {
        Finding::new(
            "analytics/tokens",
            Severity::Info,
            "No iteration states a cost above 0, so the stored numbers of tokens are probably numbers of tool calls, as the first version of aiwg's analytics wrote them. They are read as tokens all the same.",
        )
        .hint("Do not compare them with the tokens of other runs.")
        .pointer(format!("/iterations/{at}/tokens_used"))
    })
}

/// Members of the third spelling that have a place, of the record and of an attempt.
const THIRD: [&str; 6] =
    ["task_id", "iterations", "stopping_reason", "final_quality", "total_improvement", "history"];
const THIRD_STEP: [&str; 4] = ["iteration", "timestamp", "scores", "quality"];

/// What follows the schema.
fn third(value: &Value) -> ParsedRecord {
    let mut findings = Vec::new();
    let steps: Vec<Details> = value
        .items("history")
        .enumerate()
        .map(|(at, item)| third_step(item, at, &mut findings))
        .collect();
    let highest = steps.iter().filter_map(|s| Some(s.reward.as_ref()?.value)).reduce(f64::max);
    let declared = Declared { reason: value.text("stopping_reason"), ..Declared::default() };
    let about = RunDetails {
        key: value.text("task_id"),
        counter: value.integer("iterations"),
        base: steps.iter().any(|s| s.number == Some(0)).then_some(0),
        declared: (declared != Declared::default()).then_some(declared),
        reward: final_quality(value, highest.is_some(), &mut findings),
        counters: numbers(value, &["total_improvement"]),
        texts: others(value, &THIRD).collect(),
        ..RunDetails::default()
    };
    let summary = Summary::new(value, &steps, Settings::default());
    findings.extend(summary.count("iterations", "iterations", steps.len()));
    ParsedRecord { findings, ..ParsedRecord::of(about, steps) }
}

fn third_step(item: &Value, at: usize, findings: &mut Vec<Finding>) -> Details {
    let breakdown = read::counters(item.get("scores")).collect::<Vec<_>>();
    let pointer = format!("/history/{at}/quality");
    let reported = item.get("quality").and_then(|q| detect::unit(Some(q), &pointer, findings));
    Details {
        number: item.iteration("iteration"),
        time: item.text("timestamp"),
        reward: reported.or_else(|| derived(&breakdown)),
        breakdown,
        texts: others(item, &THIRD_STEP).collect(),
        ..Details::default()
    }
}

/// Weights of `reward/derive-quality`.
const WEIGHTS: [(&str, f64); 4] =
    [("tests_passing", 0.4), ("code_quality", 0.3), ("coverage", 0.2), ("complexity", 0.1)];

/// `reward/derive-quality`: all four parts are needed.
fn derived(scores: &[Counter]) -> Option<RewardView> {
    let part = |(name, weight): (&str, f64)| {
        let score = Counter::find(scores, name)?;
        (0.0..=1.0).contains(&score).then_some(weight * score)
    };
    let parts: Option<Vec<f64>> = WEIGHTS.into_iter().map(part).collect();
    Some(RewardView::derived(rounded(parts?.iter().sum()), Scale::Unit, "reward/derive-quality"))
}

/// No scale is declared for it: a value up to 1 is read as it is, a greater one as a percentage
/// (`reward/scale-assumed`). A value up to 1 gets no finding if attempts have rewards of the unit scale.
fn final_quality(
    value: &Value,
    has_units: bool,
    findings: &mut Vec<Finding>,
) -> Option<RewardView> {
    let raw = value.get("final_quality")?;
    let number = read::number(raw)?;
    let is_unit = (0.0..=1.0).contains(&number);
    let scale = if is_unit { Scale::Unit } else { Scale::Percent };
    let pointer = "/final_quality";
    let Some(of_percent) = detect_percent(number) else {
        findings.push(measured::out_of_range(number).pointer(pointer));
        return None;
    };
    if !(is_unit && has_units) {
        let (size, what) = if is_unit {
            ("at most 1", "a quality from 0 to 1")
        } else {
            ("above 1", "a percentage")
        };
        let message = format!(
            "The scale of `final_quality` is not stated. {number} is {size}, so it is read as {what}."
        );
        let finding = Finding::new("reward/scale-assumed", Severity::Info, message);
        findings.push(finding.pointer(pointer));
    }
    let value = if is_unit { rounded(number) } else { of_percent };
    Some(RewardView::reported(value, read::text(raw), scale))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::outcome::Outcome;

    fn parsed_of(value: &Value) -> ParsedRecord {
        assert!(fits(value, &Context::default()), "{value}");
        parse(value, &Context::default())
    }

    fn rules(parsed: &ParsedRecord) -> Vec<&str> {
        parsed.findings.iter().map(|f| f.rule.as_ref()).collect()
    }

    fn first() -> Value {
        json!({
            "loop_id": "a", "start_time": "2026-03-07T10:00:00Z", "end_time": "2026-03-07T10:01:00Z",
            "iterations": [
                {"iteration_number": 1, "timestamp": "2026-03-07T10:01:00Z", "quality_score": 40,
                 "quality_delta": 0, "tokens_used": 12, "token_cost_usd": 0,
                 "execution_time_ms": 500, "verification_status": "failed"},
                {"iteration_number": 2, "timestamp": "2026-03-07T10:09:00Z", "quality_score": 90,
                 "quality_delta": 50, "tokens_used": 9, "token_cost_usd": 0,
                 "execution_time_ms": 700, "verification_status": "passed"},
            ],
            "total_iterations": 2, "optimal_iteration": 2, "final_iteration": 2,
            "selected_iteration": 2, "selection_reason": "Highest quality verified iteration (90)",
            "total_tokens": 21, "total_cost_usd": 0, "total_time_ms": 1200,
            "diminishing_returns_detected": false, "diminishing_returns_iteration": null,
            "quality_trajectory": "insufficient_data",
        })
    }

    #[test]
    fn the_last_attempt_ends_the_run() {
        let parsed = parsed_of(&first());
        assert_eq!(rules(&parsed), ["analytics/end-time", "analytics/tokens"]);
        let run = &parsed.runs[0];
        assert_eq!(run.about.end.as_deref(), Some("2026-03-07T10:09:00Z"));
        assert_eq!(run.about.outcome, None);
        assert_eq!(run.steps[1].outcome, Some(Outcome::Success));
        assert_eq!(run.steps[0].stored, None);
    }

    #[test]
    fn every_declared_number_is_compared() {
        let wrong = [
            ("total_iterations", json!(3), "analytics/totals"),
            ("optimal_iteration", json!(1), "best/stored-mismatch"),
            ("final_iteration", json!(1), "best/stored-mismatch"),
            ("selected_iteration", json!(1), "best/stored-mismatch"),
            ("total_tokens", json!(20), "analytics/totals"),
            ("total_cost_usd", json!(0.5), "analytics/totals"),
            ("total_time_ms", json!(1), "analytics/totals"),
            ("quality_trajectory", json!("improving"), "analytics/trajectory"),
            ("diminishing_returns_iteration", json!(2), "analytics/diminishing"),
        ];
        for (name, stored, rule) in wrong {
            let mut value = first();
            value[name] = stored;
            let parsed = parsed_of(&value);
            let of_name = |f: &&Finding| f.pointer == Some(format!("/{name}"));
            let found = parsed.findings.iter().find(of_name);
            assert_eq!(found.map(|f| f.rule.as_ref()), Some(rule), "{name}");
        }
    }

    #[test]
    fn the_second_version_knows_what_it_does_not_know() {
        let mut value = first();
        value["iterations"][0]["tokens_used"] = Value::Null;
        value["total_tokens"] = json!(9);
        let parsed = parsed_of(&value);
        assert_eq!(rules(&parsed), ["analytics/end-time"]);
        assert_eq!(parsed.runs[0].steps[0].usage.as_ref().and_then(|u| u.tokens), None);
    }

    #[test]
    fn the_writers_own_settings_count() {
        let mut value = first();
        value["analytics_config"] = json!({"selectionCriteria": "highest_quality_verified",
            "qualityThreshold": 95, "budgetLimits": {"wall_clock_minutes": 30}});
        value["iterations"][0]["quality_score"] = json!(93);
        let parsed = parsed_of(&value);
        // Nothing reaches 95: the highest of all is taken, and it did not pass.
        assert_eq!(
            rules(&parsed),
            ["best/stored-mismatch", "best/stored-mismatch", "analytics/end-time"]
        );
        assert_eq!(parsed.runs[0].about.max_minutes, Some(30.0));
    }

    #[test]
    fn parts_make_a_reward_where_none_is_reported() {
        let scores =
            json!({"tests_passing": 0.9, "code_quality": 0.8, "coverage": 0.7, "complexity": 0.6});
        let value = json!({"task_id": "t", "iterations": 2, "final_quality": 0.8, "history": [
            {"iteration": 0, "quality": null, "scores": scores},
            {"iteration": 1, "quality": 0.5, "scores": {"coverage": 0.7}, "delta": {"quality": -0.3}},
        ]});
        let parsed = parsed_of(&value);
        assert_eq!(rules(&parsed), Vec::<&str>::new());
        let run = &parsed.runs[0];
        assert_eq!(run.about.base, Some(0));
        let rewards: Vec<_> =
            run.steps.iter().filter_map(|s| s.reward.clone()).map(|r| (r.value, r.rule)).collect();
        let derived = Some("reward/derive-quality".to_owned());
        assert_eq!(rewards, [(0.8, derived), (0.5, None)]);
    }

    #[test]
    fn an_undeclared_scale_is_said() {
        let value = |quality: Value| {
            let history = [json!({"quality": null, "scores": {}})];
            parsed_of(&json!({"task_id": "t", "final_quality": quality, "history": history}))
        };
        let parsed = value(json!(84));
        assert_eq!(rules(&parsed), ["reward/scale-assumed"]);
        assert_eq!(parsed.runs[0].about.reward.as_ref().map(|r| r.value), Some(0.84));
        assert_eq!(rules(&value(json!(140))), ["reward/out-of-range"]);
    }
}
