//! Records that describe many runs: stored once in an export, and read once for it.

use std::fmt::Write as _;

use hindscope::{ExportKind, ExportOptions, History, JsonQuery, Original, RunId};
use hindscope_tests::{Input, bytes_of, export, open};
use serde_json::Value;

fn of_kind(kind: ExportKind) -> ExportOptions {
    let created = Some("2026-03-10T12:00:00Z".to_owned());
    ExportOptions { kind, created, ..ExportOptions::default() }
}

fn file(name: &str, text: &str) -> Vec<Input> {
    vec![Input { name: name.to_owned(), bytes: text.as_bytes().to_vec() }]
}

fn carried(text: &str) -> Vec<Input> {
    file("a.hindscope.json", text)
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
    counted(&open(files, usize::MAX), files, &of_kind(ExportKind::Bundle)).0
}

/// The originals of a run, of its attempts if it has some.
fn originals(files: &[Input], run: RunId) -> Vec<Original> {
    let history = open(files, usize::MAX);
    let run = history.run(run).expect("it is listed");
    let record = run.records()[0];
    let bytes = bytes_of(&history, files, record);
    let mut all = history.originals(record, None, bytes).expect("it is a run");
    for number in run.numbers() {
        let own = history.originals(record, Some(*number), bytes).expect("it is a run");
        assert_eq!(own.len(), 1);
        assert!(all.contains(&own[0]), "{own:?}");
    }
    all.dedup();
    all
}

#[test]
fn a_bundle_grows_with_its_records() {
    for ((large, name), (small, _)) in kinds(400).into_iter().zip(kinds(100)) {
        let (input, text) = (large[0].bytes.len(), whole(&large));
        // In an index, a dozen bytes are enough for a whole run, so its bundle grows more.
        let most = if name == "index" { 45 } else { 12 };
        assert!(text.len() < most * input, "{name}: {} of {input}", text.len());
        assert!(text.len() < whole(&small).len() * 43 / 10, "{name}: {}", text.len());
        assert_eq!(open(&carried(&text), usize::MAX).run_count(), open(&large, 99).run_count());
    }
    // What they say in normalised form aside, it is the record twice: as a whole, and in parts.
    let text = whole(&file("tasks.json", &tasks(400)));
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    let runs = value["runs"].as_array().expect("a list").iter();
    let of_run = |run: &Value| {
        let lists = run["iterations"].as_array().into_iter().flatten().chain([run]);
        let entries = lists.filter_map(|list| list["records"].as_array().cloned());
        entries.flatten().map(|entry| entry["json"].to_string().len()).sum::<usize>()
    };
    assert!(runs.map(of_run).sum::<usize>() < 2 * tasks(400).len());
}

