//! YAML documents, within budgets.
//!
//! `granit-parser` reads YAML; here its events become the values of the 1.2 core schema, in which
//! `no`, `on` and dates stay texts. Aliases are copies, so what they copy is counted.

use crate::model::reward;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use granit_parser::{Event, Marker, Parser, ScalarStyle, Span, StrInput, Tag};
use serde_json::{Map, Number, Value};

mod lists;
mod scalars;

pub(crate) use lists::next_item;
use lists::{Items, OpenList};
use scalars::{flag, float, integer, is_null};

/// Why a document gives no value.
#[derive(Clone, Debug)]
pub(crate) struct BadYaml {
    pub(crate) rule: &'static str,
    pub(crate) message: String,
    /// Line and column inside the document, from 1.
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// For an error inside a list: where the line of the last item that was met begins. This item or
    /// the next one cannot be read.
    pub(crate) item: Option<usize>,
}

impl BadYaml {
    /// What is wrong, with its place: the line is counted from `above` lines further up.
    pub(crate) fn placed(&self, above: usize) -> String {
        let line = self.line as usize + above;
        format!("(line {line}, column {}): {}.", self.column, self.message)
    }

    /// What it means, as a part of a sentence.
    pub(crate) fn problem(&self) -> &'static str {
        if self.rule == TOO_MUCH { "is above a limit for YAML" } else { "is not valid YAML" }
    }
}

/// A tolerance, and where it was needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    /// `yaml/tag`, `yaml/duplicate-key` or `json/non-finite`.
    pub(crate) rule: &'static str,
    /// Offset in the document.
    pub(crate) at: usize,
    /// The tag, the name, or the literal.
    pub(crate) what: String,
}

/// A document that was read with tolerance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    pub(crate) value: Value,
    pub(crate) repairs: Vec<Repair>,
    /// Where the items of lists stand: of the document itself (the name is empty), and of those in
    /// its members. Each stretch is a document of its own, unless it needs something from outside.
    pub(crate) items: BTreeMap<String, Vec<Range<usize>>>,
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
const NO_NAME: &str = "expected a string as key, found another type";

/// Reads one document with tolerance: what is not supported is ignored and reported.
pub(crate) fn compose(text: &str) -> Result<Document, BadYaml> {
    let mut composer = Composer::new(text);
    let value = composer.document().map_err(|bad| {
        let item = composer.items.open.first().and_then(|list| list.broken(text));
        BadYaml { item, ..bad }
    })?;
    Ok(Document { value, repairs: composer.repairs, items: composer.items.done })
}

/// Reads what configures something: a key that is given twice is refused, for one of its values would be ignored.
pub(crate) fn configuration(text: &str) -> Result<Value, BadYaml> {
    Composer { is_strict: true, ..Composer::new(text) }.document()
}

/// Offset in the document of where reading stopped.
pub(crate) fn offset(text: &str, bad: &BadYaml) -> usize {
    let mut line_at = 0;
    for _ in 1..bad.line {
        // LF, CRLF and a lone CR each end a line.
        let rest = text.as_bytes().get(line_at..).unwrap_or_default();
        let Some(len) = memchr::memchr2(b'\n', b'\r', rest) else { break };
        let is_pair = rest.get(len..len + 2) == Some(b"\r\n");
        line_at += len + 1 + usize::from(is_pair);
    }
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

/// The events of a text.
fn parser(text: &str) -> Parser<'_, StrInput<'_>> {
    let mut options = granit_parser::options! { block_nesting_limit: 2 * MAX_DEPTH };
    options.set_emit_comments(false);
    Parser::new_from_str_with_options(text, options)
}

struct Composer<'a> {
    text: &'a str,
    /// Whether a key that is given twice is an error.
    is_strict: bool,
    parser: Parser<'a, StrInput<'a>>,
    repairs: Vec<Repair>,
    items: Items,
    /// Where the last event ended.
    end: usize,
    anchors: BTreeMap<usize, (Value, Size)>,
    nodes: usize,
    copied: Size,
}

