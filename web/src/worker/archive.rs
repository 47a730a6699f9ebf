//! An archive while it is read: a source for each entry, and a file behind each that is kept.

use hindscope::{ArchiveEntry, More, SourceId, SourceState, Unpacked, Unpacker};

use super::session::Session;
use crate::browser::{FileHandle, Spool};

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

/// The state after one step of reading.
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
    pub(super) fn step(&mut self, session: &mut Session) -> Reading {
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
                let source = session.open(&about.path, None);
                let spool = about.stored_at.is_none().then(Spool::default);
                self.entries += 1;
                self.entry = Some(Entry { source, about, spool });
            }
            Unpacked::Data(bytes) => self.take(session, &bytes),
            Unpacked::End => {
                if let Some(entry) = self.entry.take() {
                    session.finish(entry.source);
                    self.keep(session, entry);
                }
            }
            Unpacked::Refused(refusal) => {
                if let Some(entry) = self.entry.take() {
                    session.refuse(entry.source, &refusal);
                    self.keep(session, entry);
                }
            }
            Unpacked::Done => return Reading::Done,
        }
        Reading::More
    }

    fn take(&mut self, session: &mut Session, bytes: &[u8]) {
        let Some(entry) = &mut self.entry else { return };
        if session.push(entry.source, bytes) == More::Enough {
            entry.spool = None;
            self.unpacker.skip();
        } else if let Some(spool) = &mut entry.spool {
            spool.take(bytes);
        }
    }

    /// Ends reading, for a reason of the reader's.
    pub(super) fn cancel(mut self, session: &mut Session, reason: &str) {
        if let Some(entry) = self.entry.take() {
            session.fail(entry.source, reason);
            self.keep(session, entry);
        }
    }

    /// Puts a file behind the source, for whoever looks at its records or its text.
    fn keep(&self, session: &mut Session, entry: Entry) {
        let Ok(view) = session.history.source(entry.source) else { return };
        if !matches!(view.state, SourceState::Read | SourceState::Raw) {
            return;
        }
        let file = match (entry.about.stored_at, entry.spool) {
            (Some(at), _) => self.handle.part(&entry.about.path, at, at + view.bytes),
            (None, Some(spool)) => spool.finish(&entry.about.path),
            (None, None) => return,
        };
        if let Ok(file) = file {
            session.files.put(entry.source, Some(file));
        }
    }
}
