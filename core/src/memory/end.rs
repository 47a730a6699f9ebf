//! Attempts that end, and what is said of them.

use crate::sort::StableSort as _;
use serde_json::{Value, json};

use super::cache::{Cache, Stop};
use super::derive::{self, AttemptFacts};
use super::records::{Found, Lines, Members as _, Notes, line_text, list};
use super::task::{Attempt, Task, index_writes, want_indexes};
use super::{
    AddReflection, CompleteAttempt, CompletedAnswer, MemoryAnswer, MemoryDone, MemoryWrite, Record,
    ReflectedAnswer, ReflectionText, ReflectionType, SetStatus, TaskAnswer, TaskStatus,
    auto_reflection, clock, names,
};
use crate::error::{Error, ErrorCode};
use crate::validate::schema::Schema;

/// A task with all of its attempts, and the actions of one of them.
struct Opened {
    task: Task,
    attempts: Vec<Attempt>,
    /// Position of the one that is asked about.
    at: usize,
    actions: Lines,
}

impl Opened {
    fn load(cache: &Cache, id: &str, number: Option<u32>, notes: &mut Notes) -> Result<Self, Stop> {
        let task = Task::load(cache, id, notes)?;
        let (number, folder) = task.attempt(number)?;
        let log = names::of_attempt(id, folder, "actions.jsonl");
        cache.want_file(&log);
        let attempts = Attempt::load_all(cache, &task, notes)?;
        let at = attempts.iter().position(|a| a.number == number).unwrap_or_default();
        let actions = Lines::read(&log, cache.file(&log)?, Some(Schema::Action), notes);
        Ok(Self { task, attempts, at, actions })
    }

    /// The time to write: `now`, unless the task, the attempt, an action or a reflection has a later one.
    fn time(&self, now: &str, notes: &mut Notes) -> Result<String, Error> {
        let attempt = self.attempts.get(self.at).map(|attempt| &attempt.record.record);
        let of_attempt = ["started", "ended"].map(|name| attempt.and_then(|a| a.text_at(name)));
        let of_actions = self.actions.records.iter().map(|action| action.text_at("timestamp"));
        let of_lines = self.task.reflections.records.iter().map(|r| r.text_at("timestamp"));
        let known = self.task.times().chain(of_attempt).chain(of_actions).chain(of_lines);
        clock::monotone(now, known, &self.task.metadata.path, notes)
    }
}

