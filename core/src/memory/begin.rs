//! Tasks and attempts that begin.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::cache::{Cache, Stop};
use super::derive::{self, AttemptFacts};
use super::records::{Members as _, Notes, document_text, list};
use super::task::{Attempt, Task, index_writes, is_there, want_indexes};
use super::{
    AttemptAnswer, FolderNames, InitTask, MemoryAnswer, MemoryDone, MemoryWrite, Plan, Record,
    StartAttempt, TaskAnswer, TaskStatus, auto_reflection, clock, names, stuck,
};
use crate::error::{Error, ErrorCode};
use crate::validate::schema::Schema;
use crate::window::check_omega;
use crate::window::render::{Layout, render};

/// `init_task`. The new metadata claims the id.
pub(super) fn init_task(request: &InitTask, cache: &Cache) -> Result<MemoryDone, Stop> {
    let mut notes = Notes::default();
    clock::check("now", &request.now)?;
    if let Some(id) = &request.id {
        names::check_name(names::Named::Task, id)?;
        cache.want_folder(&names::task(id));
    }
    for id in &request.related_tasks {
        names::check_name(names::Named::RelatedTask, id)?;
    }
    cache.want_folder(names::TASKS);
    want_indexes(cache);
    cache.settle()?;
    let tasks = cache.folder(names::TASKS)?;
    let id = if let Some(id) = &request.id {
        if is_there(cache, id)? {
            let message = format!("There is already a folder for task {id}.");
            return Err(Error::new(ErrorCode::MemoryConflict, message).into());
        }
        names::check_new(names::Named::Task, id, tasks)?;
        id.clone()
    } else {
        // A file or link of that name takes the number, too.
        let taken = tasks.into_iter().flat_map(FolderNames::all);
        let highest = taken.filter_map(|name| names::task_number(name)).max();
        if highest == Some(names::HIGHEST) {
            let message = "All automatic task ids are in use: pass an id for the new task.";
            return Err(Error::new(ErrorCode::InvalidRequest, message).into());
        }
        format!("task-{:03}", highest.unwrap_or(0) + 1)
    };
    let status = TaskStatus::Running;
    let mut metadata = Record::new();
    metadata.put("id", Some(id.as_str()));
    metadata.put("description", Some(request.description.as_str()));
    metadata.put("completion_criteria", request.completion_criteria.as_deref());
    metadata.put("created", Some(request.now.as_str()));
    metadata.put("updated", Some(request.now.as_str()));
    metadata.put("status", Some(status.as_str()));
    derive::put_counts(&mut metadata, &id, &BTreeSet::new(), 0);
    metadata.put("tags", list(&request.tags));
    metadata.put("related_tasks", list(&request.related_tasks));
    let (path, of) = (names::of_task(&id, "metadata.json"), names::of_task(&id, "trajectory.json"));
    let trajectory = new_trajectory(&id);
    let mut writes = vec![
        MemoryWrite::create(&path, document_text(&path, &metadata, Some(Schema::TaskMetadata))?),
        MemoryWrite::create(&of, document_text(&of, &trajectory, Some(Schema::Trajectory))?),
    ];
    writes.extend(index_writes(cache, &id, status.as_str(), None, &mut notes)?);
    let answer = TaskAnswer { task: id, status, time: request.now.clone() };
    Ok(MemoryDone { answer: MemoryAnswer::Task(answer), findings: notes.0, writes })
}

/// A trajectory without attempts.
pub(super) fn new_trajectory(id: &str) -> Record {
    let mut trajectory = Record::new();
    trajectory.put("task_id", Some(id));
    trajectory.put("attempts", Some(Vec::<Value>::new()));
    trajectory
}

/// `start_attempt`. The new `attempt.json` claims the number.
pub(super) fn start_attempt(request: &StartAttempt, cache: &Cache) -> Result<MemoryDone, Stop> {
    let mut notes = Notes::default();
    clock::check("now", &request.now)?;
    request.omega.map_or(Ok(()), check_omega)?;
    want_indexes(cache);
    let mut task = Task::load(cache, &request.task, &mut notes)?;
    let id = task.id.clone();
    let before = Attempt::load_all(cache, &task, &mut notes)?;
    let time = clock::monotone(&request.now, task.times(), &task.metadata.path, &mut notes)?;
    say_state(&task, &before, &mut notes);
    let highest = task.numbers().last().copied().unwrap_or(0).max(task.taken);
    if highest >= names::HIGHEST {
        let message = "The task has reached the highest attempt number.";
        return Err(Error::new(ErrorCode::InvalidRequest, message).into());
    }
    let number = highest + 1;
    let held = if request.without_reflections {
        Vec::new()
    } else {
        let all = &task.reflections.records;
        let held = auto_reflection::latest(all, request.omega, request.token_budget);
        held.into_iter().filter_map(|at| all.get(at).cloned()).collect()
    };
    let plan = request.plan.clone().unwrap_or_else(|| planned(&held));
    let record = new_attempt(number, request, &plan, &held, &time);
    let folder = names::attempt_folder(number);
    let path = |file: &str| names::of_attempt(&id, &folder, file);
    let text = plan_md(&record, &held);
    let (claim, plan_path) = (path("attempt.json"), path("plan.md"));
    let mut writes = vec![
        MemoryWrite::create(&claim, document_text(&claim, &record, Some(Schema::Attempt))?),
        MemoryWrite::create(plan_path, text.as_str()),
    ];
    let new = AttemptFacts { number, record: &record, ending: None };
    let all: Vec<_> = before.iter().map(Attempt::facts).chain([new]).collect();
    derive::put_row(&mut task.trajectory.record, &id, &new);
    task.count(&all);
    derive::put_status(&mut task.metadata.record, TaskStatus::Running, &time);
    writes.extend(task.writes()?);
    let (status, agent) = (TaskStatus::Running.as_str(), request.agent.as_deref());
    writes.extend(index_writes(cache, &id, status, agent, &mut notes)?);
    let answer = AttemptAnswer { task: id, attempt: number, time, plan: text, reflections: held };
    Ok(MemoryDone { answer: MemoryAnswer::Attempt(answer), findings: notes.0, writes })
}

