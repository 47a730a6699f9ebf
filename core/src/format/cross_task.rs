//! `cross-task`: what is remembered across tasks: an export, an index, or one task.

use serde_json::Value;

use super::parsed_record::{Context, ParsedRecord, ParsedRun};
use super::read::{self, Member as _, strings};
use super::rest::others;
use super::traits::Traits;
use super::{Format, Reading, detect, memory_reflection};
use crate::json::numeric::is_beyond;
use crate::model::details::Details;
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;
use crate::model::view::RewardView;

pub(crate) const FORMAT: Format = Format {
    id: "cross-task",
    title: "Memory across tasks",
    gives: "tasks with outcomes, reflections and learnings",
    known_by: "`tasks` with `exported_at` or `last_updated`; or `task_id` with `key_learnings`",
    found_at: "memory/task-index.json, memory/tasks/{id}.json, any export",
    fits,
    traits: Traits { marks: &["tasks", "exported_at"], rank: 10, ..Traits::USUAL },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    let tasks = value.get("tasks").and_then(Value::as_array);
    let is_list = tasks.is_some_and(|tasks| tasks.iter().all(Value::is_object))
        && (value.has("exported_at") || value.has("last_updated"));
    is_list || (value.has("task_id") && value.has("key_learnings"))
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let mut parsed = ParsedRecord::default();
    let Some(tasks) = value.get("tasks").and_then(Value::as_array) else {
        let run = task(value, "", &mut parsed.findings);
        parsed.runs.push(run);
        return parsed;
    };
    for (at, item) in tasks.iter().enumerate() {
        let run = task(item, &format!("/tasks/{at}"), &mut parsed.findings);
        parsed.runs.push(run);
    }
    parsed.findings.extend(total(value, tasks.len()));
    parsed
}

/// `cross/total`.
fn total(value: &Value, tasks: usize) -> Option<Finding> {
    let stored = value.integer("total_tasks")?;
    (i64::try_from(tasks) != Ok(stored)).then(|| {
        Finding::new(
            "cross/total",
            Severity::Warning,
            format!("The record contains {tasks} tasks, but states {stored}."),
        )
        .contrast(tasks.to_string(), stored.to_string())
        .hint("Tasks may be missing, or the count was not updated.")
        .pointer("/total_tasks")
    })
}

/// Members of a task that have a place.
const KNOWN: [&str; 9] = [
    "task_id",
    "task_description",
    "timestamp",
    "outcome",
    "iterations",
    "final_quality",
    "reflections",
    "key_learnings",
    "tags",
];

/// One task, which is one run. Attempts are those that wrote a reflection.
fn task(value: &Value, pointer: &str, findings: &mut Vec<Finding>) -> ParsedRun {
    let status = value.text("outcome");
    let (outcome, detail) = status.as_deref().map_or((Outcome::Unknown, None), Outcome::read);
    let about = RunDetails {
        key: value.text("task_id"),
        task: value.text("task_description"),
        end: value.text("timestamp"),
        outcome: (outcome != Outcome::Unknown).then_some(outcome),
        outcome_detail: detail.map(str::to_owned),
        status,
        counter: value.integer("iterations"),
        reward: reward(value, outcome, &format!("{pointer}/final_quality"), findings),
        lessons: strings(value.get("key_learnings")),
        tags: strings(value.get("tags")),
        texts: others(value, &KNOWN).collect(),
        ..RunDetails::default()
    };
    ParsedRun { about, steps: steps(value) }
}

/// Reflections of one number belong to one attempt.
fn steps(value: &Value) -> Vec<Details> {
    let mut steps: Vec<Details> = Vec::new();
    for item in value.items("reflections").filter(|item| item.is_object()) {
        let parsed_of = memory_reflection::details(item);
        let number = parsed_of.number.filter(|number| !is_beyond(*number));
        let same = steps.iter_mut().find(|s| number.is_some() && s.number == number);
        match same {
            Some(step) => {
                step.outcome = step.outcome.or(parsed_of.outcome);
                step.reflections.extend(parsed_of.reflections);
                step.texts.extend(parsed_of.texts);
            }
            None => steps.push(Details { key: None, ..parsed_of }),
        }
    }
    steps
}

/// The reward of the run. 0 of a success is what the writer puts where nothing was measured.
fn reward(
    value: &Value,
    outcome: Outcome,
    pointer: &str,
    findings: &mut Vec<Finding>,
) -> Option<RewardView> {
    let raw = value.get("final_quality")?;
    let number = read::number(raw)?;
    if number == 0.0 && outcome == Outcome::Success {
        findings.push(
            Finding::new(
                "cross/unset-quality",
                Severity::Info,
                "The task succeeded with quality 0. Its writer stores 0 if nothing was measured, so the task has no reward.",
            )
            .pointer(pointer),
        );
        return None;
    }
    detect::unit(Some(raw), pointer, findings)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::details::NamedText;

    fn parsed_of(value: &Value) -> ParsedRecord {
        assert!(fits(value, &Context::default()), "{value}");
        parse(value, &Context::default())
    }

    fn task_of(quality: f64, outcome: &str) -> Value {
        json!({"task_id": "t", "task_type": "ralph-loop", "timestamp": "2026-03-08T18:00:00Z",
        "outcome": outcome, "iterations": 3, "final_quality": quality, "key_learnings": ["A"],
        "reflections": [
            {"iteration": 2, "content": "B", "type": "error_analysis"},
            {"iteration": 3, "content": "C", "type": "success_pattern", "effectiveness": "helpful"},
            {"iteration": 2, "content": "D", "type": "error_analysis"},
        ]})
    }

    #[test]
    fn attempts_are_those_that_reflected() {
        let parsed = parsed_of(&task_of(0.9, "success"));
        let [run] = &parsed.runs[..] else { panic!("there is one") };
        assert_eq!((run.about.counter, run.about.outcome), (Some(3), Some(Outcome::Success)));
        assert_eq!(run.about.reward.as_ref().map(|r| r.value), Some(0.9));
        let steps: Vec<_> = run.steps.iter().map(|s| (s.number, s.reflections.len())).collect();
        assert_eq!(steps, [(Some(2), 2), (Some(3), 1)]);
        let texts = [NamedText { name: "task_type".to_owned(), text: "ralph-loop".to_owned() }];
        assert_eq!(run.about.texts, texts);
    }

    #[test]
    fn lists_are_counted_and_point_to_their_tasks() {
        let tasks = [task_of(0.0, "success"), task_of(0.0, "failure"), task_of(55.0, "partial")];
        let parsed =
            parsed_of(&json!({"exported_at": "2026-03-09", "total_tasks": 4, "tasks": tasks}));
        let found: Vec<_> =
            parsed.findings.iter().map(|f| (f.rule.as_ref(), f.pointer.as_deref())).collect();
        assert_eq!(
            found,
            [
                ("cross/unset-quality", Some("/tasks/0/final_quality")),
                ("reward/scale-mismatch", Some("/tasks/2/final_quality")),
                ("cross/total", Some("/total_tasks")),
            ]
        );
        let rewards: Vec<_> =
            parsed.runs.iter().map(|r| r.about.reward.as_ref().map(|r| r.value)).collect();
        assert_eq!(rewards, [None, Some(0.0), Some(0.55)]);
    }

    #[test]
    fn an_empty_index_is_one() {
        let parsed =
            parsed_of(&json!({"version": "1.0.0", "last_updated": "2026-03-09", "tasks": []}));
        assert!(parsed.runs.is_empty() && parsed.findings.is_empty());
    }
}
