//! `loop-registry`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "loop-registry",
        title: "Registry of loops",
        gives: "descriptions of runs that may not be open",
        known_by: "a list `active_loops`; or an object `loops` whose values have `pid`",
        found_at: "registry.json, launcher-registry.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["active_loops"],
    base: Some(1),
    rank: 13,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
