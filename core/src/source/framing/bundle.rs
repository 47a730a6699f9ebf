//! Our own export: one document of any size, whose runs are records by themselves.

use super::{Content, Frame, Framer, Framing, Mode, Step, Stop, skip};

/// What a stretch of a bundle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A member of the document, name and value.
    Member,
    /// An item of one of the three long lists, as are [`Part::Run`] and [`Part::Finding`].
    Source,
    Run,
    Finding,
}

impl Part {
    /// What the items of a member are, if it is one of the long lists.
    pub(crate) fn of_list(name: &str) -> Option<Self> {
        match name {
            "sources" => Some(Self::Source),
            "runs" => Some(Self::Run),
            "findings" => Some(Self::Finding),
            _ => None,
        }
    }
}

/// Where in a bundle the framer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Between members of the document.
    Members,
    /// Between the items of a list.
    Items(Part),
    /// Inside a part, and whether brackets end it: how it begins decides that, not where a slice does.
    Inside(Part, bool),
}

const SPACE: &[u8] = b" \t\r\n";

/// Whether a document begins as a bundle does; none while that is undecided.
pub(crate) fn begins_bundle(text: &[u8], is_end: bool) -> Option<bool> {
    let mut at = 0;
    for token in ["{", "\"format\"", ":", "\"hindscope\""] {
        at = skip(text, at, SPACE);
        let rest = text.get(at..).unwrap_or_default();
        let len = rest.len().min(token.len());
        if rest.get(..len) != token.as_bytes().get(..len) {
            return Some(false);
        }
        if len < token.len() {
            return is_end.then_some(false);
        }
        at += len;
    }
    Some(true)
}

impl Framer {
    pub(super) fn begin_bundle(&mut self) -> Step {
        self.framing = Some(Framing::Json);
        self.is_one_line = false;
        self.at += 1;
        self.mode = Mode::Bundle(Stage::Members);
        Step::Again
    }

    pub(super) fn bundle(&mut self, text: &[u8], is_end: bool, stage: Stage) -> Step {
        match stage {
            Stage::Inside(part, is_container) => self.inside(text, is_end, part, is_container),
            Stage::Members | Stage::Items(_) => {
                self.at = skip(text, self.at, b" \t\r\n,");
                let Some(byte) = text.get(self.at) else {
                    if is_end && !self.has_note {
                        self.has_note = true;
                        return Step::Out(Frame::Note { rule: "json/truncated", at: self.at });
                    }
                    return Step::Starved;
                };
                match (stage, byte) {
                    (Stage::Items(_), b']') => {
                        self.at += 1;
                        self.mode = Mode::Bundle(Stage::Members);
                        Step::Again
                    }
                    (Stage::Members, b'}') => {
                        self.at += 1;
                        self.has_value = true;
                        self.mode = Mode::Documents;
                        self.start = self.at;
                        Step::Again
                    }
                    (Stage::Members, b'"') => self.member(text, is_end),
                    (Stage::Items(part), _) => self.enter(text, part, self.at),
                    (Stage::Members | Stage::Inside(..), _) => {
                        self.enter(text, Part::Member, self.at)
                    }
                }
            }
        }
    }

    /// A part starts here; looking goes on at `from`.
    fn enter(&mut self, text: &[u8], part: Part, from: usize) -> Step {
        self.restart(self.at, from);
        let is_container = matches!(text.get(from), Some(b'{' | b'['));
        self.mode = Mode::Bundle(Stage::Inside(part, is_container));
        Step::Again
    }

    /// A member of the document: one of the long lists is entered, any other is a part.
    fn member(&mut self, text: &[u8], is_end: bool) -> Step {
        let rest = text.get(self.at + 1..).unwrap_or_default();
        // A name of the three has no escape; behind another one the value is found all the same.
        let after = memchr::memchr(b'"', rest).map(|len| (len, skip(rest, len + 1, SPACE)));
        let Some((len, colon)) = after else { return self.short_of(text, is_end) };
        let Some(byte) = rest.get(colon) else { return self.short_of(text, is_end) };
        let value = skip(rest, colon + 1, SPACE);
        let Some(first) = rest.get(value).filter(|_| *byte == b':') else {
            if *byte == b':' {
                return self.short_of(text, is_end);
            }
            return self.enter(text, Part::Member, self.at);
        };
        let name = rest.get(..len).and_then(|name| std::str::from_utf8(name).ok());
        let value = self.at + 1 + value;
        match name.and_then(Part::of_list) {
            Some(part) if *first == b'[' => {
                self.at = value + 1;
                self.mode = Mode::Bundle(Stage::Items(part));
                Step::Again
            }
            _ => self.enter(text, Part::Member, value),
        }
    }

    /// The text ends before it is clear what comes.
    fn short_of(&mut self, text: &[u8], is_end: bool) -> Step {
        if !is_end {
            return Step::Starved;
        }
        self.at = text.len();
        Step::Again
    }

    fn inside(&mut self, text: &[u8], is_end: bool, part: Part, is_container: bool) -> Step {
        let stop = if is_container { self.structure(text) } else { self.scalar(text, b",]}") };
        match stop {
            Stop::Starved if is_end => self.cut(text, Content::CutPart(part)),
            Stop::Starved => Step::Starved,
            // No bundle has markers of a conflict: what holds them is reported as broken.
            Stop::LineBreak | Stop::Conflict => Step::Again,
            Stop::ValueEnd => {
                let next = if part == Part::Member { Stage::Members } else { Stage::Items(part) };
                self.mode = Mode::Bundle(next);
                self.record(self.start, Content::Part(part))
            }
        }
    }
}
