//! The same bytes opened twice count once (`source/duplicate`), and equal bytes that mean different
//! things count each.

use std::collections::BTreeSet;
use std::slice;

use hindscope::{ExportOptions, Finding, History, Profile, RecordId, RunView, SourceView};
use hindscope_tests::{Fixture, Input, bytes_of, export, fixtures, open, unpacked};

fn opened(files: &[(&str, &str)]) -> History {
    let files: Vec<_> = files.iter().map(|(name, text)| Input::new(*name, *text)).collect();
    open(&files, usize::MAX)
}

/// Key and number of attempts of each run.
fn runs(history: &History) -> Vec<(String, u32)> {
    history.runs().into_iter().map(|run| (run.key, run.iterations)).collect()
}

fn run(key: &str, iterations: u32) -> (String, u32) {
    (key.to_owned(), iterations)
}

/// Each copy, and what is said of it.
fn copies(history: &History) -> Vec<(String, String)> {
    let is_said = |finding: &Finding| finding.rule == "source/duplicate";
    let findings = history.findings().into_iter().filter(is_said);
    findings
        .map(|finding| {
            let source = finding.source.expect("it is about a source");
            (history.source(source).expect("it is open").path, finding.message)
        })
        .collect()
}

fn is_copy_of(path: &str, original: &str) -> (String, String) {
    let message = format!("The file has the same bytes as {original}. Only {original} is counted.");
    (path.to_owned(), message)
}

fn chain(id: &str) -> String {
    let record = |number: u32, passed: bool| {
        format!(
            r#"{{"loop_id":"{id}","iteration":{number},"evaluator_output":{{"passed":{passed}}},"self_reflection":{{"reflection_text":"What {number} of {id} taught."}}}}"#
        )
    };
    format!("{}\n{}\n", record(1, false), record(2, true))
}

/// Records with neither a loop nor a number.
const NAMELESS: &str = r#"{"evaluator_output":{"passed":false},"self_reflection":{"reflection_text":"Too fast."}}
{"evaluator_output":{"passed":true},"self_reflection":{"reflection_text":"Slower works."}}
"#;
/// How an attempt of any task may have ended.
const OUTCOME: &str = r#"{"status":"failure","final_quality":0.4}"#;

fn task(id: &str) -> String {
    format!(
        r#"{{"id":"{id}","description":"Hang {id}.","status":"failed","current_attempt":1,"total_attempts":1}}"#
    )
}

const UNSOLVED: &str = r#"[{"name":"env_0","memory":["a"],"is_success":false},{"name":"env_1","memory":["b"],"is_success":false}]"#;
const ONE_SOLVED: &str = r#"[{"name":"env_0","memory":["a"],"is_success":true},{"name":"env_1","memory":["b","c"],"is_success":false}]"#;
const ALL_SOLVED: &str = r#"[{"name":"env_0","memory":["a"],"is_success":true},{"name":"env_1","memory":["b"],"is_success":true}]"#;

#[test]
fn a_copy_in_another_folder_counts_once() {
    let (log, other) = (chain("ralph-a"), chain("ralph-b"));
    let history = opened(&[
        ("work/log.jsonl", &log),
        ("work/notes.md", "Nothing that anybody knows."),
        ("backup/log.jsonl", &log),
        ("backup/other.jsonl", &other),
    ]);
    assert_eq!(runs(&history), [run("ralph-b", 2), run("ralph-a", 2)]);
    assert_eq!(copies(&history), [is_copy_of("backup/log.jsonl", "work/log.jsonl")]);
}

#[test]
fn a_second_download_counts_once() {
    for text in [&chain("ralph-a"), NAMELESS, UNSOLVED] {
        let alone = runs(&opened(&[("log.json", text)]));
        let history = opened(&[("log.json", text), ("log (1).json", text), ("old.json", text)]);
        assert_eq!(runs(&history), alone, "{text}");
        let expected = ["log (1).json", "old.json"].map(|path| is_copy_of(path, "log.json"));
        assert_eq!(copies(&history), expected, "{text}");
        let folders = opened(&[("a/log.json", text), ("b/renamed.json", text)]);
        assert_eq!(folders.run_count(), alone.len(), "{text}");
        assert_eq!(copies(&folders), [is_copy_of("b/renamed.json", "a/log.json")]);
    }
}

