//! Values with conflict markers in them, and lines that are markers.

use super::{Frame, Framer, Met, Mode, Step};
use crate::source::conflict::{Marker, OPENING, Side, marker};

impl Framer {
    /// Whether a line that opens a conflict begins at `at`. None while that is undecided.
    pub(super) fn opens(&self, text: &[u8], at: usize) -> Option<bool> {
        let starts_line = at == 0 || matches!(text.get(at - 1), Some(b'\n' | b'\r'));
        if starts_line { self.begins(text, at) } else { Some(false) }
    }

    /// The same where only white space can stand before: what was before may be forgotten.
    pub(super) fn begins(&self, text: &[u8], at: usize) -> Option<bool> {
        let rest = text.get(at..).unwrap_or_default();
        if rest.len() < OPENING.len() && !self.is_fork {
            return if OPENING.starts_with(rest) { None } else { Some(false) };
        }
        Some(!self.is_fork && rest.starts_with(OPENING))
    }

    /// A marker in the value that is open, or where one could begin.
    pub(super) fn meet(&mut self, met: Met) -> Step {
        self.mode = Mode::Conflict(met);
        if let Met::Array { .. } = met {
            self.start = self.at;
        }
        Step::Again
    }

    pub(super) fn conflict(&mut self, text: &[u8], is_end: bool) -> Step {
        let start = self.start;
        if !is_end || start >= text.len() {
            self.at = text.len();
            return Step::Starved;
        }
        self.at = text.len();
        self.start = text.len();
        Step::Out(Frame::Conflict { start })
    }

    /// A framer for one side of the conflict: it begins where the open value does.
    pub(crate) fn fork(&self) -> Self {
        let (mode, is_in_array) = match self.mode {
            Mode::Conflict(Met::Array { after_item }) => {
                (Mode::Array { after_item, comma: None }, true)
            }
            Mode::Conflict(Met::Item) => (Mode::Item, true),
            Mode::Conflict(Met::Documents) => (Mode::Documents, false),
            _ => (Mode::Start, false),
        };
        Self {
            mode,
            is_one_line: mode == Mode::Start,
            has_note: !is_in_array && self.has_note,
            at: 0,
            start: 0,
            probe: 0,
            depth: 0,
            is_in_string: false,
            is_escaped: false,
            is_looked_at: false,
            is_fork: true,
            ..self.clone()
        }
    }

    /// A framer for what is inside of a JSON string.
    pub(crate) fn inner(&self) -> Self {
        Self { is_looked_at: true, ..Self::new(self.is_one) }
    }

    /// Takes a line that is a marker. Nothing: it is none here.
    pub(super) fn marker_line(&mut self, line: &[u8], at: usize) -> Option<Step> {
        let (side, is_base) = match marker(line)? {
            Marker::Ours => (Some(Side::Ours), false),
            Marker::Base if self.side.is_some() => (self.side, true),
            Marker::Theirs if self.side.is_some() => (Some(Side::Theirs), false),
            Marker::End if self.side.is_some() => (None, false),
            _ => return None,
        };
        self.side = side;
        self.is_base = is_base;
        Some(Step::Out(Frame::Note { rule: "text/conflict-marker", at }))
    }
}
