//! Which records are one run, and exports of long ones. The work must not grow with the
//! square of the input. The inputs are so large that such growth would be felt; what is asserted
//! are answers and bytes read, as a busy machine can make any time a long one.

use hindscope::{ExportKind, ExportOptions, History};
use hindscope_tests::{Input, bytes_of, open, unpacked};

fn tasks(history: &History) -> Vec<Option<String>> {
    history.runs().into_iter().map(|run| run.task).collect()
}

#[test]
fn a_record_above_two_roots_does_not_make_them_one() {
    let state = |task: &str| {
        format!(
            r#"{{"loop_id":"ralph-1","task":"{task}","completion":"c","max_iterations":5,"current_iteration":1,"status":"running"}}"#
        )
    };
    let above = r#"{"loop_id":"ralph-1","iteration":1,"evaluator_output":{"passed":false},"self_reflection":{"reflection_text":"x"}}"#;
    let files = [
        Input::new("d/001.json", above),
        Input::new("d/a/current-loop.json", state("A")),
        Input::new("d/b/current-loop.json", state("B")),
    ];
    let tasks = tasks(&open(&files, usize::MAX));
    assert_eq!(tasks.len(), 2);
    assert!(tasks.contains(&Some("A".to_owned())) && tasks.contains(&Some("B".to_owned())));
}

#[test]
fn two_entries_of_a_registry_are_two_loops() {
    let entry = |id: &str, second: u32| {
        format!(
            r#""{id}":{{"loopId":"{id}","pid":1,"objective":"T","status":"running","startedAt":"2026-03-09T08:00:{second:02}Z","iteration":0,"maxIterations":5}}"#
        )
    };
    let text = format!(r#"{{"loops":{{{},{}}}}}"#, entry("r1", 0), entry("r2", 20));
    let history = open(&[Input::new("d/registry.json", text)], usize::MAX);
    let keys: Vec<_> = history.runs().into_iter().map(|run| run.key).collect();
    assert_eq!(keys, ["r1", "r2"]);
}

/// The export of one run, without the originals. For it, no byte of the files is read twice.
fn exported(files: &[Input]) -> String {
    let history = open(files, usize::MAX);
    assert_eq!(history.runs().len(), 1);
    let options =
        ExportOptions { kind: ExportKind::History, originals: false, ..ExportOptions::default() };
    let mut export = history.export(None, options).expect("it can be exported");
    let (mut text, mut read) = (String::new(), 0);
    loop {
        for span in history.needs_of_export(&export) {
            let bytes = bytes_of(&history, files, span.record);
            read += bytes.len();
            history.supply(&mut export, span.record, bytes).expect("these are its bytes");
        }
        match history.write(&mut export).expect("all of it was supplied") {
            Some(piece) => text.push_str(&piece),
            None => break,
        }
    }
    let len: usize = files.iter().map(|file| file.bytes.len()).sum();
    assert!((1..=len).contains(&read), "{read} of {len} bytes");
    text
}

#[test]
fn a_record_of_many_attempts_is_read_once() {
    let n: u32 = 12_000;
    let one = |i| format!(r#"{{"iteration_number":{i},"quality_score":{}}}"#, i % 100);
    let all: Vec<String> = (0..n).map(one).collect();
    let all = all.join(",");
    let text = format!(r#"{{"loop_id":"a","total_iterations":{n},"iterations":[{all}]}}"#);
    let text = exported(&[Input::new("a.json", text)]);
    let runs = open(&unpacked(&text), usize::MAX).runs();
    assert_eq!(runs.iter().map(|run| run.iterations).collect::<Vec<_>>(), [n]);
}

#[test]
fn an_attempt_of_many_actions_is_put_together_once() {
    let one = |i| {
        format!(
            r#"{{"iteration":1,"type":"edit","tool":"t{i}","params":{{"file_path":"a.c"}},"success":true,"output":"saved"}}"#
        )
    };
    let all: Vec<String> = (0..2400).map(one).collect();
    let text = exported(&[Input::new("m/tasks/t/attempts/001/actions.jsonl", all.join("\n"))]);
    assert_eq!(text.matches(r#""tool":"t"#).count(), 2400);
}
