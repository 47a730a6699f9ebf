//! Rewards of several runs over each other: one line each, distinguished by letters and dashes.

use hindscope::{Brush, ChartScale, Ink, Side, StableSort as _, Stroke};

use super::curve::{above, mark, stroke, style};
use super::scale::{float, labels};
use super::{Drawing, Marked};

const LEFT: f64 = 44.0;
const RIGHT: f64 = 66.0;
const TOP: f64 = 12.0;
const LABELS: f64 = 22.0;
/// Labels at the ends of lines are at least so far apart.
const APART: f64 = 13.0;

/// A run as a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompareLine {
    pub(crate) letter: char,
    /// Position among all runs, which decides colour and dashes.
    pub(crate) position: usize,
    /// Rewards slot by slot, from the first slot of the chart on.
    pub(crate) rewards: Vec<Option<f64>>,
    pub(crate) is_derived: bool,
}

/// The chart of lines that share one series, at one width.
#[derive(Clone, Debug)]
pub(crate) struct CompareChart {
    width: f64,
    lines: Vec<CompareLine>,
    /// Place of each slot.
    places: Vec<i64>,
    /// What a place is.
    unit: &'static str,
    x: ChartScale,
    y: ChartScale,
}

impl CompareChart {
    pub(crate) fn new(
        lines: &[CompareLine],
        places: Vec<i64>,
        unit: &'static str,
        width: f64,
    ) -> Self {
        Self {
            width,
            x: ChartScale {
                values: [-0.5, float(places.len()) - 0.5],
                pixels: [LEFT, (width - RIGHT).max(LEFT + 1.0)],
            },
            y: ChartScale { values: [0.0, 1.0], pixels: [Self::HEIGHT - LABELS, TOP] },
            lines: lines.to_vec(),
            places,
            unit,
        }
    }

    fn draw_grid(&self, brush: &mut dyn Brush) {
        let [from, to] = self.x.pixels;
        for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let y = self.y.at(value).round() + 0.5;
            brush.line(&[(from, y), (to, y)], Stroke::solid(Ink::Line, 1.0).faint(0.35));
            brush.text(&format!("{value}"), (from - 6.0, y), Side::Right, Ink::Muted);
        }
        let y = above(Self::HEIGHT - 2.0);
        for at in labels(&self.places, self.x.step(), 30.0) {
            let (x, text) = (self.x.at(float(at)), self.places[at].to_string());
            brush.text(&text, (x, y), Side::Middle, Ink::Muted);
        }
        brush.text(self.unit, (to + 8.0, y), Side::Left, Ink::Muted);
    }

    fn draw_points(&self, brush: &mut dyn Brush, line: &CompareLine) {
        let (ink, _) = style(line.position);
        let known = |at: Option<usize>| at.and_then(|at| line.rewards.get(at).copied().flatten());
        let is_roomy = self.x.step() >= 9.0;
        for (at, reward) in line.rewards.iter().enumerate() {
            let Some(reward) = reward else { continue };
            let is_lone = known(at.checked_sub(1)).is_none() && known(Some(at + 1)).is_none();
            if !is_roomy && !is_lone {
                continue;
            }
            let place = (self.x.at(float(at)), self.y.at(*reward));
            if line.is_derived {
                brush.disc(place, 3.0, Ink::Background);
                brush.ring(place, 3.0, Stroke::solid(ink, 1.5));
            } else {
                brush.disc(place, 3.0, ink);
            }
        }
    }

    /// Letters at the ends of the lines, moved apart where they would cover each other.
    fn draw_ends(&self, brush: &mut dyn Brush) {
        let mut ends: Vec<(f64, f64, &CompareLine, f64)> = self
            .lines
            .iter()
            .filter_map(|line| {
                let at = line.rewards.iter().rposition(Option::is_some)?;
                let reward = line.rewards[at]?;
                Some((self.x.at(float(at)), self.y.at(reward), line, reward))
            })
            .collect();
        ends.stable_sort_by(|a, b| a.1.total_cmp(&b.1));
        let wanted: Vec<f64> = ends.iter().map(|end| end.1).collect();
        let placed = apart(&wanted, TOP, Self::HEIGHT - LABELS - 4.0);
        for ((x, y, line, reward), at) in ends.into_iter().zip(placed) {
            let (ink, _) = style(line.position);
            let to = self.x.pixels[1] + 8.0;
            let lead = Stroke::solid(ink, 1.0).faint(0.5).dashed(&[1.0, 3.0]);
            brush.line(&[(x + 5.0, y), (to - 2.0, at)], lead);
            brush.text(&format!("{} {reward:.3}", line.letter), (to, at), Side::Left, ink);
        }
    }
}

/// Heights for labels near the `wanted` ones, which rise: a first pass moves labels down until they are
/// `APART` pixels apart, a second one moves them up again until the last is not below `bottom`.
fn apart(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut placed = wanted.to_vec();
    let mut least = top;
    for y in &mut placed {
        *y = y.max(least);
        least = *y + APART;
    }
    let mut most = bottom;
    for y in placed.iter_mut().rev() {
        *y = y.min(most);
        most = *y - APART;
    }
    placed
}

impl Drawing for CompareChart {
    const HEIGHT: f64 = 220.0;

    fn size(&self) -> [f64; 2] {
        [self.width, Self::HEIGHT]
    }

    fn scales(&self) -> [ChartScale; 2] {
        [self.x, self.y]
    }

    fn lines(&self) -> Vec<(Stroke, Vec<Option<f64>>)> {
        let value = |line: &CompareLine, at: usize| line.rewards.get(at).copied().flatten();
        let values =
            |line: &CompareLine| (0..self.places.len()).map(|at| value(line, at)).collect();
        self.lines.iter().map(|line| (stroke(line.position), values(line))).collect()
    }

    fn under(&self, brush: &mut dyn Brush, marked: Marked) {
        mark(brush, self.x, [TOP, Self::HEIGHT], marked);
        self.draw_grid(brush);
    }

    fn over(&self, brush: &mut dyn Brush) {
        for line in &self.lines {
            self.draw_points(brush, line);
        }
        self.draw_ends(brush);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stop_where_there_is_no_reward() {
        let line = CompareLine {
            letter: 'a',
            position: 0,
            rewards: vec![Some(0.5), None, Some(0.75)],
            is_derived: false,
        };
        let chart = CompareChart::new(&[line], vec![1, 2, 3, 4], "attempt", 400.0);
        assert_eq!(chart.lines()[0].1, [Some(0.5), None, Some(0.75), None]);
    }

    #[test]
    fn labels_do_not_cover_each_other() {
        let placed = apart(&[10.0, 11.0, 190.0, 199.0, 200.0], 12.0, 194.0);
        assert!(placed.windows(2).all(|pair| pair[1] - pair[0] >= APART - 1e-9), "{placed:?}");
        assert!(placed[0] >= 12.0 && placed[4] <= 194.0, "{placed:?}");
        assert_eq!(apart(&[50.0, 90.0], 12.0, 194.0), [50.0, 90.0]);
    }
}
