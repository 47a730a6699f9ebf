//! A canvas for the charts, and its pen: few strokes, in pixels of the page, in the colours of the theme.

use hindscope::{Brush, Ink, Side, Stroke};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement, window};

use super::dom::rounded;

/// A canvas that fills its place. It goes when it is dropped.
pub(crate) struct Canvas {
    element: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    inks: Inks,
    /// Its pixels for one of the page.
    ratio: f64,
}

impl Canvas {
    /// Adds one of this width and height to an element; none where the browser has no more memory for it.
    pub(crate) fn new(host: &HtmlElement, [width, height]: [f64; 2]) -> Option<Self> {
        let window = window()?;
        let ratio = window.device_pixel_ratio();
        let element = window.document()?.create_element("canvas").ok()?;
        let element: HtmlCanvasElement = element.dyn_into().ok()?;
        element.set_width(rounded(width * ratio).unsigned_abs());
        element.set_height(rounded(height * ratio).unsigned_abs());
        for (name, pixels) in [("width", width), ("height", height)] {
            let _ = element.style().set_property(name, &format!("{pixels}px"));
        }
        let context = element.get_context("2d").ok()??.dyn_into().ok()?;
        let inks = inks(host);
        host.append_child(&element).ok()?;
        Some(Self { element, context, inks, ratio })
    }

    /// Draws something else than before.
    pub(crate) fn draw(&self, paint: impl FnOnce(&mut &Pen<'_>)) {
        let (width, height) = (self.element.width(), self.element.height());
        self.context.clear_rect(0.0, 0.0, width.into(), height.into());
        let pen = Pen::begin(&self.context, &self.inks, self.ratio);
        paint(&mut &pen);
        pen.end();
    }
}

impl Drop for Canvas {
    fn drop(&mut self) {
        self.element.remove();
    }
}

/// The colours of the theme as they are now.
struct Inks {
    colours: Vec<String>,
    font: String,
}

/// Asks the style sheet. A canvas knows neither custom properties nor forced colours, but a
/// computed colour has both resolved.
fn inks(host: &HtmlElement) -> Inks {
    let mut inks = Inks { colours: Vec::new(), font: "11px sans-serif".to_owned() };
    let Some(window) = window() else { return inks };
    let Some(probe) = window.document().and_then(|document| document.create_element("i").ok())
    else {
        return inks;
    };
    let _ = host.append_child(&probe);
    for ink in Ink::ALL {
        probe.set_class_name(ink.class());
        let style = window.get_computed_style(&probe).ok().flatten();
        let property = |name| style.as_ref().and_then(|style| style.get_property_value(name).ok());
        inks.colours.push(property("color").unwrap_or_default());
        if let Some(family) = property("font-family") {
            inks.font = format!("11px {family}");
        }
    }
    probe.remove();
    inks
}

impl Inks {
    fn colour(&self, ink: Ink) -> &str {
        self.colours.get(ink as usize).map_or("", String::as_str)
    }
}

/// Draws on a canvas.
pub(crate) struct Pen<'a> {
    context: &'a CanvasRenderingContext2d,
    inks: &'a Inks,
}

impl<'a> Pen<'a> {
    /// Begins to draw; `ratio` is the pixels of the canvas for one of the page.
    fn begin(context: &'a CanvasRenderingContext2d, inks: &'a Inks, ratio: f64) -> Self {
        context.save();
        let _ = context.scale(ratio, ratio);
        context.set_font(&inks.font);
        context.set_line_join("round");
        Self { context, inks }
    }

    fn end(self) {
        self.context.restore();
    }

    fn stroke_with(&self, ink: Ink, width: f64) {
        self.context.set_stroke_style_str(self.inks.colour(ink));
        self.context.set_line_width(width);
    }

    fn fill_with(&self, ink: Ink) {
        self.context.set_fill_style_str(self.inks.colour(ink));
    }

    /// Everything until the next call is this much see-through.
    fn alpha(&self, alpha: f64) {
        self.context.set_global_alpha(alpha);
    }

    /// Lines until the next call are dashed like this; empty for solid.
    fn dash(&self, lengths: &[f64]) {
        let list: js_sys::Array = lengths.iter().map(|length| JsValue::from(*length)).collect();
        let _ = self.context.set_line_dash(&list);
    }

    fn path(&self, points: &[(f64, f64)]) {
        self.context.begin_path();
        for (at, (x, y)) in points.iter().enumerate() {
            if at == 0 {
                self.context.move_to(*x, *y);
            } else {
                self.context.line_to(*x, *y);
            }
        }
    }

    fn circle(&self, x: f64, y: f64, radius: f64) {
        self.context.begin_path();
        let _ = self.context.arc(x, y, radius, 0.0, std::f64::consts::TAU);
    }

    fn begin_stroke(&self, stroke: Stroke) {
        self.stroke_with(stroke.ink, stroke.width);
        self.dash(stroke.dash);
        self.alpha(stroke.alpha);
    }

    fn end_stroke(&self, stroke: Stroke) {
        if !stroke.dash.is_empty() {
            self.dash(&[]);
        }
        self.alpha(1.0);
    }
}

/// What the core draws, on the canvas.
impl Brush for &Pen<'_> {
    fn line(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        self.begin_stroke(stroke);
        self.path(points);
        self.context.stroke();
        self.end_stroke(stroke);
    }

    fn rect(&mut self, [left, top, width, height]: [f64; 4], ink: Ink, alpha: f64) {
        self.alpha(alpha);
        self.fill_with(ink);
        self.context.fill_rect(left, top, width, height);
        self.alpha(1.0);
    }

    fn outline(&mut self, [left, top, width, height]: [f64; 4], stroke: Stroke) {
        self.begin_stroke(stroke);
        self.context.stroke_rect(left, top, width, height);
        self.end_stroke(stroke);
    }

    /// Slanted lines inside a rectangle.
    fn hatch(&mut self, [left, top, width, height]: [f64; 4], stroke: Stroke) {
        self.alpha(stroke.alpha);
        self.context.save();
        self.context.begin_path();
        self.context.rect(left, top, width, height);
        self.context.clip();
        self.stroke_with(stroke.ink, 1.0);
        self.context.begin_path();
        let mut from = left - height;
        while from < left + width {
            self.context.move_to(from, top + height);
            self.context.line_to(from + height, top);
            from += 6.0;
        }
        self.context.stroke();
        self.context.restore();
        self.alpha(1.0);
    }

    fn disc(&mut self, (x, y): (f64, f64), radius: f64, ink: Ink) {
        self.fill_with(ink);
        self.circle(x, y, radius);
        self.context.fill();
    }

    fn ring(&mut self, (x, y): (f64, f64), radius: f64, stroke: Stroke) {
        self.begin_stroke(stroke);
        self.circle(x, y, radius);
        self.context.stroke();
        self.end_stroke(stroke);
    }

    fn shape(&mut self, points: &[(f64, f64)], ink: Ink) {
        self.fill_with(ink);
        self.path(points);
        self.context.close_path();
        self.context.fill();
    }

    fn text(&mut self, text: &str, (x, y): (f64, f64), side: Side, ink: Ink) {
        self.context.set_text_align(match side {
            Side::Left => "left",
            Side::Middle => "center",
            Side::Right => "right",
        });
        self.context.set_text_baseline("middle");
        // A halo of the background, so that no line strikes through it.
        self.stroke_with(Ink::Background, 3.0);
        let _ = self.context.stroke_text(text, x, y);
        self.fill_with(ink);
        let _ = self.context.fill_text(text, x, y);
    }
}
