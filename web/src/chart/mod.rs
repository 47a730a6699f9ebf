//! Charts: pure preparation of what is drawn, and the component that draws it on a canvas or on paper.
//!
//! A chart knows its places in pixels before anything is drawn, so that lanes, marks and labels
//! can be tested without a browser.

mod compare;
mod curve;
mod print;
mod run_plot;
mod scale;
mod stage;
mod view;

pub(crate) use compare::{CompareChart, CompareLine};
pub(crate) use curve::{Curve, CurveLine, lines, numbers};
pub(crate) use print::PrintChart;
pub(crate) use run_plot::RunPlot;
pub(crate) use scale::float;
use scale::position;
pub(crate) use stage::{Shown, Span};
pub(crate) use view::ChartView;

use hindscope::{Brush, ChartScale, Stroke};

/// What the reader points at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marked {
    pub(crate) selected: Option<usize>,
    pub(crate) hovered: Option<usize>,
}

/// A chart of a certain width.
pub(crate) trait Drawing: 'static {
    /// In pixels.
    const HEIGHT: f64;

    /// Width and height.
    fn size(&self) -> [f64; 2];
    /// Where values stand: across, with the items at 0, 1, 2 and so on, then up.
    fn scales(&self) -> [ChartScale; 2];
    /// How each line is drawn, and its value at each item.
    fn lines(&self) -> Vec<(Stroke, Vec<Option<f64>>)>;
    /// Drawn below the lines.
    fn under(&self, brush: &mut dyn Brush, marked: Marked);
    /// Drawn above the lines.
    fn over(&self, brush: &mut dyn Brush);

    /// Draws all of it.
    fn draw(&self, brush: &mut dyn Brush, marked: Marked) {
        self.under(brush, marked);
        let [x, y] = self.scales();
        for (stroke, values) in self.lines() {
            let points = values.iter().enumerate();
            let points: Vec<Option<(f64, f64)>> =
                points.map(|(at, value)| Some((x.at(float(at)), y.at((*value)?)))).collect();
            // A missing value breaks the line.
            for piece in points.split(Option::is_none) {
                let piece: Vec<(f64, f64)> = piece.iter().copied().flatten().collect();
                if piece.len() > 1 {
                    brush.line(&piece, stroke);
                }
            }
        }
        self.over(brush);
    }

    /// The item at a place in pixels, if it is within the lanes.
    fn item_at(&self, (left, top): (f64, f64)) -> Option<usize> {
        let [x, y] = self.scales();
        let is_inside = |at: f64, [a, b]: [f64; 2]| at >= a.min(b) && at < a.max(b);
        // Half a unit is free beside the first item and the last.
        (is_inside(left, x.pixels) && is_inside(top, y.pixels))
            .then(|| position(x.value_at(left).round()))
    }
}
