//! Every face can ask for an attempt by its number, whatever its format and spelling. If the number is too
//! large, `number/beyond` says so and no attempt has it. It never becomes another number.

use hindscope::{History, Profile, RecordId, WindowRule};
use hindscope_tests::{Input, bytes_of, open_as};

/// The largest number that JavaScript tells from its neighbours.
const MOST: i64 = (1 << 53) - 1;

/// Larger ones, of which doubles make 2⁵³, 2⁵³, 2⁶³, 2⁶⁴ and 10²⁰.
const BEYOND: [&str; 5] = [
    "9007199254740992",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551616",
    "100000000000000000000",
];

/// Files of one run with two attempts: number 1, and the number at `{n}`.
const FILES: [(&str, &[(&str, &str)]); 17] = [
    (
        "reflection memory",
        &[(
            "a.jsonl",
            "{\"loop_id\":\"r\",\"iteration\":1,\"evaluator_output\":{\"passed\":false},\"self_reflection\":{\"reflection_text\":\"t\"}}\n{\"loop_id\":\"r\",\"iteration\":{n},\"evaluator_output\":{\"passed\":false},\"self_reflection\":{\"reflection_text\":\"u\"}}\n",
        )],
    ),
    (
        "reflection memory, in text",
        &[(
            "a.jsonl",
            "{\"loop_id\":\"r\",\"iteration\":\"1\",\"evaluator_output\":{\"passed\":false},\"self_reflection\":{\"reflection_text\":\"t\"}}\n{\"loop_id\":\"r\",\"iteration\":\"{n}\",\"evaluator_output\":{\"passed\":false},\"self_reflection\":{\"reflection_text\":\"u\"}}\n",
        )],
    ),
    (
        "reflection memory, by the name of its file",
        &[
            (
                "r/1.json",
                "{\"loop_id\":\"r\",\"evaluator_output\":{\"passed\":false},\"self_reflection\":{\"reflection_text\":\"t\"}}",
            ),
            (
                "r/iteration-{n}.json",
                "{\"loop_id\":\"r\",\"evaluator_output\":{\"passed\":false},\"self_reflection\":{\"reflection_text\":\"u\"}}",
            ),
        ],
    ),
    (
        "hook in YAML",
        &[(
            "a.yaml",
            "trial_number: 1\noutcome: failure\nreflection: t\n---\ntrial_number: {n}\noutcome: failure\nreflection: u\n",
        )],
    ),
    (
        "hook in YAML, in text",
        &[(
            "a.yaml",
            "trial_number: 1\noutcome: failure\nreflection: t\n---\ntrial_number: \"{n}\"\noutcome: failure\nreflection: u\n",
        )],
    ),
    (
        "analytics",
        &[(
            "a.json",
            "{\"loop_id\":\"r\",\"total_iterations\":2,\"iterations\":[{\"iteration_number\":1,\"quality_score\":35,\"verification_status\":\"failed\"},{\"iteration_number\":{n},\"quality_score\":45,\"verification_status\":\"failed\"}]}",
        )],
    ),
    (
        "analytics as CSV",
        &[(
            "a.csv",
            "iteration,timestamp,quality_score,quality_delta,tokens_used,cost_usd,execution_time_ms,verification_status\n1,2026-03-08T12:00:00Z,62,,1,0,1,failed\n{n},2026-03-08T12:01:00Z,64,,1,0,1,failed\n",
        )],
    ),
    (
        "completion report",
        &[(
            "a.md",
            "# Ralph Loop Completion Report\n\n**Task**: Trim it\n**Status**: SUCCESS\n\n## Iteration History\n\n| # | Action | Result | Learnings |\n|---|---|---|---|\n| 1 | Drop data | FAIL | Dates need it |\n| {n} | Split it | PASS | - |\n",
        )],
    ),
    (
        "result of the_edge_agent",
        &[(
            "a.json",
            "{\"reflection_iteration\":2,\"reflection_history\":[{\"iteration\":1,\"output\":{},\"score\":0,\"valid\":false,\"errors\":[]},{\"iteration\":{n},\"output\":{},\"score\":1,\"valid\":true,\"errors\":[]}]}",
        )],
    ),
    (
        "self-refine",
        &[(
            "a.jsonl",
            "{\"record_id\":0,\"attempt\":1,\"feedback\":\"f\"}\n{\"record_id\":0,\"attempt\":{n},\"feedback\":\"g\"}\n",
        )],
    ),
    (
        "memory of a manager",
        &[(
            "r/a.json",
            "[{\"content\":\"c\",\"type\":\"t\",\"loopId\":\"r\",\"iteration\":1},{\"content\":\"d\",\"type\":\"t\",\"loopId\":\"r\",\"iteration\":{n}}]",
        )],
    ),
    (
        "state of a loop",
        &[(
            "a.json",
            "{\"loopId\":\"r\",\"objective\":\"o\",\"status\":\"completed\",\"currentIteration\":2,\"maxIterations\":5,\"iterations\":[{\"number\":1,\"status\":\"failed\"},{\"number\":{n},\"status\":\"failed\"}]}",
        )],
    ),
    (
        "questions",
        &[(
            "a.txt",
            "########################################\nBEGIN TRIAL 1\nTrial summary: Correct: 0, Incorrect: 1\n########################################\n\n------------- BEGIN INCORRECT AGENTS -------------\n\nQuestion: Q?\nThought 1: t\nCorrect answer: a\n\n########################################\nBEGIN TRIAL {n}\nTrial summary: Correct: 0, Incorrect: 1\n########################################\n\n------------- BEGIN INCORRECT AGENTS -------------\n\nQuestion: Q?\nThought 1: u\nCorrect answer: a\n",
        )],
    ),
    (
        "log of the world",
        &[(
            "world.log",
            "***** Start Trial #1 *****\nEnvironment #0 Trial #1: FAIL\n***** Start Trial #{n} *****\nEnvironment #0 Trial #{n}: FAIL\n",
        )],
    ),
    (
        "results of trials, by the names of their files",
        &[
            (
                "r/env_results_trial_1.json",
                "[{\"name\":\"env_0\",\"memory\":[],\"is_success\":false}]",
            ),
            (
                "r/env_results_trial_{n}.json",
                "[{\"name\":\"env_0\",\"memory\":[\"a\"],\"is_success\":false}]",
            ),
        ],
    ),
    (
        "parts of an episodic memory",
        &[
            (
                "m/tasks/t/attempts/001/outcome.json",
                "{\"task_id\":\"t\",\"attempt_id\":1,\"status\":\"failed\",\"final_quality\":0.5}",
            ),
            (
                "m/tasks/t/attempts/002/outcome.json",
                "{\"task_id\":\"t\",\"attempt_id\":{n},\"status\":\"failed\",\"final_quality\":0.6}",
            ),
        ],
    ),
    (
        "parts of an episodic memory, by the names of their folders",
        &[
            (
                "m/tasks/t/attempts/001/outcome.json",
                "{\"task_id\":\"t\",\"status\":\"failed\",\"final_quality\":0.5}",
            ),
            (
                "m/tasks/t/attempts/{n}/outcome.json",
                "{\"task_id\":\"t\",\"status\":\"failed\",\"final_quality\":0.6}",
            ),
        ],
    ),
];

