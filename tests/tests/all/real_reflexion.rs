//! Real logs of Reflexion and LATS, where they lie beside the clone: what was counted
//! independently must come out, and their problems must be found.

use std::collections::BTreeMap;

use hindscope::{Details, History, InjectedOrigin, Outcome, RecordId, RunView};
use hindscope_tests::{Input, bytes_of, loaded, open, read, shared};

/// Files of the folder with real histories.
fn files(path: &str) -> Option<Vec<Input>> {
    Some(read(&shared("")?.join(path)).expect("the data can be read"))
}

fn opened(path: &str) -> Option<(Vec<Input>, History)> {
    let files = files(path)?;
    let history = open(&files, 1 << 16);
    Some((files, history))
}

fn details(history: &History, files: &[Input], record: RecordId, part: u32) -> Details {
    history.inspect(record, part, bytes_of(history, files, record)).expect("its bytes")
}

fn rules(history: &History) -> BTreeMap<String, usize> {
    let mut rules = BTreeMap::new();
    for finding in history.findings() {
        *rules.entry(finding.rule.into_owned()).or_default() += 1;
    }
    rules
}

fn counted<const N: usize>(rules: [(&str, usize); N]) -> BTreeMap<String, usize> {
    rules.into_iter().map(|(rule, count)| (rule.to_owned(), count)).collect()
}

fn outcomes(runs: &[RunView]) -> BTreeMap<Outcome, usize> {
    let mut counts = BTreeMap::new();
    for run in runs {
        *counts.entry(run.outcome).or_default() += 1;
    }
    counts
}

/// A log of a hundred questions.
#[track_caller]
fn questions(file: &str, records: u32, solved: &[u32], reflections: u32) {
    let Some((_, history)) = opened(&format!("reflexion/hotpotqa/{file}")) else { return };
    let [source] = &history.sources()[..] else { panic!("one file is one source") };
    assert_eq!(source.format.as_deref(), Some("qa-trials"));
    assert_eq!((source.kept, source.skipped), (records, 0));
    let [group] = &history.groups()[..] else { panic!("one file is one group") };
    assert_eq!((group.runs, group.reflections), (100, reflections));
    assert_eq!(group.solved_after, solved);
    assert_eq!(group.numbers, (1..).take(solved.len()).collect::<Vec<i64>>());
    let unsolved: Vec<u32> = solved.iter().map(|n| 100 - n).collect();
    let attempted: Vec<u32> = [100].into_iter().chain(unsolved).take(solved.len()).collect();
    assert_eq!(group.attempted, attempted, "what was answered is carried");
    assert_eq!(rules(&history), BTreeMap::new(), "the known ones are in order");
}

#[test]
fn questions_with_reflections() {
    // Trials 1 to 4 left 68, 63, 60 and 60 questions, and each of them was reflected on.
    questions("cot_nocontext_reflexion_5_trials.txt", 500, &[32, 37, 40, 40, 40], 251);
}

#[test]
fn questions_with_the_last_trial_only() {
    questions("cot_nocontext_last_trial_6_trials.txt", 600, &[32, 34, 35, 36, 37, 38], 0);
}

