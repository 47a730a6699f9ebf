//! Slices to records: encoding, framing, places. It knows nothing of formats.

pub(crate) mod container;
pub(crate) mod encoding;
pub(crate) mod framing;
pub(crate) mod place;
pub(crate) mod pointer;
pub(crate) mod scan;
pub(crate) mod tree;
pub(crate) mod yaml;

use std::borrow::Cow;

use encoding::{Encoding, HEAD_LEN, Head, Utf16};
use framing::{Content, Frame, Framer, Framing};
use place::{Place, Ruler};

/// A record longer than this is refused, in bytes of UTF-8.
pub(crate) const MAX_RECORD_LEN: usize = 256 << 20;
/// YAML and text are read as a whole, up to this, in bytes of UTF-8.
pub(crate) const MAX_WHOLE_LEN: usize = 32 << 20;

fn too_long(limit: usize, what: &str) -> String {
    format!("{what} may have {} MiB, and this has more; split the file to open it", limit >> 20)
}

/// `String::from_utf8_lossy`, at the speed of memory where nothing is lost.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// What reading a source brings up.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// A record, and the offset behind its last byte.
    Record { passage: Passage<'a>, content: Content, end: u64 },
    /// A tolerance of the framing, or of the source as a whole.
    Note { rule: &'static str, place: Place },
    /// The source is not read any further; the reason.
    Refused(String),
}

/// A stretch of a source as text, with what tells places in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage<'a> {
    pub(crate) text: &'a str,
    /// The bytes, where some of them are no UTF-8 and the text has U+FFFD instead.
    pub(crate) stored: Option<&'a [u8]>,
    pub(crate) start: Place,
    /// Bytes that a UTF-16 unit takes in the source; nothing for UTF-8.
    pub(crate) unit_len: Option<u64>,
}

impl<'a> Passage<'a> {
    /// Text by itself: its first byte is the source's first. `text` is what
    /// `String::from_utf8_lossy` made of `bytes`.
    pub(crate) fn alone(text: &'a str, bytes: &'a [u8]) -> Self {
        let stored =
            (!std::ptr::eq(text.as_bytes(), bytes) && text.as_bytes() != bytes).then_some(bytes);
        Self { text, stored, start: Place::START, unit_len: None }
    }

    /// A stretch of it, with the place of its first byte.
    pub(crate) fn part(&self, from: usize, to: usize, ruler: &mut Ruler<'_>) -> Self {
        let start = ruler.place_of(from);
        let text = self.text.get(from..to).unwrap_or_default();
        let stored = self.stored.and_then(|stored| {
            let at = |place: Place| usize::try_from(place.offset - self.start.offset).ok();
            stored.get(at(start)?..at(ruler.place_of(to))?)
        });
        Self { text, stored, start, unit_len: self.unit_len }
    }

    pub(crate) fn ruler(&self) -> Ruler<'a> {
        match self.stored {
            Some(stored) => Ruler::lossy(self.text, stored, self.start),
            None => Ruler::new(self.text.as_bytes(), self.start, self.unit_len),
        }
    }
}

/// Reads one source, slice by slice.
#[derive(Debug)]
pub(crate) struct Reader {
    /// First bytes, until the encoding is known.
    head: Vec<u8>,
    decoder: Option<Decoder>,
    framer: Framer,
    /// Decoded text that is not framed yet, and where it starts.
    kept: Vec<u8>,
    place: Place,
    is_refused: bool,
}

#[derive(Debug)]
struct Decoder {
    encoding: Encoding,
    utf16: Option<Utf16>,
}

impl Reader {
    /// `is_one` says of a text whether it is one whole, in which `---` divides nothing.
    pub(crate) fn new(is_one: fn(&str) -> bool) -> Self {
        Self {
            head: Vec::new(),
            decoder: None,
            framer: Framer::new(is_one),
            kept: Vec::new(),
            place: Place::START,
            is_refused: false,
        }
    }

