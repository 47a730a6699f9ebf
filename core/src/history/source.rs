//! One source while it is read: records into the table, deviations into findings.

mod digest;
mod ending;
mod found;
mod gathered;
mod notes;
mod parts;
mod refuse;
#[cfg(test)]
mod tests;
mod text;
pub(super) mod wanted;
mod yaml;

use digest::Digest;
use gathered::Gathered;
use wanted::Wanted;
use yaml::is_list_of_mappings;

use super::budget::RUN_LEN;
use super::bundle::Opening;
use super::desk::Desk;
use super::finding_groups::{Groups, Subject};
use super::row::Row;
use super::sample::Sample;
use crate::model::id::{RecordId, SourceId};
use crate::model::view::{Added, Skipped, SourceState, SourceView};
use std::collections::BTreeMap;

use serde_json::Value;

use crate::error::{Error, ErrorCode};
use crate::format::FormatId;
use crate::format::record::{set_place, wrapped};
use crate::model::finding::{Finding, Severity};
use crate::source::encoding::Encoding;
use crate::source::framing::{Content, Framing};
use crate::source::limits::Limits;
use crate::source::position::Position;
use crate::source::yaml::compose;
use crate::source::{Chunk, Event, Reader, conflict, rebuilt};
use crate::text::counted;

/// A line above this is `size/line`, in bytes.
const LONG_LINE_LEN: usize = 1 << 20;

/// Whether a source wants more bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum More {
    /// Go on.
    Wanted,
    /// The source is refused or settled: nothing that comes would be looked at.
    Enough,
}

#[derive(Debug)]
pub(crate) struct Source {
    reader: Reader,
    is_finished: bool,
    /// The host could not read it to its end.
    has_failed: bool,
    bytes: u64,
    digest: Digest,
    tally: Tally,
    /// What the budget was told that it holds.
    counted: usize,
}

/// What reading has brought up so far; apart from the reader, so that the reader may fill it.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the source")]
#[derive(Debug)]
struct Tally {
    id: SourceId,
    path: String,
    format: Option<FormatId>,
    /// Which formats its first records are of.
    sample: Sample,
    is_yaml: bool,
    /// It is one JSON string, and its records stand inside.
    is_quoted: bool,
    /// Start of the object whose member holds the list of records, if there is one.
    wrapper: Option<Position>,
    /// Records of YAML that need something from outside of their stretch: their span is the whole
    /// document, and this says which item of its list each is.
    items: BTreeMap<u32, u32>,
    /// Items of YAML lists that were passed over.
    broken_items: u32,
    limits: Limits,
    wanted: Wanted,
    /// Its records are stretches of a text.
    is_text: bool,
    reason: Option<String>,
    /// There was no memory for the rest of it.
    is_left: bool,
    got: Gathered,
    /// It is a bundle.
    opening: Option<Opening>,
    /// Bytes of a bundle: what it says is kept about as long as it is written.
    carried_len: usize,
    /// Members of carried findings that are not known, by position of the finding.
    more: BTreeMap<usize, String>,
}

impl Source {
    pub(crate) fn new(
        id: SourceId,
        path: &str,
        is_text: bool,
        (limits, wanted): (Limits, Wanted),
    ) -> Self {
        Self {
            reader: Reader::new(
                if is_text { |_| true } else { |text| FormatId::of_text(text, "").is_some() },
                limits,
            ),
            is_finished: false,
            has_failed: false,
            bytes: 0,
            digest: Digest::new(),
            counted: 0,
            tally: Tally {
                id,
                path: path.to_owned(),
                format: None,
                sample: Sample::default(),
                is_yaml: false,
                is_quoted: false,
                wrapper: None,
                items: BTreeMap::new(),
                broken_items: 0,
                limits,
                wanted,
                is_text: false,
                reason: None,
                is_left: false,
                got: Gathered::default(),
                opening: None,
                carried_len: 0,
                more: BTreeMap::new(),
            },
        }
    }

    pub(crate) fn path(&self) -> &str {
        &self.tally.path
    }

