//! The typed pass: what a record of a format looks like, and what of it lands in columns.
//!
//! A [`Shape`] is a table. [`scan`] walks a record's bytes along it, once, without building
//! anything; if it comes through, the record is valid by that table. [`walk`] takes a parsed
//! value along the same table with tolerance, so both ways fill the same [`Facts`].

use serde_json::Value;

use super::facts::{Facts, Slot, preset};
use super::numeric::{self, Numeric};
use super::read::strings;
use crate::model::datetime::{self, Form};
use crate::source::scan::{Odd, Scan, Text, same};

/// The members of an object.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) members: &'static [Member],
    /// Other members pass without a second look.
    pub(crate) is_open: bool,
}

/// A member that is known by name.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) is_required: bool,
    pub(crate) kind: Kind,
    pub(crate) slot: Slot,
}

/// What a value must be.
#[derive(Debug)]
pub(crate) enum Kind {
    Text,
    /// A text, or a list of its lines.
    Lines,
    /// A text of which a function decides; named for messages.
    Pattern(fn(&str) -> bool),
    Choice(&'static [&'static str]),
    /// `date-time`.
    Time,
    Integer(i64, i64),
    Number(f64, f64),
    Flag,
    Object(&'static Shape),
    List(&'static Item),
    Any,
}

/// What the items of a list are.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) slot: Slot,
}

/// Any integer.
pub(crate) const INTEGER: Kind = Kind::Integer(i64::MIN, i64::MAX);
/// Any number.
pub(crate) const NUMBER: Kind = Kind::Number(f64::NEG_INFINITY, f64::INFINITY);
/// A list of texts without a column.
pub(crate) const TEXTS: Kind = Kind::List(&Item { kind: Kind::Text, slot: Slot::None });

/// A member that must be there.
pub(crate) const fn must(name: &'static str, kind: Kind, slot: Slot) -> Member {
    Member { name, is_required: true, kind, slot }
}

/// A member that may be there.
pub(crate) const fn may(name: &'static str, kind: Kind, slot: Slot) -> Member {
    Member { name, is_required: false, kind, slot }
}

impl Shape {
    fn required(&self) -> u64 {
        self.members
            .iter()
            .enumerate()
            .fold(0, |bits, (i, m)| bits | (u64::from(m.is_required) << i))
    }

    /// Finds a member; records tend to keep one order, so the search starts at `expected`.
    #[inline]
    fn find(&self, name: Text<'_>, expected: usize) -> Option<usize> {
        if let Some(member) = self.members.get(expected)
            && same(member.name, name.raw)
        {
            return Some(expected);
        }
        if name.is_escaped {
            let name = name.decode();
            return self.members.iter().position(|m| m.name == name);
        }
        self.members.iter().position(|m| same(m.name, name.raw))
    }
}

/// Walks the bytes of one record. `Ok`: it is plain JSON, has the shape, and `facts` is filled;
/// anything else needs [`walk`].
pub(crate) fn scan(text: &str, shape: &Shape, facts: &mut Facts) -> Result<(), Odd> {
    let mut scan = Scan::new(text);
    object(&mut scan, shape, facts, 0)?;
    scan.skip_space();
    if scan.at() == text.len() { Ok(()) } else { scan.odd() }
}

fn object(scan: &mut Scan<'_>, shape: &Shape, facts: &mut Facts, depth: usize) -> Result<(), Odd> {
    let mut seen = 0_u64;
    let mut expected = 0;
    scan.members(depth, |scan, name, depth| {
        let Some(index) = shape.find(name, expected) else {
            return if shape.is_open { scan.skip_value(depth) } else { scan.odd() };
        };
        let bit = 1 << index;
        if seen & bit != 0 {
            // The last one wins, and people want to know.
            return scan.odd();
        }
        seen |= bit;
        expected = index + 1;
        let member = &shape.members[index];
        value(scan, &member.kind, member.slot, facts, depth)
    })?;
    if seen & shape.required() == shape.required() { Ok(()) } else { scan.odd() }
}

