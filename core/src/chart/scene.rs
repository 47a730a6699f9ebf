//! The chart of one run at one width: three lanes over one axis.
//!
//! The axis counts positions in the run; its labels are numbers as written. Where numbers jump, a
//! slot of its own stands for what is missing, and nothing is joined across it. A missing reward is
//! a hole in the line, never zero and never bridged.

use std::sync::Arc;

use super::axis::ChartAxis;
use super::brush::{Brush, Ink, Stroke};
use super::columns::{ChartColumns, value};
use super::marks::ChartMarks;
use super::scale::ChartScale;

/// Pixels beside the lanes.
pub(super) const LEFT: f64 = 58.0;
const RIGHT: f64 = 16.0;
/// Above the lanes, where the letters of marks stand.
const STRIP: f64 = 24.0;
const OUTCOME: f64 = 24.0;
/// Below the lanes, where the numbers stand.
pub(super) const LABELS: f64 = 20.0;
const BETWEEN: f64 = 12.0;

/// What of a run is drawn, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartLook {
    /// Pixels from edge to edge.
    pub width: f64,
    /// Heights of the lanes of rewards and of changes, in pixels.
    pub heights: [f64; 2],
    /// The first slot, and the one behind the last; fractions while it moves.
    pub slots: [f64; 2],
    /// Ordinals of the iterations to draw, as [`drawn`](crate::drawn) gives them.
    pub kept: Vec<usize>,
    /// Best, selected and final.
    pub marks: ChartMarks,
    /// The rewards are derived.
    pub is_derived: bool,
    /// Rewards are written as points, 0..100.
    pub is_points: bool,
}

/// The chart of one run.
#[derive(Clone, Debug)]
pub struct ChartScene {
    pub(super) columns: Arc<ChartColumns>,
    pub(super) axis: Arc<ChartAxis>,
    pub(super) look: ChartLook,
    pub(super) x: ChartScale,
    pub(super) reward: Option<ChartScale>,
    pub(super) delta: Option<ChartScale>,
    /// Middle of the lane of outcomes.
    pub(super) outcome: f64,
    pub(super) height: f64,
}

impl ChartScene {
    /// Lays it out. Lanes without any value in the whole run are left out.
    pub fn new(columns: Arc<ChartColumns>, axis: Arc<ChartAxis>, look: ChartLook) -> Self {
        let has = |list: &[f64]| list.iter().any(|value| !value.is_nan());
        let mut top = STRIP;
        let mut lane = |height: f64| {
            let lane = [top + height, top];
            top += height + BETWEEN;
            lane
        };
        let reward = has(&columns.rewards)
            .then(|| ChartScale { values: [0.0, 1.0], pixels: lane(look.heights[0]) });
        let delta = (reward.is_some() && has(&columns.deltas)).then(|| {
            let sizes = columns.deltas.iter().filter(|d| !d.is_nan()).map(|d| d.abs());
            let most = sizes.fold(0.05, f64::max);
            ChartScale { values: [-most, most], pixels: lane(look.heights[1]) }
        });
        let [bottom, high] = lane(OUTCOME);
        let [first, end] = look.slots;
        Self {
            x: ChartScale {
                values: [first - 0.5, end - 0.5],
                pixels: [LEFT, (look.width - RIGHT).max(LEFT + 1.0)],
            },
            reward,
            delta,
            outcome: f64::midpoint(bottom, high),
            height: bottom + LABELS,
            columns,
            axis,
            look,
        }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [f64; 2] {
        [self.look.width, self.height]
    }

    /// Left and right edge of the lanes, in pixels.
    pub fn edges(&self) -> [f64; 2] {
        self.x.pixels
    }

    /// Pixels of reward 0 and of reward 1; none without rewards.
    pub fn reward_lane(&self) -> Option<[f64; 2]> {
        self.reward.map(|lane| lane.pixels)
    }

    /// Pixels of a slot.
    pub fn slot_width(&self) -> f64 {
        self.x.step()
    }

    /// Where an iteration stands.
    pub fn x_of(&self, item: usize) -> f64 {
        self.x.at(float(self.axis.slot(item)))
    }

    /// The slot at a place in pixels, fractions included.
    pub fn slot_at(&self, x: f64) -> f64 {
        self.x.value_at(x)
    }

    /// Where the reward of an iteration stands.
    pub fn point_of(&self, item: usize) -> Option<(f64, f64)> {
        let reward = value(&self.columns.rewards, item)?;
        Some((self.x_of(item), self.reward?.at(reward)))
    }

    /// Ordinals that are drawn and visible.
    pub(super) fn visible(&self) -> impl Iterator<Item = usize> + '_ {
        let [low, high] = self.x.values;
        self.look.kept.iter().copied().filter(move |item| {
            let slot = float(self.axis.slot(*item));
            slot >= low && slot <= high
        })
    }

