//! One source while it is read: records into the table, deviations into findings.

mod refuse;

use super::More;
use super::id::{RecordId, SourceId};
use super::row::Table;
use super::sample::Sample;
use super::view::{SourceState, SourceView};
use crate::error::{Error, ErrorCode};
use crate::format::account::Context;
use crate::format::{FormatId, Reading};
use crate::source::encoding::Encoding;
use crate::source::framing::{Content, Framing};
use crate::source::place::Place;
use crate::source::{Event, Passage, Reader, yaml};
use crate::validate::Profile;
use crate::validate::finding::{Finding, Severity};
use crate::validate::record::{Readings, Wrapped, set_place};

/// A line above this is `size/line`, in bytes.
const LONG_LINE_LEN: usize = 1 << 20;

#[derive(Debug)]
pub(crate) struct Source {
    reader: Reader,
    is_finished: bool,
    /// The host could not read it to its end.
    has_failed: bool,
    bytes: u64,
    tally: Tally,
}

/// What reading has brought up so far; apart from the reader, so that the reader may fill it.
#[derive(Debug)]
struct Tally {
    id: SourceId,
    path: String,
    readings: Readings,
    format: Option<FormatId>,
    /// Which formats its first records are of.
    sample: Sample,
    is_yaml: bool,
    /// Its records are stretches of a text.
    is_text: bool,
    reason: Option<String>,
    kept: u32,
    repaired: u32,
    skipped: u32,
    /// The first record that no format fits: its place and the nearest formats.
    unknown: Option<(Place, String)>,
    /// How many there are.
    unknown_count: u32,
    findings: Vec<Finding>,
}

impl Source {
    pub(crate) fn new(id: SourceId, path: &str, profile: Profile) -> Self {
        Self {
            reader: Reader::new(|text| FormatId::of_text(text, "").is_some()),
            is_finished: false,
            has_failed: false,
            bytes: 0,
            tally: Tally {
                id,
                path: path.to_owned(),
                readings: Readings::at(profile, path),
                format: None,
                sample: Sample::default(),
                is_yaml: false,
                is_text: false,
                reason: None,
                kept: 0,
                repaired: 0,
                skipped: 0,
                unknown: None,
                unknown_count: 0,
                findings: Vec::new(),
            },
        }
    }

    pub(crate) fn path(&self) -> &str {
        &self.tally.path
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.reader.encoding()
    }

    pub(crate) fn is_yaml(&self) -> bool {
        self.tally.is_yaml
    }

    pub(crate) fn is_text(&self) -> bool {
        self.tally.is_text
    }

    pub(crate) fn findings(&self) -> &[Finding] {
        &self.tally.findings
    }

    fn open(&self) -> Result<(), Error> {
        if self.is_finished {
            return Err(Error::new(
                ErrorCode::SourceFinished,
                format!("{} was finished before", self.tally.path),
            ));
        }
        Ok(())
    }

    pub(crate) fn push(&mut self, slice: &[u8], table: &mut Table) -> Result<More, Error> {
        self.open()?;
        self.bytes += slice.len() as u64;
        let tally = &mut self.tally;
        self.reader.push(slice, &mut |event| tally.take(event, table));
        Ok(if self.reader.is_refused() { More::Enough } else { More::Wanted })
    }

    pub(crate) fn finish(&mut self, table: &mut Table) -> Result<(), Error> {
        self.open()?;
        self.is_finished = true;
        let tally = &mut self.tally;
        self.reader.finish(&mut |event| tally.take(event, table));
        self.tally.conclude(self.bytes, self.reader.framing());
        Ok(())
    }

    pub(crate) fn fail(&mut self, reason: &str) -> Result<(), Error> {
        self.open()?;
        self.is_finished = true;
        self.has_failed = true;
        self.tally.reason = Some(reason.to_owned());
        let kept = self.tally.kept;
        self.tally.find(
            Finding::new(
                "source/unreadable",
                Severity::Error,
                format!("The file could not be read: {reason}."),
            )
            .hint(if kept > 0 {
                "What was read before is kept. Open the file again."
            } else {
                "Check that it still exists and that it may be read, then open it again."
            }),
            Place { offset: self.bytes, ..Place::START },
        );
        Ok(())
    }

    fn state(&self) -> SourceState {
        let tally = &self.tally;
        if tally.kept > 0 && (self.is_finished || self.reader.is_refused()) {
            SourceState::Read
        } else if self.reader.is_refused() || self.has_failed {
            SourceState::Refused
        } else if !self.is_finished {
            SourceState::Reading
        } else if tally.kept > 0 || tally.reason.is_none() {
            SourceState::Read
        } else {
            SourceState::Raw
        }
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
            state: self.state(),
            reason: tally.reason.clone(),
            kept: tally.kept,
            repaired: tally.repaired,
            skipped: tally.skipped,
        }
    }
}