    /// Whether it gave records.
    pub(crate) const fn has_records(&self) -> bool {
        self.tally.got.kept > 0
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.reader.encoding()
    }

    pub(crate) fn is_yaml(&self) -> bool {
        self.tally.is_yaml
    }

    /// Whether its records stand in a member of an object.
    pub(crate) fn is_wrapped(&self) -> bool {
        self.tally.wrapper.is_some()
    }

    /// Whether a record of YAML has the whole document as its span, of which it is one item.
    pub(crate) fn is_item(&self, row: &Row) -> bool {
        self.tally.items.contains_key(&row.index)
    }

    /// It is one JSON string, and its records stand inside.
    pub(crate) fn is_quoted(&self) -> bool {
        self.tally.is_quoted
    }

    /// Whether its records are stretches of a text.
    pub(crate) fn is_text(&self) -> bool {
        self.tally.is_text
    }

    /// The text of a record, of what is written in its span.
    pub(crate) fn text_of(&self, row: &Row, written: String) -> String {
        let inside = if self.tally.is_quoted {
            rebuilt::inside_of(&written, 0).map(|r| r.text)
        } else {
            None
        };
        let text = inside.unwrap_or(written);
        match row.side {
            Some(side) => conflict::rebuild(&text, side).text,
            None => text,
        }
    }

    /// The record in a YAML document that was read of its span.
    pub(crate) fn part_of(&self, row: &Row, value: &Value) -> Option<Value> {
        let items = match value {
            Value::Array(items) => items.as_slice(),
            value => match self.tally.items.get(&row.index) {
                Some(_) => wrapped(value)?.1,
                None => return Some(value.clone()),
            },
        };
        items.get(self.tally.items.get(&row.index).map_or(0, |item| *item as usize)).cloned()
    }

    /// The unknown members of a finding that it carries, as written; empty if there are none.
    pub(crate) fn more(&self, finding: usize) -> &str {
        self.tally.more.get(&finding).map_or("", String::as_str)
    }

    pub(crate) fn skips(&self) -> &[Skipped] {
        &self.tally.got.skips
    }

