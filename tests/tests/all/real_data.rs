//! Real runs, where they lie beside the clone: what was counted independently must come out.

use std::path::Path;

use hindscope::{Explanation, GroupId, GroupView, History, InsightOptions, Outcome, Trust};
use hindscope_tests::{compare_reflections, loaded, open, read, shared};

fn opened(path: &Path) -> History {
    let files = read(path).expect("the data can be read");
    open(&files, 1 << 16)
}

/// Solved after each trial, tasks and reflections of a folder of env results.
#[track_caller]
fn env_results(folder: &str, tasks: u32, solved: &[u32], reflections: Option<u32>) {
    let Some(shared) = shared("") else { return };
    let history = opened(&shared.join("reflexion").join(folder));
    let [group] = &history.groups()[..] else { panic!("{folder} is not one group") };
    assert_eq!(group.format, "env-results");
    assert_eq!(group.runs, tasks);
    assert_eq!(group.solved_after, solved);
    assert_eq!(group.numbers, (0..15).take(solved.len()).collect::<Vec<i64>>());
    if let Some(reflections) = reflections {
        assert_eq!(group.reflections, reflections);
    }
}

#[test]
fn alfworld_reflexion() {
    let solved = [84, 103, 111, 113, 117, 118, 123, 126, 128, 129, 130, 130, 131, 133, 134];
    env_results("alfworld_reflexion", 134, &solved, Some(200));
}

#[test]
fn alfworld_base() {
    env_results("alfworld_base", 134, &[84, 94, 97, 98, 100, 101, 101], None);
}

#[test]
fn webshop_reflexion() {
    env_results("webshop_reflexion_1", 100, &[33, 33, 34, 35], Some(265));
}

/// Counted in the published files by hand: entries that Ω 3 pushed out before trials 4 to 14.
#[test]
fn alfworld_drops_what_omega_does_not_hold() {
    let Some(shared) = shared("") else { return };
    let history = opened(&shared.join("reflexion/alfworld_reflexion"));
    let mut dropped = [0; 15];
    for view in history.runs() {
        let run = history.run(view.id).expect("the history listed it");
        for &number in run.numbers() {
            let rule = hindscope::WindowRule { omega: Some(3), ..hindscope::WindowRule::default() };
            let window = run.window(number, rule).expect("it has this iteration");
            dropped[usize::try_from(number).expect("trials are few")] += window.evicted().len();
        }
    }
    assert_eq!(dropped, [0, 0, 0, 0, 21, 34, 48, 44, 40, 36, 35, 32, 36, 30, 11]);
}

/// Rows, solved rows and reflections of a programming log.
#[track_caller]
fn programming(folder: &str, rows: usize, solved: usize, reflections: u32) {
    let Some(shared) = shared("") else { return };
    let history = opened(&shared.join("reflexion/programming").join(folder));
    let runs = history.runs();
    assert_eq!(runs.len(), rows);
    assert_eq!(runs.iter().filter(|run| run.outcome == Outcome::Success).count(), solved);
    assert_eq!(runs.iter().map(|run| run.reflections).sum::<u32>(), reflections);
    assert!(runs.iter().all(|run| run.format == "programming-log"));
}

#[test]
fn humaneval_python() {
    programming("reflexion_humaneval_py_pass_at_1", 164, 150, 194);
}

#[test]
fn humaneval_rust() {
    programming("reflexion_humaneval_rs_hard50", 50, 34, 88);
}

#[test]
fn humaneval_rust_without_reflections() {
    programming("simple_humaneval_rs_hard50", 50, 30, 0);
}

#[test]
fn leetcode() {
    programming("reflexion_leetcode_python3_gpt4_react_constraints_visible", 40, 6, 105);
}

