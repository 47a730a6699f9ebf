//! Which records make one run, and under what key.

use serde_json::{Value, json};

use crate::History;
use crate::model::finding::{Finding, Severity};
use crate::validate::Profile;

fn opened(files: &[(&str, String)]) -> History {
    let mut history = History::new(Profile::Lenient);
    for (path, text) in files {
        let source = history.open(path);
        history.push(source, text.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
    }
    history
}

fn keys(history: &History) -> Vec<String> {
    history.runs().into_iter().map(|run| run.key).collect()
}

fn of(history: &History, rule: &str) -> Vec<Finding> {
    history.findings().into_iter().filter(|finding| finding.rule == rule).collect()
}

fn state(task: &str, start: &str, more: &Value) -> String {
    let mut state = json!({"task": task, "startedAt": start, "status": "running"});
    let members = more.as_object().expect("members of a state");
    state.as_object_mut().expect("a state").extend(members.clone());
    state.to_string()
}

const START: &str = "2026-03-01T09:00:00Z";

#[test]
fn reports_without_an_id_keep_their_own_runs() {
    let report = |task: &str| {
        let head = "# Ralph Loop Completion Report\n\n";
        format!("{head}**Task**: {task}\n**Status**: SUCCESS\n**Iterations**: 2\n")
    };
    let at = |name: &str| format!("ralph/{name}");
    let names: Vec<String> = (1..=8).map(|n| at(&format!("completion-{n}.md"))).collect();
    let mut files = vec![
        ("ralph/current-loop.json", state("Tidy the imports", START, &json!({}))),
        ("ralph/iterations/iteration-1.json", json!({"action": "Sort", "result": "PASS", "verified": true, "learnings": "Sort first."}).to_string()),
    ];
    // Not even the task of the state makes a report one of its loop: it may have been the loop before.
    let tasks = ["Tidy the imports", "Tidy the imports", "c", "d", "e", "f", "g", "h"];
    files.extend(names.iter().zip(tasks).map(|(name, task)| (name.as_str(), report(task))));
    let history = opened(&files);
    let runs = history.runs();
    assert_eq!(runs.len(), 9, "{:?}", keys(&history));
    let own = runs.iter().find(|run| run.key == "ralph").expect("that of the state");
    assert_eq!(own.iterations, 1, "an iteration without an id is of the only state");
    assert_eq!(of(&history, "merge/conflict"), []);
    assert_eq!(of(&history, "series/task-changed"), []);
}

#[test]
fn task_and_start_make_a_report_one_of_a_loop() {
    let report = |start: &str| {
        format!(
            "# Agent Loop Completion Report\n\n**Task**: tidy THE imports.\n**Status**: SUCCESS\n**Duration**: {start} → 2026-03-01T10:00:00Z\n"
        )
    };
    let runs = |start: &str| {
        let state = state("Tidy the imports", START, &json!({}));
        keys(&opened(&[("ralph/current-loop.json", state), ("ralph/completion.md", report(start))]))
    };
    assert_eq!(runs("2026-03-01T09:00:30Z"), ["ralph"]);
    assert_eq!(runs("2026-03-01T09:02:00Z"), ["completion", "ralph"]);
}

#[test]
fn versions_of_a_state_are_a_series() {
    let version = |counter: i64, met: i64| {
        let more = json!({"currentIteration": counter, "criteria_met": met, "criteria_total": 4});
        state("Tidy the imports", START, &more)
    };
    let history = opened(&[
        ("ralph/loop-10.json", version(8, 4)),
        ("ralph/loop-2.json", version(4, 2)),
        ("ralph/loop-1.json", version(0, 0)),
    ]);
    let runs = history.runs();
    assert_eq!(keys(&history), ["ralph"]);
    let iterations = history.run(runs[0].id).expect("there is one").iterations();
    let series: Vec<_> = iterations.iter().map(|i| (i.number, i.reward)).collect();
    assert_eq!(series, [(0, Some(0.0)), (4, Some(0.5)), (8, Some(1.0))]);
    assert_eq!(of(&history, "series/gap"), []);
    let text = version(4, 2);
    let details = history.inspect(iterations[1].record, iterations[1].part, text.as_bytes());
    let details = details.expect("it is the text of that version");
    assert_eq!((details.number, details.reward.map(|reward| reward.value)), (Some(4), Some(0.5)));

    let one = opened(&[("ralph/loop-2.json", version(4, 2))]);
    assert_eq!(one.runs()[0].iterations, 0, "one state alone is no series");
}

#[test]
fn versions_give_rewards_to_listed_attempts_that_have_none() {
    let version = |counter: i64, met: i64| {
        let list: Vec<_> = (1..=counter).map(|n| json!({"number": n, "action": "Sort"})).collect();
        let more = json!({"id": "ralph-a", "currentIteration": counter, "iterations": list,
                          "criteria_met": met, "criteria_total": 2});
        state("Tidy the imports", START, &more)
    };
    let history = opened(&[("ralph/a.json", version(1, 1)), ("ralph/b.json", version(2, 2))]);
    let iterations = history.run(history.runs()[0].id).expect("there is one").iterations();
    let series: Vec<_> = iterations.iter().map(|i| (i.number, i.reward)).collect();
    assert_eq!(series, [(1, Some(0.5)), (2, Some(1.0))]);
}

#[test]
fn a_state_between_two_loops_says_that_it_makes_no_run() {
    let idle = json!({"active": false, "task": null, "status": "IDLE", "currentIteration": 0, "iterations": []});
    let history = opened(&[("ralph/current-loop.json", idle.to_string())]);
    assert_eq!(history.run_count(), 0);
    let [finding] = &of(&history, "state/idle")[..] else { panic!("there is one") };
    assert_eq!(finding.severity, Severity::Info);
    assert_eq!(
        finding.message,
        "No task and no iterations are named here, so this makes no run. It says: IDLE."
    );
}

#[test]
fn analytics_without_iterations_are_no_warning() {
    let empty = json!({"loop_id": "ralph-a", "iterations": [], "total_iterations": 0,
                       "quality_trajectory": "insufficient_data"});
    let history = opened(&[("ralph-external/analytics/ralph-a.json", empty.to_string())]);
    let findings = history.findings();
    let rules: Vec<_> = findings.iter().map(|f| (f.rule.as_ref(), f.severity)).collect();
    assert_eq!(rules, [("analytics/empty", Severity::Info)]);
    assert_eq!(keys(&history), ["ralph-a"]);
}

#[test]
fn projects_of_one_drop_have_keys_of_their_own() {
    let state = |task: &str| state(task, START, &json!({}));
    let record = json!({"iteration": 1, "content": "Sort first.", "type": "failure_pattern"});
    let history = opened(&[
        ("work/x/a/.aiwg/ralph/current-loop.json", state("Tidy")),
        ("work/x/b/.aiwg/ralph/current-loop.json", state("Tidy")),
        ("work/y/.aiwg/ralph/current-loop.json", state("Test")),
        ("work/y/.aiwg/ralph-external/reflections/reflection-1.json", record.to_string()),
        ("work/z/.aiwg/ralph-external/reflections/reflection-1.json", record.to_string()),
    ]);
    let expected = ["x/a/ralph", "x/b/ralph", "y/ralph", "y/reflections", "z/reflections"];
    assert_eq!(keys(&history), expected);
    for key in expected {
        assert!(history.find_run(key).is_some(), "{key}");
    }
}

#[test]
fn a_common_loop_id_is_only_named_where_there_is_one() {
    let record = |number: i64, id: Option<&str>, task: &str| {
        let mut record = json!({
            "iteration": number, "task_description": task,
            "evaluator_output": {"passed": false, "verification_type": "lint"},
            "self_reflection": {"reflection_text": format!("Lesson {number}.")},
        });
        if let Some(id) = id {
            record["loop_id"] = json!(id);
        }
        record.to_string()
    };
    let hint = |id: Option<&str>| {
        let files =
            [("runs/001.json", record(1, id, "Sort")), ("runs/002.json", record(2, id, "Test"))];
        of(&opened(&files), "series/task-changed").remove(0).hint.expect("it has one")
    };
    assert!(hint(Some("ralph-a")).contains("same loop id"));
    assert!(hint(None).starts_with("The records state no loop id"));
}
