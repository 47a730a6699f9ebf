//! JSON inside texts, found without trying the same text twice.
//!
//! A walk reads strict JSON from an offset and remembers nothing but what is open. Where it fails,
//! everything that is open there fails with it, so of the starts that it passed only those need
//! another walk that it took for parts of a text. Such a walk and the first one see strings and
//! structure exchanged; there is no third way to see them, and so no byte is read more than twice.

use serde_json::Value;

use super::depth::MAX_DEPTH;

/// A value in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: usize,
    /// Behind its last byte.
    pub(super) end: usize,
    /// Lists and objects in each other.
    depth: usize,
}

impl Found {
    /// Makes the value; `None` if it is nested too deeply.
    pub(super) fn value(&self, text: &str) -> Option<Value> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut reader = serde_json::Deserializer::from_str(text.get(self.start..self.end)?);
        reader.disable_recursion_limit();
        serde::Deserialize::deserialize(&mut reader).ok()
    }
}

/// The value that a text is, but for blanks around it.
pub(super) fn whole(text: &str) -> Option<Found> {
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let start = text.len() - text.trim_start_matches(is_blank).len();
    let end = text.trim_end_matches(is_blank).len();
    let walk = Walk::from(text.as_bytes(), start);
    (walk.is_done && walk.end == end).then_some(Found { start, end, depth: walk.depth })
}

/// The objects in a text, and its lists if they are wanted, that are JSON; none inside another.
pub(super) struct Balanced<'a> {
    text: &'a str,
    has_lists: bool,
    at: usize,
    failed: Vec<Failed>,
}

/// A walk that failed further on.
struct Failed {
    end: usize,
    /// Whether it was inside a string where the search is, and behind a backslash there.
    is_string: bool,
    is_escaped: bool,
    /// The first of what it saw closed.
    closed: Option<usize>,
}

impl<'a> Balanced<'a> {
    /// What is inside a list or an object that broke off is wanted as well.
    pub(super) fn all(text: &'a str) -> Self {
        Self { text, has_lists: true, at: 0, failed: Vec::new() }
    }

    /// Objects only, and none inside something that broke off: its meaning hangs on the rest.
    pub(super) fn objects(text: &'a str) -> Self {
        Self { text, has_lists: false, at: 0, failed: Vec::new() }
    }

    fn is_start(&self, byte: u8) -> bool {
        byte == b'{' || (byte == b'[' && self.has_lists)
    }

    /// The value at `start`, which was seen to close.
    fn found(&mut self, start: usize, walk: &Walk) -> Found {
        self.at = walk.end;
        self.failed.clear();
        Found { start, end: walk.end, depth: walk.depth }
    }
}

impl Iterator for Balanced<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() {
            let at = self.at;
            self.failed.retain(|walk| at < walk.end);
            if self.failed.is_empty() {
                let rest = bytes.get(at..)?;
                let next = if self.has_lists {
                    memchr::memchr2(b'{', b'[', rest)
                } else {
                    memchr::memchr(b'{', rest)
                };
                self.at = at + next?;
            }
            let at = self.at;
            let byte = *bytes.get(at)?;
            if self.is_start(byte) {
                match self.failed.iter().find(|walk| !walk.is_string) {
                    Some(seen) if self.has_lists && seen.closed == Some(at) => {
                        return Some(self.found(at, &Walk::from(bytes, at)));
                    }
                    Some(_) => {}
                    None => {
                        let walk = Walk::from(bytes, at);
                        if walk.is_done {
                            return Some(self.found(at, &walk));
                        }
                        self.failed.push(Failed {
                            end: walk.end,
                            is_string: false,
                            is_escaped: false,
                            closed: walk.closed,
                        });
                    }
                }
            }
            for walk in &mut self.failed {
                match byte {
                    _ if walk.is_escaped => walk.is_escaped = false,
                    b'"' => walk.is_string = !walk.is_string,
                    b'\\' => walk.is_escaped = walk.is_string,
                    _ => {}
                }
            }
            self.at += 1;
        }
        None
    }
}

/// One reading of strict JSON.
struct Walk {
    /// Behind the value, or where it fails.
    end: usize,
    is_done: bool,
    /// Most lists and objects that were open at once.
    depth: usize,
    /// Offset of the first list or object inside that was closed.
    closed: Option<usize>,
}

/// Lists and objects that are open: where each begins. Offsets in 32 bits, for texts are long.
type Open = Vec<u32>;

