//! Input that once lost records, or was given numbers that nobody wrote.

use hindscope::{ExportOptions, History, Origin, Profile, RecordId, WindowRule};
use hindscope_tests::{Input, bytes_of, not_back, open, open_as};

fn opened(files: &[(&str, &str)]) -> (History, Vec<String>) {
    let files: Vec<_> = files.iter().map(|(name, text)| Input::new(*name, *text)).collect();
    let history = open(&files, usize::MAX);
    let rules = history.findings().iter().map(|f| f.rule.to_string()).collect();
    (history, rules)
}

fn numbers(history: &History) -> Vec<i64> {
    let run = history.runs()[0].id;
    history.run(run).expect("it was listed").numbers().to_vec()
}

fn record(number: &str) -> String {
    format!(
        r#"{{"loop_id":"ralph-a"{number},"evaluator_output":{{"passed":false}},"self_reflection":{{"reflection_text":"t"}}}}"#
    )
}

const UNSOLVED: &str = r#"[{"name":"env_0","memory":["a"],"is_success":false}]"#;
const LATER: &str = r#"[{"name":"env_0","memory":["a","b"],"is_success":false}]"#;

#[test]
fn a_trial_without_a_number_renumbers_nothing() {
    let (history, rules) = opened(&[
        ("r/trial_3.json", UNSOLVED),
        ("r/trial_4.json", LATER),
        ("r/latest.json", LATER),
    ]);
    assert_eq!(numbers(&history), [3, 4]);
    assert!(rules.contains(&"env/order-inferred".to_owned()), "{rules:?}");
}

#[test]
fn a_copy_of_a_trial_counts_once() {
    let (history, rules) =
        opened(&[("r/trial_0.json", UNSOLVED), ("r/trial_0 (1).json", UNSOLVED)]);
    assert_eq!(numbers(&history), [0]);
    assert!(rules.contains(&"source/duplicate".to_owned()), "{rules:?}");
}

