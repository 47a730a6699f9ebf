//! Where something stands in a source.

use super::rebuilt::Rebuilt;
use crate::model::reward;

/// A place: offset in stored bytes, line and column from 1, columns in UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) offset: u64,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Position {
    pub(crate) const START: Self = Self { offset: 0, line: 1, column: 1 };

    /// The place after `text`, decoded from a source that stores it with `unit_len` bytes a
    /// UTF-16 unit, or as UTF-8 (`None`).
    #[inline]
    pub(crate) fn after(self, text: &[u8], unit_len: Option<u64>) -> Self {
        let last_line = memchr::memrchr(b'\n', text);
        let (line, column) = match last_line {
            None => (self.line, self.column.saturating_add(units(text))),
            Some(at) => {
                let lines = reward::count(memchr::memchr_iter(b'\n', text).count());
                let tail = text.get(at + 1..).unwrap_or_default();
                (self.line.saturating_add(lines), units(tail).saturating_add(1))
            }
        };
        let len = match unit_len {
            None => text.len() as u64,
            Some(unit_len) => u64::from(units(text)) * unit_len,
        };
        Self { offset: self.offset + len, line, column }
    }
}

/// Finds places in a text whose start is known. Ascending questions cost each byte once.
#[derive(Clone, Debug)]
pub(crate) struct Ruler<'a> {
    text: &'a [u8],
    unit_len: Option<u64>,
    start: Position,
    at: usize,
    place: Position,
    /// Where the text is not what is stored: U+FFFD stands for broken bytes. Offsets behind each
    /// such place, in the text and as stored.
    breaks: Vec<(usize, usize)>,
    /// If set, offsets in questions are those of a text rebuilt from this one, counted from the number.
    rebuilt: Option<(&'a Rebuilt, usize)>,
}

impl<'a> Ruler<'a> {
    pub(crate) fn new(text: &'a [u8], start: Position, unit_len: Option<u64>) -> Self {
        Self { text, unit_len, start, at: 0, place: start, breaks: Vec::new(), rebuilt: None }
    }

    /// For `text` that `String::from_utf8_lossy` made of `stored`.
    pub(crate) fn lossy(text: &'a str, stored: &[u8], start: Position) -> Self {
        let (mut at, mut stored_at) = (0, 0);
        let mut breaks = Vec::new();
        for chunk in stored.utf8_chunks() {
            at += chunk.valid().len();
            stored_at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                at += char::REPLACEMENT_CHARACTER.len_utf8();
                stored_at += chunk.invalid().len();
                breaks.push((at, stored_at));
            }
        }
        Self { breaks, ..Self::new(text.as_bytes(), start, None) }
    }

    /// This ruler for questions about `rebuilt`, a text made from this one. Offsets count from `from`.
    pub(crate) fn of_rebuilt(self, rebuilt: &'a Rebuilt, from: usize) -> Self {
        Self { rebuilt: Some((rebuilt, from)), ..self }
    }

    pub(crate) fn place_of(&mut self, at: usize) -> Position {
        match self.rebuilt {
            Some((rebuilt, from)) => self.written(rebuilt.written_at(from + at)),
            None => self.written(at),
        }
    }

    /// Offset of the end of a stretch, which is not always where the next one begins.
    pub(crate) fn end_of(&mut self, end: usize) -> u64 {
        match self.rebuilt {
            Some((rebuilt, from)) => self.written(rebuilt.written_end(from + end)).offset,
            None => self.written(end).offset,
        }
    }

    fn written(&mut self, at: usize) -> Position {
        if at < self.at {
            (self.at, self.place) = (0, self.start);
        }
        self.place =
            self.place.after(self.text.get(self.at..at).unwrap_or_default(), self.unit_len);
        self.at = at;
        let behind = self.breaks.partition_point(|(text_at, _)| *text_at <= at);
        let Some((text_at, stored_at)) = behind.checked_sub(1).and_then(|i| self.breaks.get(i))
        else {
            return self.place;
        };
        Position { offset: self.start.offset + (at - text_at + stored_at) as u64, ..self.place }
    }

    /// The line ends just before `at`: no need to look at it again. UTF-8 only.
    pub(crate) fn next_line(&mut self, at: usize) {
        if at > self.at && self.text.get(at - 1) == Some(&b'\n') {
            let offset = self.place.offset + (at - self.at) as u64;
            self.place = Position { offset, line: self.place.line.saturating_add(1), column: 1 };
            self.at = at;
        }
    }
}

