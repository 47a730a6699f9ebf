//! Walks JSON text without building anything.
//!
//! Strict JSON only: whatever this module does not accept is left to [`super::tree`], which
//! tolerates and reports. Positions are offsets into the slice at hand.

use std::borrow::Cow;

use super::block::{BLOCK, Quoted, block_at, specials};
use super::double;
use super::names::Names;
use crate::text::same;

/// The text is not plain JSON at this offset, or holds something that needs a closer look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotPlain(pub(crate) usize);

/// Nesting beyond this is `json/too-deep`.
pub(crate) const MAX_DEPTH: usize = 512;

/// The inside of a JSON string, as written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) raw: &'a str,
    pub(crate) is_escaped: bool,
}

impl<'a> Text<'a> {
    /// The string's value. The escapes were checked by [`Scan::text`].
    #[inline]
    pub(crate) fn decode(self) -> Cow<'a, str> {
        if self.is_escaped { Cow::Owned(self.unescaped()) } else { Cow::Borrowed(self.raw) }
    }

    fn unescaped(self) -> String {
        let mut out = String::with_capacity(self.raw.len());
        let mut rest = self.raw;
        while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
            let (plain, escape) = rest.split_at_checked(slash).unwrap_or((rest, ""));
            out.push_str(plain);
            let (c, len) = unescape(escape.as_bytes());
            out.push(c);
            rest = escape.get(len..).unwrap_or_default();
        }
        out.push_str(rest);
        out
    }

    #[inline]
    pub(crate) fn is(self, word: &str) -> bool {
        if self.is_escaped { self.unescaped() == word } else { same(self.raw, word) }
    }

    /// A text that is written as it reads.
    pub(crate) fn plain(text: &'a str) -> Self {
        Self { raw: text, is_escaped: false }
    }
}

