//! `hindscope-bundle`: our own export, opened again.
//!
//! A record of it is one run. Its members are taken as they are stored, nothing is derived again.

pub(crate) mod pass;
pub(crate) mod sort;

use serde_json::Value;

use super::members::text_of;
use super::parsed_record::{Context, ParsedRecord, ParsedRun};
use super::read::{self, Member as _, counters, integers, strings};
use super::traits::Traits;
use super::{Family, Format, FormatId, Reading};
use crate::model::details::{
    Action, Counter, Details, NamedReward, NamedText, RecordedWindow, Reflection, Retrieved,
    SubStep, Usage,
};
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;
use crate::model::reward::{Origin, Scale};
use crate::model::run_details::{Declared, RunDetails};
use crate::model::view::RewardView;

/// Names of test counts, and what a bundle calls them.
pub(crate) const TESTS: [(&str, &str); 5] = [
    ("tests_passed", "passed"),
    ("tests_failed", "failed"),
    ("tests_partial", "partial"),
    ("tests_skipped", "skipped"),
    ("tests_total", "total"),
];

/// Name of the count that a bundle calls `coverage`.
pub(crate) const COVERAGE: &str = "coverage_percentage";

/// Texts of this name are notes.
pub(crate) const NOTES: &str = "notes";

/// What a bundle states of a column. `None`: nothing, so the other members give the value. `Some(None)`:
/// the column is empty, whatever the other members give.
pub(crate) type Other<T> = Option<Option<T>>;

/// The format, for who opens bundles.
pub(crate) const ID: FormatId = FormatId::HindscopeBundle;

pub(crate) const FORMAT: Format = Format {
    id: "hindscope-bundle",
    title: "hindscope bundle",
    gives: "everything that was exported, with findings and original records",
    known_by: "`format` is \"hindscope\", with an integer `version`",
    found_at: "*.hindscope.json",
    fits,
    traits: Traits {
        family: Family::Bundle,
        marks: &["format", "version"],
        base: None,
        assumed: Assumption::of(3, "own"),
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.get("format").and_then(Value::as_str) == Some("hindscope")
        && value.get("version").is_some_and(|v| v.is_i64() || v.is_u64())
}

/// The run, and behind it what it remembers from before its first attempt.
pub(crate) fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    // A whole bundle is cut into runs before; by itself it describes none.
    if value.has("runs") {
        return ParsedRecord::default();
    }
    let mut parsed = ParsedRecord::of(about(value), value.items("iterations").map(step).collect());
    let earlier: Vec<Reflection> = earlier(value).map(|(_, r)| r).collect();
    if !earlier.is_empty() {
        let step = Details { reflections: earlier, ..Details::default() };
        parsed.runs.push(ParsedRun { steps: vec![step], ..ParsedRun::default() });
    }
    parsed
}

/// Reflections from before the first attempt, each with the number of the attempt that wrote it.
pub(crate) fn earlier(run: &Value) -> impl Iterator<Item = (i64, Reflection)> {
    run.items("search").filter_map(|r| Some((r.integer("number")?, reflection(r))))
}

fn about(run: &Value) -> RunDetails {
    let limits = run.inner("limits");
    let outcome = run.inner("outcome");
    let base = run.object("base").and_then(|b| b.integer("value"));
    let search = run.items("search").filter(|r| !r.has("number"));
    RunDetails {
        key: run.text("key"),
        aliases: strings(run.get("aliases")),
        task: run.text("task"),
        criteria: strings(run.get("criteria")),
        agent: run.text("agent"),
        model: run.text("model"),
        status: run.text("status"),
        outcome: word(outcome),
        outcome_detail: outcome.text("detail"),
        start: run.text("start").or_else(|| run.text("start_text")),
        end: run.text("end").or_else(|| run.text("time_text")),
        updated: run.text("updated"),
        max_iterations: limits.integer("iterations"),
        max_minutes: limits.number("minutes"),
        counter: run.integer("counter"),
        omega: run.object("omega").and_then(|o| o.number("value")),
        base: base.and_then(|b| u8::try_from(b).ok()),
        lessons: strings(run.get("lessons")),
        search: search.map(reflection).collect(),
        declared: run.object("declared").map(declared),
        reward: run.object("reward").and_then(reward),
        counters: counters(run.get("counters")).collect(),
        tags: strings(run.get("tags")),
        related: strings(run.get("related")),
        texts: named_texts(run).collect(),
    }
}

