//! `qa-trials`.

use serde_json::Value;

use super::account::{Account, Context, Cuts};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "qa-trials",
        title: "Question answering trials",
        gives: "questions with attempts, verdicts and the reflections they saw",
        known_by: "a line of 40 # and BEGIN TRIAL, or a line BEGIN ... AGENTS",
        found_at: "any name, *.txt",
    },
    family: Family::Files,
    fits,
    fits_path: BY_CONTENT,
    marks: &[],
    base: Some(1),
    rank: 0,
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