#[test]
fn a_reflection_is_seen_one_trial_after_it_was_written() {
    let path = "reflexion/hotpotqa/cot_nocontext_reflexion_5_trials.txt";
    let Some((files, history)) = opened(path) else { return };
    let mut seen = 0;
    for view in history.runs().iter().filter(|run| run.iterations == 5) {
        let run = history.run(view.id).expect("the history listed it");
        let steps = run.iterations();
        let injected = loaded(&history, &files, view.id).injected(5).expect("it is there");
        assert_eq!(
            (injected.origin, &injected.numbers[..]),
            (InjectedOrigin::Retrieved, &[1, 2, 3, 4][..])
        );
        let is_last_reflected = steps.last().is_some_and(|step| !step.reflections.is_empty());
        assert!(!is_last_reflected, "the log ends before that could be shown");
        assert_eq!(view.omega, None, "unbounded");
        for step in &steps {
            let attempt = details(&history, &files, step.record, step.part);
            assert_eq!(attempt.number, Some(step.number));
            assert_eq!(attempt.outcome, Some(Outcome::Failure));
            assert_eq!(attempt.reward.map(|r| r.value), Some(0.0));
            assert_eq!(attempt.actions.len(), 1);
            let numbers: Vec<i64> = attempt.retrieved.iter().flatten().map(|r| r.number).collect();
            assert_eq!(numbers, (1..step.number).collect::<Vec<_>>(), "{}", view.key);
            for at in &step.reflections {
                let listed = details(&history, &files, at.record, at.part);
                let own = listed.reflections.iter().find(|r| r.part == at.part);
                assert!(own.is_some_and(|r| r.text.starts_with("My reasoning")), "{}", view.key);
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 60 * 4);
}

#[test]
fn a_scratchpad_of_the_trial_before_is_no_reflection() {
    let path = "reflexion/hotpotqa/cot_nocontext_last_trial_6_trials.txt";
    let Some((files, history)) = opened(path) else { return };
    let mut shown = 0;
    for view in history.runs() {
        let run = history.run(view.id).expect("the history listed it");
        for step in run.iterations() {
            let attempt = details(&history, &files, step.record, step.part);
            let has_flag = attempt.flags.iter().any(|flag| flag == "last-trial");
            assert_eq!(has_flag, step.number > 1, "{} at {}", view.key, step.number);
            assert_eq!(attempt.actions.len(), 1, "its own steps only");
            shown += usize::from(has_flag);
        }
    }
    assert_eq!(shown, 68 + 66 + 65 + 64 + 63);
}

#[test]
fn submissions_without_names() {
    let Some((files, history)) = opened("reflexion/leetcode_metadata/2023-04-12_23-12-20.jsonl")
    else {
        return;
    };
    let runs = history.runs();
    assert_eq!(runs.len(), 10);
    assert!(runs.iter().all(|run| run.format == "submission-log" && run.base == 1));
    assert_eq!(outcomes(&runs), BTreeMap::from([(Outcome::Failure, 10)]));
    let best = |key: &str| {
        let id = history.find_run(key).expect("its question has this id");
        history.run(id).expect("it was found").view().best
    };
    assert_eq!(best("2703"), Some(0.935_064_935));
    assert_eq!(best("2681"), Some(0.0));
    let long = history.find_run("2703").expect("its question has this id");
    let task = history.run(long).expect("it was found").view().task;
    assert_eq!(task.as_deref(), Some("handleQuery"), "as its code has it");
    let step = &history.run(long).expect("it was found").iterations()[0];
    let span = history.locate(step.record).expect("the history holds it");
    assert!(span.end - span.start > 1_300_000, "one long line is a record like any other");
    let attempt = details(&history, &files, step.record, 0);
    assert_eq!(attempt.errors[0].kind, "time_limit_exceeded");
    assert!(step.time_ms.is_some());
    assert_eq!(rules(&history), counted([("size/line", 1)]), "each `compare_result` agrees");
}

#[test]
fn submissions_that_were_never_judged() {
    let Some((_, history)) = opened("reflexion/leetcode_metadata/2023-04-16_22-59-10") else {
        return;
    };
    let runs = history.runs();
    assert_eq!(runs.len(), 40);
    let expected =
        BTreeMap::from([(Outcome::Success, 6), (Outcome::Failure, 16), (Outcome::Unknown, 18)]);
    assert_eq!(outcomes(&runs), expected);
    let mut unjudged = runs.iter().filter(|run| run.outcome == Outcome::Unknown);
    assert!(unjudged.all(|run| run.last.is_none() && run.best.is_none()), "without a reward");
    let is_dense = |run: &&RunView| run.reward_rule.as_deref() == Some("reward/derive-dense");
    assert_eq!(runs.iter().filter(is_dense).count(), 22);
    assert_eq!(rules(&history), BTreeMap::new());
}

#[test]
fn a_tree_search() {
    let Some((files, history)) = opened("other/lats_humaneval_dfs_gpt-3.5.jsonl") else { return };
    let [source] = &history.sources()[..] else { panic!("one file is one source") };
    assert_eq!(source.format.as_deref(), Some("tree-search-log"));
    assert_eq!((source.kept, source.skipped), (161, 0));
    let runs = history.runs();
    assert_eq!(runs.len(), 160, "one task stands twice");
    assert!(runs.iter().all(|run| run.format == "tree-search-log"));
    // 33 and 67 by `is_solved`, 54 and 6 by `acc`: 45 of 94 and 42 of 66 since its two beginnings.
    let expected = BTreeMap::from([(Outcome::Success, 87), (Outcome::Failure, 73)]);
    assert_eq!(outcomes(&runs), expected);
    let attempts = |n: u32| runs.iter().filter(|run| run.iterations == n).count();
    assert_eq!((attempts(1), attempts(2)), (60, 100));
    assert_eq!(
        runs.iter().map(|run| run.reflections).sum::<u32>(),
        869,
        "969 and 100 placeholders"
    );
    assert_eq!(history.groups()[0].reflections, 869);
    for view in &runs {
        for step in history.run(view.id).expect("the history listed it").iterations() {
            let attempt = details(&history, &files, step.record, step.part);
            assert_eq!(attempt.reflections.len(), step.reflections.len(), "{}", view.key);
            assert!(attempt.reflections.iter().all(|r| r.text != "MCTS reflections"));
        }
    }
    let expected = [("prog/acc", 2), ("prog/duplicate-task", 1), ("prog/placeholder", 1)];
    assert_eq!(rules(&history), counted(expected));
    for (rule, start) in [
        ("prog/acc", "In 61 of 161 rows `is_solved` is missing."),
        ("prog/placeholder", "In 100 rows,"),
    ] {
        let found = history.findings().into_iter().find(|f| f.rule == rule).expect("it is there");
        assert!(found.message.starts_with(start), "{}", found.message);
    }
}

#[test]
fn memory_that_stops_growing_is_said() {
    let Some((_, history)) = opened("reflexion/alfworld_base") else { return };
    let growth: Vec<String> = history
        .findings()
        .into_iter()
        .filter(|f| f.rule == "env/memory-growth")
        .map(|f| f.message)
        .collect();
    let [four, five, six] = &growth[..] else { panic!("{growth:?}") };
    for (message, counts) in [(four, "34 of 36"), (five, "33 of 34"), (six, "33 of 33")] {
        assert!(message.contains(counts), "{message}");
    }
    for folder in ["alfworld_reflexion", "webshop_reflexion_1"] {
        let Some((_, history)) = opened(&format!("reflexion/{folder}")) else { return };
        assert_eq!(rules(&history), BTreeMap::new(), "{folder} keeps the rules");
    }
}

#[test]
fn programming_logs_say_what_the_last_bin_is() {
    for (folder, rows) in [
        ("reflexion_humaneval_py_pass_at_1", Some("8 solved tasks")),
        ("reflexion_humaneval_rs_hard50", Some("7 solved tasks")),
        ("simple_humaneval_rs_hard50", None),
        ("reflexion_leetcode_python3_gpt4_react_constraints_visible", Some("1 solved task ")),
    ] {
        let Some((_, history)) = opened(&format!("reflexion/programming/{folder}")) else { return };
        let findings = history.findings();
        let messages: Vec<&str> = findings.iter().map(|f| f.message.as_str()).collect();
        match rows {
            Some(rows) => assert!(
                matches!(&messages[..], [only] if only.starts_with(rows)),
                "{folder}: {messages:?}"
            ),
            None => assert_eq!(messages, [""; 0], "{folder}"),
        }
    }
}
