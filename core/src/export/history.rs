//! The history itself, to be opened again: `*.hindscope.jsonl`.
//!
//! The first line says what was exported; each other line is a record under the path of its file
//! (docs/spec/export.schema.json). Records stand in the order of their files, so no record is read twice.

use std::collections::BTreeSet;

use super::omission::Omission;
use super::{Export, generator};
use crate::error::Error;
use crate::history::History;
use crate::json::write::Object;
use crate::model::id::{RecordId, RunId};
use crate::model::reward::count;
use crate::source::container::export::VERSION;

/// Bytes of records that are written together.
const PIECE_LEN: u64 = 256 << 10;

/// What is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// In the order of their files.
    records: Vec<RecordId>,
    /// Of records that describe several runs: which of these are selected, by their positions. `None`: all
    /// runs are selected.
    parts: Option<BTreeSet<(RecordId, u32)>>,
}

impl Selection {
    /// The records of some runs; of everything also those that belong to no run.
    pub(super) fn of(history: &History, runs: &[RunId], is_all: bool) -> Result<Self, Error> {
        let rows = &history.table().rows;
        let mut records: Vec<RecordId> = if is_all {
            (0..rows.len()).map(RecordId::at).collect()
        } else {
            let mut of_runs = Vec::new();
            for &run in runs {
                of_runs.extend(history.run(run)?.records());
            }
            of_runs
        };
        records.retain(|record| history.is_counted(*record));
        let place = |record: &RecordId| {
            rows.get(record.index()).map(|row| (row.source, row.index, *record))
        };
        records.sort_unstable_by_key(place);
        records.dedup();
        let parts = if is_all { None } else { Some(parts(history, runs)?) };
        Ok(Self { records, parts })
    }

    /// The records of the piece that begins at a position.
    pub(super) fn piece<'a>(
        &'a self,
        history: &'a History,
        at: usize,
    ) -> impl Iterator<Item = RecordId> + 'a {
        let mut len = 0;
        self.records.iter().skip(at).copied().take_while(move |record| {
            let row = history.table().rows.get(record.index());
            let is_first = len == 0;
            len += row.map_or(0, |row| row.end - row.start).max(1);
            is_first || len <= PIECE_LEN
        })
    }

    fn wants(&self, record: RecordId, part: u32) -> bool {
        self.parts.as_ref().is_none_or(|parts| parts.contains(&(record, part)))
    }
}

/// The runs in records that describe several of them.
fn parts(history: &History, runs: &[RunId]) -> Result<BTreeSet<(RecordId, u32)>, Error> {
    let table = history.table();
    let mut parts = BTreeSet::new();
    for &id in runs {
        let run = history.run(id)?;
        parts.extend(run.parsed_runs().iter().copied());
        let mut add = |record: RecordId, part: u32| {
            let row = table.rows.get(record.index());
            parts.extend(
                row.and_then(|row| table.step_at(row, part)).map(|(at, _)| (record, count(at))),
            );
        };
        for iteration in run.iterations() {
            add(iteration.record, iteration.part);
            for at in &iteration.reflections {
                add(at.record, at.part);
            }
        }
        for (record, part) in run.joins().into_values().flatten() {
            add(record, part);
        }
    }
    Ok(parts)
}

pub(super) fn head(history: &History, export: &Export) -> String {
    let options = &export.options;
    let left_out = [
        ("originals", options.originals),
        ("outputs", options.outputs),
        ("prompts", options.prompts),
        ("paths", options.paths),
    ];
    let left_out = left_out.into_iter().filter(|(_, is_in)| !is_in);
    let left_out: Vec<String> = left_out.map(|(name, _)| name.to_owned()).collect();
    let settings = Object::new().text("profile", Some(history.profile().as_str())).end();
    let number = |n: usize| Some(i64::from(count(n)));
    let head = Object::new()
        .text("format", Some("hindscope"))
        .integer("version", Some(VERSION.into()))
        .text("kind", Some("history"))
        .text("title", Some(&title(history, export)))
        .text("created", options.created.as_deref())
        .text("generator", Some(&generator()))
        .json("settings", &settings)
        .integer("runs", number(export.runs.len()))
        .integer("records", number(export.selection.records.len()))
        .texts("leftOut", &left_out)
        .end();
    Omission::of(options).json(&head) + "\n"
}

/// What was exported: the name of the run, or how many there are.
fn title(history: &History, export: &Export) -> String {
    match export.runs.as_slice() {
        [only] => history.run(*only).map(|run| run.key().to_owned()).unwrap_or_default(),
        runs => crate::text::counted(runs.len(), "run"),
    }
}

/// The lines of the records whose bytes are at hand.
pub(super) fn lines(history: &History, export: &Export, at: usize) -> Result<String, Error> {
    let mut out = String::new();
    let omission = Omission::of(&export.options);
    for record in export.selection.piece(history, at) {
        let bytes = export.raw.get(&record).and_then(Option::as_deref).unwrap_or_default();
        let Some(row) = history.table().rows.get(record.index()) else { continue };
        let runs = history.table().parsed_runs(row).len();
        let wants = |part| runs < 2 || export.selection.wants(record, part);
        let is_raw = export.options.originals && (0..count(runs)).all(wants);
        let line = history.line(record, bytes, is_raw, wants)?;
        // A line always can be written.
        let json = serde_json::to_string(&line).unwrap_or_default();
        out.push_str(&if line.is_lean() { omission.json(&json) } else { json });
        out.push('\n');
    }
    Ok(out)
}