/// UTF-16 code units of a UTF-8 text; broken bytes count as in `String::from_utf8_lossy`.
pub(crate) fn units(text: &[u8]) -> u32 {
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    // Eight bytes as one number. Continuation bytes count nothing, leads of four bytes a surrogate pair.
    let of_word = |word: u64| match word & HIGHS {
        0 => 8,
        high => {
            let continuations = high & !(word << 1);
            let pairs = high & (word << 1) & (word << 2) & (word << 3);
            8 - continuations.count_ones() + pairs.count_ones()
        }
    };
    // Nearly all text is ASCII: 64 bytes of it at a time.
    let (blocks, rest) = text.as_chunks::<64>();
    let of_words = |text: &[u8]| -> u32 {
        let words = text.as_chunks::<8>().0.iter();
        words.map(|word| of_word(u64::from_le_bytes(*word))).sum()
    };
    let mut is_ascii = rest.is_ascii();
    let of_block = |block: &[u8; 64]| {
        let words = block.as_chunks::<8>().0.iter();
        if words.fold(0, |all, word| all | u64::from_le_bytes(*word)) & HIGHS == 0 {
            return 64;
        }
        is_ascii = false;
        of_words(block)
    };
    let count = blocks.iter().map(of_block).sum::<u32>() + of_words(rest);
    if !is_ascii && simdutf8::basic::from_utf8(text).is_err() {
        let of_chunk = |chunk: std::str::Utf8Chunk<'_>| {
            units(chunk.valid().as_bytes()) + u32::from(!chunk.invalid().is_empty())
        };
        return text.utf8_chunks().map(of_chunk).sum();
    }
    let rest = rest.as_chunks::<8>().1;
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
    // What fills the last word up counts one each.
    count + of_word(u64::from_le_bytes(last)) + reward::count(rest.len()) - 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_bytes_count_as_they_are_stored() {
        let stored = b"a\xff\xfeb\xf0\x9fc";
        let text = String::from_utf8_lossy(stored);
        let mut ruler = Ruler::lossy(&text, stored, Position::START);
        let mut offset = |c| ruler.place_of(text.find(c).expect("there")).offset;
        assert_eq!([offset('a'), offset('b'), offset('c')], [0, 3, 6]);
        assert_eq!(offset('b'), 3);
        assert_eq!(ruler.place_of(text.len()).offset, 7);
    }

    #[test]
    fn units_are_those_of_utf16() {
        for text in ["", "a", "aé😀", "€"] {
            for times in [1, 15, 16, 17, 300, 5000] {
                let text = text.repeat(times);
                assert_eq!(units(text.as_bytes()) as usize, text.encode_utf16().count());
            }
        }
    }

    #[test]
    fn broken_bytes_are_the_characters_that_take_their_place() {
        for stored in
            [&b"a\xffb"[..], b"\x80\x80", b"\xf0\x9f\x98", b"\xe2\x82 \xf8", b"\xff\xc3\xa9"]
        {
            for times in [1, 40] {
                let stored = stored.repeat(times);
                let text = String::from_utf8_lossy(&stored);
                assert_eq!(units(&stored) as usize, text.encode_utf16().count(), "{stored:?}");
            }
        }
    }

    #[test]
    fn columns_count_utf16_units() {
        let place = Position::START.after("aé😀".as_bytes(), None);
        assert_eq!(place, Position { offset: 7, line: 1, column: 5 });
        let place = place.after("x\n\ny😀z".as_bytes(), Some(2));
        assert_eq!(place, Position { offset: 7 + 14, line: 3, column: 5 });
    }
}
