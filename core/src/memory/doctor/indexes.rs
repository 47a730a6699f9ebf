//! The indexes against the tasks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::cache::{Cache, Stop};
use super::super::records::{Document, Found};
use super::super::store::MemoryFound;
use super::super::task::{attempts, entry_id, put_entry};
use super::super::{Record, derive, names};
use super::Ward;
use crate::error::Error;

/// What the indexes should say of a task.
pub(super) struct Listed {
    pub(super) id: String,
    /// Absent: it could not be read, and what an index says of it stays.
    pub(super) status: Option<String>,
    pub(super) agents: Vec<String>,
}

/// Asks for what the indexes follow from.
pub(super) fn want(cache: &Cache, ids: &[String]) -> Result<(), Stop> {
    for id in ids {
        cache.want_folder(&names::attempts(id));
        cache.want_file(&names::of_task(id, "metadata.json"));
    }
    cache.settle()?;
    for id in ids {
        for (_, folder) in attempts(cache, &names::attempts(id)).unwrap_or_default() {
            cache.want_file(&names::of_attempt(id, &folder, "attempt.json"));
        }
    }
    cache.settle()
}

/// What a task says of itself.
pub(super) fn as_stored(ward: &mut Ward<'_>, id: &str) -> Listed {
    let record = |ward: &mut Ward<'_>, path: &str| match ward.cache.at(path) {
        MemoryFound::File(bytes) => Document::read(path, Some(bytes), None, &mut ward.notes).record,
        _ => Record::new(),
    };
    let metadata = record(ward, &names::of_task(id, "metadata.json"));
    let status = (!metadata.is_empty()).then(|| derive::status_of(&metadata).as_str().to_owned());
    let mut agents = Vec::new();
    for (_, folder) in attempts(ward.cache, &names::attempts(id)).unwrap_or_default() {
        let attempt = record(ward, &names::of_attempt(id, &folder, "attempt.json"));
        agents.extend(derive::agent_of(&attempt).map(str::to_owned));
    }
    Listed { id: id.to_owned(), status, agents }
}

/// Writes the indexes again where they are not what the tasks say.
pub(super) fn mend(ward: &mut Ward<'_>, listed: &[Listed]) -> Result<(), Error> {
    let paths = [names::BY_STATUS.to_owned(), names::BY_AGENT.to_owned()];
    if ward.is_unreadable(&paths) {
        return Ok(());
    }
    for (path, is_only) in [(names::BY_STATUS, true), (names::BY_AGENT, false)] {
        let bytes = ward.cache.file(path)?;
        let mut index = Document::read(path, bytes, None, &mut ward.notes);
        forget(&mut index.record, listed);
        let known = known(&index.record);
        for task in listed {
            let status = task.status.iter().filter(|_| is_only);
            let agents = task.agents.iter().filter(|_| !is_only);
            // Correct entries are skipped, because searching a long index for each task would be slow.
            let words = known.get(task.id.as_str()).map(Vec::as_slice).unwrap_or_default();
            let is_right = |word: &String| words.contains(word) && (!is_only || words.len() == 1);
            for word in status.chain(agents).filter(|word| !is_right(word)) {
                put_entry(&mut index.record, &task.id, word, is_only);
            }
        }
        if index.found == Found::Absent && index.record.is_empty() {
            continue;
        }
        if index.found == Found::Whole && index.is_changed() {
            let message = "The index differs from the metadata of the tasks.";
            ward.notes.warn(path, "memory/index-stale", message);
        }
        ward.write(&mut index, None)?;
    }
    Ok(())
}

/// Under which words an index lists each task.
fn known(index: &Record) -> BTreeMap<String, Vec<String>> {
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (word, items) in index {
        let items = items.as_array().into_iter().flatten();
        for id in items.filter_map(entry_id) {
            known.entry(id.to_owned()).or_default().push(word.clone());
        }
    }
    known
}

/// Takes out ids of tasks that are not there; entries that say more stay.
fn forget(index: &mut Record, listed: &[Listed]) {
    let ids: BTreeSet<&str> = listed.iter().map(|task| task.id.as_str()).collect();
    let is_there = |item: &Value| item.as_str().is_none_or(|id| ids.contains(id));
    for (_, items) in index.iter_mut() {
        if let Value::Array(items) = items {
            items.retain(is_there);
        }
    }
}
