//! Each rule of a series: a run on which it fires, and the nearest one on which it does not.

use crate::model::omega::OmegaProvenance;
use serde_json::{Value, json};

use crate::model::finding::Finding;
use crate::validate::Profile;
use crate::{History, validate};

/// A plain record; `change` edits it.
fn record(number: i64, change: impl FnOnce(&mut Value)) -> Value {
    let mut record = json!({
        "loop_id": "ralph-a", "iteration": number, "timestamp": format!("2026-03-01T09:{number:02}:00Z"),
        "task_description": "Fix the build.",
        "actor_output": {"actions": [{"type": "file_creation", "description": "d", "file_path": "a"}],
                         "rationale": "r"},
        "evaluator_output": {"passed": false, "verification_type": "lint", "reward_signal": 0.5,
                             "errors": [{"type": "other", "message": "m"}]},
        "self_reflection": {"reflection_text": format!("Lesson {number}.")},
        "memory_metadata": {"omega_capacity": 3, "current_memory_size": 1}
    });
    change(&mut record);
    record
}

fn plain(number: i64) -> Value {
    record(number, |_| {})
}

fn set(pointer: &'static str, value: Value) -> impl FnOnce(&mut Value) {
    move |record| {
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
        record.pointer_mut(parent).expect("its parent is there")[name] = value;
    }
}

/// Findings of one rule over files.
fn of_files(rule: &str, files: &[(&str, Vec<Value>)]) -> Vec<Finding> {
    let mut history = History::new(Profile::Lenient);
    for (path, records) in files {
        let source = history.open(path);
        for record in records {
            history.push(source, format!("{record}\n").as_bytes()).expect("it is open");
        }
        history.finish(source).expect("it is open");
    }
    history.findings().into_iter().filter(|f| f.rule == rule).collect()
}

fn of(rule: &str, records: Vec<Value>) -> Vec<Finding> {
    of_files(rule, &[("loop.jsonl", records)])
}

#[track_caller]
fn once(rule: &str, records: Vec<Value>, numbers: &[i64]) -> Finding {
    let mut found = of(rule, records);
    assert_eq!(found.len(), 1, "{rule}: {found:#?}");
    let finding = found.remove(0);
    assert_eq!(finding.evidence.iter().map(|e| e.number).collect::<Vec<_>>(), numbers, "{rule}");
    finding
}

#[track_caller]
fn never(rule: &str, records: Vec<Value>) {
    let found = of(rule, records);
    assert_eq!(found, [], "{rule}");
}

#[test]
fn iterations_after_a_success() {
    let passed = |n| {
        record(n, |r| {
            r["evaluator_output"] = json!({"passed": true, "verification_type": "lint"});
        })
    };
    let rule = "series/after-success";
    let finding = once(rule, vec![plain(1), passed(2), plain(3), plain(4)], &[2, 3, 4]);
    assert_eq!(finding.iteration, Some(3), "it stands at the first that need not have been");
    never(rule, vec![plain(1), plain(2), passed(3)]);
}

#[test]
fn what_both_neighbours_state_differently() {
    let omega = |n, o: i64| record(n, set("/memory_metadata/omega_capacity", json!(o)));
    let finding =
        once("series/omega-changed", vec![omega(1, 3), omega(2, 5), omega(3, 5)], &[1, 2]);
    assert_eq!((finding.expected.as_deref(), finding.found.as_deref()), (Some("3"), Some("5")));
    assert_eq!(
        finding.message,
        "The capacity of the window (Ω) changes from 3 in iteration 1 to 5 in iteration 2."
    );
    never("series/omega-changed", vec![omega(1, 3), omega(2, 3)]);

    let policy = |n, p: &str| record(n, set("/memory_metadata/window_policy", json!(p)));
    once("series/policy-changed", vec![policy(1, "fifo"), policy(2, "recency")], &[1, 2]);
    never("series/policy-changed", vec![policy(1, "fifo"), plain(2)]);

    let kind = |n, k: &str| record(n, set("/evaluator_output/verification_type", json!(k)));
    once("series/verification-changed", vec![kind(1, "lint"), kind(2, "unit_tests")], &[1, 2]);
    never("series/verification-changed", vec![kind(1, "lint"), kind(2, "lint")]);

    let task = |n, t: &str| record(n, set("/task_description", json!(t)));
    once("series/task-changed", vec![task(1, "Fix it."), task(2, "Fix that.")], &[1, 2]);
    never("series/task-changed", vec![task(1, "Fix it."), task(2, "fix  IT")]);
}

