//! YAML documents, within budgets.
//!
//! `granit-parser` reads YAML; here its events become the values of the 1.2 core schema, in which
//! `no`, `on` and dates stay texts. Aliases are copies, so what they copy is counted.

use std::borrow::Cow;
use std::collections::BTreeMap;

use granit_parser::{Event, Marker, Parser, ScalarStyle, Span, StrInput, Tag};
use serde_json::{Map, Number, Value};

/// Why a document gives no value.
#[derive(Clone, Debug)]
pub(crate) struct BadYaml {
    pub(crate) rule: &'static str,
    pub(crate) message: String,
    /// Line and column inside the document, from 1.
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Nodes of one document; 32 MiB of text can hold that many.
const MAX_NODES: usize = 20_000_000;
/// Nodes that all aliases together may copy, and the bytes of their texts.
const MAX_COPIED_NODES: usize = 1_000_000;
const MAX_COPIED_LEN: usize = 64 << 20;
/// Collections in each other.
const MAX_DEPTH: usize = 64;

const TOO_MUCH: &str = "yaml/alias-limit";
const SYNTAX: &str = "yaml/syntax";
const NO_NAME: &str = "the name of a member must be a text";

/// Reads one document.
pub(crate) fn read(text: &str) -> Result<Value, BadYaml> {
    let mut options = granit_parser::options! { block_nesting_limit: 2 * MAX_DEPTH };
    options.set_emit_comments(false);
    let mut composer = Composer {
        parser: Parser::new_from_str_with_options(text, options),
        anchors: BTreeMap::new(),
        nodes: 0,
        copied: Size::default(),
    };
    composer.document()
}

/// Offset in the document of where reading stopped.
pub(crate) fn offset(text: &str, bad: &BadYaml) -> usize {
    let line_at: usize = text.split_inclusive('\n').take(bad.line as usize - 1).map(str::len).sum();
    let line = text.get(line_at..).unwrap_or_default();
    line_at + line.chars().take(bad.column as usize - 1).map(char::len_utf8).sum::<usize>()
}

/// What a value takes.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    nodes: usize,
    len: usize,
}

impl Size {
    fn of(value: &Value) -> Self {
        let mut size = Self { nodes: 1, len: 0 };
        match value {
            Value::String(text) => size.len = text.len(),
            Value::Array(items) => items.iter().for_each(|item| size.add(Self::of(item))),
            Value::Object(members) => {
                for (name, value) in members {
                    size.add(Self { nodes: 1, len: name.len() });
                    size.add(Self::of(value));
                }
            }
            _ => {}
        }
        size
    }

    fn add(&mut self, other: Self) {
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.len = self.len.saturating_add(other.len);
    }
}

struct Composer<'a> {
    parser: Parser<'a, StrInput<'a>>,
    anchors: BTreeMap<usize, (Value, Size)>,
    nodes: usize,
    copied: Size,
}

