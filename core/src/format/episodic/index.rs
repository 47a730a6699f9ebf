//! `episodic-index`.

use serde_json::Value;

use super::super::account::{Account, Context};
use super::super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "episodic-index",
        title: "Index of an episodic memory",
        gives: "ids of tasks that may not be open",
        known_by: "its path alone",
        found_at: "index/by-status.json, index/by-agent.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &[],
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