    /// Problems found in it, in the order in which they were met.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        self.tally.got.findings.all()
    }

    /// The findings of the item at this position in [`Source::subjects`].
    pub(super) fn findings_at(&self, item: u32) -> Vec<Finding> {
        self.tally.got.findings.at(item)
    }

    /// For each finding, or each record whose findings are made together: what it is about, and how many
    /// findings there are.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = (Subject, usize)> {
        self.tally.got.findings.subjects()
    }

    /// Adds all findings to groups.
    pub(super) fn group_findings(&self, groups: &mut Groups) {
        self.tally.got.findings.group(groups);
    }

    pub(crate) fn finding_count(&self) -> usize {
        self.tally.got.findings.len()
    }

    fn open(&self) -> Result<(), Error> {
        if self.is_finished {
            return Err(Error::new(
                ErrorCode::SourceFinished,
                format!("The source {} is already finished.", self.tally.path),
            ));
        }
        Ok(())
    }

    pub(crate) fn push(&mut self, slice: &[u8], desk: &mut Desk<'_>) -> Result<More, Error> {
        self.open()?;
        self.begin(desk);
        self.bytes += slice.len() as u64;
        self.digest.push(slice);
        let tally = &mut self.tally;
        self.reader.push(slice, &mut |event| tally.take(event, desk));
        self.rest(desk);
        Ok(if self.reader.is_refused() { More::Enough } else { More::Wanted })
    }

    pub(crate) fn finish(&mut self, desk: &mut Desk<'_>) -> Result<(), Error> {
        self.open()?;
        self.begin(desk);
        let tally = &mut self.tally;
        self.reader.finish(&mut |event| tally.take(event, desk));
        self.conclude(desk);
        Ok(())
    }

    /// Opens it as a whole: what [`Source::push`] and [`Source::finish`] give, without keeping the bytes
    /// in between.
    pub(crate) fn take(&mut self, whole: &[u8], desk: &mut Desk<'_>) {
        self.begin(desk);
        self.bytes = whole.len() as u64;
        self.digest = Digest::of(whole);
        let object = self.reader.object(whole).filter(|_| !self.reader.is_refused());
        if object.is_some_and(|chunk| self.tally.take_object(&chunk, desk)) {
            self.reader.is_object();
        } else {
            let tally = &mut self.tally;
            self.reader.read_whole(whole, &mut |event| tally.take(event, desk));
        }
        self.conclude(desk);
    }

    /// Before it is read on.
    fn begin(&mut self, desk: &mut Desk<'_>) {
        desk.readings.turn_to(&self.tally.path);
        desk.budget.count(std::mem::take(&mut self.counted), 0);
        if self.bytes == 0 && !self.tally.has_room(desk) {
            self.tally.leave(Position::START, desk);
            self.reader.stop();
        }
    }

    /// After it was read on.
    fn rest(&mut self, desk: &mut Desk<'_>) {
        if self.tally.is_full() || self.tally.is_left {
            self.reader.stop();
        }
        self.counted = size_of::<Self>()
            + RUN_LEN
            + self.tally.path.len()
            + self.reader.held()
            + self.tally.held();
        desk.budget.count(0, self.counted);
    }

    /// Says what there is to say at its end.
    fn conclude(&mut self, desk: &mut Desk<'_>) {
        self.is_finished = true;
        self.rest(desk);
        self.digest.finish(!self.reader.is_refused());
        if let Some(opening) = &mut self.tally.opening {
            let findings = opening.conclude(desk.table);
            self.tally.carry(findings);
        }
        self.tally.report_left_out();
        let expected = &desk.readings.promises.names;
        self.tally.conclude(self.bytes, self.reader.framing(), expected);
        self.tally.got.findings.shrink();
        desk.readings.settle();
    }

    /// The host could not read it: not at all, or not to its end.
    pub(crate) fn fail(&mut self, reason: &str) -> Result<(), Error> {
        let how = if self.bytes > 0 {
            [" to its end", "What could be read is kept. Open the file again."]
        } else {
            ["", "Check that the file exists and that you may read it, then open it again."]
        };
        self.unreadable(how, reason)
    }

    fn unreadable(&mut self, [how, hint]: [&'static str; 2], reason: &str) -> Result<(), Error> {
        self.open()?;
        self.is_finished = true;
        self.has_failed = true;
        self.digest.finish(false);
        self.tally.reason = Some(reason.to_owned());
        self.tally.find(
            Finding::new(
                "source/unreadable",
                Severity::Error,
                format!("The file could not be read{how}: {reason}."),
            )
            .hint(hint),
            Position { offset: self.bytes, ..Position::START },
        );
        Ok(())
    }

    fn state(&self) -> SourceState {
        let tally = &self.tally;
        if tally.got.kept > 0 && (self.is_finished || self.reader.is_refused()) {
            SourceState::Read
        } else if self.reader.is_refused() || self.has_failed {
            SourceState::Refused
        } else if !self.is_finished {
            SourceState::Reading
        } else if tally.got.kept > 0 || tally.reason.is_none() {
            SourceState::Read
        } else {
            SourceState::Raw
        }
    }

    pub(crate) fn add_to(&self, added: &mut Added) {
        let Gathered { kept, repaired, skipped, .. } = self.tally.got;
        added.source(self.state(), self.bytes, [kept, repaired, skipped]);
    }

    pub(crate) fn view(&self) -> SourceView {
        let tally = &self.tally;
        let framing = match self.reader.framing() {
            Some(framing) => Some(framing),
            None if tally.is_yaml => Some(Framing::Yaml),
            None if tally.is_text => tally.text_framing(),
            None if self.is_finished && !self.reader.is_refused() && self.bytes > 0 => {
                Some(Framing::Text)
            }
            None => None,
        };
        SourceView {
            id: tally.id,
            path: tally.path.clone(),
            format: tally.format().map(|f| f.as_str().to_owned()),
            why: tally.why(),
            framing: framing.map(|f| f.as_str().to_owned()),
            encoding: self.reader.encoding().as_str().to_owned(),
            bytes: self.bytes,
            digest: self.digest.text(),
            state: self.state(),
            reason: tally.reason.clone(),
            kept: tally.got.kept,
            repaired: tally.got.repaired,
            skipped: tally.got.skipped,
        }
    }
}

