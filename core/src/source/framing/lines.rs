//! JSON Lines, and texts that are framed as a whole.

use super::{Content, Frame, Framer, Step, skip};

impl Framer {
    pub(super) fn line(&mut self, text: &[u8], is_end: bool) -> Step {
        let rest = text.get(self.at..).unwrap_or_default();
        let (end, content) = match memchr::memchr(b'\n', rest) {
            Some(len) => (self.at + len, Content::Line),
            None if is_end && self.start < text.len() => (text.len(), Content::LastLine),
            None => {
                self.at = text.len();
                return Step::Starved;
            }
        };
        let start = skip(text, self.start, b" \t\r\n").min(end);
        self.at = (end + 1).min(text.len());
        self.start = self.at;
        let line = text.get(start..end).unwrap_or_default().trim_ascii_end();
        if line.is_empty() || self.closes_fence(line) {
            return Step::Again;
        }
        Step::Out(Frame::Record { start, end: start + line.len(), content })
    }

    pub(super) fn whole(&mut self, text: &[u8], is_end: bool) -> Step {
        self.start = self.at.min(self.start);
        if !is_end || self.start >= text.len() {
            self.at = self.start;
            return Step::Starved;
        }
        let start = self.start;
        let rest = text.get(start..).unwrap_or_default();
        let mut end = if (self.is_one)(&crate::source::lossy(rest)) {
            DocumentEnd { end: text.len(), next: text.len() }
        } else {
            document_end(text, start)
        };
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
}

struct DocumentEnd {
    end: usize,
    next: usize,
}

/// Where the YAML document that starts at `start` ends: at a later line `---` or `...`.
fn document_end(text: &[u8], start: usize) -> DocumentEnd {
    let mut at = start;
    let mut has_content = false;
    while let Some(rest) = text.get(at..)
        && !rest.is_empty()
    {
        let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |len| len + 1);
        let line = rest.get(..len).unwrap_or_default().trim_ascii_end();
        let is_start = line == b"---" || line.starts_with(b"--- ");
        if is_start && has_content {
            return DocumentEnd { end: at, next: at };
        }
        if line == b"..." {
            return DocumentEnd { end: at, next: at + len };
        }
        // Comments and directives may stand before the `---` of their document.
        let content = line.trim_ascii_start();
        has_content |= !matches!(content.first(), None | Some(b'#' | b'%')) && line != b"---";
        at += len;
    }
    DocumentEnd { end: text.len(), next: text.len() }
}
