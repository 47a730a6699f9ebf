//! Real states of loops, where they lie beside the clone: what was counted by hand must come out.

use std::fs;

use hindscope::{History, Outcome, RunView, SourceState};
use hindscope_tests::{Input, open, shared};

/// One file under a name.
fn opened_as(file: &str, name: &str) -> Option<History> {
    let path = shared(&format!("aiwg/{file}"))?;
    let bytes = fs::read(path).expect("the data can be read");
    Some(open(&[Input { name: name.to_owned(), bytes }], 1 << 16))
}

fn opened(file: &str) -> Option<History> {
    opened_as(file, file)
}

fn format_of(history: &History) -> Option<String> {
    let [source] = &history.sources()[..] else { panic!("one file is one source") };
    assert_eq!((source.kept, source.skipped, source.repaired), (1, 0, 0), "{}", source.path);
    source.format.clone()
}

fn only_run(history: &History) -> RunView {
    let [run] = &history.runs()[..] else { panic!("one run, not {}", history.runs().len()) };
    run.clone()
}

fn rules(history: &History) -> Vec<String> {
    let mut rules: Vec<_> = history.findings().into_iter().map(|f| f.rule.into_owned()).collect();
    rules.sort();
    rules
}

/// A state without iterations: how its run ended, and the rules that speak.
#[track_caller]
fn state(file: &str, outcome: Outcome, task: &str, expected: &[&str]) {
    let Some(history) = opened(file) else { return };
    assert_eq!(format_of(&history).as_deref(), Some("loop-state"));
    let run = only_run(&history);
    assert_eq!((run.iterations, run.reflections, run.outcome), (0, 0, outcome));
    assert!(run.task.as_deref().is_some_and(|t| t.starts_with(task)), "{:?}", run.task);
    assert_eq!(rules(&history), expected);
}

#[test]
fn states_without_iterations() {
    use Outcome::{Running, Success};
    let file = |name: &str| format!("aiwg-current-loop-{name}.json");
    // Counter 1, and a list of iterations that is empty.
    state(&file("20260122-dd35a13"), Running, "Implement the Unified", &["state/counter"]);
    state(&file("20260125-02d0f8f"), Success, "Create Gitea issues", &[]);
    // Started at 12:00, completed at 04:15 of the same day.
    state(&file("20260125-e80faca"), Success, "Design and document", &["series/negative-duration"]);
    state(&file("20260128-8d16c66"), Success, "Implement comprehensive", &[]);
    state(&file("20260209-79aa31e"), Success, "Implement AIWG RLM", &[]);
    state("matric-eval-loop-state.json", Running, "Implement thinking model", &[]);
}

#[test]
fn their_ids_are_keys() {
    let Some(history) = opened("aiwg-current-loop-20260209-79aa31e.json") else { return };
    assert_eq!(only_run(&history).key, "ralph-rlm-addon-2026-02-09");
}

/// 769 passed and none failed, 552 passed and 3 failed; no word of an outcome in either.
#[test]
fn files_of_iterations() {
    for (file, name, number, reward) in [
        ("matric-eval-iteration-13.json", "iteration-13.json", 13, 1.0),
        ("matric-eval-iteration-8.json", "iteration-8.json", 8, 0.994_594_595),
    ] {
        let Some(history) = opened_as(file, name) else { return };
        assert_eq!(format_of(&history).as_deref(), Some("iteration-file"));
        let run = only_run(&history);
        assert_eq!((run.iterations, run.outcome, run.best), (1, Outcome::Unknown, Some(reward)));
        assert_eq!(
            (run.best_number, run.reward_rule.as_deref()),
            (Some(number), Some("reward/derive-tests"))
        );
        // The coverage is a text with `~`.
        assert_eq!(rules(&history), ["number/from-text"]);
    }
}

/// What holds too little to be known without its name is shown as text under another one.
#[test]
fn an_iteration_under_another_name() {
    let Some(history) = opened("matric-eval-iteration-13.json") else { return };
    assert_eq!(history.sources()[0].state, SourceState::Raw);
    assert_eq!(rules(&history), ["source/unknown"]);
}

#[test]
fn a_session() {
    let Some(history) = opened("GENERATED-session-state-clean.json") else { return };
    assert_eq!(format_of(&history).as_deref(), Some("loop-state"));
    let run = only_run(&history);
    assert_eq!((run.outcome, run.trend.as_str(), run.reflections), (Outcome::Success, "FFFFP", 5));
    let run = history.run(run.id).expect("the history listed it");
    assert_eq!(run.numbers(), [1, 2, 3, 4, 5]);
    assert_eq!(run.rewards(), [0.35, 0.6, 0.55, 0.85, 1.0]);
    assert_eq!(rules(&history), Vec::<String>::new());
}

/// Nine elements, four of them by an orchestrator that failed itself: five iterations, and no
/// lesson of its messages.
#[test]
fn a_session_whose_iterations_stand_twice() {
    let Some(history) = opened("GENERATED-session-state-duplicate-iterations.json") else { return };
    let run = only_run(&history);
    assert_eq!((run.outcome, run.trend.as_str(), run.reflections), (Outcome::Failure, "FFFFP", 5));
    assert_eq!(run.outcome_detail.as_deref(), Some("limit_reached"));
    assert_eq!(run.best, Some(1.0));
    let run = history.run(run.id).expect("the history listed it");
    assert_eq!(run.numbers(), [1, 2, 3, 4, 5]);
    assert_eq!(run.rewards(), [0.35, 0.6, 0.55, 0.85, 1.0]);
    assert_eq!(rules(&history), vec!["merge/orchestrator-pair"; 4]);
}

#[test]
fn a_registry_and_an_index() {
    let Some(history) = opened("aiwg-launcher-registry.json") else { return };
    assert_eq!(format_of(&history).as_deref(), Some("loop-registry"));
    let run = only_run(&history);
    assert_eq!(run.key, "ralph-compare-aiwg-s-ralph-system-ai-mlek65l8kmab");
    assert_eq!((run.iterations, run.outcome), (0, Outcome::Running));
    let Some(history) = opened("aiwg-reflections-index.yaml") else { return };
    assert_eq!(format_of(&history).as_deref(), Some("reflections-index"));
    assert_eq!((history.runs().len(), history.findings().len()), (0, 0));
    let Some(history) = opened("aiwg-learned-patterns.yaml") else { return };
    assert_eq!(history.sources()[0].state, SourceState::Raw, "no history of a loop");
}
