//! `episodic-reflection`.

use serde_json::Value;

use super::super::account::{Account, Context};
use super::super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "episodic-reflection",
        title: "Reflections of an episodic memory",
        gives: "reflections with their triggers, by attempt",
        known_by: "`attempt_id` with two of `observation`, `analysis`, `learning`",
        found_at: "tasks/{task}/reflections.jsonl",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["attempt_id", "observation"],
    base: None,
    rank: 3,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
