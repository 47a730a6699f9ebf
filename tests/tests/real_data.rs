//! Real runs, where they lie beside the clone: what was counted independently must come out.

use std::env;
use std::path::{Path, PathBuf};

use hindscope::{History, Outcome};
use hindscope_tests::{open, read, root};

/// The folder with real histories; says that it skips where there is none.
fn shared() -> Option<PathBuf> {
    let folder = env::var_os("HINDSCOPE_SHARED")
        .map_or_else(|| root().join("../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there are no real histories at {}", folder.display());
    None
}

fn opened(path: &Path) -> History {
    let files = read(path).expect("the data can be read");
    open(&files, 1 << 16)
}

/// Solved after each trial, tasks and reflections of a folder of env results.
#[track_caller]
fn env_results(folder: &str, tasks: u32, solved: &[u32], reflections: Option<u32>) {
    let Some(shared) = shared() else { return };
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

/// What rules.md anchors to the real run: entries that Ω 3 pushed out before trials 4 to 14.
#[test]
fn alfworld_drops_what_omega_does_not_hold() {
    let Some(shared) = shared() else { return };
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
    let Some(shared) = shared() else { return };
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
    let Some(shared) = shared() else { return };
    let history = opened(&shared.join("aiwg/aiwg-reflection-example-001.json"));
    let [source] = &history.sources()[..] else { panic!("one file is one source") };
    assert_eq!(source.format.as_deref(), Some("reflection-memory"));
    let [run] = &history.runs()[..] else { panic!("one record is one run") };
    assert_eq!(run.key, "ralph-test-coverage-2026-01-25");
    assert_eq!((run.best, run.outcome, run.reflections), (Some(0.3), Outcome::Failure, 1));
}

#[test]
fn the_hook_of_aiwg() {
    let Some(shared) = shared() else { return };
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
    let Some(shared) = shared() else { return };
    let files = read(&shared).expect("the data can be read");
    let history = open(&files, 1 << 20);
    assert_eq!(history.sources().len(), files.len());
    for source in history.sources() {
        assert!(source.format.is_some() || source.reason.is_some(), "{source:?}");
    }
    assert_eq!(history.findings().len(), history.finding_count());
}