impl Tally {
    fn take(&mut self, event: Event<'_>, table: &mut Table) {
        match event {
            Event::Note { rule, place } => self.note(rule, place),
            Event::Refused(reason) => {
                self.find(
                    Finding::new(
                        "source/refused",
                        Severity::Info,
                        format!("{} is not opened: {reason}.", self.path),
                    ),
                    Place::START,
                );
                self.reason = Some(reason);
            }
            Event::Record { passage, content, end } => {
                let Passage { text, start, .. } = passage;
                if content == Content::Document {
                    return self.document(&passage, end, table);
                }
                let is_item = content == Content::Item;
                let is_kept = self.readings.read(&passage, content, self.format);
                if let Some(wrapped) = self.readings.wrapped.take() {
                    return self.unwrap(&passage, &wrapped, table);
                }
                if is_kept
                    && text.len() > LONG_LINE_LEN
                    && matches!(content, Content::Line | Content::LastLine)
                {
                    self.readings.findings.push(place_of(
                        Finding::new(
                            "size/line",
                            Severity::Info,
                            format!("The line has {} bytes.", text.len()),
                        ),
                        start,
                    ));
                }
                self.keep(is_kept, is_item, start, end, table);
            }
        }
    }

    /// The records in a list that an object holds.
    fn unwrap(&mut self, passage: &Passage<'_>, wrapped: &Wrapped, table: &mut Table) {
        let mut findings = std::mem::take(&mut self.readings.findings);
        for finding in &mut findings {
            finding.source = Some(self.id);
        }
        self.findings.append(&mut findings);
        self.find(
            Finding::new(
                "sniff/wrapped",
                Severity::Info,
                format!("The records stand in member `{}` of an object.", wrapped.name),
            ),
            passage.start,
        );
        let mut ruler = passage.ruler();
        for &(from, to) in &wrapped.items {
            let item = passage.part(from, to, &mut ruler);
            let end = ruler.place_of(to).offset;
            let is_kept = self.readings.read(&item, Content::Item, self.format);
            self.readings.wrapped = None;
            self.keep(is_kept, true, item.start, end, table);
        }
    }

    /// Takes over what the readings hold.
    fn keep(&mut self, is_kept: bool, is_item: bool, start: Place, end: u64, table: &mut Table) {
        let record = is_kept.then(|| RecordId::at(table.rows.len()));
        for mut finding in self.readings.findings.drain(..) {
            finding.source = Some(self.id);
            finding.record = record;
            self.findings.push(finding);
        }
        let Some(format) = self.readings.format.filter(|_| is_kept) else {
            self.skipped += 1;
            if let Some(nearest) = self.readings.unknown.take() {
                self.unknown.get_or_insert((start, nearest));
                self.unknown_count += 1;
            }
            return;
        };
        self.format.get_or_insert(format);
        self.sample.add(format, &self.readings.fitting);
        match &mut self.readings.account {
            Some(account) => {
                table.tell(self.id.0, self.kept, format, account, is_item, start, end);
            }
            None => table.push(self.id.0, self.kept, format, &self.readings.facts, start, end),
        }
        self.kept += 1;
        self.repaired += u32::from(self.readings.is_repaired);
    }

    /// The records of a text.
    fn text(&mut self, format: FormatId, passage: &Passage<'_>, table: &mut Table) {
        let Reading::Text { cut, .. } = &format.row().reading else { return };
        self.is_text = true;
        self.format.get_or_insert(format);
        let cuts = cut(passage.text);
        self.skipped += cuts.skipped;
        let mut ruler = passage.ruler();
        for (at, finding) in cuts.findings {
            self.find(finding, ruler.place_of(at));
        }
        let mut ruler = passage.ruler();
        for cut in cuts.records {
            let record = passage.part(cut.range.start, cut.range.end, &mut ruler);
            let end = ruler.place_of(cut.range.end).offset;
            self.readings.read_text(format, &record, &cut.context);
            self.keep(true, false, record.start, end, table);
        }
    }

