//! Outcomes in a chart: a shape each where there is room, a strip of colour where there is not.

use super::brush::{Brush, Ink, Stroke};
use crate::model::outcome::Outcome;

/// The colour of an outcome.
pub(super) fn ink_of(outcome: Outcome) -> Ink {
    match outcome {
        Outcome::Success => Ink::Pass,
        Outcome::Failure => Ink::Fail,
        Outcome::Partial => Ink::Partial,
        Outcome::Running | Outcome::Aborted => Ink::Accent,
        Outcome::Void | Outcome::Unknown => Ink::Muted,
    }
}

/// The height of the strip that stands for an outcome: shape has no room, so height shows what
/// colour alone would.
pub(super) fn strip_of(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Failure => 16.0,
        Outcome::Aborted => 14.0,
        Outcome::Partial => 11.0,
        Outcome::Running => 9.0,
        Outcome::Success => 7.0,
        Outcome::Void | Outcome::Unknown => 3.0,
    }
}

/// The shape of an outcome: each differs without colour.
pub(super) fn mark(brush: &mut impl Brush, outcome: Outcome, (x, y): (f64, f64)) {
    let ink = ink_of(outcome);
    match outcome {
        Outcome::Success => brush.disc((x, y), 4.5, ink),
        Outcome::Failure => {
            brush.line(&[(x - 4.0, y - 4.0), (x + 4.0, y + 4.0)], Stroke::solid(ink, 2.0));
            brush.line(&[(x - 4.0, y + 4.0), (x + 4.0, y - 4.0)], Stroke::solid(ink, 2.0));
        }
        Outcome::Partial => {
            brush.ring((x, y), 4.0, Stroke::solid(ink, 1.5));
            // The lower half of the circle.
            let half: Vec<_> = (0..=12)
                .map(|step| {
                    let angle = std::f64::consts::PI * f64::from(step) / 12.0;
                    (x + 4.0 * angle.cos(), y + 4.0 * angle.sin())
                })
                .collect();
            brush.shape(&half, ink);
        }
        Outcome::Running => {
            brush.shape(&[(x - 4.0, y - 5.0), (x + 5.0, y), (x - 4.0, y + 5.0)], ink);
        }
        Outcome::Aborted => brush.rect([x - 4.0, y - 4.0, 8.0, 8.0], ink, 1.0),
        Outcome::Void => brush.line(&[(x - 4.0, y), (x + 4.0, y)], Stroke::solid(ink, 2.0)),
        Outcome::Unknown => brush.ring((x, y), 4.0, Stroke::solid(ink, 1.5)),
    }
}
