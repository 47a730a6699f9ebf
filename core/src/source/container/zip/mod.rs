//! Zip: entries by the directory at its end; where that is lost, by the headers before their data.

mod directory;
mod field;
mod listed;
mod unpack;

use super::kind::is_litter;
use super::meter::Meter;
use super::window::{Wanted, Window};
use super::{Member, Part, Refusal, RefusalKind};
use crate::model::natural::natural;
use crate::sort::StableSort as _;
use directory::{Directory, Outcome};
use listed::{DEFLATED, LOCAL_LEN, Listed, SIZES_FOLLOW, STORED};
use unpack::Unpack;

/// Walks through a zip archive.
#[derive(Debug)]
pub(super) struct Zip {
    path: String,
    state: State,
    /// What is wrong with the archive as a whole.
    problem: Option<Refusal>,
}

#[derive(Debug)]
enum State {
    Directory(Directory),
    /// Entries that are still to be read, the next one last.
    Listed {
        waiting: Vec<Listed>,
        current: Option<Unpack>,
    },
    /// Without a directory: the entry at an offset.
    Headers {
        at: u64,
        found: u32,
        current: Option<Unpack>,
        sizes_follow: bool,
    },
    Over,
}

impl Zip {
    pub(super) fn new(path: &str, meter: &Meter) -> Self {
        Self {
            path: path.to_owned(),
            state: State::Directory(Directory::new(meter.max_entries())),
            problem: None,
        }
    }

    /// Leaves the rest of the current entry out.
    pub(super) fn skip(&mut self) {
        match &mut self.state {
            State::Listed { current, .. } | State::Headers { current, sizes_follow: false, .. } => {
                *current = None;
            }
            // Only the end of its data shows where the next header stands: the data still comes,
            // and whoever asks leaves it out.
            State::Headers { .. } | State::Directory(_) | State::Over => {}
        }
    }

    pub(super) fn next(&mut self, window: &Window, meter: &mut Meter) -> Result<Part, Wanted> {
        loop {
            let part = match &mut self.state {
                State::Directory(_) => {
                    self.directory(window)?;
                    None
                }
                State::Listed { .. } => self.listed(window, meter)?,
                State::Headers { .. } => self.headers(window, meter)?,
                State::Over => Some(Part::Over(self.problem.take())),
            };
            if let Some(part) = part {
                return Ok(part);
            }
        }
    }

    fn directory(&mut self, window: &Window) -> Result<(), Wanted> {
        let State::Directory(directory) = &mut self.state else { return Ok(()) };
        let outcome = directory.read(window)?;
        let mut waiting = std::mem::take(&mut directory.listed);
        self.problem = match outcome {
            Outcome::Complete => None,
            Outcome::TooMany(total) => Some(Refusal::too_many(waiting.len(), Some(total))),
            Outcome::Damaged => {
                self.state = State::Headers { at: 0, found: 0, current: None, sizes_follow: false };
                return Ok(());
            }
        };
        separate(&mut waiting);
        waiting.retain(|listed| !listed.is_folder() && !is_litter(&listed.path));
        // The order in which a folder is read, so that both give the same history.
        waiting.stable_sort_by(|a, b| natural(&b.path, &a.path));
        self.state = State::Listed { waiting, current: None };
        Ok(())
    }

    fn listed(&mut self, window: &Window, meter: &mut Meter) -> Result<Option<Part>, Wanted> {
        let State::Listed { waiting, current } = &mut self.state else { return Ok(None) };
        if let Some(unpack) = current {
            let part = unpack.next(window, meter)?;
            if part.is_none() {
                *current = None;
            }
            return Ok(part);
        }
        let Some(listed) = waiting.last() else {
            self.state = State::Over;
            return Ok(None);
        };
        let path = format!("{}/{}", self.path, listed.path);
        let refusal = if let Some(refusal) = listed.refusal() {
            refusal
        } else if listed.is_overlapping(listed.at.saturating_add(LOCAL_LEN as u64)) {
            overlapping()
        } else if let Some(lengths) = listed::local_lengths(window.get(listed.at, LOCAL_LEN)?) {
            let len = (LOCAL_LEN + lengths.name + lengths.extra) as u64;
            let data_at = listed.at.saturating_add(len);
            if listed.is_overlapping(data_at) {
                overlapping()
            } else {
                *current = Some(Unpack::new(listed, data_at, true));
                let member = member(path, listed, data_at);
                waiting.pop();
                return Ok(Some(Part::Begin(member)));
            }
        } else {
            Refusal::unreadable("the archive has other data at its position")
        };
        waiting.pop();
        Ok(Some(Part::Refused { path, refusal }))
    }

