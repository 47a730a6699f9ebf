//! Slices to records: encoding, framing, places. It knows nothing of formats.

pub(crate) mod conflict;
pub(crate) mod container;
pub(crate) mod encoding;
pub(crate) mod framing;
pub(crate) mod limits;
pub(crate) mod position;
pub(crate) mod rebuilt;
pub(crate) mod yaml;

use std::borrow::Cow;
use std::collections::BTreeSet;

use conflict::{Side, has_both, hunks, markers, rebuild};
use container::export;
use encoding::{Encoding, HEAD_LEN, Head, Utf16};
use framing::{Content, Frame, Framer, Framing};
use limits::Limits;
use position::{Position, Ruler};
use rebuilt::{Rebuilt, is_cut, unquoted};

/// What may have to be kept behind a record until its end is known, in bytes.
const LOOK_AHEAD: usize = 1 << 10;

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
    Record { chunk: Chunk<'a>, content: Content, end: u64 },
    /// A tolerance of the framing, or of the source as a whole.
    Note { rule: &'static str, place: Position },
    /// The source is not read any further; the reason.
    Refused(String),
}

/// A stretch of a source as text, with what is needed to find places in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'a> {
    pub(crate) text: &'a str,
    /// The bytes, where some of them are no UTF-8 and the text has U+FFFD instead.
    pub(crate) stored: Option<&'a [u8]>,
    pub(crate) start: Position,
    /// Bytes that a UTF-16 unit takes in the source; nothing for UTF-8.
    pub(crate) unit_len: Option<u64>,
    /// The side of a conflict that it was read from, if it holds some of one.
    pub(crate) side: Option<Side>,
    /// What is written, where the text was rebuilt of it.
    written: Option<Written<'a>>,
}

/// What a rebuilt text was made of.
#[derive(Clone, Copy, Debug)]
struct Written<'a> {
    text: &'a str,
    stored: Option<&'a [u8]>,
    start: Position,
    rebuilt: &'a Rebuilt,
    /// Where the chunk begins in the rebuilt text.
    from: usize,
}

impl<'a> Chunk<'a> {
    /// Text by itself: its first byte is the source's first. `text` is what
    /// `String::from_utf8_lossy` made of `bytes`.
    pub(crate) fn alone(text: &'a str, bytes: &'a [u8]) -> Self {
        let stored =
            (!std::ptr::eq(text.as_bytes(), bytes) && text.as_bytes() != bytes).then_some(bytes);
        Self { text, stored, start: Position::START, unit_len: None, side: None, written: None }
    }

    /// A stretch of it, with the place of its first byte.
    pub(crate) fn part(&self, from: usize, to: usize, ruler: &mut Ruler<'_>) -> Self {
        let start = ruler.place_of(from);
        let text = self.text.get(from..to).unwrap_or_default();
        let stored = self.stored.and_then(|stored| {
            let at = |place: Position| usize::try_from(place.offset - self.start.offset).ok();
            let stored = stored.get(at(start)?..at(ruler.place_of(to))?)?;
            (stored != text.as_bytes()).then_some(stored)
        });
        let written = self.written.map(|w| Written { from: w.from + from, ..w });
        Self { text, stored, start, written, ..*self }
    }

    /// Whether bytes of it are no UTF-8.
    pub(crate) fn is_lossy(&self) -> bool {
        let is_written_so = self.written.is_some_and(|w| w.stored.is_some());
        self.stored.is_some() || (is_written_so && self.text.contains(char::REPLACEMENT_CHARACTER))
    }

    pub(crate) fn ruler(&self) -> Ruler<'a> {
        if let Some(written) = self.written {
            let ruler = ruler(written.text, written.stored, written.start, self.unit_len);
            return ruler.of_rebuilt(written.rebuilt, written.from);
        }
        ruler(self.text, self.stored, self.start, self.unit_len)
    }
}

fn ruler<'a>(
    text: &'a str,
    stored: Option<&[u8]>,
    start: Position,
    unit_len: Option<u64>,
) -> Ruler<'a> {
    match stored {
        Some(stored) => Ruler::lossy(text, stored, start),
        None => Ruler::new(text.as_bytes(), start, unit_len),
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
    place: Position,
    limits: Limits,
    is_refused: bool,
}

#[derive(Debug)]
struct Decoder {
    encoding: Encoding,
    utf16: Option<Utf16>,
}

