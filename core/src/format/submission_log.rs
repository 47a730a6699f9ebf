//! `submission-log`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "submission-log",
        title: "Submissions to a judge",
        gives: "submissions with the share of tests passed",
        known_by: "a boolean `reward`, a text `status` and an object `info`",
        found_at: "any name; Reflexion's is a timestamp",
    },
    family: Family::Files,
    fits,
    fits_path: BY_CONTENT,
    marks: &["reward", "status", "info"],
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
