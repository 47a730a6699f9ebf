//! JSON that tolerates what people's files really hold, and says so.
//!
//! Taken only for records that the strict scan did not accept, or that someone looks at. Every
//! tolerance of docs/spec/formats.md, "What is tolerated in text" becomes a [`Repair`]; the text
//! itself stays as it is.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use super::double;
use super::names::Names;
use super::scan::{MAX_DEPTH, unescape};

/// A deviation from JSON that was read over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    /// Id of the tolerance.
    pub(crate) rule: &'static str,
    /// Offset in the text.
    pub(crate) at: usize,
    /// The member name, the literal: whatever names the case.
    pub(crate) what: String,
}

/// Why a text gives no value at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    /// `json/too-deep`, `json/truncated` or `json/syntax`.
    pub(crate) rule: &'static str,
    /// Offset where reading stopped.
    pub(crate) at: usize,
    /// What would have been expected there.
    pub(crate) expected: String,
    /// What stood there.
    pub(crate) found: String,
    /// Both in a clause.
    pub(crate) message: String,
}

/// Boxed: each nested level keeps room for one on the stack.
type Read<T> = Result<T, Box<Unreadable>>;

/// A value with the place where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    /// The lexeme; `NaN` and the infinities are [`Kind::Null`] with a repair.
    Number(String),
    Text(String),
    List(Vec<Node>),
    /// Members as written, duplicates included; the last one of a name counts.
    Object(Vec<(String, Node)>),
}

/// A text read with tolerance.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) root: Node,
    pub(crate) repairs: Vec<Repair>,
    /// First byte after the value.
    pub(crate) end: usize,
}

impl Tree {
    /// Reads one value. With `may_close`, an end inside the value closes it after the last
    /// complete element instead of failing.
    pub(crate) fn read(text: &str, may_close: bool) -> Read<Self> {
        let mut reader =
            Reader { text, bytes: text.as_bytes(), at: 0, repairs: Vec::new(), may_close };
        reader.skip_space();
        // Only what holds others can be closed: a number alone is whole.
        reader.may_close &= matches!(reader.bytes.get(reader.at), Some(b'{' | b'['));
        let root = reader.value(0)?;
        let Some(root) = root else {
            return reader.truncated();
        };
        let end = reader.at;
        Ok(Self { root, repairs: reader.repairs, end })
    }

    pub(crate) fn to_value(&self) -> Value {
        self.root.to_value()
    }

    /// Whether no repair was needed that JSON forbids. JSON allows a name to stand twice.
    pub(crate) fn is_json(&self) -> bool {
        self.repairs.iter().all(|repair| repair.rule == "json/duplicate-key")
    }

    /// The items of the only list of objects among the members called by one of `names`, if it is
    /// the only list of objects at all.
    pub(crate) fn wrapped(&self, names: &[&str]) -> Option<(&str, &[Node])> {
        let Kind::Object(members) = &self.root.kind else { return None };
        let is_object = |n: &Node| matches!(n.kind, Kind::Object(_));
        let is_item = |n: &Node| matches!(n.kind, Kind::Object(_) | Kind::Null);
        let mut lists = members.iter().filter_map(|(name, node)| match &node.kind {
            Kind::List(items) if items.iter().any(is_object) && items.iter().all(is_item) => {
                Some((name.as_str(), items.as_slice()))
            }
            _ => None,
        });
        let only = lists.next().filter(|_| lists.next().is_none());
        only.filter(|(name, _)| names.contains(name))
    }
}

impl Node {
    fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(b) => Value::Bool(*b),
            Kind::Number(lexeme) => number(lexeme),
            Kind::Text(text) => Value::String(text.clone()),
            Kind::List(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Kind::Object(members) => {
                let mut map = Map::new();
                for (name, value) in members {
                    map.insert(name.clone(), value.to_value());
                }
                Value::Object(map)
            }
        }
    }
}