#[test]
fn a_file_that_is_dropped_again_counts_once() {
    let (log, other) = (chain("ralph-a"), chain("ralph-b"));
    let folder =
        [("runs/a.jsonl", log.as_str()), ("runs/b.jsonl", &other), ("runs/c.json", NAMELESS)];
    let once = opened(&folder);
    let twice = opened(&[folder, folder].concat());
    assert_eq!(runs(&twice), runs(&once));
    let said = "The same bytes were already opened under this name. They are counted once.";
    let expected = folder.map(|(path, _)| (path.to_owned(), said.to_owned()));
    assert_eq!(copies(&twice), expected);
    // It has grown: what is new belongs to the same folder as before.
    let grown =
        opened(&[folder.as_slice(), &folder[..2], &[("runs/d.jsonl", &chain("ralph-d"))]].concat());
    assert_eq!(grown.run_count(), once.run_count() + 1);
    assert_eq!(copies(&grown).len(), 2);
}

/// A log that is opened again once it has grown says what it says alone.
#[test]
fn a_log_that_has_grown_counts_once() {
    let mut grown = BTreeSet::new();
    let said = |history: &History| -> Vec<_> {
        let runs = history.runs().into_iter();
        // Findings of the records that were read twice are kept.
        runs.map(|run| RunView { findings: 0, ..run }).collect()
    };
    for fixture in of_fixtures() {
        for file in &fixture.files {
            let half = file.bytes.len() / 2;
            let Some(end) = file.bytes[half..].iter().position(|byte| *byte == b'\n') else {
                continue;
            };
            let begin = Input::new(file.name.clone(), &file.bytes[..=half + end]);
            let [before, alone] =
                [&begin, file].map(|file| open(slice::from_ref(file), usize::MAX));
            let added = before.added();
            let is_beginning =
                added.kept > 0 && added.skipped + added.repaired == 0 && added.refused == 0;
            if !is_beginning || added.kept == alone.added().kept {
                continue;
            }
            for files in [[begin.clone(), file.clone()], [file.clone(), begin]] {
                let both = open(&files, usize::MAX);
                assert_eq!(said(&both), said(&alone), "{}: {}", fixture.name, file.name);
                assert_eq!(both.groups(), alone.groups(), "{}: {}", fixture.name, file.name);
            }
            grown.extend(alone.sources().into_iter().filter_map(|source| source.format));
        }
    }
    assert!(grown.len() > 9, "only {grown:?}");
}

/// Records without a name and a number are known by their places.
#[test]
fn a_log_of_nameless_records_that_has_grown_counts_once() {
    let more = NAMELESS.to_owned() + NAMELESS.lines().next().expect("it has two") + "\n";
    let other = NAMELESS.replace("Too fast", "Too slow");
    let other: String = other.lines().rev().map(|line| line.to_owned() + "\n").collect();
    let history = opened(&[("log.jsonl", NAMELESS), ("log.jsonl", &other), ("log.jsonl", &more)]);
    let attempts: u32 = runs(&history).iter().map(|(_, attempts)| attempts).sum();
    assert_eq!((attempts, copies(&history).len()), (5, 1));
}

/// What was written anew under the same name is another file.
#[test]
fn a_log_that_was_rewritten_is_no_grown_one() {
    let submission = |question: &str, code: &str| {
        format!(
            r#"{{"name":"{question}","code":"{code}","status":"Wrong Answer","reward":false,"info":{{}}}}"#
        ) + "\n"
    };
    let old = submission("a", "x = 1") + &submission("b", "y = 1");
    let again = old.clone() + &submission("c", "z = 1");
    let new = submission("a", "x = 2") + &submission("b", "y = 1") + &submission("c", "z = 1");
    let attempts = |text: &str| -> u32 {
        let history = opened(&[("log.jsonl", &old), ("log.jsonl", text)]);
        runs(&history).iter().map(|(_, attempts)| attempts).sum()
    };
    assert_eq!((attempts(&again), attempts(&new)), (3, 5));
}

/// A copy is open like any other source: it is listed, and its records can be looked at.
#[test]
fn a_copy_stays_visible() {
    let files = ["a", "b"].map(|folder| Input::new(format!("{folder}/trials.json"), UNSOLVED));
    let history = open(&files, usize::MAX);
    let added = history.added();
    assert_eq!((added.sources, added.kept, added.skipped), (2, 4, 0));
    let sources = history.sources();
    assert!(sources[0].digest.is_some());
    assert_eq!(sources[0].digest, sources[1].digest);
    assert_eq!(history.groups().len(), 1);
    let records = |run: &RunView| history.run(run.id).expect("it was listed").records();
    let of_runs: Vec<_> = history.runs().iter().map(records).collect();
    assert_eq!(of_runs, [[RecordId(0), RecordId(2)], [RecordId(1), RecordId(3)]]);
    for record in (0..4).map(RecordId) {
        let span = history.locate(record).expect("it is kept");
        assert_eq!(span.path, files[span.source.0 as usize].name);
        let bytes = bytes_of(&history, &files, record);
        let details = history.inspect(record, 0, bytes).expect("these are its bytes");
        assert_eq!(details.record, Some(record));
        assert_eq!(details.reflections.len(), 1);
    }
}

