//! What a call knows of the files of a memory, and what it still wants to know.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::store::{FolderNames, MemoryFound, MemoryRead, ReadKind};
use crate::error::{Error, ErrorCode};

/// Why a call has no answer yet, or none at all.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// Something has to be read first.
    Wait,
    Fail(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Fail(error)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    /// What was found, and of a tail how many bytes were asked for.
    found: BTreeMap<String, (Option<u64>, MemoryFound)>,
    /// What has to be read, by its path.
    wanted: RefCell<BTreeMap<String, MemoryRead>>,
}

impl Cache {
    pub(super) fn put(&mut self, path: &str, len_bytes: Option<u64>, found: MemoryFound) {
        self.found.insert(path.to_owned(), (len_bytes, found));
    }

    /// Takes the reads that are wanted and not known, in order of their paths.
    pub(super) fn take_wanted(&self) -> Vec<MemoryRead> {
        self.wanted.take().into_values().collect()
    }

    fn want(&self, kind: ReadKind, path: &str, len_bytes: Option<u64>) {
        // A longer tail than before is wanted anew.
        if self.found.get(path).is_none_or(|(known, _)| *known < len_bytes) {
            let read = MemoryRead { kind, path: path.to_owned(), len_bytes };
            self.wanted.borrow_mut().insert(path.to_owned(), read);
        }
    }

    pub(super) fn want_file(&self, path: &str) {
        self.want(ReadKind::File, path, None);
    }

    pub(super) fn want_tail(&self, path: &str, len_bytes: u64) {
        self.want(ReadKind::Tail, path, Some(len_bytes));
    }

    pub(super) fn want_folder(&self, path: &str) {
        self.want(ReadKind::Folder, path, None);
    }

    /// Goes on only if everything that is wanted is known.
    pub(super) fn settle(&self) -> Result<(), Stop> {
        if self.wanted.borrow().is_empty() { Ok(()) } else { Err(Stop::Wait) }
    }

    /// What was found at a path that was wanted before.
    pub(super) fn at(&self, path: &str) -> &MemoryFound {
        self.found.get(path).map_or(&MemoryFound::Absent, |(_, found)| found)
    }

    /// The names in a folder, none if it is absent.
    pub(super) fn folder(&self, path: &str) -> Result<Option<&FolderNames>, Error> {
        match self.at(path) {
            MemoryFound::Folder(names) => Ok(Some(names)),
            MemoryFound::Failed(why) => Err(unreadable(path, why)),
            _ => Ok(None),
        }
    }

    /// The bytes of a file, none if it is absent.
    pub(super) fn file(&self, path: &str) -> Result<Option<&[u8]>, Error> {
        match self.at(path) {
            MemoryFound::File(bytes) => Ok(Some(bytes)),
            MemoryFound::Failed(why) => Err(unreadable(path, why)),
            _ => Ok(None),
        }
    }
}

fn unreadable(path: &str, why: &str) -> Error {
    Error::new(ErrorCode::MemoryUnreadable, format!("{path} cannot be read: {why}."))
}
