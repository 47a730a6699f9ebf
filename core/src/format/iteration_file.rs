//! `iteration-file`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "iteration-file",
        title: "Iteration of a loop",
        gives: "an iteration with its actions, result and tests",
        known_by: "two of `action`, `result`, `verified`, `learnings`, `tests_passed`, `issues_completed`; or the name",
        found_at: "iterations/iteration-{n}.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["action", "result"],
    base: Some(1),
    rank: 9,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
