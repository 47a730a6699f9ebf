//! The folder of a task.

use serde_json::Value;

use super::super::cache::{Cache, Stop};
use super::super::records::{Document, Found, Members as _, line_text};
use super::super::task::{Attempt, Task, attempts, is_there};
use super::super::{AttemptOutcome, Record, TaskStatus, begin, clock, derive, names};
use super::indexes::Listed;
use super::{Ward, attempts as of_attempts, count};
use crate::error::Error;
use crate::model::datetime;
use crate::validate::schema::Schema;

/// Files of a task that are looked at.
const FILES: [&str; 4] = ["metadata.json", "trajectory.json", "summary.json", "reflections.jsonl"];

/// Asks for everything that is looked at of some tasks.
pub(super) fn want(cache: &Cache, ids: &[String]) -> Result<(), Stop> {
    for id in ids {
        cache.want_folder(&names::task(id));
        cache.want_folder(&names::attempts(id));
        for file in FILES {
            cache.want_file(&names::of_task(id, file));
        }
    }
    cache.settle()?;
    for id in ids {
        for (folder, files) in paths_of_attempts(cache, id) {
            cache.want_folder(&folder);
            for file in &files {
                cache.want_file(file);
            }
        }
    }
    cache.settle()
}

/// The folder of each attempt, and the files in it that are looked at.
fn paths_of_attempts(cache: &Cache, id: &str) -> Vec<(String, [String; 4])> {
    let attempts = attempts(cache, &names::attempts(id)).unwrap_or_default().into_iter();
    let paths = attempts.map(|(_, folder)| {
        let files = of_attempts::FILES.map(|file| names::of_attempt(id, &folder, file));
        (names::attempt(id, &folder), files)
    });
    paths.collect()
}

impl Ward<'_> {
    /// Mends a task; gives what the indexes should say of it.
    pub(super) fn task(&mut self, id: &str) -> Result<Listed, Stop> {
        let mut paths = vec![names::task(id), names::attempts(id)];
        paths.extend(FILES.map(|file| names::of_task(id, file)));
        for (folder, files) in paths_of_attempts(self.cache, id) {
            paths.push(folder);
            paths.extend(files);
        }
        if self.is_unreadable(&paths) || !is_there(self.cache, id)? {
            return Ok(Listed { id: id.to_owned(), status: None, agents: Vec::new() });
        }
        let mut task = Task::load(self.cache, id, &mut self.notes)?;
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
        let agents = attempts.iter().filter_map(|attempt| derive::agent_of(&attempt.record.record));
        Ok(Listed {
            id: id.to_owned(),
            status: Some(derive::status_of(&task.metadata.record).as_str().to_owned()),
            agents: agents.map(str::to_owned).collect(),
        })
    }

    /// Lines that cannot be used go aside; reflections that only `outcome.json` has come to them.
    fn reflections(&mut self, task: &mut Task, attempts: &[Attempt]) -> Result<(), Error> {
        let endings = attempts.iter().filter(|attempt| attempt.ending.is_ending());
        let reflections = endings.filter_map(|attempt| attempt.ending.record.get("reflections"));
        let reflections =
            reflections.filter_map(Value::as_array).flatten().filter_map(Value::as_object);
        let mut more = String::new();
        for reflection in reflections {
            if !task.reflections.records.contains(reflection) {
                more.push_str(&line_text(&task.reflections.path, reflection, None)?);
                task.reflections.records.push(reflection.clone());
            }
        }
        if !more.is_empty() {
            let message = "The reflection of a finished attempt is missing.";
            self.notes.warn(&task.reflections.path, "memory/behind", message);
        }
        self.mend_lines(&task.reflections, &more);
        Ok(())
    }

    fn trajectory(&mut self, task: &mut Task, attempts: &[Attempt]) -> Result<(), Error> {
        if task.trajectory.found != Found::Whole && task.trajectory.record.is_empty() {
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
        self.lags(&task.trajectory);
        self.write(&mut task.trajectory, Some(Schema::Trajectory))
    }

    fn metadata(&mut self, task: &mut Task, attempts: &[Attempt]) -> Result<(), Stop> {
        let facts: Vec<_> = attempts.iter().map(Attempt::facts).collect();
        task.count(&facts);
        let is_new = task.metadata.found != Found::Whole;
        let time = earliest(task);
        let Document { record: metadata, stored: before, .. } = &mut task.metadata;
        if is_new && metadata.text_at("created").is_none() {
            metadata.put("created", time);
        }
        let total = metadata.count_at("total_attempts");
        let stored_total = before.count_at("total_attempts");
        let is_same_total = stored_total == total;
        // An attempt may be taken up again that is not the latest.
        if is_same_total && let Some(current) = before.count_at("current_attempt") {
            metadata.put("current_attempt", Some(current));
        }
        if before.count_at("ended_attempts").is_none() && !is_new && is_same_total {
            metadata.shift_remove("ended_attempts");
        }
        status(metadata, before, attempts, total > stored_total, is_new);
        self.lags(&task.metadata);
        if task.metadata.is_changed() {
            let mut times: Vec<Option<&str>> = task.times().collect();
            times.extend(attempts.iter().map(|a| a.record.record.text_at("ended")));
            let path = task.metadata.path.clone();
            let updated = clock::monotone(self.now, times, &path, &mut self.notes)?;
            task.metadata.record.put("updated", Some(updated));
        }
        Ok(self.write(&mut task.metadata, Some(Schema::TaskMetadata))?)
    }

    fn summary(&mut self, task: &mut Task) -> Result<(), Error> {
        if task.summary.found == Found::Absent && task.numbers().is_empty() {
            return Ok(());
        }
        let reflections = task.reflections.records.len();
        let (metadata, trajectory) = (&task.metadata.record, &task.trajectory.record);
        let Document { found, record: summary, stored, .. } = &mut task.summary;
        derive::put_summary(summary, metadata, trajectory, reflections);
        if *found == Found::Whole && !stored.contains_key("outcomes") {
            // Another program wrote this summary: only members that contradict the task are changed.
            let own = std::mem::replace(summary, stored.clone());
            for name in ["status", "total_attempts", "final_quality"] {
                if stored.contains_key(name) {
                    summary.put(name, own.get(name).cloned());
                }
            }
        }
        self.lags(&task.summary);
        self.write(&mut task.summary, None)
    }
}

fn row_of(trajectory: &Document, number: u32) -> Option<&Record> {
    derive::rows(&trajectory.record).find(|row| row.count_at("attempt_id") == Some(number))
}

/// The earliest time that is known of a task.
fn earliest(task: &Task) -> Option<String> {
    let lines = task.reflections.records.iter().map(|r| r.text_at("timestamp"));
    let times = task.times().chain(lines).flatten();
    let times = times.filter_map(|text| Some((datetime::read(text)?.ms, text)));
    let earliest = times.min_by(|a, b| a.0.total_cmp(&b.0));
    earliest.map(|(_, text)| text.to_owned())
}

/// Sets the status that an interrupted call did not write: after the end of an attempt that the metadata
/// does not count yet, or after the beginning of one. A missing status is set, too.
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
    let facts = latest.facts();
    let Some(ending) = facts.ending else {
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
    let status = ending.text_at("task_status").and_then(TaskStatus::named);
    let of_outcome = || facts.outcome().map_or(TaskStatus::Running, AttemptOutcome::task_status);
    if let Some(status) = status.filter(|_| is_uncounted) {
        derive::put_status(metadata, status, &ended);
    } else if metadata.text_at("status").is_none() {
        metadata.put("status", Some(status.unwrap_or_else(of_outcome).as_str()));
    }
}
