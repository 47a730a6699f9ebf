//! The hook after an iteration of a loop (`reflect`): collect, reflect, store, compare, prepare.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::auto_reflection::quoted;
use super::cache::{Cache, Stop};
use super::records::{Members as _, Notes, check};
use super::request::said;
use super::{
    FolderNames, IterationAnswer, MemoryAnswer, MemoryDone, MemoryWrite, Record, Reflect, clock,
    names, patterns, stuck, yaml,
};
use crate::error::{Error, ErrorCode};
use crate::history::History;
use crate::insight::explain;
use crate::model::options::InsightOptions;
use crate::model::outcome::Outcome;
use crate::text::counted;
use crate::validate::Profile;
use crate::validate::schema::Schema;
use crate::window::render::{Layout, render_with};
use crate::window::{Window, WindowRule, check_omega};

/// Reflections that the next iteration is given, if the request does not say how many.
const OMEGA: u8 = 5;

/// `reflect`. The new `iteration-N.yaml` claims the number; patterns follow from all of them.
pub(super) fn reflect(request: &Reflect, cache: &Cache) -> Result<MemoryDone, Stop> {
    let mut notes = Notes::default();
    clock::check("now", &request.now)?;
    names::check_id("loop", &request.loop_id)?;
    let omega = request.omega.unwrap_or(OMEGA);
    check_omega(omega)?;
    let layout = request.layout.as_deref().map_or(Ok(Layout::AiwgTemplate), Layout::parse)?;
    check_facts(request)?;
    let folder = names::loop_folder(&request.loop_id);
    cache.want_folder(names::LOOPS);
    cache.want_folder(&folder);
    patterns::want(cache, &request.loop_id);
    cache.settle()?;
    names::check_new("loop", &request.loop_id, cache.folder(names::LOOPS)?)?;
    let listed = cache.folder(&folder)?;
    let numbered =
        |name: &String| Some((names::iteration_number(name)?, format!("{folder}/{name}")));
    let mut earlier: Vec<(u32, String)> =
        listed.into_iter().flat_map(|names| &names.files).filter_map(numbered).collect();
    earlier.sort();
    // A folder or link with the name of an iteration's file is no iteration, but its number is taken.
    let taken: BTreeMap<u32, String> =
        listed.into_iter().flat_map(FolderNames::all).filter_map(numbered).collect();
    for (_, path) in &earlier {
        cache.want_file(path);
    }
    cache.settle()?;
    let highest = taken.keys().next_back().map_or(0, |number| *number);
    let number = request.iteration.unwrap_or_else(|| highest.saturating_add(1));
    if number > names::HIGHEST {
        let message = format!("`iteration` must be at most {}.", names::HIGHEST);
        return Err(Error::new(ErrorCode::InvalidRequest, message).into());
    }
    if let Some(path) = taken.get(&number) {
        let message = format!("Iteration {number} already has a reflection: {path} exists.");
        return Err(Error::new(ErrorCode::MemoryConflict, message).into());
    }
    let path = format!("{folder}/iteration-{number}.yaml");
    let (mut files, mut iterations) = (Vec::new(), Vec::new());
    for (_, path) in earlier {
        let bytes = cache.file(&path)?.unwrap_or_default();
        if let Some(iteration) = yaml::read(bytes) {
            iterations.push(iteration);
        } else {
            let message = "The file is not a YAML mapping. Its iteration is skipped.";
            notes.warn(&path, "memory/bad-file", message);
        }
        files.push((path, bytes.to_vec()));
    }
    let known = iterations.iter().map(|iteration| iteration.text_at("timestamp"));
    let time = clock::monotone(&request.now, known, &path, &mut notes)?;
    let is_automatic = said(request.reflection.as_ref()).is_none();
    let reflection =
        said(request.reflection.as_ref()).map_or_else(|| from_facts(request), str::to_owned);
    let iteration = iteration(request, number, &time, &reflection);
    let text = yaml::document(&iteration);
    files.push((path.clone(), text.clone().into_bytes()));
    let next = Next::of(&files, &request.loop_id, omega)?;
    iterations.push(iteration.clone());
    // As reflection-memory records, because these mark errors and insights as such.
    let records: Vec<Vec<u8>> = iterations
        .iter()
        .map(|iteration| serde_json::to_vec(&memory_record(iteration)).unwrap_or_default())
        .collect();
    let explanation = explain(&records, &InsightOptions::default());
    let stuck = stuck::of(&explanation);
    let patterns = patterns::of(&explanation);
    let mut writes = vec![MemoryWrite::create(&path, text)];
    let (count, stored) = (files.len(), patterns.clone());
    writes.extend(patterns::writes(request, count, &time, stored, cache, &mut notes)?);
    let mut window = render_with(&next.entries, layout, &next.options);
    let section = stuck::section(&explanation);
    if !window.is_empty() && !section.is_empty() {
        window.push('\n');
    }
    window.push_str(&section);
    let answer = IterationAnswer {
        loop_id: request.loop_id.clone(),
        iteration: number,
        path,
        is_stuck: explanation.is_stuck,
        stuck,
        patterns,
        held: next.window.held(),
        window,
        record: valid_record(&iteration, &next, omega),
        reflection,
        is_automatic,
        time,
    };
    let answer = MemoryAnswer::Iteration(Box::new(answer));
    Ok(MemoryDone { answer, findings: notes.0, writes })
}