#[test]
fn the_count_of_reflections_grows_by_those_between() {
    let total =
        |n, t: i64| record(n, set("/memory_metadata/total_reflections_generated", json!(t)));
    let finding = once("series/total-step", vec![total(1, 2), total(2, 5)], &[1, 2]);
    assert_eq!((finding.expected.as_deref(), finding.found.as_deref()), (Some("3"), Some("5")));
    never("series/total-step", vec![total(1, 1), total(2, 2)]);
    never("series/total-step", vec![total(1, 1), total(4, 4)]);
}

#[test]
fn rewards_on_two_scales() {
    let reward = |n, r: f64| record(n, set("/evaluator_output/reward_signal", json!(r)));
    once("series/scale-mixed", vec![reward(1, 0.3), reward(2, 55.0)], &[1, 2]);
    never("series/scale-mixed", vec![reward(1, 0.0), reward(2, 55.0), reward(3, 80.0)]);
    never("series/scale-mixed", vec![reward(1, 0.3), reward(2, 1.0)]);
}

#[test]
fn several_loops_in_the_folder_of_one() {
    let other = record(2, set("/loop_id", json!("ralph-b")));
    let files = |folder: &'static str| {
        [
            (format!("{folder}/001.json"), vec![plain(1)]),
            (format!("{folder}/002.json"), vec![other.clone()]),
        ]
    };
    let count = |folder| {
        let files = files(folder);
        let files: Vec<_> = files.iter().map(|(path, r)| (path.as_str(), r.clone())).collect();
        of_files("series/loop-id-mixed", &files).len()
    };
    assert_eq!(count("reflections/ralph-a"), 1);
    assert_eq!(count("anywhere"), 0, "such a folder belongs to nobody");
}

