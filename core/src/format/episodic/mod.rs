//! The tree of an episodic memory: one file for each kind of part (formats.md, 4.4, 4.5).

pub(crate) mod actions;
pub(crate) mod attempt;
pub(crate) mod index;
pub(crate) mod metadata;
pub(crate) mod outcome;
pub(crate) mod plan;
pub(crate) mod reflection;
pub(crate) mod summary;
pub(crate) mod trajectory;
