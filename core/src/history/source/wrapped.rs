//! Sources whose records stand in a list in an object.

use super::Tally;
use crate::format::record::Wrapped;
use crate::history::shared::Shared;
use crate::model::finding::{Finding, Severity};
use crate::source::Chunk;
use crate::source::framing::Content;
use crate::source::position::Position;

impl Tally {
    /// The records in a list that an object holds.
    pub(super) fn unwrap(
        &mut self,
        chunk: &Chunk<'_>,
        wrapped: &Wrapped,
        is_cut: bool,
        shared: &mut Shared<'_>,
    ) {
        let mut ruler = chunk.ruler();
        let stretches: Vec<_> =
            wrapped.items.iter().map(|&(from, to)| (ruler.place_of(from), to)).collect();
        let ends: Vec<_> = stretches.iter().map(|(_, to)| ruler.end_of(*to)).collect();
        // Findings inside a record are reported when the record is read.
        let is_around = |finding: &Finding| {
            let at = finding.offset.unwrap_or(0);
            stretches.iter().zip(&ends).all(|((from, _), to)| at < from.offset || at >= *to)
        };
        for mut finding in std::mem::take(&mut shared.readings.findings) {
            if is_around(&finding) && finding.rule != "text/invalid-utf8" {
                finding.source = Some(self.id);
                self.got.findings.push(finding);
            }
        }
        self.find_wrapped(&wrapped.name, chunk.start);
        let last = wrapped.items.len().saturating_sub(1);
        let mut ruler = chunk.ruler();
        for (i, &(from, to)) in wrapped.items.iter().enumerate() {
            let item = chunk.part(from, to, &mut ruler);
            let end = ruler.end_of(to);
            let is_cut = is_cut && i == last && to == chunk.text.len();
            let content = if is_cut { Content::CutValue } else { Content::Item };
            let is_kept = shared.readings.read(&item, content, self.format);
            shared.readings.wrapped = None;
            self.keep(is_kept, true, &item, end, shared);
        }
    }

    pub(super) fn find_wrapped(&mut self, name: &str, place: Position) {
        let message = format!(
            "The records are in property `{name}` of an object. Its other properties are not read."
        );
        self.find(Finding::new("sniff/wrapped", Severity::Info, message), place);
    }
}
