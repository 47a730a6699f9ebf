//! `analysis-file`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "analysis-file",
        title: "Analysis of an iteration",
        gives: "completion, blockers and the next approach of an iteration",
        known_by: "`completionPercentage` and `shouldContinue` without `number`",
        found_at: "analysis/NNN-analysis.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["completionPercentage", "shouldContinue"],
    base: Some(1),
    rank: 9,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
