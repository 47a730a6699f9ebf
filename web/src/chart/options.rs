//! The options of uPlot that are used here, as it spells them.

use serde::Serialize;

/// Options of one chart. Axes and legend are ours, so uPlot's are off.
#[derive(Debug, Serialize)]
pub(crate) struct Options {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Top, right, bottom, left.
    pub(crate) padding: [f64; 4],
    pub(crate) scales: Scales,
    pub(crate) series: Vec<Series>,
    axes: [Switch; 2],
    legend: Switch,
    cursor: Cursor,
}

/// The x axis and the one y axis that lines use.
#[derive(Debug, Serialize)]
pub(crate) struct Scales {
    x: ScaleX,
    y: ScaleY,
}

/// Where the x axis begins and ends at first. A `range` could not be changed later: uPlot would go back
/// to it after each change.
#[derive(Debug, Serialize)]
struct ScaleX {
    time: bool,
    auto: bool,
    min: f64,
    max: f64,
}

#[derive(Debug, Serialize)]
struct ScaleY {
    time: bool,
    range: [f64; 2],
}

/// One line. The first of a chart stands for the x axis and has nothing set.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Series {
    #[serde(skip_serializing_if = "Option::is_none")]
    stroke: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dash: Vec<f64>,
    span_gaps: bool,
    points: Switch,
}

#[derive(Debug, Default, Serialize)]
struct Switch {
    show: bool,
}

#[derive(Debug, Default, Serialize)]
struct Cursor {
    show: bool,
    x: bool,
    y: bool,
    points: Switch,
    drag: Drag,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Drag {
    x: bool,
    y: bool,
    set_scale: bool,
}

impl Options {
    pub(crate) fn new(
        size: (f64, f64),
        padding: [f64; 4],
        x: [f64; 2],
        y: [f64; 2],
        lines: Vec<Series>,
    ) -> Self {
        let mut series = vec![Series::default()];
        series.extend(lines);
        Self {
            width: size.0,
            height: size.1,
            padding,
            scales: Scales {
                x: ScaleX { time: false, auto: false, min: x[0], max: x[1] },
                y: ScaleY { time: false, range: y },
            },
            series,
            axes: [Switch::default(), Switch::default()],
            legend: Switch::default(),
            cursor: Cursor { show: true, ..Cursor::default() },
        }
    }

    /// The same without a pointer of uPlot's own.
    pub(crate) fn without_cursor(mut self) -> Self {
        self.cursor.show = false;
        self
    }
}

impl Series {
    /// A line that stops where there is no value.
    pub(crate) fn line(stroke: &str, dash: &[f64]) -> Self {
        Self {
            stroke: Some(stroke.to_owned()),
            width: Some(2.0),
            dash: dash.to_vec(),
            ..Self::default()
        }
    }
}
