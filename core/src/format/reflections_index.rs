//! `reflections-index`: what a hook keeps of all loops. It describes runs whose
//! files may not be open, and patterns that belong to none.

use serde_json::Value;

use super::members::{Members, text_of};
use super::parsed_record::{Context, ParsedRecord, ParsedRun};
use super::read::Member as _;
use super::traits::{Role, Traits};
use super::{Format, Reading};
use crate::json::pointer::escape;
use crate::model::details::NamedText;
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;

pub(crate) const FORMAT: Format = Format {
    id: "reflections-index",
    title: "Index of reflections",
    gives: "descriptions of runs and patterns",
    known_by: "an object `loops` and an array `patterns`, with `total_loops` or `total_reflections`",
    found_at: "reflections/index.yaml",
    fits,
    traits: Traits {
        marks: &["loops", "patterns"],
        rank: 13,
        role: Role::FolderIndex,
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.object("loops").is_some()
        && value.get("patterns").is_some_and(Value::is_array)
        && (value.has("total_loops") || value.has("total_reflections"))
}

/// One run a loop; the patterns stand with a run without key, as they speak of all.
fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let mut parsed = ParsedRecord::default();
    for (id, entry) in value.get("loops").and_then(Value::as_object).into_iter().flatten() {
        let at = format!("/loops/{}", escape(id));
        let mut members = Members::of(entry, at.as_str());
        let about = about(&mut members, id);
        parsed.findings.append(&mut members.findings);
        parsed.runs.push(ParsedRun { about, steps: Vec::new() });
    }
    let patterns: Vec<NamedText> = value
        .items("patterns")
        .map(|pattern| NamedText { name: "pattern".to_owned(), text: text_of(pattern) })
        .collect();
    if !patterns.is_empty() {
        let about = RunDetails { texts: patterns, ..RunDetails::default() };
        parsed.runs.push(ParsedRun { about, steps: Vec::new() });
    }
    parsed
}

fn about(members: &mut Members<'_>, id: &str) -> RunDetails {
    let status = members.text(&["outcome", "status"]);
    let read = status.as_deref().map(Outcome::read);
    let (outcome, detail) = read.filter(|(o, d)| *o != Outcome::Unknown || d.is_some()).unzip();
    RunDetails {
        key: Some(id.to_owned()),
        task: members.text(&["task"]),
        start: members.time(&["started", "started_at"]),
        end: members.time(&["completed", "completed_at"]),
        counter: members.integer(&["iterations"]),
        status,
        outcome,
        outcome_detail: detail.flatten().map(str::to_owned),
        texts: members.rest(""),
        ..RunDetails::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn loops_are_runs_and_patterns_speak_of_all() {
        let value = json!({
            "loops": {"ralph-a": {
                "task": "Fix it", "started": "2026-03-02T13:00:00Z", "iterations": 2,
                "outcome": "success", "reflections_path": "loops/ralph-a/"
            }},
            "patterns": [{"pattern_id": "p", "frequency": 3}],
            "total_loops": 1, "total_reflections": 2, "last_updated": null
        });
        assert!(fits(&value, &Context::default()));
        let parsed = parse(&value, &Context::default());
        let [run, all] = &parsed.runs[..] else { panic!("a loop, and the patterns") };
        assert_eq!((run.about.counter, run.about.outcome), (Some(2), Some(Outcome::Success)));
        assert_eq!(run.about.texts[0].name, "reflections_path");
        assert_eq!((all.about.key.as_deref(), all.about.texts.len()), (None, 1));
        assert_eq!(all.about.texts[0].text, r#"{"pattern_id":"p","frequency":3}"#);
    }

    #[test]
    fn an_empty_index_is_valid() {
        let value = json!({"loops": {}, "patterns": [], "total_loops": 0, "last_updated": null});
        assert!(fits(&value, &Context::default()));
        assert!(parse(&value, &Context::default()).runs.is_empty());
    }
}
