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
use crate::insight::answer::Explanation;
use crate::insight::explain_lines;
use crate::model::options::InsightOptions;
use crate::model::outcome::Outcome;
use crate::model::reward;
use crate::model::thresholds::REPEATED_REFLECTIONS;
use crate::text::counted;
use crate::validate::Profile;
use crate::validate::schema::Schema;
use crate::window::entry::{Entry, RenderOptions};
use crate::window::render::{Layout, render_with};
use crate::window::{Window, WindowRule, check_omega};

/// Reflections that the next iteration is given, if the request does not say how many.
const OMEGA: u8 = 5;

/// `reflect`. The new `iteration-N.yaml` claims the number; patterns follow from all of them.
pub(super) fn reflect(request: &Reflect, cache: &Cache) -> Result<MemoryDone, Stop> {
    let mut notes = Notes::default();
    clock::check("now", &request.now)?;
    names::check_name(names::Named::Loop, &request.loop_id)?;
    let omega = request.omega.unwrap_or(OMEGA);
    check_omega(omega)?;
    let layout = request.layout.as_deref().map_or(Ok(Layout::AiwgTemplate), Layout::parse)?;
    check_facts(request)?;
    if request.stuck_after.is_some_and(|n| n < 2) {
        let message = "`stuckAfter` must be at least 2: one reflection repeats nothing.";
        return Err(Error::new(ErrorCode::InvalidRequest, message).into());
    }
    let folder = names::loop_folder(&request.loop_id);
    cache.want_folder(names::LOOPS);
    cache.want_folder(&folder);
    patterns::want(cache, &request.loop_id);
    cache.settle()?;
    names::check_new(names::Named::Loop, &request.loop_id, cache.folder(names::LOOPS)?)?;
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
    let files = earlier.len();
    let mut stored = stored(earlier, cache, &mut notes)?;
    let of_event = |it: &Stored| {
        request.event_id.as_deref().is_some_and(|id| it.record.text_at("event_id") == Some(id))
    };
    let before = stored.iter().find(|it| of_event(it)).map(|it| it.number);
    let mut writes = Vec::new();
    let number = if let Some(number) = before {
        number
    } else {
        let number = next_number(request, &taken)?;
        let path = format!("{folder}/iteration-{number}.yaml");
        let known = stored.iter().map(|it| it.record.text_at("timestamp"));
        let time = clock::monotone(&request.now, known, &path, &mut notes)?;
        let record = iteration(request, number, &time);
        let text = yaml::document(&record);
        writes.push(MemoryWrite::create(&path, text.as_str()));
        stored.push(Stored { number, path, bytes: text.into_bytes(), record });
        stored.sort_by_key(|it| it.number);
        number
    };
    let at = stored.partition_point(|it| it.number < number);
    let Some(own) = stored.get(at) else {
        let message = format!("Iteration {number} of loop {} is lost.", request.loop_id);
        return Err(Error::new(ErrorCode::MemoryUnreadable, message).into());
    };
    let next = Next::of(&stored, own, omega)?;
    let explanation = explanation(&stored, at, omega, request.stuck_after);
    let stuck = stuck::of(&explanation);
    let patterns = patterns::of(&explanation);
    let time = own.record.text_at("timestamp").unwrap_or(&request.now).to_owned();
    if before.is_none() {
        let kept = patterns.clone();
        writes.extend(patterns::writes(request, files + 1, &time, kept, cache, &mut notes)?);
    }
    let mut window = render_with(&next.entries, layout, &next.options);
    let section = stuck::section(&explanation);
    if !window.is_empty() && !section.is_empty() {
        window.push('\n');
    }
    window.push_str(&section);
    let answer = IterationAnswer {
        loop_id: request.loop_id.clone(),
        iteration: number,
        path: own.path.clone(),
        is_stuck: explanation.is_stuck,
        stuck,
        patterns,
        held: next.window.held(),
        window,
        record: valid_record(&own.record, &next, omega),
        reflection: own.record.texts_at("reflection").join("\n"),
        is_automatic: said(request.reflection.as_ref()).is_none(),
        time,
    };
    let answer = MemoryAnswer::Iteration(Box::new(answer));
    Ok(MemoryDone { answer, findings: notes.0, writes })
}

/// An iteration that is stored, or about to be.
struct Stored {
    number: u32,
    path: String,
    bytes: Vec<u8>,
    record: Record,
}

