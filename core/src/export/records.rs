//! Reflection memory records: as they are, or made from what other formats hold.

use serde_json::Value;

use super::options::{ExportOptions, RecordsLayout};
use super::{RunChunk, reward};
use crate::error::{Error, ErrorCode};
use crate::history::loaded_run::LoadedStep;
use crate::json::verbatim::compact;
use crate::json::write::{Object, list, number, quoted};
use crate::model::details::{
    Action, Check, Counter, Details, ErrorDetails, RecordedWindow, Reflection,
};
use crate::model::outcome::Outcome;
use crate::model::view::IterationView;

/// How deep a value may be nested that is written as it stands.
const MAX_DEPTH: usize = 480;

/// Texts of this name are notes.
const NOTES: &str = "notes";

pub(super) fn head(options: &ExportOptions) -> String {
    if options.layout == RecordsLayout::Array { "[".to_owned() } else { String::new() }
}

pub(super) fn tail(options: &ExportOptions, has_items: bool) -> String {
    match options.layout {
        RecordsLayout::Array if has_items => "\n]\n".to_owned(),
        RecordsLayout::Array => "]\n".to_owned(),
        RecordsLayout::Lines | RecordsLayout::Document => String::new(),
    }
}

/// The object that holds what other formats lack.
pub(super) fn supply(options: &ExportOptions) -> Result<Value, Error> {
    let Some(text) = &options.supply else { return Ok(Value::Null) };
    let value: Option<Value> = serde_json::from_str(text).ok();
    value
        .filter(Value::is_object)
        .ok_or_else(|| Error::invalid_option("`supply` must be the text of a JSON object."))
}

pub(super) fn run(chunk: &RunChunk<'_>, has_items: &mut bool) -> Result<String, Error> {
    let supply = supply(chunk.options)?;
    let run = chunk.history.run(chunk.run)?;
    let mut out = String::new();
    let mut missing = Missing::default();
    for (iteration, step) in run.iterations().iter().zip(&chunk.loaded_run.steps) {
        let record = match verbatim(chunk, step) {
            Some(record) => record,
            None => made(chunk, run.key(), iteration, step, &supply, &mut missing)?,
        };
        if chunk.options.layout == RecordsLayout::Document && *has_items {
            return Err(Error::invalid_option(
                "One document can contain only one record, but there are several. Export JSON Lines or an array.",
            ));
        }
        let (before, after) = match chunk.options.layout {
            RecordsLayout::Lines | RecordsLayout::Document => ("", "\n"),
            RecordsLayout::Array if *has_items => (",\n", ""),
            RecordsLayout::Array => ("\n", ""),
        };
        out.push_str(before);
        out.push_str(&record);
        out.push_str(after);
        *has_items = true;
    }
    missing.refused(run.key()).map_or(Ok(out), Err)
}

/// Members that a record requires and that are nowhere.
#[derive(Default)]
struct Missing {
    /// Where they would be; each once, in the order in which they were missed.
    pointers: Vec<String>,
    /// Number of the first iteration that lacks one.
    first: Option<i64>,
}

impl Missing {
    fn add(&mut self, pointer: String, iteration: i64) {
        self.first.get_or_insert(iteration);
        if !self.pointers.contains(&pointer) {
            self.pointers.push(pointer);
        }
    }

    /// Names all of them at once: a caller who supplies one would otherwise be told of the next.
    fn refused(&self, key: &str) -> Option<Error> {
        let first = self.first?;
        // An object is missing because its members are.
        let is_inside = |outer: &String| {
            self.pointers
                .iter()
                .any(|p| p.strip_prefix(outer.as_str()).is_some_and(|rest| rest.starts_with('/')))
        };
        let all: Vec<&str> =
            self.pointers.iter().filter(|p| !is_inside(p)).map(String::as_str).collect();
        let them = if all.len() == 1 { "it" } else { "them" };
        Some(Error::new(
            ErrorCode::InvalidOption,
            format!(
                "Iteration {first} of {key} is the first without {}, which a record of reflection memory requires. Pass {them} in `supply`.",
                all.join(", ")
            ),
        ))
    }
}