#[test]
fn the_published_record_of_aiwg() {
    let Some(shared) = shared("") else { return };
    let history = opened(&shared.join("aiwg/aiwg-reflection-example-001.json"));
    let [source] = &history.sources()[..] else { panic!("one file is one source") };
    assert_eq!(source.format.as_deref(), Some("reflection-memory"));
    let [run] = &history.runs()[..] else { panic!("one record is one run") };
    assert_eq!(run.key, "ralph-test-coverage-2026-01-25");
    assert_eq!((run.best, run.outcome, run.reflections), (Some(0.3), Outcome::Failure, 1));
}

#[test]
fn the_hook_of_aiwg() {
    let Some(shared) = shared("") else { return };
    let history = opened(&shared.join("aiwg/aiwg-hook-iteration-3.yaml"));
    let [source] = &history.sources()[..] else { panic!("one file is one source") };
    assert_eq!(source.format.as_deref(), Some("hook-iteration"));
    let [run] = &history.runs()[..] else { panic!("one file is one run") };
    let run = history.run(run.id).expect("the history listed it");
    assert_eq!(run.numbers(), [3]);
    assert_eq!(run.outcomes(), [Outcome::Failure]);
    assert_eq!(run.reflections().len(), 1);
}

/// The whole folder at once, with everything in it that no format claims yet.
#[test]
fn everything_at_once_is_listed() {
    let Some(shared) = shared("") else { return };
    let files = read(&shared).expect("the data can be read");
    let history = open(&files, 1 << 20);
    assert_eq!(history.sources().len(), files.len());
    for source in history.sources() {
        assert!(source.format.is_some() || source.reason.is_some(), "{source:?}");
    }
    assert_eq!(history.findings().len(), history.finding_count());
}

/// Every run of a folder explained, with all of its records read.
fn explained(folder: &Path) -> Vec<Explanation> {
    let files = read(folder).expect("the data can be read");
    let history = open(&files, 1 << 16);
    let options = InsightOptions::default();
    history.runs().iter().map(|view| loaded(&history, &files, view.id).explain(&options)).collect()
}

/// Why `stuck/near-repeat` exists: exact comparison alone would find nothing here.
#[test]
fn alfworld_repeats_itself() {
    let Some(shared) = shared("") else { return };
    let all = explained(&shared.join("reflexion/alfworld_reflexion"));
    let repetitions = || all.iter().filter_map(|e| e.repetition);
    assert_eq!(repetitions().map(|r| r.pairs).sum::<u32>(), 150);
    assert_eq!(repetitions().map(|r| r.same).sum::<u32>(), 20);
    assert_eq!(repetitions().map(|r| r.near).sum::<u32>(), 72);
    let tasks =
        |rule: &str| all.iter().filter(|e| e.findings.iter().any(|f| f.rule == rule)).count();
    assert_eq!(tasks("stuck/near-repeat"), 13);
    assert_eq!(tasks("stuck/repeated-reflection"), 0);
    let marks = || all.iter().flat_map(|e| &e.reflections).map(|row| &row.marks);
    assert_eq!(marks().count(), 200);
    assert_eq!(marks().filter(|marks| marks.iter().any(|m| m == "reflection/cut")).count(), 3);
    assert!(all.iter().all(|e| e.left_out.is_empty()));
}

