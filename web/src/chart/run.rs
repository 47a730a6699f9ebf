//! The chart of one run: reward, change and outcome in three lanes over one axis.
//!
//! The axis counts positions in the run; labels are numbers as written. Where numbers jump, an
//! empty slot stands for what is missing, and nothing is joined across it. A missing reward is a
//! hole in the line, never zero and never bridged.

use hindscope::Origin;

use super::marks::{ink_of, mark, pixel, strips};
use super::options::{Options, Series};
use super::scale::{Scale, labels};
use super::{Drawing, Ink, Marked};
use crate::format;
use crate::platform::{Baseline, Inks, Pen, Side};
use crate::protocol::Columns;

const LEFT: f64 = 56.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 18.0;
const REWARD: f64 = 118.0;
const DELTA: f64 = 46.0;
const OUTCOME: f64 = 24.0;
const LABELS: f64 = 18.0;
const BETWEEN: f64 = 10.0;

/// Slots narrower than this have strips of colour in place of marks.
const MARK_SLOT: f64 = 11.0;
/// Slots wider than this have the value written at each point.
const VALUE_SLOT: f64 = 46.0;

/// A stretch of positions, both ends included.
type Stretch = (usize, usize);

/// The chart of one run, at one width.
#[derive(Clone, Debug)]
pub(crate) struct RunChart {
    size: (f64, f64),
    columns: Columns,
    numbers: Vec<i64>,
    slots: Slots,
    without_reward: Vec<Stretch>,
    is_derived: bool,
    best: Option<usize>,
    x: Scale,
    reward: Option<Scale>,
    delta: Option<Scale>,
    outcome: f64,
}

impl RunChart {
    pub(crate) fn new(columns: &Columns, origin: Origin, best: Option<i64>, width: f64) -> Self {
        let numbers: Vec<i64> =
            (0..columns.len()).map(|at| columns.number(at).unwrap_or_default()).collect();
        let slots = place(&numbers);
        let has_rewards = columns.rewards.iter().any(|reward| reward.is_some());
        let has_deltas = columns.deltas.iter().any(|delta| delta.is_some());
        let mut top = TOP;
        let mut lane = |height: f64| {
            let lane = [top + height, top];
            top += height + BETWEEN;
            lane
        };
        let reward = has_rewards.then(|| Scale { values: [0.0, 1.0], pixels: lane(REWARD) });
        let delta = has_deltas.then(|| {
            let largest =
                columns.deltas.iter().flatten().fold(0.05, |most: f64, d| most.max(d.abs()));
            Scale { values: [-largest, largest], pixels: lane(DELTA) }
        });
        let [bottom, outcome_top] = lane(OUTCOME);
        Self {
            size: (width, bottom + LABELS),
            x: Scale {
                values: [-0.5, float(slots.items.len()) - 0.5],
                pixels: [LEFT, (width - RIGHT).max(LEFT + 1.0)],
            },
            without_reward: if has_rewards { holes(columns) } else { Vec::new() },
            is_derived: origin == Origin::Derived,
            best: best.filter(|_| has_rewards).and_then(|best| columns.ordinal(best)),
            columns: columns.clone(),
            numbers,
            slots,
            reward,
            delta,
            outcome: f64::midpoint(bottom, outcome_top),
        }
    }

    fn bottom(&self) -> f64 {
        self.size.1 - LABELS
    }

    fn centre(&self, item: usize) -> f64 {
        self.x.at(self.slots.of.get(item).copied().unwrap_or_default())
    }

    fn draw_grid(&self, pen: &Pen<'_>) {
        let [from, to] = self.x.pixels;
        if let Some(reward) = &self.reward {
            for value in [0.0, 0.5, 1.0] {
                let y = crisp(reward.at(value));
                pen.alpha(0.35);
                pen.line(&[(from, y), (to, y)], Ink::Line, 1.0);
                pen.alpha(1.0);
                let text = format!("{value:.1}");
                pen.text(&text, from - 6.0, y, Side::Right, Baseline::Middle, Ink::Muted);
            }
        }
        if let Some(delta) = &self.delta {
            let y = crisp(delta.at(0.0));
            pen.alpha(0.6);
            pen.line(&[(from, y), (to, y)], Ink::Line, 1.0);
            pen.alpha(1.0);
            pen.text("change", from - 6.0, y, Side::Right, Baseline::Middle, Ink::Muted);
        }
        pen.text("outcome", from - 6.0, self.outcome, Side::Right, Baseline::Middle, Ink::Muted);
        let y = self.bottom() + LABELS - 1.0;
        for at in labels(&self.numbers, self.x.step(), 34.0) {
            let text = self.numbers[at].to_string();
            pen.text(&text, self.centre(at), y, Side::Middle, Baseline::Bottom, Ink::Muted);
        }
    }