/// The leading record as it was written, if it is one of reflection memory in JSON.
fn verbatim(chunk: &RunChunk<'_>, step: &LoadedStep) -> Option<String> {
    let row = chunk.history.table().rows.get(step.record.index())?;
    if !row.format.is_validated() {
        return None;
    }
    compact(&chunk.history.json_text(step.record, chunk.bytes(step.record))?, MAX_DEPTH)
}

/// A record made of what is known, and of what the caller supplies.
fn made(
    chunk: &RunChunk<'_>,
    key: &str,
    iteration: &IterationView,
    step: &LoadedStep,
    supply: &Value,
    missing: &mut Missing,
) -> Result<String, Error> {
    let none = Details::default();
    let details = chunk.loaded_run.details(step).unwrap_or(&none);
    let view = chunk.history.run(chunk.run)?.view();
    let reflection = step.reflections.iter().filter_map(|at| chunk.loaded_run.reflection(at));
    let reflections: Vec<&Reflection> = reflection.collect();
    let reward = reward(iteration, &view, details);
    let mut record = Record { supply, missing, iteration: iteration.number };
    let text = |text: Option<&str>| text.map(quoted).unwrap_or_default();
    let passed = match iteration.outcome {
        Outcome::Success => "true",
        Outcome::Failure | Outcome::Partial => "false",
        Outcome::Running | Outcome::Aborted | Outcome::Void | Outcome::Unknown => "",
    };
    let partial = (iteration.outcome == Outcome::Partial).then_some("outcome: partial");
    let actor = record.object(
        "/actor_output",
        &[
            ("actions", true, list(details.actions.iter().map(action))),
            ("rationale", true, text(details.rationale.as_deref())),
            ("strategy", false, text(details.strategy.as_deref())),
            ("files_modified", false, list(details.files.iter().map(|f| quoted(f)))),
        ],
    );
    let evaluator = record.object(
        "/evaluator_output",
        &[
            ("passed", true, passed.to_owned()),
            ("verification_type", true, text(details.verification.as_deref())),
            ("results", false, list(details.checks.iter().map(check))),
            ("errors", false, list(details.errors.iter().map(error))),
            ("reward_signal", false, reward.and_then(|r| number(r.value)).unwrap_or_default()),
            ("metrics", false, metrics(details)),
        ],
    );
    let lesson = lesson(&mut record, &reflections, details);
    let memory = record.object(
        "/memory_metadata",
        &[
            ("omega_capacity", true, window(details, |w| w.omega)),
            ("current_memory_size", true, window(details, |w| w.size)),
        ],
    );
    let notes: Vec<&str> = details
        .texts
        .iter()
        .filter(|t| t.name == NOTES)
        .map(|t| t.text.as_str())
        .chain(partial)
        .collect();
    let time = details.time.as_deref();
    Ok(record.object(
        "",
        &[
            ("loop_id", true, quoted(key)),
            ("iteration", true, crate::json::write::integer(iteration.number)),
            ("timestamp", true, text(time)),
            ("task_description", false, text(view.task.as_deref().or(details.task.as_deref()))),
            ("actor_output", true, actor),
            ("evaluator_output", true, evaluator),
            ("self_reflection", true, lesson),
            ("memory_metadata", true, memory),
            ("notes", false, text(Some(notes.join("\n").as_str()).filter(|n| !n.is_empty()))),
        ],
    ))
}

/// A record on its way.
struct Record<'a> {
    supply: &'a Value,
    missing: &'a mut Missing,
    /// Number of the iteration.
    iteration: i64,
}

