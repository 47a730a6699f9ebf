//! JSON values one after another, and the items of an array.

use super::{Content, Frame, Framer, Mode, Step, Stop};

impl Framer {
    pub(super) fn document(&mut self, text: &[u8], is_end: bool) -> Step {
        if self.depth == 0 {
            if let Some(step) = self.pass(text, is_end) {
                return step;
            }
            self.start = self.at;
            match text.get(self.at) {
                None => return Step::Starved,
                Some(b'<') if self.begins(text, self.at) == Some(true) => {
                    return self.meet(self.at);
                }
                Some(b'<') if self.begins(text, self.at).is_none() && !is_end => {
                    return Step::Starved;
                }
                Some(b'{' | b'[') if self.has_value && !self.has_note => {
                    self.has_note = true;
                    return Step::Out(Frame::Note { rule: "json/concatenated", at: self.at });
                }
                Some(b'{' | b'[') => {}
                Some(_) => return self.unreadable_line(text, is_end),
            }
            self.is_one_line = false;
        }
        match self.structure(text) {
            Stop::ValueEnd => self.record(self.start, Content::Value),
            Stop::LineBreak => Step::Again,
            Stop::Conflict => self.meet(self.at - 1),
            Stop::Starved if is_end => self.cut(text, Content::CutValue),
            Stop::Starved => Step::Starved,
        }
    }

    /// No value: the rest of the line is said to be unreadable.
    fn unreadable_line(&mut self, text: &[u8], is_end: bool) -> Step {
        let rest = text.get(self.at..).unwrap_or_default();
        let len = memchr::memchr2(b'\n', b'\r', rest).or(is_end.then_some(rest.len()));
        let Some(len) = len else { return Step::Starved };
        self.at += len;
        let line = rest.get(..len).unwrap_or_default().trim_ascii_end();
        if self.closes_fence(line) {
            return Step::Again;
        }
        self.record(self.start, Content::Line)
    }

    pub(super) fn between_items(
        &mut self,
        text: &[u8],
        is_end: bool,
        after_item: bool,
        comma: Option<usize>,
    ) -> Step {
        if let Some(step) = self.pass(text, is_end) {
            return step;
        }
        let Some(byte) = text.get(self.at) else {
            if is_end && !self.has_note {
                self.has_note = true;
                return Step::Out(Frame::Note { rule: "json/truncated", at: self.at });
            }
            return Step::Starved;
        };
        match byte {
            b'<' if self.begins(text, self.at) == Some(true) => self.meet(self.at),
            b'<' if self.begins(text, self.at).is_none() && !is_end => Step::Starved,
            b',' => {
                self.mode = Mode::Array { after_item: false, comma: Some(self.at) };
                self.at += 1;
                Step::Again
            }
            b']' => {
                self.at += 1;
                self.depth = 0;
                self.has_value = true;
                self.mode = Mode::Documents;
                self.start = self.at;
                match comma {
                    Some(at) if !after_item => {
                        Step::Out(Frame::Note { rule: "json/trailing-comma", at })
                    }
                    _ => Step::Again,
                }
            }
            _ => {
                self.start = self.at;
                self.is_one_line = false;
                self.mode = Mode::Item;
                if after_item {
                    return Step::Out(Frame::Note { rule: "json/syntax", at: self.at });
                }
                Step::Again
            }
        }
    }

    pub(super) fn item(&mut self, text: &[u8], is_end: bool) -> Step {
        let is_container = matches!(text.get(self.start), Some(b'{' | b'['));
        // After a broken item, none may reach into the next one.
        let limit = if self.is_wary { self.next_lead(text) } else { None };
        let item = text.get(..limit.unwrap_or(text.len())).unwrap_or(text);
        let stop = if is_container { self.structure(item) } else { self.scalar(item, b",]") };
        match stop {
            Stop::ValueEnd => {
                self.learn_lead(text);
                self.mode = Mode::Array { after_item: true, comma: None };
                self.record(self.start, Content::Item)
            }
            Stop::LineBreak => Step::Again,
            Stop::Conflict => self.meet(self.at - 1),
            Stop::Starved if is_end => match limit.or_else(|| self.next_lead(text)) {
                Some(next) => self.broken(text, next),
                None => self.cut(text, Content::CutValue),
            },
            Stop::Starved => Step::Starved,
        }
    }

    /// Remembers how items begin: the first object with a colon in its first 64 bytes, up to that colon.
    fn learn_lead(&mut self, text: &[u8]) {
        const MAX_LEN: usize = 64;
        if self.lead.is_empty()
            && let Some(item) = text.get(self.start..self.at)
            && item.first() == Some(&b'{')
            && let Some(len) = memchr::memchr(b':', item).filter(|len| *len < MAX_LEN)
        {
            self.lead = item.get(..=len).unwrap_or_default().to_vec();
        }
    }

    /// Where the next item begins: at the next place that reads like `lead`.
    fn next_lead(&self, text: &[u8]) -> Option<usize> {
        let from = self.start + 1;
        let rest = text.get(from..).filter(|_| !self.lead.is_empty())?;
        memchr::memmem::find(rest, &self.lead).map(|at| from + at)
    }

    /// The open item is broken; the next one begins at `next`.
    fn broken(&mut self, text: &[u8], next: usize) -> Step {
        let start = self.start;
        let item = text.get(start..next).unwrap_or_default().trim_ascii_end();
        let item = item.strip_suffix(b",").unwrap_or(item).trim_ascii_end();
        self.is_wary = true;
        self.restart(next, next);
        self.has_value = true;
        Step::Out(Frame::Record { start, end: start + item.len(), content: Content::Item })
    }

    /// What is no container: up to one of the bytes that can end it.
    pub(super) fn scalar(&mut self, text: &[u8], ends: &[u8]) -> Stop {
        while let Some(&byte) = text.get(self.at) {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.is_in_string => self.is_escaped = true,
                b'"' => self.is_in_string = !self.is_in_string,
                _ if !self.is_in_string && ends.contains(&byte) => {
                    // Never an empty part: a bracket that nothing opened is passed over.
                    self.at += usize::from(self.at == self.start);
                    return Stop::ValueEnd;
                }
                _ => {}
            }
            self.at += 1;
        }
        Stop::Starved
    }
}
