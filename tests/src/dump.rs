//! Everything that a face can be asked, as one JSON value.
//!
//! tests/dump.mjs and tests/component/host.py build the same value from the npm package and from
//! the component; the parity tests compare the three.

use hindscope::{
    Entry, Error, GroupView, History, InsightOptions, Layout, LoadedRun, Outcome, Policy, Profile,
    RecordId, ReflectionRef, ReflectionWindow, Run, Schema, ValidateOptions, Validator, WindowRule,
    explain, formats, insight_rules, render, render_with, validate_with,
};
use serde_json::{Value, json};

use crate::input::{Input, bytes_of, load, loaded, open};

/// Ω of the windows that are asked for, and of the one that all records are pushed into.
const OMEGA: u8 = 3;

/// The clock of the host: 2026-04-01, after some records and before others.
const NOW_MS: f64 = 1_775_001_600_000.0;

/// What relevance compares with, once the window is asked again.
const QUERY: &str = "session token expiry";

/// A schema of one's own, which some records meet.
const OWN_SCHEMA: &str = r#"{
    "type": "object",
    "required": ["iteration"],
    "properties": {
        "iteration": {"type": "integer", "minimum": 1},
        "loop_id": {"pattern": "^ralph-"},
        "evaluator_output": {"properties": {"passed": {"const": false}}}
    }
}"#;

/// Opens files in slices of this many bytes, and asks everything.
pub fn dump(files: &[Input], slice: usize) -> Value {
    dump_of(open(files, slice), files)
}

/// Reads the reflections of every run, so that headlines know where it was stuck.
pub fn compare_reflections(history: &mut History, files: &[Input]) {
    for view in history.runs() {
        let mut loaded_run = history.loaded_run(view.id).expect("the history listed it");
        let needs = loaded_run.needs_sketches();
        load(history, files, &mut loaded_run, needs);
        history.keep_sketches(&mut loaded_run);
    }
}

/// Asks everything of a history of these files.
pub fn dump_of(mut history: History, files: &[Input]) -> Value {
    compare_reflections(&mut history, files);
    let history = &history;
    let runs: Vec<Value> = history
        .runs()
        .iter()
        .map(|view| {
            let run = history.run(view.id).expect("the history listed it");
            dump_run(history, files, &run)
        })
        .collect();
    let own = Validator::new(OWN_SCHEMA).expect("it is a schema");
    let texts: Vec<_> = records(history).map(|id| bytes_of(history, files, id)).collect();
    json!({
        "sources": history.sources(),
        "added": history.added(),
        "groups": history.groups().iter().map(|group| dump_group(history, group)).collect::<Vec<_>>(),
        "compared": history.groups().get(..2).map(|two| {
            let compared = history.compare(&[two[0].id, two[1].id], Some(u32::from(OMEGA)));
            compared.map_or_else(|error| code(&error), |compared| json!(compared))
        }),
        "runs": runs,
        "findings": history.finding_groups(),
        "findingsOf": history.sources().iter().map(|source| {
            history.finding_groups_of(source.id).expect("the history listed it")
        }).collect::<Vec<_>>(),
        "eachFinding": history.findings(),
        "records": records(history)
            .map(|id| dump_record(history, files, id, &own))
            .collect::<Vec<_>>(),
        "memories": memory_rules().map(|rule| dump_memory(&texts, rule)),
        "live": explain(&texts, &InsightOptions::default()),
        "rules": insight_rules(),
        "formats": formats(),
    })
}

fn records(history: &History) -> impl Iterator<Item = RecordId> {
    (0..u32::try_from(history.record_count()).expect("ids are 32 bits wide")).map(RecordId)
}

/// What the columns say of a group as a whole.
fn dump_group(history: &History, group: &GroupView) -> Value {
    json!({
        "view": group,
        "trust": history.trust(group.id),
        "retries": history.retries(group.id),
        "aggregate": history.aggregate(group.id),
        "headline": history.headline(group.id),
    })
}

/// What the records of a run say of it as a whole, with no others read.
fn about(history: &History, files: &[Input], run: &Run<'_>) -> Value {
    let mut loaded_run = history.loaded_run(run.id()).expect("the history listed it");
    let needs = loaded_run.needs_about();
    load(history, files, &mut loaded_run, needs);
    loaded_run
        .about()
        .iter()
        .map(|(record, says)| json!({ "record": record, "says": says }))
        .collect()
}

/// One attempt, with no other records read.
fn attempt(history: &History, files: &[Input], run: &Run<'_>, number: i64) -> Value {
    let mut loaded_run = history.loaded_run(run.id()).expect("the history listed it");
    let needs = loaded_run.needs_of(number).expect("the run has it");
    load(history, files, &mut loaded_run, needs);
    json!(loaded_run.attempt(number).expect("the run has it"))
}

/// Rules of the windows before the attempt that was not made yet. The last one is laid out in
/// every way.
fn rules() -> [WindowRule; 8] {
    let usual = WindowRule::default;
    let of = |omega, policy| WindowRule { omega: Some(omega), policy, ..usual() };
    [
        of(OMEGA, Policy::Fifo),
        of(2, Policy::Recency),
        of(2, Policy::RelevanceWeighted),
        WindowRule { half_life: 1.0, ..of(1, Policy::RelevanceWeighted) },
        WindowRule { token_budget: Some(60), ..usual() },
        WindowRule { dynamic_omega: true, ..usual() },
        WindowRule { failures_only: true, ..usual() },
        usual(),
    ]
}

