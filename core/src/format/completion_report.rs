//! `completion-report`.

use serde_json::Value;

use super::account::{Account, Context, Cuts};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "completion-report",
        title: "Report of a loop in Markdown",
        gives: "what no other record of the run says",
        known_by: "a first heading with Completion Report, Loop Analytics, Loop Checkpoint or Output Selection Report",
        found_at: "completion-*.md, *-report.md, iteration-*-checkpoint.md",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &[],
    base: Some(1),
    rank: 12,
    reading: Reading::Text { cut, tell },
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn cut(_text: &str) -> Cuts {
    Cuts::default()
}

fn tell(_text: &str, _context: &Context) -> Account {
    Account::default()
}
