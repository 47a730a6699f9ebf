//! Everything that a face can be asked, as one JSON value.
//!
//! tests/faces.mjs and tests/component/host.py build the same value from the npm package and from
//! the component; the parity tests compare the three.

use hindscope::{
    Entry, Error, History, Layout, Outcome, Policy, Profile, RecordId, ReflectionRef,
    ReflectionWindow, Run, WindowRule, render, validate,
};
use serde_json::{Value, json};

use crate::input::{Input, open};

/// Ω of the windows that are asked for, and of the one that all records are pushed into.
const OMEGA: u8 = 3;

/// Opens files in slices of this many bytes, and asks everything.
pub fn dump(files: &[Input], slice: usize) -> Value {
    let history = open(files, slice);
    let runs: Vec<Value> = history
        .runs()
        .iter()
        .map(|view| {
            let run = history.run(view.id).expect("the history listed it");
            dump_run(&history, files, &run)
        })
        .collect();
    json!({
        "sources": history.sources(),
        "groups": history.groups(),
        "runs": runs,
        "findings": history.findings(),
        "records": records(&history).map(|id| dump_record(&history, files, id)).collect::<Vec<_>>(),
        "memory": dump_memory(&history, files),
    })
}

fn records(history: &History) -> impl Iterator<Item = RecordId> {
    (0..u32::try_from(history.record_count()).expect("ids are 32 bits wide")).map(RecordId)
}

/// The bytes of a record, as a host reads them.
pub(crate) fn bytes_of<'a>(history: &History, files: &'a [Input], id: RecordId) -> &'a [u8] {
    let span = history.locate(id).expect("the history holds it");
    let offset = |at: u64| usize::try_from(at).expect("fixtures are small");
    &files[span.source.0 as usize].bytes[offset(span.start)..offset(span.end)]
}

fn dump_run(history: &History, files: &[Input], run: &Run<'_>) -> Value {
    let columns = run.columns();
    let iterations = run.iterations();
    let next =
        columns.numbers.last().map_or(i64::from(run.view().base), |last| last.saturating_add(1));
    let rule = |omega| WindowRule { omega, ..WindowRule::default() };
    let windows: Vec<Value> = columns
        .numbers
        .iter()
        .map(|&at| dump_window(history, files, run, at, rule(Some(OMEGA))))
        .chain(
            [rule(Some(OMEGA)), rule(None)]
                .map(|rule| dump_window(history, files, run, next, rule)),
        )
        .collect();
    let details: Vec<Value> = iterations
        .iter()
        .map(|iteration| inspect(history, files, iteration.record, iteration.part))
        .collect();
    json!({
        "view": run.view(),
        "iterations": iterations,
        "reflections": run.reflections(),
        "columns": {
            "numbers": columns.numbers,
            // serde_json writes NaN as null, and so does JSON.stringify.
            "rewards": columns.rewards,
            "deltas": columns.deltas,
            "errors": columns.errors,
            "outcomes": columns.outcomes.iter().map(|outcome| outcome.as_str()).collect::<Vec<_>>(),
            "timesMs": columns.times_ms,
        },
        "windows": windows,
        "details": details,
    })
}

fn dump_window(
    history: &History,
    files: &[Input],
    run: &Run<'_>,
    at: i64,
    rule: WindowRule,
) -> Value {
    match run.window(at, rule) {
        Ok(window) => {
            let view = window.view();
            let text = window_text(history, files, run, &view.held);
            json!({ "view": view, "text": text })
        }
        Err(error) => code(&error),
    }
}

/// The text of a window, as every host composes it: each reflection from its record.
pub(crate) fn window_text(
    history: &History,
    files: &[Input],
    run: &Run<'_>,
    held: &[ReflectionRef],
) -> String {
    let iterations = run.iterations();
    let entries: Vec<Entry> = held
        .iter()
        .map(|place| {
            let bytes = bytes_of(history, files, place.record);
            let text = history
                .inspect(place.record, place.part, bytes)
                .ok()
                .and_then(|details| details.reflections.into_iter().find(|r| r.part == place.part))
                .map_or_else(String::new, |reflection| reflection.text);
            // A single file of a series remembers trials that are not open.
            let outcome = iterations
                .iter()
                .find(|iteration| iteration.number == place.number)
                .map_or(Outcome::Unknown, |iteration| iteration.outcome);
            Entry::new(place.number, outcome, text)
        })
        .collect();
    render(&entries, Layout::Plain)
}

fn dump_record(history: &History, files: &[Input], id: RecordId) -> Value {
    let bytes = bytes_of(history, files, id);
    json!({
        "span": history.locate(id).expect("the history holds it"),
        "details": inspect(history, files, id, 0),
        "raw": history.raw_text(id, bytes).map_or_else(|error| code(&error), Value::from),
        "strict": validate(bytes, Profile::Strict),
        "lenient": validate(bytes, Profile::Lenient),
    })
}

fn inspect(history: &History, files: &[Input], id: RecordId, part: u32) -> Value {
    history
        .inspect(id, part, bytes_of(history, files, id))
        .map_or_else(|error| code(&error), |details| json!(details))
}

/// What a window of one's own makes of all records, in order.
fn dump_memory(history: &History, files: &[Input]) -> Value {
    let mut window = ReflectionWindow::new(OMEGA, Policy::Fifo).expect("3 is a good Ω");
    let findings: Vec<_> =
        records(history).map(|id| window.push(bytes_of(history, files, id))).collect();
    json!({
        "findings": findings,
        "entries": window.entries(),
        "held": window.held(),
        "evicted": window.evicted(),
        "text": window.render(Layout::Plain),
        "metadata": window.metadata(),
    })
}

fn code(error: &Error) -> Value {
    json!({ "error": error.code().as_str() })
}
