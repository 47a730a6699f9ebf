//! Where the records of a run go in a bundle, and how each is kept.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;
use serde_with_macros::skip_serializing_none;

use super::cache::Cut;
use crate::error::{Error, ErrorCode};
use crate::format::hindscope_bundle::entries;
use crate::format::read::Member as _;
use crate::history::bundle::json_of;
use crate::history::{History, Run};
use crate::json::value;
use crate::json::verbatim::{MAX_DEPTH, compact};
use crate::json::write::{Object, base64, list};
use crate::model::id::{RecordId, SourceId};
use crate::model::view::IterationView;

/// Records of a run, in the order in which a bundle has them.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Those that make several iterations, or none.
    pub(super) of_run: Vec<RecordId>,
    /// Those of each iteration, the leading one first.
    pub(super) of_iterations: Vec<Vec<RecordId>>,
}

impl Plan {
    pub(super) fn of(run: &Run<'_>) -> Self {
        let iterations = run.iterations();
        let mut of_iterations: Vec<Vec<RecordId>> = Vec::new();
        let mut uses: BTreeMap<RecordId, u32> = BTreeMap::new();
        for iteration in &iterations {
            let mut known = BTreeSet::from([iteration.record]);
            let merged = iteration.merged.iter().filter(|record| known.insert(**record));
            let mut records = vec![iteration.record];
            records.extend(merged.copied());
            for record in &records {
                *uses.entry(*record).or_default() += 1;
            }
            of_iterations.push(records);
        }
        let is_once = |record: &RecordId| uses.get(record) == Some(&1);
        let of_run = run.records().into_iter().filter(|record| !is_once(record)).collect();
        Self { of_run, of_iterations }
    }

    /// Every record once, by first use.
    pub(super) fn records(&self) -> impl Iterator<Item = RecordId> + '_ {
        let mut seen = BTreeSet::new();
        let all = self.of_run.iter().chain(self.of_iterations.iter().flatten());
        all.copied().filter(move |record| seen.insert(*record))
    }

    /// The record that says what the run is of.
    pub(super) fn lead(&self) -> Option<RecordId> {
        let of_first = self.of_iterations.first().and_then(|records| records.first());
        of_first.or_else(|| self.of_run.first()).copied()
    }
}

/// Writes the entries of records.
pub(super) struct Entries<'a> {
    pub(super) history: &'a History,
    pub(super) names: &'a BTreeMap<SourceId, String>,
    pub(super) has_originals: bool,
    /// What is stored of records that a run before stored whole.
    pub(super) cuts: &'a BTreeMap<(RecordId, u32), Cut>,
    /// Ids of the records that were stored, and of those parts.
    pub(super) stored: BTreeMap<(RecordId, Option<u32>), String>,
    pub(super) count: usize,
}

impl<'a> Entries<'a> {
    /// The entries of some records, of the run or of one of its iterations; one that was stored
    /// before is referred to.
    pub(super) fn list<'b>(
        &mut self,
        records: &[RecordId],
        iteration: Option<&IterationView>,
        bytes: impl Fn(RecordId) -> &'b [u8],
    ) -> String {
        let mut all = Vec::new();
        for &record in records {
            let parts = self.parts(record, iteration);
            if parts.is_empty() {
                all.push(self.entry(record, None, bytes(record)));
            }
            all.extend(parts.into_iter().map(|(part, cut)| {
                self.entry(record, Some((part, cut.pointer.as_str())), &cut.bytes)
            }));
        }
        list(all)
    }

    /// The parts of a record that are stored instead of the whole; empty if the whole is. The first
    /// time these are all parts about the run, later those about the iteration.
    fn parts(&self, record: RecordId, iteration: Option<&IterationView>) -> Vec<(u32, &'a Cut)> {
        let cuts = self.cuts.range((record, 0)..=(record, u32::MAX));
        let mut parts: Vec<_> = cuts.map(|(at, cut)| (at.1, cut)).collect();
        let is_stored = |(part, _): &(u32, _)| self.stored.contains_key(&(record, Some(*part)));
        let table = self.history.table();
        let Some(row) = table.rows.get(record.index()) else { return Vec::new() };
        let Some(iteration) = iteration.filter(|_| parts.first().is_some_and(is_stored)) else {
            return parts;
        };
        let own =
            (iteration.record == record).then(|| table.step_at(row, iteration.part)).flatten();
        let is_about = |part: u32| match own {
            Some((run, _)) => run == part as usize,
            None => table.parsed_runs(row).get(part as usize).is_some_and(|parsed_run| {
                let mut steps = table.parsed.steps_of(parsed_run).iter();
                steps.any(|step| step.number == Some(iteration.number))
            }),
        };
        if parts.iter().any(|(part, _)| is_about(*part)) {
            parts.retain(|(part, _)| is_about(*part));
        } else {
            parts.truncate(1);
        }
        parts
    }

    /// The entry of a record, or of a part of it: which of its runs, where that stands, and what
    /// stands there.
    fn entry(&mut self, record: RecordId, part: Option<(u32, &str)>, bytes: &[u8]) -> String {
        let Some(row) = self.history.table().rows.get(record.index()) else {
            return "{}".to_owned();
        };
        self.count += 1;
        let id = format!("c{}", self.count);
        let source = SourceId(row.source);
        let mut object = Object::new();
        let at = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let inner = part.map(|(_, pointer)| pointer);
        let pointer = self.history.pointer_of(row);
        let pointer = pointer.map(|pointer| pointer + inner.unwrap_or_default());
        object
            .text("id", Some(&id))
            .text("source", self.names.get(&source).map(String::as_str))
            .text("format", Some(row.format.as_str()))
            .integer("line", Some(row.line.into()))
            .integers("span", &[at(row.start), at(row.end)])
            .text("pointer", pointer.as_deref());
        let place = (record, part.map(|(run, _)| run));
        if let Some(stored) = self.stored.get(&place) {
            return object.text("ref", Some(stored)).text("part", inner).end();
        }
        self.stored.insert(place, id);
        if self.has_originals {
            let text = match part {
                // It was decoded when it was cut out.
                Some(_) => std::str::from_utf8(bytes).ok().map(str::to_owned),
                None => self.history.text_of(source, bytes),
            };
            let json = || compact(text.as_deref()?, MAX_DEPTH);
            match json().filter(|_| self.history.holds_json(source)) {
                Some(json) => object.verbatim("\"json\"", &json),
                None => match &text {
                    Some(text) => drop(object.text("text", Some(text))),
                    None => drop(object.text("base64", Some(&base64(bytes)))),
                },
            }
        }
        object.text("part", inner).end()
    }
}

