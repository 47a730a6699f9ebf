//! What a source, or a stretch of it, came to: counts, what was passed over, findings.

use super::found::Findings;
use crate::model::finding::{Evidence, Finding};
use crate::model::id::{RecordId, SourceId};
use crate::model::view::Skipped;
use crate::source::place::Place;

/// Records that were kept, repaired and passed over, and what there is to say of them.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) kept: u32,
    pub(super) repaired: u32,
    pub(super) skipped: u32,
    /// Where they stand, as far as they are stretches of their own.
    pub(super) skips: Vec<Skipped>,
    /// The first record that no format fits: its place and the nearest formats.
    pub(super) unknown: Option<(Place, String)>,
    /// How many there are.
    pub(super) unknown_count: u32,
    pub(super) findings: Findings,
}

impl Gathered {
    /// Takes over what a stretch of the source came to that begins at `place`. Its first record
    /// became that of row `first_row`.
    pub(super) fn append(&mut self, of: Self, id: SourceId, first_row: usize, place: Place) {
        self.findings.extend(of.findings.into_iter().map(|finding| {
            let here = |record: RecordId| RecordId::at(first_row + record.index());
            let evidence = finding.evidence.into_iter();
            Finding {
                source: Some(id),
                record: finding.record.map(here),
                offset: finding.offset.map(|at| place.moved(at, 1).0),
                line: finding.line.map(|line| place.moved(0, line).1),
                evidence: evidence.map(|e| Evidence { record: here(e.record), ..e }).collect(),
                ..finding
            }
        }));
        self.skips.extend(of.skips.into_iter().map(|skip| {
            let (start, line) = place.moved(skip.start, skip.line);
            Skipped { start, end: skip.end + place.offset, line, ..skip }
        }));
        if let Some((at, nearest)) = of.unknown {
            let (offset, line) = place.moved(at.offset, at.line);
            self.unknown.get_or_insert((Place { offset, line, ..at }, nearest));
        }
        self.unknown_count += of.unknown_count;
        self.kept += of.kept;
        self.repaired += of.repaired;
        self.skipped += of.skipped;
    }
}
