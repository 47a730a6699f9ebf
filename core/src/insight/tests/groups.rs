//! docs/spec/rules.md, "Evaluator and retries".

use crate::history::History;
use crate::model::id::{GroupId, RunId};
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

/// Rows of a programming log: reflections and verdict of each task.
fn log(rows: &[(usize, bool)]) -> String {
    let row = |(task, (reflections, solved)): (usize, &(usize, bool))| {
        let row = serde_json::json!({
            "task_id": format!("t/{task}"), "prompt": "p", "entry_point": "f", "is_solved": solved,
            "solution": "s", "reflections": vec!["r"; *reflections],
            "implementations": vec!["i"; reflections + 1],
            "test_feedback": vec!["f"; reflections + 1],
        });
        row.to_string() + "\n"
    };
    rows.iter().enumerate().map(row).collect()
}

const ROWS: [(usize, bool); 5] = [(0, true), (1, true), (1, false), (2, true), (2, false)];

#[test]
fn trust_is_in_the_last_bin() {
    let named = opened(&[("x._reflexion_3_gpt-4_pass_at_k_1_py.jsonl", log(&ROWS))]);
    let trust = named.trust(GroupId(0)).expect("it is a log of reflexion");
    assert_eq!((trust.passed_solved, trust.passed), (2, 3));
    assert_eq!((trust.never_solved, trust.never), (1, 2));
    assert_eq!(trust.true_positive, Some(0.666_666_667));
    assert_eq!(trust.false_positive, Some(0.333_333_333));
    assert_eq!((trust.is_strategy_assumed, trust.is_limit_inferred), (false, false));
    let unnamed = opened(&[("log.jsonl", log(&ROWS))]);
    let trust = unnamed.trust(GroupId(0)).expect("its content shows it");
    assert_eq!((trust.is_strategy_assumed, trust.is_limit_inferred), (true, true));
    for name in [
        "x._simple_3_m_pass_at_k_1_py",
        "x._reflexion_1_m_pass_at_k_1_py",
        "x._reflexion_3_m_pass_at_k_2_py",
    ] {
        let history = opened(&[(&format!("{name}.jsonl"), log(&ROWS))]);
        assert_eq!(history.trust(GroupId(0)), None, "{name}");
    }
    let early = opened(&[("x._reflexion_9_m_pass_at_k_1_py.jsonl", log(&ROWS))]);
    let trust = early.trust(GroupId(0)).expect("it is a log of reflexion");
    assert_eq!((trust.never, trust.false_negative), (0, None), "an empty group has no rate");
    assert_eq!(early.trust(GroupId(7)), None);
}

/// Trials of a few tasks: which of them are solved after each.
fn trials(folder: &str, solved: &[&[bool]]) -> Vec<(String, String)> {
    let file = |(trial, solved): (usize, &&[bool])| {
        let tasks: Vec<_> = solved
            .iter()
            .enumerate()
            .map(|(task, is_success)| {
                serde_json::json!({"name": format!("env_{task}"), "memory": [], "is_success": is_success})
            })
            .collect();
        let path = format!("{folder}/env_results_trial_{trial}.json");
        (path, serde_json::Value::from(tasks).to_string())
    };
    solved.iter().enumerate().map(file).collect()
}

#[test]
fn success_at_counts_any_of_the_first_attempts() {
    let (yes, no) = (true, false);
    let files = trials("a", &[&[yes, no, no], &[yes, no, no], &[yes, yes, no]]);
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    let sums = opened(&files).aggregate(GroupId(0)).expect("it is open");
    let shares: Vec<_> = sums.attempts.iter().map(|a| a.success_at).collect();
    assert_eq!(shares, [Some(0.333_333_333), Some(0.333_333_333), Some(0.666_666_667)]);
    assert_eq!((sums.solved, sums.mean_attempts), (2, Some(2.0)), "after 1 and after 3");
    assert_eq!((sums.attempts[1].rewarded, sums.attempts[1].is_faint), (2, true));
}

#[test]
fn retries_are_compared_when_there_are_enough() {
    let solved = |n: usize| (0..10).map(|task| task < n).collect::<Vec<_>>();
    let mut files = trials("a", &[&solved(0), &solved(6)]);
    files.extend(trials("b", &[&solved(0), &solved(5)]));
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    let history = opened(&files);
    let retries = history.compare_retries(GroupId(0), GroupId(1), 1).expect("both are open");
    assert_eq!((retries.points, retries.relative), (Some(10.0), Some(0.2)));
    assert_eq!(retries.is_aim_met, Some(true), "the aim is reached at 0.2");
    let before = history.compare_retries(GroupId(0), GroupId(1), 0).expect("both are open");
    assert_eq!((before.points, before.relative), (Some(0.0), None), "nothing to compare with");
    let own = history.retries(GroupId(0)).expect("it is open");
    assert_eq!((own.with, own.without, own.without_successes), (0, 10, 6));
    assert!(own.is_too_few && own.points.is_none());
}

#[test]
fn a_part_of_the_runs_is_counted_alone() {
    let (yes, no) = (true, false);
    let files = trials("a", &[&[yes, no, no], &[yes, no, yes]]);
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    let history = opened(&files);
    let all = history.aggregate(GroupId(0)).expect("it is open");
    let every: Vec<_> = (0..3).map(RunId).collect();
    assert_eq!(history.aggregate_of(&every).attempts, all.attempts);
    assert_eq!(history.groups_of(&every), history.groups());
    assert_eq!(Some(history.retries_of(&every)), history.retries(GroupId(0)));
    let part = [RunId(1), RunId(2), RunId(99)];
    let sums = history.aggregate_of(&part);
    assert_eq!((sums.runs, sums.solved, sums.mean_attempts), (2, 1, Some(2.0)));
    assert_eq!(history.groups_of(&part)[0].solved_after, [0, 1]);
    assert_eq!(history.retries_of(&part).without, 2);
    assert_eq!(history.groups_of(&[]), []);
}

#[test]
fn a_retry_counts_once_it_has_ended() {
    let attempt = |number: u32, outcome: &str| {
        let record = serde_json::json!({"id": number, "task_id": "t", "execution": {},
            "outcome": {"status": outcome}, "learned_from": [1]});
        (format!("m/tasks/t/attempts/00{number}/attempt.json"), record.to_string())
    };
    let counts = |last: &str| {
        let files = [(1, "failure"), (2, "success"), (3, last)].map(|(n, word)| attempt(n, word));
        let files: Vec<_> =
            files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
        let retries = opened(&files).retries(GroupId(0)).expect("it is open");
        (retries.with, retries.with_successes, retries.without)
    };
    assert_eq!(counts("failure"), (2, 1, 0));
    for open in ["in_progress", "paused", "void"] {
        assert_eq!(counts(open), (1, 1, 0), "{open}");
    }
}