impl Tally {
    /// Whether it has as many records as it may have.
    fn is_full(&self) -> bool {
        self.got.kept + self.got.skipped >= self.limits.records
    }

    fn has_room(&self, desk: &Desk<'_>) -> bool {
        desk.budget.has_room(desk.table.held().saturating_add(self.held()))
    }

    /// The memory that it takes, without its path.
    fn held(&self) -> usize {
        self.got.findings.held() + size_of_val(&self.got.skips[..]) + self.carried_len
    }

    /// Leaves the rest of it, from there on, since there is no memory for more.
    fn leave(&mut self, place: Position, desk: &Desk<'_>) {
        if std::mem::replace(&mut self.is_left, true) {
            return;
        }
        let limit = desk.budget.text();
        let kept = match self.got.kept {
            0 => "Nothing of this file is read.".to_owned(),
            kept => format!(
                "{} of this file {} kept; the rest of it, from here on, is not read.",
                counted(kept as usize, "record"),
                if kept == 1 { "is" } else { "are" },
            ),
        };
        let message = format!("The memory limit of {limit} is reached. {kept}");
        let hint = "What was kept can be used. To read more, raise the limit, open fewer files, or name the runs that you need.";
        self.find(Finding::new("size/memory", Severity::Error, message).hint(hint), place);
        self.reason.get_or_insert_with(|| format!("the memory limit of {limit} is reached"));
    }

    fn refuse(&mut self, reason: String, place: Position) {
        let what = if self.got.kept > 0 { "is not read any further" } else { "is not opened" };
        self.find(
            Finding::new(
                "source/refused",
                Severity::Info,
                format!("{} {what}: {reason}.", self.path),
            ),
            place,
        );
        self.reason = Some(reason);
    }

    fn take(&mut self, event: Event<'_>, desk: &mut Desk<'_>) {
        match event {
            Event::Note { rule, place } => self.note(rule, place),
            Event::Refused(reason) => self.refuse(reason, Position::START),
            Event::Record { chunk, .. } if self.is_full() => {
                if self.reason.is_none() {
                    self.refuse(self.limits.too_many_records(), chunk.start);
                }
            }
            Event::Record { chunk, .. } if self.is_left || !self.has_room(desk) => {
                self.leave(chunk.start, desk);
            }
            Event::Record { chunk, content, end } => {
                let Chunk { text, start, .. } = chunk;
                match content {
                    Content::Document => return self.document(&chunk, end, desk),
                    Content::Part(part) => return self.part((part, false), &chunk, end, desk),
                    Content::CutPart(part) => {
                        return self.part((part, true), &chunk, end, desk);
                    }
                    _ => {}
                }
                let is_item = content == Content::Item;
                desk.readings.is_sampled = !self.sample.wants_more();
                let is_kept = desk.readings.read(&chunk, content, self.format);
                if is_kept && desk.readings.format.is_some_and(FormatId::is_bundle) {
                    return self.bundle(&chunk, desk);
                }
                if let Some(wrapped) = desk.readings.wrapped.take() {
                    let is_cut = content == Content::CutValue;
                    return self.unwrap(&chunk, &wrapped, is_cut, desk);
                }
                if is_kept
                    && text.len() > LONG_LINE_LEN
                    && matches!(content, Content::Line | Content::LastLine)
                {
                    desk.readings.findings.push(place_of(
                        Finding::new(
                            "size/line",
                            Severity::Info,
                            format!("The line is longer than 1 MiB: it has {} bytes.", text.len()),
                        ),
                        start,
                    ));
                }
                self.keep(is_kept, is_item, &chunk, end, desk);
            }
        }
    }

    /// Takes a source that may be one object. False: nothing was taken, for it is not plain JSON, or needs a
    /// closer look.
    fn take_object(&mut self, chunk: &Chunk<'_>, desk: &mut Desk<'_>) -> bool {
        let is_read = desk.readings.read_along(chunk, Content::Value, None);
        if is_read {
            self.keep(true, false, chunk, chunk.text.len() as u64, desk);
        }
        is_read
    }

