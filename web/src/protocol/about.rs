//! Where a run comes from, and what its records say of it as a whole.

use hindscope::{RecordId, RunDetails, RunId};
use serde::{Deserialize, Serialize};

/// Where a run comes from, and what its records say of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AboutBody {
    pub(crate) run: RunId,
    /// Records that it is made of.
    pub(crate) records: u32,
    /// Files that they stand in.
    pub(crate) all_files: u32,
    pub(crate) files: Vec<FilePlaces>,
    pub(crate) said: Vec<Said>,
    /// Records that were not read because there are too many.
    pub(crate) unread: u32,
    /// Why one of them could not be read.
    pub(crate) problem: Option<String>,
}

/// Records of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FilePlaces {
    pub(crate) path: String,
    pub(crate) records: u32,
    /// The first of them.
    pub(crate) places: Vec<Place>,
}

/// Where a record begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) record: RecordId,
    pub(crate) line: u32,
}

/// A statement, and the records that make it in the same words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Said {
    /// `path:line` of the first of them.
    pub(crate) place: String,
    pub(crate) records: u32,
    pub(crate) says: RunDetails,
}
