//! JSON Lines, and texts that are framed as a whole.

use super::gaps::MARK;
use super::{Content, Frame, Framer, Markers, Mode, Step, skip};
use crate::source::conflict::{self, Marker};
use crate::source::{lossy, rebuilt};

impl Framer {
    pub(super) fn line(&mut self, text: &[u8], is_end: bool) -> Step {
        let rest = text.get(self.at..).unwrap_or_default();
        let line_end = if self.has_returns {
            memchr::memchr2(b'\n', b'\r', rest)
        } else {
            memchr::memchr(b'\n', rest)
        };
        let (end, content) = match line_end {
            Some(len) => (self.at + len, Content::Line),
            None if is_end && self.start < text.len() => (text.len(), Content::LastLine),
            None => {
                self.at = text.len();
                return Step::Starved;
            }
        };
        let start = skip(text, self.start, b" \t\r\n").min(end);
        if text.get(start) == Some(&0xef)
            && text.get(start..end).unwrap_or_default().starts_with(MARK)
        {
            self.start = start + MARK.len();
            self.at = self.start;
            return Step::Out(Frame::Note { rule: "text/bom", at: start });
        }
        let line = text.get(start..end).unwrap_or_default().trim_ascii_end();
        if line.first() == Some(&b'<')
            && self.markers == Markers::Unseen
            && conflict::marker(line) == Some(Marker::Ours)
        {
            self.start = start;
            return self.meet(start);
        }
        self.at = (end + 1).min(text.len());
        self.start = self.at;
        if line.is_empty() || self.closes_fence(line) {
            return Step::Again;
        }
        Step::Out(Frame::Record { start, end: start + line.len(), content })
    }

    pub(super) fn whole(&mut self, text: &[u8], is_end: bool) -> Step {
        self.start = self.at.min(self.start);
        if (!is_end && !self.is_divided) || self.start >= text.len() {
            self.at = self.start;
            return Step::Starved;
        }
        let rest = text.get(self.start..).unwrap_or_default();
        if rest.starts_with(MARK) {
            let at = self.start;
            self.start += MARK.len();
            self.at = self.start;
            return Step::Out(Frame::Note { rule: "text/bom", at });
        }
        if let Some(step) = self.look_at(rest) {
            return step;
        }
        let start = self.start;
        let is_one = !self.is_divided
            && *self.is_known_one.get_or_insert_with(|| (self.is_one)(&lossy(rest)));
        let mut end = if is_one {
            DocumentEnd { end: text.len(), next: text.len(), is_seen: true }
        } else {
            document_end(text, start)
        };
        if !is_end && !end.is_seen {
            self.at = self.start;
            return Step::Starved;
        }
        self.at = end.next;
        self.start = end.next;
        if self.is_fenced && end.next == text.len() {
            let document = text.get(start..end.end).unwrap_or_default();
            let inner = document.trim_ascii_end().strip_suffix(b"```").unwrap_or(document);
            end.end = start + inner.len();
        }
        if text.get(start..end.end).unwrap_or_default().trim_ascii().is_empty() {
            return Step::Again;
        }
        Step::Out(Frame::Record { start, end: end.end, content: Content::Document })
    }

    /// Looks once at what is framed at the end: both sides of a conflict in it, or the inside of a
    /// JSON string, are framed instead.
    fn look_at(&mut self, rest: &[u8]) -> Option<Step> {
        if std::mem::replace(&mut self.is_looked_at, true) {
            return None;
        }
        if self.markers == Markers::Unseen && conflict::is_in(&lossy(rest)) {
            // Each side is looked at, too.
            self.is_looked_at = false;
            return Some(self.meet(self.start));
        }
        let inside = rest.trim_ascii_start();
        let is_quoted = inside.first() == Some(&b'"')
            && rebuilt::unquoted(&lossy(inside)).is_some_and(|r| !r.text.trim().is_empty());
        if is_quoted {
            let start = self.start + (rest.len() - inside.len());
            self.at = self.start + rest.len();
            self.start = self.at;
            return Some(Step::Out(Frame::Quoted { start }));
        }
        None
    }

    /// Called when there is more text than is kept at once. From then on documents are framed as they
    /// end, unless `head` shows that the text is a single document. Returns whether that was changed.
    pub(crate) fn divide(&mut self, head: &[u8]) -> bool {
        if self.mode != Mode::Whole || self.is_divided || (self.is_one)(&lossy(head)) {
            return false;
        }
        self.is_looked_at = true;
        self.is_divided = true;
        true
    }
}

struct DocumentEnd {
    end: usize,
    next: usize,
    /// Whether the end is known: the line that ends it is complete, or the text is one document.
    is_seen: bool,
}

/// Where the YAML document that starts at `start` ends: at a later line `---` or `...`.
fn document_end(text: &[u8], start: usize) -> DocumentEnd {
    let mut at = start;
    let mut has_content = false;
    while let Some(rest) = text.get(at..)
        && !rest.is_empty()
    {
        let line_end = memchr::memchr2(b'\n', b'\r', rest);
        let len = line_end.map_or(rest.len(), |len| len + 1);
        let is_seen = line_end.is_some();
        let line = rest.get(..len).unwrap_or_default().trim_ascii_end();
        // Files that were joined have one between them.
        let line = line.strip_prefix(MARK).unwrap_or(line);
        let is_start = line == b"---" || line.starts_with(b"--- ");
        if is_start && has_content {
            return DocumentEnd { end: at, next: at, is_seen };
        }
        if line == b"..." {
            return DocumentEnd { end: at, next: at + len, is_seen };
        }
        // Comments and directives may stand before the `---` of their document.
        let content = line.trim_ascii_start();
        has_content |= !matches!(content.first(), None | Some(b'#' | b'%')) && line != b"---";
        at += len;
    }
    DocumentEnd { end: text.len(), next: text.len(), is_seen: false }
}
