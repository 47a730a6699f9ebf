//! Searching: what is asked, and what was found so far.

use hindscope::{Hit, SearchPart, SearchProgress};
use serde::{Deserialize, Serialize};

use super::{Page, RunAddress};

/// What is looked for, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SearchSpec {
    /// A query without mistakes.
    pub(crate) text: String,
    pub(crate) parts: Vec<SearchPart>,
    /// In one run only.
    pub(crate) run: Option<RunAddress>,
}

/// What was found so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SearchBody {
    /// The text that was searched for: while another is typed, these are still the numbers of this one.
    pub(crate) text: String,
    pub(crate) progress: SearchProgress,
    pub(crate) is_cancelled: bool,
    /// Hits that are kept; more are counted only.
    pub(crate) kept: u32,
    /// Runs and files, each followed by its hits.
    pub(crate) page: Page<SearchRow>,
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum SearchRow {
    /// A run or a file, and how many hits it has so far.
    Head {
        run: Option<RunAddress>,
        name: String,
        hits: u32,
    },
    Hit(Box<FoundHit>),
}

/// A hit with the names that ids stand for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FoundHit {
    /// Position among all hits, from 0.
    pub(crate) at: u32,
    /// Its row in the list.
    pub(crate) row: u32,
    pub(crate) run: Option<RunAddress>,
    pub(crate) path: String,
    pub(crate) hit: Hit,
}
