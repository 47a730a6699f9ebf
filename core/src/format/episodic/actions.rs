//! `episodic-actions`: a line of `actions.jsonl` (formats.md, 4.5).

use serde_json::Value;

use super::super::account::{Account, Context};
use super::super::read::Member as _;
use super::super::rest::{as_text, others};
use super::super::{BY_CONTENT, Family, Format, FormatInfo, Reading};
use crate::history::details::{Action, Details, ErrorDetails, NamedText, SubStep};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "episodic-actions",
        title: "Actions of an attempt",
        gives: "actions with reasoning, expectation and result",
        known_by: "`tool`, or `type` with `params`, `reasoning` or `expected_outcome`",
        found_at: "tasks/{task}/attempts/NNN/actions.jsonl",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["tool", "params"],
    base: Some(1),
    rank: 2,
    reading: Reading::Account(tell),
};

const KNOWN: [&str; 15] = [
    "task_id",
    "attempt_id",
    "type",
    "tool",
    "params",
    "success",
    "output",
    "error",
    "reasoning",
    "expected_outcome",
    "timestamp",
    "iteration",
    "description",
    "command",
    "file_path",
];

/// The test of formats.md section 3.
fn fits(value: &Value, _context: &Context) -> bool {
    let has = |name: &str| value.get(name).is_some();
    (has("tool") || has("type")) && ["params", "reasoning", "expected_outcome"].into_iter().any(has)
}

/// One action: a piece of an attempt, whose number stands in the path alone.
fn tell(value: &Value, _context: &Context) -> Account {
    let has_failed = value.flag("success") == Some(false);
    let error = value.get("error").and_then(as_text).filter(|text| !text.is_empty());
    let errors = error.clone().filter(|_| has_failed).map(|message| ErrorDetails {
        kind: "other".to_owned(),
        message,
        ..ErrorDetails::default()
    });
    let unplaced = error.filter(|_| !has_failed);
    let unplaced = unplaced.map(|text| NamedText { name: "error".to_owned(), text });
    Account::of_step(Details {
        key: value.text("task_id"),
        number: value.integer("attempt_id"),
        steps: value
            .integer("iteration")
            .map(|number| SubStep { number, reward: None })
            .into_iter()
            .collect(),
        errors: errors.into_iter().collect(),
        actions: vec![action(value)],
        texts: unplaced.into_iter().chain(others(value, &KNOWN)).collect(),
        ..Details::default()
    })
}

fn action(value: &Value) -> Action {
    let params = value.get("params").filter(|params| !params.is_null());
    let of_params = |name: &str| params?.text(name);
    Action {
        kind: value.text("type").or_else(|| value.text("tool")).unwrap_or_default(),
        description: value.text("description").unwrap_or_default(),
        path: value
            .text("file_path")
            .or_else(|| of_params("file_path"))
            .or_else(|| of_params("path")),
        command: value.text("command").or_else(|| of_params("command")),
        time: value.text("timestamp"),
        tool: value.text("tool"),
        params: params.map(Value::to_string),
        success: value.flag("success"),
        output: value.get("output").and_then(as_text),
        reasoning: value.text("reasoning"),
        expected: value.text("expected_outcome"),
        ..Action::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn step(value: &Value) -> Details {
        assert!(fits(value, &Context::default()));
        tell(value, &Context::default()).runs.remove(0).steps.remove(0)
    }

    #[test]
    fn a_line_is_one_action_without_an_attempt() {
        let step = step(&json!({"type": "bash", "tool": "shell", "params": {"command": "make"},
            "success": false, "output": "", "error": "exit 2", "reasoning": "Build first.",
            "expected_outcome": "a binary", "timestamp": "2026-03-05T09:01:00Z", "iteration": 1}));
        assert_eq!((step.number, step.time, step.outcome), (None, None, None));
        let [action] = &step.actions[..] else { panic!("one") };
        assert_eq!((action.kind.as_str(), action.command.as_deref()), ("bash", Some("make")));
        assert_eq!(action.params.as_deref(), Some(r#"{"command":"make"}"#));
        assert_eq!(action.expected.as_deref(), Some("a binary"));
        assert_eq!(
            (step.errors[0].kind.as_str(), step.errors[0].message.as_str()),
            ("other", "exit 2")
        );
        assert_eq!(step.steps, [SubStep { number: 1, reward: None }]);
    }

    #[test]
    fn an_error_counts_where_the_action_failed() {
        let step = step(&json!({"tool": "grep", "params": {}, "success": true, "error": "warned"}));
        assert!(step.errors.is_empty());
        assert_eq!(step.texts[0].text, "warned");
        assert_eq!(step.actions[0].kind, "grep");
        assert!(!fits(&json!({"type": "grep"}), &Context::default()));
    }
}
