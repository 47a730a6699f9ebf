//! Texts: what is neither JSON nor YAML.

use super::{Chunk, Shared, Tally};
use crate::format::{FormatId, Reading};
use crate::source::framing::Framing;

impl Tally {
    /// The records of a text.
    pub(super) fn text(&mut self, format: FormatId, chunk: &Chunk<'_>, shared: &mut Shared<'_>) {
        let Reading::Text { cut, .. } = &format.row().reading else { return };
        self.is_text = true;
        self.format.get_or_insert(format);
        let cuts = cut(chunk.text);
        self.got.skipped += cuts.skipped;
        let mut ruler = chunk.ruler();
        for (at, finding) in cuts.findings {
            self.find(finding, ruler.place_of(at));
        }
        let mut ruler = chunk.ruler();
        for cut in cuts.records {
            let record = chunk.part(cut.range.start, cut.range.end, &mut ruler);
            let end = ruler.end_of(cut.range.end);
            shared.readings.read_text(format, &record, &cut.context);
            self.keep(true, false, &record, end, shared);
        }
    }

    pub(super) fn text_framing(&self) -> Option<Framing> {
        self.format?.text_framing().or(Some(Framing::Text))
    }
}
