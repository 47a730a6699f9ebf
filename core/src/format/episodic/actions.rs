//! `episodic-actions`: a line of `actions.jsonl`.

use serde_json::Value;

use super::super::extracted::Extracted;
use super::super::parsed_record::{Context, ParsedRecord};
use super::super::read::Member as _;
use super::super::rest::{as_text, others};
use super::super::slot::Slot;
use super::super::traits::{NumberedBy, Part, Role, Traits};
use super::super::{Format, Reading, table_of};
use crate::json::shape::{Kind, Shape, Table, may};
use crate::model::details::{Action, Details, ErrorDetails, NamedText, SubStep};
use crate::validate::schema::Schema;

pub(crate) const FORMAT: Format = Format {
    id: "episodic-actions",
    title: "Actions of an attempt",
    gives: "actions with reasoning, expectation and result",
    known_by: "`tool`, or `type` with `params`, `reasoning` or `expected_outcome`",
    found_at: "tasks/{task}/attempts/NNN/actions.jsonl",
    fits,
    traits: Traits {
        marks: &["tool", "params"],
        role: Role::Part(Part::Action),
        schema: Some(Schema::Action),
        numbered_by: NumberedBy::Folder,
        ..super::TRAITS
    },
    reading: Reading::Plain {
        table: table_of!(Table::of_shape(&PLAIN, Slot::None)),
        fits: is_action,
        errors,
        parse,
    },
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

/// Bits of `Said::marks`: a record has `tool` or `type`; it has another member that marks an action; its
/// `success` is false; its `error` is not empty.
const NAMED: u8 = 1;
const SAID: u8 = 2;
const FAILED: u8 = 4;
const ERROR: u8 = 8;

const OPEN: Shape<Slot> = Shape { is_open: true, members: &[] };

/// The members of nearly all actions, in the order in which a memory writes them. No earlier format of the
/// table is recognised by any of them, so a record of this shape needs no other test.
const PLAIN: Shape<Slot> = Shape {
    is_open: false,
    members: &[
        may("timestamp", Kind::Text, Slot::None),
        may("type", Kind::Text, Slot::Mark(NAMED)),
        may("iteration", Kind::Integer, Slot::None),
        may("tool", Kind::Text, Slot::Mark(NAMED)),
        may("params", Kind::Object(&OPEN), Slot::Mark(SAID)),
        may("success", Kind::Flag, Slot::MarkFalse(FAILED)),
        may("output", Kind::Text, Slot::None),
        may("error", Kind::Text, Slot::MarkText(ERROR)),
        may("reasoning", Kind::Text, Slot::Mark(SAID)),
        may("expected_outcome", Kind::Text, Slot::Mark(SAID)),
        may("task_id", Kind::Text, Slot::Key),
        may("attempt_id", Kind::Integer, Slot::Number),
        may("description", Kind::Text, Slot::None),
        may("command", Kind::Text, Slot::None),
        may("file_path", Kind::Text, Slot::None),
        may("quality", Kind::Number, Slot::None),
    ],
};

/// Whether what was gathered along [`PLAIN`] passes the test of the format.
fn is_action(extracted: &Extracted) -> bool {
    extracted.said.marks & (NAMED | SAID) == NAMED | SAID
}

/// The errors of a plain action, as [`parse`] has them.
fn errors(extracted: &Extracted) -> Option<u32> {
    (extracted.said.marks & (FAILED | ERROR) == FAILED | ERROR).then_some(1)
}

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    (value.has("tool") || value.has("type"))
        && ["params", "reasoning", "expected_outcome"].into_iter().any(|name| value.has(name))
}

