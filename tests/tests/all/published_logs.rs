//! Logs as their programs wrote them: everything in them is read, nothing is taken for what it is not.

use std::fmt::Write as _;
use std::slice;

use hindscope::{
    Finding, History, InsightOptions, LoadedRun, Outcome, RunView, Severity, SourceState,
};
use hindscope_tests::{Input, load, loaded, open};

fn opened(name: &str, text: &str) -> (Input, History) {
    let file = Input::new(name, text);
    let history = open(slice::from_ref(&file), usize::MAX);
    (file, history)
}

fn view(history: &History, key: &str) -> RunView {
    let id = history.find_run(key).unwrap_or_else(|| panic!("there is no run {key}"));
    history.run(id).expect("it was found").view()
}

/// A run with the records that an attempt needs, and no others.
fn attempt_read(history: &History, file: &Input, key: &str, number: i64) -> LoadedRun {
    let mut run = history.loaded_run(view(history, key).id).expect("it is there");
    let needs = run.needs_of(number).expect("it is there");
    load(history, slice::from_ref(file), &mut run, needs);
    run
}

fn reflections(history: &History, file: &Input, key: &str, number: i64) -> Vec<String> {
    let run = attempt_read(history, file, key, number);
    let attempt = run.attempt(number).expect("it is there").expect("all of it was read");
    attempt.reflections.iter().map(|reflection| reflection.text.clone()).collect()
}

fn of_rule(history: &History, rule: &str) -> Vec<Finding> {
    history.findings().into_iter().filter(|finding| finding.rule == rule).collect()
}

/// A log of one question, which names it at the end of its context.
fn trials(lists: &[&[&str]]) -> String {
    let mut log = String::new();
    for (number, list) in (1..).zip(lists) {
        let (section, verdict) = if number == lists.len() {
            ("CORRECT", "Correct: 1, Incorrect: 0")
        } else {
            ("INCORRECT", "Correct: 0, Incorrect: 1")
        };
        let listed: Vec<_> = list.iter().map(|text| format!("- {text}")).collect();
        let listed = listed.join("\n");
        let head = if listed.is_empty() {
            String::new()
        } else {
            format!(
                "You have attempted to answer following question before and failed.\nReflections:\n{listed}\n\n"
            )
        };
        let rule = "#".repeat(40);
        write!(
            log,
            "\n{rule}\nBEGIN TRIAL {number}\nTrial summary: {verdict}\n{}\n------------- BEGIN {section} AGENTS -------------\n\n{head}Context: The Orrin is a river.\n\nAn old Question: where does it end? It ends in a lake. Question: Which lake takes the Orrin?\nThought: It is Tarn {number}.\nAction: Finish[Tarn {number}]\nObservation: Answer is {section}\nCorrect answer: Tarn\n",
            &rule[1..]
        )
        .expect("a string takes everything");
    }
    log
}

const QUESTION: &str = "Which lake takes the Orrin?";

#[test]
fn a_question_may_end_the_last_line_of_its_context() {
    let log = trials(&[&[], &["I guessed."], &["I guessed.", "I read half."]]);
    let (file, history) = opened("100_questions_3_trials.txt", &log);
    assert_eq!(history.findings(), []);
    let run = view(&history, QUESTION);
    assert_eq!((run.iterations, run.reflections, run.outcome), (3, 2, Outcome::Success));
    let loaded_run = attempt_read(&history, &file, QUESTION, 2);
    let attempt = loaded_run.attempt(2).expect("it is there").expect("it was read");
    let context = attempt.texts.iter().find(|text| text.name == "context").expect("it is there");
    assert!(context.text.ends_with("It ends in a lake."), "{}", context.text);
    assert_eq!(attempt.actions.len(), 1);
}

#[test]
fn an_attempt_has_the_reflections_that_a_later_record_lists() {
    let log = trials(&[&[], &["I guessed."], &["I guessed.", "I read half."]]);
    let (file, history) = opened("3_trials.txt", &log);
    let of = |number| reflections(&history, &file, QUESTION, number);
    assert_eq!([of(1), of(2), of(3)], [vec!["I guessed."], vec!["I read half."], vec![]]);
    let run = attempt_read(&history, &file, QUESTION, 2);
    assert_eq!(run.parts_of(2).expect("it is there").len(), 1, "one record describes it");
}

