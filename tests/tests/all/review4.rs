//! What a hostile reading of formats and groups found: runs merged that are two, and what took the
//! square of its time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use hindscope::{ExportKind, ExportOptions, History};
use hindscope_tests::{Input, export, open};

fn input(name: &str, text: impl Into<String>) -> Input {
    Input { name: name.to_owned(), bytes: text.into().into_bytes() }
}

fn tasks(history: &History) -> Vec<Option<String>> {
    history.runs().into_iter().map(|run| run.task).collect()
}

/// If time grew with the square, eight times the size would take 64 times as long; 24 times already fails.
/// Only the growth is asserted, and a busy machine gets several tries.
fn is_linear(small: usize, work: impl Fn(usize) -> Duration) {
    let best = |n: usize| (0..2).map(|_| work(n)).min().unwrap_or_default();
    let is_so = || best(8 * small) < best(small) * 24;
    assert!((0..6).any(|_| is_so()), "eight times {small} take over 24 times as long");
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
        input("d/001.json", above),
        input("d/a/current-loop.json", state("A")),
        input("d/b/current-loop.json", state("B")),
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
    let history = open(&[input("d/registry.json", text)], usize::MAX);
    let keys: Vec<_> = history.runs().into_iter().map(|run| run.key).collect();
    assert_eq!(keys, ["r1", "r2"]);
}

#[test]
fn findings_may_stand_before_runs_in_a_bundle() {
    is_linear(300, |n| {
        let mut text =
            String::from(r#"{"format":"hindscope","version":1,"originals":"omitted","findings":["#);
        for i in 0..n {
            let comma = if i > 0 { "," } else { "" };
            let _ = write!(
                text,
                r#"{comma}{{"rule":"x","severity":"info","message":"m","run":"r{i}"}}"#
            );
        }
        text.push_str("],\"runs\":[");
        for i in 0..n {
            let comma = if i > 0 { "," } else { "" };
            let _ = write!(text, r#"{comma}{{"id":"r{i}","key":"k{i}","iterations":[]}}"#);
        }
        text.push_str("]}");
        let files = [input("a.hindscope.json", text)];
        let start = Instant::now();
        let history = open(&files, usize::MAX);
        let took = start.elapsed();
        let about = history.findings().into_iter().filter(|f| f.rule == "x");
        assert_eq!(about.filter(|f| f.run.is_some()).count(), n);
        took
    });
}

fn bundled(files: &[Input]) -> Duration {
    let history = open(files, usize::MAX);
    assert_eq!(history.runs().len(), 1);
    let options =
        ExportOptions { kind: ExportKind::Bundle, originals: false, ..ExportOptions::default() };
    let start = Instant::now();
    export(&history, files, None, &options).expect("it can be exported");
    start.elapsed()
}

#[test]
fn a_record_of_many_attempts_is_read_once() {
    is_linear(1500, |n| {
        let one = |i| format!(r#"{{"iteration_number":{i},"quality_score":{}}}"#, i % 100);
        let all: Vec<String> = (0..n).map(one).collect();
        let all = all.join(",");
        let text = format!(r#"{{"loop_id":"a","total_iterations":{n},"iterations":[{all}]}}"#);
        bundled(&[input("a.json", text)])
    });
}

#[test]
fn an_attempt_of_many_actions_is_put_together_once() {
    is_linear(300, |n| {
        let one = |i| {
            format!(
                r#"{{"iteration":1,"type":"edit","tool":"t{i}","params":{{"file_path":"a.c"}},"success":true,"output":"saved"}}"#
            )
        };
        let all: Vec<String> = (0..n).map(one).collect();
        bundled(&[input("m/tasks/t/attempts/001/actions.jsonl", all.join("\n"))])
    });
}
