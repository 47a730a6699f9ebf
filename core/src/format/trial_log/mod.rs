//! `trial-log` and `world-log`: what Reflexion's drivers print about trials.
//!
//! The log of a trial has the actions of each environment and the memory really put before the
//! actor; the log of the world has one verdict a line, for all trials.

mod environment;
mod tail;
mod trial;
mod world;

use serde_json::Value;

use super::lines::first_lines;
use super::parsed_record::Context;
use super::traits::{Role, Traits};
use super::{Family, Format, Reading};
use crate::model::finding::{Finding, Severity};
use crate::model::omega::Assumption;
use crate::source::framing::Framing;
use environment::parse;
use world::parse as parse_world;

pub(crate) const FORMAT: Format = Format {
    id: "trial-log",
    title: "Console log of a trial",
    gives: "actions and verdicts of each environment, and the reflections in the prompt",
    known_by: "a line ##### and, after it, Environment # with a number",
    found_at: "trial_N.log",
    fits,
    traits: Traits {
        family: Family::Trials,
        base: Some(0),
        rank: 1,
        role: Role::TrialLog,
        assumed: Assumption::of(3, "Reflexion"),
        prints_retrieved: true,
        ..Traits::USUAL
    },
    reading: Reading::Text { framing: Framing::Text, cut: trial::cut, parse },
};

pub(crate) const WORLD: Format = Format {
    id: "world-log",
    title: "Console log of all trials",
    gives: "verdicts of each environment at each trial",
    known_by: "***** Start Trial",
    found_at: "world.log",
    fits: fits_world,
    traits: Traits {
        family: Family::Trials,
        base: Some(0),
        rank: 2,
        role: Role::TrialSums,
        assumed: Assumption::of(3, "Reflexion"),
        ..Traits::USUAL
    },
    reading: Reading::Text { framing: Framing::Text, cut: world::cut, parse: parse_world },
};

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    let Some(text) = value.as_str() else { return false };
    let mut lines = first_lines(text);
    lines.next() == Some(trial::MARK)
        && lines.next().is_some_and(|line| environment::header(line).is_some())
}

/// Whether a record is of this format.
fn fits_world(value: &Value, _context: &Context) -> bool {
    let text = value.as_str();
    text.and_then(|text| first_lines(text).next()).is_some_and(|line| world::start(line).is_some())
}

/// The key of an environment, as `env-results` has it.
fn key(number: i64) -> String {
    format!("env_{number}")
}

/// Lines that belong to nothing known.
fn stray() -> Finding {
    Finding::new(
        "source/unknown",
        Severity::Info,
        "This text belongs to no environment. It is kept as text and does not count as an attempt.",
    )
}

#[cfg(test)]
mod tests;
