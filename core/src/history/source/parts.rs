//! Sources whose records stand inside of something: a bundle, or a list in an object.

use super::{Desk, Tally};
use crate::format::hindscope_bundle;
use crate::format::record::Wrapped;
use crate::history::bundle::{Carry, Opening};
use crate::json::tree::{Kind, Tree};
use crate::json::write::quoted;
use crate::model::finding::{Finding, Severity};
use crate::source::Chunk;
use crate::source::framing::{Content, Part};
use crate::source::position::Position;

impl Tally {
    /// A part of a bundle.
    pub(super) fn part(
        &mut self,
        part: (Part, bool),
        chunk: &Chunk<'_>,
        end: u64,
        desk: &mut Desk<'_>,
    ) {
        self.format = Some(hindscope_bundle::ID);
        let id = self.id;
        let opening = self.opening.get_or_insert_with(|| Opening::new(id, desk.table));
        let taken = opening.take(part, chunk, end, self.got.kept, desk.table);
        self.carried_len += chunk.text.len();
        self.got.kept += taken.kept;
        self.got.repaired += taken.repaired;
        for _ in 0..taken.skipped {
            self.skip(chunk.start, end);
        }
        self.carry(taken.findings);
    }

    /// Findings of a bundle: those that it carries, and those about itself.
    pub(super) fn carry(&mut self, findings: Vec<Carry>) {
        for (mut finding, more) in findings {
            finding.source.get_or_insert(self.id);
            if !more.is_empty() {
                self.more.insert(self.got.findings.len(), more);
            }
            self.got.findings.push(finding);
        }
    }

    /// A bundle whose first member is another one: it was framed as one value.
    pub(super) fn bundle(&mut self, chunk: &Chunk<'_>, desk: &mut Desk<'_>) {
        let findings = std::mem::take(&mut desk.readings.findings);
        self.carry(findings.into_iter().map(|finding| (finding, String::new())).collect());
        let Ok(tree) = Tree::read(chunk.text, true) else { return };
        let Kind::Object(members) = &tree.root.kind else { return };
        let mut ruler = chunk.ruler();
        for (name, node) in members {
            if let (Some(part), Kind::List(items)) = (Part::of_list(name), &node.kind) {
                for item in items {
                    let inner = chunk.part(item.start, item.end, &mut ruler);
                    let end = ruler.end_of(item.end);
                    self.part((part, false), &inner, end, desk);
                }
                continue;
            }
            let start = ruler.place_of(node.start);
            let value = chunk.text.get(node.start..node.end).unwrap_or_default();
            let text = format!("{}:{value}", quoted(name));
            let mut inner = Chunk::alone(&text, text.as_bytes());
            inner.start = start;
            self.part((Part::Member, false), &inner, start.offset, desk);
        }
    }

    /// The records in a list that an object holds.
    pub(super) fn unwrap(
        &mut self,
        chunk: &Chunk<'_>,
        wrapped: &Wrapped,
        is_cut: bool,
        desk: &mut Desk<'_>,
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
        for mut finding in std::mem::take(&mut desk.readings.findings) {
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
            let is_kept = desk.readings.read(&item, content, self.format);
            desk.readings.wrapped = None;
            self.keep(is_kept, true, &item, end, desk);
        }
    }

    pub(super) fn find_wrapped(&mut self, name: &str, place: Position) {
        self.wrapper = Some(place);
        let message = format!(
            "The records are in property `{name}` of an object. Its other properties are not read."
        );
        self.find(Finding::new("sniff/wrapped", Severity::Info, message), place);
    }
}