impl<'a> Composer<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), BadYaml> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(bad(SYNTAX, error.marker(), error.info())),
            None => Ok((Event::StreamEnd, Span::empty(Marker::new(0, 1, 0)))),
        }
    }

    fn document(&mut self) -> Result<Value, BadYaml> {
        let mut value = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(value.unwrap_or_default()),
                Event::DocumentStart(..) if value.is_some() => {
                    return Err(bad(SYNTAX, &span.start, "a second document begins here"));
                }
                Event::StreamStart | Event::DocumentEnd | Event::DocumentStart(..) => {}
                event => value = Some(self.node(event, span, 0)?),
            }
        }
    }

    /// The value that begins with an event.
    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Value, BadYaml> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(bad(TOO_MUCH, &span.start, "it has too many values"));
        }
        let is_collection = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
        if is_collection && depth >= MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} collections stand in each other");
            return Err(bad(TOO_MUCH, &span.start, message));
        }
        let (anchor, value) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                (anchor, scalar(text, style, tag.as_deref(), &span.start)?)
            }
            Event::SequenceStart(_, anchor, tag) => {
                accept(tag.as_deref(), "seq", &span.start)?;
                (anchor, self.list(depth)?)
            }
            Event::MappingStart(_, anchor, tag) => {
                accept(tag.as_deref(), "map", &span.start)?;
                (anchor, self.object(depth)?)
            }
            Event::Alias(anchor) => (0, self.copy(anchor, &span.start)?),
            _ => return Err(bad(SYNTAX, &span.start, "a value is expected here")),
        };
        if anchor != 0 {
            self.keep(anchor, &value, &span.start)?;
        }
        Ok(value)
    }

    /// Keeps a copy for aliases; it counts, too.
    fn keep(&mut self, anchor: usize, value: &Value, at: &Marker) -> Result<(), BadYaml> {
        let size = Size::of(value);
        self.count(size, at)?;
        self.anchors.insert(anchor, (value.clone(), size));
        Ok(())
    }

    fn copy(&mut self, anchor: usize, at: &Marker) -> Result<Value, BadYaml> {
        let Some(&(_, size)) = self.anchors.get(&anchor) else {
            return Err(bad(SYNTAX, at, "an alias stands inside the value that it repeats"));
        };
        self.count(size, at)?;
        Ok(self.anchors.get(&anchor).map(|(value, _)| value.clone()).unwrap_or_default())
    }

    /// Counts a copy before it is made.
    fn count(&mut self, size: Size, at: &Marker) -> Result<(), BadYaml> {
        self.copied.add(size);
        if self.copied.nodes > MAX_COPIED_NODES || self.copied.len > MAX_COPIED_LEN {
            return Err(bad(TOO_MUCH, at, "its aliases repeat too much"));
        }
        Ok(())
    }

    fn list(&mut self, depth: usize) -> Result<Value, BadYaml> {
        let mut items = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                return Ok(Value::Array(items));
            }
            items.push(self.node(event, span, depth + 1)?);
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, BadYaml> {
        let mut members = Map::new();
        let mut merged = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                break;
            }
            let is_merge = is_merge(&event);
            let name = match event {
                Event::Scalar(text, style, anchor, tag) => {
                    self.nodes += 1;
                    let tag = tag.as_deref().and_then(Tag::core_suffix);
                    let is_text = match tag {
                        Some(tag) => tag == "str",
                        None => style != ScalarStyle::Plain || !is_null(&text),
                    };
                    if !is_text {
                        return Err(bad(SYNTAX, &span.start, NO_NAME));
                    }
                    let text = text.into_owned();
                    if anchor != 0 {
                        self.keep(anchor, &Value::String(text.clone()), &span.start)?;
                    }
                    text
                }
                Event::Alias(anchor) => match self.copy(anchor, &span.start)? {
                    Value::String(text) => text,
                    value @ (Value::Bool(_) | Value::Number(_)) => value.to_string(),
                    _ => return Err(bad(SYNTAX, &span.start, NO_NAME)),
                },
                _ => return Err(bad(SYNTAX, &span.start, NO_NAME)),
            };
            let (event, span) = self.next()?;
            let value = self.node(event, span, depth + 1)?;
            if is_merge {
                merge(value, &mut merged, &span.start)?;
            } else {
                // The last of a name counts.
                members.insert(name, value);
            }
        }
        for (name, value) in merged {
            // What is written counts more than what is merged, and the first merged most.
            members.entry(name).or_insert(value);
        }
        Ok(Value::Object(members))
    }
}

fn bad(rule: &'static str, at: &Marker, message: impl Into<String>) -> BadYaml {
    let part = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).max(1);
    let message = message.into().lines().next().unwrap_or_default().to_owned();
    BadYaml { rule, message, line: part(at.line()), column: part(at.col().saturating_add(1)) }
}

