//! `cross-task`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "cross-task",
        title: "Memory across tasks",
        gives: "tasks with outcomes, reflections and learnings",
        known_by: "`tasks` with `exported_at` or `last_updated`; or `task_id` with `key_learnings`",
        found_at: "memory/task-index.json, memory/tasks/{id}.json, any export",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["tasks", "exported_at"],
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
