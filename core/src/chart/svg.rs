//! A chart as SVG: text, no scripts, nothing from outside.

use std::fmt::Write as _;

use super::brush::{Brush, Ink, Side, Stroke};

/// Draws into the text of an SVG. Colours are attributes, so that it looks the same anywhere, and
/// classes, so that a style sheet around it may have its own.
#[derive(Debug, Default)]
pub struct Svg {
    pub(crate) text: String,
}

impl Svg {
    /// What was drawn as one element `svg`, of so many pixels, with a name for those who cannot
    /// see it.
    #[must_use]
    pub fn element(&self, [width, height]: [f64; 2], name: &str) -> String {
        format!("{}{}</svg>\n", opening([width, height], name), self.text)
    }

    fn stroke(&mut self, stroke: Stroke) {
        let Stroke { ink, width, dash, alpha } = stroke;
        let (class, colour, width) = (ink.class(), ink.light(), pixels(width));
        let _ = write!(
            self.text,
            " class=\"line {class}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\""
        );
        if !dash.is_empty() {
            let list: Vec<_> = dash.iter().map(|length| pixels(*length)).collect();
            let _ = write!(self.text, " stroke-dasharray=\"{}\"", list.join(" "));
        }
        if alpha < 1.0 {
            let _ = write!(self.text, " stroke-opacity=\"{}\"", pixels(alpha));
        }
    }

    fn fill(&mut self, ink: Ink) {
        let _ = write!(self.text, " class=\"fill {}\" fill=\"{}\"", ink.class(), ink.light());
    }

    fn points(&mut self, points: &[(f64, f64)]) {
        self.text.push_str(" points=\"");
        for (at, (x, y)) in points.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            let _ = write!(self.text, "{space}{},{}", pixels(*x), pixels(*y));
        }
        self.text.push('"');
    }

    fn rectangle(&mut self, rect: [f64; 4]) {
        let [x, y, width, height] = rect.map(pixels);
        let _ =
            write!(self.text, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
    }

    fn end(&mut self) {
        self.text.push_str("/>\n");
    }

    /// A text of any size, in any weight.
    pub(crate) fn words(
        &mut self,
        words: &str,
        at: (f64, f64),
        size: u32,
        ink: Ink,
        is_bold: bool,
    ) {
        let (x, y) = (pixels(at.0), pixels(at.1));
        let _ = write!(self.text, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"");
        if is_bold {
            self.text.push_str(" font-weight=\"600\"");
        }
        self.fill(ink);
        let _ = writeln!(self.text, ">{}</text>", escaped(words));
    }
}

impl Brush for Svg {
    fn line(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        self.text.push_str("<polyline");
        self.points(points);
        self.stroke(stroke);
        if points.len() > 2 {
            self.text.push_str(" stroke-linejoin=\"round\"");
        }
        self.end();
    }

    fn rect(&mut self, rect: [f64; 4], ink: Ink, alpha: f64) {
        self.rectangle(rect);
        self.fill(ink);
        if alpha < 1.0 {
            let _ = write!(self.text, " fill-opacity=\"{}\"", pixels(alpha));
        }
        self.end();
    }

    fn outline(&mut self, rect: [f64; 4], stroke: Stroke) {
        self.rectangle(rect);
        self.stroke(stroke);
        self.end();
    }

    fn hatch(&mut self, rect: [f64; 4], stroke: Stroke) {
        let lines = hatching(rect);
        if lines.is_empty() {
            return;
        }
        self.text.push_str("<path d=\"");
        for [from, to] in lines {
            let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(pixels);
            let _ = write!(self.text, "M{x1} {y1}L{x2} {y2}");
        }
        self.text.push('"');
        self.stroke(stroke);
        self.end();
    }

    fn disc(&mut self, (x, y): (f64, f64), radius: f64, ink: Ink) {
        let (x, y, r) = (pixels(x), pixels(y), pixels(radius));
        let _ = write!(self.text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"");
        self.fill(ink);
        self.end();
    }