impl<'a> Composer<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            is_strict: false,
            parser: parser(text),
            repairs: Vec::new(),
            items: Items::default(),
            end: 0,
            anchors: BTreeMap::new(),
            nodes: 0,
            copied: Size::default(),
        }
    }

    fn repair(&mut self, rule: &'static str, at: &Marker, what: impl Into<String>) {
        let at = at.byte_offset().unwrap_or(0);
        self.repairs.push(Repair { rule, at, what: what.into() });
    }

    /// Notes a tag that says nothing to us.
    fn tag(&mut self, tag: Option<&Tag>, span: &Span) {
        let is_ours = |tag: &Tag| tag.core_suffix().is_some() || asks_for_text(tag);
        if let Some(tag) = tag.filter(|tag| !is_ours(tag)) {
            let at = span.tag_start().unwrap_or(span.start);
            self.repair("yaml/tag", &at, tag.to_string());
        }
    }

    fn next(&mut self) -> Result<(Event<'a>, Span), BadYaml> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                self.end = span.end.byte_offset().unwrap_or(0);
                Ok((event, span))
            }
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
                    return Err(bad(
                        SYNTAX,
                        &span.start,
                        "a second document starts here, but only one is allowed",
                    ));
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
            let millions = MAX_NODES / 1_000_000;
            let message = format!("there are more than {millions} million keys and values");
            return Err(bad(TOO_MUCH, &span.start, message));
        }
        let is_collection = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
        if is_collection && depth >= MAX_DEPTH {
            let message = format!("there are more than {MAX_DEPTH} nested levels");
            return Err(bad(TOO_MUCH, &span.start, message));
        }
        let (anchor, value) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.tag(tag.as_deref(), &span);
                (anchor, self.scalar(text, style, tag.as_deref(), &span))
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.accept(tag.as_deref(), "seq", &span);
                (anchor, self.list(depth, &span)?)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.accept(tag.as_deref(), "map", &span);
                (anchor, self.object(depth)?)
            }
            Event::Alias(anchor) => (0, self.copy(anchor, &span.start)?),
            _ => return Err(bad(SYNTAX, &span.start, "expected a value")),
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
            let message =
                "an alias refers to the value that contains it, and would be copied without end";
            return Err(bad(TOO_MUCH, at, message));
        };
        self.count(size, at)?;
        Ok(self.anchors.get(&anchor).map(|(value, _)| value.clone()).unwrap_or_default())
    }

    /// Counts a copy before it is made.
    fn count(&mut self, size: Size, at: &Marker) -> Result<(), BadYaml> {
        self.copied.add(size);
        if self.copied.nodes > MAX_COPIED_NODES || self.copied.len > MAX_COPIED_LEN {
            let (millions, len) = (MAX_COPIED_NODES / 1_000_000, MAX_COPIED_LEN >> 20);
            let message = format!(
                "anchors and aliases copy more than {millions} million keys and values, or {len} MiB of text"
            );
            return Err(bad(TOO_MUCH, at, message));
        }
        Ok(())
    }

    fn list(&mut self, depth: usize, start: &Span) -> Result<Value, BadYaml> {
        // Lists of the document itself, and of its members: their items may be records.
        let is_open = depth < 2;
        let offset = |marker: &Marker| marker.byte_offset().unwrap_or(0);
        if is_open {
            let start = start.start;
            let is_flow = self.text.as_bytes().get(offset(&start)) == Some(&b'[');
            self.items.open.push(OpenList {
                start: offset(&start),
                column: start.col(),
                is_flow,
                items: Vec::new(),
            });
        }
        let mut items = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                if is_open && let Some(list) = self.items.open.pop() {
                    let stretches = list.stretches(self.text, offset(&span.start));
                    self.items.done.insert(String::new(), stretches.unwrap_or_default());
                }
                return Ok(Value::Array(items));
            }
            if is_open && let Some(list) = self.items.open.last_mut() {
                list.items.push(offset(&span.start)..offset(&span.end));
            }
            items.push(self.node(event, span, depth + 1)?);
            if is_open
                && let Some(list) = self.items.open.last_mut()
                && list.is_flow
                && let Some(item) = list.items.last_mut()
            {
                item.end = item.end.max(self.end);
            }
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
                    self.tag(tag.as_deref(), &span);
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
            let name_at = span.start;
            if self.is_strict && !is_merge && members.contains_key(&name) {
                return Err(bad(SYNTAX, &name_at, format!("the key {name:?} is given twice")));
            }
            let (event, span) = self.next()?;
            let value = self.node(event, span, depth + 1)?;
            if is_merge {
                merge(value, &mut merged, &span.start)?;
                continue;
            }
            if depth == 0
                && let Some(items) = self.items.done.remove("")
                && value.is_array()
            {
                self.items.done.insert(name.clone(), items);
            }
            if members.contains_key(&name) {
                self.repair("yaml/duplicate-key", &name_at, name.as_str());
            }
            // The last of a name counts.
            members.insert(name, value);
        }
        for (name, value) in merged {
            // What is written counts more than what is merged, and the first merged most.
            members.entry(name).or_insert(value);
        }
        Ok(Value::Object(members))
    }
}

