//! `episodic-attempt`.

use serde_json::Value;

use super::super::account::{Account, Context};
use super::super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "episodic-attempt",
        title: "Attempt of an episodic memory",
        gives: "an attempt with its plan, rated steps and outcome",
        known_by: "`task_id` with an object `execution` or `outcome`",
        found_at: "tasks/{task}/attempts/NNN/attempt.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["task_id", "execution"],
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
