//! `episodic-metadata`.

use serde_json::Value;

use super::super::account::{Account, Context};
use super::super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "episodic-metadata",
        title: "Task of an episodic memory",
        gives: "a task with its criteria, status and labels",
        known_by: "`id` with `current_attempt` or `total_attempts`",
        found_at: "tasks/{task}/metadata.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["id", "total_attempts"],
    base: Some(1),
    rank: 2,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
