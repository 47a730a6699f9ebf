//! Charts: pure preparation of what is drawn, and the component that lets uPlot draw it.
//!
//! A chart knows its places in pixels before anything is drawn, so that lanes, marks and labels
//! can be tested without a browser. uPlot draws the lines and follows the pointer.

mod compare;
mod curve;
mod options;
mod print;
mod run_plot;
mod scale;
mod stage;
mod view;

pub(crate) use compare::{CompareChart, CompareLine};
pub(crate) use curve::{Curve, CurveLine, lines, numbers};
pub(crate) use options::Options;
pub(crate) use print::PrintChart;
pub(crate) use run_plot::RunPlot;
pub(crate) use scale::float;
pub(crate) use stage::{Shown, Span};
pub(crate) use view::ChartView;

use hindscope::{Brush, Stroke};

use crate::platform::Inks;
use options::Series;
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

    /// The same, for uPlot.
    fn options(&self, inks: &Inks) -> Options {
        let ([width, height], [x, y]) = (self.size(), self.scales());
        let padding = [y.pixels[1], width - x.pixels[1], height - y.pixels[0], x.pixels[0]];
        let line = |stroke: Stroke| Series::line(inks.colour(stroke.ink), stroke.dash);
        let lines = self.strokes().into_iter().map(line).collect();
        Options::new((width, height), padding, x.values, y.values, lines)
    }
}
