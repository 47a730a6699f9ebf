//! `episodic-summary`.

use serde_json::Value;

use super::super::account::{Account, Context};
use super::super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "episodic-summary",
        title: "Summary of a task",
        gives: "counts to check the task by",
        known_by: "its path alone",
        found_at: "tasks/{task}/summary.json",
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
