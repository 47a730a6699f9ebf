//! What a chart asks the worker for.

use hindscope::{Origin, RunId};
use serde::{Deserialize, Serialize};

use super::columns::Floats;

/// Iterations whose reflections are in the window when another begins, and how its reward is
/// written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct HeldBody {
    /// Number of the one that begins.
    pub(crate) at: i64,
    /// Ordinals, ascending.
    pub(crate) ordinals: Vec<u32>,
    /// The reward as the record spells it, where that is not the value itself.
    pub(crate) written: Option<String>,
}

/// Series beside the one that a run has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SeriesBody {
    pub(crate) run: Option<RunId>,
    pub(crate) names: Vec<String>,
    /// The one that was asked for, if there is one of that name.
    pub(crate) chosen: Option<SeriesColumns>,
    /// Records that were not read because there are too many, or because they cannot be read.
    pub(crate) unread: u32,
}

/// One series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SeriesColumns {
    pub(crate) name: String,
    pub(crate) origin: Origin,
    pub(crate) rule: Option<String>,
    pub(crate) rewards: Floats,
}

/// The part of a run that a picture of its chart shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChartPart {
    /// Number of the first iteration; absent: from the beginning.
    pub(crate) first: Option<i64>,
    /// Number of the last one; absent: to the end.
    pub(crate) last: Option<i64>,
    pub(crate) is_points: bool,
}