/// Parts of a record that make attempts can be looked at in the copy, too.
#[test]
fn parts_of_a_copy_can_be_looked_at() {
    let mut found = 0;
    for fixture in of_fixtures() {
        let files = beside_its_copy(&fixture);
        let history = open(&files, usize::MAX);
        let place = |record| {
            let span = history.locate(record).expect("it is kept");
            (span.source.0 as usize, span.start)
        };
        for view in history.runs() {
            let run = history.run(view.id).expect("it was listed");
            for step in run.iterations().iter().filter(|step| step.part > 0) {
                let (source, start) = place(step.record);
                let mut records = run.records().into_iter();
                let is_twin = |at: &RecordId| place(*at) == (source + fixture.files.len(), start);
                let Some(twin) = records.find(is_twin) else {
                    panic!("{}: nobody has {step:?}", fixture.name);
                };
                let seen = |record| {
                    let bytes = bytes_of(&history, &files, record);
                    let mut details = history.inspect(record, step.part, bytes).expect("its part");
                    details.record = None;
                    details
                };
                assert_eq!(seen(twin), seen(step.record), "{}", fixture.name);
                found += 1;
            }
        }
    }
    assert!(found > 20, "only {found} parts");
}

fn of_fixtures() -> Vec<Fixture> {
    fixtures().expect("fixtures can be read")
}

/// What a fixture is, and the same once more below another name.
fn beside_its_copy(fixture: &Fixture) -> Vec<Input> {
    let renamed = |file: &Input| {
        let name = match file.name.split_once('/') {
            Some((root, below)) => format!("{root} copy/{below}"),
            None => format!("copy of {}", file.name),
        };
        Input { name, bytes: file.bytes.clone() }
    };
    fixture.files.iter().cloned().chain(fixture.files.iter().map(renamed)).collect()
}

/// Whatever is opened: beside its copy it says what it says alone.
#[test]
fn a_folder_beside_its_copy_says_the_same() {
    let mut found = 0;
    for fixture in of_fixtures() {
        let alone = open(&fixture.files, usize::MAX);
        let both = open(&beside_its_copy(&fixture), usize::MAX);
        // Findings of the copy's records are kept.
        let silent = |runs: Vec<RunView>| -> Vec<_> {
            runs.into_iter().map(|run| RunView { findings: 0, ..run }).collect()
        };
        assert_eq!(silent(both.runs()), silent(alone.runs()), "{}", fixture.name);
        assert_eq!(both.groups(), alone.groups(), "{}", fixture.name);
        assert_eq!(both.added().kept, 2 * alone.added().kept, "{}", fixture.name);
        let is_own = |source: &SourceView| source.kept > 0;
        let with_records = alone.sources().into_iter().filter(is_own).count();
        let is_new = |(path, _): &(String, String)| path.contains("copy");
        let said: Vec<_> = copies(&both).into_iter().filter(is_new).collect();
        assert_eq!(said.len(), with_records, "{}: {said:?}", fixture.name);
        found += said.len();
    }
    assert!(found > 100, "only {found} copies");
}

/// An export has each record once, and may be a copy itself.
#[test]
fn copies_can_be_exported() {
    let options = ExportOptions::default();
    for fixture in of_fixtures() {
        let files = beside_its_copy(&fixture);
        let both = open(&files, usize::MAX);
        let text = export(&both, &files, None, &options).expect("it can be");
        let again = unpacked(&text);
        let history = open(&again, usize::MAX);
        assert_eq!(runs(&history), runs(&both), "{}", fixture.name);
        let twice = open(&[again.clone(), again].concat(), usize::MAX);
        assert_eq!(runs(&twice), runs(&both), "{}", fixture.name);
    }
}

/// Only their paths differ.
#[test]
fn equal_bytes_of_one_folder_all_count() {
    let attempts = opened(&[
        ("t/tasks/task-a/attempts/001/outcome.json", OUTCOME),
        ("t/tasks/task-a/attempts/002/outcome.json", OUTCOME),
        ("t/tasks/task-b/attempts/001/outcome.json", OUTCOME),
    ]);
    assert_eq!(runs(&attempts), [run("task-a", 2), run("task-b", 1)]);
    let trials = [
        ("r/env_results_trial_2.json", UNSOLVED),
        ("r/env_results_trial_3.json", UNSOLVED),
        ("r/env_results_trial_4.json", UNSOLVED),
    ];
    assert_eq!(runs(&opened(&trials)), [run("env_0", 3), run("env_1", 3)]);
    // Picked one by one, they have no folder.
    let picked =
        trials.map(|(path, text)| (path.strip_prefix("r/").expect("it has a folder"), text));
    assert_eq!(runs(&opened(&picked)), [run("env_0", 3), run("env_1", 3)]);
    let lessons = opened(&[("001.json", NAMELESS), ("a.json", NAMELESS)]);
    assert_eq!(copies(&lessons), [is_copy_of("a.json", "001.json")]);
    for history in [opened(&trials), opened(&picked), attempts] {
        assert_eq!(copies(&history), []);
    }
}