#[test]
fn an_export_reads_a_record_once() {
    let queries = [JsonQuery::Run, JsonQuery::Explain];
    let answers = queries.map(|query| ExportOptions { query, ..of_kind(ExportKind::Json) });
    let lean = ExportOptions { originals: false, ..of_kind(ExportKind::Bundle) };
    let others = [ExportKind::Bundle, ExportKind::Csv, ExportKind::Markdown].map(of_kind);
    for (files, name) in kinds(40) {
        let history = open(&files, usize::MAX);
        for options in others.iter().chain(&answers).chain([&lean]) {
            let (text, needs) = counted(&history, &files, options);
            assert_eq!(needs, 1, "{name}, {:?}", options.kind);
            // And says what each run says by itself.
            if options.kind != ExportKind::Bundle && name == "tasks" {
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
        let again = carried(&text);
        assert_eq!(whole(&again), text, "{name}");
        let reopened = open(&again, usize::MAX);
        let lean = ExportOptions { originals: false, ..of_kind(ExportKind::Bundle) };
        let without = counted(&history, &files, &lean).0;
        assert_eq!(counted(&reopened, &again, &lean).0, without, "{name}");
        assert_eq!(whole(&carried(&without)), without, "{name}");
        for at in (0..history.run_count()).map(|at| RunId(u32::try_from(at).expect("small"))) {
            let options = of_kind(ExportKind::Bundle);
            for (history, files) in [(&history, &files), (&reopened, &again)] {
                let one = export(history, files, Some(&[at]), &options).expect("it can be");
                assert_eq!(whole(&carried(&one)), one, "{name}");
                let view = |history: &History, at| {
                    let view = history.run(at).expect("it is listed").view();
                    (view.key, view.task, view.outcome, view.iterations, view.reward)
                };
                let of_one = open(&carried(&one), usize::MAX);
                assert_eq!(view(&of_one, RunId(0)), view(history, at), "{name}");
            }
            let one = export(&history, &files, Some(&[at]), &options).expect("it can be");
            assert!(!one.contains("\"part\":"), "{name}: by itself it has the whole record");
        }
    }
}

#[test]
fn originals_are_what_stood_there() {
    let middle = |files: &[Input]| {
        let all = originals(&carried(&whole(files)), RunId(5));
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].text.clone().expect("it is text")
    };
    let as_written = r#"{"task_id":"t-00005","task_description":"T\u0061sk 5","outcome":"failure","final_quality":0.50,"key_learnings":[],"reflections":[{"iteration":1,"content":"Lesson 5.1","type":"x"},{"iteration":2,"content":"Lesson 5.2","type":"x"}]}"#;
    for (files, name) in kinds(9).into_iter().filter(|(_, name)| name.contains("tasks")) {
        let text = middle(&files);
        assert_eq!(text, as_written, "{name}");
        // The first one has all of it.
        let first = originals(&carried(&whole(&files)), RunId(0));
        assert!(first[0].text.as_deref().is_none_or(|t| t.contains("owner")), "{name}");
    }
    assert_eq!(
        middle(&file("reflections/index.yaml", &loops(9))),
        "    task: Tidy 5 # by hand\n    outcome: failure\n    iterations: 1.0"
    );
    assert_eq!(middle(&file("index/by-status.json", &by_status(9))), "\"t-00005\"");
    let pointer = whole(&file("tasks.json", &format!("[{}]", tasks(9))));
    assert!(
        pointer.contains(r#""pointer":"/0/tasks/5""#) && pointer.contains(r#""part":"/tasks/5""#)
    );
    // What is no text stays as its bytes.
    let mut bytes = tasks(9).into_bytes();
    let at = tasks(9).find("Lesson 5.1").expect("it is there");
    bytes[at] = 0xff;
    let all =
        originals(&carried(&whole(&[Input { name: "tasks.json".to_owned(), bytes }])), RunId(5));
    assert!(all[0].text.is_none() && all[0].base64.as_deref().is_some_and(|b| b.len() < 600));
}

/// A task that stands there twice, and beside it a file of its own: what belongs to which attempt.
#[test]
fn parts_go_to_their_attempts() {
    let task = |key: &str, n: usize| {
        format!(
            r#"{{"task_id":"{key}","outcome":"failure","reflections":[{{"iteration":{n},"content":"Lesson {key}.{n}","type":"x"}}]}}"#
        )
    };
    let list = [task("a", 1), task("b", 1), task("b", 2), task("b", 3), task("c", 1)].join(",");
    let files =
        file("m/tasks.json", &format!(r#"{{"exported_at":"2026-03-09","tasks":[{list}]}}"#));
    let text = whole(&files);
    let again = carried(&text);
    assert_eq!(whole(&again), text);
    let history = open(&again, usize::MAX);
    let run = history.find_run("b").expect("it is there");
    let record = history.run(run).expect("it is there").records()[0];
    let bytes = bytes_of(&history, &again, record);
    for n in 1..=3 {
        let own = history.originals(record, Some(n), bytes).expect("a run");
        let n = usize::try_from(n).expect("small");
        assert_eq!(own.len(), 1);
        assert_eq!(own[0].text.as_deref(), Some(task("b", n).as_str()));
    }
    assert_eq!(history.originals(record, None, bytes).expect("a run").len(), 3);
}

/// What aliases repeat cannot be cut out: such a record stays whole.
#[test]
fn aliases_keep_their_document() {
    let text = "loops:\n  a: &a\n    task: Tidy\n    outcome: failure\n  b: *a\n  c:\n    task: Other\npatterns: []\ntotal_loops: 3\n";
    let files = file("reflections/index.yaml", text);
    let bundle = whole(&files);
    assert_eq!(whole(&carried(&bundle)), bundle);
    let of = |at: u32| originals(&carried(&bundle), RunId(at))[0].text.clone();
    assert_eq!(of(0).as_deref(), Some(text));
    assert_eq!(of(1).as_deref(), Some(text));
    assert_eq!(of(2).as_deref(), Some("    task: Other"));
}