#[test]
fn an_edited_reflection_is_the_same_one() {
    let edited: &[&str] = &["I guessed, badly.", "I read half.", "I read it all."];
    let log = trials(&[&[], &["I guessed."], &["I guessed.", "I read half."], edited]);
    let (file, history) = opened("4_trials.txt", &log);
    let run = view(&history, QUESTION);
    assert_eq!(run.reflections, 3);
    assert_eq!(reflections(&history, &file, QUESTION, 1), ["I guessed."]);
    assert_eq!(reflections(&history, &file, QUESTION, 3), ["I read it all."]);
    assert_eq!(of_rule(&history, "qa/reflection-shift"), []);
    let [finding] = &of_rule(&history, "qa/reflection-edited")[..] else { panic!("there is one") };
    assert_eq!(finding.message, "1 reflection of trial 3 was edited before trial 4.");
    assert_eq!((finding.severity, finding.iteration), (Severity::Info, Some(4)));
    let seen = attempt_read(&history, &file, QUESTION, 4);
    let attempt = seen.attempt(4).expect("it is there").expect("it was read");
    let numbers: Vec<_> = attempt.retrieved.iter().flatten().map(|entry| entry.number).collect();
    assert_eq!(numbers, [1, 2, 3], "each with the attempt that wrote it");
}

fn submission(members: &str, status: &str, info: &str) -> String {
    format!("{{{members},\"status\":\"{status}\",\"reward\":false,\"info\":{{{info}}}}}\n")
}

