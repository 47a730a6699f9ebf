//! `loop-registry`: the loops that a launcher or a manager knows. It describes
//! runs; their iterations stand in their states.

use serde_json::Value;

use super::loop_state::state;
use super::parsed_record::{Context, ParsedRecord};
use super::read::Member as _;
use super::traits::{Role, Traits};
use super::{Format, Reading};
use crate::json::pointer::escape;

pub(crate) const FORMAT: Format = Format {
    id: "loop-registry",
    title: "Registry of loops",
    gives: "descriptions of runs, whose files need not be opened",
    known_by: "an array `active_loops`; or an object `loops` whose values have `pid`",
    found_at: "registry.json, launcher-registry.json",
    fits,
    traits: Traits { marks: &["active_loops"], rank: 13, role: Role::Registry, ..Traits::USUAL },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format. A launcher that knows no loop any more still dates its file.
fn fits(value: &Value, _context: &Context) -> bool {
    let is_launcher = value.get("loops").and_then(Value::as_object).is_some_and(|loops| {
        if loops.is_empty() {
            value.has("updatedAt") && !value.has("patterns")
        } else {
            loops.values().all(|entry| entry.has("pid"))
        }
    });
    value.get("active_loops").is_some_and(Value::is_array) || is_launcher
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let mut parsed = ParsedRecord::default();
    for (i, entry) in value.items("active_loops").enumerate() {
        state::parse(&mut parsed, entry, &format!("/active_loops/{i}"));
    }
    for (id, entry) in value.get("loops").and_then(Value::as_object).into_iter().flatten() {
        let first = parsed.runs.len();
        state::parse(&mut parsed, entry, &format!("/loops/{}", escape(id)));
        for run in parsed.runs.iter_mut().skip(first) {
            let key = run.about.key.get_or_insert_with(|| id.clone());
            if key != id {
                run.about.aliases.push(id.clone());
            }
        }
    }
    parsed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::outcome::Outcome;
    use serde_json::json;

    #[test]
    fn a_registry_of_many_describes_its_loops() {
        let value = json!({"version": "2.0.0", "active_loops": [{
            "loop_id": "ralph-a", "task_summary": "Tidy", "status": "paused", "owner": "me",
            "started_at": "2026-03-09T08:00:00Z", "iteration": 2, "max_iterations": 5,
            "completion_criteria": "lint clean", "tags": ["lint"], "priority": "high"
        }], "total_active": 1});
        assert!(fits(&value, &Context::default()));
        let parsed = parse(&value, &Context::default());
        let about = &parsed.runs[0].about;
        assert_eq!(about.key.as_deref(), Some("ralph-a"));
        assert_eq!((about.counter, about.max_iterations), (Some(2), Some(5)));
        assert_eq!(
            (about.outcome, about.outcome_detail.as_deref()),
            (Some(Outcome::Running), Some("paused"))
        );
        assert_eq!((about.criteria.len(), about.tags.len(), about.texts.len()), (1, 1, 2));
        assert!(parsed.runs[0].steps.is_empty());
        assert_eq!(parsed.findings, []);
    }

    #[test]
    fn the_name_of_an_entry_is_its_id_or_an_alias() {
        let entry = |id: Option<&str>| json!({"pid": 1, "objective": "Tidy", "loopId": id});
        let value =
            json!({"loops": {"a": entry(Some("a")), "b": entry(None), "c": entry(Some("d"))}});
        assert!(fits(&value, &Context::default()));
        let parsed = parse(&value, &Context::default());
        let names: Vec<_> =
            parsed.runs.iter().map(|r| (r.about.key.as_deref(), r.about.aliases.len())).collect();
        assert_eq!(names, [(Some("a"), 0), (Some("b"), 0), (Some("d"), 1)]);
        let empty = json!({"version": "1.0.0", "loops": {}, "updatedAt": "2026-03-09T08:00:00Z"});
        assert!(fits(&empty, &Context::default()));
        assert!(parse(&empty, &Context::default()).runs.is_empty());
        assert!(!fits(&json!({"loops": {}, "patterns": []}), &Context::default()));
    }
}
