//! `attempt-study`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "attempt-study",
        title: "Study with one object a task",
        gives: "attempts with rewards, answers, reflections and what was really retrieved",
        known_by: "a list `per_attempt_rewards`",
        found_at: "any name",
    },
    family: Family::Files,
    fits,
    fits_path: BY_CONTENT,
    marks: &["per_attempt_rewards"],
    base: Some(0),
    rank: 0,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
