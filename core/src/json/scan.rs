//! Walks JSON text without building anything.
//!
//! Strict JSON only: whatever this module does not accept is left to [`super::tree`], which
//! tolerates and reports. Positions are offsets into the slice at hand.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// The text is not plain JSON at this offset, or holds something that needs a closer look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Odd(pub(crate) usize);

/// Nesting beyond this is `json/too-deep`.
pub(crate) const MAX_DEPTH: usize = 512;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Sets the high bit of each byte that is a quote, a backslash or a control character. Bytes
/// above a true hit may be marked too, so only the lowest mark counts.
#[inline]
const fn specials(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    ((quote.wrapping_sub(ONES) & !quote) | (slash.wrapping_sub(ONES) & !slash) | control) & HIGHS
}

/// Offset of the first quote, backslash or control character at or after `at`.
#[inline]
fn next_special(text: &[u8], mut at: usize) -> Option<usize> {
    while let Some(chunk) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let hits = specials(u64::from_le_bytes(*chunk));
        if hits != 0 {
            return Some(at + (hits.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = text.get(at..)?;
    rest.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20).map(|i| at + i)
}

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

    /// Whether it is written as the word, without any escape.
    #[inline]
    pub(crate) fn is_raw(self, word: &str) -> bool {
        same(self.raw, word)
    }

    /// A text that is written as it reads.
    pub(crate) fn plain(text: &'a str) -> Self {
        Self { raw: text, is_escaped: false }
    }
}

/// Equality of short texts: nearly all of them differ in their length, or not at all.
#[inline]
pub(crate) fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(|(a, b)| a == b)
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
fn wide_escape(text: &[u8], at: usize) -> Result<usize, Odd> {
    // A lone surrogate is legal JSON but not text: closer look.
    match (hex4(text, at + 2), unescape(text.get(at..).unwrap_or_default())) {
        (Some(0xFFFD), _) => Ok(at + 6),
        (Some(_), (c, len)) if c != char::REPLACEMENT_CHARACTER => Ok(at + len),
        _ => Err(Odd(at)),
    }
}

fn hex4(text: &[u8], at: usize) -> Option<u32> {
    text.get(at..at + 4)?.iter().try_fold(0, |sum, &b| Some(sum * 16 + (b as char).to_digit(16)?))
}

/// A cursor over JSON text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn odd<T>(&self) -> Result<T, Odd> {
        Err(Odd(self.at))
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub(crate) fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
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
    pub(crate) fn expect(&mut self, byte: u8) -> Result<(), Odd> {
        if self.take(byte) { Ok(()) } else { self.odd() }
    }

    /// A string, the cursor standing at its quote.
    #[inline]
    pub(crate) fn text(&mut self) -> Result<Text<'a>, Odd> {
        let text = self.text.as_bytes();
        let start = self.at + 1;
        let mut at = start;
        let mut is_escaped = false;
        loop {
            let Some(hit) = next_special(text, at) else { return Err(Odd(text.len())) };
            match text.get(hit) {
                Some(b'"') => {
                    self.at = hit + 1;
                    let raw = self.text.get(start..hit).unwrap_or_default();
                    return Ok(Text { raw, is_escaped });
                }
                Some(b'\\') => {
                    is_escaped = true;
                    at = match text.get(hit + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => hit + 2,
                        Some(b'u') => wide_escape(text, hit)?,
                        _ => return Err(Odd(hit)),
                    };
                }
                _ => return Err(Odd(hit)),
            }
        }
    }

    /// A number's lexeme, the cursor standing at its first byte.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<&'a str, Odd> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return self.odd(),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
                return self.odd();
            }
            self.digits();
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
                return self.odd();
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
    pub(crate) fn word(&mut self) -> Result<&'static str, Odd> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        for word in ["true", "false", "null"] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(word);
            }
        }
        self.odd()
    }

    /// Passes over one value of any kind.
    pub(crate) fn skip_value(&mut self, depth: usize) -> Result<(), Odd> {
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
    pub(crate) fn skip_unrepeated(&mut self, depth: usize) -> Result<(), Odd> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => {
                let mut names = BTreeSet::new();
                self.members(depth, |scan, (_, name), depth| {
                    if names.insert(name.decode()) {
                        scan.skip_unrepeated(depth)
                    } else {
                        scan.odd()
                    }
                })
            }
            Some(b'[') => self.items(depth, Self::skip_unrepeated),
            _ => self.skip_value(depth),
        }
    }

    /// Walks an object; `value` is given where each name stands, and the name, and must take the value
    /// that follows.
    #[inline]
    pub(crate) fn members(
        &mut self,
        depth: usize,
        mut value: impl FnMut(&mut Self, (usize, Text<'a>), usize) -> Result<(), Odd>,
    ) -> Result<(), Odd> {
        self.expect(b'{')?;
        if depth >= MAX_DEPTH {
            return self.odd();
        }
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return self.odd();
            }
            let name_at = self.at;
            let name = self.text()?;
            self.expect(b':')?;
            value(self, (name_at, name), depth + 1)?;
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return self.odd(),
            }
        }
    }

    /// Walks an array; `item` must take each item.
    #[inline]
    pub(crate) fn items(
        &mut self,
        depth: usize,
        mut item: impl FnMut(&mut Self, usize) -> Result<(), Odd>,
    ) -> Result<(), Odd> {
        self.expect(b'[')?;
        if depth >= MAX_DEPTH {
            return self.odd();
        }
        if self.take(b']') {
            return Ok(());
        }
        loop {
            item(self, depth + 1)?;
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return self.odd(),
            }
        }
    }
}

