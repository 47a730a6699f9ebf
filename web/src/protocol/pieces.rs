//! What a worker and its helpers say to each other.

use serde::{Deserialize, Serialize};

use crate::browser::{ByteBlock, FileHandle};

/// Read this stretch of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stretch {
    pub(crate) number: u32,
    pub(crate) file: FileHandle,
    /// The lines that begin from here on, but for one that ends before.
    pub(crate) from: u64,
    /// Up to the end of the line that holds the byte before.
    pub(crate) to: u64,
    /// What is known of the file, as [`hindscope::Continuation`] writes it.
    pub(crate) continuation: Vec<u8>,
}

/// The helper is done with a stretch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReadStretch {
    pub(crate) number: u32,
    /// Nothing: it could not be read, or holds no line that ends.
    pub(crate) made: Option<Made>,
    /// Bytes that the helper has taken.
    pub(crate) memory: f64,
}

/// What is in a stretch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Made {
    /// Where its first line begins.
    pub(crate) start: u64,
    pub(crate) bytes: ByteBlock,
    /// As [`hindscope::Piece`] writes it.
    pub(crate) piece: ByteBlock,
}
