//! `episodic-metadata`: a task as `metadata.json` has it.

use serde_json::Value;

use super::super::parsed_record::{Context, ParsedRecord};
use super::super::read::{Member as _, numbers, strings};
use super::super::rest::{notes, others};
use super::super::traits::{Role, Traits};
use super::super::{Format, Reading};
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;
use crate::validate::schema::Schema;

pub(crate) const FORMAT: Format = Format {
    id: "episodic-metadata",
    title: "Task of an episodic memory",
    gives: "a task with its criteria, status and labels",
    known_by: "`id` with `current_attempt` or `total_attempts`",
    found_at: "tasks/{task}/metadata.json",
    fits,
    traits: Traits {
        marks: &["id", "total_attempts"],
        role: Role::Task,
        schema: Some(Schema::TaskMetadata),
        ..super::TRAITS
    },
    reading: Reading::ParsedRecord(parse),
};

const KNOWN: [&str; 12] = [
    "id",
    "description",
    "completion_criteria",
    "created",
    "updated",
    "completed",
    "status",
    "current_attempt",
    "total_attempts",
    "ended_attempts",
    "tags",
    "related_tasks",
];

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.has("id") && (value.has("current_attempt") || value.has("total_attempts"))
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let status = value.text("status");
    let outcome = status.as_deref().map(Outcome::read);
    ParsedRecord::of_run(RunDetails {
        key: value.text("id"),
        task: value.text("description"),
        criteria: notes(value, "completion_criteria").map(|note| note.text).collect(),
        outcome: outcome.map(|(outcome, _)| outcome).filter(|o| *o != Outcome::Unknown),
        outcome_detail: outcome.and_then(|(_, detail)| detail.map(str::to_owned)),
        status,
        start: value.text("created"),
        end: value.text("completed"),
        updated: value.text("updated"),
        counter: value.integer("total_attempts").or_else(|| value.integer("current_attempt")),
        counters: numbers(value, &["current_attempt", "total_attempts", "ended_attempts"]),
        tags: strings(value.get("tags")),
        related: strings(value.get("related_tasks")),
        texts: others(value, &KNOWN).collect(),
        ..RunDetails::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_task_describes_the_run_as_a_whole() {
        let value = json!({"id": "task-7", "description": "Sort the index.",
            "completion_criteria": ["sorted", {"check": "stable"}], "created": "2026-03-01",
            "status": "paused", "current_attempt": 2, "total_attempts": 3, "tags": ["index"],
            "related_tasks": ["task-6"], "completed": null, "owner": "me"});
        assert!(fits(&value, &Context::default()));
        let parsed = parse(&value, &Context::default());
        let about = &parsed.runs[0].about;
        assert!(parsed.runs[0].steps.is_empty());
        assert_eq!(
            (about.outcome, about.outcome_detail.as_deref()),
            (Some(Outcome::Running), Some("paused"))
        );
        assert_eq!(about.criteria, ["sorted", r#"{"check":"stable"}"#]);
        assert_eq!((about.counter, about.end.as_deref()), (Some(3), None));
        assert_eq!(about.counters.len(), 2);
        assert_eq!((about.tags.len(), about.related.len(), about.texts.len()), (1, 1, 1));
    }
}
