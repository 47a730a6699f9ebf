//! Large files of JSON Lines in pieces, each read by another instance: what that needs to know, what
//! it finds, and how it is taken over.

use super::gathered::Gathered;
use super::wanted::Wanted;
use super::{Source, Tally};
use crate::error::Error;
use crate::format::FormatId;
use crate::history::More;
use crate::history::piece::wire::{Wire, wire};
use crate::history::row::Table;
use crate::history::row::joined::Seam;
use crate::model::finding::{Evidence, Finding};
use crate::model::id::SourceId;
use crate::model::view::Skipped;
use crate::room;
use crate::source::limits::Limits;
use crate::source::place::Place;
use crate::source::{Event, Reader};
use crate::validate::Profile;

/// What a [`PieceReader`] needs to know of a source to read on in it: all that the meaning of a line
/// depends on beside its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    path: String,
    profile: Profile,
    /// The format that its records are tried for first.
    format: FormatId,
    limits: Limits,
}

impl Continuation {
    /// As bytes, for [`Continuation::from_bytes`] in an instance of the same build.
    pub fn to_bytes(&self) -> Vec<u8> {
        written(self)
    }

    /// What [`Continuation::to_bytes`] wrote; nothing if these bytes are something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        read(bytes)
    }
}

/// Reads a stretch of a source apart from its history.
#[derive(Debug)]
pub struct PieceReader {
    from: Continuation,
    reader: Reader,
    tally: Tally,
    table: Table,
    bytes: u64,
    is_sure: bool,
}

/// What a stretch of a source holds, for [`History::append`](crate::History::append).
#[derive(Debug)]
pub struct Piece {
    from: Continuation,
    is_sure: bool,
    bytes: u64,
    lines: u32,
    table: Table,
    got: Gathered,
}

impl PieceReader {
    /// Starts at the start of a line.
    pub fn new(from: Continuation) -> Self {
        Self {
            reader: Reader::in_lines(from.limits),
            tally: Tally::begun(&from),
            table: Table::default(),
            bytes: 0,
            is_sure: true,
            from,
        }
    }

    /// Takes the next slice of the stretch, of any length.
    pub fn push(&mut self, slice: &[u8]) {
        room::make();
        self.bytes += slice.len() as u64;
        let Self { reader, tally, table, is_sure, .. } = self;
        reader.push(slice, &mut |event| {
            // What is said of a source as a whole may have been said before.
            *is_sure &= matches!(event, Event::Record { .. });
            tally.take(event, table);
        });
    }

    /// The stretch ends here. Unless a line does, too, what was read counts nothing.
    pub fn finish(self) -> Piece {
        let Self { from, reader, mut tally, mut table, bytes, is_sure } = self;
        let is_sure = is_sure && reader.is_in_lines() && tally.is_plain();
        if !is_sure {
            // Nobody will look at it.
            table = Table::default();
            tally = Tally::begun(&from);
        }
        Piece {
            is_sure,
            lines: reader.place().line - Place::START.line,
            from,
            bytes,
            table,
            got: tally.got,
        }
    }
}

impl Piece {
    /// Whether it can be taken over. Where the meaning of a line may depend on what stood before the
    /// stretch, it cannot, and the history reads the stretch itself.
    pub fn is_sure(&self) -> bool {
        self.is_sure
    }

    /// As bytes, for [`Piece::from_bytes`] in an instance of the same build.
    pub fn to_bytes(&self) -> Vec<u8> {
        written(self)
    }

    /// What [`Piece::to_bytes`] wrote; nothing if these bytes are something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        read(bytes)
    }
}

impl Source {
    /// What another instance needs to read on; nothing where only this one can.
    pub(crate) fn continuation(&self) -> Option<Continuation> {
        let tally = &self.tally;
        let is_open = !self.is_finished && self.reader.is_in_lines();
        // The first records decide on the format, wherever they stand.
        if !is_open || !tally.is_plain() || !tally.sample.is_full() {
            return None;
        }
        Some(Continuation {
            path: tally.path.clone(),
            profile: tally.readings.profile(),
            format: tally.format?,
            limits: tally.limits,
        })
    }

    /// Takes the next stretch of it, with what another instance read there.
    pub(crate) fn append(
        &mut self,
        piece: Piece,
        stretch: &[u8],
        table: &mut Table,
    ) -> Result<More, Error> {
        self.open()?;
        let tally = &self.tally;
        let records = [tally.got.kept, tally.got.skipped, piece.got.kept, piece.got.skipped];
        let is_taken = piece.is_sure
            && piece.bytes == stretch.len() as u64
            && self.continuation().as_ref() == Some(&piece.from)
            && records.iter().map(|n| u64::from(*n)).sum::<u64>() < u64::from(tally.limits.records);
        if !is_taken {
            return self.push(stretch, table);
        }
        self.bytes += piece.bytes;
        self.digest.push(stretch);
        let place = self.reader.place();
        self.reader.pass(piece.bytes, piece.lines);
        self.tally.append(piece, place, table);
        Ok(More::Wanted)
    }
}

impl Tally {
    /// Of a source that was begun elsewhere.
    fn begun(from: &Continuation) -> Self {
        let keeps = (from.limits, Wanted::default());
        let source = Source::new(SourceId(0), &from.path, from.profile, keeps);
        Self { format: Some(from.format), ..source.tally }
    }

    /// Whether its records are lines that stand for themselves, of a source of which nothing is said
    /// as a whole.
    fn is_plain(&self) -> bool {
        let is_one_of_its_own = self.is_yaml || self.is_quoted || self.is_text;
        !is_one_of_its_own
            && self.wrapper.is_none()
            && self.opening.is_none()
            && self.reason.is_none()
            && self.items.is_empty()
            && self.broken_items == 0
            && self.more.is_empty()
            && self.wanted.is_all()
    }

    fn append(&mut self, piece: Piece, place: Place, table: &mut Table) {
        let first_row = table.rows.len();
        table.append(piece.table, Seam { source: self.id.0, kept: self.got.kept, place });
        self.got.append(piece.got, self.id, first_row, place);
    }
}

fn written(value: &impl Wire) -> Vec<u8> {
    let mut out = Vec::new();
    value.put(&mut out);
    out
}

/// All of the bytes, or nothing.
fn read<T: Wire>(mut bytes: &[u8]) -> Option<T> {
    T::take(&mut bytes).filter(|_| bytes.is_empty())
}

wire!(Continuation { path, profile, format, limits });
wire!(Limits { record_len, document_len, records });
wire!(Piece { from, is_sure, bytes, lines, table, got });
wire!(Gathered { kept, repaired, skipped, skips, unknown, unknown_count, findings });
wire!(Skipped { start, end, line, column });
wire!(Place { offset, line, column });
wire!(Finding {
    rule,
    severity,
    source,
    record,
    run,
    iteration,
    line,
    column,
    offset,
    pointer,
    expected,
    found,
    evidence,
    message,
    hint,
});
wire!(Evidence { record, number });