    /// Takes over what the readings hold.
    fn keep(
        &mut self,
        is_kept: bool,
        is_item: bool,
        chunk: &Chunk<'_>,
        end: u64,
        desk: &mut Desk<'_>,
    ) {
        if is_kept && self.leaves_out(desk.readings) {
            return;
        }
        // One value may hold a million records.
        if is_kept && !self.has_room(desk) {
            return self.leave(chunk.start, desk);
        }
        if is_kept && self.sample.wants_more() {
            desk.readings.test(chunk.text, is_item);
        }
        let start = chunk.start;
        let record = is_kept.then(|| RecordId::at(desk.table.rows.len()));
        if let Some(record) = record
            && let Some((read_as, deviations)) = desk.readings.take_deviations()
        {
            self.got.findings.push_deviations((self.id, record), read_as, chunk, deviations);
        }
        for mut finding in desk.readings.findings.drain(..) {
            finding.source = Some(self.id);
            finding.record = record;
            self.got.findings.push_of_record(finding);
        }
        let Some(format) = desk.readings.format.filter(|_| is_kept) else {
            self.skip(start, end);
            if let Some(nearest) = desk.readings.unknown.take() {
                self.got.unknown.get_or_insert((start, nearest));
                self.got.unknown_count += 1;
            }
            return;
        };
        self.format.get_or_insert(format);
        self.sample.add(format, &desk.readings.fitting);
        let (parsed, extracted) = desk.readings.content();
        match parsed {
            Some(parsed) => {
                desk.table.push_parsed(
                    self.id.0,
                    self.got.kept,
                    format,
                    parsed,
                    is_item,
                    (start, end),
                );
            }
            None => desk.table.push(self.id.0, self.got.kept, format, extracted, start, end),
        }
        if let Some(row) = desk.table.rows.last_mut() {
            row.side = chunk.side;
            if !format.is_shape() {
                row.digest = crate::text::hash_of(chunk.text);
            }
        }
        self.got.kept += 1;
        self.got.repaired += u32::from(desk.readings.is_repaired);
    }

    /// A record that could not be read.
    fn skip(&mut self, start: Position, end: u64) {
        self.got.skipped += 1;
        let Position { offset, line, column } = start;
        self.got.skips.push(Skipped { start: offset, end, line, column });
    }

    /// The format of most of its records, once there are some.
    fn format(&self) -> Option<FormatId> {
        self.sample.format().or(self.format)
    }

    /// Why its records are of that format.
    fn why(&self) -> Option<String> {
        self.sample.why(self.format()?)
    }

    /// A YAML document, or text that nobody knows.
    fn document(&mut self, chunk: &Chunk<'_>, end: u64, desk: &mut Desk<'_>) {
        let text = chunk.text;
        if let Some(format) = FormatId::of_text(text, &self.path) {
            return self.text(format, chunk, desk);
        }
        match compose(text) {
            Ok(document) if is_mapping(&document.value) => {
                self.is_yaml = true;
                self.yaml(chunk, &document, end, desk);
            }
            Err(bad)
                if has_yaml_name(&self.path)
                    || self.is_yaml
                    || bad.rule == "yaml/alias-limit"
                    || is_list_of_mappings(text, &bad) =>
            {
                self.is_yaml = true;
                self.broken_yaml(chunk, &bad, end, desk);
            }
            Ok(_) | Err(_) => {
                self.skip(chunk.start, end);
                let nearest = "it is plain text".to_owned();
                self.got.unknown.get_or_insert((chunk.start, nearest));
            }
        }
    }
}

fn place_of(mut finding: Finding, place: Position) -> Finding {
    set_place(&mut finding, place);
    finding
}

/// An object, or a list that holds one: a text of another kind may be read as YAML by chance.
fn is_mapping(value: &Value) -> bool {
    value.is_object() || value.as_array().is_some_and(|items| items.iter().any(Value::is_object))
}

fn has_yaml_name(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("yaml" | "yml"))
}
