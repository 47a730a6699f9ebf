//! Charts: pure preparation of what is drawn, and the component that lets uPlot draw it.
//!
//! A chart knows its places in pixels before anything is drawn, so that lanes, marks and labels
//! can be tested without a browser. uPlot draws the lines and follows the pointer.

mod compare;
mod curve;
mod marks;
mod options;
mod run;
mod scale;
mod view;

pub(crate) use compare::{CompareChart, CompareLine};
pub(crate) use curve::{Curve, CurveLine, lines, numbers};
pub(crate) use options::Options;
pub(crate) use run::RunChart;
pub(crate) use view::ChartView;

use crate::platform::{Inks, Pen};

/// A colour by its meaning; the style sheet has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Text,
    Muted,
    Line,
    Accent,
    Pass,
    Fail,
    Partial,
    Derived,
    Background,
}

impl Ink {
    pub(crate) const ALL: [Self; 9] = [
        Self::Text,
        Self::Muted,
        Self::Line,
        Self::Accent,
        Self::Pass,
        Self::Fail,
        Self::Partial,
        Self::Derived,
        Self::Background,
    ];

    /// Its class in the style sheet.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Text => "ink-text",
            Self::Muted => "ink-muted",
            Self::Line => "ink-line",
            Self::Accent => "ink-accent",
            Self::Pass => "ink-pass",
            Self::Fail => "ink-fail",
            Self::Partial => "ink-partial",
            Self::Derived => "ink-derived",
            Self::Background => "ink-background",
        }
    }
}

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
