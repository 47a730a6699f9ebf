//! The first bytes: which framing is it?

use super::bundle::begins_bundle;
use super::{Content, Frame, Framer, Framing, Mode, Step, Stop, skip};

impl Framer {
    pub(super) fn begin(&mut self, text: &[u8], is_end: bool) -> Step {
        self.at = skip(text, self.at, b" \t\r\n");
        let Some(first) = text.get(self.at) else { return Step::Starved };
        match first {
            b'{' => match begins_bundle(text.get(self.at..).unwrap_or_default(), is_end) {
                None => return Step::Starved,
                Some(true) => return self.begin_bundle(),
                Some(false) => self.mode = Mode::First,
            },
            b'[' => {
                let inner = skip(text, self.probe.max(self.at + 1), b" \t\r\n");
                match text.get(inner) {
                    None if !is_end => {
                        self.probe = inner;
                        return Step::Starved;
                    }
                    Some(b'{' | b']') => {
                        self.framing = Some(Framing::JsonArray);
                        self.at += 1;
                        self.mode = Mode::Array { after_item: false, comma: None };
                        return Step::Again;
                    }
                    _ => {
                        self.framing = Some(Framing::Json);
                        self.mode = Mode::Documents;
                    }
                }
            }
            _ => return self.begin_text(text, is_end),
        }
        self.start = self.at;
        Step::Again
    }

    /// Neither `{` nor `[`: a fence around the file, a few lines before the first value, or YAML
    /// and text.
    pub(super) fn begin_text(&mut self, text: &[u8], is_end: bool) -> Step {
        let rest = text.get(self.at..).unwrap_or_default();
        let line_end = memchr::memchr(b'\n', rest).or(is_end.then_some(rest.len()));
        let Some(len) = line_end else { return Step::Starved };
        let line = rest.get(..len).unwrap_or_default().trim_ascii_end();
        if !self.is_fenced
            && line.starts_with(b"```")
            && !line.get(3..).unwrap_or_default().contains(&b'`')
        {
            let at = self.at;
            self.is_fenced = true;
            self.at += len;
            self.start = self.at;
            return Step::Out(Frame::Note { rule: "json/fence", at });
        }
        let Some(lead) = leading_text(rest, is_end) else { return Step::Starved };
        match lead {
            0 => {
                self.mode = Mode::Whole;
                self.start = if self.is_fenced { self.at } else { 0 };
                Step::Again
            }
            lead => {
                let start = self.at;
                let is_broken_value = line.ends_with(b"}");
                self.at += lead;
                self.start = self.at;
                if is_broken_value {
                    // The tail of a record, cut off in front.
                    Step::Out(Frame::Record {
                        start,
                        end: start + line.len(),
                        content: Content::Line,
                    })
                } else {
                    Step::Out(Frame::Note { rule: "json/leading-text", at: start })
                }
            }
        }
    }

    pub(super) fn become_lines(&mut self, start: usize) {
        self.mode = Mode::Lines;
        self.framing = Some(Framing::JsonLines);
        self.start = start;
        self.at = start;
        self.depth = 0;
        self.is_in_string = false;
        self.is_escaped = false;
    }

    pub(super) fn first(&mut self, text: &[u8], is_end: bool) -> Step {
        match self.structure(text) {
            Stop::ValueEnd => {
                let is_line = self.is_one_line;
                self.is_one_line = false;
                self.mode = Mode::AfterFirst { is_line, has_break: false };
                self.framing = Some(Framing::Json);
                self.record(self.start, Content::Value)
            }
            Stop::LineBreak => match text.get(self.at) {
                None if !is_end => {
                    // Look again when the next line has begun.
                    self.at -= 1;
                    Step::Starved
                }
                Some(b'{') if !self.is_open_ended(text) => {
                    self.become_lines(self.start);
                    Step::Again
                }
                _ => {
                    self.is_one_line = false;
                    Step::Again
                }
            },
            Stop::Starved if is_end && self.is_first_of_lines(text) => {
                self.become_lines(self.start);
                Step::Again
            }
            Stop::Starved if is_end => {
                self.framing = Some(Framing::Json);
                self.cut(text)
            }
            Stop::Starved => Step::Starved,
        }
    }

    /// Whether the line that ends at `at` asks for more: a document goes on, a record on a line of
    /// its own was cut.
    fn is_open_ended(&self, text: &[u8]) -> bool {
        let line = text.get(self.start..self.at).unwrap_or_default().trim_ascii_end();
        matches!(line.last(), Some(b'[' | b'{' | b',' | b':'))
    }

    /// Whether a value that never ends is the broken first line of JSON Lines after all.
    fn is_first_of_lines(&self, text: &[u8]) -> bool {
        let rest = text.get(self.start..).unwrap_or_default();
        let line_len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..line_len).unwrap_or_default().trim_ascii_end();
        line.last() != Some(&b'[') && memchr::memmem::find(rest, b"\n{").is_some()
    }

    pub(super) fn after_first(&mut self, text: &[u8], is_line: bool, has_break: bool) -> Step {
        let from = self.at;
        self.at = skip(text, self.at, b" \t\r\n");
        let passed = text.get(from..self.at).unwrap_or_default();
        let has_break = has_break || passed.contains(&b'\n');
        if self.at == text.len() {
            self.mode = Mode::AfterFirst { is_line, has_break };
            return Step::Starved;
        }
        if is_line && has_break {
            self.become_lines(self.at);
        } else {
            self.mode = Mode::Documents;
            self.start = self.at;
        }
        Step::Again
    }
}

/// Lines of prose before the first value of captured output; more than these are a text.
const MAX_LEADING_LINES: usize = 5;

/// How many bytes of other lines stand before one that begins with `{`; 0 if none does. Nothing
/// until that can be told.
fn leading_text(text: &[u8], is_end: bool) -> Option<usize> {
    let mut at = 0;
    for _ in 0..=MAX_LEADING_LINES {
        let rest = text.get(at..).unwrap_or_default();
        let line_start = rest.iter().position(|b| !b" \t\r\n".contains(b)).unwrap_or(rest.len());
        let Some(first) = rest.get(line_start) else { return is_end.then_some(0) };
        match first {
            b'{' if at > 0 => return Some(at + line_start),
            b'-' | b'#' | b'%' | b'`' => return Some(0),
            _ => {}
        }
        let Some(len) = memchr::memchr(b'\n', rest) else { return is_end.then_some(0) };
        let line = rest.get(..len).unwrap_or_default();
        // `key: value` is YAML, unless it is the tail of a JSON record.
        if !line.trim_ascii_end().ends_with(b"}") && line.windows(2).any(|w| w == b": ") {
            return Some(0);
        }
        at += len + 1;
    }
    Some(0)
}
