//! Rewards of several runs over each other: one line each, told apart by letters and dashes.

use super::curve::style;
use super::options::{Options, Series};
use super::scale::{Scale, labels};
use super::{Drawing, Ink, Marked};
use crate::platform::{Baseline, Inks, Pen, Side};
use hindscope::Order as _;

const LEFT: f64 = 44.0;
const RIGHT: f64 = 66.0;
const TOP: f64 = 12.0;
const LABELS: f64 = 22.0;
const HEIGHT: f64 = 220.0;
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
    x: Scale,
    y: Scale,
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
            x: Scale {
                values: [-0.5, float(places.len()) - 0.5],
                pixels: [LEFT, (width - RIGHT).max(LEFT + 1.0)],
            },
            y: Scale { values: [0.0, 1.0], pixels: [HEIGHT - LABELS, TOP] },
            lines: lines.to_vec(),
            places,
            unit,
        }
    }

    fn draw_grid(&self, pen: &Pen<'_>) {
        let [from, to] = self.x.pixels;
        for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let y = self.y.at(value).round() + 0.5;
            pen.alpha(0.35);
            pen.line(&[(from, y), (to, y)], Ink::Line, 1.0);
            pen.alpha(1.0);
            let text = format!("{value}");
            pen.text(&text, from - 6.0, y, Side::Right, Baseline::Middle, Ink::Muted);
        }
        let y = HEIGHT - 2.0;
        for at in labels(&self.places, self.x.step(), 30.0) {
            let (x, text) = (self.x.at(float(at)), self.places[at].to_string());
            pen.text(&text, x, y, Side::Middle, Baseline::Bottom, Ink::Muted);
        }
        pen.text(self.unit, to + 8.0, y, Side::Left, Baseline::Bottom, Ink::Muted);
    }

    fn draw_points(&self, pen: &Pen<'_>, line: &CompareLine) {
        let (ink, _) = style(line.position);
        let known = |at: Option<usize>| at.and_then(|at| line.rewards.get(at).copied().flatten());
        let is_roomy = self.x.step() >= 9.0;
        for (at, reward) in line.rewards.iter().enumerate() {
            let Some(reward) = reward else { continue };
            let is_lone = known(at.checked_sub(1)).is_none() && known(Some(at + 1)).is_none();
            if !is_roomy && !is_lone {
                continue;
            }
            let (x, y) = (self.x.at(float(at)), self.y.at(*reward));
            if line.is_derived {
                pen.fill_circle(x, y, 3.0, Ink::Background);
                pen.stroke_circle(x, y, 3.0, ink, 1.5);
            } else {
                pen.fill_circle(x, y, 3.0, ink);
            }
        }
    }

    /// Letters at the ends of the lines, moved apart where they would cover each other.
    fn draw_ends(&self, pen: &Pen<'_>) {
        let mut ends: Vec<(f64, f64, &CompareLine, f64)> = self
            .lines
            .iter()
            .filter_map(|line| {
                let at = line.rewards.iter().rposition(Option::is_some)?;
                let reward = line.rewards[at]?;
                Some((self.x.at(float(at)), self.y.at(reward), line, reward))
            })
            .collect();
        ends.order_by(|a, b| a.1.total_cmp(&b.1));
        let wanted: Vec<f64> = ends.iter().map(|end| end.1).collect();
        let placed = apart(&wanted, TOP, HEIGHT - LABELS - 4.0);
        for ((x, y, line, reward), at) in ends.into_iter().zip(placed) {
            let (ink, _) = style(line.position);
            let to = self.x.pixels[1] + 8.0;
            pen.alpha(0.5);
            pen.dash(&[1.0, 3.0]);
            pen.line(&[(x + 5.0, y), (to - 2.0, at)], ink, 1.0);
            pen.dash(&[]);
            pen.alpha(1.0);
            let text = format!("{} {reward:.3}", line.letter);
            pen.text(&text, to, at, Side::Left, Baseline::Middle, ink);
        }
    }
}

/// Heights for labels, in rising order, at least so far apart and as near to what is wanted as a
/// walk down and a walk up allow.
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
    fn options(&self, inks: &Inks) -> Options {
        let lines = self.lines.iter().map(|line| {
            let (ink, dash) = style(line.position);
            Series::line(inks.colour(ink), dash)
        });
        let padding = [TOP, self.width - self.x.pixels[1], LABELS, LEFT];
        let size = (self.width, HEIGHT);
        Options::new(size, padding, self.x.values, self.y.values, lines.collect())
    }

    fn data(&self) -> Vec<Vec<Option<f64>>> {
        let slots = self.places.len();
        let mut data = vec![(0..slots).map(|at| Some(float(at))).collect()];
        for line in &self.lines {
            data.push((0..slots).map(|at| line.rewards.get(at).copied().flatten()).collect());
        }
        data
    }

    fn item(&self, place: usize) -> Option<usize> {
        (place < self.places.len()).then_some(place)
    }

    fn under(&self, pen: &Pen<'_>, marked: Marked) {
        for (at, alpha) in [(marked.hovered, 0.08), (marked.selected, 0.14)] {
            if let Some(at) = at {
                let width = self.x.step().max(2.0);
                pen.alpha(alpha);
                let x = self.x.at(float(at)) - width / 2.0;
                pen.fill_rect(x, TOP, width, HEIGHT - TOP, Ink::Accent);
                pen.alpha(1.0);
            }
        }
        self.draw_grid(pen);
    }

    fn over(&self, pen: &Pen<'_>, _: Marked) {
        // uPlot leaves the dashes of the line that it drew last.
        pen.dash(&[]);
        for line in &self.lines {
            self.draw_points(pen, line);
        }
        self.draw_ends(pen);
    }
}

#[expect(clippy::cast_precision_loss, reason = "positions in a list")]
fn float(position: usize) -> f64 {
    position as f64
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
        assert_eq!(chart.data()[1], [Some(0.5), None, Some(0.75), None]);
        assert_eq!(chart.item(4), None);
    }

    #[test]
    fn labels_do_not_cover_each_other() {
        let placed = apart(&[10.0, 11.0, 190.0, 199.0, 200.0], 12.0, 194.0);
        assert!(placed.windows(2).all(|pair| pair[1] - pair[0] >= APART - 1e-9), "{placed:?}");
        assert!(placed[0] >= 12.0 && placed[4] <= 194.0, "{placed:?}");
        assert_eq!(apart(&[50.0, 90.0], 12.0, 194.0), [50.0, 90.0]);
    }
}
