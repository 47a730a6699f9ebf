//! `best-output`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "best-output",
        title: "Best-output tracking",
        gives: "iterations with quality scores, their dimensions and the selected best",
        known_by: "`best_iteration_number` and `iterations` with `dimensions`, or `config.quality_weights`",
        found_at: "best-output-tracking.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["best_iteration_number", "iterations"],
    base: Some(1),
    rank: 7,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
