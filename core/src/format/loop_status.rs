//! `loop-status`: what the status commands print.

use serde_json::Value;

use super::loop_state::{checks, is_state, state};
use super::parsed_record::{Context, ParsedRecord};
use super::read::Member as _;
use super::traits::Traits;
use super::{Format, Reading};

pub(crate) const FORMAT: Format = Format {
    id: "loop-status",
    title: "Captured status output",
    gives: "runs with their state",
    known_by: "`loopId` with `state`; `loops` of `loop_id` and `task_summary`; or `active: false` with a reason",
    found_at: "captured output, of any name",
    fits,
    traits: Traits { marks: &["loopId", "state"], rank: 10, ..Traits::USUAL },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format. A single state with an id is a `loop-state`.
fn fits(value: &Value, context: &Context) -> bool {
    let is_state = is_state(value);
    let has_id = value.has("loopId");
    (context.is_item && has_id && is_state)
        || (has_id && value.object("state").is_some())
        || is_list(value)
        || (value.flag("active") == Some(false) && is_nothing(value) && !is_state)
}

/// `{loops: [registry entries]}`.
fn is_list(value: &Value) -> bool {
    let is_entry = |v: &Value| v.has("loop_id") && v.has("task_summary");
    let loops = value.get("loops").and_then(Value::as_array);
    loops.is_some_and(|loops| !loops.is_empty() && loops.iter().all(is_entry))
}

/// There is no loop, and why.
fn is_nothing(value: &Value) -> bool {
    ["reason", "message"].iter().any(|name| value.get(name).is_some_and(Value::is_string))
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let mut parsed = ParsedRecord::default();
    if is_state(value) {
        state::parse(&mut parsed, value, "");
    } else if let Some(inner) = value.object("state") {
        state::parse(&mut parsed, inner, "/state");
        name(&mut parsed, value);
    } else if is_list(value) {
        for (i, entry) in value.items("loops").enumerate() {
            state::parse(&mut parsed, entry, &format!("/loops/{i}"));
        }
    } else {
        let why = ["reason", "message"].iter().find_map(|name| value.text(name));
        parsed.findings.push(checks::idle(why.as_deref(), ""));
    }
    parsed
}

/// The id beside a state is the key; another one inside it is an alias.
fn name(parsed: &mut ParsedRecord, value: &Value) {
    let Some(key) = value.text("loopId") else { return };
    for run in &mut parsed.runs {
        let inner = run.about.key.replace(key.clone()).filter(|inner| *inner != key);
        run.about.aliases.extend(inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn keys(value: &Value, is_item: bool) -> Vec<Option<String>> {
        let context = Context { is_item, ..Context::default() };
        assert!(fits(value, &context), "{value}");
        parse(value, &context).runs.into_iter().map(|run| run.about.key).collect()
    }

    #[test]
    fn four_shapes_are_read() {
        let state = json!({"loopId": "a", "task": "Lint", "status": "running", "maxIterations": 5});
        assert_eq!(keys(&state, true), [Some("a".to_owned())]);
        assert!(!fits(&state, &Context::default()), "alone it is a state");
        let around = json!({"loopId": "b", "state": {"task": "Lint", "status": "running"}});
        assert_eq!(keys(&around, false), [Some("b".to_owned())]);
        let list = json!({"loops": [
            {"loop_id": "c", "task_summary": "Lint"}, {"loop_id": "d", "task_summary": "Test"}
        ]});
        assert_eq!(keys(&list, false), [Some("c".to_owned()), Some("d".to_owned())]);
        assert!(keys(&json!({"active": false, "reason": "no_loops"}), false).is_empty());
        let nothing = json!({"active": false, "message": "Nothing runs"});
        assert!(keys(&nothing, false).is_empty());
        let said = parse(&nothing, &Context::default()).findings;
        assert!(
            said[0].rule == "state/idle" && said[0].message.ends_with("It says: Nothing runs.")
        );
        assert!(!fits(&json!({"active": true, "reason": "x"}), &Context::default()));
        assert!(!fits(&json!({"loops": []}), &Context::default()));
    }

    #[test]
    fn an_id_inside_is_an_alias() {
        let value = json!({"loopId": "a", "state": {"loopId": "uuid", "task": "Lint"}});
        let parsed = parse(&value, &Context::default());
        assert_eq!(parsed.runs[0].about.key.as_deref(), Some("a"));
        assert_eq!(parsed.runs[0].about.aliases, ["uuid"]);
    }
}