#[test]
fn a_missing_trial_keeps_the_numbers() {
    let trial = |solved: bool, memory: &[&str]| {
        vec![json!([{"name": "env_0", "memory": memory, "is_success": solved, "skip": false}])]
    };
    let mut history = History::new(Profile::Lenient);
    for (n, solved, memory) in
        [(0, false, vec!["a"]), (1, false, vec!["a", "b"]), (5, true, vec!["a", "b", "c"])]
    {
        let source = history.open(&format!("run/env_results_trial_{n}.json"));
        let text = trial(solved, &memory)[0].to_string();
        history.push(source, text.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
    }
    let [group] = &history.groups()[..] else { panic!("one folder, one group") };
    assert_eq!(group.numbers, [0, 1, 5]);
    assert_eq!(group.solved_after, [0, 0, 1]);
    assert_eq!(group.attempted, [1, 1, 1]);
    let findings = history.findings();
    let gap = findings.iter().find(|f| f.rule == "env/trial-gap").expect("2 to 4 are missing");
    assert_eq!(
        gap.message,
        "The results of trials 2 to 4 are missing. Their changes are assigned to trial 5."
    );
    assert!(
        findings.iter().all(|f| f.rule != "env/solved-grew"),
        "the memory may have grown in a missing trial"
    );
}

#[test]
fn omega_by_fraction_and_word() {
    for (written, read) in [
        (json!(3.7), Some(3)),
        (json!("complex"), Some(5)),
        (json!(0), Some(0)),
        (json!("lots"), None),
        (json!("3.5"), Some(3)),
        (json!(" ~4 "), Some(4)),
        (json!("40%"), None),
        (json!(10.5), Some(10)),
    ] {
        let text = record(1, set("/memory_metadata/omega_capacity", written.clone())).to_string();
        let mut history = History::new(Profile::Lenient);
        let source = history.open("a.json");
        history.push(source, text.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
        let run = &history.runs()[0];
        let recorded =
            (run.omega_provenance == OmegaProvenance::Recorded).then_some(run.omega).flatten();
        assert_eq!(recorded, read, "{written}");
        let span = history.locate(crate::RecordId(0)).expect("it is there");
        let details =
            history.inspect(span.record, 0, text.as_bytes()).expect("these are its bytes");
        assert_eq!(details.window.and_then(|w| w.omega), read.map(i64::from), "{written}");
    }
    let invalid = |omega: i64| {
        let text = record(1, set("/memory_metadata/omega_capacity", json!(omega))).to_string();
        let findings = validate(text.as_bytes(), Profile::Lenient).findings;
        findings.iter().filter(|f| f.rule == "window/omega-invalid").count()
    };
    assert_eq!((invalid(-1), invalid(0), invalid(11)), (1, 0, 0));
    let hints = |omega: Value| {
        let text = record(1, set("/memory_metadata/omega_capacity", omega)).to_string();
        let findings = validate(text.as_bytes(), Profile::Lenient).findings;
        let of_omega = findings.into_iter().filter(|f| f.rule.starts_with("lenient/"));
        of_omega.filter_map(|f| f.hint).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(hints(json!(10.5)), ["It is read as 10.", "It is read as 10."]);
    assert_eq!(hints(json!(12)), ["It is read as 10."]);
    assert_eq!(hints(json!(-2)), ["It is ignored."]);
    assert_eq!(hints(json!("3.5")), ["It is read as 3."]);
    assert_eq!(hints(json!("complex")), ["It is read as 5."]);
    assert_eq!(hints(json!("lots")), ["The value is treated as missing."]);
}

#[test]
fn a_task_that_stands_twice_in_a_trial_counts_once() {
    let task = |memory: &[&str]| json!({"name": "env_0", "memory": memory, "is_success": false, "skip": false});
    let mut history = History::new(Profile::Lenient);
    let source = history.open("run/env_results_trial_0.json");
    let text = json!([task(&["a"]), task(&["b"])]).to_string();
    history.push(source, text.as_bytes()).expect("it is open");
    history.finish(source).expect("it is open");
    let run = history.run(history.runs()[0].id).expect("there is one");
    assert_eq!(run.numbers(), [0]);
    let found = history.findings().into_iter().filter(|f| f.rule == "series/duplicate-iteration");
    assert_eq!(
        found.map(|f| (f.record, f.iteration)).collect::<Vec<_>>(),
        [(Some(crate::RecordId(1)), Some(0))]
    );
}

#[test]
fn stored_windows_are_those_of_the_rule() {
    let stored =
        |n: i64, window: Value| record(n, set("/memory_metadata/reflections_in_context", window));
    let five = |window: Value| {
        let mut records: Vec<Value> = (1..=4).map(plain).collect();
        records.push(stored(5, window));
        records
    };
    let rule = "series/window-mismatch";
    let finding = once(rule, five(json!([2, 3, 4, 5])), &[5]);
    assert_eq!(finding.severity, crate::Severity::Warning);
    assert_eq!(finding.expected.as_deref(), Some("3, 4, 5"));
    let finding = once(rule, five(json!([2, 3, 4])), &[5]);
    assert_eq!(finding.severity, crate::Severity::Info, "written before the update");
    never(rule, five(json!([3, 4, 5])));
    once("series/window-unverifiable", vec![plain(4), stored(5, json!([3, 4, 5]))], &[5]);
    never("series/window-unverifiable", five(json!([3, 4, 5])));
}

#[test]
fn what_was_used_was_there_to_be_used() {
    let used = |n: i64, numbers: Value| {
        record(n, |r| {
            r["previous_reflections_used"] = numbers;
            r["memory_metadata"]["omega_capacity"] = json!(1);
        })
    };
    let four = |numbers: Value| vec![plain(1), plain(2), plain(3), used(4, numbers)];
    once("series/injected-unknown", four(json!([7])), &[4]);
    never("series/injected-unknown", four(json!([3])));
    once("series/injected-dropped", four(json!([2])), &[4]);
    never("series/injected-dropped", four(json!([3])));
}
