//! What may stand between values: white space, and byte order marks of files that were joined.

use super::{Frame, Framer, Step, skip};

pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

impl Framer {
    /// Passes over white space up to a value. A byte order mark there is reported; a value that may
    /// still turn out to be one is waited for.
    pub(super) fn pass(&mut self, text: &[u8], is_end: bool) -> Option<Step> {
        self.at = skip(text, self.at, b" \t\r\n");
        let rest = text.get(self.at..).unwrap_or_default();
        if rest.first() != Some(&0xef) {
            return None;
        }
        if rest.starts_with(MARK) {
            let at = self.at;
            self.at += MARK.len();
            return Some(Step::Out(Frame::Note { rule: "text/bom", at }));
        }
        (MARK.starts_with(rest) && !is_end).then_some(Step::Starved)
    }
}
