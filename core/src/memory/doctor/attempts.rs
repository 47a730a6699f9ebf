//! The folder of an attempt.

use serde_json::Value;

use super::super::records::{Document, Found, Lines, Members as _};
use super::super::task::Attempt;
use super::super::{MemoryWrite, Record, begin, clock, derive, names};
use super::{Ward, count};
use crate::error::Error;
use crate::validate::schema::Schema;

/// Files of an attempt that are looked at.
pub(super) const FILES: [&str; 4] = ["attempt.json", "outcome.json", "plan.md", "actions.jsonl"];

impl Ward<'_> {
    /// Mends the files of an attempt that stand in its own folder, but for the plan.
    pub(super) fn attempt(
        &mut self,
        task: &str,
        (number, folder): (u32, &str),
        row: Option<&Record>,
    ) -> Result<Attempt, Error> {
        let log = names::of_attempt(task, folder, "actions.jsonl");
        let mut attempt = Attempt::load(self.cache, task, (number, folder), &mut self.notes)?;
        let bytes = self.cache.file(&log)?;
        let actions = Lines::read(&log, bytes, Some(Schema::Action), &mut self.notes);
        self.list_aside(&names::attempt(task, folder));
        self.mend_lines(&actions, "");
        self.health.actions += count(actions.records.len());
        self.ending(&mut attempt.ending)?;
        self.record(task, &mut attempt, &actions, row)?;
        Ok(attempt)
    }

    /// Keeps a broken `outcome.json` aside, and writes what could be read of it. The attempt counts as
    /// ended only if that says how it ended.
    fn ending(&mut self, ending: &mut Document) -> Result<(), Error> {
        if ending.found == Found::Broken {
            self.aside(ending)?;
            self.writes.push(ending.write(None)?);
            ending.found = Found::Whole;
        }
        Ok(())
    }

    /// Keeps a whole document aside.
    pub(super) fn aside(&mut self, document: &Document) -> Result<(), Error> {
        let bytes = self.cache.file(&document.path)?.unwrap_or_default();
        // An empty file holds nothing to keep.
        if !bytes.is_empty() {
            self.keep_aside(&document.path, "the damaged file", bytes);
        }
        Ok(())
    }

    fn record(
        &mut self,
        task: &str,
        attempt: &mut Attempt,
        actions: &Lines,
        row: Option<&Record>,
    ) -> Result<(), Error> {
        let number = attempt.number;
        let is_new = attempt.record.found != Found::Whole;
        let most_rated = if attempt.facts().has_ended() { usize::MAX } else { derive::MOST_RATED };
        let record = &mut attempt.record.record;
        if is_new {
            derive::identify(record, task, number);
            if actions.records.iter().any(|action| action.contains_key("quality")) {
                record.put("quality_scale", Some("unit"));
            }
            let first = actions.records.first().and_then(|action| action.text_at("timestamp"));
            let started = row.and_then(|row| row.text_at("started")).or(first);
            if record.text_at("started").is_none() {
                record.put("started", started);
            }
            let plan = row.and_then(|row| row.text_at("plan"));
            if record.object_at("plan").is_none() {
                record.edit("plan", |record| record.put("approach", plan));
            }
        }
        let counted = record.object_at("execution").cloned().unwrap_or_default();
        // An existing record without a count is not given one.
        let is_counted = is_new || counted.contains_key("actions_performed");
        if actions.was.is_some() && is_counted {
            record.edit("execution", |execution| {
                derive::recount(execution, &actions.records, most_rated);
            });
        } else if is_new && record.object_at("execution").is_none() {
            record.edit("execution", |_| ());
        }
        let is_recounted = record.object_at("execution").is_some_and(|e| *e != counted);
        if is_recounted && !is_new {
            let said = counted.get("actions_performed").map(Value::to_string).unwrap_or_default();
            let now = record.object_at("execution").cloned().unwrap_or_default();
            let message = format!(
                "These properties of `execution` differ from the log of actions: {}. `actions_performed` is {said}, and the number of actions in the log is {}. The repair counts them again.",
                differing(&counted, &now).join(", "),
                actions.records.len()
            );
            self.notes.warn(&attempt.record.path, "memory/count", message);
        }
        let before = record.clone();
        if attempt.ending.is_ending() {
            derive::end_attempt(record, &attempt.ending.record);
        }
        if before != *record && !is_new {
            self.behind(&attempt.record.path, &before, &attempt.record.record);
        }
        self.write(&mut attempt.record, Some(Schema::Attempt))
    }

    /// The plan of an attempt that knows what it learned from.
    pub(super) fn plan(
        &mut self,
        task: &str,
        folder: &str,
        attempt: &Attempt,
        reflections: &[Record],
    ) -> Result<(), Error> {
        let path = names::of_attempt(task, folder, "plan.md");
        let record = &attempt.record.record;
        let Some(Value::Array(from)) = record.get("learned_from") else { return Ok(()) };
        if self.cache.file(&path)?.is_some() {
            return Ok(());
        }
        // A reflection that was written after the attempt began cannot be in its plan.
        let started = record.text_at("started");
        let is_held = |reflection: &&Record| {
            let time = reflection.text_at("timestamp");
            let is_later =
                started.zip(time).is_some_and(|(started, time)| clock::is_before(started, time));
            !is_later && reflection.get("attempt_id").is_some_and(|n| from.contains(n))
        };
        let held: Vec<Record> = reflections.iter().filter(is_held).cloned().collect();
        self.missing(&path);
        self.writes.push(MemoryWrite::create(path, begin::plan_md(record, &held)));
        Ok(())
    }

    /// `memory/missing-file`.
    pub(super) fn missing(&mut self, path: &str) {
        let message = "The file is missing. The repair makes it again from the other files.";
        self.notes.warn(path, "memory/missing-file", message);
    }

    /// `memory/behind`, with the members that differ.
    pub(super) fn behind(&mut self, path: &str, before: &Record, after: &Record) {
        let names = differing(before, after);
        let message = match names.as_slice() {
            [name] => {
                format!(
                    "This property of the file is not up to date: {name}. The repair updates it."
                )
            }
            names => format!(
                "These properties of the file are not up to date: {}. The repair updates them.",
                names.join(", ")
            ),
        };
        self.notes.warn(path, "memory/behind", message);
    }

    /// The same of a whole document, as it stands in its file.
    pub(super) fn lags(&mut self, document: &Document) {
        if document.found == Found::Whole && document.is_changed() {
            self.behind(&document.path, &document.stored, &document.record);
        }
    }

    /// Writes a document that is not as it should be; one that is broken goes aside first.
    pub(super) fn write(
        &mut self,
        document: &mut Document,
        schema: Option<Schema>,
    ) -> Result<(), Error> {
        match document.found {
            Found::Absent => self.missing(&document.path),
            Found::Broken => self.aside(document)?,
            Found::Whole if document.is_changed() => {}
            Found::Whole => return Ok(()),
        }
        // A broken file may hold what the schema forbids.
        self.writes.push(document.write(schema).or_else(|_| document.write(None))?);
        Ok(())
    }
}

/// The names of the members in which two records differ.
fn differing(before: &Record, after: &Record) -> Vec<String> {
    after
        .iter()
        .filter(|(name, value)| before.get(*name) != Some(value))
        .map(|(name, _)| name)
        .chain(before.keys().filter(|name| !after.contains_key(*name)))
        .map(|name| format!("`{name}`"))
        .collect()
}