impl Walk {
    fn from(bytes: &[u8], start: usize) -> Self {
        let mut walk = Self { end: start, is_done: false, depth: 0, closed: None };
        // A text that 32 bits cannot count is none.
        if u32::try_from(bytes.len()).is_ok() {
            walk.is_done = walk.run(bytes).is_some();
        }
        walk
    }

    /// `None` where it fails.
    fn run(&mut self, bytes: &[u8]) -> Option<()> {
        let mut open = Open::new();
        loop {
            self.end = blanks(bytes, self.end);
            match bytes.get(self.end)? {
                &byte @ (b'{' | b'[') => {
                    open.push(u32::try_from(self.end).ok()?);
                    self.depth = self.depth.max(open.len());
                    self.end = blanks(bytes, self.end + 1);
                    // The one behind `{` and `[` in ASCII is a letter; the closing one is two on.
                    if *bytes.get(self.end)? != byte + 2 {
                        if byte == b'{' {
                            self.name(bytes)?;
                        }
                        continue;
                    }
                    self.close(&mut open)?;
                }
                b'"' => self.end = string(bytes, self.end).inspect_err(|at| self.end = *at).ok()?,
                b't' => self.word(bytes, b"true")?,
                b'f' => self.word(bytes, b"false")?,
                b'n' => self.word(bytes, b"null")?,
                _ => self.end = number(bytes, self.end)?,
            }
            if self.behind(bytes, &mut open)? {
                return Some(());
            }
        }
    }

    /// Behind a value: closes what ends, up to the next value. Whether nothing is open any more.
    fn behind(&mut self, bytes: &[u8], open: &mut Open) -> Option<bool> {
        while let Some(&start) = open.last() {
            let byte = *bytes.get(usize::try_from(start).ok()?)?;
            self.end = blanks(bytes, self.end);
            match *bytes.get(self.end)? {
                b',' => {
                    self.end = blanks(bytes, self.end + 1);
                    if byte == b'{' {
                        self.name(bytes)?;
                    }
                    return Some(false);
                }
                closing if closing == byte + 2 => self.close(open)?,
                _ => return None,
            }
        }
        Some(true)
    }

    fn close(&mut self, open: &mut Open) -> Option<()> {
        let start = usize::try_from(open.pop()?).ok()?;
        self.closed = Some(self.closed.map_or(start, |first| first.min(start)));
        self.end += 1;
        Some(())
    }

    /// The name of a member and its colon.
    fn name(&mut self, bytes: &[u8]) -> Option<()> {
        if *bytes.get(self.end)? != b'"' {
            return None;
        }
        self.end = string(bytes, self.end).inspect_err(|at| self.end = *at).ok()?;
        self.end = blanks(bytes, self.end);
        if *bytes.get(self.end)? != b':' {
            return None;
        }
        self.end += 1;
        Some(())
    }

    fn word(&mut self, bytes: &[u8], word: &[u8]) -> Option<()> {
        bytes.get(self.end..)?.starts_with(word).then(|| self.end += word.len())
    }
}

fn blanks(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// Behind the string at `at`; where it is none, the offset of what is wrong.
fn string(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let mut at = at + 1;
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at = escape(bytes, at).ok_or(at)?,
            Some(0x20..) => at += 1,
            Some(_) | None => return Err(at),
        }
    }
}

/// Behind the escape at `at`. Halves of surrogate pairs are no characters.
fn escape(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
        b'u' => match unit(bytes, at)? {
            0xD800..=0xDBFF => matches!(unit(bytes, at + 6)?, 0xDC00..=0xDFFF).then_some(at + 12),
            0xDC00..=0xDFFF => None,
            _ => Some(at + 6),
        },
        _ => None,
    }
}

/// The UTF-16 unit of the escape at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
}

