//! `analytics-csv`.

use serde_json::Value;

use super::account::{Account, Context, Cuts};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "analytics-csv",
        title: "CSV of iteration analytics",
        gives: "iterations with quality scores and usage",
        known_by: "the exact header line",
        found_at: "any name, *.csv",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &[],
    base: Some(1),
    rank: 11,
    reading: Reading::Text { cut, tell },
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn cut(_text: &str) -> Cuts {
    Cuts::default()
}

fn tell(_text: &str, _context: &Context) -> Account {
    Account::default()
}