impl Reader {
    /// `is_one` says of a text whether it is one whole, in which `---` divides nothing.
    pub(crate) fn new(is_one: fn(&str) -> bool, limits: Limits) -> Self {
        Self {
            limits,
            head: Vec::new(),
            decoder: None,
            framer: Framer::new(is_one),
            kept: Vec::new(),
            place: Position::START,
            is_refused: false,
        }
    }

    pub(crate) fn framing(&self) -> Option<Framing> {
        self.framer.framing()
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.decoder.as_ref().map_or(Encoding::Utf8, |d| d.encoding)
    }

    /// The memory that is kept until more comes.
    pub(crate) fn held(&self) -> usize {
        self.head.capacity() + self.kept.capacity()
    }

    /// Gives back what was kept until more comes: nothing will.
    pub(crate) fn release(&mut self) {
        self.head = Vec::new();
        self.kept = Vec::new();
    }

    /// Nothing that still comes is looked at.
    pub(crate) fn stop(&mut self) {
        self.is_refused = true;
        self.kept = Vec::new();
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
        // Only what shows the encoding is copied; the rest stays where it lies.
        let wanted = HEAD_LEN.saturating_sub(self.head.len()).min(slice.len());
        if self.head.is_empty() && wanted == HEAD_LEN {
            return self.begin(slice, sink);
        }
        let (first, rest) = slice.split_at_checked(wanted).unwrap_or((slice, &[]));
        self.head.extend_from_slice(first);
        if self.head.len() >= HEAD_LEN {
            let head = std::mem::take(&mut self.head);
            self.begin(&head, sink);
            if !rest.is_empty() {
                self.push(rest, sink);
            }
        }
    }

