//! What a run teaches.

use hindscope::{Explanation, RunId};
use serde::{Deserialize, Serialize};

/// What a run teaches, by all rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExplainBody {
    pub(crate) run: RunId,
    pub(crate) explanation: Explanation,
    /// Records that were not read because there are too many; rules that need them are left out.
    pub(crate) unread: u32,
    /// Why one of them could not be read.
    pub(crate) problem: Option<String>,
}