#[inline]
fn value(
    scan: &mut Scan<'_>,
    kind: &Kind,
    slot: Slot,
    facts: &mut Facts,
    depth: usize,
) -> Result<(), Odd> {
    scan.skip_space();
    match kind {
        Kind::Time => {
            if scan.peek() != Some(b'"') {
                return scan.odd();
            }
            let time = datetime::read(&scan.text()?.decode());
            let Some(time) = time.filter(|time| time.form == Form::Full) else {
                return scan.odd();
            };
            facts.time(slot, time);
        }
        Kind::Text | Kind::Lines | Kind::Choice(_) | Kind::Pattern(_) => {
            if scan.peek() != Some(b'"') {
                return scan.odd();
            }
            let text = scan.text()?;
            let fits = match kind {
                Kind::Choice(words) => words.iter().any(|w| text.is(w)),
                Kind::Pattern(is_match) => is_match(&text.decode()),
                _ => true,
            };
            if !fits {
                return scan.odd();
            }
            facts.text(slot, text);
        }
        Kind::Integer(..) | Kind::Number(..) => {
            let lexeme = scan.number()?;
            let Some(number) = small(lexeme).or_else(|| lexeme.parse().ok()) else {
                return scan.odd();
            };
            if !in_range(number, kind) {
                return scan.odd();
            }
            facts.number(slot, number, lexeme.as_bytes());
        }
        Kind::Flag => match scan.word()? {
            "null" => return scan.odd(),
            word => facts.flag(slot, word == "true"),
        },
        Kind::Object(shape) => {
            object(scan, shape, facts, depth)?;
            facts.close(slot);
        }
        Kind::List(item) => {
            let mut count = 0;
            scan.items(depth, |scan, depth| {
                count += 1;
                value(scan, &item.kind, item.slot, facts, depth)
            })?;
            facts.list(slot, count);
        }
        Kind::Any => scan.skip_value(depth)?,
    }
    Ok(())
}

/// A number of few digits without exponent. Both its digits and the power of ten are exact as
/// doubles, so one division rounds as the standard library does; others are left to it.
#[inline]
fn small(lexeme: &str) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let unsigned = lexeme.strip_prefix('-').unwrap_or(lexeme).as_bytes();
    if unsigned.len() > 16 {
        return None;
    }
    let (mut digits, mut decimals) = (0_u64, None);
    for &byte in unsigned {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                decimals = decimals.map(|n: usize| n + 1);
            }
            b'.' => decimals = Some(0),
            _ => return None,
        }
    }
    if decimals.is_none() && unsigned.len() > 15 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "at most 15 digits")]
    let size = digits as f64 / POWERS.get(decimals.unwrap_or(0))?;
    Some(if unsigned.len() < lexeme.len() { -size } else { size })
}

/// Whether a number is finite, of the kind and within its bounds.
#[expect(clippy::cast_precision_loss, reason = "bounds are small or unbounded")]
fn in_range(number: f64, kind: &Kind) -> bool {
    match kind {
        Kind::Integer(min, max) => {
            number.is_finite()
                && number.fract() == 0.0
                && (*min == i64::MIN || number >= *min as f64)
                && (*max == i64::MAX || number <= *max as f64)
        }
        Kind::Number(min, max) => number.is_finite() && (*min..=*max).contains(&number),
        _ => false,
    }
}

