//! `episodic-index`: which tasks there are, by status or agent.

use serde_json::Value;

use super::super::parsed_record::{Context, ParsedRecord, ParsedRun};
use super::super::read::{Member as _, text};
use super::super::rest::others;
use super::super::traits::{Role, Traits};
use super::super::{BY_PATH_ALONE, Format, Reading};
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;

pub(crate) const FORMAT: Format = Format {
    id: "episodic-index",
    title: "Index of an episodic memory",
    gives: "lists of tasks, whose files need not be opened",
    known_by: "the path of the file, not its content",
    found_at: "index/by-status.json, index/by-agent.json",
    // Objects of lists are many things.
    fits: BY_PATH_ALONE,
    traits: Traits {
        path: Some("index/by-*.json"),
        rank: 13,
        role: Role::TaskIndex,
        ..super::TRAITS
    },
    reading: Reading::ParsedRecord(parse),
};

/// A run for each task that it names; its attempts stand elsewhere, or are not open.
fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let entries = || value.as_object().into_iter().flatten();
    // Nothing but its keys says what the index is by.
    let is_status = |key: &String| Outcome::read(key).0 != Outcome::Unknown;
    let is_by_status = entries().all(|(key, _)| is_status(key));
    let run = |word: &String, item: &Value| {
        let key = text(item).or_else(|| item.text("id")).or_else(|| item.text("task_id"))?;
        let status = is_by_status.then(|| word.clone());
        let agent = (!is_by_status).then(|| word.clone());
        let texts = others(item, &["id", "task_id"]).collect();
        let about = RunDetails { key: Some(key), status, agent, texts, ..RunDetails::default() };
        Some(ParsedRun { about, steps: Vec::new() })
    };
    let tasks = entries().flat_map(|(word, items)| {
        let items = items.as_array().into_iter().flatten();
        items.filter_map(move |item| run(word, item))
    });
    ParsedRecord { runs: tasks.collect(), findings: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::FormatId;
    use serde_json::json;

    #[test]
    fn it_names_tasks_by_status_or_agent() {
        assert!(FormatId::EpisodicIndex.is_at("a/.aiwg/ralph/index/by-status.json"));
        assert!(!FormatId::EpisodicIndex.is_at("index/by-status.jsonl"));
        assert!(!FormatId::EpisodicIndex.is_at("other/by-status.json"));
        let parsed_of = |value: &Value| {
            let runs = parse(value, &Context::default()).runs;
            let about = runs.into_iter().map(|run| run.about);
            about.map(|a| (a.key.unwrap_or_default(), a.status, a.agent)).collect::<Vec<_>>()
        };
        let word = |word: &str| Some(word.to_owned());
        assert_eq!(
            parsed_of(&json!({"completed": ["t-1"], "failed": [{"id": "t-2"}, 3], "paused": []})),
            [
                ("t-1".to_owned(), word("completed"), None),
                ("t-2".to_owned(), word("failed"), None),
                ("3".to_owned(), word("failed"), None)
            ]
        );
        assert_eq!(
            parsed_of(&json!({"coder": ["t-1"]})),
            [("t-1".to_owned(), None, word("coder"))]
        );
        assert!(parsed_of(&json!({})).is_empty());
    }
}