    fn headers(&mut self, window: &Window, meter: &mut Meter) -> Result<Option<Part>, Wanted> {
        let State::Headers { at, found, current, sizes_follow } = &mut self.state else {
            return Ok(None);
        };
        if let Some(unpack) = current {
            let part = unpack.next(window, meter)?;
            if part.is_some() {
                return Ok(part);
            }
            if *sizes_follow {
                *at = behind_sizes(window, unpack)?;
            }
            *current = None;
        }
        let header = window.get(*at, LOCAL_LEN)?;
        let Some(lengths) = listed::local_lengths(header) else {
            return Ok(self.end_of_headers());
        };
        let len = LOCAL_LEN + lengths.name + lengths.extra;
        let header = window.get(*at, len)?.get(..len);
        let Some(listed) = header.and_then(|header| Listed::local(header, lengths, *at)) else {
            return Ok(self.end_of_headers());
        };
        let data_at = at.saturating_add(len as u64);
        *sizes_follow = listed.flags & SIZES_FOLLOW != 0 && listed.packed == 0;
        if *sizes_follow && (listed.method != DEFLATED || listed.refusal().is_some()) {
            return Ok(self.end_of_headers());
        }
        *found = found.saturating_add(1);
        *at = data_at.saturating_add(listed.packed);
        if listed.is_folder() || is_litter(&listed.path) {
            // The data of a folder ends at once, if there is any.
            *current = sizes_follow.then(|| Unpack::new(&listed, data_at, false));
            return Ok(None);
        }
        let path = format!("{}/{}", self.path, listed.path);
        if let Some(refusal) = listed.refusal() {
            return Ok(Some(Part::Refused { path, refusal }));
        }
        *current = Some(Unpack::new(&listed, data_at, !*sizes_follow));
        Ok(Some(Part::Begin(member(path, &listed, data_at))))
    }

    /// No header follows: the directory, the end, or damage.
    fn end_of_headers(&mut self) -> Option<Part> {
        let found = if let State::Headers { found, .. } = self.state { found } else { 0 };
        self.problem = Some(Refusal::unreadable(format!(
            "the directory at its end is missing or damaged; {found} {} found from its start",
            if found == 1 { "entry was" } else { "entries were" }
        )));
        self.state = State::Over;
        None
    }
}

/// Says of each entry where the next one begins. Of several at one place, the first one listed has room.
fn separate(listed: &mut [Listed]) {
    listed.reverse();
    listed.stable_sort_by_key(|entry| entry.at);
    let mut end = u64::MAX;
    for entry in listed.iter_mut().rev() {
        entry.end = std::mem::replace(&mut end, entry.at);
    }
}

/// Each byte of an archive is unpacked once, so that a small archive takes little time.
fn overlapping() -> Refusal {
    Refusal::new(
        RefusalKind::Bomb,
        "its bytes in the archive are those of another entry, too: this may be a decompression bomb",
    )
}

fn member(path: String, listed: &Listed, data_at: u64) -> Member {
    let has_size = listed.flags & SIZES_FOLLOW == 0 || listed.size > 0;
    Member {
        path,
        size: has_size.then_some(listed.size),
        stored_at: (listed.method == STORED && listed.size == listed.packed).then_some(data_at),
    }
}

/// Where the sizes that follow an entry's data end: 4 or 8 bytes each, with or without a mark.
fn behind_sizes(window: &Window, unpack: &Unpack) -> Result<u64, Wanted> {
    let bytes = window.get(unpack.at, 28)?;
    let crc = unpack.crc().to_le_bytes();
    let from = if bytes.starts_with(b"PK\x07\x08") { 4 } else { 0 };
    let has_crc = bytes.get(from..from + 4) == Some(&crc[..]);
    let is_next = |len: &usize| {
        let follows = bytes.get(*len..).unwrap_or_default();
        has_crc && (follows.starts_with(b"PK") || follows.is_empty())
    };
    let len = [from + 12, from + 20].into_iter().find(is_next);
    Ok(unpack.at.saturating_add(len.unwrap_or(0) as u64))
}
