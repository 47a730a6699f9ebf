//! `reflections/patterns/LOOP.yaml`: what recurs in a loop. The name is one that others write, too, so
//! what is theirs in it stays.

use serde_json::Value;

use super::cache::{Cache, Stop};
use super::records::{Members as _, Notes};
use super::{MemoryWrite, Record, Reflect, names, yaml};
use crate::insight::answer::Explanation;

/// Members of a pattern as it is written here. A pattern with any other member, or without `kind` or
/// `iterations`, was written by another program.
const OWN: [&str; 6] =
    ["pattern_id", "kind", "frequency", "success_rate", "description", "iterations"];

fn path(loop_id: &str) -> String {
    format!("{}/{}", names::PATTERNS, file_name(loop_id))
}

fn file_name(loop_id: &str) -> String {
    format!("{loop_id}.yaml")
}

/// Asks for what is stored.
pub(super) fn want(cache: &Cache, loop_id: &str) {
    cache.want_folder(names::PATTERNS);
    cache.want_file(&path(loop_id));
}

/// Patterns in the spelling of an index of reflections.
pub(super) fn of(explanation: &Explanation) -> Vec<Record> {
    let patterns = explanation.patterns.iter().map(|pattern| {
        let mut record = Record::new();
        record.put("pattern_id", Some(pattern.pattern_id.as_str()));
        record.put("kind", Some(pattern.kind.as_str()));
        record.put("frequency", Some(pattern.frequency));
        record.put("success_rate", pattern.success_rate);
        record.put("description", Some(pattern.description.as_str()));
        record.put("iterations", Some(pattern.numbers.clone()));
        record
    });
    patterns.collect()
}

/// Writes that store the patterns of a loop with `iterations` reflections. If the file is damaged, or
/// rewriting it would lose comments or layout, a copy of the original is kept beside it.
pub(super) fn writes(
    request: &Reflect,
    iterations: usize,
    time: &str,
    patterns: Vec<Record>,
    cache: &Cache,
    notes: &mut Notes,
) -> Result<Vec<MemoryWrite>, Stop> {
    let path = path(&request.loop_id);
    let stored = cache.file(&path)?;
    if patterns.is_empty() {
        return Ok(Vec::new());
    }
    let read = stored.and_then(super::yaml::read);
    let mut writes = Vec::new();
    if let Some(bytes) = stored.filter(|bytes| !bytes.is_empty()) {
        let is_ours = read.as_ref().is_some_and(|read| yaml::document(read).as_bytes() == bytes);
        if !is_ours {
            let beside = cache.folder(names::PATTERNS)?;
            let to = names::next_aside(beside, &file_name(&request.loop_id));
            let to = format!("{}/{to}", names::PATTERNS);
            if read.is_none() {
                let message = format!("The file is not a YAML mapping. It is kept in {to}.");
                notes.warn(&path, "memory/bad-file", message);
            } else {
                let message =
                    format!("The original, with its comments and layout, is kept in {to}.");
                notes.inform(&path, "memory/kept-aside", message);
            }
            writes.push(MemoryWrite::create(to, bytes));
        }
    }
    let text = yaml::document(&file(request, iterations, time, patterns, read.unwrap_or_default()));
    if stored != Some(text.as_bytes()) {
        writes.push(MemoryWrite::replace(&path, stored.map(|bytes| bytes.len() as u64), text));
    }
    Ok(writes)
}

/// What recurs in a loop, as an index of reflections: `file` with this loop in it.
fn file(
    request: &Reflect,
    iterations: usize,
    time: &str,
    patterns: Vec<Record>,
    mut file: Record,
) -> Record {
    let folder = names::loop_folder(&request.loop_id);
    file.edit("loops", |loops| {
        loops.edit(&request.loop_id, |about| {
            about.put("task", super::request::said(request.task.as_ref()));
            about.put("iterations", Some(iterations));
            let path = format!("{}/", folder.trim_start_matches("reflections/"));
            about.put("reflections_path", Some(path));
        });
    });
    let mut all = file.take_list("patterns");
    let id = |pattern: &Value| pattern.get("pattern_id").cloned();
    let is_new = |old: &Value| {
        let own = id(old);
        own.is_some() && patterns.iter().any(|new| new.get("pattern_id") == own.as_ref())
    };
    // Removes patterns that were written here and no longer recur.
    all.retain(|old| is_new(old) || !is_own(old));
    for new in patterns {
        let same = |old: &&mut Value| id(old).is_some_and(|id| new.get("pattern_id") == Some(&id));
        match all.iter_mut().find(same) {
            Some(Value::Object(old)) => old.extend(new),
            _ => all.push(Value::Object(new)),
        }
    }
    file.put("patterns", Some(all));
    let loops = file.object_at("loops");
    let total = loops.map_or(1, Record::len);
    let counts = loops.into_iter().flat_map(Record::values);
    let reflections: u64 = counts.filter_map(|about| about.get("iterations")?.as_u64()).sum();
    file.put("total_loops", Some(total));
    file.put("total_reflections", Some(reflections));
    file.put("last_updated", Some(time));
    file
}

fn is_own(pattern: &Value) -> bool {
    let members = pattern.as_object();
    members.is_some_and(|members| {
        members.keys().all(|name| OWN.contains(&name.as_str()))
            && ["kind", "iterations"].iter().all(|name| members.contains_key(*name))
    })
}