    pub(crate) fn framing(&self) -> Option<Framing> {
        self.framer.framing()
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.decoder.as_ref().map_or(Encoding::Utf8, |d| d.encoding)
    }

    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// Takes the next slice.
    pub(crate) fn push(&mut self, slice: &[u8], sink: &mut dyn FnMut(Event<'_>)) {
        if self.is_refused {
            return;
        }
        if self.decoder.is_some() {
            return self.decode(slice, sink);
        }
        self.head.extend_from_slice(slice);
        if self.head.len() >= HEAD_LEN {
            self.begin(sink);
        }
    }

    /// Nothing more will come.
    pub(crate) fn finish(&mut self, sink: &mut dyn FnMut(Event<'_>)) {
        if self.decoder.is_none() {
            self.begin(sink);
        }
        if self.is_refused {
            return;
        }
        let mut kept = std::mem::take(&mut self.kept);
        let is_cut = match &mut self.decoder {
            Some(Decoder { utf16: Some(utf16), .. }) => utf16.finish(&mut kept),
            _ => false,
        };
        self.frame(&kept, true, sink);
        if is_cut {
            sink(Event::Note { rule: "text/invalid-utf8", place: self.place });
        }
    }

    fn begin(&mut self, sink: &mut dyn FnMut(Event<'_>)) {
        let head = std::mem::take(&mut self.head);
        match encoding::look(&head) {
            Head::Refused(reason) => self.refuse(reason.to_owned(), sink),
            Head::Text { encoding, mark_len } => {
                let is_wide = encoding != Encoding::Utf8;
                self.decoder =
                    Some(Decoder { encoding, utf16: is_wide.then(|| Utf16::new(encoding)) });
                if is_wide {
                    sink(Event::Note { rule: "text/utf16", place: self.place });
                } else if mark_len > 0 {
                    sink(Event::Note { rule: "text/bom", place: self.place });
                }
                self.place.offset = mark_len as u64;
                self.decode(head.get(mark_len..).unwrap_or_default(), sink);
            }
        }
    }

    fn refuse(&mut self, reason: String, sink: &mut dyn FnMut(Event<'_>)) {
        self.is_refused = true;
        self.kept = Vec::new();
        sink(Event::Refused(reason));
    }

    fn decode(&mut self, slice: &[u8], sink: &mut dyn FnMut(Event<'_>)) {
        if let Some(Decoder { utf16: Some(utf16), .. }) = &mut self.decoder {
            let mut kept = std::mem::take(&mut self.kept);
            utf16.decode(slice, &mut kept);
            self.feed(kept, sink);
        } else if self.kept.is_empty() {
            let done = self.frame(slice, false, sink);
            self.keep(slice.get(done..).unwrap_or_default().to_vec(), sink);
        } else {
            // Only up to the record's end is copied; the rest is framed where it lies.
            let head_len = match memchr::memchr(b'\n', slice) {
                Some(at) if self.framer.is_in_lines() => at + 1,
                _ => slice.len(),
            };
            let (head, rest) = slice.split_at_checked(head_len).unwrap_or((slice, &[]));
            let mut kept = std::mem::take(&mut self.kept);
            kept.extend_from_slice(head);
            self.feed(kept, sink);
            if !rest.is_empty() && !self.is_refused {
                if self.kept.is_empty() {
                    let done = self.frame(rest, false, sink);
                    self.keep(rest.get(done..).unwrap_or_default().to_vec(), sink);
                } else {
                    let mut kept = std::mem::take(&mut self.kept);
                    kept.extend_from_slice(rest);
                    self.feed(kept, sink);
                }
            }
        }
    }

    fn feed(&mut self, mut text: Vec<u8>, sink: &mut dyn FnMut(Event<'_>)) {
        let done = self.frame(&text, false, sink);
        text.drain(..done.min(text.len()));
        self.keep(text, sink);
    }

    fn keep(&mut self, text: Vec<u8>, sink: &mut dyn FnMut(Event<'_>)) {
        let (limit, what) = if self.framer.is_whole() {
            (MAX_WHOLE_LEN, "YAML or text")
        } else {
            (MAX_RECORD_LEN, "one record")
        };
        if text.len() > limit {
            return self.refuse(too_long(limit, what), sink);
        }
        self.kept = text;
    }

    /// Frames `text`, which starts at `place`; returns how many bytes are done with.
    fn frame(&mut self, text: &[u8], is_end: bool, sink: &mut dyn FnMut(Event<'_>)) -> usize {
        let unit_len = (self.encoding() != Encoding::Utf8).then_some(2);
        let mut ruler = Ruler::new(text, self.place, unit_len);
        while let Some(frame) = self.framer.next(text, is_end) {
            match frame {
                Frame::Note { rule, at } => sink(Event::Note { rule, place: ruler.place_of(at) }),
                Frame::Record { start, end, content } => {
                    if end - start > MAX_RECORD_LEN {
                        // Said here, too, so that slices do not decide what is too long.
                        self.refuse(too_long(MAX_RECORD_LEN, "one record"), sink);
                        return text.len();
                    }
                    let start_place = ruler.place_of(start);
                    let bytes = text.get(start..end).unwrap_or_default();
                    let end = match unit_len {
                        None => start_place.offset + bytes.len() as u64,
                        Some(_) => ruler.place_of(end).offset,
                    };
                    if unit_len.is_none()
                        && self.framer.is_in_lines()
                        && matches!(content, Content::Line)
                    {
                        ruler.next_line(self.framer.at());
                    }
                    let text = lossy(bytes);
                    let stored = matches!(text, Cow::Owned(_)).then_some(bytes);
                    let passage = Passage { text: &text, stored, start: start_place, unit_len };
                    sink(Event::Record { passage, content, end });
                }
            }
        }
        let done = self.framer.release().min(text.len());
        self.place = ruler.place_of(done);
        done
    }
}
