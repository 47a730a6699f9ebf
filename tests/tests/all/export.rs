//! What is exported opens again and says the same.

use hindscope::{
    ErrorCode, ExportKind, ExportOptions, Finding, History, Policy, Profile, RunId, WindowRule,
    validate,
};
use hindscope_tests::{Fixture, Input, export, fixtures, open};
use serde_json::{Value, json};

fn bundle() -> ExportOptions {
    ExportOptions { created: Some("2026-03-10T12:00:00Z".to_owned()), ..ExportOptions::default() }
}

fn of_kind(kind: ExportKind) -> ExportOptions {
    ExportOptions { kind, ..bundle() }
}

fn exported(files: &[Input], options: &ExportOptions) -> String {
    let history = open(files, usize::MAX);
    export(&history, files, None, options).expect("everything can be exported")
}

fn as_file(text: &str) -> Vec<Input> {
    vec![Input { name: "a.hindscope.json".to_owned(), bytes: text.as_bytes().to_vec() }]
}

/// Fixtures of other formats: a bundle is another test's matter.
fn all() -> Vec<Fixture> {
    let mut all = fixtures().expect("fixtures can be read");
    all.retain(|fixture| !fixture.name.starts_with("hindscope/"));
    assert!(all.len() > 40);
    all
}

/// What two histories must agree on. Places in the bundle are not among it.
fn content(history: &History, files: &[Input]) -> Value {
    let sources = history.sources();
    let path = |finding: &Finding| {
        let id = finding.source?;
        sources.iter().find(|s| s.id == id).map(|s| s.path.clone())
    };
    let groups = history.groups();
    let labels: Vec<_> = groups.iter().map(|g| (g.label.clone(), g.format.clone())).collect();
    let runs: Vec<Value> = history
        .runs()
        .iter()
        .map(|view| {
            let run = history.run(view.id).expect("it is listed");
            let label = &labels[view.group.0 as usize];
            let mut row = json!(view);
            row["group"] = json!(label);
            let mut iterations = json!(run.iterations());
            for iteration in iterations.as_array_mut().expect("a list") {
                let iteration = iteration.as_object_mut().expect("an object");
                for name in ["record", "part", "merged"] {
                    iteration.shift_remove(name);
                }
                let count = iteration["reflections"].as_array().expect("a list").len();
                iteration["reflections"] = json!(count);
            }
            json!({"run": row, "iterations": iterations, "windows": windows(history, files, view.id)})
        })
        .collect();
    let mut findings: Vec<String> = history
        .findings()
        .iter()
        .filter(|f| f.source.is_none_or(|id| !is_bundle(history, id.0)))
        .map(|finding| {
            let mut row = json!(finding);
            row["source"] = json!(path(finding));
            row["evidence"] = finding.evidence.iter().map(|e| e.number).collect();
            row.as_object_mut().expect("an object").shift_remove("record");
            row.to_string()
        })
        .collect();
    findings.sort();
    let mut listed: Vec<Value> = sources
        .iter()
        .filter(|s| s.format.as_deref() != Some("hindscope-bundle"))
        .map(|source| {
            let mut row = json!(source);
            let row = row.as_object_mut().expect("an object");
            row.shift_remove("id");
            row.shift_remove("why");
            // A bundle states none of ours.
            row.shift_remove("digest");
            json!(row)
        })
        .collect();
    listed.sort_by_key(Value::to_string);
    json!({"runs": runs, "findings": findings, "sources": listed})
}

fn is_bundle(history: &History, source: u32) -> bool {
    let sources = history.sources();
    let source = sources.iter().find(|s| s.id.0 == source);
    source.is_some_and(|s| s.format.as_deref() == Some("hindscope-bundle"))
}

/// Windows before each attempt, with their texts.
fn windows(history: &History, files: &[Input], run: RunId) -> Value {
    let mut loaded_run = history.loaded_run(run).expect("it is listed");
    for span in history.needs(&loaded_run) {
        let at = |n: u64| usize::try_from(n).expect("small");
        let bytes = &files[span.source.0 as usize].bytes[at(span.start)..at(span.end)];
        history.load(&mut loaded_run, span.record, bytes).expect("these are its bytes");
    }
    let numbers = history.run(run).expect("it is listed").numbers().to_vec();
    let rules = [
        WindowRule::default(),
        WindowRule {
            policy: Policy::RelevanceWeighted,
            token_budget: Some(60),
            ..WindowRule::default()
        },
    ];
    let of = |&at: &i64| {
        rules.map(|rule| {
            let window = loaded_run.window(at, rule).expect("it is an iteration");
            let texts = loaded_run.entries(window.held_refs());
            let view = window.view();
            json!([texts, view.omega, view.omega_provenance, view.evicted.len(), view.later])
        })
    };
    numbers.iter().map(of).collect()
}

