//! `iteration-analytics`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "iteration-analytics",
        title: "Iteration analytics",
        gives: "iterations with quality scores, usage and reflections, and a declared summary",
        known_by: "`iterations` with `quality_score`, and `total_iterations` or `quality_trajectory`; or `history` with `quality` and `scores`",
        found_at: "analytics/{loop}.json, loops/{loop}/analytics/analytics.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["iterations", "total_iterations"],
    base: Some(1),
    rank: 8,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
