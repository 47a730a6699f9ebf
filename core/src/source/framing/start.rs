//! The first bytes: which framing is it?

use super::lead::leading_text;
use super::{Breaks, Content, Frame, Framer, Framing, Mode, Step, Stop};

impl Framer {
    pub(super) fn begin(&mut self, text: &[u8], is_end: bool) -> Step {
        if let Some(step) = self.pass(text, is_end) {
            if let Step::Out(_) = step {
                self.start = self.at;
            }
            return step;
        }
        let Some(first) = text.get(self.at) else { return Step::Starved };
        match first {
            b'{' => self.mode = Mode::First,
            b'[' => match self.holds_objects(text, is_end) {
                None => return Step::Starved,
                Some(true) => {
                    self.framing = Some(Framing::JsonArray);
                    self.at += 1;
                    self.mode = Mode::Array { after_item: false, comma: None };
                    return Step::Again;
                }
                Some(false) => {
                    self.framing = Some(Framing::Json);
                    self.mode = Mode::Documents;
                }
            },
            b'<' => match self.begins(text, self.at) {
                None if !is_end => return Step::Starved,
                Some(true) => return self.meet(self.at),
                _ => return self.begin_text(text, is_end),
            },
            _ => return self.begin_text(text, is_end),
        }
        self.start = self.at;
        Step::Again
    }

    /// Whether the items of the array at `at` are records: it is empty, or holds an object, before
    /// which other scalars may stand. None while that is undecided.
    fn holds_objects(&self, text: &[u8], is_end: bool) -> Option<bool> {
        const MAX_LEN: usize = 4096;
        let inside = text.get(self.at + 1..).unwrap_or_default();
        let is_all = is_end || inside.len() >= MAX_LEN;
        let inside = inside.get(..MAX_LEN).unwrap_or(inside);
        let (mut is_in_string, mut is_escaped) = (false, false);
        let mut is_empty = true;
        for byte in inside {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if is_in_string => is_escaped = true,
                b'"' => is_in_string = !is_in_string,
                _ if is_in_string => {}
                // A marker says nothing of what it stands before.
                b'{' | b'<' => return Some(true),
                b'[' => return Some(false),
                b']' => return Some(is_empty),
                _ => {}
            }
            is_empty &= byte.is_ascii_whitespace();
        }
        is_all.then_some(false)
    }

    /// Neither `{` nor `[`: a fence around the file, lines of prose before the first value, or YAML
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
        let prose = rest.get(..lead).unwrap_or_default();
        if lead == 0 || (self.is_one)(&crate::source::lossy(prose)) {
            self.mode = Mode::Whole;
            self.start = if self.is_fenced { self.at } else { self.start };
            return Step::Again;
        }
        let start = self.at;
        if line.ends_with(b"}") {
            // The tail of a record, cut off in front.
            self.at += len;
            self.start = self.at;
            let end = start + line.len();
            return Step::Out(Frame::Record { start, end, content: Content::Line });
        }
        self.at += lead;
        self.start = self.at;
        Step::Out(Frame::Note { rule: "json/leading-text", at: start })
    }

    pub(super) fn become_lines(&mut self, start: usize) {
        self.mode = Mode::Lines;
        self.framing = Some(Framing::Jsonl);
        self.restart(start, start);
    }

    pub(super) fn first(&mut self, text: &[u8], is_end: bool) -> Step {
        match self.structure(text) {
            Stop::ValueEnd => {
                let is_line = self.is_one_line;
                self.is_one_line = false;
                self.mode = Mode::AfterFirst { is_line, breaks: Breaks::default() };
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
            Stop::Conflict => self.meet(self.at - 1),
            Stop::Starved if is_end && self.is_first_of_lines(text) => {
                self.has_returns = memchr::memchr(b'\n', text).is_none();
                self.become_lines(self.start);
                Step::Again
            }
            Stop::Starved if is_end => {
                self.framing = Some(Framing::Json);
                self.cut(text, Content::CutValue)
            }
            Stop::Starved => Step::Starved,
        }
    }

    /// Whether the line that ends at `at` ends as lines inside a document do, after which its value goes
    /// on. A line that ends otherwise may be a record of JSON Lines that was cut.
    fn is_open_ended(&self, text: &[u8]) -> bool {
        let line = text.get(self.start..self.at).unwrap_or_default().trim_ascii_end();
        matches!(line.last(), Some(b'[' | b'{' | b',' | b':'))
    }

    /// Whether a value that never ends is the broken first line of JSON Lines after all.
    fn is_first_of_lines(&self, text: &[u8]) -> bool {
        let rest = text.get(self.start..).unwrap_or_default();
        let line_len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let line = rest.get(..line_len).unwrap_or_default().trim_ascii_end();
        let has_breaks = memchr::memchr(b'\n', rest).is_some();
        let next: &[u8] = if has_breaks { b"\n{" } else { b"\r{" };
        line.last() != Some(&b'[') && memchr::memmem::find(rest, next).is_some()
    }

    pub(super) fn after_first(
        &mut self,
        text: &[u8],
        is_end: bool,
        is_line: bool,
        breaks: Breaks,
    ) -> Step {
        let from = self.at;
        let step = self.pass(text, is_end);
        let passed = text.get(from..self.at).unwrap_or_default();
        let breaks = Breaks {
            has_feed: breaks.has_feed || passed.contains(&b'\n'),
            has_return: breaks.has_return || passed.contains(&b'\r'),
        };
        if step.is_some() || self.at == text.len() {
            self.mode = Mode::AfterFirst { is_line, breaks };
            return step.unwrap_or(Step::Starved);
        }
        if is_line && (breaks.has_feed || breaks.has_return) {
            self.has_returns = !breaks.has_feed;
            self.become_lines(self.at);
        } else {
            self.mode = Mode::Documents;
            self.start = self.at;
        }
        Step::Again
    }
}
