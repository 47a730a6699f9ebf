//! Records that come out of an export, each with what it says of the file that it stood in.

use super::Tally;
use super::yaml::repairs;
use crate::format::export_line::Line;
use crate::format::parsed_record::Context;
use crate::format::record::Readings;
use crate::format::{Family, FormatId};
use crate::history::parsed_rows::word;
use crate::history::shared::Shared;
use crate::model::finding::{Finding, Severity};
use crate::source::conflict::Side;
use crate::source::framing::Content;
use crate::source::position::Position;
use crate::source::yaml::compose;
use crate::source::{Chunk, lossy};
use serde_json::Value;

/// What the lines of one file say of it.
#[derive(Debug)]
pub(super) struct Exported {
    /// Its digest.
    pub(super) source: Option<String>,
    /// How many of its records were read.
    records: u32,
    /// Its records are there from the first one on, in their order, and each with all of its runs.
    is_gapless: bool,
}

impl Exported {
    /// Whether so many lines are all records of the file.
    pub(super) fn has_all(&self, kept: u32) -> bool {
        self.is_gapless && self.records == kept
    }

    /// Takes the line that stands behind `kept` others.
    fn note(&mut self, line: &Line, format: FormatId, kept: u32) {
        // Such a record may describe several runs, and its fields need not be those of all of them.
        let has_parts = !format.is_shape() || format.family() == Family::Tasks;
        self.is_gapless &= line.index == kept
            && line.records == self.records
            && line.source == self.source
            && !(line.is_lean() && has_parts);
    }
}

impl Tally {
    /// Reads the record in a line of an export. Lines and columns are those of the file that it stood in.
    /// The host reads the line of the export again, so the offset is that of the line.
    pub(super) fn exported(
        &mut self,
        (line, format): (Line, FormatId),
        chunk: &Chunk<'_>,
        end: u64,
        shared: &mut Shared<'_>,
    ) {
        let Line { index, records, line: at_line, column, item, yaml, cut, outcome, .. } = line;
        let side = line.theirs.then_some(Side::Theirs);
        let place = Position { offset: chunk.start.offset, line: at_line, column };
        let bytes = line.bytes();
        if bytes.is_none() && !line.is_lean() {
            return self.skip_empty(place, end);
        }
        let kept = self.got.kept;
        let new = || Exported { source: line.source.clone(), records, is_gapless: true };
        let exported = self.exported.get_or_insert_with(new);
        exported.note(&line, format, kept);
        if let Some(bytes) = bytes {
            let raw = &*lossy(&bytes);
            let mut record = Chunk::alone(raw, &bytes);
            record.start = place;
            record.side = side;
            let is_kept = if format.is_text() {
                shared.readings.read_text(format, &record, &context_of(&line));
                true
            } else if yaml {
                yaml_record(shared.readings, &record, &context_of(&line))
            } else {
                let content = match (item, cut) {
                    (_, true) => Content::CutValue,
                    (true, false) => Content::Item,
                    (false, false) => Content::Value,
                };
                shared.readings.read(&record, content, Some(format))
            };
            for finding in &mut shared.readings.findings {
                finding.offset = Some(place.offset);
            }
            // Findings that are made later measure it again: nothing in it moves the offset.
            record.unit_len = Some(0);
            self.keep(is_kept, item, &record, end, shared);
        } else {
            shared.readings.take_fields(format, line.parsed());
            let mut record = *chunk;
            (record.start, record.side) = (place, side);
            self.keep(true, item, &record, end, shared);
        }
        if self.got.kept > kept
            && let Some(row) = shared.table.rows.last_mut()
        {
            row.index = index;
            row.had_others = records > 1;
            if let Some(outcome) = outcome.filter(|_| format.is_search()) {
                row.outcome = outcome;
            }
        }
    }

    /// A line of an export with nothing in it that could be read.
    fn skip_empty(&mut self, place: Position, end: u64) {
        self.skip(place, end);
        let message = "The line of the export has no record: it has neither `raw`, nor a `base64` that can be decoded, nor `runs`. The line is skipped.";
        let finding = Finding::new("source/unknown", Severity::Info, message)
            .hint("Export the record again, or remove the line.");
        self.find(finding, place);
    }
}

/// Reads a record of YAML. An item is written with its dash.
fn yaml_record(readings: &mut Readings, chunk: &Chunk<'_>, context: &Context) -> bool {
    let Ok(document) = compose(chunk.text) else { return false };
    let value = match &document.value {
        Value::Array(items) => items.first().unwrap_or(&Value::Null),
        value => value,
    };
    let is_kept = readings.read_value(value, context, chunk.start);
    let repairs = repairs(chunk, &document);
    readings.is_repaired = !repairs.is_empty();
    readings.findings.extend(repairs);
    is_kept
}

/// What stood around a record.
fn context_of(line: &Line) -> Context {
    let detail = word(line.outcome_detail.as_deref());
    Context {
        is_item: line.item,
        number: line.number,
        verdict: line.outcome.map(|outcome| (outcome, detail)),
    }
}