#[test]
fn submissions_belong_to_questions_and_not_to_functions() {
    let code = |name: &str| format!(r#""code":"class Solution:\n    def {name}(self): pass""#);
    let judged = |id: u32| {
        format!(r#""state":"SUCCESS","question_id":{id},"total_correct":1,"total_testcases":4"#)
    };
    let started = r#""state":"STARTED""#;
    let log = [
        submission(&code("minCost"), "Wrong Answer", &judged(7)),
        submission(&code("minCost"), "Wrong Answer", &judged(8)),
        submission(&code("fold"), "Wrong Answer", &judged(9)),
        submission(&code("foldAgain"), "Wrong Answer", &judged(9)),
        submission(&code("fold"), "Submission Timed-Out", started),
        submission(&code("minCost"), "Submission Timed-Out", started),
    ];
    let (_, history) = opened("2024-01-01_00-00-00", &log.concat());
    let runs = history.runs();
    let seen: Vec<_> = runs.iter().map(|run| (run.key.as_str(), run.iterations)).collect();
    assert_eq!(seen, [("7", 1), ("8", 1), ("9", 3), ("minCost", 1)]);
    assert_eq!(view(&history, "9").task.as_deref(), Some("fold"));
    let of = |key: &str| history.run(view(&history, key).id).expect("it is there").iterations();
    let unjudged = of("9").pop().expect("it has attempts");
    assert_eq!((unjudged.outcome, unjudged.reward), (Outcome::Unknown, None));
    assert_eq!(view(&history, "minCost").last, None, "nobody judged it");
}

#[test]
fn reflections_of_a_search_count_and_are_no_sequence() {
    let row = |name: &str, solved: bool| {
        format!(
            r#"{{"name":"{name}","prompt":"fn f()","entry_point":"f","test":"","acc":0.5,"is_solved":{solved},"solution":"z","implementations":["a","z"],"test_feedback":[],"reflections":["Same.","Same.","Same.","MCTS reflections"]}}"#
        )
    };
    let log = [row("Demo_1", false), row("Demo_2", true)].join("\n");
    let (file, history) = opened("demo._dfs_5_gpt-3.5_pass_at_k_1_py.jsonl", &log);
    assert_eq!(history.groups()[0].reflections, 6);
    let run = view(&history, "Demo_1");
    assert_eq!((run.iterations, run.reflections, run.omega), (2, 3, None));
    assert_eq!(reflections(&history, &file, "Demo_1", 0).len(), 3);
    let [finding] = &of_rule(&history, "prog/placeholder")[..] else { panic!("there is one") };
    assert!(finding.message.starts_with("In 2 rows,"), "{}", finding.message);
    let loaded_run = loaded(&history, slice::from_ref(&file), run.id);
    let explained = loaded_run.explain(&InsightOptions::default());
    let stuck: Vec<_> =
        explained.findings.iter().filter(|finding| finding.rule.starts_with("stuck/")).collect();
    assert!(stuck.is_empty(), "{stuck:?}");
}

/// Rows of a programming log: numbers of reflections, and whether the task was solved.
fn programming(rows: &[(usize, bool)]) -> String {
    let texts = |n: usize| vec!["\"text\""; n].join(",");
    let row = |(at, (reflections, solved)): (usize, &(usize, bool))| {
        let (reflections, attempts) = (texts(*reflections), texts(*reflections + 1));
        format!(
            r#"{{"task_id":"Demo/{at}","prompt":"def f():","entry_point":"f","test":"","solution":"s","is_solved":{solved},"reflections":[{reflections}],"implementations":[{attempts}],"test_feedback":[{attempts}]}}"#
        ) + "\n"
    };
    rows.iter().enumerate().map(row).collect()
}

#[test]
fn the_name_of_a_file_drops_no_attempt() {
    let rows = [(0, true), (9, false), (4, true), (9, true)];
    let (_, history) = opened("demo._reflexion_5_gpt-4_pass_at_k_1_py.jsonl", &programming(&rows));
    let lengths: Vec<_> = history.runs().iter().map(|run| run.iterations).collect();
    assert_eq!(lengths, [1, 10, 5, 10]);
    let [finding] = &of_rule(&history, "prog/name")[..] else { panic!("there is one") };
    assert_eq!(
        finding.message,
        "By its name, the file allows 4 reflections for each task, but 2 tasks have more: up to 9. First here."
    );
    assert_eq!(finding.line, Some(2));
    let trust = history.trust(history.groups()[0].id).expect("it applies");
    assert_eq!((trust.passed, trust.never), (2, 2), "every task is in the table");
    assert_eq!((trust.reflections_max, trust.is_limit_inferred), (9, true));
}

#[test]
fn a_name_that_says_one_attempt_drops_none() {
    let rows = [(0, true), (2, false)];
    let (_, history) = opened("demo._simple_1_gpt-4_pass_at_k_1_py.jsonl", &programming(&rows));
    let lengths: Vec<_> = history.runs().iter().map(|run| run.iterations).collect();
    assert_eq!(lengths, [1, 3]);
    assert_eq!(of_rule(&history, "prog/name").len(), 1);
    let (_, history) =
        opened("demo._reflexion_5_gpt-4_pass_at_k_1_py.jsonl", &programming(&[(4, true)]));
    assert_eq!(of_rule(&history, "prog/name"), []);
}

#[test]
fn what_is_no_history_is_not_broken() {
    for (name, text, kind) in [
        ("notes.md", "---\ntags: [a, b\n---\n# Notes: one\n\n- key: value\n", "it is Markdown"),
        ("links.md", "[link]: https://x\n[other](y)\n", "it is Markdown"),
        ("page.md", "{{ template }}\n\n# Title\n", "it is Markdown"),
        ("cut.md", "{ not json\n", "it is Markdown"),
        ("Cargo.toml", "[package]\nname = \"a\"\n\n[[bin]]\nname = \"x\"\n", "it is TOML"),
        ("Cargo.lock", "[[package]]\nname = \"a\"\n", "it is TOML"),
        ("p/.git/config", "[core]\n\tbare = false\n[remote \"o\"]\n", "it is a file of Git"),
        ("p/.gitmodules", "[submodule \"x\"]\n\tpath = x\n", "it is a file of Git"),
    ] {
        let (_, history) = opened(name, text);
        let [source] = &history.sources()[..] else { panic!("one file is one source") };
        assert_eq!(
            (source.state, source.reason.as_deref()),
            (SourceState::Raw, Some(kind)),
            "{name}"
        );
        assert_eq!((source.kept, source.skipped), (0, 1), "{name}");
        let found = history.findings();
        let seen: Vec<_> = found.iter().map(|f| (f.rule.as_ref(), f.severity)).collect();
        assert_eq!(seen, [("source/unknown", Severity::Info)], "{name}");
    }
    let (_, history) = opened("broken.yaml", "a: [b\n");
    assert_eq!(
        of_rule(&history, "yaml/syntax").len(),
        1,
        "a name that promises YAML is held to it"
    );
}

#[test]
fn a_pointer_of_git_lfs_is_named() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    for name in ["journal.json", "log.jsonl", "a.yaml", "README.md", "trial_0.log"] {
        let (_, history) = opened(name, pointer);
        let [source] = &history.sources()[..] else { panic!("one file is one source") };
        assert_eq!(source.reason.as_deref(), Some("it is a Git LFS pointer, not the file itself"));
        assert_eq!((source.state, source.skipped), (SourceState::Raw, 1), "{name}");
        let found = history.findings();
        let seen: Vec<_> = found.iter().map(|f| (f.rule.as_ref(), f.severity)).collect();
        assert_eq!(seen, [("source/lfs-pointer", Severity::Info)], "{name}");
    }
}