#[test]
fn alfworld_with_and_without_memory() {
    let Some(shared) = shared("") else { return };
    let mut files = Vec::new();
    for folder in ["alfworld_reflexion", "alfworld_base"] {
        files.extend(read(&shared.join("reflexion").join(folder)).expect("the data can be read"));
    }
    let history = open(&files, 1 << 16);
    let group = |label: &str| {
        history.groups().into_iter().find(|g| g.label.ends_with(label)).expect("it was opened").id
    };
    let (with, without) = (group("alfworld_reflexion"), group("alfworld_base"));
    let compared = history.compare(&[without, with], None).expect("both are open");
    assert_eq!((compared.attempts, compared.tasks), (7, 134));
    assert!(
        compared.headline.says.starts_with("After 7 attempts each, "),
        "{}",
        compared.headline.says
    );
    let [without_it, with_it] = &compared.experiments[..] else { panic!("two experiments") };
    assert_eq!((with_it.solved, without_it.solved), (123, 101));
    assert_eq!((with_it.only_this, with_it.only_first), (Some(23), Some(1)));
    assert_eq!(with_it.points.map(|x| format!("{x:.1}")).as_deref(), Some("16.4"));
    assert!(
        compared.headline.says.ends_with("+16.4 points (95 % interval +9.9 to +23.5), p < 0.0001. 23 tasks were solved by alfworld_reflexion only, 1 by alfworld_base only.")
    );
    let own = history.retries(with).expect("it is open");
    assert_eq!((own.without, own.points), (0, None), "no retry of it was without memory");
    let sums = history.aggregate(without).expect("it is open");
    let solved: Vec<_> = sums.attempts.iter().map(|a| a.solved_after).collect();
    assert_eq!(solved, [84, 94, 97, 98, 100, 101, 101]);
}

/// What is said first of a log.
fn headlines(folder: &str) -> Option<(History, Vec<String>)> {
    let shared = shared("")?;
    let files = read(&shared.join(folder)).expect("the data can be read");
    let mut history = open(&files, 1 << 16);
    compare_reflections(&mut history, &files);
    let groups = history.groups();
    let says = |group: &GroupView| history.headline(group.id).expect("it was opened").says;
    let said = groups.iter().map(says).collect();
    Some((history, said))
}

#[test]
fn alfworld_says_who_got_stuck() {
    let Some((history, said)) = headlines("reflexion/alfworld_reflexion") else { return };
    assert_eq!(
        said,
        [
            "All 134 tasks were solved, 84 of them at the first attempt. 13 got stuck before they were solved. Of the 50 that were left, the first retry solved 19, later ones 31."
        ]
    );
    let run = history.find_run("env_22").expect("it is listed");
    let verdicts = history.verdicts(&[run]);
    assert_eq!(
        verdicts[0].headline.says,
        "Stuck from 5 to 11 (counted from 0): nearly the same reflection, every attempt failed. Solved at 14."
    );
}

#[test]
fn webshop_is_no_improvement() {
    let Some((_, said)) = headlines("reflexion/webshop_reflexion_1") else { return };
    assert_eq!(
        said,
        [
            "35 of 100 tasks were solved, 33 of them at the first attempt. 42 got stuck. Of the 67 that were left, 2 were solved within 3 retries each."
        ]
    );
}

/// Whether the evaluator of a programming log can be believed.
fn trusted(shared: &Path, folder: &str) -> Option<Trust> {
    opened(&shared.join("reflexion/programming").join(folder)).trust(GroupId(0))
}

/// True positives, false negatives, false positives and true negatives, to four decimals.
fn rates(trust: &Trust) -> [Option<String>; 4] {
    [trust.true_positive, trust.false_negative, trust.false_positive, trust.true_negative]
        .map(|rate| rate.map(|rate| format!("{rate:.4}")))
}

#[test]
fn humaneval_evaluators() {
    let Some(shared) = shared("") else { return };
    let trusted = |folder| trusted(&shared, folder);
    let python = trusted("reflexion_humaneval_py_pass_at_1").expect("it is a log of reflexion");
    let counts = (python.passed_solved, python.passed, python.never_solved, python.never);
    assert_eq!(counts, (142, 144, 8, 20));
    assert_eq!(rates(&python), ["0.9861", "0.4000", "0.0139", "0.6000"].map(|x| Some(x.into())));
    let rust = trusted("reflexion_humaneval_rs_hard50").expect("it is a log of reflexion");
    let counts = (rust.passed_solved, rust.passed, rust.never_solved, rust.never);
    assert_eq!(counts, (27, 31, 7, 19));
    assert_eq!(rates(&rust), ["0.8710", "0.3684", "0.1290", "0.6316"].map(|x| Some(x.into())));
    assert_eq!(trusted("simple_humaneval_rs_hard50"), None, "no reflections, no rates");
}
