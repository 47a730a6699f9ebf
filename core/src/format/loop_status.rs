//! `loop-status`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "loop-status",
        title: "Captured status output",
        gives: "runs with their state",
        known_by: "`loopId` with `state`; `loops` of `loop_id` and `task_summary`; or `active: false` with a reason",
        found_at: "captured output, of any name",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["loopId", "state"],
    base: Some(1),
    rank: 10,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
