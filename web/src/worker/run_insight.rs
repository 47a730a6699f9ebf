//! What the rules of insight say of a run.

use hindscope::{Explanation, ReflectionNews, RunId};

use crate::protocol::Totals;

/// What a run teaches, by all rules.
pub(crate) struct RunInsight {
    pub(crate) run: RunId,
    pub(crate) explanation: Explanation,
    /// Its reflections, for a run that is looked at.
    pub(crate) news: Vec<ReflectionNews>,
    /// How many of its lessons recur, if enough of them was read.
    pub(crate) recurring_lessons: Option<u32>,
    /// Records that were not read because there are too many; rules that need them are left out.
    pub(crate) unread: u32,
    /// Why one of them could not be read.
    pub(crate) problem: Option<String>,
    /// What its iterations took.
    pub(crate) totals: Totals,
}
