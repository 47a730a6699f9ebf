//! `loop-state`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "loop-state",
        title: "State of a loop",
        gives: "a run with its status, limits, lessons and iterations",
        known_by: "three of task, criteria, limit, counter, `status`, `active` and start, in any spelling",
        found_at: "current-loop.json, state.json, loop-state.json, session-state.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["task", "status", "iterations"],
    base: Some(1),
    rank: 5,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
