//! Records that describe many runs: read once for an export.

use std::fmt::Write as _;

use hindscope::{ExportKind, ExportOptions, History, JsonQuery, RunId};
use hindscope_tests::{Input, bytes_of, export, open, unpacked};

fn of_kind(kind: ExportKind) -> ExportOptions {
    let created = Some("2026-03-10T12:00:00Z".to_owned());
    ExportOptions { kind, created, ..ExportOptions::default() }
}

fn file(name: &str, text: &str) -> Vec<Input> {
    vec![Input::new(name, text)]
}

/// An export of a memory across tasks. Tasks have none, one or two attempts.
fn tasks(count: usize) -> String {
    let one = |n: usize| {
        let reflections: Vec<String> = (1..=n % 3)
            .map(|i| format!(r#"{{"iteration": {i}, "content": "Lesson {n}.{i}", "type": "x"}}"#))
            .collect();
        format!(
            r#"{{"task_id": "t-{n:05}", "task_description": "T\u0061sk {n}", "outcome": "failure", "final_quality": 0.50, "key_learnings": [], "reflections": [{}]}}"#,
            reflections.join(", ")
        )
    };
    let tasks: Vec<String> = (0..count).map(one).collect();
    format!(
        "{{\"exported_at\": \"2026-03-09T00:00:00Z\", \"total_tasks\": {count}, \"owner\": \"o\", \"tasks\": [\n{}\n]}}\n",
        tasks.join(",\n")
    )
}

/// The same in YAML, of a hook: loops by their ids.
fn loops(count: usize) -> String {
    let mut text = format!("total_loops: {count}\nloops:\n");
    for n in 0..count {
        let _ = write!(
            text,
            "  l-{n:05}:\n    task: Tidy {n} # by hand\n    outcome: failure\n    iterations: 1.0\n"
        );
    }
    text.push_str("patterns: []\n");
    text
}

fn registry(count: usize) -> String {
    let one = |n: usize| {
        format!(
            r#"{{"loop_id":"l-{n:05}","task_summary":"Tidy {n}","status":"paused","iteration":2}}"#
        )
    };
    let loops: Vec<String> = (0..count).map(one).collect();
    format!(r#"{{"active_loops":[{}]}}"#, loops.join(","))
}

fn by_status(count: usize) -> String {
    let ids: Vec<String> = (0..count).map(|n| format!(r#""t-{n:05}""#)).collect();
    format!(r#"{{"failed":[{}],"completed":["u~/1"]}}"#, ids.join(","))
}

fn with_bom(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Everything that describes many runs.
fn kinds(count: usize) -> Vec<(Vec<Input>, &'static str)> {
    let quoted = serde_json::to_string(&tasks(count)).expect("it is text");
    let comma = tasks(count).replace("\n]}", ",\n]}");
    let mut broken = tasks(count).into_bytes();
    let at = tasks(count).find("\"o\"").expect("it is there");
    broken[at + 1] = 0xff;
    let mut utf16 = vec![0xff, 0xfe];
    utf16.extend(with_bom(&tasks(count)));
    let raw = |bytes: Vec<u8>| vec![Input { name: "tasks.json".to_owned(), bytes }];
    let all = vec![
        (file("tasks.json", &tasks(count)), "tasks"),
        (file("tasks.json", &format!("[{}]", tasks(count))), "tasks in a list"),
        (file("tasks.json", &comma), "repaired tasks"),
        (file("tasks.json", &quoted), "quoted tasks"),
        (raw(broken), "tasks that are no text"),
        (raw(utf16), "tasks in UTF-16"),
        (file("reflections/index.yaml", &loops(count)), "loops in YAML"),
        (file("registry.json", &registry(count)), "registry"),
        (file("index/by-status.json", &by_status(count)), "index"),
    ];
    for (files, name) in &all {
        assert!(open(files, usize::MAX).run_count() >= count, "{name}");
    }
    all
}

/// An export, and how often it asked for a record.
fn counted(history: &History, files: &[Input], options: &ExportOptions) -> (String, usize) {
    let mut export = history.export(None, options.clone()).expect("it can be");
    let (mut text, mut needs) = (String::new(), 0);
    loop {
        for span in history.needs_of_export(&export) {
            needs += 1;
            let bytes = bytes_of(history, files, span.record);
            history.supply(&mut export, span.record, bytes).expect("these are its bytes");
        }
        match history.write(&mut export).expect("everything was supplied") {
            Some(piece) => text.push_str(&piece),
            None => return (text, needs),
        }
    }
}

fn whole(files: &[Input]) -> String {
    counted(&open(files, usize::MAX), files, &of_kind(ExportKind::History)).0
}

#[test]
fn an_export_reads_a_record_once() {
    let queries = [JsonQuery::Run, JsonQuery::Explain];
    let answers = queries.map(|query| ExportOptions { query, ..of_kind(ExportKind::Json) });
    let lean = ExportOptions { originals: false, ..of_kind(ExportKind::History) };
    let others = [ExportKind::History, ExportKind::Csv, ExportKind::Markdown].map(of_kind);
    for (files, name) in kinds(40) {
        let history = open(&files, usize::MAX);
        for options in others.iter().chain(&answers).chain([&lean]) {
            let (text, needs) = counted(&history, &files, options);
            assert_eq!(needs, 1, "{name}, {:?}", options.kind);
            // And says what each run says by itself.
            if options.kind != ExportKind::History && name == "tasks" {
                for at in [0, 20, 39] {
                    let one = export(&history, &files, Some(&[RunId(at)]), options);
                    let one = one.expect("it can be");
                    let line = one.lines().find(|l| l.contains(&format!("t-{at:05}")));
                    assert!(
                        line.is_none_or(|l| text.contains(l.trim_end_matches("]}"))),
                        "{line:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn runs_come_back_by_themselves_and_together() {
    for (files, name) in kinds(9) {
        let history = open(&files, usize::MAX);
        let text = whole(&files);
        let again = unpacked(&text);
        assert_eq!(whole(&again), text, "{name}");
        let reopened = open(&again, usize::MAX);
        let lean = ExportOptions { originals: false, ..of_kind(ExportKind::History) };
        let without = counted(&history, &files, &lean).0;
        assert_eq!(counted(&reopened, &again, &lean).0, without, "{name}");
        let views = |history: &History| -> Vec<_> {
            let runs = history.runs().into_iter();
            runs.map(|v| (v.key, v.task, v.outcome, v.iterations, v.reward)).collect()
        };
        for text in [&text, &without] {
            assert_eq!(views(&open(&unpacked(text), usize::MAX)), views(&history), "{name}");
        }
        for (at, view) in views(&history).into_iter().enumerate() {
            let run = [RunId(u32::try_from(at).expect("small"))];
            let options = of_kind(ExportKind::History);
            let one = export(&history, &files, Some(&run), &options).expect("it can be");
            let of_again = export(&reopened, &again, Some(&run), &options).expect("it can be");
            assert_eq!(one, of_again, "{name}");
            let entries = unpacked(&one);
            assert_eq!(whole(&entries), one, "{name}");
            assert_eq!(views(&open(&entries, usize::MAX)), [view], "{name}");
        }
    }
}

/// Aliases of YAML need the rest of their document.
#[test]
fn aliases_are_written_by_their_values() {
    let text = "- &a\n  loop_id: a\n  trial_number: 1\n  outcome: failure\n  reflection: First.\n- loop_id: a\n  trial_number: 2\n  outcome: success\n  reflection: Second.\n- *a\n";
    let files = file("loops.yaml", text);
    let lines = whole(&files);
    assert_eq!(lines.matches("\"raw\"").count(), 3, "{lines}");
    assert_eq!(lines.matches(r#"\"reflection\":\"First.\"}"#).count(), 1, "{lines}");
    assert_eq!(whole(&unpacked(&lines)), lines);
}
