//! `episodic-attempt`: one attempt with its plan and rated steps.

use serde_json::Value;

use super::super::parsed_record::{Context, ParsedRecord};
use super::super::read::{Member as _, numbers};
use super::super::rest::{as_text, notes, others};
use super::super::traits::{NumberedBy, Part, Role, Traits};
use super::super::{Format, Reading};
use super::ending::Ending;
use super::learned_from;
use crate::model::details::{Details, Reflection};
use crate::model::run_details::RunDetails;
use crate::validate::schema::Schema;

pub(crate) const FORMAT: Format = Format {
    id: "episodic-attempt",
    title: "Attempt of an episodic memory",
    gives: "an attempt with its plan, rated steps and outcome",
    known_by: "`task_id` with an object `execution` or `outcome`",
    found_at: "tasks/{task}/attempts/NNN/attempt.json",
    fits,
    traits: Traits {
        marks: &["task_id", "execution"],
        role: Role::Part(Part::Attempt),
        schema: Some(Schema::Attempt),
        numbered_by: NumberedBy::Folder,
        ..super::TRAITS
    },
    reading: Reading::ParsedRecord(parse),
};

const KNOWN: [&str; 14] = [
    "id",
    "attempt_id",
    "task_id",
    "started",
    "ended",
    "duration_ms",
    "plan",
    "execution",
    "outcome",
    "what_worked",
    "what_didnt_work",
    "suggestions_for_next_time",
    "quality_scale",
    "learned_from",
];

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.has("task_id")
        && (value.object("execution").is_some() || value.object("outcome").is_some())
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let execution = value.get("execution").unwrap_or(&Value::Null);
    let outcome = value.get("outcome").unwrap_or(&Value::Null);
    let mut findings = Vec::new();
    let ending = Ending::read(value, outcome, "/outcome", rated(execution), &mut findings);
    let plan = value.get("plan").unwrap_or(&Value::Null);
    let mut counters = numbers(execution, &["iterations", "actions_performed"]);
    counters.extend(numbers(plan, &["estimated_iterations"]));
    let texts = notes(value, "what_worked")
        .chain(notes(value, "what_didnt_work"))
        .chain(others(execution, &["agent", "iterations", "actions_performed", "quality_history"]))
        .chain(others(plan, &["approach", "steps", "estimated_iterations"]))
        .chain(ending.texts)
        .chain(others(value, &KNOWN));
    let step = Details {
        key: value.text("task_id"),
        number: value.iteration("id").or_else(|| value.iteration("attempt_id")),
        start: value.text("started"),
        time: value.text("ended"),
        duration_ms: value.number("duration_ms"),
        outcome: ending.outcome,
        outcome_detail: ending.detail,
        reward: ending.reward,
        series: ending.series,
        steps: ending.steps,
        strategy: strategy(plan),
        window: learned_from(value),
        counters,
        reflections: suggestions(value).into_iter().collect(),
        texts: texts.collect(),
        ..Details::default()
    };
    let about = RunDetails {
        key: step.key.clone(),
        agent: execution.text("agent"),
        ..RunDetails::default()
    };
    ParsedRecord { findings, ..ParsedRecord::of(about, vec![step]) }
}

/// The rated steps inside the attempt, with pointers.
fn rated(execution: &Value) -> impl Iterator<Item = (&Value, String)> {
    let place = |(i, item)| (item, format!("/execution/quality_history/{i}"));
    execution.items("quality_history").enumerate().map(place)
}

/// The plan as one text: its approach, then its steps as a numbered list.
fn strategy(plan: &Value) -> Option<String> {
    if !plan.is_object() {
        return as_text(plan);
    }
    let steps = (1..).zip(notes(plan, "steps")).map(|(n, step)| format!("{n}. {}", step.text));
    let lines: Vec<_> = plan.text("approach").into_iter().chain(steps).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// What the next attempt should do: the lesson that this record holds.
fn suggestions(value: &Value) -> Option<Reflection> {
    let insights: Vec<_> =
        notes(value, "suggestions_for_next_time").map(|note| note.text).collect();
    let text = insights.join("\n");
    (!insights.is_empty()).then(|| Reflection { text, insights, ..Reflection::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::outcome::Outcome;
    use serde_json::json;

    #[test]
    fn steps_are_rated_on_the_scale_of_the_whole() {
        let value = json!({"id": 2, "task_id": "task-014", "started": "2026-03-05T09:00:00Z",
            "plan": {"approach": "Halve the batch.", "steps": ["measure", "halve"], "estimated_iterations": 2},
            "execution": {"agent": "coder", "iterations": 2, "actions_performed": 7, "quality_history": [
                {"iteration": 1, "quality": 1, "delta": 0}, {"iteration": 2, "quality": 70, "delta": 69}]},
            "outcome": {"status": "failure", "reason": "two checks red", "final_quality": 70},
            "what_worked": ["measuring"], "suggestions_for_next_time": ["Quarter it", "Log sizes"]});
        assert!(fits(&value, &Context::default()));
        let parsed = parse(&value, &Context::default());
        let [step] = &parsed.runs[0].steps[..] else { panic!("one") };
        assert_eq!(parsed.runs[0].about.agent.as_deref(), Some("coder"));
        assert_eq!((step.number, step.outcome), (Some(2), Some(Outcome::Failure)));
        let rewards: Vec<_> =
            step.steps.iter().map(|s| (s.number, s.reward.as_ref().map(|r| r.value))).collect();
        assert_eq!(rewards, [(1, Some(0.01)), (2, Some(0.7))]);
        assert_eq!(step.reward.as_ref().and_then(|r| r.raw.as_deref()), Some("70"));
        assert_eq!(step.strategy.as_deref(), Some("Halve the batch.\n1. measure\n2. halve"));
        assert_eq!(step.reflections[0].insights, ["Quarter it", "Log sizes"]);
        let names: Vec<_> = step.texts.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["what_worked", "reason", "quality_history"]);
        assert_eq!(step.counters.len(), 3);
        let rules: Vec<_> = parsed.findings.iter().map(|f| f.rule.as_ref()).collect();
        assert_eq!(rules, ["reward/scale-assumed"]);
    }

    #[test]
    fn a_bare_attempt_says_nothing_it_does_not_know() {
        let value = json!({"task_id": "t", "outcome": {}});
        let parsed = parse(&value, &Context::default());
        let expected = Details { key: Some("t".to_owned()), ..Details::default() };
        assert_eq!(parsed.runs[0].steps, [expected]);
        assert!(parsed.findings.is_empty());
        assert!(!fits(&json!({"task_id": "t", "outcome": "success"}), &Context::default()));
        let value = json!({"task_id": "t", "execution": {}, "outcome": "success"});
        let steps = &parse(&value, &Context::default()).runs[0].steps;
        assert_eq!(steps[0].outcome, Some(Outcome::Success));
    }
}