    fn draw_jumps(&self, pen: &Pen<'_>) {
        let width = self.x.step();
        for (slot, missing) in &self.slots.jumps {
            let x = self.x.at(*slot);
            pen.dash(&[2.0, 3.0]);
            pen.line(&[(crisp(x), TOP), (crisp(x), self.bottom())], Ink::Line, 1.0);
            pen.dash(&[]);
            let text = if width >= 56.0 { format!("{missing} missing") } else { "\u{2026}".into() };
            let y = self.bottom() + LABELS - 1.0;
            pen.text(&text, x, y, Side::Middle, Baseline::Bottom, Ink::Partial);
        }
    }

    fn draw_holes(&self, pen: &Pen<'_>) {
        let Some(reward) = &self.reward else { return };
        let half = self.x.step() / 2.0;
        for (first, last) in &self.without_reward {
            let from = self.centre(*first) - half;
            let to = self.centre(*last) + half;
            let [low, high] = reward.pixels;
            pen.alpha(0.45);
            pen.hatch(from, high, (to - from).max(1.0), low - high, Ink::Line);
            pen.alpha(1.0);
            if to - from >= 58.0 {
                let (x, y) = (f64::midpoint(from, to), f64::midpoint(low, high));
                pen.fill_rect(x - 28.0, y - 8.0, 56.0, 16.0, Ink::Background);
                pen.text("no reward", x, y, Side::Middle, Baseline::Middle, Ink::Muted);
            }
        }
    }

    fn draw_points(&self, pen: &Pen<'_>) {
        let Some(reward) = &self.reward else { return };
        let slot = self.x.step();
        let ink = if self.is_derived { Ink::Derived } else { Ink::Accent };
        for (at, value) in self.columns.rewards.iter().enumerate() {
            let Some(value) = value else { continue };
            let is_alone = self.neighbours_lack_reward(at);
            let is_best = self.best == Some(at);
            if slot < 5.0 && !is_alone && !is_best {
                continue;
            }
            let (x, y) = (self.centre(at), reward.at(value));
            let radius = if slot < 9.0 { 2.0 } else { 3.5 };
            if self.is_derived {
                pen.fill_circle(x, y, radius, Ink::Background);
                pen.stroke_circle(x, y, radius, ink, 1.5);
            } else {
                pen.fill_circle(x, y, radius, ink);
            }
            let text = match (is_best, slot >= VALUE_SLOT) {
                (true, true) => format!("B {}", format::reward(value)),
                (true, false) => "B".to_owned(),
                (false, true) => format::reward(value),
                (false, false) => continue,
            };
            let ink = if is_best { Ink::Text } else { Ink::Muted };
            pen.text(&text, x, y - 6.0, Side::Middle, Baseline::Bottom, ink);
        }
    }

    fn neighbours_lack_reward(&self, at: usize) -> bool {
        let joined = |other: usize| {
            self.columns.rewards.get(other).is_some()
                && (self.slots.of[at] - self.slots.of[other]).abs() < 1.5
        };
        !(at > 0 && joined(at - 1) || at + 1 < self.slots.of.len() && joined(at + 1))
    }