/// `complete_attempt`. The new `outcome.json` claims the end and holds all that is new; what is made
/// of it is what [`Doctor`](super::Doctor) would make.
pub(super) fn complete_attempt(
    request: &CompleteAttempt,
    cache: &Cache,
) -> Result<MemoryDone, Stop> {
    let mut notes = Notes::default();
    check_complete(request)?;
    want_indexes(cache);
    let mut opened = Opened::load(cache, &request.task, request.attempt, &mut notes)?;
    let time = opened.time(&request.now, &mut notes)?;
    let id = opened.task.id.clone();
    let Some(attempt) = opened.attempts.get_mut(opened.at) else { return Err(Stop::Wait) };
    let number = attempt.number;
    if attempt.facts().ending.is_some() {
        let message = format!("Attempt {number} of task {id} has already ended.");
        return Err(Error::new(ErrorCode::AttemptComplete, message).into());
    }
    if attempt.ending.found == Found::Broken {
        let message = broken(&attempt.ending.path);
        return Err(Error::new(ErrorCode::MemoryConflict, message).into());
    }
    attempt.record.record.edit("execution", |execution| {
        derive::recount(execution, &opened.actions.records, usize::MAX);
    });
    let stored = attempt.ending.record.clone();
    let mut ending = new_ending(stored, request, number, &time);
    let status = request.task_status.unwrap_or(request.outcome.task_status());
    ending.put("task_status", Some(status.as_str()));
    let execution = attempt.record.record.object_at("execution").cloned().unwrap_or_default();
    let facts = auto_reflection::of_attempt(number, request, &execution, &opened.actions.records);
    let trigger = request.outcome.trigger();
    let kind = (trigger, trigger.reflection_type());
    let mut reflections =
        vec![auto_reflection::record(number, &time, kind, request.reflection.as_ref(), &facts)];
    derive::identify(&mut attempt.record.record, &id, number);
    derive::end_attempt(&mut attempt.record.record, &ending);
    derive::put_row(
        &mut opened.task.trajectory.record,
        &id,
        &AttemptFacts { number, record: &attempt.record.record, ending: Some(&ending) },
    );
    if status.is_over() {
        let rows: Vec<_> = derive::rows(&opened.task.trajectory.record).collect();
        let mut taught = opened.task.reflections.records.clone();
        taught.extend(reflections.iter().cloned());
        let facts = auto_reflection::of_task(status == TaskStatus::Completed, &rows, &taught);
        let kind = (trigger, ReflectionType::ProcessImprovement);
        let said = request.task_reflection.as_ref();
        reflections.push(auto_reflection::record(number, &time, kind, said, &facts));
    }
    ending.put(
        "reflections",
        Some(reflections.iter().cloned().map(Value::Object).collect::<Vec<_>>()),
    );
    attempt.ending.record = ending;
    let mut writes = vec![match attempt.ending.was {
        None => MemoryWrite::create(&attempt.ending.path, attempt.ending.text()),
        // The file exists, but does not say how the attempt ended.
        Some(_) => attempt.ending.write(None)?,
    }];
    writes.push(append(&mut opened.task.reflections, &reflections)?);
    if attempt.record.found != Found::Broken {
        writes.push(attempt.record.write(Some(Schema::Attempt))?);
    }
    attempt.ending.found = Found::Whole;
    let all: Vec<_> = opened.attempts.iter().map(Attempt::facts).collect();
    opened.task.count(&all);
    derive::put_status(&mut opened.task.metadata.record, status, &time);
    writes.extend(opened.task.writes()?);
    writes.extend(index_writes(cache, &id, status.as_str(), None, &mut notes)?);
    let rendered = reflections.first().map(auto_reflection::rendered).unwrap_or_default();
    let answer = CompletedAnswer {
        task: id,
        attempt: number,
        outcome: request.outcome,
        status,
        time,
        reflections,
        rendered,
    };
    Ok(MemoryDone { answer: MemoryAnswer::Completed(answer), findings: notes.0, writes })
}

/// Why nothing is written over a file that is [`Found::Broken`].
fn broken(path: &str) -> String {
    format!(
        "{path} is damaged: it is not one complete JSON object in UTF-8. Repair the memory first, with `doctor({{ mend: true }})` or `hindscope doctor --mend`. The repair keeps a copy of the file."
    )
}

fn check_complete(request: &CompleteAttempt) -> Result<(), Error> {
    clock::check("now", &request.now)?;
    let times = request.milestones.iter().filter_map(|milestone| milestone.timestamp.as_deref());
    times.map(|time| clock::check("milestones.timestamp", time)).collect::<Result<Vec<_>, _>>()?;
    for (name, found, most) in [
        ("finalQuality", request.final_quality, 1.0),
        ("completionPercent", request.completion_percent, 100.0),
    ] {
        if let Some(found) = found.filter(|found| !(0.0..=most).contains(found)) {
            let message = format!("`{name}` must be a number from 0 to {most}, found {found}.");
            return Err(Error::new(ErrorCode::InvalidRequest, message));
        }
    }
    Ok(())
}

