//! `hook-iteration`: what the post-iteration hook writes.

use serde_json::Value;

use super::names::Name;
use super::parsed_record::Context;
use super::read::{Member as _, strings};
use super::slot::Slot;
use super::traits::Traits;
use super::{Family, Format, FormatInfo, NEVER_CERTAIN, Reading, table_of};
use crate::json::shape::{Item, Kind, Shape, Table, may, must};
use crate::model::details::{Action, Details, NamedText, Reflection};
use crate::model::finding::Severity;
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "hook-iteration",
        title: "Iteration file of a post-iteration hook",
        gives: "iterations with outcomes and reflections",
        known_by: "`trial_number` with `reflection`, `trajectory` or `strategy_change`",
        found_at: "reflections/loops/{loop}/iteration-{n}.yaml",
    },
    family: Family::Loops,
    fits,
    path: None,
    marks: &["trial_number", "reflection"],
    base: Some(1),
    rank: 1,
    traits: Traits {
        assumed: Assumption::of(5, "hook"),
        names: &[Name::Numbered("iteration-", "", 1)],
        gap: Severity::Warning,
        ..Traits::USUAL
    },
    reading: Reading::Shape {
        table: table_of!(Table::of_shape(&SHAPE, Slot::None)),
        details,
        is_certain: NEVER_CERTAIN,
    },
};

/// The members that count; whatever else stands there is kept as a note.
pub(crate) const SHAPE: Shape<Slot> = Shape {
    is_open: true,
    members: &[
        must("trial_number", Kind::Integer, Slot::Number),
        may("timestamp", Kind::Time, Slot::Time),
        may("loop_id", Kind::Text, Slot::Key),
        may("trajectory", Kind::List(&Item { kind: Kind::Text, slot: Slot::None }), Slot::None),
        must("outcome", Kind::Text, Slot::Outcome),
        must("reflection", Kind::Lines, Slot::Reflection),
        may("strategy_change", Kind::Text, Slot::None),
    ],
};

/// Whether a record is of this format.
pub(crate) fn fits(value: &Value, _context: &Context) -> bool {
    value.get("trial_number").is_some()
        && ["reflection", "trajectory", "strategy_change"].iter().any(|n| value.get(n).is_some())
}

/// The record in full.
pub(crate) fn details(value: &Value, _part: u32) -> Details {
    let outcome = value.text("outcome").map(|word| (Outcome::read(&word), word));
    // A word that names no outcome is kept as it is.
    let is_known = outcome.as_ref().is_some_and(|((o, _), _)| *o != Outcome::Unknown);
    let known = SHAPE.members.iter().map(|m| m.name).filter(|n| *n != "outcome" || is_known);
    let known: Vec<_> = known.collect();
    let notes =
        value.as_object().into_iter().flatten().filter(|(name, _)| !known.contains(&name.as_str()));
    Details {
        key: value.text("loop_id"),
        number: value.integer("trial_number"),
        time: value.text("timestamp"),
        outcome: outcome.as_ref().map(|((outcome, _), _)| *outcome),
        outcome_detail: outcome.as_ref().and_then(|((_, detail), _)| detail.map(str::to_owned)),
        strategy_next: value.text("strategy_change"),
        actions: strings(value.get("trajectory"))
            .into_iter()
            .map(|description| Action {
                kind: "other".to_owned(),
                description,
                ..Action::default()
            })
            .collect(),
        reflections: reflection_text(value).map(Reflection::of).into_iter().collect(),
        texts: notes
            .map(|(name, value)| NamedText {
                name: name.clone(),
                text: super::read::text(value).unwrap_or_else(|| value.to_string()),
            })
            .collect(),
        ..Details::default()
    }
}

/// The reflection; a list is joined by newlines.
fn reflection_text(value: &Value) -> Option<String> {
    let lines = strings(value.get("reflection"));
    (!lines.is_empty()).then(|| lines.join("\n"))
}
