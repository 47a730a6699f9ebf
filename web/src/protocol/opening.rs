//! Opening: how much of it, how far each file is, and why it ended early.

use serde::{Deserialize, Serialize};

/// What ends reading before the files do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Limits {
    /// The number of records to read from what is opened now. A few more are kept if the last piece of a
    /// file has them.
    pub(crate) records: Option<u32>,
    /// Only runs with one of these texts in their key; none: all of them.
    pub(crate) runs: Vec<String>,
    /// Limit for the memory of the worker, in bytes. Reading ends once the history does not fit into it, or
    /// once the worker has taken more than 1.125 times as much: WebAssembly takes memory before it needs it.
    pub(crate) memory: f64,
}

impl Limits {
    /// The memory as a length.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and the limit is never negative"
    )]
    pub(crate) fn memory_len(&self) -> usize {
        self.memory as usize
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { records: None, runs: Vec::new(), memory: TAB_HOLDS }
    }
}

/// The usual limit for the memory of the worker, in bytes. WebAssembly has addresses for 4 GB, but a list
/// that grows exists twice for a moment, so only half of that can be used.
pub(crate) const TAB_HOLDS: f64 = 2_147_483_648.0;

/// Why reading ended before the files did. What was read is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ended {
    /// The reader of the page wanted it.
    Cancelled,
    /// The first so many records were asked for.
    Records,
    /// No memory is left.
    Memory,
}

/// A file of those that are being opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileProgress {
    pub(crate) path: String,
    pub(crate) bytes_read: f64,
    pub(crate) bytes_total: f64,
    pub(crate) state: FileState,
    /// Records that were kept.
    pub(crate) records: u32,
    /// Entries, if it is an archive.
    pub(crate) members: Option<u32>,
    /// Name of its format, once that is known.
    pub(crate) format: Option<String>,
    /// Why it is raw or refused.
    pub(crate) reason: Option<String>,
}

/// How far a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FileState {
    Reading,
    Ready,
    Raw,
    Refused,
}

/// From this many bytes or this many files on, runs are shown while files are still being read.
const LONG_BYTES: f64 = 16e6;
const LONG_FILES: u32 = 2000;

/// Whether reading so much takes a while.
pub(crate) fn is_long(bytes: f64, files: u32) -> bool {
    bytes >= LONG_BYTES || files >= LONG_FILES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_and_many_files_take_a_while() {
        assert!(!is_long(15e6, 1999));
        assert!(is_long(16e6, 1) && is_long(0.0, 2000));
    }
}
