//! A task as its folder describes it, and the writes that keep its files and the indexes true to it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cache::{Cache, Stop};
use super::derive::{self, AttemptFacts};
use super::records::{Document, Found, Lines, Members as _, Notes};
use super::{FolderNames, MemoryWrite, Record, names};
use crate::error::{Error, ErrorCode};
use crate::model::natural::natural;
use crate::validate::schema::Schema;

/// A task without the insides of its attempts.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) id: String,
    /// Numbers and folders of its attempts, in order.
    pub(super) attempts: Vec<(u32, String)>,
    /// The highest attempt number that a folder, file or link beside the attempts has as its name.
    pub(super) taken: u32,
    pub(super) metadata: Document,
    pub(super) trajectory: Document,
    pub(super) summary: Document,
    pub(super) reflections: Lines,
}

impl Task {
    /// Reads a task.
    pub(super) fn load(cache: &Cache, id: &str, notes: &mut Notes) -> Result<Self, Stop> {
        names::check_name(names::Named::Task, id)?;
        let inner = names::attempts(id);
        let path = |file: &str| names::of_task(id, file);
        let [metadata, trajectory, summary, reflections] =
            ["metadata.json", "trajectory.json", "summary.json", "reflections.jsonl"].map(path);
        cache.want_folder(&names::task(id));
        cache.want_folder(&inner);
        for file in [&metadata, &trajectory, &summary, &reflections] {
            cache.want_file(file);
        }
        cache.settle()?;
        check_there(cache, id)?;
        let document = |path: &str, schema, notes: &mut Notes| -> Result<Document, Error> {
            Ok(Document::read(path, cache.file(path)?, schema, notes))
        };
        Ok(Self {
            id: id.to_owned(),
            attempts: numbered(cache, &inner, notes)?,
            taken: taken(cache, &inner)?,
            metadata: document(&metadata, Some(Schema::TaskMetadata), notes)?,
            trajectory: document(&trajectory, Some(Schema::Trajectory), notes)?,
            summary: document(&summary, None, notes)?,
            reflections: Lines::read(
                &reflections,
                cache.file(&reflections)?,
                Some(Schema::Reflection),
                notes,
            ),
        })
    }

    /// The number and folder of an attempt; of the latest if none is named.
    pub(super) fn attempt(&self, number: Option<u32>) -> Result<(u32, &str), Error> {
        let found = match number {
            Some(number) => self.attempts.iter().find(|(n, _)| *n == number),
            None => self.attempts.last(),
        };
        let found = found.map(|(number, folder)| (*number, folder.as_str()));
        found.ok_or_else(|| no_such_attempt(&self.id, number))
    }

    /// Times that it knows.
    pub(super) fn times(&self) -> impl Iterator<Item = Option<&str>> {
        let metadata = &self.metadata.record;
        let rows = derive::rows(&self.trajectory.record);
        ["created", "updated", "completed"]
            .into_iter()
            .map(|name| metadata.text_at(name))
            .chain(rows.flat_map(|row| [row.text_at("started"), row.text_at("ended")]))
    }

    /// Numbers of all known attempts: from folders, from rows of the trajectory, from reflections.
    pub(super) fn numbers(&self) -> BTreeSet<u32> {
        let listed = derive::rows(&self.trajectory.record).chain(&self.reflections.records);
        let listed = listed.filter_map(|record| record.count_at("attempt_id"));
        let all = self.attempts.iter().map(|(number, _)| *number).chain(listed);
        all.filter(|n| (1..=names::HIGHEST).contains(n)).collect()
    }