    fn text_framing(&self) -> Option<Framing> {
        Some(match self.format? {
            FormatId::AnalyticsCsv => Framing::Csv,
            FormatId::CompletionReport | FormatId::EpisodicPlan => Framing::Markdown,
            _ => Framing::Text,
        })
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
    fn document(&mut self, passage: &Passage<'_>, end: u64, table: &mut Table) {
        let Passage { text, start, .. } = *passage;
        if let Some(format) = FormatId::of_text(text, &self.path) {
            return self.text(format, passage, table);
        }
        match yaml::read(text) {
            Ok(value) if value.is_object() => {
                self.is_yaml = true;
                let context = Context::default();
                let is_kept = self.readings.read_value(&value, &context, start);
                if passage.stored.is_some() {
                    self.readings.is_repaired = true;
                    self.readings.findings.push(place_of(
                        Finding::new(
                            "text/invalid-utf8",
                            Severity::Warning,
                            "Bytes that are not UTF-8 were replaced by U+FFFD.",
                        ),
                        start,
                    ));
                }
                self.keep(is_kept, false, start, end, table);
            }
            Err(bad)
                if has_yaml_name(&self.path) || self.is_yaml || bad.rule == "yaml/alias-limit" =>
            {
                self.is_yaml = true;
                self.skipped += 1;
                let place = passage.ruler().place_of(yaml::offset(text, &bad));
                self.reason = Some(format!(
                    "it cannot be read as YAML, line {}: {}",
                    place.line, bad.message
                ));
                self.find(
                    Finding::new(
                        bad.rule,
                        Severity::Error,
                        format!("This cannot be read as YAML: {}.", bad.message),
                    )
                    .hint("The document is kept as text; the others are read."),
                    place,
                );
            }
            Ok(_) | Err(_) => {
                self.skipped += 1;
                self.unknown.get_or_insert((start, "none comes near: it is plain text".to_owned()));
            }
        }
    }

    /// Says what became of the source as a whole.
    fn conclude(&mut self, bytes: u64, framing: Option<Framing>) {
        if let Some(chosen) = self.format() {
            let rivals: Vec<_> = self.sample.rivals(chosen).map(FormatId::as_str).collect();
            if !rivals.is_empty() {
                let (chosen, rivals) = (chosen.as_str(), rivals.join(", "));
                self.find(
                    Finding::new(
                        "sniff/ambiguous",
                        Severity::Info,
                        format!("As many records fit {rivals} as fit {chosen}, which is tested first and counts."),
                    ),
                    Place::START,
                );
            }
        }
        if let Some((place, nearest)) = self.unknown.take() {
            let what = match (self.kept, self.unknown_count) {
                (0, _) => "It holds no history of a known format".to_owned(),
                (_, 1) => "A record is of no known format".to_owned(),
                (_, n) => format!("{n} records are of no known format, the first one here"),
            };
            self.find(
                Finding::new(
                    "source/unknown",
                    Severity::Info,
                    format!("{what}. Nearest formats: {nearest}."),
                )
                .hint("It is listed, and its text can be looked at."),
                place,
            );
            if self.kept == 0 && self.reason.is_none() {
                self.reason =
                    Some(format!("it holds no history of a known format; nearest: {nearest}"));
            }
        }
        if self.kept == 0 && self.skipped == 0 && self.reason.is_none() {
            let what = if bytes == 0 { "The file is empty." } else { "There is no record in it." };
            self.find(Finding::new("source/empty", Severity::Info, what), Place::START);
        }
        if self.kept == 0 && self.skipped > 0 && self.reason.is_none() {
            let as_what = framing.map_or("text", Framing::as_str);
            self.reason = Some(format!(
                "no record in it could be read (as {as_what}); its findings say where"
            ));
        }
    }

    fn note(&mut self, rule: &'static str, place: Place) {
        let (severity, message, hint) = match rule {
            "text/bom" => {
                (Severity::Info, "The file begins with a byte order mark; it is skipped.", None)
            }
            "text/utf16" => (
                Severity::Info,
                "The file is UTF-16; it is decoded.",
                Some("UTF-8 takes half the space."),
            ),
            "text/invalid-utf8" => (
                Severity::Warning,
                "The file ends in the middle of a UTF-16 unit; its last byte is left out.",
                Some("The writer was probably stopped while writing."),
            ),
            "json/concatenated" => (
                Severity::Info,
                "Several JSON values stand one after another; each is read as a record.",
                Some("JSON Lines puts each on a line of its own."),
            ),
            "json/trailing-comma" => (
                Severity::Warning,
                "A comma stands before the closing bracket; it is ignored.",
                Some("Remove it."),
            ),
            "json/fence" => (
                Severity::Info,
                "A Markdown code fence stands around the file; it is taken off.",
                None,
            ),
            "json/leading-text" => (
                Severity::Warning,
                "Text stands before the first value; it is skipped.",
                Some("Captured output often begins with a line for people."),
            ),
            "json/truncated" => (
                Severity::Warning,
                "The file ends inside the array; what was complete is kept.",
                Some("The writer was probably stopped while writing."),
            ),
            _ => (
                Severity::Error,
                "A comma between two items is missing; both are read.",
                Some("Put a comma between them."),
            ),
        };
        let mut finding = Finding::new(rule, severity, message);
        if let Some(hint) = hint {
            finding = finding.hint(hint);
        }
        self.find(finding, place);
    }

    fn find(&mut self, finding: Finding, place: Place) {
        let mut finding = place_of(finding, place);
        finding.source = Some(self.id);
        self.findings.push(finding);
    }
}

fn place_of(mut finding: Finding, place: Place) -> Finding {
    set_place(&mut finding, place);
    finding
}

fn has_yaml_name(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("yaml" | "yml"))
}
