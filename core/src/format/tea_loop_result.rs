//! `tea-loop-result`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "tea-loop-result",
        title: "Result of the_edge_agent's reflection loop",
        gives: "attempts with scores, errors and evaluator feedback",
        known_by: "a list `reflection_history` (or `history`) whose items have `score` and `valid`",
        found_at: "a stored result or graph state, of any name",
    },
    family: Family::Files,
    fits,
    fits_path: BY_CONTENT,
    marks: &["reflection_history"],
    base: Some(1),
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
