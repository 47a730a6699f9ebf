//! `episodic-plan`.

use serde_json::Value;

use super::super::account::{Account, Context, Cuts};
use super::super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "episodic-plan",
        title: "Plan of an attempt",
        gives: "the plan as text",
        known_by: "its path alone",
        found_at: "tasks/{task}/attempts/NNN/plan.md",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &[],
    base: Some(1),
    rank: 13,
    reading: Reading::Text { cut, tell },
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn cut(_text: &str) -> Cuts {
    Cuts::default()
}

fn tell(_text: &str, _context: &Context) -> Account {
    Account::default()
}
