//! JSON as it is written: white space taken out, and nothing else touched.
//!
//! Everything here works on the text. Member order, repeated members, spellings of numbers and of
//! characters stay, half a surrogate pair included.

use std::borrow::Cow;

/// How deep a value may be nested that is put into a bundle, whose own levels come on top.
pub(crate) const MAX_DEPTH: usize = 480;

/// A JSON value without insignificant white space; nothing if the text is none, or too deep.
pub(crate) fn compact(text: &str, max_depth: usize) -> Option<String> {
    let mut grammar = Grammar { text: text.as_bytes(), at: 0, max_depth };
    grammar.space();
    grammar.value(0)?;
    grammar.space();
    if grammar.at < text.len() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        let end = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            }
            b'"' => string_end(text, at),
            _ => {
                let rest = text.as_bytes().get(at..).unwrap_or_default();
                let stop =
                    rest.iter().position(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'"'));
                at + stop.unwrap_or(rest.len())
            }
        };
        out.push_str(text.get(at..end).unwrap_or_default());
        at = end;
    }
    Some(out)
}

/// Members of an object in compact JSON, as written; empty for any other value.
pub(crate) fn members(object: &str) -> Vec<(Cow<'_, str>, &str)> {
    let mut members = Vec::new();
    let Some(inside) = object.strip_prefix('{') else { return members };
    let mut at = 0;
    while inside.as_bytes().get(at) == Some(&b'"') {
        let name_end = string_end(inside, at);
        let end = value_end(inside, name_end + 1);
        let name = inside.get(at..name_end).unwrap_or_default();
        members.push((unquoted(name), inside.get(name_end + 1..end).unwrap_or_default()));
        at = end + 1;
    }
    members
}

/// Items of a list in compact JSON; empty for any other value.
pub(crate) fn items(list: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let Some(inside) = list.strip_prefix('[') else { return items };
    let mut at = 0;
    while inside.as_bytes().get(at).is_some_and(|b| *b != b']') {
        let end = value_end(inside, at);
        items.push(inside.get(at..end).unwrap_or_default());
        at = end + 1;
    }
    items
}

/// The value of a string in JSON; of half a surrogate pair U+FFFD.
pub(crate) fn unquoted(lexeme: &str) -> Cow<'_, str> {
    let raw = lexeme.strip_prefix('"').and_then(|l| l.strip_suffix('"')).unwrap_or(lexeme);
    crate::json::scan::Text { raw, is_escaped: raw.contains('\\') }.decode()
}

/// Behind the string whose quote stands at `at`.
fn string_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at + 1;
    while let Some(hit) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += hit;
        if bytes.get(at) == Some(&b'"') {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

/// Behind the value that begins at `at`, in compact JSON.
fn value_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    let mut depth = 0_usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(text, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return at,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Checks what a text says against the grammar of JSON.
struct Grammar<'a> {
    text: &'a [u8],
    at: usize,
    max_depth: usize,
}

impl Grammar<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        match self.peek()? {
            b'{' => self.container(depth, b'}', |grammar, depth| {
                grammar.string()?;
                grammar.space();
                grammar.take(b':')?;
                grammar.space();
                grammar.value(depth)
            }),
            b'[' => self.container(depth, b']', Self::value),
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.word(),
        }
    }

    fn container(
        &mut self,
        depth: usize,
        close: u8,
        mut item: impl FnMut(&mut Self, usize) -> Option<()>,
    ) -> Option<()> {
        if depth >= self.max_depth {
            return None;
        }
        self.at += 1;
        self.space();
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            item(self, depth + 1)?;
            self.space();
            if self.take(close).is_some() {
                return Some(());
            }
            self.take(b',')?;
            self.space();
        }
    }

    fn string(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => {
                    let len = match self.text.get(self.at + 1)? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => 2,
                        b'u' => {
                            let digits = self.text.get(self.at + 2..self.at + 6)?;
                            digits.iter().all(u8::is_ascii_hexdigit).then_some(6)?
                        }
                        _ => return None,
                    };
                    self.at += len;
                }
                0..0x20 => return None,
                _ => self.at += 1,
            }
        }
    }

    fn number(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let len = rest
            .iter()
            .position(|b| !matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
            .unwrap_or(rest.len());
        let lexeme = std::str::from_utf8(rest.get(..len)?).ok()?;
        let mut scan = crate::json::scan::Scan::new(lexeme);
        scan.number().ok()?;
        (scan.at() == len).then(|| self.at += len)
    }

    fn word(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let word =
            ["true", "false", "null"].into_iter().find(|w| rest.starts_with(w.as_bytes()))?;
        self.at += word.len();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_goes() {
        let text = " { \"a\" : [ 1.0 , 55.00000000000001 ] ,\n\"a\":\t\"x y\\u00e9\\ud800\" , \"b\\\"\": {} } ";
        let compacted = compact(text, 8).expect("it is JSON");
        assert_eq!(
            compacted,
            "{\"a\":[1.0,55.00000000000001],\"a\":\"x y\\u00e9\\ud800\",\"b\\\"\":{}}"
        );
        assert_eq!(compact(&compacted, 8).as_deref(), Some(compacted.as_str()));
        let names: Vec<_> = members(&compacted).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "a", "b\""]);
        assert_eq!(items(members(&compacted)[0].1), ["1.0", "55.00000000000001"]);
    }

    #[test]
    fn what_is_no_json_is_left_alone() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "NaN",
            "01",
            "\"a\nb\"",
            "\"\\x\"",
            "{} {}",
            "[[[1]]]",
            "1 2",
        ] {
            assert_eq!(compact(text, 2), None, "{text}");
        }
        assert_eq!(compact("[[1]]", 2).as_deref(), Some("[[1]]"));
    }

    #[test]
    fn items_end_where_they_end() {
        assert_eq!(items("[[1,{\"]\":2}],\"a,]\",3]"), ["[1,{\"]\":2}]", "\"a,]\"", "3"]);
        assert_eq!(items("[]"), Vec::<&str>::new());
        assert_eq!(members("{\"a\":\"}\",\"b\":-1}"), [("a".into(), "\"}\""), ("b".into(), "-1")]);
    }
}
