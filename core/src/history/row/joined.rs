//! Records of a piece, behind those that are there.

use super::{Interner, More, Range, Row, Table};
use crate::history::carried::Carried;
use crate::history::piece::wire::{Wire, wire};
use crate::history::rows::Rows;
use crate::model::reward::count;
use crate::source::place::Place;

/// Where a piece belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seam {
    pub(crate) source: u32,
    /// Records of the source that stand before it.
    pub(crate) kept: u32,
    /// Where it begins: at the start of a line.
    pub(crate) place: Place,
}

impl Table {
    /// Takes over the records of a piece. All that points at something points at the same thing
    /// as it would, had they been read here.
    pub(crate) fn append(&mut self, other: Self, seam: Seam) {
        let first_row = self.rows.len();
        let words = self.words.append(&other.words);
        let here = |of: u32| words.get(of as usize).copied().unwrap_or(u32::MAX);
        let (hashes, shares) = (count(self.hashes.len()), count(self.shares.len()));
        let (numbers, runs) = (count(self.numbers.len()), count(self.told.runs.len()));
        for mut row in other.rows.into_iter() {
            let (start, line) = seam.place.moved(row.start, row.line);
            row.name(row.key().map(here), row.task().map(here));
            self.rows.push(Row {
                source: seam.source,
                index: row.index.saturating_add(seam.kept),
                start,
                end: row.end + seam.place.offset,
                line,
                reflections: row.reflections.behind(hashes),
                tellings: row.tellings.behind(runs),
                more: row.more.map(|more| {
                    Box::new(More {
                        window: more.window.map(|range| range.behind(numbers)),
                        injected: more.injected.map(|range| range.behind(numbers)),
                        feedback: more.feedback.behind(shares),
                        ..*more
                    })
                }),
                ..row
            });
        }
        self.hashes.extend(other.hashes);
        self.shares.extend(other.shares);
        self.numbers.extend(other.numbers);
        self.told.append(other.told, first_row, here);
    }
}

impl Range {
    /// The same stretch, of an arena that was put behind `len` items.
    fn behind(self, len: u32) -> Self {
        if self.len == 0 { self } else { Self { start: self.start.saturating_add(len), ..self } }
    }
}

impl Interner {
    /// Takes over words, in their order; says for each what it is here.
    fn append(&mut self, other: &Self) -> Vec<u32> {
        other.words.iter().map(|word| self.intern(word)).collect()
    }
}

impl Wire for Interner {
    fn put(&self, out: &mut Vec<u8>) {
        self.words.put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        // Whoever takes them over finds their places anew.
        Some(Self { words: Wire::take(from)?, ..Self::default() })
    }
}

impl Wire for Rows {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        self.iter().for_each(|row| row.put(out));
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let mut rows = Self::default();
        for _ in 0..usize::take(from)? {
            rows.push(Row::take(from)?);
        }
        Some(rows)
    }
}

impl Wire for Carried {
    /// A piece of JSON Lines carries no sources: only bundles do.
    fn put(&self, _: &mut Vec<u8>) {}

    fn take(_: &mut &[u8]) -> Option<Self> {
        Some(Self::default())
    }
}

wire!(Table { rows, hashes, shares, numbers, told, carried, words });
wire!(Range { start, len });
wire!(Row {
    source,
    index,
    start,
    end,
    line,
    column,
    format,
    has,
    key,
    task,
    errors,
    number,
    time_ms,
    reward,
    outcome,
    detail,
    omega,
    reflections,
    tellings,
    is_item,
    digest,
    side,
    more,
});
wire!(More {
    verification,
    is_percent,
    derived,
    window_total,
    policy,
    window,
    injected,
    has_past,
    stored_reward,
    stored_errors,
    stored_improvement,
    feedback,
    implementations,
});