    fn ring(&mut self, (x, y): (f64, f64), radius: f64, stroke: Stroke) {
        let (x, y, r) = (pixels(x), pixels(y), pixels(radius));
        let _ = write!(self.text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"");
        self.stroke(stroke);
        self.end();
    }

    fn shape(&mut self, points: &[(f64, f64)], ink: Ink) {
        self.text.push_str("<polygon");
        self.points(points);
        self.fill(ink);
        self.end();
    }

    fn text(&mut self, text: &str, (x, y): (f64, f64), side: Side, ink: Ink) {
        let anchor = match side {
            Side::Left => "start",
            Side::Middle => "middle",
            Side::Right => "end",
        };
        // The middle line by hand: not everything that shows SVG knows `dominant-baseline`.
        let (x, y) = (pixels(x), pixels(y + 4.0));
        let background = Ink::Background;
        let _ = write!(
            self.text,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"11\" text-anchor=\"{anchor}\" class=\"halo {}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
            ink.class(),
            ink.light(),
            background.light()
        );
        let _ = writeln!(self.text, ">{}</text>", escaped(text));
    }
}

/// The tag that an SVG begins with.
pub(crate) fn opening([width, height]: [f64; 2], name: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\" font-family=\"system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif\">\n",
        pixels(width),
        pixels(height),
        escaped(name),
    )
}

/// Slanted lines that end at the edges of a rectangle.
fn hatching([left, top, width, height]: [f64; 4]) -> Vec<[(f64, f64); 2]> {
    let (right, bottom) = (left + width, top + height);
    let mut lines = Vec::new();
    // Each line is where x + y is a multiple of six, so that neighbours fit together.
    let mut sum = ((left + top) / 6.0).ceil() * 6.0;
    while sum < right + bottom {
        let from = if sum - left <= bottom { (left, sum - left) } else { (sum - bottom, bottom) };
        let to = if sum - top <= right { (sum - top, top) } else { (right, sum - right) };
        if to.0 > from.0 {
            lines.push([from, to]);
        }
        sum += 6.0;
    }
    lines
}

/// A length with two decimals at most.
pub(crate) fn pixels(length: f64) -> String {
    let rounded = (length * 100.0).round() / 100.0;
    // -0 would print its sign.
    format!("{}", rounded + 0.0)
}

/// Text that is never markup, in XML and HTML alike. What cannot be seen, or turns the direction of
/// reading, is named.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\r' => {}
            '\u{0}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                let _ = write!(out, "[U+{:04X}]", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_markup() {
        assert_eq!(
            escaped("<a href='x'>&\"\u{202e}\u{0}\r\n"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;[U+202E][U+0000]\n"
        );
    }

    #[test]
    fn hatching_stays_inside() {
        for rect in [[10.0, 20.0, 50.0, 7.0], [3.5, 0.0, 2.0, 90.0], [0.0, 0.0, 40.0, 40.0]] {
            let [left, top, width, height] = rect;
            let lines = hatching(rect);
            assert!(!lines.is_empty());
            for (x, y) in lines.into_iter().flatten() {
                assert!(x >= left - 1e-9 && x <= left + width + 1e-9);
                assert!(y >= top - 1e-9 && y <= top + height + 1e-9);
            }
        }
    }

    #[test]
    fn an_element_has_its_size_and_a_name_that_is_no_markup() {
        let mut svg = Svg::default();
        svg.line(&[(0.0, 1.0), (2.0, 1.0)], Stroke::solid(Ink::Line, 1.0));
        let element = svg.element([20.0, 10.5], "a \"<b>\"");
        assert!(element.starts_with("<svg xmlns="), "{element}");
        assert!(element.contains("width=\"20\" height=\"10.5\" viewBox=\"0 0 20 10.5\""));
        assert!(element.contains("aria-label=\"a &quot;&lt;b&gt;&quot;\""), "{element}");
        assert!(element.contains("<polyline points=\"0,1 2,1\"") && element.ends_with("</svg>\n"));
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!(
            (pixels(1.0 / 3.0), pixels(-0.001), pixels(12.0)),
            ("0.33".into(), "0".into(), "12".into())
        );
    }
}