    fn draw_deltas(&self, pen: &Pen<'_>) {
        let Some(scale) = &self.delta else { return };
        let slot = self.x.step();
        let width = (slot * 0.56).clamp(1.0, 22.0);
        let zero = scale.at(0.0);
        let mut column = i64::MIN;
        let mut tallest = (0.0f64, 0.0f64);
        for (at, delta) in self.columns.deltas.iter().enumerate() {
            let Some(delta) = delta else { continue };
            let (x, y) = (self.centre(at), scale.at(delta));
            if slot < 2.0 {
                // Several bars share a pixel: the tallest of each sign stands for them.
                let here = pixel(x);
                if here != column {
                    (column, tallest) = (here, (0.0, 0.0));
                }
                if delta > tallest.0 {
                    tallest.0 = delta;
                    pen.fill_rect(x, y, 1.0, zero - y, Ink::Pass);
                } else if delta < tallest.1 {
                    tallest.1 = delta;
                    pen.fill_rect(x, zero, 1.0, y - zero, Ink::Fail);
                }
                continue;
            }
            let left = x - width / 2.0;
            let spans = self.columns.gaps.get(at).unwrap_or_default();
            if delta > 0.0 {
                pen.fill_rect(left, y, width, zero - y, Ink::Pass);
            } else if delta < 0.0 {
                // Outlined, so that the sign does not rest on colour.
                let (inside, height) = (width.max(3.0) - 1.0, (y - zero).max(2.0) - 0.5);
                pen.stroke_rect(crisp(left), crisp(zero), inside, height, Ink::Fail);
            } else {
                pen.fill_rect(left, zero - 1.0, width, 2.0, Ink::Muted);
            }
            if spans > 0.0 {
                let (top, bottom) = (y.min(zero), y.max(zero));
                pen.hatch(left, top, width, (bottom - top).max(2.0), Ink::Background);
                if slot >= 60.0 {
                    let text = format!("gap of {spans:.0}");
                    let y = scale.pixels[0] + 2.0;
                    pen.text(&text, x, y, Side::Middle, Baseline::Middle, Ink::Muted);
                }
            }
            if let Some(stored) = self.columns.stored.get(at) {
                // The file says otherwise: a notch where its bar would have ended.
                let y = scale.at(stored.clamp(scale.values[0], scale.values[1]));
                pen.line(&[(left - 2.0, y), (left + width + 2.0, y)], Ink::Partial, 2.0);
            }
        }
    }

    fn draw_outcomes(&self, pen: &Pen<'_>) {
        let slot = self.x.step();
        if slot < MARK_SLOT {
            for (x, outcome) in strips(&self.columns, |at| self.centre(at)) {
                // A little wider than its slot: between neighbours there is no ground.
                let width = slot.max(1.0) + 0.5;
                pen.fill_rect(x - width / 2.0, self.outcome - 7.0, width, 14.0, ink_of(outcome));
            }
            return;
        }
        let has_letters = slot >= 30.0;
        for at in 0..self.columns.len() {
            let outcome = self.columns.outcome(at);
            let x = self.centre(at) - if has_letters { 6.0 } else { 0.0 };
            mark(pen, outcome, x, self.outcome);
            if has_letters {
                let letter = outcome.letter().to_string();
                let ink = ink_of(outcome);
                pen.text(&letter, x + 9.0, self.outcome + 0.5, Side::Left, Baseline::Middle, ink);
            }
            if self.columns.merged.get(at).is_some_and(|merged| merged > 1.0) {
                pen.line(
                    &[(x - 6.0, self.outcome + 9.0), (x + 6.0, self.outcome + 9.0)],
                    Ink::Partial,
                    2.0,
                );
            }
        }
    }
}

impl Drawing for RunChart {
    fn options(&self, inks: &Inks) -> Options {
        let padding = [0.0, RIGHT, LABELS, LEFT];
        let bottom = self.bottom();
        let y = self.reward.map_or([0.0, 1.0], |reward| reward.stretched_to(bottom, 0.0));
        let line = if self.is_derived {
            Series::line(inks.colour(Ink::Derived), &[5.0, 4.0])
        } else {
            Series::line(inks.colour(Ink::Accent), &[])
        };
        Options::new(self.size, padding, self.x.values, y, vec![line])
    }

    fn data(&self) -> Vec<Vec<Option<f64>>> {
        let places = (0..self.slots.items.len()).map(|slot| Some(float(slot))).collect();
        let rewards = self
            .slots
            .items
            .iter()
            .map(|item| item.and_then(|item| self.columns.rewards.get(item)))
            .collect();
        vec![places, rewards]
    }

    fn item(&self, place: usize) -> Option<usize> {
        self.slots.items.get(place).copied().flatten()
    }

