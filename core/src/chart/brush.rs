//! What a chart is drawn with.

use crate::labels::labels;

labels! {
    /// A colour by its meaning; the word is its class in a style sheet.
    Ink {
        /// Text.
        Text = "ink-text",
        /// Text that matters less.
        Muted = "ink-muted",
        /// Thin lines.
        Line = "ink-line",
        /// Reported rewards, and what is chosen.
        Accent = "ink-accent",
        /// Success, and better.
        Pass = "ink-pass",
        /// Failure, and worse.
        Fail = "ink-fail",
        /// In between, and warnings.
        Partial = "ink-partial",
        /// What a rule derived.
        Derived = "ink-derived",
        /// The background.
        Background = "ink-background",
    }
}

impl Ink {
    /// Its class in a style sheet.
    pub const fn class(self) -> &'static str {
        self.as_str()
    }

    /// Its colour on a light background.
    pub const fn light(self) -> &'static str {
        match self {
            Self::Text => "#1b2127",
            Self::Muted => "#55606b",
            Self::Line => "#7b8794",
            Self::Accent => "#0b57a4",
            Self::Pass => "#00694f",
            Self::Fail => "#a8400a",
            Self::Partial => "#7a5b00",
            Self::Derived => "#6a3fa0",
            Self::Background => "#ffffff",
        }
    }
}

/// Which side of its place a text is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The text begins at its place.
    Left,
    /// Its middle is there.
    Middle,
    /// It ends there.
    Right,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub ink: Ink,
    /// Its width in pixels.
    pub width: f64,
    /// Lengths of dashes and gaps; empty for a solid one.
    pub dash: &'static [f64],
    /// 0..1: how much of the background it hides.
    pub alpha: f64,
}

impl Stroke {
    /// A solid one.
    pub const fn solid(ink: Ink, width: f64) -> Self {
        Self { ink, width, dash: &[], alpha: 1.0 }
    }

    /// The same, see-through.
    #[must_use]
    pub const fn faint(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// The same in dashes.
    #[must_use]
    pub const fn dashed(self, dash: &'static [f64]) -> Self {
        Self { dash, ..self }
    }
}

/// Draws, in pixels from the upper left. A rectangle is left, top, width and height.
pub trait Brush {
    /// A line through points.
    fn line(&mut self, points: &[(f64, f64)], stroke: Stroke);
    /// A filled rectangle.
    fn rect(&mut self, rect: [f64; 4], ink: Ink, alpha: f64);
    /// The edges of a rectangle.
    fn outline(&mut self, rect: [f64; 4], stroke: Stroke);
    /// Slanted lines inside a rectangle.
    fn hatch(&mut self, rect: [f64; 4], stroke: Stroke);
    /// A filled circle.
    fn disc(&mut self, at: (f64, f64), radius: f64, ink: Ink);
    /// A circle.
    fn ring(&mut self, at: (f64, f64), radius: f64, stroke: Stroke);
    /// A filled polygon.
    fn shape(&mut self, points: &[(f64, f64)], ink: Ink);
    /// A text of 11 pixels whose middle line goes through its place, on a halo of the background.
    fn text(&mut self, text: &str, at: (f64, f64), side: Side, ink: Ink);
}
