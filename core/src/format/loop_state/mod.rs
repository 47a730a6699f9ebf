//! `loop-state`: one document that describes a whole loop.
//!
//! Programs and language models spell it in many ways. Status output, registries, files of single
//! iterations and of single analyses hold parts of it, and are read by the parts of this module.

pub(super) mod analysis;
pub(super) mod checks;
pub(super) mod element;
mod learnings;
mod progress;
mod quality;
mod refutation;
pub(super) mod spelling;
pub(super) mod state;
mod verdict;

use serde_json::Value;

use super::parsed_record::{Context, ParsedRecord};
use super::traits::{Role, Traits};
use super::{Format, Reading};

pub(crate) const FORMAT: Format = Format {
    id: "loop-state",
    title: "State of a loop",
    gives: "a run with its status, limits, lessons and iterations",
    known_by: "at least three of: task, criteria, limit, counter, `status`, `active` and start, in any spelling",
    found_at: "current-loop.json, state.json, loop-state.json, session-state.json",
    fits,
    traits: Traits {
        marks: &["task", "status", "iterations"],
        rank: 5,
        role: Role::State,
        names: &["session-state", "current-loop"],
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format. States in a list that name their loops are status output.
fn fits(value: &Value, context: &Context) -> bool {
    is_state(value) && !(context.is_item && value.get("loopId").is_some())
}

/// Three of the members that mark a state. `iteration` is a counter beside a task only: alone it is
/// the number of an iteration file.
pub(crate) fn is_state(value: &Value) -> bool {
    let has = |names: &[&str]| names.iter().any(|name| value.get(name).is_some());
    let has_task = has(spelling::TASK);
    let counter = if has_task { spelling::COUNTER } else { spelling::COUNTER_ALONE };
    let signs = [
        has_task,
        has(spelling::CRITERIA),
        has(spelling::MAX_ITERATIONS),
        has(counter),
        has(&["status"]),
        has(&["active"]),
        has(spelling::START),
    ];
    signs.into_iter().filter(|is_there| *is_there).count() >= 3
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let mut parsed = ParsedRecord::default();
    state::parse(&mut parsed, value, "");
    parsed
}

#[cfg(test)]
mod tests;
