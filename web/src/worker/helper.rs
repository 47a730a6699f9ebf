//! A helper's work: a stretch of a file of lines, read apart from the history.

use super::lines::{border, offset, within};
use hindscope::{Continuation, PieceReader};

use super::host;
use crate::browser::{ByteBlock, FileHandle};
use crate::protocol::{Made, ReadStretch, Stretch, float};

/// The line at the end of a stretch is looked for in so many bytes behind it, then in more.
const BEHIND: [u64; 2] = [64 << 10, 4 << 20];

/// Turns the current context into a helper.
pub(super) fn register() {
    host::on_stretches(|stretch| ReadStretch {
        number: stretch.number,
        made: read(&stretch),
        memory: float(host::memory()),
    });
}

fn read(stretch: &Stretch) -> Option<Made> {
    let (start, bytes) = lines(&stretch.file, stretch.from, stretch.to)?;
    let mut reader = PieceReader::new(Continuation::from_bytes(&stretch.continuation)?);
    reader.push(&bytes);
    let piece = reader.finish().to_bytes();
    Some(Made { start, bytes: ByteBlock::of(&bytes), piece: ByteBlock::of(&piece) })
}

/// The lines of a stretch, and where they begin. Stretches that meet have lines that meet.
fn lines(file: &FileHandle, from: u64, to: u64) -> Option<(u64, Vec<u8>)> {
    let before = from.checked_sub(1)?;
    for behind in BEHIND {
        let end = file.size().min(to + behind);
        let mut bytes = file.read(before, end).ok()?;
        let start = within(from, before, &bytes)?;
        if start > offset(before, to) {
            return None;
        }
        if let Some(end) = border(&bytes, before, to, end == file.size()) {
            bytes.truncate(end);
            bytes.drain(..start);
            return Some((before + start as u64, bytes));
        }
    }
    None
}
