//! An archive while it is read: a source for each entry, and a file behind each that is kept.

use hindscope::{ArchiveEntry, More, SourceId, SourceState, Unpacked, Unpacker};

use super::desk::Desk;
use crate::platform::{FileHandle, Spool};

/// One archive.
pub(super) struct Archive {
    handle: FileHandle,
    unpacker: Unpacker,
    entry: Option<Entry>,
    entries: u32,
}

/// The entry that is being read.
struct Entry {
    source: SourceId,
    about: ArchiveEntry,
    /// Its bytes, where they are packed: records are looked at again.
    spool: Option<Spool>,
}

/// What one step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// So many bytes of the archive were read.
    Read(u64),
    /// There is more in what was read.
    More,
    Done,
}

impl Archive {
    pub(super) fn new(path: &str, handle: FileHandle) -> Self {
        let unpacker = Unpacker::new(path, handle.size());
        Self { handle, unpacker, entry: None, entries: 0 }
    }

    /// Entries that were begun.
    pub(super) fn entries(&self) -> u32 {
        self.entries
    }

    /// Reads or unpacks one piece.
    pub(super) fn step(&mut self, desk: &mut Desk) -> Reading {
        match self.unpacker.next() {
            Unpacked::Wants { start, end } => {
                match self.handle.read(start, end) {
                    Ok(bytes) => {
                        let taken = self.unpacker.give(&bytes);
                        debug_assert!(taken.is_ok(), "these are what it wants: {taken:?}");
                    }
                    Err(reason) => self.unpacker.fail(&reason),
                }
                return Reading::Read(end - start);
            }
            Unpacked::Entry(about) => {
                let source = desk.open(&about.path, None);
                let spool = about.stored_at.is_none().then(Spool::default);
                self.entries += 1;
                self.entry = Some(Entry { source, about, spool });
            }
            Unpacked::Data(bytes) => self.take(desk, &bytes),
            Unpacked::End => {
                if let Some(entry) = self.entry.take() {
                    desk.finish(entry.source);
                    self.keep(desk, entry);
                }
            }
            Unpacked::Refused(refusal) => {
                if let Some(entry) = self.entry.take() {
                    desk.refuse(entry.source, &refusal);
                    self.keep(desk, entry);
                }
            }
            Unpacked::Done => return Reading::Done,
        }
        Reading::More
    }

    fn take(&mut self, desk: &mut Desk, bytes: &[u8]) {
        let Some(entry) = &mut self.entry else { return };
        if desk.push(entry.source, bytes) == More::Enough {
            entry.spool = None;
            self.unpacker.skip();
        } else if let Some(spool) = &mut entry.spool {
            spool.take(bytes);
        }
    }

    /// Ends reading, for a reason of the reader's.
    pub(super) fn cancel(mut self, desk: &mut Desk, reason: &str) {
        if let Some(entry) = self.entry.take() {
            desk.fail(entry.source, reason);
            self.keep(desk, entry);
        }
    }

    /// Puts a file behind the source, for whoever looks at its records or its text.
    fn keep(&self, desk: &mut Desk, entry: Entry) {
        let Ok(view) = desk.history.source(entry.source) else { return };
        if !matches!(view.state, SourceState::Read | SourceState::Raw) {
            return;
        }
        let file = match (entry.about.stored_at, entry.spool) {
            (Some(at), _) => self.handle.part(&entry.about.path, at, at + view.bytes),
            (None, Some(spool)) => spool.finish(&entry.about.path),
            (None, None) => return,
        };
        if let Ok(file) = file {
            desk.hold(entry.source, file);
        }
    }
}