/// Collections take their own tag, and those that say nothing to us.
fn accept(tag: Option<&Tag>, own: &str, at: &Marker) -> Result<(), BadYaml> {
    match tag.and_then(Tag::core_suffix) {
        Some(tag) if tag != own => {
            Err(bad(SYNTAX, at, format!("the tag !!{tag} stands before another kind of value")))
        }
        _ => Ok(()),
    }
}

fn is_merge(event: &Event<'_>) -> bool {
    matches!(event, Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<")
}

/// The members that a merge key brings.
fn merge(value: Value, into: &mut Vec<(String, Value)>, at: &Marker) -> Result<(), BadYaml> {
    match value {
        Value::Object(members) => into.extend(members),
        Value::Array(items) => {
            for item in items {
                let Value::Object(members) = item else {
                    return Err(bad(SYNTAX, at, "only objects can be merged"));
                };
                into.extend(members);
            }
        }
        Value::Null => {}
        _ => return Err(bad(SYNTAX, at, "only objects can be merged")),
    }
    Ok(())
}

/// A scalar by its tag; without one by the core schema if it is plain, and else a text.
fn scalar(
    text: Cow<'_, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
    at: &Marker,
) -> Result<Value, BadYaml> {
    let wrong = |kind| Err(bad(SYNTAX, at, format!("this is no !!{kind}")));
    match tag.and_then(Tag::core_suffix) {
        Some("null") => return Ok(Value::Null),
        Some("bool") => return flag(&text).map_or_else(|| wrong("bool"), Ok),
        Some("int") => return integer(&text).map_or_else(|| wrong("int"), Ok),
        Some("float") => match float(&text) {
            Some(value) => return finite(value, at),
            None => return wrong("float"),
        },
        Some("str") => return Ok(Value::String(text.into_owned())),
        Some(tag @ ("seq" | "map")) => return wrong(tag),
        _ => {}
    }
    // `!` asks for a text; other tags say nothing to us.
    let is_text = tag.and_then(|tag| tag.suffix_in_namespace("!")).is_some_and(|t| t.is_empty());
    if style != ScalarStyle::Plain || is_text {
        return Ok(Value::String(text.into_owned()));
    }
    if is_null(&text) {
        return Ok(Value::Null);
    }
    if let Some(value) = flag(&text).or_else(|| integer(&text)) {
        return Ok(value);
    }
    match float(&text) {
        Some(value) => finite(value, at),
        None => Ok(Value::String(text.into_owned())),
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn flag(text: &str) -> Option<Value> {
    match text {
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        _ => None,
    }
}

/// An integer of 64 bits: decimal without leading zeros, `0x`, `0o` or `0b`, `_` between digits.
fn integer(text: &str) -> Option<Value> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let radixes = [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)];
    let prefixed =
        radixes.iter().find_map(|(prefix, radix)| Some((*radix, digits.strip_prefix(prefix)?)));
    let (radix, digits) = prefixed.unwrap_or((10, digits));
    let is_plain = !digits.starts_with('_') && !digits.ends_with('_') && !digits.contains("__");
    let has_zeros = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    // `from_str_radix` would take a second sign.
    if !is_plain || has_zeros || !digits.starts_with(|c: char| c.is_digit(radix)) {
        return None;
    }
    let size = u64::from_str_radix(&digits.replace('_', ""), radix).ok()?;
    if is_negative {
        Some(Value::from(i64::try_from(-i128::from(size)).ok()?))
    } else {
        Some(Value::from(size))
    }
}

/// A float of the core schema, or what is too big for one.
fn float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned {
        ".nan" | ".NaN" | ".NAN" => Some(f64::NAN),
        ".inf" | ".Inf" | ".INF" => Some(f64::INFINITY),
        // Rust would also read `inf` and `nan`, which are words.
        _ if unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') => text.parse().ok(),
        _ => None,
    }
}

fn finite(value: f64, at: &Marker) -> Result<Value, BadYaml> {
    match Number::from_f64(value) {
        Some(number) => Ok(Value::Number(number)),
        None => Err(bad(SYNTAX, at, "JSON has no such number")),
    }
}

#[cfg(test)]
mod tests;