#[test]
fn a_record_without_a_number_takes_nobodys_place() {
    let lines = ["1", "2", "3"].map(|n| record(&format!(r#","iteration":{n}"#)));
    let text = format!("{}\n{}\n{}\n{}\n", lines[0], record(""), lines[1], lines[2]);
    let (history, rules) = opened(&[("a.jsonl", &text)]);
    assert_eq!(numbers(&history), [1, 2, 3]);
    assert_eq!(history.record_count(), 4);
    assert!(!rules.contains(&"series/duplicate-iteration".to_owned()), "{rules:?}");
}

#[test]
fn a_hook_reflection_may_be_a_list_of_lines() {
    let text = "trial_number: 1\noutcome: failure\nreflection:\n  - one\n  - two\n";
    let (history, rules) = opened(&[("iteration-1.yaml", text)]);
    assert_eq!(history.runs()[0].reflections, 1, "{rules:?}");
    let run = history.run(history.runs()[0].id).expect("it was listed");
    let rule = WindowRule { omega: Some(3), ..WindowRule::default() };
    assert_eq!(run.window(2, rule).expect("the next attempt").held(), [1]);
}

/// JavaScript has no number beyond 2⁵³ − 1 that is not another one's, too: such an iteration was
/// listed, and nobody could ask for it.
#[test]
fn every_number_that_is_listed_can_be_asked_for_as_a_double() {
    let written = |numbers: &[&str]| {
        let lines = numbers.iter().map(|n| record(&format!(r#","iteration":{n}"#)));
        opened(&[("a.jsonl", &lines.collect::<Vec<_>>().join("\n"))])
    };
    let (history, rules) = written(&["1", "9007199254740991", "\"9007199254740990\""]);
    assert_eq!(numbers(&history), [1, 9_007_199_254_740_990, 9_007_199_254_740_991]);
    assert!(!rules.contains(&"number/beyond".to_owned()), "{rules:?}");
    let beyond = [
        "9007199254740992",
        "9007199254740993",
        "9223372036854775807",
        "\"9007199254740993\"",
        "-1e300",
    ];
    let (history, rules) = written(&beyond);
    assert_eq!(history.record_count(), beyond.len());
    assert_eq!(rules.iter().filter(|rule| *rule == "number/beyond").count(), beyond.len());
    assert_eq!(numbers(&history), [0, 1, 2, 3, 4], "their places count");
    // Among others that have numbers it is a record that can be looked at.
    let (history, _) = written(&["1", "9007199254740993", "2"]);
    assert_eq!(numbers(&history), [1, 2]);
    let own = record(r#","iteration":9007199254740993"#);
    let details = history.inspect(RecordId(1), 0, own.as_bytes()).expect("its bytes");
    assert_eq!(details.number, None);
    let hook = |n: &str| {
        format!(
            r#"{{"trial_number":{n},"loop_id":"a","outcome":"failure","reflection":"Lesson {n}."}}"#
        )
    };
    let (history, rules) =
        opened(&[("b.jsonl", &[hook("9007199254740992"), hook("9007199254740993")].join("\n"))]);
    assert_eq!(numbers(&history), [1, 2]);
    assert_eq!(rules.iter().filter(|rule| *rule == "number/beyond").count(), 2);
    let trial = |n: &str| opened(&[(&format!("r/trial_{n}.json"), UNSOLVED)]).0;
    assert_eq!(numbers(&trial("9007199254740991")), [9_007_199_254_740_991]);
    assert_eq!(numbers(&trial("9007199254740993")), [0]);
}

/// Only the first record was tested for other formats.
#[test]
fn a_file_that_may_be_of_two_formats_is_said_to_be() {
    let both = |n: i64| record(&format!(r#","iteration":{n},"trial_number":{n},"reflection":"x""#));
    let rules = |lines: &[String]| opened(&[("a.jsonl", &lines.join("\n"))]).1;
    let is_reported = |lines: &[String]| rules(lines).contains(&"sniff/ambiguous".to_owned());
    assert!(is_reported(&[both(1)]));
    assert!(is_reported(&[both(1), both(2), both(3)]));
    assert!(!is_reported(&[both(1), both(2), record(r#","iteration":3"#)]));
    assert!(!is_reported(&[record(r#","iteration":1"#), both(2)]));
}

#[test]
fn feedback_of_real_logs_gives_rewards() {
    let text = r#"{"task_id":"T/1","prompt":"p","entry_point":"e","is_solved":true,"reflections":["r"],"implementations":["a","b"],"test_feedback":["Tested passed:\nassert f(1)\n\nTests failed:\nassert f(2)","Tested passed:\nassert f(1)\nassert f(2)\n\nTests failed:\n"]}"#;
    let (history, _) = opened(&[("x._reflexion_3_gpt-4_pass_at_k_1_py.jsonl", text)]);
    let run = &history.runs()[0];
    assert_eq!(run.reward_origin, Origin::Derived);
    let rewards = history.run(run.id).expect("it was listed").rewards().to_vec();
    assert_eq!(rewards, [0.5, 1.0]);
}

#[test]
fn a_row_of_other_lengths_stays_in_its_log() {
    let row = |n, lists| {
        format!(
            r#"{{"task_id":"T/{n}","prompt":"p","entry_point":"e","is_solved":true,"reflections":["r"],"implementations":{lists}}}"#
        )
    };
    let text = format!("{}\n{}\n", row(1, r#"["a","b"]"#), row(2, r#"["a"]"#));
    let (history, _) = opened(&[("x._reflexion_3_gpt-4_pass_at_k_1_py.jsonl", &text)]);
    assert_eq!(history.run_count(), 2);
}

#[test]
fn a_record_is_only_shown_from_its_own_bytes_and_by_parts_that_it_has() {
    use hindscope::ErrorCode;
    let (history, _) =
        opened(&[("r/trial_3.json", UNSOLVED), ("a.json", &record(",\"iteration\":2"))]);
    let refusal = |id, part, bytes: &str| {
        history.inspect(RecordId(id), part, bytes.as_bytes()).err().map(|error| error.code())
    };
    let task = &UNSOLVED[1..UNSOLVED.len() - 1];
    assert_eq!(refusal(0, 0, task), None);
    assert_eq!(refusal(0, 7, task), Some(ErrorCode::NoSuchIteration));
    let own = record(",\"iteration\":2");
    assert_eq!(refusal(1, 0, &own), None);
    for other in [own.replace("ralph-a", "ralph-b"), own.replace(":2", ":3"), own.replace('{', "[")]
    {
        assert_eq!(refusal(1, 0, &other), Some(ErrorCode::WrongBytes), "{other}");
    }
}

const TASK: &str = r#"{"id":"task-1","description":"d","status":"failed","total_attempts":1}"#;

/// The folders of a memory became experiments of their own, and each task stood in both.
#[test]
fn a_memory_opened_without_its_folder_lists_each_task_once() {
    let index = r#"{"failed":["task-1","task-2"]}"#;
    let ending = r#"{"status":"failure","final_quality":0.4}"#;
    let keys = |folder: &str| {
        let path = |rest: &str| format!("{folder}{rest}");
        let paths =
            ["tasks/task-1/metadata.json", "tasks/task-1/attempts/001/outcome.json"].map(path);
        let by = path("index/by-status.json");
        let (history, _) = opened(&[(&paths[0], TASK), (&paths[1], ending), (&by, index)]);
        let runs = history.runs();
        assert_eq!(history.groups().len(), 1, "{folder}");
        runs.into_iter().map(|run| (run.key, run.iterations)).collect::<Vec<_>>()
    };
    let expected = [("task-1".to_owned(), 1), ("task-2".to_owned(), 0)];
    assert_eq!(keys(""), expected);
    assert_eq!(keys("memory/"), expected);
}

/// Folders of these names that hold no memory are experiments as before.
#[test]
fn other_folders_called_tasks_stay_experiments() {
    // Equal ones would be copies.
    let [one, other] = [r#","iteration":1"#, r#","iteration":2"#].map(record);
    let (history, _) = opened(&[("tasks/a.jsonl", &one), ("index/b.jsonl", &other)]);
    let labels: Vec<_> = history.groups().into_iter().map(|group| group.label).collect();
    assert_eq!(labels, ["index", "tasks"]);
}

/// In a log with one action per line, only the errors of one line were counted.
#[test]
fn errors_of_an_attempt_are_those_of_all_its_actions() {
    let action = |fails: bool| {
        format!(r#"{{"type":"bash","params":{{}},"success":{},"error":"exit 2"}}"#, !fails)
    };
    let log = [action(true), action(false), action(true)].join("\n");
    let (history, _) = opened(&[
        ("m/tasks/task-1/metadata.json", TASK),
        ("m/tasks/task-1/attempts/001/outcome.json", r#"{"status":"failure","final_quality":0.4}"#),
        ("m/tasks/task-1/attempts/001/actions.jsonl", &log),
    ]);
    let run = history.run(history.runs()[0].id).expect("it was listed");
    assert_eq!(run.iterations()[0].errors, Some(2));
}

/// Only the part of a record that leads an attempt could be looked at.
#[test]
fn a_part_beside_others_can_be_looked_at() {
    let rows = r#"{"task_id":"task-1","attempts":[{"attempt_id":1,"plan":"a"},{"attempt_id":2,"plan":"b"}]}"#;
    let ending = r#"{"status":"failure","final_quality":0.4}"#;
    let (history, _) = opened(&[
        ("m/tasks/task-1/attempts/001/outcome.json", ending),
        ("m/tasks/task-1/attempts/002/outcome.json", ending),
        ("m/tasks/task-1/trajectory.json", rows),
    ]);
    let loaded_run = history.loaded_run(history.runs()[0].id).expect("it was listed");
    let parts = loaded_run.parts_of(2).expect("it is there");
    let (record, part) = *parts.last().expect("there are two");
    assert_eq!((parts.len(), part), (2, 1));
    let details = history.inspect(record, part, rows.as_bytes()).expect("it describes attempt 2");
    assert_eq!(details.strategy.as_deref(), Some("b"));
}

/// The strict profile kept it as a record that could not be inspected.
#[test]
fn a_number_behind_a_record_that_has_no_schema_is_skipped() {
    let text = r#"{"":"","status":"","reward":false,"info":{"":""}}2"#;
    let file = Input::new("submissions.jsonl", text);
    let history = open_as(std::slice::from_ref(&file), usize::MAX, Profile::Strict);
    let source = &history.sources()[0];
    assert_eq!((source.kept, source.skipped), (1, 1), "{:?}", history.findings());
    let bytes = bytes_of(&history, std::slice::from_ref(&file), RecordId(0));
    history.inspect(RecordId(0), 0, bytes).expect("these are its bytes");
}

/// It was kept as a record that could not be inspected: the number was taken for the head of a longer one.
#[test]
fn a_number_at_the_end_can_be_looked_at() {
    let text = format!("{}2", record(",\"iteration\":1"));
    let file = Input::new("a.json", text);
    let files = std::slice::from_ref(&file);
    let history = open_as(files, usize::MAX, Profile::Strict);
    assert_eq!(history.record_count(), 2, "{:?}", history.findings());
    let bytes = bytes_of(&history, files, RecordId(1));
    history.inspect(RecordId(1), 0, bytes).expect("these are its bytes");
}

/// A conflict without the other side: its end was taken for the end of theirs, and the record for empty.
#[test]
fn a_record_of_half_a_conflict_can_be_looked_at() {
    let text = format!("<<<<<<< a\n[{},\n{}\n>>>>>>> b\n]", record(""), record("\n>>>>>>> b\n"));
    let file = Input::new("a.json", text);
    let files = std::slice::from_ref(&file);
    let history = open_as(files, usize::MAX, Profile::Lenient);
    assert_eq!(history.record_count(), 2, "{:?}", history.findings());
    for id in [0, 1].map(RecordId) {
        history.inspect(id, 0, bytes_of(&history, files, id)).expect("these are its bytes");
    }
}

/// A task with an id and a name: the run was called by what stood last, and could not be looked at.
#[test]
fn a_task_is_called_by_its_id_before_its_name() {
    let rest = r#""prompt":"p","entry_point":"f","is_solved":true"#;
    for members in [r#""task_id":"T/1","name":"n""#, r#""name":"n","task_id":"T/1""#] {
        let text = format!("{{{members},{rest}}}");
        let file = Input::new("a.jsonl", text);
        let files = std::slice::from_ref(&file);
        let history = open_as(files, usize::MAX, Profile::Lenient);
        assert_eq!(history.runs()[0].key, "T/1", "{members}");
        let bytes = bytes_of(&history, files, RecordId(0));
        history.inspect(RecordId(0), 0, bytes).expect("these are its bytes");
    }
}

/// Found by fuzzing: members that stand twice were reported in the first record of a file only, if its format allows
/// other members than its own.
#[test]
fn a_member_of_a_stranger_that_stands_twice_is_reported_in_each_record() {
    let line = |number: i32, more: &str| {
        format!(
            r#"{{"loop_id":"ralph-a","trial_number":{number},"outcome":"failure","reflection":"Why."{more}}}"#
        )
    };
    let twice = [r#","own":1,"own":2"#, r#","own":{"b":[{"c":1,"c":2}]}"#];
    for more in twice {
        let text: String = (1..5).map(|number| line(number, more) + "\n").collect();
        let (history, rules) = opened(&[("a.jsonl", &text)]);
        assert_eq!(numbers(&history), [1, 2, 3, 4]);
        assert_eq!(rules, ["json/duplicate-key"; 4], "{more}");
        let back = not_back(&[Input::new("a.jsonl", text)], &ExportOptions::default(), true);
        assert_eq!(back, None, "{more}");
    }
}