fn word(outcome: &Value) -> Option<Outcome> {
    Outcome::named(&outcome.text("value")?)
}

/// An iteration.
fn step(iteration: &Value) -> Details {
    let outcome = iteration.inner("outcome");
    let reflections: Vec<Reflection> = iteration.items("reflections").map(reflection).collect();
    let credited: Vec<i64> =
        reflections.iter().flat_map(|r| r.failing_actions.iter().copied()).collect();
    let notes = strings(iteration.get("notes")).into_iter();
    let notes = notes.map(|text| NamedText { name: NOTES.to_owned(), text });
    let actions = (0..).zip(iteration.items("actions"));
    Details {
        number: iteration.iteration("number"),
        time: iteration.text("end").or_else(|| iteration.text("time_text")),
        start: iteration.text("start").or_else(|| iteration.text("start_text")),
        duration_ms: iteration.number("ms"),
        task: iteration.text("task"),
        outcome: word(outcome),
        outcome_detail: outcome.text("detail"),
        reward: iteration.object("reward").and_then(reward),
        breakdown: counters(iteration.get("breakdown")).collect(),
        series: series(iteration),
        steps: iteration
            .items("steps")
            .filter_map(|s| {
                let reward = s.object("reward").and_then(reward);
                Some(SubStep { number: s.integer("number")?, reward })
            })
            .collect(),
        verification: iteration.text("verification"),
        rationale: iteration.text("rationale"),
        strategy: iteration.text("strategy"),
        strategy_next: iteration.text("strategy_next"),
        counters: all_counters(iteration),
        checks: iteration.items("checks").map(|one| read::check(one, "ms")).collect(),
        errors: iteration.items("errors").map(|one| read::error(one, "stack")).collect(),
        actions: actions.map(|(i, a)| action(a, credited.contains(&i))).collect(),
        files: strings(iteration.get("files")),
        reflections,
        window: iteration.object("window").map(window),
        retrieved: (iteration.has("retrieved") || iteration.flag("retrieved_none") == Some(true))
            .then(|| iteration.items("retrieved").map(retrieved).collect()),
        stored: iteration.object("stored").map(read::stored),
        usage: iteration.object("usage").map(usage),
        flags: strings(iteration.get("flags")),
        texts: notes.chain(named_texts(iteration)).collect(),
        ..Details::default()
    }
}

fn all_counters(iteration: &Value) -> Vec<Counter> {
    let tests = iteration.inner("tests");
    let of =
        |name: &str, value: Option<f64>| Some(Counter { name: name.to_owned(), value: value? });
    let mut all: Vec<Counter> =
        TESTS.iter().filter_map(|(name, short)| of(name, tests.number(short))).collect();
    all.extend(of(COVERAGE, iteration.number("coverage")));
    all.extend(counters(iteration.get("counters")));
    all
}

fn named_texts(value: &Value) -> impl Iterator<Item = NamedText> + '_ {
    let one = |t: &Value| Some(NamedText { name: t.text("name")?, text: t.text("text")? });
    value.items("texts").filter_map(one)
}

fn series(iteration: &Value) -> Vec<NamedReward> {
    let all = iteration.get("series").and_then(Value::as_object).into_iter().flatten();
    let one = |(name, value): (&String, &Value)| {
        Some(NamedReward { name: name.clone(), reward: reward(value)? })
    };
    all.filter_map(one).collect()
}

fn reward(value: &Value) -> Option<RewardView> {
    let origin = Origin::named(&value.text("origin")?).filter(|one| *one != Origin::None)?;
    Some(RewardView {
        value: value.number("value")?,
        raw: value.text("raw"),
        scale: value.text("scale").and_then(|s| Scale::named(&s)).unwrap_or(Scale::Unit),
        origin,
        rule: value.text("rule"),
    })
}

fn reflection(value: &Value) -> Reflection {
    Reflection {
        part: 0,
        text: value.text("text").unwrap_or_default(),
        kind: value.text("kind"),
        insights: strings(value.get("insights")),
        lessons: strings(value.get("lessons")),
        root_cause: value.text("root_cause"),
        category: value.text("category"),
        reasoning: value.text("reasoning"),
        failing_actions: integers(value.get("failing_actions")),
        confidence: value.number("confidence"),
        related: integers(value.get("related")),
        effectiveness: value.text("effectiveness"),
        trigger: value.text("trigger"),
        time: value.text("time").or_else(|| value.text("time_text")),
    }
}