    /// The text of a whole source that may be one JSON object and nothing else. Only reading it shows whether
    /// it is one; then [`Reader::is_object`] has to be called.
    pub(crate) fn object<'a>(&self, whole: &'a [u8]) -> Option<Chunk<'a>> {
        let end = whole.iter().rposition(|byte| !b" \t\r\n".contains(byte));
        let object = whole.get(..=end?)?;
        let is_braced = matches!(object, [b'{', .., b'}']);
        if !is_braced || whole.len() >= self.short() || export::is_own(object) {
            return None;
        }
        let text = simdutf8::basic::from_utf8(object).ok()?;
        Some(Chunk::alone(text, object))
    }

    /// What [`Reader::object`] gave was one object, and was read.
    pub(crate) fn is_object(&mut self) {
        self.decoder = Some(Decoder { encoding: Encoding::Utf8, utf16: None });
        self.framer.is_object();
    }

    /// No limit forbids anything in a source that is shorter.
    fn short(&self) -> usize {
        let Limits { record_len, document_len, records } = self.limits;
        record_len.min(document_len).min(records as usize)
    }

    /// Takes a source that is there as a whole: what [`Reader::push`] and [`Reader::finish`] bring up, read
    /// where it lies. Long ones and those that have to be decoded go the ordinary way.
    pub(crate) fn read_whole(&mut self, whole: &[u8], sink: &mut dyn FnMut(Event<'_>)) {
        if self.is_refused {
            return;
        }
        match encoding::look(whole) {
            Head::Text { encoding: Encoding::Utf8, mark_len } if whole.len() < self.short() => {
                self.decoder = Some(Decoder { encoding: Encoding::Utf8, utf16: None });
                self.skip_mark(mark_len, sink);
                self.frame(whole.get(mark_len..).unwrap_or_default(), true, sink);
            }
            _ => {
                self.push(whole, sink);
                self.finish(sink);
            }
        }
    }

    /// Nothing more will come.
    pub(crate) fn finish(&mut self, sink: &mut dyn FnMut(Event<'_>)) {
        if self.decoder.is_none() {
            let head = std::mem::take(&mut self.head);
            self.begin(&head, sink);
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

    /// Takes the first slice, or all of a short source.
    fn begin(&mut self, head: &[u8], sink: &mut dyn FnMut(Event<'_>)) {
        match encoding::look(head) {
            Head::Refused(reason) => self.refuse(reason.to_owned(), sink),
            Head::Text { encoding, mark_len } => {
                let is_wide = encoding != Encoding::Utf8;
                self.decoder =
                    Some(Decoder { encoding, utf16: is_wide.then(|| Utf16::new(encoding)) });
                if is_wide {
                    sink(Event::Note { rule: "text/utf16", place: self.place });
                    self.place.offset = mark_len as u64;
                } else {
                    self.skip_mark(mark_len, sink);
                }
                self.decode(head.get(mark_len..).unwrap_or_default(), sink);
            }
        }
    }

    /// Behind the byte order mark of a text in UTF-8, if it has one.
    fn skip_mark(&mut self, mark_len: usize, sink: &mut dyn FnMut(Event<'_>)) {
        if mark_len > 0 {
            sink(Event::Note { rule: "text/bom", place: self.place });
        }
        self.place.offset = mark_len as u64;
    }

    fn refuse(&mut self, reason: String, sink: &mut dyn FnMut(Event<'_>)) {
        self.stop();
        sink(Event::Refused(reason));
    }

    fn decode(&mut self, slice: &[u8], sink: &mut dyn FnMut(Event<'_>)) {
        if let Some(Decoder { utf16: Some(utf16), .. }) = &mut self.decoder {
            let mut kept = std::mem::take(&mut self.kept);
            utf16.decode(slice, &mut kept);
            self.feed(kept, sink);
        } else if self.kept.is_empty() {
            self.take(slice, sink);
        } else {
            // Only up to the record's end is copied; the rest is framed where it lies.
            let head_len = match memchr::memchr(b'\n', slice) {
                Some(at) if self.framer.is_in_lines() => at + 1,
                _ => slice.len(),
            };
            let (head, rest) = slice.split_at_checked(head_len).unwrap_or((slice, &[]));
            self.take(head, sink);
            if !rest.is_empty() && !self.is_refused {
                self.take(rest, sink);
            }
        }
    }

    /// Frames what was kept, with this behind it; where nothing was kept, this where it lies.
    fn take(&mut self, slice: &[u8], sink: &mut dyn FnMut(Event<'_>)) {
        if self.kept.is_empty() {
            let done = self.frame(slice, false, sink);
            self.keep(slice.get(done..).unwrap_or_default().to_vec(), sink);
        } else {
            let mut kept = std::mem::take(&mut self.kept);
            kept.extend_from_slice(slice);
            self.feed(kept, sink);
        }
    }

    fn feed(&mut self, mut text: Vec<u8>, sink: &mut dyn FnMut(Event<'_>)) {
        let done = self.frame(&text, false, sink);
        text.drain(..done.min(text.len()));
        self.keep(text, sink);
    }

    fn keep(&mut self, mut text: Vec<u8>, sink: &mut dyn FnMut(Event<'_>)) {
        let Limits { record_len, document_len, .. } = self.limits;
        let is_whole = self.framer.is_whole();
        let limit = if is_whole { document_len } else { record_len };
        if text.len() > limit.saturating_add(LOOK_AHEAD) && !self.is_refused {
            let head = text.get(..limit).unwrap_or_default();
            if is_whole && self.framer.divide(head) {
                let done = self.frame(&text, false, sink);
                text.drain(..done.min(text.len()));
                return self.keep(text, sink);
            }
            let reason = self.too_long(if is_whole { Content::Document } else { Content::Value });
            return self.refuse(reason, sink);
        }
        self.kept = text;
    }

    fn too_long(&self, content: Content) -> String {
        match content {
            Content::Document => self.limits.too_long_document(),
            _ => self.limits.too_long_record(),
        }
    }

    /// Frames `text`, which starts at `place`; returns how many bytes are done with.
    fn frame(&mut self, text: &[u8], is_end: bool, sink: &mut dyn FnMut(Event<'_>)) -> usize {
        let unit_len = self.unit_len();
        let mut ruler = Ruler::new(text, self.place, unit_len);
        while let Some(frame) = self.framer.next(text, is_end) {
            match frame {
                Frame::Note { rule, at } => sink(Event::Note { rule, place: ruler.place_of(at) }),
                Frame::Record { start, end, content } => {
                    if end - start > self.limit_of(content) {
                        // Said here, too, so that slices do not decide what is too long.
                        self.refuse(self.too_long(content), sink);
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
                    let start = start_place;
                    let (side, written) = (None, None);
                    let chunk = Chunk { text: &text, stored, start, unit_len, side, written };
                    sink(Event::Record { chunk, content, end });
                }
                Frame::Quoted { start } => {
                    let rest = text.get(start..).unwrap_or_default();
                    self.quoted(rest, ruler.place_of(start), sink);
                }
                Frame::Conflict => {
                    let start = self.framer.release();
                    let rest = text.get(start..).unwrap_or_default();
                    self.sides(rest, ruler.place_of(start), sink);
                    self.place = ruler.place_of(text.len());
                    return text.len();
                }
            }
        }
        let done = self.framer.release().min(text.len());
        self.place = ruler.place_of(done);
        done
    }

    fn unit_len(&self) -> Option<u64> {
        (self.encoding() != Encoding::Utf8).then_some(2)
    }

    fn limit_of(&self, content: Content) -> usize {
        match content {
            Content::Document => self.limits.document_len,
            _ => self.limits.record_len,
        }
    }

    /// Frames each side of a conflict by itself. Records that the conflict does not touch are given only
    /// once, from our side. If the file ends before their side begins, only ours is framed.
    fn sides(&mut self, rest: &[u8], start: Position, sink: &mut dyn FnMut(Event<'_>)) {
        let text = lossy(rest);
        let stored = matches!(text, Cow::Owned(_)).then_some(rest);
        let markers = markers(&text);
        let mut places = ruler(&text, stored, start, self.unit_len());
        if let Some((at, _)) = markers.first() {
            sink(Event::Note { rule: "text/conflict-marker", place: places.place_of(*at) });
        }
        let mut offset = |at| places.place_of(at).offset;
        let hunks = hunks(&markers, text.len()).into_iter();
        let hunks: Vec<_> = hunks.map(|hunk| offset(hunk.start)..offset(hunk.end)).collect();
        let mut reported = BTreeSet::new();
        let sides = if has_both(&markers) { &Side::BOTH[..] } else { &[Side::Ours] };
        for &side in sides {
            let rebuilt = rebuild(&text, side);
            let written = Written { text: &text, stored, start, rebuilt: &rebuilt, from: 0 };
            self.rebuilt(self.framer.clone(), written, &mut |event| match event {
                Event::Record { chunk, content, end } => {
                    let at = hunks.partition_point(|hunk| hunk.end <= chunk.start.offset);
                    let is_common = hunks.get(at).is_none_or(|hunk| hunk.start >= end);
                    if !is_common || side == Side::Ours {
                        let side = (!is_common).then_some(side);
                        sink(Event::Record { chunk: Chunk { side, ..chunk }, content, end });
                    }
                }
                // What stands on both sides is said once.
                Event::Note { rule, place } if !reported.insert((rule, place.offset)) => {}
                event => sink(event),
            });
        }
    }

    /// The inside of a JSON string.
    fn quoted(&mut self, rest: &[u8], start: Position, sink: &mut dyn FnMut(Event<'_>)) {
        let text = lossy(rest);
        let stored = matches!(text, Cow::Owned(_)).then_some(rest);
        let Some(rebuilt) = unquoted(&text) else { return };
        sink(Event::Note { rule: "json/string-document", place: start });
        let written = Written { text: &text, stored, start, rebuilt: &rebuilt, from: 0 };
        self.rebuilt(self.framer.inner(), written, sink);
        if is_cut(&text) {
            let place = ruler(&text, stored, start, self.unit_len()).place_of(text.len());
            sink(Event::Note { rule: "json/truncated", place });
        }
    }

    /// Frames a rebuilt text as a whole.
    fn rebuilt(
        &mut self,
        mut framer: Framer,
        written: Written<'_>,
        sink: &mut dyn FnMut(Event<'_>),
    ) {
        let text = written.rebuilt.text.as_str();
        let whole = Chunk {
            text,
            stored: None,
            start: written.start,
            unit_len: self.unit_len(),
            side: None,
            written: Some(written),
        };
        let mut ruler = whole.ruler();
        while let Some(frame) = framer.next(text.as_bytes(), true) {
            match frame {
                _ if self.is_refused => break,
                Frame::Note { rule, at } => sink(Event::Note { rule, place: ruler.place_of(at) }),
                Frame::Record { start, end, content } => {
                    if end - start > self.limit_of(content) {
                        self.refuse(self.too_long(content), sink);
                        break;
                    }
                    let chunk = whole.part(start, end, &mut ruler);
                    sink(Event::Record { chunk, content, end: ruler.end_of(end) });
                }
                // Nothing is left of them in a text that was rebuilt.
                Frame::Conflict | Frame::Quoted { .. } => {}
            }
        }
        self.framer.learn(&framer);
    }
}
