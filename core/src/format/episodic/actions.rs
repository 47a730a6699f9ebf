//! `episodic-actions`.

use serde_json::Value;

use super::super::account::{Account, Context};
use super::super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "episodic-actions",
        title: "Actions of an attempt",
        gives: "actions with reasoning, expectation and result",
        known_by: "`tool`, or `type` with `params`, `reasoning` or `expected_outcome`",
        found_at: "tasks/{task}/attempts/NNN/actions.jsonl",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["tool", "params"],
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