fn dump_run(history: &History, files: &[Input], run: &Run<'_>) -> Value {
    let columns = run.columns();
    let iterations = run.iterations();
    let loaded_run = loaded(history, files, run.id());
    let next =
        columns.numbers.last().map_or(i64::from(run.view().base), |last| last.saturating_add(1));
    let before_each = WindowRule { omega: Some(OMEGA), ..WindowRule::default() };
    let windows: Vec<Value> = columns
        .numbers
        .iter()
        .map(|&at| dump_window(run, &loaded_run, at, before_each, &[Layout::Plain]))
        .collect();
    let [others @ .., last] = rules();
    let next_windows: Vec<Value> = others
        .into_iter()
        .map(|rule| dump_window(run, &loaded_run, next, rule, &[Layout::Plain]))
        .chain([dump_window(run, &loaded_run, next, last, &Layout::ALL)])
        .collect();
    let injected: Vec<Value> = columns
        .numbers
        .iter()
        .copied()
        .chain([next])
        .map(|at| {
            loaded_run.injected(at).map_or_else(|error| code(&error), |injected| json!(injected))
        })
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
        "records": run.records(),
        "about": about(history, files, run),
        "attempts": run.numbers().iter().map(|&number| attempt(history, files, run, number)).collect::<Vec<_>>(),
        "windows": windows,
        "nextWindows": next_windows,
        "injected": injected,
        "headlines": run.numbers().iter().map(|&number| {
            loaded_run.attempt_headline(number).expect("the run has it")
        }).collect::<Vec<_>>(),
        "verdict": history.verdict(&loaded_run).expect("the history listed it"),
        "explanation": loaded_run.explain(&InsightOptions::default()),
        "details": details,
    })
}

/// A window by any rule. What the columns can say, they must say as the records do.
fn dump_window(
    run: &Run<'_>,
    loaded_run: &LoadedRun,
    at: i64,
    rule: WindowRule,
    layouts: &[Layout],
) -> Value {
    let window = loaded_run.window(at, rule);
    if !rule.needs_texts() {
        assert_eq!(run.window(at, rule), window, "at {at} of {}", run.view().key);
    }
    match window {
        Ok(window) => {
            let entries = loaded_run.entries(window.held_refs());
            let options = loaded_run.render_options(&window);
            let texts = texts(layouts, |layout| render_with(&entries, layout, &options));
            json!({ "view": window.view(), "entries": entries, "texts": texts })
        }
        Err(error) => code(&error),
    }
}

fn texts(layouts: &[Layout], text: impl Fn(Layout) -> String) -> Value {
    layouts.iter().map(|&layout| (layout.as_str().to_owned(), Value::from(text(layout)))).collect()
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

fn dump_record(history: &History, files: &[Input], id: RecordId, own: &Validator) -> Value {
    let bytes = bytes_of(history, files, id);
    let verdicts = |schema: Schema| {
        let [strict, lenient] = [Profile::Strict, Profile::Lenient].map(|profile| {
            validate_with(bytes, ValidateOptions { schema, profile, now_ms: Some(NOW_MS) })
        });
        (schema.as_str().to_owned(), json!({ "strict": strict, "lenient": lenient }))
    };
    json!({
        "span": history.locate(id).expect("the history holds it"),
        "details": inspect(history, files, id, 0),
        "raw": history.raw_text(id, bytes).map_or_else(|error| code(&error), Value::from),
        "verdicts": Schema::ALL.map(verdicts).into_iter().collect::<Value>(),
        "own": own.validate(bytes),
    })
}

fn inspect(history: &History, files: &[Input], id: RecordId, part: u32) -> Value {
    history
        .inspect(id, part, bytes_of(history, files, id))
        .map_or_else(|error| code(&error), |details| json!(details))
}

/// Rules of the windows that all records are pushed into.
fn memory_rules() -> [WindowRule; 2] {
    let usual = WindowRule { omega: Some(OMEGA), ..WindowRule::default() };
    let policy = Policy::RelevanceWeighted;
    [usual, WindowRule { policy, token_budget: Some(60), dynamic_omega: true, ..usual }]
}

/// What a window of one's own makes of all records, in order, and of other settings after that.
fn dump_memory(texts: &[&[u8]], rule: WindowRule) -> Value {
    let mut window = ReflectionWindow::with_rule(rule).expect("3 is a good Ω");
    let findings: Vec<_> = texts.iter().map(|record| window.push(record)).collect();
    let before = dump_state(&window);
    window.set_omega(2).expect("2 is a good Ω");
    window.set_token_budget(Some(40));
    window.set_query(Some(QUERY));
    json!({ "findings": findings, "before": before, "after": dump_state(&window) })
}

fn dump_state(window: &ReflectionWindow) -> Value {
    json!({
        "omega": window.omega(),
        "entries": window.entries(),
        "held": window.held(),
        "evicted": window.evicted(),
        "dropped": window.dropped(),
        "tokens": window.tokens(),
        "notes": window.notes(),
        "texts": texts(&Layout::ALL, |layout| window.render(layout)),
        "metadata": window.metadata(),
    })
}

fn code(error: &Error) -> Value {
    json!({ "error": error.code().as_str() })
}