/// Two experiments may begin alike, two tasks may end alike: what differs needs all of its parts.
#[test]
fn a_part_that_folders_share_counts_in_each() {
    let experiments = opened(&[
        ("base/env_results_trial_0.json", UNSOLVED),
        ("base/env_results_trial_1.json", ONE_SOLVED),
        ("new/env_results_trial_0.json", UNSOLVED),
        ("new/env_results_trial_1.json", ALL_SOLVED),
    ]);
    let curves: Vec<_> = experiments.groups().into_iter().map(|g| g.solved_after).collect();
    assert_eq!(curves, [[0, 1], [0, 2]]);
    assert_eq!(copies(&experiments), []);
    let tasks = opened(&[
        ("task-a/metadata.json", &task("task-a")),
        ("task-a/attempts/001/outcome.json", OUTCOME),
        ("task-b/metadata.json", &task("task-b")),
        ("task-b/attempts/001/outcome.json", OUTCOME),
    ]);
    assert_eq!(runs(&tasks), [run("task-a", 1), run("task-b", 1)]);
    assert_eq!(copies(&tasks), []);
    // Whose folder has only one run left without the copy would take what has no name.
    let (a, b) = (chain("ralph-a"), chain("ralph-b"));
    let own = [("new/a.jsonl", a.as_str()), ("new/b.jsonl", &b), ("new/c.json", NAMELESS)];
    let alone = runs(&opened(&own));
    let history = opened(
        &[&[("old/a.jsonl", a.as_str()), ("old/x.jsonl", &chain("ralph-x"))], own.as_slice()]
            .concat(),
    );
    let of_new = history.runs().into_iter().filter(|run| run.group == history.groups()[0].id);
    assert_eq!(of_new.map(|run| (run.key, run.iterations)).collect::<Vec<_>>(), alone);
}

/// What stands in many folders hides no copy of a whole one.
#[test]
fn of_many_holders_the_one_with_everything_was_copied() {
    let (a, b) = (task("task-a"), task("task-b"));
    let history = opened(&[
        ("task-a/metadata.json", &a),
        ("task-a/attempts/001/outcome.json", OUTCOME),
        ("task-b/metadata.json", &b),
        ("task-b/attempts/001/outcome.json", OUTCOME),
        ("task-b (2)/attempts/001/outcome.json", OUTCOME),
        ("task-b (2)/metadata.json", &b),
    ]);
    assert_eq!(runs(&history), [run("task-a", 1), run("task-b", 1)]);
    let expected = ["attempts/001/outcome.json", "metadata.json"]
        .map(|name| is_copy_of(&format!("task-b (2)/{name}"), &format!("task-b/{name}")));
    let mut said = copies(&history);
    said.sort();
    assert_eq!(said, expected);
}

#[test]
fn only_what_was_read_to_its_end_is_a_copy() {
    // So long that records are read before the end.
    let log = format!("{}{}", chain("ralph-a"), "\n".repeat(600));
    let mut history = History::new(Profile::Lenient);
    let first = history.open("a/log.jsonl");
    history.push(first, log.as_bytes()).expect("it is open");
    let second = history.open("b/log.jsonl");
    history.push(second, log.as_bytes()).expect("it is open");
    history.finish(first).expect("it is open");
    assert_eq!(history.source(second).expect("it is open").digest, None);
    assert_eq!((history.run_count(), copies(&history).len()), (2, 0));
    history.finish(second).expect("it is open");
    assert_eq!((history.run_count(), copies(&history).len()), (1, 1));
    let third = history.open("c/log.jsonl");
    history.push(third, log.as_bytes()).expect("it is open");
    history.fail(third, "it is gone").expect("it is open");
    assert_eq!((history.run_count(), copies(&history).len()), (2, 1));
}

/// Ten thousand files and their copies: nothing grows with the square.
#[test]
fn many_small_copies_are_found_at_once() {
    let files: Vec<Input> = ["runs", "runs copy"]
        .iter()
        .flat_map(|root| {
            (0..10_000)
                .map(move |n| Input::new(format!("{root}/{n}.jsonl"), chain(&format!("ralph-{n}"))))
        })
        .collect();
    let history = open(&files, usize::MAX);
    assert_eq!(history.run_count(), 10_000);
    assert_eq!(copies(&history).len(), 10_000);
}
