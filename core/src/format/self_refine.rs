//! `self-refine`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "self-refine",
        title: "Self-Refine rows",
        gives: "attempts with feedback and the sentiment reached",
        known_by: "`record_id`, `attempt` and `feedback`",
        found_at: "any name",
    },
    family: Family::Files,
    fits,
    fits_path: BY_CONTENT,
    marks: &["record_id", "attempt", "feedback"],
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
