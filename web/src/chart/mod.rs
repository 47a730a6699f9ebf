//! Charts: pure preparation of what is drawn, and the component that lets uPlot draw it.
//!
//! A chart knows its places in pixels before anything is drawn, so that lanes, marks and labels
//! can be tested without a browser. uPlot draws the lines and follows the pointer.

mod compare;
mod curve;
mod options;
mod run_plot;
mod scale;
mod stage;
mod view;

pub(crate) use compare::{CompareChart, CompareLine};
pub(crate) use curve::{Curve, CurveLine, lines, numbers};
pub(crate) use options::Options;
pub(crate) use run_plot::RunPlot;
pub(crate) use stage::{Shown, Span};
pub(crate) use view::ChartView;

/// A colour by its meaning; the style sheet has its value.
pub(crate) use hindscope::Ink;

use crate::platform::{Inks, Pen};

/// What the reader points at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marked {
    pub(crate) selected: Option<usize>,
    pub(crate) hovered: Option<usize>,
}

/// A chart of a certain width.
pub(crate) trait Drawing: 'static {
    /// Sizes, scales and lines, for uPlot.
    fn options(&self, inks: &Inks) -> Options;
    /// Places on the x axis, then one column per line.
    fn data(&self) -> Vec<Vec<Option<f64>>>;
    /// Which item a place on the x axis stands for; gaps stand for none.
    fn item(&self, place: usize) -> Option<usize>;
    /// Drawn below the lines.
    fn under(&self, pen: &Pen<'_>, marked: Marked);
    /// Drawn above the lines.
    fn over(&self, pen: &Pen<'_>, marked: Marked);
}
