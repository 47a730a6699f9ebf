//! docs/spec/rules.md, "Evaluator and retries".

use crate::history::History;
use crate::insight::retries::Retries;
use crate::model::id::{GroupId, RunId};
use crate::model::rates::Interval;
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
    for name in ["x._simple_3_m_pass_at_k_1_py", "x._reflexion_3_m_pass_at_k_2_py"] {
        let history = opened(&[(&format!("{name}.jsonl"), log(&ROWS))]);
        assert_eq!(history.trust(GroupId(0)), None, "{name}");
    }
    let none = log(&[(0, true), (0, false)]);
    let history = opened(&[("x._reflexion_1_m_pass_at_k_1_py.jsonl", none)]);
    assert_eq!(history.trust(GroupId(0)), None, "no reflection was allowed");
    let refuted = opened(&[("x._reflexion_1_m_pass_at_k_1_py.jsonl", log(&ROWS))]);
    let trust = refuted.trust(GroupId(0)).expect("the content counts");
    assert_eq!((trust.reflections_max, trust.is_limit_inferred), (2, true));
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
    let both = [GroupId(1), GroupId(0)];
    let compared = history.compare(&both, Some(2)).expect("both are open");
    let with = &compared.experiments[1];
    // One task of ten makes the difference: that may be chance.
    assert_eq!((with.only_this, with.only_first, with.p_value), (Some(1), Some(0), Some(1.0)));
    assert_eq!((with.points, with.is_clear), (Some(10.0), Some(false)));
    assert_eq!(
        compared.headline.says,
        "After 2 attempts each, b solved 5 of the 10 tasks that both have; a solved 6: +10.0 points (95 % interval \u{2212}6.8 to +25.3), p = 1.00, which may be chance. One task was solved by a only."
    );
    let only =
        compared.headline.parts.iter().find(|part| !part.runs.is_empty()).expect("there is one");
    let run = history.run(only.runs[0]).expect("it is open");
    assert_eq!((only.runs.len(), run.key(), run.group()), (1, "env_5", GroupId(0)));
    let before = history.compare(&both, Some(1)).expect("both are open");
    assert_eq!((before.attempts, before.experiments[1].points), (1, Some(0.0)));
    let most = history.compare(&both, Some(100)).expect("both are open");
    assert_eq!(most, compared, "no more attempts than there are");
    let own = history.retries(GroupId(0)).expect("it is open");
    assert_eq!((own.with, own.without, own.without_successes), (0, 10, 6));
    assert!(own.is_too_few && own.points.is_none());
    assert_eq!(
        own.says,
        "Successful retries: 6 of 10 without reflections (60 %, 95 % interval 31 to 83). Nothing to compare with."
    );
}

/// Intervals of Newcombe (1998), as `model/rates.rs` checks them.
#[test]
fn a_difference_is_clear_where_chance_does_not_explain_it() {
    let clear = Retries::new([70, 56, 80, 48]);
    assert_eq!(clear.points_interval, Some(Interval { low: 5.243_147_2, high: 33.387_265_4 }));
    assert_eq!((clear.points, clear.is_clear), (Some(20.0), Some(true)));
    assert!(clear.says.ends_with(" Difference: +20.0 points (95 % interval +5.2 to +33.4)."));
    let unclear = Retries::new([10, 8, 9, 6]);
    assert_eq!((unclear.relative, unclear.is_clear), (Some(0.2), Some(false)));
    assert!(
        unclear.says.contains(" The difference may be chance: +13.3 points"),
        "{}",
        unclear.says
    );
    let few = Retries::new([4, 4, 4, 0]);
    assert_eq!((few.is_clear, few.points_interval), (None, None));
    assert_eq!(
        few.says,
        "Successful retries: 4 of 4 with reflections, 0 of 4 without. Too few to compare."
    );
    let rare = Retries::new([1000, 4, 1000, 999]);
    assert!(rare.says.contains("4 of 1000 with reflections (0.4 %, 95 % interval 0.2 to 1)"));
    assert!(rare.says.contains("999 of 1000 without (99.9 %, 95 % interval 99.4 to 99.9)"));
}

/// A task of a memory, by how its attempts ended.
fn attempts(memory: &str, ended: &[&str]) -> Vec<(String, String)> {
    let attempt = |(number, word): (u32, &&str)| {
        let record = serde_json::json!({"id": number, "task_id": "t", "execution": {},
            "outcome": {"status": word}, "learned_from": [1]});
        let path = format!("{memory}/tasks/t/attempts/00{number}/attempt.json");
        (path, record.to_string())
    };
    (1..).zip(ended).map(attempt).collect()
}

#[test]
fn what_does_not_say_how_it_ended_is_not_failed() {
    let counts = |ended: [&str; 2]| {
        let mut files = attempts("a", &ended);
        files.extend(attempts("b", &["failure", "failure"]));
        let files: Vec<_> =
            files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
        let history = opened(&files);
        let own = history.retries(GroupId(0)).expect("it is open");
        let sums = history.aggregate(GroupId(0)).expect("it is open");
        let both = history.compare(&[GroupId(1), GroupId(0)], Some(2));
        assert_eq!(history.groups()[0].judged, sums.judged);
        (own.with, both.map_or(0, |both| both.tasks), sums.judged, sums.attempts[1].success_at)
    };
    assert_eq!(counts(["unknown", "unknown"]), (0, 0, 0, None));
    assert_eq!(counts(["failure", "unknown"]), (0, 0, 1, Some(0.0)), "the last is not known");
    assert_eq!(counts(["unknown", "failure"]), (1, 1, 1, Some(0.0)));
    assert_eq!(counts(["success", "unknown"]), (0, 1, 1, Some(1.0)), "it was solved before");
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
    let part = [RunId(1), RunId(2), RunId(99)];
    let sums = history.aggregate_of(&part);
    assert_eq!((sums.runs, sums.solved, sums.mean_attempts), (2, 1, Some(2.0)));
    assert_eq!(history.groups_of(&part)[0].solved_after, [0, 1]);
    assert_eq!(history.groups_of(&[]), []);
}

#[test]
fn a_retry_counts_once_it_has_ended() {
    let counts = |second: &str, last: &str| {
        let files = attempts("m", &["failure", second, last]);
        let files: Vec<_> =
            files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
        let retries = opened(&files).retries(GroupId(0)).expect("it is open");
        (retries.with, retries.with_successes, retries.without)
    };
    assert_eq!(counts("failure", "success"), (2, 1, 0));
    for open in ["in_progress", "paused", "void"] {
        assert_eq!(counts("failure", open), (1, 0, 0), "{open}");
    }
    assert_eq!(counts("success", "failure"), (1, 1, 0), "what comes after a success is no retry");
}