fn bad(rule: &'static str, at: &Marker, message: impl Into<String>) -> BadYaml {
    let part = |n: usize| reward::count(n).max(1);
    let message = message.into().lines().next().unwrap_or_default().to_owned();
    BadYaml {
        rule,
        message,
        line: part(at.line()),
        column: part(at.col().saturating_add(1)),
        item: None,
    }
}

/// Whether a tag is `!`; other tags that are not of the core say nothing to us.
fn asks_for_text(tag: &Tag) -> bool {
    tag.suffix_in_namespace("!").is_some_and(|suffix| suffix.is_empty())
}

fn is_merge(event: &Event<'_>) -> bool {
    matches!(event, Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<")
}

/// The members that a merge key brings.
fn merge(value: Value, into: &mut Vec<(String, Value)>, at: &Marker) -> Result<(), BadYaml> {
    let items = match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items,
        item => vec![item],
    };
    for item in items {
        let Value::Object(members) = item else {
            return Err(bad(SYNTAX, at, "expected a mapping, or a list of mappings, after `<<`"));
        };
        into.extend(members);
    }
    Ok(())
}

impl Composer<'_> {
    /// Collections take their own tag, and those that say nothing to us.
    fn accept(&mut self, tag: Option<&Tag>, own: &str, span: &Span) {
        self.tag(tag, span);
        if let Some(tag) = tag.and_then(Tag::core_suffix).filter(|tag| *tag != own) {
            self.repair("yaml/tag", &span.start, format!("!!{tag}"));
        }
    }

    /// A scalar by its tag; without one by the core schema if it is plain, and else a text.
    fn scalar(
        &mut self,
        text: Cow<'_, str>,
        style: ScalarStyle,
        tag: Option<&Tag>,
        span: &Span,
    ) -> Value {
        let Some(kind) = tag.and_then(Tag::core_suffix) else {
            return self.untagged(text, style, tag, span);
        };
        let value = match kind {
            "null" => Some(Value::Null),
            "bool" => flag(&text),
            "int" => integer(&text),
            "float" => float(&text).map(|value| self.finite(value, &text, span)),
            "str" => return Value::String(text.into_owned()),
            _ => None,
        };
        value.unwrap_or_else(|| {
            self.repair("yaml/tag", &span.start, format!("!!{kind}"));
            self.untagged(text, style, None, span)
        })
    }

    fn untagged(
        &mut self,
        text: Cow<'_, str>,
        style: ScalarStyle,
        tag: Option<&Tag>,
        span: &Span,
    ) -> Value {
        if style != ScalarStyle::Plain || tag.is_some_and(asks_for_text) {
            return Value::String(text.into_owned());
        }
        if is_null(&text) {
            return Value::Null;
        }
        if let Some(value) = flag(&text).or_else(|| integer(&text)) {
            return value;
        }
        match float(&text) {
            Some(value) => self.finite(value, &text, span),
            None => Value::String(text.into_owned()),
        }
    }

    /// A number that JSON has, or nothing in its place.
    fn finite(&mut self, value: f64, text: &str, span: &Span) -> Value {
        let number = Number::from_f64(value);
        if number.is_none() {
            self.repair("json/non-finite", &span.start, text);
        }
        number.map_or(Value::Null, Value::Number)
    }
}

#[cfg(test)]
mod tests;
