//! Conflict markers, met where a value, an item or a line could begin.

use super::{Framer, Markers, Step};
use crate::source::conflict::OPENING;

impl Framer {
    /// Whether a line that opens a conflict begins at `at`. None while that is undecided.
    pub(super) fn opens(&self, text: &[u8], at: usize) -> Option<bool> {
        let starts_line = at == 0 || matches!(text.get(at - 1), Some(b'\n' | b'\r'));
        if starts_line { self.begins(text, at) } else { Some(false) }
    }

    /// The same where only white space can stand before: what was before may be forgotten.
    pub(super) fn begins(&self, text: &[u8], at: usize) -> Option<bool> {
        let rest = text.get(at..).unwrap_or_default();
        if rest.len() < OPENING.len() && self.markers == Markers::Unseen {
            return if OPENING.starts_with(rest) { None } else { Some(false) };
        }
        Some(self.markers == Markers::Unseen && rest.starts_with(OPENING))
    }

    /// Stops at a marker at `at`. The text is kept until its end; then each side of the conflict is
    /// framed by itself.
    pub(super) fn meet(&mut self, at: usize) -> Step {
        self.at = at;
        self.markers = Markers::Met;
        Step::Again
    }

    /// A framer for what is inside of a JSON string.
    pub(crate) fn inner(&self) -> Self {
        Self { is_looked_at: true, ..Self::new(self.is_one) }
    }
}
