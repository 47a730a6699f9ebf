//! What all sources of a history share while they are read.

use super::budget::Budget;
use super::row::Table;
use crate::format::record::Readings;

/// Where a source writes what it finds, and what it reads records with: one of each for all sources, since
/// a tree may have thousands of files with a record or two in each.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub(super) table: &'a mut Table,
    pub(super) readings: &'a mut Readings,
    pub(super) budget: &'a mut Budget,
}
