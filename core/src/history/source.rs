//! One source while it is read: records into the table, deviations into findings.

mod digest;
mod ending;
mod exported;
mod found;
mod gathered;
mod notes;
mod refuse;
#[cfg(test)]
mod tests;
mod text;
pub(super) mod wanted;
mod wrapped;
mod yaml;

use digest::Digest;
use exported::Exported;
use gathered::Gathered;
use wanted::Wanted;
use yaml::is_list_of_mappings;

use super::budget::RUN_LEN;
use super::finding_groups::{Groups, Subject};
use super::row::Row;
use super::sample::Sample;
use super::shared::Shared;
use crate::model::id::{RecordId, SourceId};
use crate::model::view::{Added, Skipped, SourceState, SourceView};
use std::collections::BTreeMap;

use serde_json::Value;

use crate::error::{Error, ErrorCode};
use crate::format::export_line::Line;
use crate::format::record::{set_place, wrapped};
use crate::format::{FormatId, is_near_none};
use crate::model::finding::{Finding, Severity};
use crate::source::container::export;
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
    /// Its records come out of an export.
    exported: Option<Exported>,
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
                items: BTreeMap::new(),
                broken_items: 0,
                limits,
                wanted,
                is_text: false,
                reason: None,
                is_left: false,
                got: Gathered::default(),
                exported: None,
            },
        }
    }

    pub(crate) fn path(&self) -> &str {
        &self.tally.path
    }

    /// Whether it gave records.
    pub(crate) const fn has_records(&self) -> bool {
        self.kept() > 0
    }

    /// How many records it gave.
    pub(crate) const fn kept(&self) -> u32 {
        self.tally.got.kept
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.reader.encoding()
    }

    pub(crate) fn is_yaml(&self) -> bool {
        self.tally.is_yaml
    }

    /// Whether a record of YAML has the whole document as its span, of which it is one item.
    pub(crate) fn is_item(&self, row: &Row) -> bool {
        self.tally.items.contains_key(&row.index)
    }

    /// Whether its records stand in lines of an export.
    pub(crate) fn is_exported(&self) -> bool {
        self.tally.exported.is_some()
    }

    /// It is one JSON string, and its records stand inside.
    pub(crate) fn is_quoted(&self) -> bool {
        self.tally.is_quoted
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

    pub(crate) fn skips(&self) -> &[Skipped] {
        &self.tally.got.skips
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

    pub(crate) fn push(&mut self, slice: &[u8], shared: &mut Shared<'_>) -> Result<More, Error> {
        self.open()?;
        self.begin(shared);
        self.bytes += slice.len() as u64;
        self.digest.push(slice);
        let tally = &mut self.tally;
        self.reader.push(slice, &mut |event| tally.take(event, shared));
        self.rest(shared);
        Ok(if self.reader.is_refused() { More::Enough } else { More::Wanted })
    }

    pub(crate) fn finish(&mut self, shared: &mut Shared<'_>) -> Result<(), Error> {
        self.open()?;
        self.begin(shared);
        let tally = &mut self.tally;
        self.reader.finish(&mut |event| tally.take(event, shared));
        self.conclude(shared);
        Ok(())
    }

    /// Opens it as a whole: what [`Source::push`] and [`Source::finish`] give, without keeping the bytes
    /// in between.
    pub(crate) fn take(&mut self, whole: &[u8], shared: &mut Shared<'_>) {
        self.begin(shared);
        self.bytes = whole.len() as u64;
        self.digest = Digest::of(whole);
        let object = self.reader.object(whole).filter(|_| !self.reader.is_refused());
        if object.is_some_and(|chunk| self.tally.take_object(&chunk, shared)) {
            self.reader.is_object();
        } else {
            let tally = &mut self.tally;
            self.reader.read_whole(whole, &mut |event| tally.take(event, shared));
        }
        self.conclude(shared);
    }

    /// Before it is read on.
    fn begin(&mut self, shared: &mut Shared<'_>) {
        shared.readings.turn_to(&self.tally.path);
        self.uncount(shared);
        if self.bytes == 0 && !self.tally.has_room(shared) {
            self.tally.leave(Position::START, shared);
            self.reader.stop();
        }
    }

    /// Takes it from the count, until [`Source::rest`] counts it again.
    fn uncount(&mut self, shared: &mut Shared<'_>) {
        shared.budget.remove(std::mem::take(&mut self.counted));
    }

    /// After it was read on.
    fn rest(&mut self, shared: &mut Shared<'_>) {
        if self.tally.is_full() || self.tally.is_left {
            self.reader.stop();
        }
        self.counted = size_of::<Self>()
            + RUN_LEN
            + self.tally.path.len()
            + self.reader.held()
            + self.tally.held();
        shared.budget.add(self.counted);
    }

    /// Says what there is to say at its end.
    fn conclude(&mut self, shared: &mut Shared<'_>) {
        self.is_finished = true;
        self.rest(shared);
        self.digest.finish(!self.reader.is_refused());
        self.tally.report_left_out();
        let expected = &shared.readings.promises.names;
        self.tally.conclude(self.bytes, self.reader.framing(), expected);
        self.tally.got.findings.shrink();
        shared.readings.settle();
    }

    /// The host could not read it: not at all, or not to its end.
    pub(crate) fn fail(&mut self, reason: &str, shared: &mut Shared<'_>) -> Result<(), Error> {
        let how = if self.bytes > 0 {
            [" to its end", "What could be read is kept. Open the file again."]
        } else {
            ["", "Check that the file exists and that you may read it, then open it again."]
        };
        self.unreadable(how, reason, shared)
    }

    fn unreadable(
        &mut self,
        [how, hint]: [&'static str; 2],
        reason: &str,
        shared: &mut Shared<'_>,
    ) -> Result<(), Error> {
        self.open()?;
        self.uncount(shared);
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
        self.let_go(shared);
        Ok(())
    }

    /// Gives back what was kept of a record that has no end, and counts the rest.
    fn let_go(&mut self, shared: &mut Shared<'_>) {
        self.reader.release();
        self.rest(shared);
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
        let is_other = self.is_finished && tally.other_kind().is_some();
        let framing = match self.reader.framing() {
            _ if is_other => Some(Framing::Text),
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
            framing,
            encoding: self.reader.encoding(),
            bytes: self.bytes,
            digest: self.digest(),
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

    fn has_room(&self, shared: &Shared<'_>) -> bool {
        shared.budget.has_room(shared.table.held().saturating_add(self.held()))
    }

    /// The memory that it takes, without its path.
    fn held(&self) -> usize {
        self.got.findings.held() + size_of_val(&self.got.skips[..])
    }

    /// Leaves the rest of it, from there on, since there is no memory for more.
    fn leave(&mut self, place: Position, shared: &mut Shared<'_>) {
        shared.budget.exceed();
        if std::mem::replace(&mut self.is_left, true) {
            return;
        }
        let limit = shared.budget.text();
        let kept = match self.got.kept {
            0 => "Nothing of this file is read.".to_owned(),
            kept => format!(
                "{} of this file {} kept; the rest of it, from here on, is not read.",
                counted(kept as usize, "record"),
                if kept == 1 { "is" } else { "are" },
            ),
        };
        let message = format!("The memory limit of {limit} is reached. {kept}");
        let finding = Finding::new("size/memory", Severity::Error, message);
        self.find(finding.hint(shared.budget.advice()), place);
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

    fn take(&mut self, event: Event<'_>, shared: &mut Shared<'_>) {
        match event {
            Event::Note { rule, place } => self.note(rule, place),
            Event::Refused(reason) => self.refuse(reason, Position::START),
            Event::Record { chunk, .. } if self.is_full() => {
                if self.reason.is_none() {
                    self.refuse(self.limits.too_many_records(), chunk.start);
                }
            }
            Event::Record { chunk, .. } if self.is_left || !self.has_room(shared) => {
                self.leave(chunk.start, shared);
            }
            Event::Record { chunk, content, end } => {
                let Chunk { text, start, .. } = chunk;
                if content == Content::Document {
                    return self.document(&chunk, end, shared);
                }
                if export::is_line(text)
                    && let Some(line) = Line::read(text)
                    && let Some(format) = line.format_id()
                {
                    return self.exported((line, format), &chunk, end, shared);
                }
                let is_item = content == Content::Item;
                shared.readings.is_sampled = !self.sample.wants_more();
                let is_kept = shared.readings.read(&chunk, content, self.format);
                if let Some(wrapped) = shared.readings.wrapped.take() {
                    let is_cut = content == Content::CutValue;
                    return self.unwrap(&chunk, &wrapped, is_cut, shared);
                }
                if is_kept
                    && text.len() > LONG_LINE_LEN
                    && matches!(content, Content::Line | Content::LastLine)
                {
                    shared.readings.findings.push(place_of(
                        Finding::new(
                            "size/line",
                            Severity::Info,
                            format!("The line is longer than 1 MiB: it has {} bytes.", text.len()),
                        ),
                        start,
                    ));
                }
                self.keep(is_kept, is_item, &chunk, end, shared);
            }
        }
    }

    /// Takes a source that may be one object. False: nothing was taken, for it is not plain JSON, or needs a
    /// closer look.
    fn take_object(&mut self, chunk: &Chunk<'_>, shared: &mut Shared<'_>) -> bool {
        let is_read = shared.readings.read_along(chunk, Content::Value, None);
        if is_read {
            self.keep(true, false, chunk, chunk.text.len() as u64, shared);
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
        shared: &mut Shared<'_>,
    ) {
        if is_kept && self.leaves_out(shared.readings) {
            return;
        }
        // One value may hold a million records.
        if is_kept && !self.has_room(shared) {
            return self.leave(chunk.start, shared);
        }
        if is_kept && self.sample.wants_more() {
            shared.readings.test(chunk.text, is_item);
        }
        let start = chunk.start;
        let record = is_kept.then(|| RecordId::at(shared.table.rows.len()));
        if let Some(record) = record
            && let Some((read_as, deviations)) = shared.readings.take_deviations()
        {
            self.got.findings.push_deviations((self.id, record), read_as, chunk, deviations);
        }
        for mut finding in shared.readings.findings.drain(..) {
            finding.source = Some(self.id);
            finding.record = record;
            self.got.findings.push_of_record(finding);
        }
        let Some(format) = shared.readings.format.filter(|_| is_kept) else {
            self.skip(start, end);
            if let Some(nearest) = shared.readings.unknown.take() {
                self.got.unknown.get_or_insert((start, nearest));
                self.got.unknown_count += 1;
            }
            return;
        };
        self.format.get_or_insert(format);
        self.sample.add(format, &shared.readings.fitting);
        let (parsed, extracted) = shared.readings.content();
        match parsed {
            Some(parsed) => {
                shared.table.push_parsed(
                    self.id.0,
                    self.got.kept,
                    format,
                    parsed,
                    is_item,
                    (start, end),
                );
            }
            None => shared.table.push(self.id.0, self.got.kept, format, extracted, start, end),
        }
        if let Some(row) = shared.table.rows.last_mut() {
            row.side = chunk.side;
            if !format.is_shape() {
                row.digest = crate::text::hash_of(chunk.text);
            }
        }
        self.got.kept += 1;
        self.got.repaired += u32::from(shared.readings.is_repaired);
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

    /// A file that stands for one that Git LFS keeps elsewhere.
    fn lfs_pointer(&mut self, place: Position) {
        let message = "The file is a Git LFS pointer. The file that it stands for is not here.";
        let finding = Finding::new("source/lfs-pointer", Severity::Info, message)
            .hint("Run `git lfs pull` in the repository, then open the file again.");
        self.find(finding, place);
        self.reason = Some("it is a Git LFS pointer, not the file itself".to_owned());
    }

    /// A YAML document, or text of an unknown kind.
    fn document(&mut self, chunk: &Chunk<'_>, end: u64, shared: &mut Shared<'_>) {
        let text = chunk.text;
        if text.starts_with(LFS_POINTER) {
            self.skip(chunk.start, end);
            return self.lfs_pointer(chunk.start);
        }
        if let Some(format) = FormatId::of_text(text, &self.path) {
            return self.text(format, chunk, shared);
        }
        match compose(text) {
            // `Started: 3 o'clock` is YAML, too: under the name of a text it is one unless a format could know it.
            Ok(document)
                if is_mapping(&document.value)
                    && !(has_text_name(&self.path) && is_near_none(&document.value)) =>
            {
                self.is_yaml = true;
                self.yaml(chunk, &document, end, shared);
            }
            Err(bad)
                if has_yaml_name(&self.path)
                    || self.is_yaml
                    || bad.rule == "yaml/alias-limit"
                    || is_list_of_mappings(text, &bad) =>
            {
                self.is_yaml = true;
                self.broken_yaml(chunk, &bad, end, shared);
            }
            Ok(_) | Err(_) => {
                self.skip(chunk.start, end);
                let nearest = "it is plain text".to_owned();
                self.got.unknown.get_or_insert((chunk.start, nearest));
            }
        }
    }
}

/// How a file begins that stands for one that Git LFS keeps elsewhere.
const LFS_POINTER: &str = "version https://git-lfs.github.com/spec/v1";

fn place_of(mut finding: Finding, place: Position) -> Finding {
    set_place(&mut finding, place);
    finding
}

/// An object, or a list that holds one: a text of another kind may be read as YAML by chance.
fn is_mapping(value: &Value) -> bool {
    value.is_object() || value.as_array().is_some_and(|items| items.iter().any(Value::is_object))
}

fn has_text_name(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("txt" | "md" | "log"))
}

fn has_yaml_name(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("yaml" | "yml"))
}
