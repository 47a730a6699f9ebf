//! JSON inside texts, found without trying the same text twice.
//!
//! A walk reads strict JSON from an offset and keeps a stack of open brackets. Where it fails, every
//! bracket that is still open fails with it. So only a bracket that this walk took for a part of a
//! string needs another walk. What one of the two walks reads as strings, the other reads as structure,
//! and there is no third reading: at most two failed walks read the same byte.

use serde_json::Value;

use super::depth::{self, MAX_DEPTH};
use crate::json::scan::{NotPlain, Scan};

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
        depth::parse(text.get(self.start..self.end)?).ok()
    }
}

/// The value that a text is, but for blanks around it.
pub(super) fn whole(text: &str) -> Option<Found> {
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let start = text.len() - text.trim_start_matches(is_blank).len();
    let end = text.trim_end_matches(is_blank).len();
    let walk = Walk::from(text, start);
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
    /// Whether this walk read the current offset of the search as part of a string. `is_escaped`: as
    /// the character that a backslash in that string escapes.
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

    /// Objects only, and none inside an object that broke off: its meaning depends on what is missing.
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
                        return Some(self.found(at, &Walk::from(self.text, at)));
                    }
                    Some(_) => {}
                    None => {
                        let walk = Walk::from(self.text, at);
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
    fn from(text: &str, start: usize) -> Self {
        let mut walk = Self { end: start, is_done: false, depth: 0, closed: None };
        // Offsets have 32 bits, so no JSON is found in a text that is longer.
        if u32::try_from(text.len()).is_ok() {
            let mut scan = Scan::starting(text, start);
            let read = walk.run(text.as_bytes(), &mut scan);
            walk.is_done = read.is_ok();
            walk.end = read.map_or_else(|NotPlain(at)| at, |()| scan.at());
        }
        walk
    }

    fn run(&mut self, bytes: &[u8], scan: &mut Scan<'_>) -> Result<(), NotPlain> {
        let mut open = Open::new();
        loop {
            scan.skip_space();
            match scan.peek() {
                Some(byte @ (b'{' | b'[')) => {
                    let Ok(start) = u32::try_from(scan.at()) else { return scan.not_plain() };
                    open.push(start);
                    self.depth = self.depth.max(open.len());
                    scan.expect(byte)?;
                    // In ASCII a closing bracket comes two places after its opening bracket.
                    if !scan.take(byte + 2) {
                        if byte == b'{' {
                            name(scan)?;
                        }
                        continue;
                    }
                    self.close(&mut open);
                }
                Some(b'"') => drop(scan.text()?),
                Some(b't' | b'f' | b'n') => drop(scan.word()?),
                _ => number(scan)?,
            }
            if self.behind(bytes, scan, &mut open)? {
                return Ok(());
            }
        }
    }

    /// Behind a value: closes what ends, up to the next value. Whether nothing is open any more.
    fn behind(
        &mut self,
        bytes: &[u8],
        scan: &mut Scan<'_>,
        open: &mut Open,
    ) -> Result<bool, NotPlain> {
        while let Some(byte) = open.last().and_then(|start| bytes.get(*start as usize)) {
            if scan.goes_on(byte + 2)? {
                if *byte == b'{' {
                    name(scan)?;
                }
                return Ok(false);
            }
            self.close(open);
        }
        Ok(true)
    }

    /// The bracket that closes the innermost was taken.
    fn close(&mut self, open: &mut Open) {
        let start = open.pop().map(|start| start as usize);
        self.closed = [self.closed, start].into_iter().flatten().min();
    }
}

/// The name of a member and its colon.
fn name(scan: &mut Scan<'_>) -> Result<(), NotPlain> {
    scan.name()?;
    scan.expect(b':')
}

/// A number that is finite.
fn number(scan: &mut Scan<'_>) -> Result<(), NotPlain> {
    let lexeme = scan.number()?;
    // Nothing shorter can be too large.
    let may_be_large = lexeme.len() > 300 || lexeme.contains(['e', 'E']);
    let is_finite = |number: f64| number.is_finite();
    if may_be_large && !lexeme.parse().is_ok_and(is_finite) { scan.not_plain() } else { Ok(()) }
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