/// Behind the number at `at`, if it is one and is finite.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let digits = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        let len = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        (len > 0).then_some(at + len)
    };
    let first = at + usize::from(bytes.get(at) == Some(&b'-'));
    let mut end = digits(first)?;
    if bytes.get(first) == Some(&b'0') && end > first + 1 {
        return None;
    }
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1)?;
    }
    let mantissa = end;
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
        end = digits(end + 1 + usize::from(sign))?;
    }
    // Nothing shorter can be too large.
    if end > mantissa || end - at > 300 {
        let text = std::str::from_utf8(bytes.get(at..end)?).ok()?;
        text.parse::<f64>().ok().filter(|number| number.is_finite())?;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        Balanced::all(text).map(|found| &text[found.start..found.end]).collect()
    }

    fn objects(text: &str) -> Vec<&str> {
        Balanced::objects(text).map(|found| &text[found.start..found.end]).collect()
    }

    #[test]
    fn a_whole_text_is_what_serde_json_reads() {
        for text in [
            "{}",
            "[]",
            " [1, 2.5e3 , -0, 0.1]\n",
            "{\"a\" : {\"b\":[]}}",
            "\"\\u00e9\\n\\/\"",
            "\"\\ud83d\\ude00\"",
            "true",
            "null",
            "-1",
            "0",
            "1E+2",
            "1e308",
            "\"é😀\"",
            // None of these is JSON.
            "",
            " ",
            "{",
            "}",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "{'a':1}",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "1e999",
            "-",
            "NaN",
            "Infinity",
            "nul",
            "truex",
            "\"\\ud800\"",
            "\"\\udc00\"",
            "\"\\ud800\\u0041\"",
            "\"\\x\"",
            "\"\n\"",
            "\"",
            "\"\\",
            "[1 2]",
            "[1]]",
            "{\"a\"}",
            "{\"a\" 1}",
            "// c\n1",
            "[}",
            "{]",
            "\"\\u12\"",
            "1 2",
            "{1:2}",
            "{\"a\":}",
        ] {
            let read = serde_json::from_str::<Value>(text).ok();
            let ours = whole(text).and_then(|found| found.value(text));
            assert_eq!(ours, read, "{text:?}");
        }
        let large = "1".repeat(400);
        assert_eq!(whole(&large), None);
        assert!(whole(&"1".repeat(308)).is_some());
        assert!(whole("\u{feff}\u{a0}{} \u{2003}").is_some());
    }

    #[test]
    fn values_are_found_between_other_text() {
        for (text, expected) in [
            ("a {\"b\": 1} c [2] d", vec!["{\"b\": 1}", "[2]"]),
            ("{x} {\"a\":{\"b\":1}}", vec!["{\"a\":{\"b\":1}}"]),
            // Broken off outside, whole inside.
            ("{\"a\": [1, {\"b\": 2}], oops", vec!["[1, {\"b\": 2}]"]),
            ("[[1], [2], x]", vec!["[1]", "[2]"]),
            // What a broken value holds as text.
            ("{\"a{}b\": [1], x", vec!["{}", "[1]"]),
            ("say \"{\" and {\"a\": \"}\"}", vec!["{\"a\": \"}\"}"]),
            ("[\"[\",\"[\",\"[\"", vec![]),
            ("\\{\\} [\"\\\"[\"]", vec!["[\"\\\"[\"]"]),
            ("no value", vec![]),
            ("1, true, \"{}\"", vec!["{}"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn objects_are_not_taken_out_of_what_broke_off() {
        assert_eq!(objects("{\"valid\": false, \"like\": {\"valid\": true}, \"rea"), [""; 0]);
        assert_eq!(objects("[{\"a\": 1}, {\"b\": 2}] {c} {}"), ["{\"a\": 1}", "{\"b\": 2}", "{}"]);
    }

    /// The first start, tried one after the other, as long as texts are short.
    fn tried(text: &str) -> Option<&str> {
        (0..text.len()).filter(|&at| matches!(text.as_bytes()[at], b'{' | b'[')).find_map(|at| {
            let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
            values.next()?.ok()?;
            Some(&text[at..at + values.byte_offset()])
        })
    }

    #[test]
    fn the_first_is_the_one_that_trying_every_start_finds() {
        let tokens =
            ["{", "}", "[", "]", "\"", "\"a\"", ":", ",", "1", "\\", " ", "x", "\\\"", "{}", "[1]"];
        let mut seed = 7_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..14 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(tokens[usize::try_from(seed >> 33).expect("64 bits") % tokens.len()]);
            }
            assert_eq!(found(&text).first().copied(), tried(&text), "{text:?}");
        }
    }

    #[test]
    fn long_texts_are_read_twice_at_most() {
        let million = 300_000;
        for text in [
            "{".repeat(million),
            "[".repeat(million),
            "{\"".repeat(million),
            "[\"[\",".repeat(million),
            "[1,".repeat(million) + "x",
            "[{\"a\":".repeat(million) + "1" + &"}]".repeat(million / 2) + "x",
            "{\"a\":[1,2,3,".repeat(million),
        ] {
            // What is quadratic in these would never end.
            let _ = Balanced::all(&text).count();
            let _ = Balanced::objects(&text).count();
        }
        let deep = "[".repeat(million) + &"]".repeat(million);
        let found = whole(&deep).expect("balanced");
        assert_eq!(found.value(&deep), None);
    }
}
