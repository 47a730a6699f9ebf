//! `episodic-trajectory`.

use serde_json::Value;

use super::super::account::{Account, Context};
use super::super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "episodic-trajectory",
        title: "Trajectory of an episodic memory",
        gives: "attempts with plans, outcomes and milestones",
        known_by: "`task_id` and `attempts` with `attempt_id`",
        found_at: "tasks/{task}/trajectory.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["task_id", "attempts"],
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
