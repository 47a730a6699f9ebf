//! `hook-iteration`: what the post-iteration hook writes.

use serde_json::Value;

use super::members::text_of;
use super::parsed_record::Context;
use super::read::{Member as _, strings};
use super::slot::Slot;
use super::traits::Traits;
use super::{Format, Reading, table_of};
use crate::json::shape::{Item, Kind, Shape, Table, may, must};
use crate::model::details::{Action, Details, ErrorDetails, NamedText, Reflection};
use crate::model::finding::Severity;
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;

pub(crate) const FORMAT: Format = Format {
    id: "hook-iteration",
    title: "Iteration file of a post-iteration hook",
    gives: "iterations with outcomes and reflections",
    known_by: "`trial_number` with `reflection`, `trajectory` or `strategy_change`",
    found_at: "reflections/loops/{loop}/iteration-{n}.yaml",
    fits,
    traits: Traits {
        marks: &["trial_number", "reflection"],
        rank: 1,
        assumed: Assumption::of(5, "hook"),
        names: &["iteration-#"],
        gap: Some(Severity::Warning),
        ..Traits::USUAL
    },
    reading: Reading::along(table_of!(Table::of_shape(&SHAPE, Slot::None)), details),
};

const TEXTS: Kind<Slot> = Kind::List(&Item { kind: Kind::Text, slot: Slot::None });

/// The members that count; whatever else stands there is kept as a note.
pub(crate) const SHAPE: Shape<Slot> = Shape {
    is_open: true,
    members: &[
        must("trial_number", Kind::Integer, Slot::Number),
        may("timestamp", Kind::Time, Slot::Time),
        may("loop_id", Kind::Text, Slot::Key),
        may("task", Kind::Text, Slot::Task),
        may("trajectory", TEXTS, Slot::None),
        may("outcome", Kind::Text, Slot::Outcome),
        may("errors", Kind::List(&Item { kind: Kind::Text, slot: Slot::ErrorItem }), Slot::Errors),
        may("files_modified", TEXTS, Slot::None),
        must("reflection", Kind::Lines, Slot::Reflection),
        may("strategy_change", Kind::Text, Slot::None),
        may("event_id", Kind::Text, Slot::None),
    ],
};

/// Whether a record is of this format.
pub(crate) fn fits(value: &Value, _context: &Context) -> bool {
    value.has("trial_number")
        && ["reflection", "trajectory", "strategy_change"].iter().any(|n| value.has(n))
}

/// The record in full.
pub(crate) fn details(value: &Value, _part: u32) -> Details {
    let outcome = value.text("outcome").map(|word| Outcome::read(&word));
    // A word that names no outcome is kept as it is.
    let is_known = outcome.is_some_and(|(outcome, _)| outcome != Outcome::Unknown);
    let known = SHAPE.members.iter().map(|m| m.name).filter(|n| *n != "outcome" || is_known);
    let known: Vec<_> = known.collect();
    let notes =
        value.as_object().into_iter().flatten().filter(|(name, _)| !known.contains(&name.as_str()));
    Details {
        key: value.text("loop_id"),
        number: value.integer("trial_number"),
        time: value.text("timestamp"),
        task: value.text("task"),
        outcome: outcome.map(|(outcome, _)| outcome),
        outcome_detail: outcome.and_then(|(_, detail)| detail.map(str::to_owned)),
        strategy_next: value.text("strategy_change"),
        errors: strings(value.get("errors")).into_iter().map(ErrorDetails::other).collect(),
        actions: strings(value.get("trajectory")).into_iter().map(Action::described).collect(),
        files: strings(value.get("files_modified")),
        reflections: reflection_text(value).map(Reflection::of).into_iter().collect(),
        texts: notes
            .map(|(name, value)| NamedText { name: name.clone(), text: text_of(value) })
            .collect(),
        ..Details::default()
    }
}

/// The reflection; a list is joined by newlines.
fn reflection_text(value: &Value) -> Option<String> {
    let lines = strings(value.get("reflection"));
    (!lines.is_empty()).then(|| lines.join("\n"))
}
