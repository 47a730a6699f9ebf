//! Texts: what is neither JSON nor YAML, or stands in a JSON string.

use super::{Passage, Table, Tally};
use crate::format::account::{Context, Cuts};
use crate::format::{FormatId, Reading};
use crate::source::framing::Framing;
use crate::validate::finding::{Finding, Severity};
use crate::validate::text;

impl Tally {
    /// The records of a text.
    pub(super) fn text(&mut self, format: FormatId, passage: &Passage<'_>, table: &mut Table) {
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

    /// A JSON document that is one string: its text is one record, if it is one in its format.
    pub(super) fn string(&mut self, passage: &Passage<'_>, end: u64, table: &mut Table) -> bool {
        let mut findings = Vec::new();
        let Some(decoded) = text::string_of(passage, &mut findings) else { return false };
        self.findings.extend(findings.into_iter().map(|f| Finding { source: Some(self.id), ..f }));
        self.find(
            Finding::new(
                "json/string-document",
                Severity::Info,
                "The document is one JSON string; its text is read.",
            ),
            passage.start,
        );
        let format = FormatId::of_text(&decoded, &self.path);
        let cuts = format.and_then(|format| match &format.row().reading {
            Reading::Text { cut, .. } => Some((format, cut(&decoded))),
            Reading::Shape { .. } | Reading::Account(_) => None,
        });
        let is_whole = |cuts: &Cuts| match &cuts.records[..] {
            [record] => record.range == (0..decoded.len()),
            _ => false,
        };
        let whole = cuts.filter(|(_, cuts)| is_whole(cuts));
        let Some((format, cuts)) = whole else { return false };
        self.is_text = true;
        self.is_string = true;
        self.format.get_or_insert(format);
        // Offsets in the decoded text are none in the file.
        for (_, finding) in cuts.findings {
            self.find(finding, passage.start);
        }
        let record = Passage { text: &decoded, stored: None, ..*passage };
        self.readings.read_text(format, &record, &Context::default());
        self.keep(true, false, passage.start, end, table);
        true
    }

    pub(super) fn text_framing(&self) -> Option<Framing> {
        Some(match self.format? {
            FormatId::AnalyticsCsv => Framing::Csv,
            FormatId::CompletionReport | FormatId::EpisodicPlan => Framing::Markdown,
            _ => Framing::Text,
        })
    }
}
