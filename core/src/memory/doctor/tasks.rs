//! The folder of a task.

use serde_json::Value;

use super::super::records::{Document, Found, Members as _, line_text};
use super::super::shelf::{Shelf, Stop};
use super::super::store::MemoryFound;
use super::super::task::{Attempt, Task, attempts};
use super::super::{Record, TaskStatus, begin, clock, derive, names};
use super::indexes::Listed;
use super::{Ward, attempts as of_attempts, count};
use crate::error::Error;
use crate::validate::datetime;
use crate::validate::schema::Schema;

/// Files of a task that are looked at.
const FILES: [&str; 4] = ["metadata.json", "trajectory.json", "summary.json", "reflections.jsonl"];

/// Asks for everything that is looked at of some tasks.
pub(super) fn want(shelf: &Shelf, ids: &[String]) -> Result<(), Stop> {
    for id in ids {
        shelf.want_folder(&names::task(id));
        shelf.want_folder(&names::attempts(id));
        for file in FILES {
            shelf.want_file(&names::of_task(id, file));
        }
    }
    shelf.settle()?;
    for id in ids {
        for path in paths_of_attempts(shelf, id) {
            match path {
                Path::Folder(path) => shelf.want_folder(&path),
                Path::File(path) => shelf.want_file(&path),
            }
        }
    }
    shelf.settle()
}

enum Path {
    Folder(String),
    File(String),
}

fn paths_of_attempts(shelf: &Shelf, id: &str) -> Vec<Path> {
    let inner = names::attempts(id);
    let mut paths = Vec::new();
    for (_, folder) in attempts(shelf, &inner).unwrap_or_default() {
        paths.push(Path::Folder(format!("{inner}/{folder}")));
        paths.extend(
            of_attempts::FILES.map(|file| Path::File(names::of_attempt(id, &folder, file))),
        );
    }
    paths
}

impl Ward<'_> {
    /// Mends a task; gives what the indexes should say of it.
    pub(super) fn task(&mut self, id: &str) -> Result<Listed, Stop> {
        let mut paths = vec![names::task(id), names::attempts(id)];
        paths.extend(FILES.map(|file| names::of_task(id, file)));
        paths.extend(paths_of_attempts(self.shelf, id).into_iter().map(|path| match path {
            Path::Folder(path) | Path::File(path) => path,
        }));
        if self.is_unreadable(&paths) {
            return Ok(Listed { id: id.to_owned(), status: None, agents: Vec::new() });
        }
        if is_empty(self.shelf, id) {
            return Ok(Listed { id: id.to_owned(), status: None, agents: Vec::new() });
        }
        let mut task = Task::load(self.shelf, id, &mut self.notes)?;
        self.in_the_way(&names::attempts(id), "attempt", false, names::attempt_number);
        self.list_aside(&names::task(id));
        let folders = task.attempts.clone();
        let mut attempts = Vec::new();
        for (number, folder) in &folders {
            let row = row_of(&task.trajectory, *number).cloned();
            attempts.push(self.attempt(id, (*number, folder), row.as_ref())?);
        }
        self.health.attempts += count(attempts.len());
        self.reflections(&mut task, &attempts)?;
        self.health.reflections += count(task.reflections.records.len());
        for ((_, folder), attempt) in folders.iter().zip(&attempts) {
            self.plan(id, folder, attempt, &task.reflections.records)?;
        }
        self.trajectory(&mut task, &attempts)?;
        self.metadata(&mut task, &attempts)?;
        self.summary(&mut task)?;
        let agent = |attempt: &Attempt| {
            let execution = attempt.record.record.object_at("execution")?;
            execution.text_at("agent").map(str::to_owned)
        };
        Ok(Listed {
            id: id.to_owned(),
            status: Some(derive::status_of(&task.metadata.record).as_str().to_owned()),
            agents: attempts.iter().filter_map(agent).collect(),
        })
    }

    /// Lines that cannot be used go aside; reflections that only `outcome.json` has come to them.
    fn reflections(&mut self, task: &mut Task, attempts: &[Attempt]) -> Result<(), Error> {
        let endings = attempts.iter().filter(|attempt| attempt.ending.is_ending());
        let told = endings.filter_map(|attempt| attempt.ending.record.get("reflections"));
        let told = told.filter_map(Value::as_array).flatten().filter_map(Value::as_object);
        let mut more = String::new();
        for reflection in told {
            if !task.reflections.records.contains(reflection) {
                more.push_str(&line_text(&task.reflections.path, reflection, None)?);
                task.reflections.records.push(reflection.clone());
            }
        }
        if !more.is_empty() {
            let message = "A reflection is missing that an attempt ended with.";
            self.notes.warn(&task.reflections.path, "memory/behind", message);
        }
        self.mend_lines(&task.reflections, &more);
        Ok(())
    }

    fn trajectory(&mut self, task: &mut Task, attempts: &[Attempt]) -> Result<(), Error> {
        let before = task.trajectory.record.clone();
        if task.trajectory.found != Found::Whole && before.is_empty() {
            task.trajectory.record = begin::new_trajectory(&task.id);
        }
        for attempt in attempts {
            if row_of(&task.trajectory, attempt.number).is_none()
                && task.trajectory.found == Found::Whole
            {
                let message = format!("The row of attempt {} is missing.", attempt.number);
                self.notes.warn(&task.trajectory.path, "memory/missing-row", message);
            }
            derive::put_row(&mut task.trajectory.record, &task.id, &attempt.facts());
        }
        if task.trajectory.found == Found::Whole && task.trajectory.is_changed() {
            self.behind(&task.trajectory.path, &before, &task.trajectory.record);
        }
        self.write(&mut task.trajectory, Some(Schema::Trajectory))
    }

    fn metadata(&mut self, task: &mut Task, attempts: &[Attempt]) -> Result<(), Stop> {
        let before = task.metadata.record.clone();
        let facts: Vec<_> = attempts.iter().map(Attempt::facts).collect();
        task.count(&facts);
        let is_new = task.metadata.found != Found::Whole;
        let time = earliest(task);
        let metadata = &mut task.metadata.record;
        if is_new && metadata.text_at("created").is_none() {
            metadata.put("created", time);
        }
        let has_ended = |name: &str| before.count_at(name);
        let total = metadata.count_at("total_attempts");
        let is_same_total = has_ended("total_attempts") == total;
        // An attempt may be taken up again that is not the latest.
        if is_same_total && let Some(current) = before.count_at("current_attempt") {
            metadata.put("current_attempt", Some(current));
        }
        if has_ended("ended_attempts").is_none() && !is_new && is_same_total {
            metadata.shift_remove("ended_attempts");
        }
        let stored_total = has_ended("total_attempts").unwrap_or(0);
        status(metadata, &before, attempts, total.unwrap_or(0) > stored_total, is_new);
        if task.metadata.found == Found::Whole && task.metadata.is_changed() {
            self.behind(&task.metadata.path, &before, &task.metadata.record);
        }
        if task.metadata.found != Found::Whole || task.metadata.is_changed() {
            let mut times: Vec<Option<&str>> = task.times().collect();
            let of_actions = attempts.iter().map(|a| a.record.record.text_at("ended"));
            times.extend(of_actions);
            let path = task.metadata.path.clone();
            let updated = clock::monotone(self.now, times, &path, &mut self.notes)?;
            task.metadata.record.put("updated", Some(updated));
        }
        Ok(self.write(&mut task.metadata, Some(Schema::TaskMetadata))?)
    }

    fn summary(&mut self, task: &mut Task) -> Result<(), Error> {
        let before = task.summary.record.clone();
        if task.summary.found == Found::Absent && task.numbers().is_empty() {
            return Ok(());
        }
        let mut summary = before.clone();
        let reflections = task.reflections.records.len();
        let (metadata, trajectory) = (&task.metadata.record, &task.trajectory.record);
        derive::put_summary(&mut summary, metadata, trajectory, reflections);
        if task.summary.found == Found::Whole && !before.contains_key("outcomes") {
            // Somebody else's: only what contradicts the task.
            let own = std::mem::replace(&mut summary, before.clone());
            for name in ["status", "total_attempts", "final_quality"] {
                if before.contains_key(name) {
                    summary.put(name, own.get(name).cloned());
                }
            }
        }
        task.summary.record = summary;
        if task.summary.found == Found::Whole && task.summary.is_changed() {
            self.behind(&task.summary.path, &before, &task.summary.record);
        }
        self.write(&mut task.summary, None)
    }
}