    /// Sets the counters of the metadata.
    pub(super) fn count(&mut self, attempts: &[AttemptFacts<'_>]) {
        let mut numbers = self.numbers();
        numbers.extend(attempts.iter().map(|attempt| attempt.number));
        let mut ended: BTreeSet<u32> = attempts
            .iter()
            .filter(|attempt| attempt.has_ended())
            .map(|attempt| attempt.number)
            .collect();
        // An attempt without a folder is known by its row alone.
        let rows = derive::rows(&self.trajectory.record);
        let listed = rows.filter(|row| row.text_at("outcome").is_some());
        let listed = listed.filter_map(|row| row.count_at("attempt_id"));
        ended.extend(listed.filter(|number| attempts.iter().all(|a| a.number != *number)));
        derive::put_counts(&mut self.metadata.record, &self.id, &numbers, ended.len());
    }

    /// Writes what is not as it should be: trajectory, metadata, summary. A file that is damaged is
    /// left to the doctor.
    pub(super) fn writes(&mut self) -> Result<Vec<MemoryWrite>, Error> {
        derive::put_summary(
            &mut self.summary.record,
            &self.metadata.record,
            &self.trajectory.record,
            self.reflections.records.len(),
        );
        let mut writes = Vec::new();
        for (document, schema) in [
            (&self.trajectory, Some(Schema::Trajectory)),
            (&self.metadata, Some(Schema::TaskMetadata)),
            (&self.summary, None),
        ] {
            if document.found != Found::Broken && document.is_changed() {
                writes.push(document.write(schema)?);
            }
        }
        Ok(writes)
    }
}

pub(super) fn no_such_task(id: &str) -> Error {
    Error::new(ErrorCode::NoSuchTask, format!("There is no task {id} in the memory."))
}

pub(super) fn no_such_attempt(task: &str, number: Option<u32>) -> Error {
    let which = number.map_or("no attempt".to_owned(), |n| format!("no attempt {n}"));
    Error::new(ErrorCode::NoSuchAttempt, format!("Task {task} has {which}."))
}

/// Whether a task, whose folder is known, has anything in it. A store without folders lists an empty
/// one where there is none.
pub(super) fn is_there(cache: &Cache, id: &str) -> Result<bool, Error> {
    let names = cache.folder(&names::task(id))?;
    Ok(names.is_some_and(|names| !names.files.is_empty() || !names.folders.is_empty()))
}

/// Refuses a task that is not there.
pub(super) fn check_there(cache: &Cache, id: &str) -> Result<(), Error> {
    if is_there(cache, id)? { Ok(()) } else { Err(no_such_task(id)) }
}

/// Numbers and folders of attempts, in order. Of two folders of one number the first by name counts.
pub(super) fn attempts(cache: &Cache, folder: &str) -> Result<Vec<(u32, String)>, Error> {
    let folders = cache.folder(folder)?.map(|names| names.folders.as_slice()).unwrap_or_default();
    let mut attempts: Vec<_> = folders
        .iter()
        .filter_map(|name| Some((names::attempt_number(name)?, name.clone())))
        .collect();
    attempts.sort();
    attempts.dedup_by_key(|(number, _)| *number);
    Ok(attempts)
}

/// [`attempts`], with findings about folders that look like attempts and are skipped.
fn numbered(cache: &Cache, folder: &str, notes: &mut Notes) -> Result<Vec<(u32, String)>, Error> {
    let attempts = attempts(cache, folder)?;
    for name in cache.folder(folder)?.into_iter().flat_map(|names| &names.folders) {
        let path = format!("{folder}/{name}");
        let Some(number) = names::attempt_number(name) else {
            if name.bytes().all(|b| b.is_ascii_digit()) {
                let message = "The folder name is not an attempt number. The folder is skipped.";
                notes.inform(&path, "memory/name-taken", message);
            }
            continue;
        };
        let Some((_, first)) = attempts.iter().find(|(n, own)| *n == number && own != name) else {
            continue;
        };
        let message =
            format!("Attempt {number} already exists in {folder}/{first}. This folder is skipped.");
        notes.warn(&path, "memory/name-taken", message);
    }
    Ok(attempts)
}

/// The highest number that a name in the folder of attempts has.
fn taken(cache: &Cache, folder: &str) -> Result<u32, Error> {
    let all = cache.folder(folder)?.into_iter().flat_map(FolderNames::all);
    Ok(all.filter_map(|name| names::attempt_number(name)).max().unwrap_or(0))
}

/// The files of one attempt that say what it was.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) number: u32,
    pub(super) record: Document,
    pub(super) ending: Document,
}

impl Attempt {
    /// Asks for the files of an attempt.
    pub(super) fn want(cache: &Cache, task: &str, folder: &str) {
        cache.want_file(&names::of_attempt(task, folder, "attempt.json"));
        cache.want_file(&names::of_attempt(task, folder, "outcome.json"));
    }

