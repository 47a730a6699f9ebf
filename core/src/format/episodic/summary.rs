//! `episodic-summary`: `summary.json` beside a task.

use serde_json::Value;

use super::super::parsed_record::{Context, ParsedRecord};
use super::super::read::{Member as _, numbers};
use super::super::rest::others;
use super::super::traits::{Role, Traits};
use super::super::{BY_PATH_ALONE, Format, Reading};
use crate::model::run_details::RunDetails;

pub(crate) const FORMAT: Format = Format {
    id: "episodic-summary",
    title: "Summary of a task",
    gives: "counts that the task is checked against",
    known_by: "the path of the file, not its content",
    found_at: "tasks/{task}/summary.json",
    // Its shape is defined nowhere.
    fits: BY_PATH_ALONE,
    traits: Traits {
        path: Some("tasks/*/summary.json"),
        rank: 13,
        role: Role::TaskSummary,
        ..super::TRAITS
    },
    reading: Reading::ParsedRecord(parse),
};

const KNOWN: [&str; 4] = ["task_id", "status", "total_attempts", "final_quality"];

/// What the task can be checked against. The outcome is left to `metadata.json`, because the summary only
/// repeats it.
fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    ParsedRecord::of_run(RunDetails {
        key: value.text("task_id"),
        status: value.text("status"),
        counter: value.integer("total_attempts"),
        counters: numbers(value, &["total_attempts", "final_quality"]),
        texts: others(value, &KNOWN).collect(),
        ..RunDetails::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::FormatId;
    use serde_json::json;

    #[test]
    fn a_path_shows_it() {
        assert!(FormatId::EpisodicSummary.is_at("x/tasks/task-7/summary.json"));
        assert!(FormatId::EpisodicSummary.is_at("tasks/task-7/summary.json"));
        for path in ["summary.json", "tasks/summary.json", "tasks/a/b/summary.json"] {
            assert!(!FormatId::EpisodicSummary.is_at(path), "{path}");
        }
        let value = json!({"status": "completed", "total_attempts": 3, "words": ["a"]});
        let about = &parse(&value, &Context::default()).runs[0].about;
        assert_eq!((about.counter, about.outcome, about.texts.len()), (Some(3), None, 1));
    }
}