/// A task without any file is none.
fn is_empty(shelf: &Shelf, id: &str) -> bool {
    let is_empty = |path: &str| match shelf.at(path) {
        MemoryFound::Folder(names) => names.files.is_empty() && names.folders.is_empty(),
        _ => true,
    };
    is_empty(&names::task(id))
}

fn row_of(trajectory: &Document, number: u32) -> Option<&Record> {
    let rows = trajectory.record.get("attempts").and_then(Value::as_array)?;
    let mut rows = rows.iter().filter_map(Value::as_object);
    rows.find(|row| row.count_at("attempt_id") == Some(number))
}

/// The earliest time that is known of a task.
fn earliest(task: &Task) -> Option<String> {
    let lines = task.reflections.records.iter().map(|r| r.text_at("timestamp"));
    let times = task.times().chain(lines).flatten();
    let times = times.filter_map(|text| Some((datetime::read(text)?.ms, text)));
    let earliest = times.min_by(|a, b| a.0.total_cmp(&b.0));
    earliest.map(|(_, text)| text.to_owned())
}

/// The status that a call left unwritten: of an end that the metadata does not count, or of a
/// beginning.
fn status(
    metadata: &mut Record,
    before: &Record,
    attempts: &[Attempt],
    has_begun: bool,
    is_new: bool,
) {
    let Some(latest) = attempts.last() else {
        if metadata.text_at("status").is_none() {
            metadata.put("status", Some(TaskStatus::Running.as_str()));
        }
        return;
    };
    let Some(ending) = latest.facts().ending else {
        if (has_begun && !is_new) || metadata.text_at("status").is_none() {
            metadata.put("status", Some(TaskStatus::Running.as_str()));
            metadata.shift_remove("completed");
        }
        return;
    };
    let ended = ending.text_at("ended").unwrap_or_default().to_owned();
    let is_uncounted = match before.count_at("ended_attempts") {
        Some(counted) => metadata.count_at("ended_attempts").is_some_and(|n| n > counted),
        None => before.text_at("updated").is_some_and(|updated| clock::is_before(updated, &ended)),
    };
    let status = ending.text_at("task_status").and_then(TaskStatus::read);
    let of_outcome = || {
        let is_success = ending.text_at("status") == Some("success");
        if is_success { TaskStatus::Completed } else { TaskStatus::Running }
    };
    if let Some(status) = status.filter(|_| is_uncounted) {
        derive::put_status(metadata, status, &ended);
    } else if metadata.text_at("status").is_none() {
        metadata.put("status", Some(status.unwrap_or_else(of_outcome).as_str()));
    }
}