fn first_difference(a: &Value, b: &Value, at: &str) -> Option<String> {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) if x.keys().eq(y.keys()) => {
            x.iter().find_map(|(k, v)| first_difference(v, &y[k], &format!("{at}/{k}")))
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => x
            .iter()
            .zip(y)
            .enumerate()
            .find_map(|(k, (v, w))| first_difference(v, w, &format!("{at}/{k}"))),
        _ if a == b => None,
        _ => Some(format!("{at}:\n   first {a}\n   again {b}")),
    }
}

/// Export, open, export: identical bytes, and the same history.
#[test]
fn every_fixture_comes_back() {
    let mut wrong = Vec::new();
    for fixture in all() {
        let first = open(&fixture.files, usize::MAX);
        let text = exported(&fixture.files, &bundle());
        let again = as_file(&text);
        let second = open(&again, usize::MAX);
        let twice = exported(&again, &ExportOptions::default());
        if twice != text {
            let line = text.lines().zip(twice.lines()).find(|(a, b)| a != b);
            wrong.push(format!("{}: not the same bytes: {line:?}", fixture.name));
        }
        let odd: Vec<_> = second
            .findings()
            .into_iter()
            .filter(|f| f.source.is_some_and(|id| is_bundle(&second, id.0)))
            .map(|f| (f.rule, f.message))
            .collect();
        if !odd.is_empty() {
            wrong.push(format!("{}: the bundle itself has problems: {odd:?}", fixture.name));
        }
        let (a, b) = (content(&first, &fixture.files), content(&second, &again));
        if let Some(difference) = first_difference(&a, &b, "") {
            wrong.push(format!("{}{difference}", fixture.name));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// The layout is one of lines, and serde agrees that it is JSON.
#[test]
fn bundles_are_json_with_a_line_for_each_thing() {
    for fixture in all() {
        let text = exported(&fixture.files, &bundle());
        assert!(text.ends_with("}\n") && !text.contains("\n\n"), "{}", fixture.name);
        let value: Value = match serde_json::from_str(&text) {
            Ok(value) => value,
            // Half a surrogate pair stays as it was written, and no Rust string can hold it; and
            // what is nested too deep for serde is not for us.
            Err(error) => {
                assert!(
                    ["lone-surrogate", "deep-nesting"].iter().any(|n| fixture.name.contains(n)),
                    "{}: {error}",
                    fixture.name
                );
                continue;
            }
        };
        let count = |list: &str| value[list].as_array().map_or(0, Vec::len);
        let iterations: usize = value["runs"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|run| run["iterations"].as_array().map_or(0, |list| list.len().max(1)))
            .sum();
        let breaks = count("sources") + iterations + count("runs") + count("findings");
        let heads = ["sources", "runs", "findings"].iter().filter(|n| count(n) > 0).count();
        assert_eq!(text.lines().count(), 1 + breaks + heads, "{}", fixture.name);
    }
}

/// White space, order of members and spellings of numbers are ours again after one way through.
#[test]
fn an_edited_bundle_is_canonical_from_then_on() {
    for fixture in all() {
        let text = exported(&fixture.files, &bundle());
        let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
        // Members come in alphabetical order now: `format` is not the first.
        let pretty = serde_json::to_string_pretty(&value).expect("it is JSON");
        let again = exported(&as_file(&pretty), &ExportOptions::default());
        let reread: Value = serde_json::from_str(&again).expect("it is JSON");
        assert_eq!(reread, value, "{}", fixture.name);
        let settled = exported(&as_file(&again), &ExportOptions::default());
        assert_eq!(settled, again, "{}", fixture.name);
        let (a, b) = (as_file(&text), as_file(&pretty));
        let a = content(&open(&a, usize::MAX), &a);
        let b = content(&open(&b, usize::MAX), &b);
        assert_eq!(first_difference(&a, &b, ""), None, "{}", fixture.name);
    }
}

const OWN: &str = r#"{"format":"hindscope","version":1,"created":"2025-01-02T03:04:05Z","generator":"other 9","settings":{"window":{"omega":2,"x":[1.0]},"profile":"strict"},"originals":"included","note":{"by": "hand"},
"sources":[
{"id":"s1","name":"b.json","path":"a/b.json","format":"memory-reflection","framing":"json","encoding":"utf-8","bytes":90,"sha256":"00ff","state":"read","owner":null}],
"runs":[
{"id":"r1","key":"k","base":{"value":1,"provenance":"declared"},"iterations":[
{"number":4,"ordinal":0,"outcome":{"value":"unknown","origin":"derived"},"reflections":[{"text":"Use a real clock.","mood":"calm"}],"source":"b.json","records":[{"id":"c1","source":"s1","format":"memory-reflection","line":1,"span":[0,90],"pointer":"","json":{"iteration":4.0,"content":"Use a real clock.","type":"x\u0041","type":"y"}}],"z":{"q" :1e2}}],"extra":[]}],
"findings":[
{"rule":"reflection/short","severity":"info","source":"s1","line":1,"column":20,"offset":19,"pointer":"/content","message":"It is short.","run":"r1","iteration":4,"seen":true}]}
"#;

/// What nobody knows is written back as it stood, behind what is known.
#[test]
fn unknown_members_stay() {
    let again = exported(&as_file(OWN), &ExportOptions::default());
    let canonical =
        OWN.replace(",\"note\":{\"by\": \"hand\"}", "").replace("{\"q\" :1e2}", "{\"q\":1e2}");
    let canonical =
        canonical.replace("\"seen\":true}]}", "\"seen\":true}],\"note\":{\"by\":\"hand\"}}");
    assert_eq!(again, canonical);
    assert_eq!(exported(&as_file(&again), &bundle()), canonical);
}

/// The originals of a bundle can be looked at and judged, as they were written.
#[test]
fn originals_can_be_reached() {
    let files = as_file(OWN);
    let history = open(&files, usize::MAX);
    let run = history.run(history.runs()[0].id).expect("it is listed");
    let iteration = &run.iterations()[0];
    let span = history.locate(iteration.record).expect("it is there");
    let at = |n: u64| usize::try_from(n).expect("small");
    let bytes = &files[0].bytes[at(span.start)..at(span.end)];
    for number in [None, Some(4)] {
        let originals = history.originals(iteration.record, number, bytes).expect("a run");
        assert_eq!(originals.len(), 1);
        assert_eq!(originals[0].path.as_deref(), Some("a/b.json"));
        let text = originals[0].text.as_deref().expect("it is text");
        assert_eq!(
            text,
            r#"{"iteration":4.0,"content":"Use a real clock.","type":"x\u0041","type":"y"}"#
        );
        let judged = validate(text.as_bytes(), Profile::Strict);
        assert!(!judged.valid && !judged.findings.is_empty());
    }
    assert_eq!(history.originals(iteration.record, Some(5), bytes), Ok(Vec::new()));
}

fn rules(text: &str) -> Vec<(String, String)> {
    let history = open(&as_file(text), usize::MAX);
    let own = history.findings().into_iter();
    own.filter(|f| f.source.is_some_and(|s| is_bundle(&history, s.0)))
        .map(|f| (f.rule.to_string(), f.severity.as_str().to_owned()))
        .collect()
}

#[test]
fn a_newer_bundle_is_shown_and_not_exported() {
    let newer = OWN.replace("\"version\":1", "\"version\":2");
    assert_eq!(rules(&newer), [("bundle/newer".to_owned(), "error".to_owned())]);
    let history = open(&as_file(&newer), usize::MAX);
    assert_eq!(history.runs().len(), 1);
    let error = history.export(None, bundle()).expect_err("it would lose something");
    assert_eq!(error.code(), ErrorCode::ReadOnly);
    assert!(history.export(None, of_kind(ExportKind::Markdown)).is_ok());
}

#[test]
fn broken_members_are_reported_and_kept() {
    let broken = OWN.replace("\"number\":4,\"ordinal\":0", "\"number\":4,\"ordinal\":\"first\"");
    assert_eq!(rules(&broken), [("bundle/member".to_owned(), "warning".to_owned())]);
    assert!(exported(&as_file(&broken), &bundle()).contains("\"ordinal\":\"first\""));
    let lost = OWN
        .replace("\"run\":\"r1\"", "\"run\":\"r7\"")
        .replace("\"source\":\"s1\",\"line\"", "\"source\":\"s9\",\"line\"");
    let reference = ("bundle/reference".to_owned(), "warning".to_owned());
    assert_eq!(rules(&lost), [reference.clone(), reference]);
    let no_version = OWN.replace("\"version\":1,", "");
    assert_eq!(rules(&no_version), [("bundle/member".to_owned(), "error".to_owned())]);
    let comma = OWN.replace("\"mood\":\"calm\"", "\"mood\":\"calm\",");
    // What was repaired is reported member by member, that of the original included.
    let reported: Vec<_> = rules(&comma).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(reported, ["json/trailing-comma", "json/duplicate-key"]);
    assert!(exported(&as_file(&comma), &bundle()).contains("\"mood\":\"calm\"}"));
}

/// Two bundles that share a run count it once, and say so.
#[test]
fn a_run_in_two_bundles_counts_once() {
    let mut files = as_file(OWN);
    files.push(Input { name: "b.hindscope.json".to_owned(), bytes: OWN.as_bytes().to_vec() });
    let history = open(&files, usize::MAX);
    assert_eq!(history.runs().len(), 1);
    assert!(history.findings().iter().any(|f| f.rule == "source/duplicate"));
    let text = export(&history, &files, None, &bundle()).expect("it can be exported");
    assert!(text.starts_with(
        "{\"format\":\"hindscope\",\"version\":1,\"created\":\"2026-03-10T12:00:00Z\""
    ));
    let other = OWN.replace("\"bytes\":90", "\"bytes\":91");
    files[1].bytes = other.into_bytes();
    assert_eq!(open(&files, usize::MAX).runs().len(), 2);
}

/// A selection has what it needs and nothing else, with ids of its own.
#[test]
fn selections_are_bundles_of_their_own() {
    for fixture in all() {
        let history = open(&fixture.files, usize::MAX);
        let whole = exported(&fixture.files, &bundle());
        let carried = as_file(&whole);
        let reopened = open(&carried, usize::MAX);
        for view in history.runs() {
            let one = [view.id];
            let text = export(&history, &fixture.files, Some(&one), &bundle()).expect("a run");
            let of_bundle = export(&reopened, &carried, Some(&one), &bundle()).expect("a run");
            let (a, b) = (as_file(&text), as_file(&of_bundle));
            let (a, b) = (content(&open(&a, usize::MAX), &a), content(&open(&b, usize::MAX), &b));
            assert_eq!(first_difference(&a, &b, ""), None, "{}", fixture.name);
            assert_eq!(a["runs"].as_array().map(Vec::len), Some(1), "{}", fixture.name);
        }
    }
}

/// Slices decide nothing, and a bundle that ends anywhere keeps its complete runs.
#[test]
fn a_cut_bundle_keeps_its_runs() {
    for whole in [exported(&all()[0].files, &bundle()), OWN.to_owned()] {
        let files = as_file(&whole);
        let full = content(&open(&files, usize::MAX), &files);
        for slice in [1, 3, 64] {
            assert_eq!(content(&open(&files, slice), &files), full);
        }
        for length in 0..whole.len() {
            let Some(cut) = whole.get(..length) else { continue };
            let cut = as_file(cut);
            let history = open(&cut, usize::MAX);
            let _ = export(&history, &cut, None, &bundle()).expect("what is there can be exported");
        }
    }
}

/// Without originals nothing of the records is left, and it still opens.
#[test]
fn originals_can_be_left_out() {
    for fixture in all() {
        let text = exported(&fixture.files, &ExportOptions { originals: false, ..bundle() });
        assert!(text.contains("\"originals\":\"omitted\""), "{}", fixture.name);
        assert!(!text.contains("\"json\":"), "{}", fixture.name);
        let files = as_file(&text);
        assert_eq!(exported(&files, &ExportOptions::default()), text, "{}", fixture.name);
        let (a, b) = (open(&fixture.files, usize::MAX), open(&files, usize::MAX));
        let (a, b) = (content(&a, &fixture.files), content(&b, &files));
        assert_eq!(first_difference(&a, &b, ""), None, "{}", fixture.name);
        // And from a bundle that has them.
        let whole = as_file(&exported(&fixture.files, &bundle()));
        let redacted = ExportOptions { originals: false, ..bundle() };
        assert_eq!(exported(&whole, &redacted), text, "{}", fixture.name);
    }
}

/// Every other kind of export can be made of everything, of files and of bundles.
#[test]
fn every_kind_can_be_made() {
    for fixture in all() {
        let history = open(&fixture.files, usize::MAX);
        let carried = as_file(&exported(&fixture.files, &bundle()));
        let reopened = open(&carried, usize::MAX);
        for kind in [ExportKind::Csv, ExportKind::Markdown] {
            let text = export(&history, &fixture.files, None, &of_kind(kind)).expect("it can be");
            let again = export(&reopened, &carried, None, &of_kind(kind)).expect("it can be");
            if kind == ExportKind::Markdown {
                let own = |text: &str| {
                    let mut lines: Vec<String> = text
                        .lines()
                        .filter(|l| !l.starts_with("- Format:"))
                        .map(str::to_owned)
                        .collect();
                    lines.sort();
                    lines
                };
                assert_eq!(own(&text), own(&again), "{}", fixture.name);
            }
            let rows = history.runs().iter().map(|r| r.iterations as usize).sum::<usize>();
            if kind == ExportKind::Csv && !text.contains('"') {
                assert_eq!(text.lines().count(), rows + 1, "{}", fixture.name);
            }
        }
    }
}

#[test]
fn misuse_has_its_code() {
    let files = as_file(OWN);
    let mut history = open(&files, usize::MAX);
    let code = |options: ExportOptions, runs: Option<&[RunId]>| {
        history.export(runs, options).expect_err("it is misused").code()
    };
    assert_eq!(code(bundle(), Some(&[RunId(7)])), ErrorCode::NoSuchRun);
    let local = ExportOptions { created: Some("2026-03-10T12:00:00".to_owned()), ..bundle() };
    assert_eq!(code(local, None), ErrorCode::InvalidOption);
    let mut export = history.export(None, bundle()).expect("it can be");
    assert!(history.write(&mut export).expect("the head").is_some());
    let unread = history.write(&mut export).expect_err("the run was not read");
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
        "'=x,ralph-a,1,0,failure,,0.15,reported,,,,,,2026-03-01T09:00:00Z,,,,,,,1,2,\"'=x/loop,1.jsonl\",1"
    );
    assert!(rows[2].contains(",0.25,reported,,0.1,"), "{}", rows[2]);
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
        for query in JsonQuery::ALL {
            let options = ExportOptions { query, ..of_kind(ExportKind::Json) };
            let text = exported(&fixture.files, &options);
            let value: Value = serde_json::from_str(&text).expect("it is JSON");
            assert_eq!(value["query"], query.as_str());
            let expected = match query {
                JsonQuery::Runs => ("runs", json!(history.runs())),
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
    // And out of a bundle.
    let carried = as_file(&exported(&files, &bundle()));
    assert_eq!(exported(&carried, &of_kind(ExportKind::Records)), lines);
    let array = ExportOptions { layout: RecordsLayout::Array, ..of_kind(ExportKind::Records) };
    let array: Value = serde_json::from_str(&exported(&files, &array)).expect("it is JSON");
    assert_eq!(array.as_array().map(Vec::len), Some(2));

    let hook = "trial_number: 2\ntimestamp: \"2026-03-02T14:05:00Z\"\nloop_id: ralph-b\ntrajectory: [\"Edited a file\"]\noutcome: partial\nreflection: Clear the timer later.\nstrategy_change: Re-queue first.\n";
    let hook = vec![Input { name: "iteration-2.yaml".to_owned(), bytes: hook.as_bytes().to_vec() }];
    let history = open(&hook, usize::MAX);
    let error =
        export(&history, &hook, None, &of_kind(ExportKind::Records)).expect_err("it lacks members");
    assert_eq!(error.code(), ErrorCode::InvalidOption);
    assert!(error.to_string().contains("/actor_output/rationale"), "{error}");
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