/// Offset of the value at an RFC 6901 pointer in plain JSON, or of the deepest ancestor that
/// exists. Builds nothing; the last member of a name counts.
pub(crate) fn find(text: &str, pointer: &str) -> usize {
    let mut start = 0;
    for part in pointer.split('/').skip(1) {
        let name = part.replace("~1", "/").replace("~0", "~");
        let mut scan = Scan { text, at: start };
        scan.skip_space();
        let mut found = None;
        let is_done = match scan.peek() {
            Some(b'{') => scan.members(0, |scan, (_, member), depth| {
                scan.skip_space();
                if member.is(&name) {
                    found = Some(scan.at);
                }
                scan.skip_value(depth)
            }),
            Some(b'[') => {
                let index = name.parse::<usize>().ok();
                let mut count = 0;
                scan.items(0, |scan, depth| {
                    scan.skip_space();
                    if Some(count) == index {
                        found = Some(scan.at);
                    }
                    count += 1;
                    scan.skip_value(depth)
                })
            }
            _ => Ok(()),
        };
        match (is_done, found) {
            (Ok(()), Some(at)) => start = at,
            _ => break,
        }
    }
    start
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
    fn finds_specials_in_every_lane() {
        for lane in 0..20 {
            for special in [b'"', b'\\', 0x00, 0x1f] {
                let mut text = vec![b'a'; 24];
                text[lane] = special;
                assert_eq!(next_special(&text, 0), Some(lane));
            }
        }
        assert_eq!(next_special("äöü€😀 plain text".as_bytes(), 0), None);
    }

    #[test]
    fn depth_is_bounded() {
        let deep = "[".repeat(600) + &"]".repeat(600);
        assert!(!skips(&deep));
        let fine = "[".repeat(500) + &"]".repeat(500);
        assert!(skips(&fine));
    }

    #[test]
    fn finds_pointers() {
        let text = r#"{"a":[10,{"b/c":true}], "a2": 1}"#;
        assert_eq!(find(text, "/a/1/b~1c"), 16);
        assert_eq!(find(text, "/a2"), 30);
        assert_eq!(find(text, "/a/7"), 5);
        assert_eq!(find(text, ""), 0);
    }
}