    /// Reads an attempt whose files are known.
    pub(super) fn load(
        cache: &Cache,
        task: &str,
        (number, folder): (u32, &str),
        notes: &mut Notes,
    ) -> Result<Self, Error> {
        let path = |file: &str| names::of_attempt(task, folder, file);
        let (record, ending) = (path("attempt.json"), path("outcome.json"));
        Ok(Self {
            number,
            record: Document::read(&record, cache.file(&record)?, Some(Schema::Attempt), notes),
            ending: Document::read(&ending, cache.file(&ending)?, None, notes),
        })
    }

    /// Reads all attempts of a task.
    pub(super) fn load_all(
        cache: &Cache,
        task: &Task,
        notes: &mut Notes,
    ) -> Result<Vec<Self>, Stop> {
        for (_, folder) in &task.attempts {
            Self::want(cache, &task.id, folder);
        }
        cache.settle()?;
        let all = task.attempts.iter();
        let all = all.map(|(n, folder)| Self::load(cache, &task.id, (*n, folder), notes));
        Ok(all.collect::<Result<_, _>>()?)
    }

    pub(super) fn facts(&self) -> AttemptFacts<'_> {
        AttemptFacts {
            number: self.number,
            record: &self.record.record,
            ending: Some(&self.ending.record).filter(|_| self.ending.is_ending()),
        }
    }
}

/// Asks for the indexes.
pub(super) fn want_indexes(cache: &Cache) {
    cache.want_file(names::BY_STATUS);
    cache.want_file(names::BY_AGENT);
}

/// Writes that list a task under its status, and under an agent that worked on it.
pub(super) fn index_writes(
    cache: &Cache,
    id: &str,
    status: &str,
    agent: Option<&str>,
    notes: &mut Notes,
) -> Result<Vec<MemoryWrite>, Error> {
    let mut writes = Vec::new();
    for (path, word, is_only) in
        [(names::BY_STATUS, Some(status), true), (names::BY_AGENT, agent, false)]
    {
        let Some(word) = word else { continue };
        let mut index = Document::read(path, cache.file(path)?, None, notes);
        put_entry(&mut index.record, id, word, is_only);
        if index.found != Found::Broken && index.is_changed() {
            writes.push(index.write(None)?);
        }
    }
    Ok(writes)
}

/// The id of the task that an entry of an index names.
pub(super) fn entry_id(entry: &Value) -> Option<&str> {
    entry.as_str().or_else(|| entry.get("id")?.as_str())
}

/// Lists a task under a word, and under no other if `is_only`.
pub(super) fn put_entry(index: &mut Record, id: &str, word: &str, is_only: bool) {
    let is_it = |item: &Value| entry_id(item) == Some(id);
    let mut entry = None;
    for (key, items) in index.iter_mut() {
        let Value::Array(items) = items else { continue };
        if key != word && is_only {
            // What else an entry says goes with it.
            while let Some(at) = items.iter().position(is_it) {
                entry = Some(items.remove(at));
            }
        }
    }
    let mut items = index.take_list(word);
    if !items.iter().any(is_it) {
        let is_later = |item: &Value| natural(entry_id(item).unwrap_or_default(), id).is_gt();
        let at = items.iter().position(is_later).unwrap_or(items.len());
        items.insert(at, entry.unwrap_or_else(|| Value::from(id)));
    }
    index.put(word, Some(items));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_index_lists_a_task_once_by_status_and_by_every_agent() {
        let mut index = Record::new();
        for id in ["task-10", "task-2"] {
            put_entry(&mut index, id, "running", true);
        }
        put_entry(&mut index, "task-2", "completed", true);
        put_entry(&mut index, "task-9", "running", true);
        assert_eq!(
            Value::Object(index),
            json!({"running": ["task-9", "task-10"], "completed": ["task-2"]})
        );
        let mut index = Record::new();
        for agent in ["a", "b", "a"] {
            put_entry(&mut index, "t", agent, false);
        }
        assert_eq!(Value::Object(index), json!({"a": ["t"], "b": ["t"]}));
    }

    #[test]
    fn entries_of_others_go_along() {
        let Value::Object(mut index) = json!({"running": [{"id": "t", "owner": "me"}], "count": 1})
        else {
            panic!("an object")
        };
        put_entry(&mut index, "t", "failed", true);
        assert_eq!(
            Value::Object(index),
            json!({"running": [], "count": 1, "failed": [{"id": "t", "owner": "me"}]})
        );
    }
}
