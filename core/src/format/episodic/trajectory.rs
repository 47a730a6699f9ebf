//! `episodic-trajectory`: all attempts of a task in one file.

use serde_json::Value;

use super::super::parsed_record::{Context, ParsedRecord};
use super::super::read::{Member as _, numbers};
use super::super::rest::{as_text, notes, others};
use super::super::traits::{Part, Role, Traits};
use super::super::{Format, Reading, detect};
use super::{learned_from, series};
use crate::model::details::Details;
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;
use crate::model::view::RewardView;
use crate::validate::schema::Schema;

pub(crate) const FORMAT: Format = Format {
    id: "episodic-trajectory",
    title: "Trajectory of an episodic memory",
    gives: "attempts with plans, outcomes and milestones",
    known_by: "`task_id` and `attempts` with `attempt_id`, or the path of the file",
    found_at: "tasks/{task}/trajectory.json",
    fits,
    traits: Traits {
        path: Some("tasks/*/trajectory.json"),
        marks: &["task_id", "attempts"],
        role: Role::Part(Part::Trajectory),
        schema: Some(Schema::Trajectory),
        ..super::TRAITS
    },
    reading: Reading::ParsedRecord(parse),
};

const KNOWN: [&str; 3] = ["task_id", "attempts", "quality_scale"];

const KNOWN_OF_ATTEMPT: [&str; 11] = [
    "attempt_id",
    "started",
    "ended",
    "outcome",
    "plan",
    "actions",
    "iterations",
    "milestones",
    "final_quality",
    "completion_percent",
    "learned_from",
];

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.has("task_id") && value.items("attempts").any(|item| item.has("attempt_id"))
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let mut findings = Vec::new();
    let all = |name: &'static str| {
        let items = value.items("attempts").enumerate();
        items.filter_map(move |(i, item)| Some((item.get(name)?, format!("/attempts/{i}/{name}"))))
    };
    let qualities: Vec<_> = all("final_quality").collect();
    let percents: Vec<_> = all("completion_percent").collect();
    let mut rewards = detect::quality(value, &qualities, &mut findings).into_iter();
    let mut done = detect::percents(&percents, &mut findings).into_iter();
    let steps = value.items("attempts").map(|item| {
        let reward = if item.has("final_quality") { rewards.next().flatten() } else { None };
        let percent = if item.has("completion_percent") { done.next().flatten() } else { None };
        attempt(item, reward, percent)
    });
    let about = RunDetails {
        key: value.text("task_id"),
        texts: others(value, &KNOWN).collect(),
        ..RunDetails::default()
    };
    let steps = steps.collect();
    ParsedRecord { findings, ..ParsedRecord::of(about, steps) }
}

fn attempt(item: &Value, reward: Option<RewardView>, percent: Option<RewardView>) -> Details {
    let outcome = item.text("outcome").map(|word| Outcome::read(&word));
    Details {
        number: item.iteration("attempt_id"),
        start: item.text("started"),
        time: item.text("ended"),
        outcome: outcome.map(|(outcome, _)| outcome),
        outcome_detail: outcome.and_then(|(_, detail)| detail.map(str::to_owned)),
        reward,
        series: series(percent),
        strategy: item.get("plan").and_then(as_text),
        window: learned_from(item),
        counters: numbers(item, &["actions", "iterations"]),
        texts: notes(item, "milestones").chain(others(item, &KNOWN_OF_ATTEMPT)).collect(),
        ..Details::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_largest_quality_decides_the_scale_of_all() {
        let value = json!({"task_id": "task-7", "attempts": [
            {"attempt_id": 1, "outcome": "failure", "final_quality": 1, "completion_percent": 40},
            {"attempt_id": 2, "outcome": "timeout", "plan": "Smaller steps.", "actions": 4,
             "milestones": [{"event": "built"}]},
            {"attempt_id": 3, "outcome": "success", "final_quality": 90}]});
        assert!(fits(&value, &Context::default()));
        let parsed = parse(&value, &Context::default());
        let steps = &parsed.runs[0].steps;
        let value_of = |k: usize| steps[k].reward.as_ref().map(|r| r.value);
        assert_eq!([value_of(0), value_of(1), value_of(2)], [Some(0.01), None, Some(0.9)]);
        assert_eq!(steps[0].series[0].reward.value.to_bits(), 0.4_f64.to_bits());
        assert_eq!(steps[1].outcome_detail.as_deref(), Some("timeout"));
        assert_eq!(steps[1].texts[0].text, r#"{"event":"built"}"#);
        assert_eq!(steps[1].counters.len(), 1);
        let rules: Vec<_> = parsed.findings.iter().map(|f| f.rule.as_ref()).collect();
        assert_eq!(rules, ["reward/scale-assumed"]);
        assert_eq!(parsed.findings[0].pointer.as_deref(), Some("/attempts/0/final_quality"));
    }
}
