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
pub(crate) use stage::{Shown, Span};
pub(crate) use view::ChartView;

use hindscope::{Brush, Stroke};

use scale::Scale;

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
    /// Where values stand: across, then up.
    fn scales(&self) -> [Scale; 2];
    /// How each line is drawn.
    fn strokes(&self) -> Vec<Stroke>;
    /// Places on the x axis, then one column per line.
    fn data(&self) -> Vec<Vec<Option<f64>>>;
    /// Drawn below the lines.
    fn under(&self, brush: &mut dyn Brush, marked: Marked);
    /// Drawn above the lines.
    fn over(&self, brush: &mut dyn Brush);

    /// Draws all of it.
    fn draw(&self, brush: &mut dyn Brush, marked: Marked) {
        self.under(brush, marked);
        let ([x, y], data) = (self.scales(), self.data());
        let Some((places, columns)) = data.split_first() else { return };
        for (column, stroke) in columns.iter().zip(self.strokes()) {
            let points: Vec<Option<(f64, f64)>> = places
                .iter()
                .zip(column)
                .map(|(place, value)| Some((x.at((*place)?), y.at((*value)?))))
                .collect();
            // A line is broken where there is no value.
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
        let is_inside = |at: f64, [a, b]: [f64; 2]| at >= a.min(b) && at <= a.max(b);
        let items = self.data().first().map_or(0, Vec::len);
        (is_inside(left, x.pixels) && is_inside(top, y.pixels))
            .then(|| x.nearest(left, items))
            .flatten()
    }
}