fn action(value: &Value, is_named: bool) -> Action {
    Action {
        kind: value.text("type").unwrap_or_default(),
        description: value.text("description").unwrap_or_default(),
        path: value.text("path"),
        command: value.text("command"),
        diff: value.text("diff"),
        additions: value.integer("additions"),
        deletions: value.integer("deletions"),
        time: value.text("time").or_else(|| value.text("time_text")),
        tool: value.text("tool"),
        params: value.get("params").map(text_of),
        success: value.flag("success"),
        output: value.text("output"),
        reasoning: value.text("reasoning"),
        expected: value.text("expected"),
        is_credited: value.flag("credited").unwrap_or(is_named),
    }
}

fn window(value: &Value) -> RecordedWindow {
    let empty = strings(value.get("empty"));
    let list = |name: &str| {
        let is_empty = empty.iter().any(|e| e == name);
        (is_empty || value.has(name)).then(|| integers(value.get(name)))
    };
    RecordedWindow {
        omega: value.integer("omega"),
        policy: value.text("policy"),
        after: list("after"),
        size: value.integer("size"),
        total: value.integer("total"),
        injected: list("injected"),
        injected_flag: value.flag("injected_flag"),
    }
}

fn retrieved(value: &Value) -> Retrieved {
    Retrieved {
        key: value.text("key").unwrap_or_default(),
        number: value.integer("number").unwrap_or_default(),
        text: value.text("text").unwrap_or_default(),
        reward: value.number("reward"),
        similarity: value.number("similarity"),
        time: value.text("time"),
    }
}

fn usage(value: &Value) -> Usage {
    Usage {
        tokens: value.number("tokens"),
        input_tokens: value.number("input_tokens"),
        output_tokens: value.number("output_tokens"),
        tool_calls: value.number("tool_calls"),
        cost_usd: value.number("cost_usd"),
        ms: value.number("ms"),
    }
}

fn declared(value: &Value) -> Declared {
    let usage = usage(value);
    Declared {
        best: value.integer("best"),
        selected: value.integer("selected"),
        last: value.integer("final"),
        trajectory: value.text("trajectory"),
        diminishing: value.integer("diminishing"),
        reason: value.text("reason"),
        usage: (usage != Usage::default()).then_some(usage),
    }
}

/// What the columns of an iteration hold beside what its parsed record says.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepColumns {
    /// Format of its leading record.
    pub(crate) format: Option<FormatId>,
    pub(crate) verification: Option<String>,
    /// Positions of reflections that no window can hold: they have no text.
    pub(crate) unseen: Vec<u32>,
    pub(crate) errors: Other<u32>,
    pub(crate) omega: Other<u8>,
    pub(crate) assumed_omega: Other<u8>,
    pub(crate) time_ms: Other<f64>,
}

/// [`StepColumns`] of each iteration.
pub(crate) fn columns(run: &Value) -> Vec<StepColumns> {
    let one = |iteration: &Value| {
        let columns = iteration.inner("columns");
        let is_none = |name: &str| columns.get(name).and_then(Value::as_str) == Some("none");
        let integer = |name: &str| -> Other<i64> {
            if is_none(name) { Some(None) } else { columns.integer(name).map(Some) }
        };
        let small = |name: &str| integer(name).map(|n| n.and_then(|n| u8::try_from(n).ok()));
        let time = || columns.number("time_ms").map(Some);
        StepColumns {
            format: iteration.items("records").next().and_then(format_of),
            verification: iteration.text("verification"),
            unseen: (0..)
                .zip(iteration.items("reflections"))
                .filter(|(_, r)| !r.has("text"))
                .map(|(at, _)| at)
                .collect(),
            errors: integer("errors").map(|n| n.and_then(|n| u32::try_from(n).ok())),
            omega: small("omega"),
            assumed_omega: small("assumed_omega"),
            time_ms: if is_none("time_ms") { Some(None) } else { time() },
        }
    };
    run.items("iterations").map(one).collect()
}

/// The format of a record's entry.
pub(crate) fn format_of(entry: &Value) -> Option<FormatId> {
    FormatId::named(&entry.text("format")?)
}

/// Entries of a run's records, in the order of the text: of the run, then of its iterations.
pub(crate) fn entries(run: &Value) -> impl Iterator<Item = &Value> {
    let of_iterations = run.items("iterations").flat_map(|i| i.items("records"));
    run.items("records").chain(of_iterations)
}
