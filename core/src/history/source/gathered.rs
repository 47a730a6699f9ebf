//! What is known of a source after reading: counts, what was passed over, findings.

use super::found::Findings;
use crate::model::view::Skipped;
use crate::source::position::Position;

/// Records that were kept, repaired and passed over, and what there is to say of them.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) kept: u32,
    pub(super) repaired: u32,
    pub(super) skipped: u32,
    /// Where they stand, as far as they are stretches of their own.
    pub(super) skips: Vec<Skipped>,
    /// The first record that no format fits: its place and the nearest formats.
    pub(super) unknown: Option<(Position, String)>,
    /// How many there are.
    pub(super) unknown_count: u32,
    pub(super) findings: Findings,
}