/// A deviation that [`walk`] met.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Note {
    /// Another type, but its meaning is plain: used.
    Coerced(String, &'static str),
    /// Another type, and no reading of it: absent.
    Unreadable(String, &'static str),
    /// A text that is a number: used.
    Number(String, Numeric),
    /// A time without a zone, or a date alone: read as UTC.
    Time(String, Form),
    /// Members that the table does not name.
    Unknown(Vec<String>),
}

/// Fills `facts` from a parsed value as far as it can be read.
pub(crate) fn walk(value: &Value, shape: &Shape, facts: &mut Facts) -> Vec<Note> {
    let mut walk = Walk { notes: Vec::new(), unknown: Vec::new() };
    if let Value::Object(_) = value {
        walk.object(value, shape, facts, "");
    }
    if !walk.unknown.is_empty() {
        walk.notes.push(Note::Unknown(walk.unknown));
    }
    walk.notes
}

struct Walk {
    notes: Vec<Note>,
    unknown: Vec<String>,
}

impl Walk {
    fn object(&mut self, value: &Value, shape: &Shape, facts: &mut Facts, path: &str) {
        let Value::Object(map) = value else { return };
        for member in shape.members {
            if let Some(value) = map.get(member.name) {
                let path = format!("{path}/{}", member.name);
                self.value(value, &member.kind, member.slot, facts, &path);
            }
        }
        if !shape.is_open {
            let names = map.keys().filter(|k| shape.members.iter().all(|m| m.name != **k));
            self.unknown.extend(names.map(|n| format!("{path}/{n}")));
        }
    }

    fn value(&mut self, value: &Value, kind: &Kind, slot: Slot, facts: &mut Facts, path: &str) {
        if value.is_null() {
            if !matches!(kind, Kind::Any) {
                self.notes.push(Note::Coerced(path.to_owned(), "null is treated as missing"));
            }
            return;
        }
        match (kind, value) {
            (
                Kind::Text | Kind::Lines | Kind::Pattern(_) | Kind::Choice(_) | Kind::Time,
                Value::String(text),
            ) => {
                if matches!(kind, Kind::Time)
                    && let Some(time) = datetime::read(text.trim())
                    && time.form != Form::Full
                {
                    self.notes.push(Note::Time(path.to_owned(), time.form));
                }
                facts.text(slot, plain(text));
            }
            (Kind::Lines, Value::Array(_)) => {
                facts.text(slot, plain(&strings(Some(value)).join("\n")));
            }
            (Kind::Text | Kind::Lines | Kind::Pattern(_), Value::Number(n)) => {
                self.notes.push(Note::Coerced(path.to_owned(), "the number is read as a string"));
                facts.text(slot, plain(&n.to_string()));
            }
            (Kind::Integer(..) | Kind::Number(..), Value::Number(n)) => {
                let number = n.as_f64().unwrap_or(f64::NAN);
                if slot == Slot::Omega && number.fract() != 0.0 {
                    self.notes.push(Note::Coerced(path.to_owned(), "the fraction is dropped"));
                    facts.number(slot, number, n.to_string().as_bytes());
                } else if matches!(kind, Kind::Integer(..)) && number.fract() != 0.0 {
                    self.notes.push(Note::Unreadable(path.to_owned(), "expected an integer"));
                } else {
                    facts.number(slot, number, n.to_string().as_bytes());
                }
            }
            (_, Value::String(word)) if slot == Slot::Omega && preset(word).is_some() => {
                self.notes.push(Note::Coerced(path.to_owned(), "the word is read as a number"));
                facts.text(slot, plain(word));
            }
            (Kind::Integer(..) | Kind::Number(..), Value::String(text)) => {
                // A count is a bare number; what may be a share, may say so.
                let is_count = matches!(kind, Kind::Integer(..));
                match numeric::read(text).filter(|n| n.value.is_finite()) {
                    Some(n) if !is_count || (n.scale.is_none() && n.value.fract() == 0.0) => {
                        self.notes.push(Note::Number(path.to_owned(), n));
                        facts.number(slot, n.value, n.value.to_string().as_bytes());
                    }
                    _ => self.notes.push(Note::Unreadable(path.to_owned(), "expected a number")),
                }
            }
            (Kind::Flag, Value::Bool(flag)) => facts.flag(slot, *flag),
            (Kind::Flag, Value::String(text)) if matches!(text.trim(), "true" | "false") => {
                self.notes.push(Note::Coerced(path.to_owned(), "the string is read as a boolean"));
                facts.flag(slot, text.trim() == "true");
            }
            (Kind::Object(shape), Value::Object(_)) => {
                self.object(value, shape, facts, path);
                facts.close(slot);
            }
            (Kind::List(item), Value::Array(items)) => {
                for (i, value) in items.iter().enumerate() {
                    self.value(value, &item.kind, item.slot, facts, &format!("{path}/{i}"));
                }
                facts.list(slot, items.len());
            }
            (Kind::List(item), Value::String(text)) if matches!(item.kind, Kind::Text) => {
                self.notes.push(Note::Coerced(
                    path.to_owned(),
                    "the string is read as an array with one item",
                ));
                facts.text(item.slot, plain(text));
                facts.list(slot, 1);
            }
            (Kind::Any, _) => {}
            (kind, _) => {
                let expected = match kind {
                    Kind::Integer(..) | Kind::Number(..) => "expected a number",
                    Kind::Flag => "expected a boolean",
                    Kind::Object(_) => "expected an object",
                    Kind::List(_) => "expected an array",
                    _ => "expected a string",
                };
                self.notes.push(Note::Unreadable(path.to_owned(), expected));
            }
        }
    }
}

fn plain(text: &str) -> Text<'_> {
    Text { raw: text, is_escaped: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_those_of_the_standard_library() {
        for lexeme in [
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
        ] {
            let expected: f64 = lexeme.parse().expect("a number");
            let found = small(lexeme).expect("few digits");
            assert_eq!(found.to_bits(), expected.to_bits(), "{lexeme}");
        }
        for lexeme in ["1e3", "1234567890123456", "12345678901234567", "1234567890.123456"] {
            assert_eq!(small(lexeme), None, "{lexeme}");
        }
        // Every two digits with up to 13 decimals.
        for digits in 0..100 {
            for zeros in 0..12 {
                let lexeme = format!("0.{}{digits}", "0".repeat(zeros));
                assert_eq!(small(&lexeme), lexeme.parse().ok(), "{lexeme}");
            }
        }
    }
}
