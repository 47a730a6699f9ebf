//! Exports as a host makes them.

use hindscope::{Error, ExportOptions, Finding, History, Policy, RunId, WindowRule};
use serde_json::{Value, json};

use crate::archive;
use crate::fuzz::difference;
use crate::input::{Input, bytes_of, loaded, open};

/// The whole text of an export.
///
/// # Errors
///
/// Whatever the history refuses.
pub fn export(
    history: &History,
    files: &[Input],
    runs: Option<&[RunId]>,
    options: &ExportOptions,
) -> Result<String, Error> {
    let mut export = history.export(runs, options.clone())?;
    let mut text = String::new();
    loop {
        for span in history.needs_of_export(&export) {
            let bytes = bytes_of(history, files, span.record);
            history.supply(&mut export, span.record, bytes)?;
        }
        match history.write(&mut export)? {
            Some(piece) => text.push_str(&piece),
            None => return Ok(text),
        }
    }
}

/// The files in an export, as a host unpacks them.
pub fn unpacked(export: &str) -> Vec<Input> {
    archive::files("all.hindscope.jsonl", export.as_bytes())
}

/// What is not the same once files were exported and the export was opened again: what the history says,
/// and the bytes of another export. Lines and columns of findings count where `is_placed`: in damaged files a
/// record may stand behind something that is not exported.
pub fn not_back(files: &[Input], options: &ExportOptions, is_placed: bool) -> Option<String> {
    let exported = |history: &History, files: &[Input]| {
        export(history, files, None, options).expect("everything can be exported")
    };
    let first = open(files, usize::MAX);
    let text = exported(&first, files);
    let again = unpacked(&text);
    let second = open(&again, usize::MAX);
    if let Some(difference) = difference("", &content(&first, files), &content(&second, &again)) {
        return Some(difference);
    }
    let (a, b) = (findings(&first, is_placed), findings(&second, is_placed));
    if a != b {
        let [lost, new] = [(&a, &b), (&b, &a)].map(|(x, y)| x.iter().find(|f| !y.contains(f)));
        return Some(format!("findings: lost {lost:?}, new {new:?}"));
    }
    let kept = [&first, &second].map(|history| history.added().kept);
    if kept[0] != kept[1] {
        return Some(format!("records: {kept:?}"));
    }
    let twice = exported(&second, &again);
    let line = text.lines().zip(twice.lines()).find(|(a, b)| a != b);
    (twice != text).then(|| format!("not the same bytes: {line:?}"))
}

/// Rules about a file as a whole, of which an export has the records only.
const OF_FILES: [&str; 11] = [
    "json/concatenated",
    "json/fence",
    "json/leading-text",
    "json/string-document",
    "json/trailing-comma",
    "json/truncated",
    "size/",
    "sniff/",
    "source/",
    "text/",
    "yaml/",
];

/// What two histories must agree on. Offsets are those of the file that was opened.
pub fn content(history: &History, files: &[Input]) -> Value {
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
            row["id"] = Value::Null;
            row["findings"] = Value::Null;
            let mut iterations = json!(run.iterations());
            for iteration in iterations.as_array_mut().expect("a list") {
                let iteration = iteration.as_object_mut().expect("an object");
                for name in ["record", "part", "merged", "findings"] {
                    iteration.shift_remove(name);
                }
                let count = iteration["reflections"].as_array().expect("a list").len();
                iteration["reflections"] = json!(count);
            }
            json!({"run": row, "iterations": iterations, "windows": windows(history, files, view.id)})
        })
        .collect();
    json!({"runs": runs})
}

/// Findings about records and runs, each with the name of its run.
fn findings(history: &History, is_placed: bool) -> Vec<String> {
    let sources = history.sources();
    let path = |finding: &Finding| Some(sources[finding.source?.0 as usize].path.clone());
    let key = |run| history.run(run).map(|run| run.view().key).ok();
    let all = history.findings();
    let is_of_file = |f: &Finding| OF_FILES.iter().any(|rule| f.rule.starts_with(rule));
    // Those of a record or a run; what could not be read, and what was said of a file, is not exported.
    let is_kept = |f: &&Finding| (f.record.is_some() || f.run.is_some()) && !is_of_file(f);
    let of_records = all.iter().filter(is_kept);
    let mut rows: Vec<_> = of_records
        .map(|finding| {
            let mut row = json!(finding);
            row["source"] = json!(path(finding));
            row["evidence"] = finding.evidence.iter().map(|e| e.number).collect();
            row["run"] = json!(finding.run.and_then(key));
            let dropped: &[_] = if is_placed { &[] } else { &["line", "column"] };
            for name in ["record", "offset"].iter().chain(dropped) {
                row.as_object_mut().expect("an object").shift_remove(*name);
            }
            row.to_string()
        })
        .collect();
    rows.sort();
    rows
}

/// Windows before each attempt, with their texts.
fn windows(history: &History, files: &[Input], run: RunId) -> Value {
    let loaded_run = loaded(history, files, run);
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
