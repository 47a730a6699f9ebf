//! Links to what others are to open.

use serde::{Deserialize, Serialize};

use super::RunAddress;

/// Whether what is open is what a link means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Linked {
    /// Sources that the link names and that are not open.
    pub(crate) missing: Vec<String>,
    /// A source with the name of one of them is open, with other content.
    pub(crate) is_changed: bool,
    /// A run of that name is open.
    pub(crate) has_run: bool,
    /// It is of the source that the link names.
    pub(crate) is_of_run: bool,
    /// Another run of that name, which is of that source.
    pub(crate) better: Option<RunAddress>,
}
