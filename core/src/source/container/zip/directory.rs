//! The directory at the end of a zip: found from its end, read from its start.

use super::super::window::{Wanted, Window};
use super::field;
use super::listed::{self, CENTRAL_LEN, Listed};

/// The end record without its comment, and the longest comment.
const END_LEN: usize = 22;
const MAX_COMMENT_LEN: usize = 0xffff;
/// What says where the wide end record is, and stands right before the end record.
const LOCATOR_LEN: usize = 20;
const WIDE_END_LEN: usize = 56;

/// Reads the directory, as far as its bytes are at hand.
#[derive(Debug)]
pub(super) struct Directory {
    state: State,
    pub(super) listed: Vec<Listed>,
    max_entries: u32,
}

#[derive(Debug)]
enum State {
    End,
    WideEnd { at: u64 },
    Entries { at: u64, left: u64, total: u64 },
}

/// What became of the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Everything is listed.
    Complete,
    /// So many entries are more than may be; the first ones are listed.
    TooMany(u64),
    /// It is not there, or damaged.
    Damaged,
}

impl Directory {
    pub(super) fn new(max_entries: u32) -> Self {
        Self { state: State::End, listed: Vec::new(), max_entries }
    }

    pub(super) fn read(&mut self, window: &Window) -> Result<Outcome, Wanted> {
        loop {
            let next = match self.state {
                State::End => end(window)?,
                State::WideEnd { at } => wide_end(window.get(at, WIDE_END_LEN)?),
                State::Entries { left: 0, .. } => return Ok(Outcome::Complete),
                State::Entries { total, .. } if self.listed.len() >= self.max_entries as usize => {
                    return Ok(Outcome::TooMany(total));
                }
                State::Entries { at, left, total } => self.entry(window, at)?.map(|len| {
                    State::Entries { at: at.saturating_add(len as u64), left: left - 1, total }
                }),
            };
            let Some(next) = next else { return Ok(Outcome::Damaged) };
            self.state = next;
        }
    }

    /// Reads one entry; its length, or nothing if it is none.
    fn entry(&mut self, window: &Window, at: u64) -> Result<Option<usize>, Wanted> {
        let Some(lengths) = listed::central_lengths(window.get(at, CENTRAL_LEN)?) else {
            return Ok(None);
        };
        let len = CENTRAL_LEN + lengths.name + lengths.extra + lengths.comment;
        let entry = window.get(at, len)?.get(..len).and_then(|b| Listed::central(b, lengths));
        Ok(entry.map(|entry| {
            self.listed.push(entry);
            len
        }))
    }
}

/// Finds the end record, which a comment may follow.
fn end(window: &Window) -> Result<Option<State>, Wanted> {
    let most = (LOCATOR_LEN + END_LEN + MAX_COMMENT_LEN) as u64;
    let start = window.size.saturating_sub(most);
    let tail = window.get(start, usize::try_from(most).unwrap_or(usize::MAX))?;
    let Some(at) = memchr::memmem::rfind(tail, b"PK\x05\x06") else { return Ok(None) };
    let record = tail.get(at..).unwrap_or_default();
    let Some((count, from)) = field::u16_at(record, 10).zip(field::u32_at(record, 16)) else {
        return Ok(None);
    };
    if count == u16::MAX || from == u32::MAX {
        let locator = at.checked_sub(LOCATOR_LEN).and_then(|from| tail.get(from..at));
        let wide =
            locator.filter(|l| l.starts_with(b"PK\x06\x07")).and_then(|l| field::u64_at(l, 8));
        if let Some(at) = wide {
            return Ok(Some(State::WideEnd { at }));
        }
    }
    let total = u64::from(count);
    Ok(Some(State::Entries { at: u64::from(from), left: total, total }))
}

fn wide_end(record: &[u8]) -> Option<State> {
    if !record.starts_with(b"PK\x06\x06") {
        return None;
    }
    let (total, at) = field::u64_at(record, 32).zip(field::u64_at(record, 48))?;
    Some(State::Entries { at, left: total, total })
}
