//! Deviations from a table in words, with the pointers and keywords that a validator of its schema gives.

use crate::json::double::Shown;
use std::borrow::Cow;

use serde_json::Value;

use super::labels::{Violation, cut, like, one_of_words, shown, types};
use crate::json::pass::{Deviation, Reading, What};
use crate::json::pointer::escape;
use crate::json::scan::{Scan, Text};
use crate::json::shape::{Table, Type};
use crate::json::tree::Tree;
use crate::model::finding::Finding;

/// A finding, and the position in the list of the deviation that it is about; none: the whole record.
pub(crate) type About = (Option<usize>, Finding);

/// Whether a JSON Schema forbids it: other members are allowed.
pub(crate) fn is_violation(deviation: &Deviation) -> bool {
    deviation.what != What::Unknown
}

/// Everything that the schema of a table forbids in a text, as `strict/*`.
pub(crate) fn strict<S: Copy>(
    table: &Table<S>,
    text: &str,
    deviations: &[Deviation],
) -> Vec<About> {
    let findings = deviations.iter().enumerate().filter_map(|(at, deviation)| {
        let violation = violation(table, text, deviation)?;
        Some((Some(at), violation.into_finding().1))
    });
    findings.collect()
}

/// What the schema of a table forbids there; nothing for a member that it does not name.
pub(crate) fn violation<S: Copy>(
    table: &Table<S>,
    text: &str,
    deviation: &Deviation,
) -> Option<Violation> {
    let node = table.get(deviation.node)?;
    let (keyword, expected) = match (deviation.what, &node.is) {
        (What::Required(place), _) => {
            let name = table.member_name(deviation.node, place);
            return Some(Violation::missing(pointer_of(table, deviation), "required", name));
        }
        (What::Type(_), is) => ("type", expected_type(is)),
        (What::Enum, Type::Choice(words)) => {
            ("enum", one_of_words(words.iter().map(|word| cut(word))))
        }
        (What::Pattern, Type::Pattern((pattern, _))) => ("pattern", like(pattern)),
        (What::Format(_), _) => ("format", "a date-time with a time zone".to_owned()),
        (What::Minimum, Type::Integer(min, _) | Type::Number(min, _)) => {
            ("minimum", format!("at least {}", Shown(*min)))
        }
        (What::Maximum, Type::Integer(_, max) | Type::Number(_, max)) => {
            ("maximum", format!("at most {}", Shown(*max)))
        }
        // An unknown member: the pass notes words, patterns and bounds only of nodes that have them.
        _ => return None,
    };
    Some(Violation::new(pointer_of(table, deviation), keyword, expected, found(text, deviation)))
}

fn pointer_of<S: Copy>(table: &Table<S>, deviation: &Deviation) -> String {
    table.pointer(deviation.node, deviation.places)
}

/// The type that a node asks for, in words.
pub(crate) fn expected_type(is: &Type) -> String {
    let name = match is {
        Type::Text | Type::Lines | Type::Pattern(_) | Type::Choice(_) | Type::Time => "string",
        Type::Integer(..) => "integer",
        Type::Number(..) => "number",
        Type::Flag => "boolean",
        Type::Object { .. } => "object",
        Type::List(_) => "array",
        Type::Any => "any",
    };
    types(&[name])
}

/// What stands there, for a message.
pub(crate) fn found(text: &str, deviation: &Deviation) -> String {
    match value_at(text, deviation) {
        // A number that no double holds is no value, and still a number in the text.
        Value::Null => number_at(text, deviation).map_or_else(|| shown(&Value::Null), cut),
        value => shown(&value),
    }
}

/// The number that stands there, as it is written.
pub(crate) fn number_at<'t>(text: &'t str, deviation: &Deviation) -> Option<&'t str> {
    Scan::starting(text, deviation.at as usize).number().ok()
}

/// The value that stands there.
pub(crate) fn value_at(text: &str, deviation: &Deviation) -> Value {
    let rest = text.get(deviation.at as usize..).unwrap_or_default();
    Tree::read(rest, false).map_or(Value::Null, |tree| tree.to_value())
}

/// Pointers of the members that the table does not name.
pub(crate) fn unknown<S: Copy>(
    table: &Table<S>,
    text: &str,
    deviations: &[Deviation],
) -> Vec<String> {
    let unknown = deviations.iter().filter(|deviation| deviation.what == What::Unknown);
    let pointers = unknown.map(|deviation| {
        let name = name_at(text, deviation);
        format!("{}/{}", pointer_of(table, deviation), escape(&name))
    });
    pointers.collect()
}

/// The name of an unknown member.
fn name_at<'t>(text: &'t str, deviation: &Deviation) -> Cow<'t, str> {
    let name = Scan::starting(text, deviation.at as usize).text();
    name.map_or_else(|_| Cow::default(), Text::decode)
}

/// An unknown member: its name, and where its value is.
pub(crate) fn member_at<'t>(text: &'t str, deviation: &Deviation) -> Option<(Text<'t>, Scan<'t>)> {
    let mut scan = Scan::starting(text, deviation.at as usize);
    let name = scan.text().ok()?;
    scan.expect(b':').ok()?;
    scan.skip_space();
    Some((name, scan))
}

/// How a value of another type is read, as a sentence; nothing if it cannot be read.
pub(crate) fn read_as(reading: Reading) -> Option<&'static str> {
    Some(match reading {
        Reading::Not => return None,
        Reading::NullAsAbsent => "`null` is treated as missing.",
        Reading::NumberAsText => "The number is read as a string.",
        Reading::FractionDropped => "The fraction is dropped.",
        Reading::WordAsNumber => "The word is read as a number.",
        Reading::TextAsNumber => "The string is read as a number.",
        Reading::TextAsFlag => "The string is read as a boolean.",
        Reading::TextAsList => "The string is read as an array with one item.",
    })
}
