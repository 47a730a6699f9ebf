//! `hindscope-bundle`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "hindscope-bundle",
        title: "hindscope bundle",
        gives: "everything that an export kept, findings and originals included",
        known_by: "`format` is \"hindscope\", with an integer `version`",
        found_at: "*.hindscope.json",
    },
    family: Family::Bundle,
    fits,
    fits_path: BY_CONTENT,
    marks: &["format", "version"],
    base: None,
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
