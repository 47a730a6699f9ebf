//! What is exported opens again and says the same.

use hindscope::{
    ErrorCode, ExportKind, ExportOptions, Profile, RunId, UnpackLimits, Unpacker, Validator,
    validate,
};
use hindscope_tests::fuzz::difference;
use hindscope_tests::{
    Fixture, Input, archive, content, export, fixtures, not_back, open, root, unpacked,
};
use serde_json::{Value, json};

fn whole() -> ExportOptions {
    ExportOptions { created: Some("2026-03-10T12:00:00Z".to_owned()), ..ExportOptions::default() }
}

fn lean() -> ExportOptions {
    ExportOptions { originals: false, ..whole() }
}

fn of_kind(kind: ExportKind) -> ExportOptions {
    ExportOptions { kind, ..whole() }
}

fn exported(files: &[Input], options: &ExportOptions) -> String {
    let history = open(files, usize::MAX);
    export(&history, files, None, options).expect("everything can be exported")
}

fn all() -> Vec<Fixture> {
    let all = fixtures().expect("fixtures can be read");
    assert!(all.len() > 40);
    all
}

fn none_wrong(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Export, open, export: identical bytes, and the same history.
#[test]
fn every_fixture_comes_back() {
    let wrong = all().into_iter().filter_map(|fixture| {
        Some(format!("{}: {}", fixture.name, not_back(&fixture.files, &whole(), true)?))
    });
    none_wrong(&wrong.collect::<Vec<_>>());
}

/// The schema of the lines describes what is written, and nothing else.
#[test]
fn lines_are_as_their_schema_says() {
    let schema = root().join("docs/spec/export.schema.json");
    let schema = std::fs::read_to_string(schema).expect("it is there");
    let schema = Validator::new(&schema).expect("it is a schema");
    let mut seen = 0;
    for fixture in all() {
        for options in [whole(), lean()] {
            for line in exported(&fixture.files, &options).lines() {
                let judged = schema.validate(line.as_bytes());
                assert!(judged.valid, "{}: {:?}\n{line}", fixture.name, judged.findings);
                seen += 1;
            }
        }
    }
    assert!(seen > 1000, "{seen}");
    for wrong in [
        "{}",
        r#"{"format":"hindscope","version":2,"kind":"history","title":"","generator":"","settings":{"profile":"lenient"},"runs":0,"records":0}"#,
        r#"{"hindscope":1,"path":"a","format":"b","index":0,"records":1,"line":1,"column":1}"#,
        r#"{"hindscope":1,"path":"a","format":"b","index":0,"records":1,"line":1,"column":1,"raw":"","runs":[{"about":{},"iterations":[]}]}"#,
        r#"{"hindscope":1,"path":"a","format":"b","index":0,"records":1,"line":1,"column":1,"raw":"","x":1}"#,
    ] {
        assert!(!schema.validate(wrong.as_bytes()).valid, "{wrong}");
    }
}

/// A selection opens to its runs and to no other, and so does a selection of what was reopened.
#[test]
fn selections_hold_what_was_selected() {
    let mut wrong = Vec::new();
    for fixture in all() {
        let history = open(&fixture.files, usize::MAX);
        let entries = unpacked(&exported(&fixture.files, &whole()));
        let reopened = open(&entries, usize::MAX);
        for view in history.runs() {
            let one = [view.id];
            let text = export(&history, &fixture.files, Some(&one), &whole()).expect("a run");
            let of_again = export(&reopened, &entries, Some(&one), &whole()).expect("a run");
            if text != of_again {
                wrong.push(format!("{}, {}: other bytes", fixture.name, view.key));
            }
            let again = unpacked(&text);
            let second = open(&again, usize::MAX);
            let keys: Vec<_> = second.runs().into_iter().map(|run| run.key).collect();
            if keys != [view.key.as_str()] {
                wrong.push(format!("{}, {}: {keys:?}", fixture.name, view.key));
                continue;
            }
            // A group has the format of most of its runs.
            let own = |mut runs: Value, at: u32| {
                runs["runs"][at as usize]["run"]["group"][1] = Value::Null;
                runs["runs"][at as usize].take()
            };
            let whole = own(content(&history, &fixture.files), view.id.0);
            let found = own(content(&second, &again), 0);
            if let Some(difference) = difference("", &whole, &found) {
                wrong.push(format!("{}, {}{difference}", fixture.name, view.key));
            }
        }
    }
    none_wrong(&wrong);
}

/// A record that describes several runs is there by its fields where not all of them are selected.
#[test]
fn nothing_of_other_runs_is_in_a_selection() {
    let task = |n: u32| {
        format!(
            r#"{{"task_id":"t-{n}","task_description":"SECRET{n}","outcome":"failure","reflections":[{{"iteration":1,"content":"LESSON{n}","type":"x"}}]}}"#
        )
    };
    let list = [task(1), task(2), task(3)].join(",");
    let text = format!(r#"{{"exported_at":"2026-03-09","total_tasks":3,"tasks":[{list}]}}"#);
    let files = vec![Input { name: "m/tasks.json".to_owned(), bytes: text.into_bytes() }];
    let history = open(&files, usize::MAX);
    assert_eq!(history.run_count(), 3);
    let two = [RunId(0), RunId(2)];
    let text = export(&history, &files, Some(&two), &whole()).expect("two runs");
    assert!(!text.contains("SECRET2") && !text.contains("LESSON2") && !text.contains("\"raw\""));
    assert!(text.contains("SECRET1") && text.contains("LESSON3"), "{text}");
    let again = unpacked(&text);
    let reopened = open(&again, usize::MAX);
    let keys: Vec<_> = reopened.runs().into_iter().map(|run| run.key).collect();
    assert_eq!(keys, ["t-1", "t-3"]);
    assert_eq!(exported(&again, &whole()), text);
    let all = [RunId(0), RunId(1), RunId(2)];
    let text = export(&history, &files, Some(&all), &whole()).expect("all runs");
    assert!(text.contains("\"raw\""), "a record is whole with all of its runs");
}

/// Without the records as they were written nothing of them is left, and the runs are the same.
#[test]
fn originals_can_be_left_out() {
    let mut wrong = Vec::new();
    for fixture in all() {
        let text = exported(&fixture.files, &lean());
        assert!(text.contains(r#""leftOut":["originals"]"#), "{}", fixture.name);
        assert!(!text.contains(r#""raw":"{"#), "{}", fixture.name);
        let again = unpacked(&text);
        let (a, b) = (open(&fixture.files, usize::MAX), open(&again, usize::MAX));
        let (a, b) = (content(&a, &fixture.files), content(&b, &again));
        if let Some(difference) = difference("", &a, &b) {
            wrong.push(format!("{}{difference}", fixture.name));
        }
        if exported(&again, &lean()) != text {
            wrong.push(format!("{}: other bytes", fixture.name));
        }
        // And from an export that has them.
        if exported(&unpacked(&exported(&fixture.files, &whole())), &lean()) != text {
            wrong.push(format!("{}: other bytes from an export", fixture.name));
        }
    }
    none_wrong(&wrong);
}

/// Slices decide nothing, and an export that ends anywhere keeps its complete lines.
#[test]
fn a_cut_export_keeps_its_records() {
    let fixture = &all()[0];
    let text = exported(&fixture.files, &whole());
    let entries = unpacked(&text);
    let full = content(&open(&entries, usize::MAX), &entries);
    for slice in [1, 3, 64] {
        assert_eq!(content(&open(&entries, slice), &entries), full);
    }
    for length in 0..text.len() {
        let Some(cut) = text.get(..length) else { continue };
        let entries = unpacked(cut);
        let history = open(&entries, usize::MAX);
        let complete = cut.lines().count().saturating_sub(2);
        assert!(history.record_count() >= complete, "{length}");
        export(&history, &entries, None, &whole()).expect("what is there can be exported");
    }
}

/// Joined exports are read as one, and a line that is not of an export is reported where it stands.
#[test]
fn exports_can_be_joined_and_edited() {
    let files = loop_of_two();
    let text = exported(&files, &whole());
    let other =
        vec![Input { name: "other.jsonl".to_owned(), bytes: one_record(3, "").into_bytes() }];
    let joined = text.clone() + &exported(&other, &whole());
    let names = |text: &str| unpacked(text).into_iter().map(|file| file.name).collect::<Vec<_>>();
    assert_eq!(names(&joined), ["=x/loop,1.jsonl", "other.jsonl"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    let edited = [lines[0], "", lines[1], "no line", lines[2]].join("\n");
    let entries = unpacked(&edited);
    assert_eq!(entries.len(), 1);
    let history = open(&entries, usize::MAX);
    assert_eq!((history.record_count(), history.added().skipped), (2, 1));
    let stray = [lines[0], "no line", lines[1]].join("\n");
    assert_eq!(names(&stray), ["all.hindscope.jsonl", "=x/loop,1.jsonl"]);
}

/// An unpacker reads stretch by stretch, and files and lines end anywhere in them.
#[test]
fn long_exports_are_unpacked_as_they_stand() {
    let lesson = "x".repeat(3000);
    let record = |n: usize| {
        format!(
            r#"{{"loop_id":"a","trial_number":{n},"outcome":"failure","reflection":"{lesson}"}}"#
        )
    };
    let file = |at: usize| {
        let lines: Vec<_> = (1..=at % 7 + 1).map(|n| record(at * 10 + n)).collect();
        Input { name: format!("{at}/a.jsonl"), bytes: lines.join("\n").into_bytes() }
    };
    let files: Vec<Input> = (0..90).map(file).collect();
    let text = exported(&files, &whole());
    assert!(text.len() > 1 << 20);
    let entries = unpacked(&text);
    assert_eq!(entries.len(), files.len());
    let joined: Vec<u8> = entries.into_iter().flat_map(|file| file.bytes).collect();
    let (_, lines) = text.split_once('\n').expect("it has a head");
    assert!(joined == lines.as_bytes());
}

fn reason(text: &str) -> String {
    let files = [Input { name: "a.json".to_owned(), bytes: text.as_bytes().to_vec() }];
    let history = open(&files, usize::MAX);
    assert_eq!(history.record_count(), 0);
    let said = history.findings();
    assert_eq!(said.iter().map(|f| &*f.rule).collect::<Vec<_>>(), ["source/refused"]);
    said[0].message.clone()
}

#[test]
fn bundles_and_newer_exports_are_refused_by_name() {
    for bundle in [
        "{\"format\":\"hindscope\",\"version\":1,\"originals\":\"included\",\n\"runs\":[\n]}\n",
        "{ \"format\" : \"hindscope\",\n \"version\": 2, \"runs\": [] }",
    ] {
        let said = reason(bundle);
        assert!(said.contains("bundle of the first build") && said.contains("export them again"));
    }
    let text = exported(&loop_of_two(), &whole());
    assert!(reason(&text).contains("an export of hindscope; unpack it first"));
    let newer = text.replace("\"version\":1", "\"version\":2");
    let given = archive::unpack("a.hindscope.jsonl", newer.as_bytes());
    assert_eq!(given.len(), 1);
    assert!(given[0].reason().contains("version 2") && given[0].reason().contains("newer"));
    let unknown = text.replace("\"version\":1", "\"version\":0");
    let given = archive::unpack("a.hindscope.jsonl", unknown.as_bytes());
    let said = given[0].reason();
    assert!(said.contains("not an export of a known version") && !said.contains("newer"), "{said}");
}

/// Two selections of one file are not copies of each other; an export of all of it is a copy of the file.
#[test]
fn selections_of_one_file_all_count() {
    let record = |run: &str, n: u32| {
        format!(
            r#"{{"loop_id":"{run}","iteration":{n},"evaluator_output":{{"passed":false}},"self_reflection":{{"reflection_text":"{run} {n}"}}}}"#
        )
    };
    let lines = [record("a", 1), record("a", 2), record("b", 1), record("b", 2)];
    let files = vec![Input { name: "l/a.jsonl".to_owned(), bytes: lines.join("\n").into_bytes() }];
    let history = open(&files, usize::MAX);
    let counts = |files: &[Input]| {
        let runs = open(files, usize::MAX).runs();
        let mut runs: Vec<_> = runs.into_iter().map(|run| (run.key, run.iterations)).collect();
        runs.sort();
        runs
    };
    let both = [("a".to_owned(), 2), ("b".to_owned(), 2)];
    let one = |run| export(&history, &files, Some(&[RunId(run)]), &whole()).expect("a run");
    let joined = one(0) + &one(1);
    assert_eq!(counts(&unpacked(&joined)), both);
    assert_eq!(counts(&[unpacked(&one(0)), unpacked(&one(1))].concat()), both);
    // The same selection twice has the same lines.
    assert_eq!(counts(&[unpacked(&joined), unpacked(&joined)].concat()), both);
    assert_eq!(counts(&[files.clone(), unpacked(&exported(&files, &whole()))].concat()), both);
}

#[test]
fn the_entries_of_an_export_are_limited() {
    let files = loop_of_two();
    let text = exported(&files, &whole());
    let lines: Vec<&str> = text.lines().collect();
    let other = lines[1].replace("=x/loop,1.jsonl", "other.jsonl");
    let mut all = vec![lines[0]];
    for _ in 0..15 {
        all.extend([lines[1], &other]);
    }
    let limits = UnpackLimits { entries: 2, ..UnpackLimits::default() };
    let given = archive::unpack_within("a.hindscope.jsonl", all.join("\n").as_bytes(), limits);
    assert_eq!(given.len(), 21);
    assert!(given[20].reason().contains("the limit of 20"), "{}", given[20].reason());
}

/// A line that is not of an export belongs to the entry around it, whether or not that entry is given.
#[test]
fn stray_lines_of_a_skipped_entry_begin_none() {
    let text = exported(&loop_of_two(), &whole());
    let lines: Vec<&str> = text.lines().collect();
    let other = lines[1].replace("=x/loop,1.jsonl", "other.jsonl");
    let edited = [lines[0], lines[1], "no line", lines[2], &other].join("\n");
    let all = archive::unpack("a.hindscope.jsonl", edited.as_bytes());
    assert_eq!(all.len(), 2);
    for one in all {
        let unpacker = Unpacker::new("a.hindscope.jsonl", edited.len() as u64);
        let again = archive::unpack_with(unpacker.only(one.entry.number), edited.as_bytes());
        assert_eq!(again, [one]);
    }
}

/// What is at hand of a line does not decide which entry it is of.
#[test]
fn windows_may_end_inside_of_the_beginning_of_a_line() {
    const WINDOW_LEN: usize = 256 << 10;
    let path = "p".repeat(480);
    let line = |path: &str, source: u32, pad: usize| {
        let pad = "x".repeat(pad);
        format!(
            "{{\"hindscope\":1,\"path\":\"{path}\",\"source\":\"{source:016x}\",\"raw\":\"{pad}\"}}\n"
        )
    };
    let head = "{\"format\":\"hindscope\",\"version\":1,\"kind\":\"history\"}\n";
    let first = |pad: usize| head.to_owned() + &line("a", 1, pad);
    let bare = first(0).len();
    for left in 505..=560 {
        let mut text = first(WINDOW_LEN - left - bare);
        assert_eq!(text.len(), WINDOW_LEN - left);
        text += &line(&path, 1, 1000);
        text += &line(&path, 2, 1000);
        let given = archive::unpack("a.hindscope.jsonl", text.as_bytes());
        let paths: Vec<&str> = given.iter().map(|one| one.entry.path.as_str()).collect();
        assert_eq!(paths, ["a", &path, &path], "{left}");
    }
}

/// A line that has nothing to read is skipped and reported.
#[test]
fn lines_without_a_record_are_skipped() {
    let text = exported(&loop_of_two(), &whole());
    let lines: Vec<&str> = text.lines().collect();
    let mut line: Value = serde_json::from_str(lines[1]).expect("it is JSON");
    line.as_object_mut().expect("an object").shift_remove("raw");
    let bare = line.to_string();
    line["base64"] = json!("?");
    for empty in [bare, line.to_string()] {
        let history = open(&unpacked(&[lines[0], &empty, lines[2]].join("\n")), usize::MAX);
        assert_eq!((history.record_count(), history.added().skipped), (1, 1));
        let all = history.findings();
        let said = all.iter().find(|f| f.rule == "source/unknown").expect("it is reported");
        assert!(said.message.contains("neither `raw`"), "{}", said.message);
    }
}

/// A record of one side has nothing of the other one, whatever its bytes are.
#[test]
fn nothing_of_the_other_side_is_in_a_record() {
    let text = b"{\"loop_id\":\"a\",\"trial_number\":1,\"outcome\":\"failure\",\n<<<<<<< HEAD\n\"reflection\":\"OURS \xff\"\n=======\n\"reflection\":\"THEIRS \xff\"\n>>>>>>> b\n}\n";
    let files = vec![Input { name: "a.json".to_owned(), bytes: text.to_vec() }];
    let text = exported(&files, &whole());
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(!text.contains("\"base64\""), "{text}");
    let is_of_both = |line: &str| line.contains("OURS") && line.contains("THEIRS");
    assert!(!text.lines().any(is_of_both), "{text}");
}

/// The host reads the lines of an export, so offsets are those of the lines.
#[test]
fn findings_of_records_have_the_offsets_of_their_lines() {
    let mut seen = 0;
    for fixture in all() {
        let history = open(&unpacked(&exported(&fixture.files, &whole())), usize::MAX);
        for finding in history.findings() {
            let (Some(record), Some(offset)) = (finding.record, finding.offset) else { continue };
            let span = history.locate(record).expect("it is listed");
            assert_eq!(offset, span.start, "{}: {finding:?}", fixture.name);
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

/// Every other kind of export can be made of everything, of files and of exports.
#[test]
fn every_kind_can_be_made() {
    for fixture in all() {
        let history = open(&fixture.files, usize::MAX);
        let entries = unpacked(&exported(&fixture.files, &whole()));
        let reopened = open(&entries, usize::MAX);
        for kind in [ExportKind::Csv, ExportKind::Markdown] {
            let text = export(&history, &fixture.files, None, &of_kind(kind)).expect("it can be");
            let again = export(&reopened, &entries, None, &of_kind(kind)).expect("it can be");
            if kind == ExportKind::Csv {
                // Findings about a file as a whole stay with the file.
                let own = |text: &str| -> Vec<String> {
                    let cells = |line: &str| line.rsplitn(4, ',').map(str::to_owned).collect();
                    let rows = text.lines().map(|line| -> Vec<String> { cells(line) });
                    rows.flat_map(|cells| [0, 1, 3].map(|at| cells.get(at).cloned()))
                        .flatten()
                        .collect()
                };
                assert_eq!(own(&text), own(&again), "{}", fixture.name);
            }
            let rows = history.runs().iter().map(|r| r.iterations.max(1) as usize).sum::<usize>();
            if kind == ExportKind::Csv && !text.contains('"') {
                assert_eq!(text.lines().count(), rows + 1, "{}", fixture.name);
            }
        }
    }
}

#[test]
fn misuse_has_its_code() {
    let files = loop_of_two();
    let mut history = open(&files, usize::MAX);
    let code = |options: ExportOptions, runs: Option<&[RunId]>| {
        history.export(runs, options).expect_err("it is misused").code()
    };
    assert_eq!(code(whole(), Some(&[RunId(7)])), ErrorCode::NoSuchRun);
    let local = ExportOptions { created: Some("2026-03-10T12:00:00".to_owned()), ..whole() };
    assert_eq!(code(local, None), ErrorCode::InvalidOption);
    let mut export = history.export(None, whole()).expect("it can be");
    assert!(history.write(&mut export).expect("the head").is_some());
    let unread = history.write(&mut export).expect_err("the record was not read");
    assert_eq!(unread.code(), ErrorCode::UnreadRecord);
    let source = history.open("more.jsonl");
    history.push(source, b"{\"trial_number\":1,\"reflection\":\"x\"}\n").expect("it is open");
    history.finish(source).expect("it is open");
    let stale = history.write(&mut export).expect_err("more is open");
    assert_eq!(stale.code(), ErrorCode::StaleExport);
}

fn one_record(n: i64, more: &str) -> String {
    format!(
        r#"{{"loop_id":"ralph-a","iteration":{n},"timestamp":"2026-03-0{n}T09:00:00Z","task_description":"=cmd()","evaluator_output":{{"passed":false,"verification_type":"lint","reward_signal":0.{n}5}}{more},"self_reflection":{{"reflection_text":"```\n# Not a heading\n````"}}}}"#
    )
}

fn loop_of_two() -> Vec<Input> {
    let text = format!("{}\n{}\n", one_record(1, ""), one_record(2, r#","notes":"a  b""#));
    vec![Input { name: "=x/loop,1.jsonl".to_owned(), bytes: text.into_bytes() }]
}

#[test]
fn tables_are_what_they_say() {
    use hindscope::{CSV_COLUMNS, CsvProfile};
    let files = loop_of_two();
    let text = exported(&files, &of_kind(ExportKind::Csv));
    let rows: Vec<&str> = text.split("\r\n").collect();
    let names: Vec<&str> = CSV_COLUMNS.iter().map(|(name, _)| *name).collect();
    assert_eq!(rows[0], names.join(","));
    assert_eq!(
        rows[1],
        "'=x,ralph-a,1,0,failure,,0.15,reported,,,,,,2026-03-01T09:00:00Z,,,,,,,1,2,\"'=x/loop,1.jsonl\",1,Not solved after 2 attempts. The reward rose from 0.15 to 0.25."
    );
    assert!(rows[2].contains(",0.25,reported,,0.1,"), "{}", rows[2]);
    let state =
        r#"{"loopId":"ralph-b","status":"limit_reached","objective":"x","currentIteration":0}"#;
    let file = |name: &str, text: &str| Input::new(name, text);
    let alone = exported(&[file("b/current-loop.json", state)], &of_kind(ExportKind::Csv));
    let row = alone.lines().nth(1).expect("a run without iterations has a row");
    assert!(row.starts_with("b,ralph-b,,,failure,limit_reached,,,,,,,,,,,,,,,0,"), "{row}");
    assert!(
        row.ends_with(",b/current-loop.json,1,\"Not solved; no attempt is recorded.\""),
        "{row}"
    );
    let analytics = ExportOptions { profile: CsvProfile::Analytics, ..of_kind(ExportKind::Csv) };
    assert_eq!(
        exported(&files, &analytics),
        "iteration,timestamp,quality_score,quality_delta,tokens_used,cost_usd,execution_time_ms,verification_status\n\
         1,2026-03-01T09:00:00Z,15,,,,,failed\n2,2026-03-02T09:00:00Z,25,10,,,,failed"
    );
    let fixtures = all();
    let many = fixtures.iter().find(|f| f.name.contains("two-loops")).expect("it is there");
    let history = open(&many.files, usize::MAX);
    let error = history.export(None, analytics).expect_err("two runs");
    assert_eq!(error.code(), ErrorCode::InvalidOption);
}

#[test]
fn a_refuted_reward_stands_with_its_refutation() {
    let state = json!({"loopId": "ralph-c", "objective": "x", "status": "running", "currentIteration": 4, "iterations": [
        {"number": 4, "status": "aborted", "tests_passed": 167, "tests_failed": 0, "total_tests": 484}
    ]});
    let files = [Input { name: "c/current-loop.json".to_owned(), bytes: state.to_string().into() }];
    let against = "317 of its 484 tests have no result; it was aborted";
    let markdown = exported(&files, &of_kind(ExportKind::Markdown));
    let row = markdown.lines().find(|line| line.starts_with("| 4 | aborted | 1 (refuted: 317 "));
    assert!(row.is_some(), "{markdown}");
    assert!(markdown.contains("- warning `reward/refuted`"), "{markdown}");
    let report = exported(&files, &of_kind(ExportKind::Report));
    assert!(report.contains(&format!("1.000 <span class=\"partial\">refuted: {against}</span>")));
}

#[test]
fn reports_keep_record_text_out_of_their_structure() {
    let text = exported(&loop_of_two(), &of_kind(ExportKind::Markdown));
    assert!(text.contains("- Task: \\=cmd\\(\\)\n"), "{text}");
    assert!(text.contains("`````text\n```\n# Not a heading\n````\n`````"), "{text}");
    assert!(text.contains("| 2 | failure | 0.25 | 0.1 | - | 1 |"), "{text}");
}

#[test]
fn answers_come_in_one_envelope() {
    use hindscope::JsonQuery;
    for fixture in all() {
        let history = open(&fixture.files, usize::MAX);
        let runs: Vec<Value> = history
            .runs()
            .iter()
            .map(|view| {
                let mut row = json!(view);
                row["verdict"] = json!(history.verdicts(&[view.id])[0]);
                row
            })
            .collect();
        for query in JsonQuery::ALL {
            let options = ExportOptions { query, ..of_kind(ExportKind::Json) };
            let text = exported(&fixture.files, &options);
            let value: Value = serde_json::from_str(&text).expect("it is JSON");
            assert_eq!(value["query"], query.as_str());
            let expected = match query {
                JsonQuery::Runs => ("runs", json!(runs)),
                JsonQuery::Findings => ("findings", json!(history.findings())),
                JsonQuery::Run => ("runs", Value::Null),
                JsonQuery::Explain => ("explanations", Value::Null),
            };
            let answer = &value[expected.0];
            if expected.1.is_null() {
                assert_eq!(answer.as_array().map(Vec::len), Some(history.run_count()));
            } else {
                assert_eq!(*answer, expected.1, "{}", fixture.name);
            }
        }
    }
}

#[test]
fn records_are_verbatim_or_made_of_what_is_known() {
    use hindscope::RecordsLayout;
    let files = loop_of_two();
    let lines = exported(&files, &of_kind(ExportKind::Records));
    assert_eq!(lines.as_bytes(), files[0].bytes);
    // And out of an export.
    let again = unpacked(&exported(&files, &whole()));
    assert_eq!(exported(&again, &of_kind(ExportKind::Records)), lines);
    let array = ExportOptions { layout: RecordsLayout::Array, ..of_kind(ExportKind::Records) };
    let array: Value = serde_json::from_str(&exported(&files, &array)).expect("it is JSON");
    assert_eq!(array.as_array().map(Vec::len), Some(2));

    let hook = "trial_number: 2\ntimestamp: \"2026-03-02T14:05:00Z\"\nloop_id: ralph-b\ntrajectory: [\"Edited a file\"]\noutcome: partial\nreflection: Clear the timer later.\nstrategy_change: Re-queue first.\n";
    let hook = vec![Input { name: "iteration-2.yaml".to_owned(), bytes: hook.as_bytes().to_vec() }];
    let history = open(&hook, usize::MAX);
    let error =
        export(&history, &hook, None, &of_kind(ExportKind::Records)).expect_err("it lacks members");
    assert_eq!(error.code(), ErrorCode::InvalidOption);
    assert_eq!(
        error.to_string(),
        "Iteration 2 of ralph-b is the first without /actor_output/rationale, /evaluator_output/verification_type, /memory_metadata/omega_capacity, /memory_metadata/current_memory_size, which a record of reflection memory requires. Pass them in `supply`."
    );
    let supply = r#"{"actor_output":{"rationale":"not given"},"evaluator_output":{"verification_type":"manual_review","passed":true},"memory_metadata":{"omega_capacity":5,"current_memory_size":1}}"#;
    let layout = RecordsLayout::Document;
    let supplied =
        ExportOptions { supply: Some(supply.to_owned()), layout, ..of_kind(ExportKind::Records) };
    let text = exported(&hook, &supplied);
    let judged = validate(text.as_bytes(), Profile::Strict);
    assert!(judged.valid, "{text}{:?}", judged.findings);
    let record: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(record["evaluator_output"]["passed"], false);
    assert_eq!(record["notes"], "outcome: partial");
    assert_eq!(record["self_reflection"]["actionable_insights"], json!(["Re-queue first."]));
    assert_eq!(
        record["actor_output"]["actions"],
        json!([{"type": "other", "description": "Edited a file"}])
    );
}
