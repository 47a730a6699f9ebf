//! What an export leaves out is nowhere in it, and the rest opens again.

use hindscope::{ExportKind, ExportOptions, JsonQuery};
use hindscope_tests::{Input, export, fixtures, open, unpacked};
use serde_json::Value;

/// A record with what may be left out: in its members, in its tasks, and in members that no model has.
const RECORD: &str = r#"{"loop_id":"ralph-a","iteration":1,"timestamp":"2026-03-01T09:00:00Z","task_description":"Keep /home/ann/shop tidy","x":"PRINTED and tidy","actor_output":{"actions":[{"type":"command","description":"run","command":"pytest /home/ann/shop/tests/a.py","file_path":"/home/ann/shop/src/a.py"}],"rationale":"r"},"evaluator_output":{"passed":false,"verification_type":"unit_tests","results":[{"tool":"pytest","status":"fail","stdout":"PRINTED out","stderr":"PRINTED err"}],"errors":[{"type":"test_failure","message":"boom in /home/ann/shop/src/a.py","file":"/home/ann/shop/src/a.py","line":3,"stack_trace":"PRINTED stack"}],"reward_signal":0.5},"self_reflection":{"reflection_text":"The file /home/ann/shop/src/a.py was not saved before the tests ran."},"memory_metadata":{"omega_capacity":3,"current_memory_size":1}}"#;

fn everything() -> ExportOptions {
    ExportOptions { created: Some("2026-03-10T12:00:00Z".to_owned()), ..ExportOptions::default() }
}

fn nothing() -> ExportOptions {
    ExportOptions { outputs: false, prompts: false, paths: false, ..everything() }
}

fn written(files: &[Input], options: &ExportOptions) -> String {
    let history = open(files, usize::MAX);
    export(&history, files, None, options).expect("everything can be exported")
}

fn file(name: &str, text: &str) -> Vec<Input> {
    vec![Input::new(name, text)]
}

/// Whether a member of a name holds a text anywhere below a value.
fn holds(value: &Value, names: &[&str]) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, value)| {
            (value.is_string() && names.contains(&name.as_str())) || holds(value, names)
        }),
        Value::Array(items) => items.iter().any(|item| holds(item, names)),
        _ => false,
    }
}

#[test]
fn an_export_without_them_has_none_and_stays_what_it_is() {
    for fixture in fixtures().expect("fixtures can be read") {
        let whole = written(&fixture.files, &everything());
        let lean = written(&fixture.files, &nothing());
        let names = ["stdout", "stderr", "output", "stack", "task", "prompt"];
        for line in lean.lines() {
            let value: Value = serde_json::from_str(line).expect("it is JSON");
            // The `raw` of a reward stays.
            assert!(!holds(&value, &names) && value.get("raw").is_none(), "{line}");
        }
        let again = unpacked(&lean);
        assert_eq!(written(&again, &nothing()), lean, "{}", fixture.name);
        let of_whole = written(&unpacked(&whole), &nothing());
        assert_eq!(of_whole, lean, "{}", fixture.name);
    }
}

#[test]
fn each_is_left_out_by_itself_in_every_kind() {
    let files = file("/home/ann/shop/loop.jsonl", RECORD);
    let of = |options: &ExportOptions| written(&files, options);
    let whole = of(&everything());
    assert!(whole.contains("PRINTED") && whole.contains("tidy") && whole.contains("/home/ann"));
    let lean = of(&ExportOptions { outputs: false, ..everything() });
    assert!(!lean.contains("PRINTED"), "{lean}");
    assert!(lean.contains("tidy") && lean.contains("/home/ann/shop/src/a.py"), "{lean}");
    let lean = of(&ExportOptions { prompts: false, ..everything() });
    assert!(!lean.contains("tidy") && lean.contains("PRINTED out"), "{lean}");
    let kinds = [
        (ExportKind::History, JsonQuery::Run),
        (ExportKind::Json, JsonQuery::Run),
        (ExportKind::Json, JsonQuery::Explain),
        (ExportKind::Json, JsonQuery::Findings),
        (ExportKind::Markdown, JsonQuery::Run),
        (ExportKind::Report, JsonQuery::Run),
        (ExportKind::Csv, JsonQuery::Run),
    ];
    for (kind, query) in kinds {
        let lean = of(&ExportOptions { kind, query, ..nothing() });
        for word in ["PRINTED", "tidy", "home", "ann"] {
            let has_it = lean.split(|c: char| !c.is_alphanumeric()).any(|own| own == word);
            assert!(!has_it, "{kind:?} {word}: {lean}");
        }
        if matches!(kind, ExportKind::Markdown | ExportKind::Report) {
            let whole = of(&ExportOptions { kind, query, ..everything() });
            assert!(whole.contains("/home/ann/"), "{whole}");
            assert!(lean.contains("\u{2026}/a"), "{lean}");
        }
    }
}

#[test]
fn a_report_keeps_its_style() {
    let files = file("/home/ann/shop/loop.jsonl", RECORD);
    let report = ExportOptions { kind: ExportKind::Report, ..everything() };
    let style = |text: &str| {
        text.split_once("<style>")
            .and_then(|(_, rest)| rest.split_once("</style>"))
            .map(|s| s.0.to_owned())
    };
    let lean = written(&files, &ExportOptions { paths: false, ..report.clone() });
    assert_eq!(style(&lean), style(&written(&files, &report)));
}
