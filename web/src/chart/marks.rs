//! Outcomes in a chart: a shape each where there is room, strips of colour where there is not.

use hindscope::Outcome;

use super::Ink;
use crate::platform::Pen;
use crate::protocol::Columns;

/// One outcome per pixel: where several share one, the one that must not be missed.
pub(super) fn strips(columns: &Columns, centre: impl Fn(usize) -> f64) -> Vec<(f64, Outcome)> {
    let weight = |outcome: Outcome| match outcome {
        Outcome::Failure => 6,
        Outcome::Aborted => 5,
        Outcome::Partial => 4,
        Outcome::Running => 3,
        Outcome::Success => 2,
        Outcome::Void => 1,
        Outcome::Unknown => 0,
    };
    let mut strips: Vec<(f64, Outcome)> = Vec::new();
    for at in 0..columns.len() {
        let (x, outcome) = (centre(at), columns.outcome(at));
        match strips.last_mut() {
            Some((last, worst)) if pixel(*last) == pixel(x) => {
                if weight(outcome) > weight(*worst) {
                    *worst = outcome;
                }
            }
            _ => strips.push((x, outcome)),
        }
    }
    strips
}

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

/// The shape of an outcome: each differs without colour.
pub(super) fn mark(pen: &Pen<'_>, outcome: Outcome, x: f64, y: f64) {
    let ink = ink_of(outcome);
    match outcome {
        Outcome::Success => pen.fill_circle(x, y, 4.5, ink),
        Outcome::Failure => {
            pen.line(&[(x - 4.0, y - 4.0), (x + 4.0, y + 4.0)], ink, 2.0);
            pen.line(&[(x - 4.0, y + 4.0), (x + 4.0, y - 4.0)], ink, 2.0);
        }
        Outcome::Partial => {
            pen.stroke_circle(x, y, 4.0, ink, 1.5);
            pen.fill_rect(x - 4.0, y, 8.0, 2.0, ink);
            pen.fill_rect(x - 3.0, y + 2.0, 6.0, 2.0, ink);
        }
        Outcome::Running => {
            pen.fill_shape(&[(x - 4.0, y - 5.0), (x + 5.0, y), (x - 4.0, y + 5.0)], ink);
        }
        Outcome::Aborted => pen.fill_rect(x - 4.0, y - 4.0, 8.0, 8.0, ink),
        Outcome::Void => pen.line(&[(x - 4.0, y), (x + 4.0, y)], ink, 2.0),
        Outcome::Unknown => pen.stroke_circle(x, y, 4.0, ink, 1.5),
    }
}

/// The pixel that a place falls into.
#[expect(clippy::cast_possible_truncation, reason = "pixels of a screen")]
pub(super) fn pixel(place: f64) -> i64 {
    place.floor() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_seen_among_a_thousand_successes() {
        let numbers: Vec<f64> = (0..2000u32).map(f64::from).collect();
        let mut outcomes = "P".repeat(2000);
        outcomes.replace_range(777..778, "F");
        let columns =
            Columns { numbers: numbers.into_iter().collect(), outcomes, ..Columns::default() };
        // 2,000 iterations over 600 pixels.
        let strips = strips(&columns, |at| columns.numbers.get(at).unwrap_or_default() * 0.3);
        assert!(strips.len() < 700);
        assert_eq!(strips.iter().filter(|(_, o)| *o == Outcome::Failure).count(), 1);
    }
}
