//! `reflections-index`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "reflections-index",
        title: "Index of reflections",
        gives: "descriptions of runs, and patterns",
        known_by: "an object `loops` and a list `patterns`, with `total_loops` or `total_reflections`",
        found_at: "reflections/index.yaml",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["loops", "patterns"],
    base: Some(1),
    rank: 13,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