impl Record<'_> {
    /// An object of members, whether each must be there, and what is known of it.
    fn object(&mut self, path: &str, members: &[(&str, bool, String)]) -> String {
        let mut object = Object::new();
        for (name, must, own) in members {
            let pointer = format!("{path}/{name}");
            let supplied = self.supply.pointer(&pointer).map(Value::to_string);
            let is_known = !crate::json::write::is_nothing(own);
            match (is_known, supplied) {
                (true, _) => drop(object.json(name, own)),
                (false, Some(supplied)) => object.verbatim(&quoted(name), &supplied),
                (false, None) if *must => self.missing.add(pointer, self.iteration),
                (false, None) => {}
            }
        }
        object.end()
    }
}

/// Several lessons of one attempt are one text; what is to be done next is an insight.
fn lesson(record: &mut Record<'_>, reflections: &[&Reflection], details: &Details) -> String {
    let texts: Vec<&str> = reflections.iter().map(|r| r.text.as_str()).collect();
    let texts = Some(texts.join("\n\n")).filter(|text| !text.trim().is_empty());
    let insights = reflections.iter().flat_map(|r| &r.insights).chain(&details.strategy_next);
    let lessons = reflections.iter().flat_map(|r| &r.lessons);
    let first = |of: fn(&Reflection) -> Option<&str>| {
        reflections.iter().find_map(|r| of(r)).map(quoted).unwrap_or_default()
    };
    let failing = reflections.iter().flat_map(|r| r.failing_actions.iter().copied());
    let credit = Object::new()
        .integers("failing_action_indices", &failing.collect::<Vec<_>>())
        .json("root_cause", &first(|r| r.root_cause.as_deref()))
        .json("failure_category", &first(|r| r.category.as_deref()))
        .end();
    let confidence = reflections.iter().find_map(|r| r.confidence);
    record.object(
        "/self_reflection",
        &[
            ("reflection_text", true, texts.map(|text| quoted(&text)).unwrap_or_default()),
            ("credit_assignment", false, credit),
            ("causal_reasoning", false, first(|r| r.reasoning.as_deref())),
            ("actionable_insights", false, list(insights.map(|text| quoted(text)))),
            ("lessons_learned", false, list(lessons.map(|text| quoted(text)))),
            ("confidence", false, confidence.and_then(number).unwrap_or_default()),
        ],
    )
}

fn window(details: &Details, member: impl Fn(&RecordedWindow) -> Option<i64>) -> String {
    details.window.as_ref().and_then(member).map(crate::json::write::integer).unwrap_or_default()
}

fn metrics(details: &Details) -> String {
    let mut object = Object::new();
    let tests = ["tests_passed", "tests_failed", "tests_total"];
    let others = ["coverage_percentage", "lint_errors", "lint_warnings", "type_errors"];
    for name in tests.into_iter().chain(others) {
        object.number(name, Counter::find(&details.counters, name));
    }
    object.end()
}

fn action(action: &Action) -> String {
    let changes = Object::new()
        .integer("additions", action.additions)
        .integer("deletions", action.deletions)
        .text("diff", action.diff.as_deref())
        .end();
    let kind = Some(action.kind.as_str()).filter(|kind| !kind.is_empty());
    Object::new()
        .text("type", kind.or(Some("other")))
        .text("description", Some(&action.description))
        .text("file_path", action.path.as_deref())
        .json("changes", &changes)
        .text("command", action.command.as_deref())
        .text("timestamp", action.time.as_deref())
        .end()
}

/// What a check gave.
fn check(check: &Check) -> String {
    Object::new()
        .text("tool", Some(&check.tool))
        .text("status", Some(&check.status))
        .integer("exit_code", check.exit_code)
        .text("stdout", check.stdout.as_deref())
        .text("stderr", check.stderr.as_deref())
        .number("duration_ms", check.duration_ms)
        .end()
}

fn error(error: &ErrorDetails) -> String {
    Object::new()
        .text("type", Some(&error.kind))
        .text("message", Some(&error.message))
        .text("file", error.file.as_deref())
        .integer("line", error.line)
        .integer("column", error.column)
        .text("severity", error.severity.as_deref())
        .text("rule", error.rule.as_deref())
        .text("stack_trace", error.stack.as_deref())
        .end()
}