/// One action of an attempt. `attempt_id` is the number of the attempt; without it, only the path says it.
fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let has_failed = value.flag("success") == Some(false);
    let error = value.get("error").and_then(as_text).filter(|text| !text.is_empty());
    let errors = error.clone().filter(|_| has_failed).map(ErrorDetails::other);
    let unplaced = error.filter(|_| !has_failed);
    let unplaced = unplaced.map(|text| NamedText { name: "error".to_owned(), text });
    ParsedRecord::of_step(Details {
        key: value.text("task_id"),
        number: value.iteration("attempt_id"),
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
    use super::super::super::FormatId;
    use super::*;
    use crate::history::History;
    use crate::json::pass;
    use crate::model::id::{RecordId, RunId};
    use crate::validate::Profile;
    use serde_json::json;

    /// A member of every name that the shape knows.
    fn all() -> Vec<(&'static str, Value)> {
        let value = |kind: &Kind<Slot>| match kind {
            Kind::Integer => json!(2),
            Kind::Number => json!(0.5),
            Kind::Flag => json!(false),
            Kind::Object(_) => json!({"command": "make"}),
            _ => json!("2026-03-05T09:01:00Z"),
        };
        PLAIN.members.iter().map(|member| (member.name, value(&member.kind))).collect()
    }

    fn scanned(value: &Value) -> Option<Extracted> {
        let mut extracted = Extracted::default();
        let table = FormatId::EpisodicActions.table().expect("it has one");
        let mut deviations = Vec::new();
        let mut order = pass::Order::default();
        let read =
            pass::read(&value.to_string(), table, &mut extracted, &mut deviations, &mut order);
        let is_plain = read.is_ok() && deviations.is_empty();
        (is_plain && extracted.fit(FormatId::EpisodicActions)).then_some(extracted)
    }

    #[test]
    fn what_the_shape_takes_is_of_no_format_before() {
        let all = all();
        let mut plain = 0;
        let mut check = |members: &[&(&'static str, Value)]| {
            let members = members.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
            let value = Value::Object(members.collect());
            let Some(extracted) = scanned(&value) else { return };
            let context = Context::default();
            let fitting: Vec<_> = FormatId::fitting(&value, &context).collect();
            assert_eq!(fitting, [FormatId::EpisodicActions], "{value}");
            let step = parse(&value, &context).runs.remove(0).steps.remove(0);
            assert_eq!((extracted.key, extracted.said.number), (step.key, step.number), "{value}");
            plain += 1;
        };
        // Formats are known by three members at most; the fourth stands for all others.
        for a in &all {
            for b in &all {
                for c in &all {
                    for d in all.iter().take(2) {
                        check(&[a, b, c, d]);
                    }
                }
            }
        }
        check(&all.iter().collect::<Vec<_>>());
        assert!(plain > 1000, "only {plain}");
    }

    #[test]
    fn a_row_counts_the_errors_that_parsing_finds() {
        for (success, error) in
            [("false", "\"e\""), ("false", "\"\""), ("true", "\"e\""), ("false", "\"\\n\"")]
        {
            let text =
                format!(r#"{{"type":"a","reasoning":"b","success":{success},"error":{error}}}"#);
            let value: Value = serde_json::from_str(&text).expect("it is JSON");
            let parsed =
                parse(&value, &Context::default()).runs.remove(0).steps.remove(0).errors.len();
            let extracted = scanned(&value).expect("it is plain");
            assert_eq!(errors(&extracted).unwrap_or(0) as usize, parsed, "{text}");
        }
        for odd in [
            json!({"type": 1, "reasoning": "b"}),
            json!({"type": "a", "params": []}),
            json!({"type": "a", "reasoning": "b", "own": 1}),
            json!({"type": "a"}),
        ] {
            assert!(scanned(&odd).is_none(), "{odd}");
        }
    }

    fn history(log: &str) -> (History, Vec<u8>) {
        let mut history = History::new(Profile::Lenient);
        let source = history.open("m/tasks/t/attempts/003/actions.jsonl");
        history.push(source, log.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
        (history, log.as_bytes().to_vec())
    }

    #[test]
    fn a_row_alone_says_what_a_parsed_record_does() {
        let line = |n: usize, own: &str| {
            let key = if n == 4 { r#""task_id":"t","attempt_id":3,"# } else { "" };
            format!(
                "{{\"type\":\"bash\",{key}\"params\":{{\"n\":{n}}},\"success\":{},\"error\":\"exit {n}\"{own}}}\n",
                n.is_multiple_of(2)
            )
        };
        let log = |own: &str| (0..6).map(|n| line(n, own)).collect::<String>();
        let (plain, bytes) = history(&log(""));
        // With a member that the shape does not know, each is parsed.
        let (parsed, parsed_bytes) = history(&log(r#","own":1"#));
        let view = |history: &History| {
            let run = history.run(RunId::at(0)).expect("there is one");
            (
                serde_json::to_value(run.view()).expect("data"),
                serde_json::to_value(run.iterations()).expect("data"),
            )
        };
        assert_eq!(view(&plain), view(&parsed));
        assert_eq!((plain.run_count(), plain.findings().len()), (1, 0));
        for n in 0..6 {
            let id = RecordId::at(n);
            let details = |history: &History, bytes: &[u8]| {
                let span = history.locate(id).expect("it is there");
                let bytes = &bytes[usize::try_from(span.start).expect("short")
                    ..usize::try_from(span.end).expect("short")];
                let mut details = history.inspect(id, 0, bytes).expect("these are its bytes");
                details.texts.clear();
                details
            };
            assert_eq!(details(&plain, &bytes), details(&parsed, &parsed_bytes));
        }
        let loaded_run = plain.loaded_run(RunId::at(0)).expect("there is one");
        assert_eq!(
            (loaded_run.needs().len(), loaded_run.needs_about().len()),
            (6, 0),
            "an action says nothing of the run"
        );
        let other = line(4, "").replace(r#""task_id":"t""#, r#""task_id":"u""#);
        let error = plain.inspect(RecordId::at(4), 0, other.trim_end().as_bytes());
        assert!(error.is_err(), "the file was written anew meanwhile");
    }

    fn step(value: &Value) -> Details {
        assert!(fits(value, &Context::default()));
        parse(value, &Context::default()).runs.remove(0).steps.remove(0)
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
