//! `trial-results`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "trial-results",
        title: "Totals of each trial",
        gives: "how many tasks were solved at each trial",
        known_by: "integers `trial`, `correct` and `incorrect`",
        found_at: "any name",
    },
    family: Family::Totals,
    fits,
    fits_path: BY_CONTENT,
    marks: &["trial", "correct", "incorrect"],
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
