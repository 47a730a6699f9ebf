//! Records that come out of an export, each with what it says of the file that it stood in.

use super::Tally;
use super::yaml::repairs;
use crate::format::FormatId;
use crate::format::export_line::Line;
use crate::format::parsed_record::Context;
use crate::format::record::Readings;
use crate::history::parsed_rows::word;
use crate::history::shared::Shared;
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
}

impl Tally {
    /// Reads the record in a line of an export. Lines and columns are those of the file that it stood in;
    /// what is read again is the line of the export, so offsets are those of that.
    pub(super) fn exported(
        &mut self,
        (line, format): (Line, FormatId),
        chunk: &Chunk<'_>,
        end: u64,
        shared: &mut Shared<'_>,
    ) {
        self.exported.get_or_insert_with(|| Exported { source: line.source.clone() });
        let Line { index, records, line: at_line, column, item, yaml, cut, .. } = line;
        let side = line.theirs.then_some(Side::Theirs);
        let place = Position { offset: chunk.start.offset, line: at_line, column };
        let kept = self.got.kept;
        if let Some(bytes) = line.bytes() {
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
        }
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