fn with(files: &[(&str, &str)], number: &str) -> Vec<Input> {
    let filled = |text: &str| text.replace("{n}", number);
    files.iter().map(|(name, text)| Input::new(filled(name), filled(text))).collect()
}

fn rules(history: &History) -> Vec<String> {
    history.findings().iter().map(|finding| finding.rule.to_string()).collect()
}

/// The numbers of all attempts, each of which can be asked for.
fn numbers(history: &History) -> Vec<i64> {
    let mut numbers = Vec::new();
    for view in history.runs() {
        let run = history.run(view.id).expect("it was listed");
        for number in run.numbers() {
            run.window(*number, WindowRule::default()).expect("it was listed");
            numbers.push(*number);
        }
    }
    numbers
}

/// What records say of themselves when somebody looks at them.
fn shown(history: &History, files: &[Input]) -> Vec<i64> {
    let ids = (0..).take(history.record_count()).map(RecordId);
    let details = ids.map(|id| history.inspect(id, 0, bytes_of(history, files, id)));
    details.filter_map(|details| details.expect("its bytes").number).collect()
}

#[test]
fn a_number_is_kept_or_said_to_be_too_large() {
    let mut wrong = Vec::new();
    for (what, files) in FILES {
        for profile in [Profile::Lenient, Profile::Strict] {
            let held = with(files, &MOST.to_string());
            let history = open_as(&held, usize::MAX, profile);
            let found = (numbers(&history), rules(&history));
            if found.0 != [1, MOST] || found.1.contains(&"number/beyond".to_owned()) {
                wrong.push(format!("{what}, {profile:?}, {MOST}: {found:?}"));
            }
            for number in BEYOND {
                let files = with(files, number);
                let history = open_as(&files, usize::MAX, profile);
                let rules = rules(&history);
                let beyond = rules.iter().filter(|rule| *rule == "number/beyond").count();
                let numbers = [numbers(&history), shown(&history, &files)];
                let is_other = numbers.iter().flatten().any(|n| !(0..10).contains(n));
                if beyond != 1 || is_other {
                    wrong.push(format!("{what}, {profile:?}, {number}: {numbers:?}, {rules:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// 5.0 is five, and negative numbers are numbers, up to the same bound.
#[test]
fn other_spellings_of_numbers_are_those_numbers() {
    let (_, reflections) = FILES[0];
    for (written, number) in [("5.0", 5), ("5e0", 5), ("-3", -3), ("-9007199254740991", -MOST)] {
        let history = open_as(&with(reflections, written), usize::MAX, Profile::Lenient);
        assert!(numbers(&history).contains(&number), "{written}");
    }
    for written in ["-9007199254740992", "-9007199254740993", "-1e20", "1e300"] {
        let history = open_as(&with(reflections, written), usize::MAX, Profile::Lenient);
        assert_eq!(numbers(&history), [1], "{written}");
        assert!(rules(&history).contains(&"number/beyond".to_owned()), "{written}");
    }
}

/// The finding stands at the number itself, where the format has places.
#[test]
fn the_finding_stands_at_the_number() {
    let (_, state) = FILES.iter().find(|(what, _)| *what == "analytics").expect("it is listed");
    let files = with(state, "9007199254740993");
    let history = open_as(&files, usize::MAX, Profile::Lenient);
    let findings = history.findings();
    let found = findings.iter().find(|f| f.rule == "number/beyond").expect("it is too large");
    assert_eq!(found.pointer.as_deref(), Some("/iterations/1/iteration_number"));
    let at = usize::try_from(found.offset.expect("it has a place")).expect("small");
    assert!(files[0].bytes[at..].starts_with(b"9007199254740993"));
}