/// Refuses an outcome that an iteration cannot have, and an iteration that says nothing.
fn check_facts(request: &Reflect) -> Result<(), Error> {
    let message = match request.outcome {
        Outcome::Success | Outcome::Failure | Outcome::Partial => return Ok(()),
        Outcome::Unknown => {
            let is_empty = said(request.reflection.as_ref()).is_none()
                && request.actions.is_empty()
                && request.errors.is_empty();
            if !is_empty {
                return Ok(());
            }
            "An iteration needs an `outcome`, a `reflection`, `actions` or `errors`.".to_owned()
        }
        other => {
            let found = other.as_str();
            format!("`outcome` must be success, failure or partial, found {found:?}.")
        }
    };
    Err(Error::new(ErrorCode::InvalidRequest, message))
}

/// What was attempted, what came of it, what went wrong.
fn from_facts(request: &Reflect) -> String {
    let actions: Vec<_> = request.actions.iter().map(|a| a.trim().trim_end_matches('.')).collect();
    let attempted = match actions.as_slice() {
        [] => "No action was recorded.".to_owned(),
        all => format!("Attempted: {}.", all.join("; ")),
    };
    let errors = Some(request.errors.len()).filter(|n| *n > 0).map(|n| counted(n, "error"));
    let outcome = Some(request.outcome.as_str()).filter(|_| request.outcome != Outcome::Unknown);
    let result = match (outcome, errors) {
        (Some(outcome), Some(errors)) => Some(format!("Result: {outcome} with {errors}.")),
        (Some(outcome), None) => Some(format!("Result: {outcome}.")),
        (None, errors) => errors.map(|errors| format!("Result: {errors}.")),
    };
    let error = request.errors.first().map(|error| format!("First error: `{}`.", quoted(error)));
    let files = (!request.files_modified.is_empty())
        .then(|| format!("Files changed: {}.", request.files_modified.join(", ")));
    [Some(attempted), result, error, files].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// What the host says, else what an error asks for: without an outcome it may be resolved already.
fn strategy(request: &Reflect) -> Option<String> {
    said(request.strategy_change.as_ref()).map(str::to_owned).or_else(|| {
        let error = request
            .errors
            .first()
            .filter(|_| matches!(request.outcome, Outcome::Failure | Outcome::Partial))?;
        Some(format!("Resolve `{}` before anything else", quoted(error)))
    })
}

/// The iteration as the hook stores it.
fn iteration(request: &Reflect, number: u32, time: &str, reflection: &str) -> Record {
    let mut record = Record::new();
    record.put("trial_number", Some(number));
    record.put("timestamp", Some(time));
    record.put("loop_id", Some(request.loop_id.as_str()));
    record.put("task", said(request.task.as_ref()));
    record.put("trajectory", Some(request.actions.clone()));
    let outcome = Some(request.outcome).filter(|outcome| *outcome != Outcome::Unknown);
    record.put("outcome", outcome.map(Outcome::as_str));
    record.put("errors", super::records::list(&request.errors));
    record.put("files_modified", super::records::list(&request.files_modified));
    record.put("reflection", Some(reflection));
    record.put("strategy_change", strategy(request));
    record
}

/// What the next iteration is given.
struct Next {
    window: Window,
    entries: Vec<crate::window::entry::Entry>,
    options: crate::window::entry::RenderOptions,
}

impl Next {
    fn of(files: &[(String, Vec<u8>)], key: &str, omega: u8) -> Result<Self, Error> {
        let mut history = History::new(Profile::Lenient);
        for (path, bytes) in files {
            let source = history.open(path);
            history.push(source, bytes)?;
            history.finish(source)?;
        }
        let own = history.record_count().checked_sub(1);
        let run = own.and_then(|own| history.run_of(crate::model::id::RecordId::at(own)));
        let run = run.ok_or_else(|| {
            let message = format!("The iterations of loop {key} cannot be read as a run.");
            Error::new(ErrorCode::MemoryUnreadable, message)
        })?;
        let mut loaded_run = history.loaded_run(run)?;
        for span in history.needs(&loaded_run) {
            let bytes = files.get(span.source.index()).map(|(_, bytes)| bytes.as_slice());
            let place = usize::try_from(span.start).ok().zip(usize::try_from(span.end).ok());
            let bytes = bytes.zip(place).and_then(|(bytes, (start, end))| bytes.get(start..end));
            if let Some(bytes) = bytes {
                history.load(&mut loaded_run, span.record, bytes)?;
            }
        }
        let next = history.run(run)?.numbers().last().map_or(1, |n| n.saturating_add(1));
        let rule = WindowRule { omega: Some(omega), ..WindowRule::default() };
        let window = loaded_run.window(next, rule)?;
        let entries = loaded_run.entries(window.held_refs());
        let options = loaded_run.render_options(&window);
        Ok(Self { window, entries, options })
    }
}

/// An iteration as a reflection-memory record, without what it says of the memory.
fn memory_record(iteration: &Record) -> Record {
    let typed = |name: &str, text: &str| {
        let items = iteration.texts_at(name).into_iter();
        items.map(|item| json!({"type": "other", text: item})).collect::<Vec<Value>>()
    };
    let (actions, errors) = (typed("trajectory", "description"), typed("errors", "message"));
    let outcome =
        iteration.text_at("outcome").map_or(Outcome::Unknown, |word| Outcome::read(word).0);
    let mut record = Record::new();
    for (name, of) in [
        ("loop_id", "loop_id"),
        ("iteration", "trial_number"),
        ("timestamp", "timestamp"),
        ("task_description", "task"),
    ] {
        record.put(name, iteration.get(of).cloned());
    }
    record.edit("actor_output", |actor| {
        actor.put("actions", Some(actions));
        // The hook collects what was done, not why.
        actor.put("rationale", Some(""));
        actor.put("files_modified", super::records::list(&iteration.texts_at("files_modified")));
    });
    record.edit("evaluator_output", |evaluator| {
        let is_judged = outcome != Outcome::Unknown;
        evaluator.put("passed", is_judged.then_some(outcome == Outcome::Success));
        evaluator.put("verification_type", Some("heuristic"));
        evaluator.put("errors", Some(errors).filter(|errors| !errors.is_empty()));
    });
    record.edit("self_reflection", |own| {
        own.put("reflection_text", Some(iteration.texts_at("reflection").join("\n")));
        let insights = super::records::list(&iteration.texts_at("strategy_change"));
        own.put("actionable_insights", insights);
    });
    if outcome == Outcome::Partial {
        record.put("notes", Some("The outcome was partial."));
    }
    record
}

/// The new iteration as a reflection-memory record. `None` if the schema refuses it: it does not allow
/// every loop id, nor an Ω of 0, nor an iteration without an outcome.
fn valid_record(iteration: &Record, next: &Next, omega: u8) -> Option<Record> {
    let held = next.window.held();
    let mut record = memory_record(iteration);
    record.edit("memory_metadata", |memory| {
        memory.put("omega_capacity", Some(omega));
        memory.put("current_memory_size", Some(held.len()));
        memory.put("reflections_in_context", Some(held));
        memory.put("window_policy", Some("fifo"));
        memory.put("total_reflections_generated", next.options.total);
    });
    check("record", &record, Some(Schema::ReflectionMemory)).is_ok().then_some(record)
}
