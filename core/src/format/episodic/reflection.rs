//! `episodic-reflection`: a line of `reflections.jsonl`. Several lines may speak
//! of one attempt.

use serde_json::Value;

use super::super::parsed_record::{Context, ParsedRecord};
use super::super::read::{Member as _, strings};
use super::super::rest::others;
use super::super::traits::{Part, Role, Traits};
use super::super::{Format, Reading};
use crate::model::details::{Details, Reflection};
use crate::model::outcome::Outcome;
use crate::validate::schema::Schema;

pub(crate) const FORMAT: Format = Format {
    id: "episodic-reflection",
    title: "Reflections of an episodic memory",
    gives: "reflections with their triggers, by attempt",
    known_by: "`attempt_id` with two of `observation`, `analysis`, `learning`, or the path of the file",
    found_at: "tasks/{task}/reflections.jsonl",
    fits,
    traits: Traits {
        path: Some("tasks/*/reflections.jsonl"),
        marks: &["attempt_id", "observation"],
        base: None,
        rank: 3,
        role: Role::Part(Part::Reflection),
        schema: Some(Schema::Reflection),
        ..super::TRAITS
    },
    reading: Reading::ParsedRecord(parse),
};

/// The parts of the text, in its order.
const PARTS: [&str; 3] = ["observation", "analysis", "learning"];

const KNOWN: [&str; 9] = [
    "task_id",
    "attempt_id",
    "timestamp",
    "observation",
    "analysis",
    "learning",
    "action_items",
    "triggered_by",
    "reflection_type",
];

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.has("attempt_id") && PARTS.iter().filter(|name| value.has(name)).count() >= 2
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let trigger = value.text("triggered_by");
    let outcome = trigger.as_deref().map(Outcome::read);
    let outcome = outcome.filter(|(outcome, _)| *outcome != Outcome::Unknown);
    let paragraphs: Vec<_> = PARTS.iter().filter_map(|name| value.text(name)).collect();
    let time = value.text("timestamp");
    let reflection = Reflection {
        text: paragraphs.join("\n\n"),
        kind: value.text("reflection_type"),
        insights: strings(value.get("action_items")),
        lessons: value.text("learning").into_iter().collect(),
        reasoning: value.text("analysis"),
        trigger,
        time: time.clone(),
        ..Reflection::default()
    };
    ParsedRecord::of_step(Details {
        key: value.text("task_id"),
        number: value.iteration("attempt_id"),
        time,
        outcome: outcome.map(|(outcome, _)| outcome),
        outcome_detail: outcome.and_then(|(_, detail)| detail.map(str::to_owned)),
        reflections: vec![reflection],
        texts: others(value, &KNOWN).collect(),
        ..Details::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn step(value: &Value) -> Details {
        let mut parsed = parse(value, &Context::default());
        parsed.runs.remove(0).steps.remove(0)
    }

    #[test]
    fn the_parts_are_paragraphs_and_the_trigger_decides_the_outcome() {
        let value = json!({"timestamp": "2026-03-04T10:00:00Z", "attempt_id": 2,
            "observation": "The queue ran dry.", "learning": "Refill before draining.",
            "action_items": ["Refill first"], "triggered_by": "timeout",
            "reflection_type": "error-analysis", "mood": {"calm": true}});
        assert!(fits(&value, &Context::default()));
        let step = step(&value);
        let [reflection] = &step.reflections[..] else { panic!("one") };
        assert_eq!(reflection.text, "The queue ran dry.\n\nRefill before draining.");
        assert_eq!(reflection.lessons, ["Refill before draining."]);
        assert_eq!((reflection.reasoning.as_deref(), step.number), (None, Some(2)));
        assert_eq!(
            (step.outcome, step.outcome_detail.as_deref()),
            (Some(Outcome::Failure), Some("timeout"))
        );
        assert_eq!(step.texts[0].text, r#"{"calm":true}"#);
    }

    #[test]
    fn a_reflection_by_hand_has_no_outcome() {
        let value = json!({"attempt_id": "3", "observation": "a", "analysis": "b", "triggered_by": "manual"});
        let step = step(&value);
        assert_eq!((step.number, step.outcome), (Some(3), None));
        assert!(!fits(&json!({"attempt_id": 1, "analysis": "b"}), &Context::default()));
    }
}
