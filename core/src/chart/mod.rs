//! A run as a chart: where iterations stand, which of them are drawn, and the drawing itself.
//!
//! The drawing is made of few strokes in pixels, so that a canvas and an SVG show the same.

mod axis;
mod brush;
mod columns;
mod decimate;
mod labels;
mod lanes;
mod marks;
mod outcome;
mod scale;
mod scene;
mod series;
pub(crate) mod svg;

pub use axis::{ChartAxis, Jump};
pub use brush::{Brush, Ink, Side, Stroke};
pub use columns::ChartColumns;
pub use decimate::{ChartRange, drawn};
pub use labels::round_step;
pub use marks::ChartMarks;
pub use scale::ChartScale;
pub use scene::{ChartLook, ChartScene};
pub use series::NamedSeries;
pub use svg::Svg;
