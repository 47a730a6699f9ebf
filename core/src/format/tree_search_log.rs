//! `tree-search-log`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "tree-search-log",
        title: "Tree search log (LATS)",
        gives: "tasks with first and final implementation and the search's reflections",
        known_by: "a programming row whose `implementations` are not one more than its `reflections`, or with `acc` and no `is_solved`",
        found_at: "any name with dfs or mcts",
    },
    family: Family::Files,
    fits,
    fits_path: BY_CONTENT,
    marks: &["entry_point", "acc"],
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
