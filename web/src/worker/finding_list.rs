//! The findings that a choice lets through, each by where it is kept.

use crate::protocol::{FindingGroup, FindingsBody};

/// A finding, by where it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// Among those of reading.
    Read(u32),
    /// Among those of a run that was judged.
    Judged(u32, u32),
}

/// A line of the list.
#[derive(Clone, Copy)]
pub(crate) enum Line {
    /// By its position among the groups.
    Group(u32),
    Finding(At),
}

/// What a choice lets through.
#[derive(Default)]
pub(crate) struct FindingList {
    pub(crate) lines: Vec<Line>,
    pub(crate) groups: Vec<FindingGroup>,
    pub(crate) body: FindingsBody,
}