    /// The iteration that a place means: the nearest that is drawn, of several in one column of
    /// pixels the one whose reward is nearest.
    pub fn item_at(&self, x: f64, y: f64) -> Option<usize> {
        let [from, to] = self.x.pixels;
        if x < from - 4.0 || x > to + 4.0 {
            return None;
        }
        let kept = &self.look.kept;
        let slot = self.slot_at(x);
        let behind = kept.partition_point(|item| float(self.axis.slot(*item)) < slot);
        let near = kept.get(behind.saturating_sub(12)..(behind + 12).min(kept.len()))?;
        let distance = |item: usize| {
            let across = (self.x_of(item) - x).abs().floor();
            let down = self.point_of(item).map_or(f64::MAX, |point| (point.1 - y).abs());
            (across, down)
        };
        near.iter().copied().min_by(|a, b| {
            let (a, b) = (distance(*a), distance(*b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        })
    }

    /// The line, as pieces that are joined in themselves and not to each other: slots and rewards.
    pub(super) fn pieces(&self) -> Vec<Vec<(f64, f64)>> {
        let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut last: Option<usize> = None;
        for &item in &self.look.kept {
            let Some(reward) = value(&self.columns.rewards, item) else {
                last = None;
                continue;
            };
            let is_joined = last.is_some_and(|last| {
                let between = self.columns.rewards.get(last + 1..item).unwrap_or_default();
                !self.axis.is_broken(last, item) && between.iter().all(|reward| !reward.is_nan())
            });
            let point = (float(self.axis.slot(item)), reward);
            match pieces.last_mut().filter(|_| is_joined) {
                Some(piece) => piece.push(point),
                None => pieces.push(vec![point]),
            }
            last = Some(item);
        }
        pieces
    }

    /// Colour and dashes of the line.
    pub fn line_stroke(&self) -> Stroke {
        if self.look.is_derived {
            Stroke::solid(Ink::Derived, 2.0).dashed(&[5.0, 4.0])
        } else {
            Stroke::solid(Ink::Accent, 2.0)
        }
    }

    pub(super) fn draw_line(&self, brush: &mut impl Brush) {
        let Some(lane) = self.reward else { return };
        for piece in self.pieces() {
            let points: Vec<_> = piece
                .into_iter()
                .map(|(slot, reward)| (self.x.at(slot), lane.at(reward)))
                .collect();
            let seen = between(&points, self.x.pixels);
            if seen.len() > 1 {
                brush.line(&seen, self.line_stroke());
            }
        }
    }

    /// A reward as it is written beside its point.
    pub(super) fn reward_text(&self, reward: f64) -> String {
        if self.look.is_points { format!("{:.1}", reward * 100.0) } else { format!("{reward:.3}") }
    }
}

/// The part of a line, whose points go from left to right, that is between two edges.
fn between(points: &[(f64, f64)], [left, right]: [f64; 2]) -> Vec<(f64, f64)> {
    let mut seen = Vec::new();
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        if to.0 < left || from.0 > right {
            continue;
        }
        let at = |x: f64| (x, from.1 + (to.1 - from.1) * (x - from.0) / (to.0 - from.0));
        if seen.is_empty() {
            seen.push(if from.0 < left { at(left) } else { from });
        }
        seen.push(if to.0 > right { at(right) } else { to });
    }
    seen
}

/// The middle of the nearest pixel, where a thin line is sharp.
pub(super) fn crisp(place: f64) -> f64 {
    place.floor() + 0.5
}

#[expect(clippy::cast_precision_loss, reason = "positions in a list")]
pub(super) fn float(position: usize) -> f64 {
    position as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::svg::Svg;

    #[test]
    fn a_line_ends_at_the_edges() {
        let line = [(0.0, 0.0), (10.0, 10.0), (20.0, 0.0)];
        assert_eq!(between(&line, [0.0, 20.0]), line);
        assert_eq!(between(&line, [5.0, 15.0]), [(5.0, 5.0), (10.0, 10.0), (15.0, 5.0)]);
        assert_eq!(between(&line, [12.0, 14.0]), [(12.0, 8.0), (14.0, 6.0)]);
        assert_eq!(between(&line, [30.0, 40.0]), []);
    }

    #[test]
    fn marks_are_words_where_there_is_room_for_all_of_them() {
        let columns = ChartColumns {
            numbers: vec![1, 2, 3],
            rewards: vec![0.1, 0.9, 0.5],
            ..ChartColumns::default()
        };
        let drawn = |width: f64, [best, selected, last]: [usize; 3]| {
            let axis = Arc::new(columns.axis());
            let marks = ChartMarks {
                best: Some(best),
                selected: Some(selected),
                last: Some(last),
                degradation: None,
            };
            let look = ChartLook {
                width,
                heights: [150.0, 58.0],
                slots: [0.0, float(axis.slots())],
                kept: vec![0, 1, 2],
                marks,
                is_derived: false,
                is_points: false,
            };
            let mut svg = Svg::default();
            ChartScene::new(Arc::new(columns.clone()), axis, look).draw(&mut svg);
            svg.text
        };
        assert!(drawn(600.0, [2, 2, 2]).contains(">best, selected, final<"));
        let wide = drawn(600.0, [1, 1, 2]);
        assert!(wide.contains(">best, selected<") && wide.contains(">final<"), "{wide}");
        let narrow = drawn(240.0, [1, 1, 2]);
        assert!(narrow.contains(">BS<") && narrow.contains(">F<"), "{narrow}");
    }
}
