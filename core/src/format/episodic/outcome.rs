//! `episodic-outcome`.

use serde_json::Value;

use super::super::account::{Account, Context};
use super::super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "episodic-outcome",
        title: "Outcome of an attempt",
        gives: "how an attempt ended",
        known_by: "`status` with `final_quality` or `completion_percent`",
        found_at: "tasks/{task}/attempts/NNN/outcome.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["status", "final_quality"],
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
