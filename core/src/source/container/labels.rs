//! What an unpacker is given, and what it says.

#[cfg(doc)]
use super::Unpacker;
#[cfg(doc)]
use crate::error::ErrorCode;
use crate::error::{Error, word_of};
use crate::labels::labels;
use serde::Serialize;

/// How much an archive may hold (docs/spec/formats.md, "Archives and folders"). What goes beyond is
/// reported, and not unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnpackLimits {
    /// Bytes of all entries together, unpacked.
    pub total: u64,
    /// How many times as large as its packed bytes an entry may become.
    pub ratio: u64,
    /// Unpacked bytes up to which an entry may have any ratio; four times as many for all entries together,
    /// to which the ratio applies, too.
    pub ratio_after: u64,
    /// Entries of an archive; ten times as many of an export of hindscope.
    pub entries: u32,
}

impl Default for UnpackLimits {
    fn default() -> Self {
        Self { total: 16 << 30, ratio: 1000, ratio_after: 64 << 20, entries: 100_000 }
    }
}

/// An entry of an archive, or what is said of the archive as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// Position among the entries of this archive, from 0. [`Unpacker::only`] takes it.
    pub number: u32,
    /// Path of the archive and path inside, `/` between them. Gzip data that is one file has the
    /// path without `.gz`. What is said of the archive has the path of the archive.
    pub path: String,
    /// Bytes when unpacked; absent if the archive does not state them, or states them behind the entry.
    pub size: Option<u64>,
    /// Offset of its bytes in the archive if they are stored as they are; absent if they are compressed.
    pub stored_at: Option<u64>,
}

/// What an unpacker says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpacked {
    /// It wants bytes `start..end` of the archive: hand them to [`Unpacker::give`].
    Wants {
        /// First byte.
        start: u64,
        /// The byte after the last one.
        end: u64,
    },
    /// An entry begins.
    Entry(ArchiveEntry),
    /// Bytes of the entry, some 64 KiB at a time.
    Data(Vec<u8>),
    /// The entry is complete.
    End,
    /// The entry is not given, or not any further; what was given stays.
    Refused(Refusal),
    /// There is nothing more.
    Done,
}

/// Why something is not opened, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What it means.
    pub kind: RefusalKind,
    /// Why, as a part of a sentence: `it is encrypted`.
    pub reason: String,
}

labels! {
    /// What a [`Refusal`] means. Its word is the rule of its finding.
    RefusalKind {
        /// It is of a kind that is not opened, or above a limit.
        Refused = "source/refused",
        /// It is damaged, or the host could not read it.
        Unreadable = "source/unreadable",
        /// A suspected decompression bomb.
        Bomb = "container/bomb",
    }
}

impl RefusalKind {
    /// The kind with this rule.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`].
    pub fn parse(rule: &str) -> Result<Self, Error> {
        word_of("kind", Self::named(rule), &Self::ALL.map(Self::as_str), rule)
    }
}

impl Refusal {
    pub(super) fn new(kind: RefusalKind, reason: impl Into<String>) -> Self {
        Self { kind, reason: reason.into() }
    }

    pub(super) fn refused(reason: impl Into<String>) -> Self {
        Self::new(RefusalKind::Refused, reason)
    }

    pub(super) fn unreadable(reason: impl Into<String>) -> Self {
        Self::new(RefusalKind::Unreadable, reason)
    }

    pub(super) fn too_many(limit: usize, total: Option<u64>) -> Self {
        let total = total.map_or_else(String::new, |total| format!(" ({total})"));
        Self::refused(format!(
            "it has more entries{total} than the limit of {limit}; unpack it and open the folder"
        ))
    }
}