/// The new `outcome.json`, still without its reflections. `ending` is what the file held before: members
/// that describe an end are replaced or removed, and all others stay.
fn new_ending(mut ending: Record, request: &CompleteAttempt, number: u32, time: &str) -> Record {
    let mut set = |name: &str, value: Option<Value>| match value {
        Some(value) => drop(ending.insert(name.to_owned(), value)),
        None => drop(ending.shift_remove(name)),
    };
    let text = |text: &Option<String>| text.clone().map(Value::from);
    set("task_id", Some(request.task.as_str().into()));
    set("attempt_id", Some(number.into()));
    set("status", Some(request.outcome.as_str().into()));
    set("reason", text(&request.reason));
    set("final_quality", request.final_quality.map(Value::from));
    set("quality_scale", request.final_quality.map(|_| "unit".into()));
    set("completion_percent", request.completion_percent.map(Value::from));
    set("ended", Some(time.into()));
    set("what_worked", list(&request.what_worked));
    set("what_didnt_work", list(&request.what_didnt_work));
    set("suggestions_for_next_time", list(&request.suggestions_for_next_time));
    let milestones = &request.milestones;
    set("milestones", (!milestones.is_empty()).then(|| json!(milestones)));
    ending
}

/// Appends reflections to those of the task.
pub(super) fn append(lines: &mut Lines, reflections: &[Record]) -> Result<MemoryWrite, Error> {
    let mut text = lines.lead().to_owned();
    for reflection in reflections {
        text.push_str(&line_text(&lines.path, reflection, Some(Schema::Reflection))?);
    }
    lines.records.extend(reflections.iter().cloned());
    Ok(MemoryWrite::append(&lines.path, lines.was, text))
}

/// A reflection of a person, or of a host between attempts.
pub(super) fn add_reflection(request: &AddReflection, cache: &Cache) -> Result<MemoryDone, Stop> {
    let mut notes = Notes::default();
    clock::check("now", &request.now)?;
    let said = &request.reflection;
    let parts = [&said.observation, &said.analysis, &said.learning].into_iter().flatten();
    let has_words = parts.chain(&said.action_items).any(|text| !text.trim().is_empty());
    if !has_words {
        let message = "The reflection is empty. Pass an observation, an analysis, a learning or an action item.";
        return Err(Error::new(ErrorCode::InvalidRequest, message).into());
    }
    let mut opened = Opened::load(cache, &request.task, request.attempt, &mut notes)?;
    let time = opened.time(&request.now, &mut notes)?;
    let number = opened.attempts.get(opened.at).map_or(0, |attempt| attempt.number);
    let kind = (request.trigger, request.trigger.reflection_type());
    let reflection =
        auto_reflection::record(number, &time, kind, Some(said), &ReflectionText::default());
    let mut writes = vec![append(&mut opened.task.reflections, std::slice::from_ref(&reflection))?];
    opened.task.metadata.record.put("updated", Some(time.as_str()));
    writes.extend(opened.task.writes()?);
    let rendered = auto_reflection::rendered(&reflection);
    let task = opened.task.id;
    let answer = ReflectedAnswer { task, attempt: number, time, reflection, rendered };
    Ok(MemoryDone { answer: MemoryAnswer::Reflected(answer), findings: notes.0, writes })
}

/// The status of a task, by the word of the host.
pub(super) fn set_status(request: &SetStatus, cache: &Cache) -> Result<MemoryDone, Stop> {
    let mut notes = Notes::default();
    clock::check("now", &request.now)?;
    want_indexes(cache);
    let mut task = Task::load(cache, &request.task, &mut notes)?;
    let time = clock::monotone(&request.now, task.times(), &task.metadata.path, &mut notes)?;
    if task.metadata.found == Found::Broken {
        let message = broken(&task.metadata.path);
        return Err(Error::new(ErrorCode::MemoryConflict, message).into());
    }
    derive::put_status(&mut task.metadata.record, request.status, &time);
    if task.metadata.record.text_at("id").is_none() {
        task.metadata.record.put("id", Some(task.id.as_str()));
    }
    let mut writes = task.writes()?;
    // The metadata holds what is new: it goes first.
    writes.stable_sort_by_key(|write| write.path != task.metadata.path);
    let id = task.id;
    writes.extend(index_writes(cache, &id, request.status.as_str(), None, &mut notes)?);
    let answer = TaskAnswer { task: id, status: request.status, time };
    Ok(MemoryDone { answer: MemoryAnswer::Task(answer), findings: notes.0, writes })
}
