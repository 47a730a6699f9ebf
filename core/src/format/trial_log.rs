//! `trial-log`.

use serde_json::Value;

use super::account::{Account, Context, Cuts};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "trial-log",
        title: "Console log of a trial",
        gives: "actions and verdicts of each environment, and the window injected",
        known_by: "***** Start Trial, or ##### and Environment",
        found_at: "trial_N.log",
    },
    family: Family::Trials,
    fits,
    fits_path: BY_CONTENT,
    marks: &[],
    base: Some(0),
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

pub(crate) const WORLD: Format = Format {
    info: FormatInfo {
        id: "world-log",
        title: "Console log of all trials",
        gives: "verdicts of each environment at each trial",
        known_by: "***** Start Trial",
        found_at: "world.log",
    },
    family: Family::Trials,
    fits: fits_world,
    fits_path: BY_CONTENT,
    marks: &[],
    base: Some(0),
    rank: 0,
    reading: Reading::Text { cut: cut_world, tell: tell_world },
};

/// The test of formats.md section 3.
fn fits_world(_value: &Value, _context: &Context) -> bool {
    false
}

fn cut_world(_text: &str) -> Cuts {
    Cuts::default()
}

fn tell_world(_text: &str, _context: &Context) -> Account {
    Account::default()
}