/// Findings about beginning now.
fn say_state(task: &Task, before: &[Attempt], notes: &mut Notes) {
    for attempt in before.iter().filter(|attempt| !attempt.facts().has_ended()) {
        let message = format!(
            "The next attempt starts, although attempt {} has no outcome yet.",
            attempt.number
        );
        notes.inform(&attempt.record.path, "memory/attempt-open", message);
    }
    let status = derive::status_of(&task.metadata.record);
    if status.is_over() {
        let message = format!("The task was {}, and is continued now.", status.as_str());
        notes.inform(&task.metadata.path, "memory/task-reopened", message);
    }
}

/// The plan that follows from the latest reflection that says what to do.
fn planned(held: &[Record]) -> Plan {
    let last = held.iter().rev().find(|reflection| reflection.text_at("learning").is_some());
    Plan {
        approach: last.and_then(|r| r.text_at("learning")).map(str::to_owned),
        steps: last.map(|r| r.texts_at("action_items")).unwrap_or_default(),
        estimated_iterations: None,
    }
}

fn new_attempt(
    number: u32,
    request: &StartAttempt,
    plan: &Plan,
    held: &[Record],
    time: &str,
) -> Record {
    let mut record = Record::new();
    record.put("id", Some(number));
    record.put("task_id", Some(request.task.as_str()));
    record.put("started", Some(time));
    record.edit("plan", |record| {
        record.put("approach", plan.approach.as_deref());
        record.put("steps", list(&plan.steps));
        record.put("estimated_iterations", plan.estimated_iterations);
    });
    record.edit("execution", |execution| {
        execution.put("agent", request.agent.as_deref());
        execution.put("actions_performed", Some(0));
    });
    record.put("quality_scale", Some("unit"));
    // Says for good whether the attempt could learn from earlier ones, and from which.
    let mut learned: Vec<i64> =
        held.iter().filter_map(|r| r.get("attempt_id").and_then(Value::as_i64)).collect();
    learned.dedup();
    record.put("learned_from", Some(learned));
    if !request.similar.is_empty() {
        record.put("similar", Some(json!(request.similar)));
    }
    record
}

/// `plan.md`: the plan, and what earlier attempts and similar tasks taught.
pub(super) fn plan_md(record: &Record, held: &[Record]) -> String {
    let plan = derive::plan_of(record);
    let number = record.get("id").map(Value::to_string).unwrap_or_default();
    let mut blocks = vec![format!("# Plan of attempt {number}")];
    blocks.extend(plan.approach.clone());
    let steps: Vec<_> = (1..).zip(&plan.steps).map(|(n, s)| format!("{n}. {}", item(s))).collect();
    if !steps.is_empty() {
        blocks.push(steps.join("\n"));
    }
    if plan.approach.is_none() && steps.is_empty() {
        blocks.push("No plan was given.".to_owned());
    }
    blocks.extend(plan.estimated_iterations.map(|n| format!("Estimated iterations: {n}")));
    if !held.is_empty() {
        let entries: Vec<_> = held.iter().filter_map(auto_reflection::entry).collect();
        blocks.push("# What earlier attempts taught".to_owned());
        blocks.push(render(&entries, Layout::Episodic).trim_end().to_owned());
        let stuck = stuck::section_of_attempts(held);
        blocks.extend(Some(stuck.trim_end().to_owned()).filter(|stuck| !stuck.is_empty()));
    }
    let similar = record.get("similar").and_then(Value::as_array).into_iter().flatten();
    let similar: Vec<_> = similar
        .filter_map(Value::as_object)
        .filter_map(|s| Some(format!("- {}: {}", s.text_at("task")?, item(s.text_at("lesson")?))))
        .collect();
    if !similar.is_empty() {
        blocks.push("# What similar tasks taught".to_owned());
        blocks.push(similar.join("\n"));
    }
    let mut text = blocks.join("\n\n");
    text.push('\n');
    text
}

/// Further lines belong to the item.
fn item(text: &str) -> String {
    text.trim().replace("\r\n", "\n").replace(['\r', '\n'], "\n  ")
}
