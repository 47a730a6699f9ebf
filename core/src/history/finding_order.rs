//! Where findings of a history stand, so that some of a million can be made alone.

use std::cell::RefCell;

use crate::model::finding::Finding;
use crate::model::id::SourceId;

/// Findings by place.
#[derive(Debug, Default)]
pub(super) struct Order {
    pub(super) stretches: Vec<Stretch>,
    /// The findings of the place at which the last query stopped: the next one likely goes on there.
    pub(super) last: RefCell<Option<(Place, Vec<Finding>)>>,
}

/// A source, and where a record of it begins.
pub(super) type Place = (Option<SourceId>, u64);

/// Findings that are made together: all that a table finds in one record, or a single other finding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) source: Option<SourceId>,
    /// Where their record begins, or where the one stands.
    pub(super) at: u64,
    /// Position of their source, or `None` for findings of grouping; and their position among its items.
    pub(super) item: (Option<u32>, u32),
    /// How many findings there are up to the last of them.
    pub(super) end: usize,
}