/// A record as it was written.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Original {
    /// Path of the source that it stood in.
    pub path: Option<String>,
    /// Format id.
    pub format: Option<String>,
    /// Line of its first byte, from 1.
    pub line: Option<u32>,
    /// Its text; absent if the bundle left it out. JSON from a bundle has no white space between
    /// tokens. If a bundle stores the whole record with an earlier run, this is only the part about
    /// this run.
    pub text: Option<String>,
    /// Its bytes in base64, where they are no text.
    pub base64: Option<String>,
}

impl History {
    /// The records that an iteration was made of, as they were written, for a raw view or strict
    /// validation. They are read from `bytes`, the bytes of `record`: in a bundle that is a whole
    /// run with its originals, and any other record is its own original. Without `number`, gives
    /// those of the whole run.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRecord`]; [`ErrorCode::WrongBytes`] if the bytes are not the span's.
    pub fn originals(
        &self,
        record: RecordId,
        number: Option<i64>,
        bytes: &[u8],
    ) -> Result<Vec<Original>, Error> {
        let span = self.locate(record)?;
        let text = self.raw_text(record, bytes)?;
        let row = self.table().rows.get(record.index());
        if row.is_none_or(|row| !row.format.is_bundle()) {
            let is_text = self.text_of(span.source, bytes).is_some();
            return Ok(vec![Original {
                path: Some(span.path),
                format: row.map(|row| row.format.as_str().to_owned()),
                line: Some(span.line),
                base64: (!is_text).then(|| base64(bytes)),
                text: is_text.then_some(text),
            }]);
        }
        let wrong =
            || Error::new(ErrorCode::WrongBytes, "The supplied bytes are not the bytes of a run.");
        let json = json_of(&self.read_text(record, bytes)?).ok_or_else(wrong)?;
        let run = value::tolerant(&json).ok_or_else(wrong)?;
        let of_run: Vec<&Value> = match number {
            None => entries(&run).collect(),
            Some(number) => run
                .items("iterations")
                .filter(|i| i.integer("number") == Some(number))
                .flat_map(|i| i.items("records"))
                .collect(),
        };
        // What was spelled in a special way must stay so: the texts come from the JSON itself.
        let texts = originals_of(&json);
        let one = |entry: &Value| {
            let id = entry.text("ref").or_else(|| entry.text("id"));
            let stored = id.and_then(|id| texts.get(&id).cloned()).unwrap_or_default();
            let source = entry.text("source");
            let source = source.and_then(|name| {
                let carried = &self.table().carried.sources;
                carried.iter().find(|s| s.bundle == span.source.0 && s.name == name)
            });
            Original {
                path: source.map(|source| source.view.path.clone()),
                format: entry.text("format"),
                line: entry.integer("line").and_then(|n| u32::try_from(n).ok()),
                text: stored.0,
                base64: stored.1,
            }
        };
        let is_own = |entry: &&Value| number.is_some() || entry.get("ref").is_none();
        Ok(of_run.into_iter().filter(is_own).map(one).collect())
    }
}

/// Texts and base64 of the records that a run stores, by their ids.
pub(super) fn originals_of(run: &str) -> BTreeMap<String, (Option<String>, Option<String>)> {
    use crate::json::verbatim::{items, members, unquoted};
    let mut lists = Vec::new();
    for (name, value) in members(run) {
        match &*name {
            "records" => lists.push(value),
            "iterations" => {
                let of_iterations = items(value).into_iter().flat_map(members);
                lists.extend(of_iterations.filter(|(name, _)| name == "records").map(|(_, v)| v));
            }
            _ => {}
        }
    }
    let mut originals = BTreeMap::new();
    for entry in lists.into_iter().flat_map(items) {
        let members = members(entry);
        let get = |name: &str| members.iter().find(|(n, _)| n == name).map(|(_, value)| *value);
        let Some(id) = get("id").map(unquoted) else { continue };
        let text = get("json").map(str::to_owned);
        let text = text.or_else(|| get("text").map(|text| unquoted(text).into_owned()));
        let base64 = get("base64").map(|base64| unquoted(base64).into_owned());
        if text.is_some() || base64.is_some() {
            originals.insert(id.into_owned(), (text, base64));
        }
    }
    originals
}