    fn under(&self, pen: &Pen<'_>, marked: Marked) {
        let width = self.x.step().max(2.0);
        for (item, alpha) in [(marked.hovered, 0.07), (marked.selected, 0.16)] {
            if let Some(item) = item {
                let x = self.centre(item) - width / 2.0;
                pen.alpha(alpha);
                pen.fill_rect(x, 0.0, width, self.size.1, Ink::Accent);
                pen.alpha(1.0);
            }
        }
        self.draw_grid(pen);
        self.draw_jumps(pen);
        self.draw_holes(pen);
    }

    fn over(&self, pen: &Pen<'_>, _: Marked) {
        // uPlot leaves the dashes of the line that it drew last.
        pen.dash(&[]);
        self.draw_points(pen);
        self.draw_deltas(pen);
        self.draw_outcomes(pen);
    }
}

/// Where iterations stand on the axis.
#[derive(Clone, Debug, Default)]
struct Slots {
    /// Slot of each iteration.
    of: Vec<f64>,
    /// Iteration of each slot; none for a jump.
    items: Vec<Option<usize>>,
    /// Slot of a jump, and how many numbers it stands for.
    jumps: Vec<(f64, i64)>,
}

/// Gives each iteration a slot, with one more slot for each jump in the numbers.
fn place(numbers: &[i64]) -> Slots {
    let mut slots = Slots::default();
    for (at, number) in numbers.iter().enumerate() {
        let missing = at.checked_sub(1).map_or(0, |before| number - numbers[before] - 1);
        if missing > 0 {
            slots.jumps.push((float(slots.items.len()), missing));
            slots.items.push(None);
        }
        slots.of.push(float(slots.items.len()));
        slots.items.push(Some(at));
    }
    slots
}

/// Stretches of iterations without a reward.
fn holes(columns: &Columns) -> Vec<Stretch> {
    let mut holes: Vec<Stretch> = Vec::new();
    for (at, reward) in columns.rewards.iter().enumerate() {
        if reward.is_some() {
            continue;
        }
        match holes.last_mut() {
            Some((_, last)) if *last + 1 == at => *last = at,
            _ => holes.push((at, at)),
        }
    }
    holes
}

/// The middle of the nearest pixel, where a thin line is sharp.
fn crisp(place: f64) -> f64 {
    place.round() + 0.5
}

#[expect(clippy::cast_precision_loss, reason = "positions in a list")]
fn float(position: usize) -> f64 {
    position as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(numbers: &[f64], rewards: &[Option<f64>], outcomes: &str) -> Columns {
        Columns {
            numbers: numbers.iter().copied().collect(),
            rewards: rewards.iter().copied().collect(),
            outcomes: outcomes.to_owned(),
            ..Columns::default()
        }
    }

    fn chart(columns: &Columns) -> RunChart {
        RunChart::new(columns, Origin::Reported, None, 600.0)
    }

    #[test]
    fn missing_rewards_are_holes_and_never_zero() {
        let columns = columns(&[1.0, 2.0, 3.0, 4.0], &[Some(0.2), None, None, Some(0.4)], "FFFP");
        let chart = chart(&columns);
        assert_eq!(chart.data()[1], [Some(0.2), None, None, Some(0.4)]);
        assert_eq!(chart.without_reward, [(1, 2)]);
    }

    #[test]
    fn a_nan_in_a_column_is_a_hole_too() {
        let mut columns = columns(&[1.0, 2.0], &[Some(0.2), Some(0.4)], "FP");
        columns.rewards = [0.2, f64::NAN].into_iter().collect();
        assert_eq!(chart(&columns).data()[1], [Some(0.2), None]);
    }

    #[test]
    fn jumps_in_the_numbers_part_the_line() {
        let columns = columns(&[1.0, 2.0, 10.0], &[Some(0.1), Some(0.2), Some(0.3)], "FFF");
        let chart = chart(&columns);
        assert_eq!(chart.data()[1], [Some(0.1), Some(0.2), None, Some(0.3)]);
        assert_eq!(chart.slots.jumps, [(2.0, 7)]);
        assert_eq!((chart.item(2), chart.item(3)), (None, Some(2)));
    }

    #[test]
    fn without_rewards_there_is_no_axis_for_them() {
        let columns = columns(&[0.0, 1.0], &[None, None], "FP");
        let chart = chart(&columns);
        assert!(chart.reward.is_none() && chart.delta.is_none());
        assert!(chart.without_reward.is_empty());
        assert!(chart.size.1 < 80.0);
    }
}