/// Value and length of the escape that `text` begins with. A surrogate without its partner
/// gives U+FFFD.
pub(crate) fn unescape(text: &[u8]) -> (char, usize) {
    let simple = |c| (c, 2);
    match text.get(1) {
        Some(b'n') => simple('\n'),
        Some(b't') => simple('\t'),
        Some(b'r') => simple('\r'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'u') => {
            let Some(high) = hex4(text, 2) else { return (char::REPLACEMENT_CHARACTER, 2) };
            if let Some(c) = char::from_u32(high) {
                return (c, 6);
            }
            let low = (text.get(6) == Some(&b'\\') && text.get(7) == Some(&b'u'))
                .then(|| hex4(text, 8))
                .flatten();
            match low {
                Some(low)
                    if (0xD800..0xDC00).contains(&high) && (0xDC00..0xE000).contains(&low) =>
                {
                    let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                    (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
                }
                _ => (char::REPLACEMENT_CHARACTER, 6),
            }
        }
        Some(&b) if b.is_ascii() => simple(b as char),
        _ => (char::REPLACEMENT_CHARACTER, 1),
    }
}

/// Where the `\u` escape at `at` ends.
#[cold]
fn wide_escape(text: &[u8], at: usize) -> Result<usize, NotPlain> {
    // A lone surrogate is legal JSON but not text: closer look.
    match (hex4(text, at + 2), unescape(text.get(at..).unwrap_or_default())) {
        (Some(0xFFFD), _) => Ok(at + 6),
        (Some(_), (c, len)) if c != char::REPLACEMENT_CHARACTER => Ok(at + len),
        _ => Err(NotPlain(at)),
    }
}

fn hex4(text: &[u8], at: usize) -> Option<u32> {
    text.get(at..at + 4)?.iter().try_fold(0, |sum, &b| Some(sum * 16 + (b as char).to_digit(16)?))
}

/// Any number that begins at `start`, and its lexeme.
#[cold]
fn long_number(text: &str, start: usize) -> Result<(f64, &str), NotPlain> {
    let lexeme = Scan::starting(text, start).number()?;
    double::read(lexeme).map_or(Err(NotPlain(start)), |value| Ok((value, lexeme)))
}

/// Any string whose inside begins at `start`, and where the text goes on behind it.
#[inline(never)]
fn long_text(source: &str, start: usize) -> Result<(Text<'_>, usize), NotPlain> {
    let text = source.as_bytes();
    let mut at = start;
    let mut is_escaped = false;
    loop {
        let mut hits = specials(&block_at(text, at));
        let mut next = at + BLOCK;
        while hits != 0 {
            let hit = at + hits.trailing_zeros() as usize;
            match text.get(hit) {
                Some(b'"') => {
                    let raw = source.get(start..hit).unwrap_or_default();
                    return Ok((Text { raw, is_escaped }, hit + 1));
                }
                Some(b'\\') => is_escaped = true,
                _ => return Err(NotPlain(hit)),
            }
            let end = match text.get(hit + 1) {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => hit + 2,
                Some(b'u') => wide_escape(text, hit)?,
                _ => return Err(NotPlain(hit)),
            };
            // What the escape takes of this block is dealt with.
            hits &= u16::MAX.checked_shl(u32::try_from(end - at).unwrap_or(u32::MAX)).unwrap_or(0);
            next = next.max(end);
        }
        at = next;
    }
}

/// A cursor over JSON text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self::starting(text, 0)
    }

    /// A cursor that stands inside a text.
    pub(crate) fn starting(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn not_plain<T>(&self) -> Result<T, NotPlain> {
        Err(NotPlain(self.at))
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub(crate) fn skip_space(&mut self) {
        while let Some(byte) = self.peek()
            && byte <= b' '
            && matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
        {
            self.at += 1;
        }
    }

    /// Takes `byte` after white space, if it stands there.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        self.skip_space();
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Result<(), NotPlain> {
        if self.take(byte) { Ok(()) } else { self.not_plain() }
    }

    /// A string, the cursor standing at its quote.
    #[inline]
    pub(crate) fn text(&mut self) -> Result<Text<'a>, NotPlain> {
        let start = self.at + 1;
        let hits = specials(&block_at(self.text.as_bytes(), start));
        let end = start + hits.trailing_zeros() as usize;
        // Most texts are short, and nothing in them is special but the quote that ends them.
        if self.text.as_bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            let raw = self.text.get(start..end).unwrap_or_default();
            return Ok(Text { raw, is_escaped: false });
        }
        let (text, end) = long_text(self.text, start)?;
        self.at = end;
        Ok(text)
    }

    /// Takes a name that is known, if it stands at the cursor.
    #[inline]
    pub(crate) fn take_name(&mut self, name: &Quoted) -> bool {
        let is_there = name.begins(self.text.as_bytes(), self.at);
        self.at += if is_there { name.len() } else { 0 };
        is_there
    }

    /// A number and its lexeme, the cursor standing at its first byte; infinite where no double holds it.
    #[inline]
    pub(crate) fn value_of_number(&mut self) -> Result<(f64, &'a str), NotPlain> {
        let start = self.at;
        let is_negative = self.peek() == Some(b'-');
        self.at += usize::from(is_negative);
        let first = self.at;
        let mut digits = self.digits_of(0);
        let mut decimals = 0;
        if self.peek() == Some(b'.') && self.at > first {
            let dot = self.at;
            self.at += 1;
            digits = self.digits_of(digits);
            decimals = self.at - dot - 1;
            if decimals == 0 {
                return self.not_plain();
            }
        }
        let count = self.at - first;
        let is_zero_led = count > 1 && self.text.as_bytes().get(first) == Some(&b'0');
        let is_more = matches!(self.peek(), Some(b'e' | b'E'))
            || (is_zero_led && self.text.as_bytes().get(first + 1) != Some(&b'.'));
        if !is_more
            && count > 0
            && let Some(size) = double::of_digits(digits, count, decimals)
        {
            let lexeme = self.text.get(start..self.at).unwrap_or_default();
            return Ok((if is_negative { -size } else { size }, lexeme));
        }
        let (value, lexeme) = long_number(self.text, start)?;
        self.at = start + lexeme.len();
        Ok((value, lexeme))
    }

    /// Reads digits and adds them to those that `sum` holds. The sum wraps where they are more than
    /// [`double::of_digits`] takes.
    #[inline]
    fn digits_of(&mut self, mut sum: u64) -> u64 {
        while let Some(digit) = self.peek().map(|byte| byte.wrapping_sub(b'0')).filter(|d| *d < 10)
        {
            sum = sum.wrapping_mul(10).wrapping_add(u64::from(digit));
            self.at += 1;
        }
        sum
    }

    /// A number's lexeme, the cursor standing at its first byte.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<&'a str, NotPlain> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return self.not_plain(),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
                return self.not_plain();
            }
            self.digits();
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
                return self.not_plain();
            }
            self.digits();
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// `true`, `false` or `null`.
    pub(crate) fn word(&mut self) -> Result<&'static str, NotPlain> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        for word in ["true", "false", "null"] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(word);
            }
        }
        self.not_plain()
    }

    /// Passes over one value of any kind.
    pub(crate) fn skip_value(&mut self, depth: usize) -> Result<(), NotPlain> {
        self.skip_space();
        match self.peek() {
            Some(b'"') => self.text().map(drop),
            Some(b'{') => self.members(depth, |scan, _, depth| scan.skip_value(depth)),
            Some(b'[') => self.items(depth, Self::skip_value),
            Some(b'-' | b'0'..=b'9') => self.number().map(drop),
            _ => self.word().map(drop),
        }
    }

    /// The same, but an object in which a name stands twice is one that needs a closer look.
    pub(crate) fn skip_unrepeated(&mut self, depth: usize) -> Result<(), NotPlain> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => {
                let mut names = Names::default();
                self.members(depth, |scan, (_, name), depth| {
                    if names.insert(name.decode()) {
                        scan.skip_unrepeated(depth)
                    } else {
                        scan.not_plain()
                    }
                })
            }
            Some(b'[') => self.items(depth, Self::skip_unrepeated),
            _ => self.skip_value(depth),
        }
    }

    /// Takes the bracket that opens an object or a list. False: it was closed again at once.
    #[inline]
    pub(crate) fn open(&mut self, [open, close]: [u8; 2], depth: usize) -> Result<bool, NotPlain> {
        self.expect(open)?;
        if depth >= MAX_DEPTH { self.not_plain() } else { Ok(!self.take(close)) }
    }

    /// Takes what stands behind an item: true for a comma, false for the bracket that closes.
    #[inline]
    pub(crate) fn goes_on(&mut self, close: u8) -> Result<bool, NotPlain> {
        self.skip_space();
        match self.peek() {
            Some(byte) if byte == b',' || byte == close => {
                self.at += 1;
                Ok(byte == b',')
            }
            _ => self.not_plain(),
        }
    }

    /// Walks an object; `value` is given where each name stands, and the name, and must take the value
    /// that follows.
    pub(crate) fn members(
        &mut self,
        depth: usize,
        mut value: impl FnMut(&mut Self, (usize, Text<'a>), usize) -> Result<(), NotPlain>,
    ) -> Result<(), NotPlain> {
        let mut goes_on = self.open(*b"{}", depth)?;
        while goes_on {
            let name = self.name()?;
            self.expect(b':')?;
            value(self, name, depth + 1)?;
            goes_on = self.goes_on(b'}')?;
        }
        Ok(())
    }

    /// A name and where it stands.
    #[inline]
    pub(crate) fn name(&mut self) -> Result<(usize, Text<'a>), NotPlain> {
        self.skip_space();
        if self.peek() != Some(b'"') {
            return self.not_plain();
        }
        Ok((self.at, self.text()?))
    }

    /// Walks an array; `item` must take each item.
    #[inline]
    pub(crate) fn items(
        &mut self,
        depth: usize,
        mut item: impl FnMut(&mut Self, usize) -> Result<(), NotPlain>,
    ) -> Result<(), NotPlain> {
        let mut goes_on = self.open(*b"[]", depth)?;
        while goes_on {
            item(self, depth + 1)?;
            goes_on = self.goes_on(b']')?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skips(text: &str) -> bool {
        let mut scan = Scan::new(text);
        scan.skip_value(0).is_ok() && scan.at() == text.len()
    }

    #[test]
    fn accepts_what_serde_json_accepts() {
        for text in [
            "{}",
            "[]",
            "[1,2]",
            r#"{"a":[{"b":null}],"c":"x\n\u00e9\ud83d\ude00"}"#,
            "-0.5e+10",
            "true",
            r#""a longer string than eight bytes, with \"quotes\"""#,
            "\"\u{7f}é\"",
        ] {
            assert!(skips(text), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        }
        for text in [
            "{",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "1.",
            "+1",
            ".5",
            "nul",
            "\"a\nb\"",
            r#""\x""#,
            r#""\ud800""#,
            "NaN",
            "{'a':1}",
            "[1 2]",
            "\"open",
        ] {
            assert!(!skips(text), "{text}");
        }
    }

    #[test]
    fn strings_end_where_they_end() {
        for len in 0..40 {
            let inside = "x".repeat(len);
            for (escape, plain) in [
                ("", ""),
                ("\\n", "\n"),
                ("\\\"", "\""),
                ("\\u00e9", "é"),
                ("\\ud83d\\ude00", "😀"),
            ] {
                let json = format!("\"{inside}{escape}{escape}{inside}\", 1");
                let mut scan = Scan::new(&json);
                let text = scan.text().expect("it is one");
                assert_eq!(text.decode(), format!("{inside}{plain}{plain}{inside}"));
                assert_eq!(&json[scan.at()..], ", 1");
                for end in 1..scan.at() {
                    let Some(cut) = json.get(..end) else { continue };
                    assert!(Scan::new(cut).text().is_err(), "{cut}");
                }
            }
        }
    }

    #[test]
    fn the_cursor_stands_behind_a_name_that_it_took() {
        let (name, other) = (Quoted::new("name"), Quoted::new("names"));
        let mut scan = Scan::new("\"name\":1");
        assert!(!scan.take_name(&other));
        assert_eq!(scan.at(), 0);
        assert!(scan.take_name(&name));
        assert_eq!(scan.at(), 7);
        assert!(!scan.take_name(&name));
        assert_eq!(scan.at(), 7);
    }

    /// Numbers have the values of the standard library, whichever way they are read.
    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let mut lexemes: Vec<String> = [
            "0",
            "-0",
            "0.0",
            "-0.0",
            "1",
            "-1",
            "0.1",
            "0.3",
            "-0.15",
            "123456789012345",
            "1234567890.12345",
            "99999999999999.9",
            "0.00000000000001",
            "999999999999999",
            "9007199254740993",
            "18446744073709551616",
            "1234567890.1234567",
            "1e3",
            "1.5E-7",
            "1e400",
            "0e1",
            "0.5e1",
            "123456789012345678901234567890",
        ]
        .map(str::to_owned)
        .to_vec();
        // Every two digits with up to 13 decimals.
        lexemes.extend((0..100).flat_map(|digits| {
            (0..12).map(move |zeros| format!("0.{}{digits}", "0".repeat(zeros)))
        }));
        for lexeme in lexemes {
            for behind in ["", ",", " ", "}"] {
                let json = format!("{lexeme}{behind}");
                let mut scan = Scan::new(&json);
                let (value, read) = scan.value_of_number().expect("a number");
                let expected: f64 = lexeme.parse().expect("a number");
                assert_eq!((value.to_bits(), read), (expected.to_bits(), lexeme.as_str()));
                assert_eq!(scan.at(), lexeme.len());
            }
        }
        for odd in
            ["-", "01", "00", "-01", "1.", "1.e3", ".5", "1e", "1e+", "+1", "--1", "01.5", ""]
        {
            let mut scan = Scan::new(odd);
            let whole = scan.value_of_number().is_ok() && scan.at() == odd.len();
            assert!(!whole, "{odd}");
            let mut scan = Scan::new(odd);
            assert_eq!(scan.number().is_ok() && scan.at() == odd.len(), whole, "{odd}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let deep = "[".repeat(600) + &"]".repeat(600);
        assert!(!skips(&deep));
        let fine = "[".repeat(500) + &"]".repeat(500);
        assert!(skips(&fine));
    }
}
