//! Where one record ends and the next begins.
//!
//! A [`Framer`] is fed whatever has arrived and answers with frames; what it has not framed yet
//! it asks to be given again with more behind it. It never looks at a byte twice.

mod conflicts;
mod gaps;
mod lead;
mod lines;
mod start;
mod values;

pub(crate) use crate::model::view::Framing;

/// What a frame holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A JSON value.
    Value,
    /// A JSON value that is an item of an array.
    Item,
    /// A JSON value that the source's end cut off.
    CutValue,
    /// A line that should be a JSON value.
    Line,
    /// The same, at the source's end and without a line break.
    LastLine,
    /// A YAML document, or text.
    Document,
}

/// Something framed, or something to be said about the framing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Record {
        start: usize,
        end: usize,
        content: Content,
    },
    /// A tolerance at a place.
    Note {
        rule: &'static str,
        at: usize,
    },
    /// The text at hand has conflict markers, and it is all there: each side is framed by itself, by
    /// a copy of the framer as it is now.
    Conflict,
    /// Everything from here on is one JSON string: its inside is framed by itself.
    Quoted {
        start: usize,
    },
}

/// Line breaks behind the first value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Breaks {
    has_feed: bool,
    has_return: bool,
}

/// What is known of conflict markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Markers {
    /// None was met.
    Unseen,
    /// One stands at `at`: the text is kept until its end.
    Met,
    /// One side is framed, without them: what is still marked in there is no marker.
    Removed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Before the first byte that is not white space.
    Start,
    /// Inside the first object: a document, or the first of many lines?
    First,
    /// After it.
    AfterFirst {
        is_line: bool,
        breaks: Breaks,
    },
    /// Documents one after another.
    Documents,
    /// Between the items of an array; where the last comma stands.
    Array {
        after_item: bool,
        comma: Option<usize>,
    },
    /// Inside an item.
    Item,
    Lines,
    /// YAML or text: framed at the end.
    Whole,
}

/// Cuts the text of one source into frames.
#[expect(clippy::struct_excessive_bools, reason = "the state of a scanner, each flag by its own")]
#[derive(Clone, Debug)]
pub(crate) struct Framer {
    mode: Mode,
    /// Where looking goes on, in the text at hand.
    at: usize,
    /// Where the open record starts.
    start: usize,
    /// How far was looked ahead of `at`.
    probe: usize,
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    is_one_line: bool,
    /// A value was framed.
    has_value: bool,
    /// Joined documents or a cut end were reported: neither is reported again.
    has_note: bool,
    /// How the items of the array begin, up to the first colon, as one of them showed. After a broken
    /// item, reading goes on at the next place that begins like this.
    lead: Vec<u8>,
    /// An item was broken: the next ones may be, too.
    is_wary: bool,
    /// The file began with a Markdown code fence.
    is_fenced: bool,
    markers: Markers,
    /// A lone CR ends a line, too.
    has_returns: bool,
    /// What is framed at the end was looked at as a whole.
    is_looked_at: bool,
    /// Documents are framed as they end: all of them together are too long to be kept.
    is_divided: bool,
    framing: Option<Framing>,
    /// Says whether a text is a single document, in which `---` divides nothing.
    is_one: fn(&str) -> bool,
    /// The answer of `is_one`, once it is known.
    is_known_one: Option<bool>,
}

impl Framer {
    pub(crate) fn new(is_one: fn(&str) -> bool) -> Self {
        Self {
            is_one,
            mode: Mode::Start,
            at: 0,
            start: 0,
            probe: 0,
            depth: 0,
            is_in_string: false,
            is_escaped: false,
            is_one_line: true,
            has_value: false,
            has_note: false,
            lead: Vec::new(),
            is_wary: false,
            is_fenced: false,
            markers: Markers::Unseen,
            has_returns: false,
            is_looked_at: false,
            is_divided: false,
            framing: None,
            is_known_one: None,
        }
    }

    pub(crate) fn framing(&self) -> Option<Framing> {
        self.framing
    }

    /// All of the text is one object of JSON, which was read.
    pub(crate) fn is_object(&mut self) {
        self.framing = Some(Framing::Json);
    }

    /// Where looking goes on.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Whether records end at line breaks, so that no more than the rest of a line has to be copied.
    pub(crate) fn is_in_lines(&self) -> bool {
        self.mode == Mode::Lines
    }

    /// What the framer of a part has found out counts for the whole.
    pub(crate) fn learn(&mut self, part: &Self) {
        self.framing = self.framing.or(part.framing);
    }