/// The value of a lexeme: exact for an integer that an `i64` holds, else the nearest double. A number
/// beyond every double becomes null, because the keyword `type` must not accept ∞ as a number.
pub(crate) fn number(lexeme: &str) -> Value {
    if let Ok(i) = lexeme.parse::<i64>() {
        // `-0` is a double.
        if i != 0 || !lexeme.starts_with('-') {
            return Value::Number(i.into());
        }
    }
    double::read(lexeme).and_then(Number::from_f64).map_or(Value::Null, Value::Number)
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    repairs: Vec<Repair>,
    may_close: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn repair(&mut self, rule: &'static str, at: usize, what: impl Into<String>) {
        self.repairs.push(Repair { rule, at, what: what.into() });
    }

    fn truncated<T>(&self) -> Read<T> {
        let (expected, message) = if self.text.trim().is_empty() {
            ("a value", "the text is empty")
        } else {
            ("the rest of the value", "the text ends inside a value")
        };
        Err(Box::new(Unreadable {
            rule: "json/truncated",
            at: self.bytes.len(),
            expected: expected.to_owned(),
            found: "the end of the text".to_owned(),
            message: message.to_owned(),
        }))
    }

    fn unexpected<T>(&self, wanted: &str) -> Read<T> {
        let found = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) if c.is_control() => format!("U+{:04X}", u32::from(c)),
            Some(c) => format!("`{c}`"),
            None => return self.truncated(),
        };
        Err(Box::new(Unreadable {
            rule: "json/syntax",
            at: self.at,
            expected: wanted.to_owned(),
            message: format!("expected {wanted}, found {found}"),
            found,
        }))
    }

    /// A value, or nothing where the text ends first and may be closed.
    fn value(&mut self, depth: usize) -> Read<Option<Node>> {
        let start = self.at;
        let kind = match self.peek() {
            None if self.may_close => return Ok(None),
            None => return self.truncated(),
            Some(b'{' | b'[') if depth >= MAX_DEPTH => {
                return Err(Box::new(Unreadable {
                    rule: "json/too-deep",
                    at: start,
                    expected: format!("at most {MAX_DEPTH} nested levels"),
                    found: "a deeper level".to_owned(),
                    message: format!("more than {MAX_DEPTH} nested levels"),
                }));
            }
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => match self.string()? {
                Some(text) => Kind::Text(text),
                None => return Ok(None),
            },
            Some(_) => match self.literal()? {
                Some(kind) => kind,
                None => return Ok(None),
            },
        };
        Ok(Some(Node { start, end: self.at, kind }))
    }

    /// At a `,` that was just taken: is it followed by the end of the container?
    fn is_trailing(&mut self, close: u8, comma: usize) -> bool {
        self.skip_space();
        let is_trailing = self.peek() == Some(close);
        if is_trailing {
            self.repair("json/trailing-comma", comma, ",");
        }
        is_trailing
    }

    /// Notes that the container opened at `open` was cut off.
    fn close(&mut self) -> Read<()> {
        if !self.may_close {
            return self.truncated();
        }
        if self.repairs.last().is_none_or(|r| r.rule != "json/truncated") {
            self.repair("json/truncated", self.bytes.len(), "");
        }
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Read<Kind> {
        self.at += 1;
        let mut members: Vec<(String, Node)> = Vec::new();
        let mut names = Names::default();
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Kind::Object(members));
        }
        loop {
            self.skip_space();
            let name_at = self.at;
            match self.peek() {
                Some(b'"') => {}
                None => {
                    self.close()?;
                    break;
                }
                Some(_) => return self.unexpected("a property name in quotes"),
            }
            let Some(name) = self.string()? else {
                self.close()?;
                break;
            };
            self.skip_space();
            match self.peek() {
                Some(b':') => self.at += 1,
                None => {
                    self.close()?;
                    break;
                }
                Some(_) => return self.unexpected("a colon after the property name"),
            }
            self.skip_space();
            let Some(value) = self.value(depth + 1)? else {
                self.close()?;
                break;
            };
            if !names.insert(Cow::Owned::<str>(name.clone())) {
                self.repair("json/duplicate-key", name_at, name.clone());
            }
            members.push((name, value));
            self.skip_space();
            let comma = self.at;
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    if self.is_trailing(b'}', comma) {
                        self.at += 1;
                        break;
                    }
                }
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                None => {
                    self.close()?;
                    break;
                }
                Some(_) => return self.unexpected("a comma or } after the property"),
            }
        }
        Ok(Kind::Object(members))
    }

    fn list(&mut self, depth: usize) -> Read<Kind> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Kind::List(items));
        }
        loop {
            self.skip_space();
            let Some(item) = self.value(depth + 1)? else {
                self.close()?;
                break;
            };
            items.push(item);
            self.skip_space();
            let comma = self.at;
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    if self.is_trailing(b']', comma) {
                        self.at += 1;
                        break;
                    }
                }
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                None => {
                    self.close()?;
                    break;
                }
                Some(_) => return self.unexpected("a comma or ] after the item"),
            }
        }
        Ok(Kind::List(items))
    }

    /// A string, or nothing where it is cut off and may be closed.
    fn string(&mut self) -> Read<Option<String>> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(hit) = rest.bytes().position(|b| b == b'"' || b == b'\\' || b < 0x20) else {
                self.at = self.bytes.len();
                return if self.may_close { Ok(None) } else { self.truncated() };
            };
            out.push_str(&rest[..hit]);
            self.at += hit;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Some(out));
                }
                Some(b'\\') => {
                    let (c, len) = self.escape()?;
                    out.push(c);
                    self.at += len;
                }
                Some(control) => {
                    if self.repairs.last().is_none_or(|r| r.rule != "json/control-char") {
                        self.repair("json/control-char", self.at, format!("U+{control:04X}"));
                    }
                    out.push(control as char);
                    self.at += 1;
                }
                None => return self.truncated(),
            }
        }
    }

    fn escape(&mut self) -> Read<(char, usize)> {
        let rest = &self.bytes[self.at..];
        match rest.get(1) {
            None => Ok((char::REPLACEMENT_CHARACTER, 1)),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(unescape(rest)),
            // Cut inside the escape: the string ends with it.
            Some(b'u') if rest.len() < 6 && rest[2..].iter().all(u8::is_ascii_hexdigit) => {
                Ok((char::REPLACEMENT_CHARACTER, rest.len()))
            }
            Some(b'u') => {
                let digits = rest.get(2..6).unwrap_or_default();
                if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
                    self.at += 1;
                    return self.unexpected("four hexadecimal digits after \\u");
                }
                let (c, len) = unescape(rest);
                if c == char::REPLACEMENT_CHARACTER && !digits.eq_ignore_ascii_case(b"fffd") {
                    let lexeme = String::from_utf8_lossy(rest.get(..6).unwrap_or_default());
                    self.repair("json/lone-surrogate", self.at, lexeme);
                }
                Ok((c, len))
            }
            Some(_) => {
                self.at += 1;
                self.unexpected("an escape character after \\")
            }
        }
    }

    /// A number or a word.
    fn literal(&mut self) -> Read<Option<Kind>> {
        let start = self.at;
        let len = self.bytes[start..]
            .iter()
            .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))
            .unwrap_or(self.bytes.len() - start);
        let word = &self.text[start..start + len];
        let kind = match word {
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            "null" => Kind::Null,
            "NaN" | "Infinity" | "-Infinity" => {
                self.repair("json/non-finite", start, word);
                Kind::Null
            }
            _ => {
                let mut scan = super::scan::Scan::new(word);
                let is_number = scan.number().is_ok() && scan.at() == len;
                let is_cut = start + len == self.bytes.len();
                if is_cut && self.may_close {
                    // `1` at the very end may be the head of `12`.
                    self.at = self.bytes.len();
                    return Ok(None);
                }
                if !is_number {
                    return self.unexpected("a value");
                }
                Kind::Number(word.to_owned())
            }
        };
        self.at = start + len;
        Ok(Some(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> (Value, Vec<&'static str>) {
        let tree = Tree::read(text, true).expect("readable");
        (tree.to_value(), tree.repairs.iter().map(|r| r.rule).collect())
    }

    #[test]
    fn agrees_with_serde_json_on_plain_json() {
        for text in [r#"{"a":[1,2.5,-3e2,true,null],"b":{"c":"\u00e9\n"}}"#, "[]", "{}"] {
            let (value, repairs) = read(text);
            assert_eq!(value, serde_json::from_str::<Value>(text).expect("plain"));
            assert!(repairs.is_empty());
        }
    }

    #[test]
    fn names_each_tolerance() {
        assert_eq!(read("[1,2,]"), (json!([1, 2]), vec!["json/trailing-comma"]));
        assert_eq!(read(r#"{"a":1,"a":2}"#), (json!({"a":2}), vec!["json/duplicate-key"]));
        assert_eq!(read(r#"{"a":NaN}"#), (json!({"a":null}), vec!["json/non-finite"]));
        assert_eq!(read("[\"a\tb\"]"), (json!(["a\tb"]), vec!["json/control-char"]));
        assert_eq!(read(r#"["\ud800x"]"#), (json!(["\u{fffd}x"]), vec!["json/lone-surrogate"]));
        assert_eq!(read(r#"{"a":[1,2,{"b":"#), (json!({"a":[1,2,{}]}), vec!["json/truncated"]));
        assert_eq!(read(r#"{"a":1,"b":"cut"#), (json!({"a":1}), vec!["json/truncated"]));
        assert_eq!(
            read(r#"{"a":[{"b":1}],"c":[{"d":1."#),
            (json!({"a":[{"b":1}],"c":[{}]}), vec!["json/truncated"])
        );
        assert_eq!(read(r#"{"a":1,"b":[tru"#), (json!({"a":1,"b":[]}), vec!["json/truncated"]));
        assert_eq!(read(r#"{"a":1,"b":"cut\u00"#), (json!({"a":1}), vec!["json/truncated"]));
    }

    #[test]
    fn points_at_what_it_cannot_read() {
        let e = Tree::read(r#"{"a":1 "b":2}"#, false).expect_err("broken");
        assert_eq!((e.rule, e.at), ("json/syntax", 7));
        assert_eq!(e.message, "expected a comma or } after the property, found `\"`");
        let e = Tree::read(&"[".repeat(600), false).expect_err("deep");
        assert_eq!(e.rule, "json/too-deep");
    }

    #[test]
    fn numbers_are_javascript_numbers() {
        assert_eq!(number("1e400"), Value::Null);
        assert_eq!(number("12345678901234567890123"), json!(1.234_567_890_123_456_8e22));
        assert_eq!(number("9007199254740993"), json!(9_007_199_254_740_993_i64));
    }
}