/// The iterations that can be read, in order of their numbers.
fn stored(
    files: Vec<(u32, String)>,
    cache: &Cache,
    notes: &mut Notes,
) -> Result<Vec<Stored>, Stop> {
    let mut stored = Vec::with_capacity(files.len() + 1);
    for (number, path) in files {
        let bytes = cache.file(&path)?.unwrap_or_default();
        if let Some(record) = yaml::read(bytes) {
            stored.push(Stored { number, path, bytes: bytes.to_vec(), record });
        } else {
            let message = "The file is not a YAML mapping. Its iteration is skipped.";
            notes.warn(&path, "memory/bad-file", message);
        }
    }
    Ok(stored)
}

/// The number that a new iteration gets: the one that it asks for, else the one after the highest.
fn next_number(request: &Reflect, taken: &BTreeMap<u32, String>) -> Result<u32, Error> {
    let highest = taken.keys().next_back().map_or(0, |number| *number);
    let number = request.iteration.unwrap_or_else(|| highest.saturating_add(1));
    if number > names::HIGHEST {
        let message = format!("`iteration` must be at most {}.", names::HIGHEST);
        return Err(Error::new(ErrorCode::InvalidRequest, message));
    }
    if let Some(path) = taken.get(&number) {
        let message = format!("Iteration {number} already has a reflection: {path} exists.");
        return Err(Error::new(ErrorCode::MemoryConflict, message));
    }
    Ok(number)
}

/// What the rules say that a hook asks for: whether the loop repeats itself, and what recurs in it.
/// Other rules would take longer than all of these.
fn explanation(stored: &[Stored], own: usize, omega: u8, stuck_after: Option<u32>) -> Explanation {
    // As reflection-memory records, because these mark errors and insights as such.
    let mut lines = Vec::new();
    for it in stored {
        lines.extend(serde_json::to_vec(&memory_record(&it.record)).unwrap_or_default());
        lines.push(b'\n');
    }
    let options = InsightOptions {
        rules: vec!["stuck/*".to_owned(), "pattern/*".to_owned()],
        omega: Some(omega),
        ..InsightOptions::default()
    };
    let repeated =
        stuck_after.map_or(REPEATED_REFLECTIONS, |n| usize::try_from(n).unwrap_or(usize::MAX));
    explain_lines(&lines, own, &options, repeated)
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
fn iteration(request: &Reflect, number: u32, time: &str) -> Record {
    let reflection = said(request.reflection.as_ref());
    let reflection = reflection.map_or_else(|| from_facts(request), str::to_owned);
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
    record.put("event_id", said(request.event_id.as_ref()));
    record
}

/// What the next iteration is given.
struct Next {
    window: Window,
    entries: Vec<Entry>,
    options: RenderOptions,
}

impl Next {
    /// Of the latest iterations that fit the window, and this one: to open all of them would take longer with
    /// each.
    fn of(stored: &[Stored], own: &Stored, omega: u8) -> Result<Self, Error> {
        let says = |it: &&Stored| {
            it.record.texts_at("reflection").iter().any(|text| !text.trim().is_empty())
        };
        let all = stored.iter().rev().filter(says);
        let mut files: Vec<&Stored> = all.clone().take(usize::from(omega)).collect();
        files.retain(|it| it.number != own.number);
        files.reverse();
        files.push(own);
        let mut history = History::new(Profile::Lenient);
        for it in &files {
            let source = history.open(&it.path);
            history.push(source, &it.bytes)?;
            history.finish(source)?;
        }
        let last = history.record_count().checked_sub(1);
        let run = last.and_then(|last| history.run_of(crate::model::id::RecordId::at(last)));
        let run = run.ok_or_else(|| {
            let message = format!("{} cannot be read as an iteration of a loop.", own.path);
            Error::new(ErrorCode::MemoryUnreadable, message)
        })?;
        let mut loaded_run = history.loaded_run(run)?;
        for span in history.needs(&loaded_run) {
            let bytes = files.get(span.source.index()).map(|it| it.bytes.as_slice());
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
        let task = || stored.iter().rev().find_map(|it| it.record.text_at("task"));
        let options = loaded_run.render_options(&window);
        let options = RenderOptions {
            attempts: Some(reward::count(stored.len())),
            total: Some(reward::count(all.count())),
            task: options.task.or_else(|| task().map(str::to_owned)),
            ..options
        };
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