    /// Whether the text so far is kept until the end.
    pub(crate) fn is_whole(&self) -> bool {
        self.mode == Mode::Whole
    }

    /// Forgets the first bytes of the text at hand; returns how many are no longer needed.
    pub(crate) fn release(&mut self) -> usize {
        let done = match self.mode {
            // The comma's place may have to be reported.
            Mode::Array { comma: Some(comma), .. } => comma,
            Mode::Documents if self.depth == 0 => self.at,
            Mode::AfterFirst { .. } | Mode::Array { .. } => self.at,
            _ => self.start,
        };
        self.at -= done;
        self.start = self.start.saturating_sub(done);
        self.probe = self.probe.saturating_sub(done);
        if let Mode::Array { comma: Some(comma), .. } = &mut self.mode {
            *comma -= done;
        }
        done
    }

    /// The next frame of `text`, or nothing until there is more of it. With `is_end` nothing more
    /// will come.
    pub(crate) fn next(&mut self, text: &[u8], is_end: bool) -> Option<Frame> {
        loop {
            if self.markers == Markers::Met {
                if is_end {
                    self.markers = Markers::Removed;
                }
                return is_end.then_some(Frame::Conflict);
            }
            let step = match self.mode {
                Mode::Start => self.begin(text, is_end),
                Mode::First => self.first(text, is_end),
                Mode::AfterFirst { is_line, breaks } => {
                    self.after_first(text, is_end, is_line, breaks)
                }
                Mode::Documents => self.document(text, is_end),
                Mode::Array { after_item, comma } => {
                    self.between_items(text, is_end, after_item, comma)
                }
                Mode::Item => self.item(text, is_end),
                Mode::Lines => self.line(text, is_end),
                Mode::Whole => self.whole(text, is_end),
            };
            match step {
                Step::Again => {}
                Step::Starved => return None,
                Step::Out(frame) => return Some(frame),
            }
        }
    }

    /// Looks at brackets and quotes from `at` on. Stops behind the value's end, or behind the
    /// first line break while the value still counts as one line.
    fn structure(&mut self, text: &[u8]) -> Stop {
        while let Some(&byte) = text.get(self.at) {
            if self.is_in_string {
                if self.is_escaped {
                    self.is_escaped = false;
                    self.at += 1;
                    continue;
                }
                let rest = text.get(self.at..).unwrap_or_default();
                let Some(hit) = memchr::memchr3(b'"', b'\\', b'\n', rest) else {
                    self.at = text.len();
                    return Stop::Starved;
                };
                self.at += hit + 1;
                match rest.get(hit) {
                    Some(b'"') => self.is_in_string = false,
                    Some(b'\\') => self.is_escaped = true,
                    _ if self.is_one_line => return Stop::LineBreak,
                    _ => {}
                }
                continue;
            }
            self.at += 1;
            match byte {
                b'"' => self.is_in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Stop::ValueEnd;
                    }
                }
                b'\n' if self.is_one_line => return Stop::LineBreak,
                // No value has such a byte outside of its strings.
                b'<' => match self.opens(text, self.at - 1) {
                    Some(true) => return Stop::Conflict,
                    Some(false) => {}
                    None => {
                        self.at -= 1;
                        return Stop::Starved;
                    }
                },
                _ => {}
            }
        }
        Stop::Starved
    }

    fn closes_fence(&self, line: &[u8]) -> bool {
        self.is_fenced && line == b"```"
    }

    /// A value ends at `at`.
    fn record(&mut self, start: usize, content: Content) -> Step {
        self.has_value = true;
        Step::Out(Frame::Record { start, end: self.at, content })
    }

    /// The source ends inside the open value.
    fn cut(&mut self, text: &[u8], content: Content) -> Step {
        self.has_note = true;
        self.at = text.len();
        self.depth = 0;
        self.is_in_string = false;
        self.mode = match self.mode {
            Mode::First => Mode::Documents,
            Mode::Item => Mode::Array { after_item: true, comma: None },
            mode => mode,
        };
        self.record(self.start, content)
    }

    /// Something else starts at `start`; looking goes on at `at`.
    fn restart(&mut self, start: usize, at: usize) {
        self.start = start;
        self.at = at;
        self.depth = 0;
        self.is_in_string = false;
        self.is_escaped = false;
    }
}

enum Step {
    Again,
    Starved,
    Out(Frame),
}

enum Stop {
    ValueEnd,
    LineBreak,
    Conflict,
    Starved,
}

fn skip(text: &[u8], at: usize, space: &[u8]) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|b| !space.contains(b)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests;
