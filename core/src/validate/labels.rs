//! What a schema expects and what stands there instead, in a few words.

use crate::json::write;
use std::borrow::Cow;
use std::fmt::Display;

use hindscope_compiler::{JsonType, TypeKind, ValidationError, ValidationErrorKind as Kind};
use serde_json::Value;

use crate::json::pointer::escape;
use crate::model::finding::{Finding, Severity};

/// Words and names that are listed before the rest is counted.
const SHOWN: usize = 10;
/// Characters of a text that are shown.
const SHOWN_CHARS: usize = 60;

/// What is expected, or found, where a value could not be judged in full: [`sentence`] has words of
/// its own for it.
const FEWER_STEPS: &str = "a string on which the pattern takes fewer steps";
const TESTABLE: &str = "a string that the pattern can be tested on";
pub(crate) const FITTING: &str = "a value that matches the schema";
pub(crate) const DEEPER: &str = "more levels";

/// One thing that a schema forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Pointer of the value; of the object, for a member that is missing or too many.
    pub(crate) pointer: String,
    /// Keyword of the schema.
    pub(crate) keyword: Cow<'static, str>,
    /// What the schema allows, in a few words.
    pub(crate) expected: String,
    /// What stands there, shortened.
    pub(crate) found: String,
    /// The member that is missing, or too many.
    pub(crate) member: Option<String>,
}

impl Violation {
    /// One that is about no member.
    pub(crate) fn new(
        pointer: String,
        keyword: impl Into<Cow<'static, str>>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (expected, found) = (expected.into(), found.into());
        Self { pointer, keyword: keyword.into(), expected, found, member: None }
    }

    /// A member that must be there and is not.
    pub(crate) fn missing(pointer: String, keyword: &'static str, name: &str) -> Self {
        let expected = format!("a property `{}`", cut(name));
        let member = Some(name.to_owned());
        Self { member, ..Self::new(pointer, keyword, expected, "no such property") }
    }

    /// A member that must not be there and is.
    pub(crate) fn surplus(pointer: String, keyword: &str, name: &str) -> Self {
        let expected = "no properties other than those that the schema defines";
        let found = format!("a property `{}`", cut(name));
        let member = Some(name.to_owned());
        Self { member, ..Self::new(pointer, keyword.to_owned(), expected, found) }
    }

    /// What was expected and what was found, as a sentence.
    pub(crate) fn message(&self) -> String {
        match (&*self.keyword, &self.member) {
            ("required" | "dependentRequired" | "dependencies", Some(name)) => {
                format!("Property `{}` is missing.", cut(name))
            }
            (_, Some(name)) => format!("Property `{}` is not allowed.", cut(name)),
            _ => sentence(&self.expected, &self.found),
        }
    }

    /// As `strict/{keyword}`, and where it stands: a member too many stands at itself.
    pub(crate) fn into_finding(self) -> (String, Finding) {
        let message = self.message();
        let place = match &self.member {
            Some(name) if self.keyword.ends_with("Properties") => {
                format!("{}/{}", self.pointer, escape(name))
            }
            _ => self.pointer.clone(),
        };
        let finding = Finding::new(format!("strict/{}", self.keyword), Severity::Error, message)
            .contrast(self.expected, self.found)
            .pointer(self.pointer);
        (place, finding)
    }
}

/// What an error says, once for each member that it names.
pub(crate) fn describe(error: &ValidationError<'_>) -> Vec<Violation> {
    let value = error.instance();
    let pointer = || error.instance_path().as_str().to_owned();
    let found = || shown(value);
    let kind = error.kind();
    let keyword = kind.keyword();
    let at_least = |limit: &dyn Display| format!("at least {limit}");
    let at_most = |limit: &dyn Display| format!("at most {limit}");
    let (expected, found) = match kind {
        Kind::Required { property } => {
            let path = error.schema_path().as_str();
            let name = property.as_str().unwrap_or_default();
            let keyword = ["dependentRequired", "dependencies"]
                .into_iter()
                .find(|word| path.rsplit('/').take(2).any(|segment| segment == *word));
            return vec![Violation::missing(pointer(), keyword.unwrap_or("required"), name)];
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let surplus = |name: &String| Violation::surplus(pointer(), keyword, name);
            return unexpected.iter().map(surplus).collect();
        }
        Kind::PropertyNames { error } => {
            ("names that match `propertyNames`".to_owned(), shown(error.instance()))
        }
        Kind::Type { kind: TypeKind::Single(one) } => (types(&[one.as_str()]), found()),
        Kind::Type { kind: TypeKind::Multiple(many) } => {
            let names: Vec<&str> = many.iter().map(JsonType::as_str).collect();
            (types(&names), found())
        }
        Kind::Enum { options } => (one_of(options), found()),
        Kind::Constant { expected_value } => (shown(expected_value), found()),
        Kind::Pattern { pattern } => (like(pattern), found()),
        Kind::Format { format } if format == "date-time" => {
            ("a date-time with a time zone".to_owned(), found())
        }
        Kind::Format { format } => (format!("a string in the format {}", cut(format)), found()),
        Kind::Minimum { limit } => (at_least(limit), found()),
        Kind::Maximum { limit } => (at_most(limit), found()),
        Kind::ExclusiveMinimum { limit } => (format!("more than {limit}"), found()),
        Kind::ExclusiveMaximum { limit } => (format!("less than {limit}"), found()),
        Kind::MultipleOf { multiple_of } => (format!("a multiple of {multiple_of}"), found()),
        Kind::MinLength { limit } => (at_least(&so_many(limit, "characters")), length(value)),
        Kind::MaxLength { limit } => (at_most(&so_many(limit, "characters")), length(value)),
        Kind::MinItems { limit } => (at_least(&so_many(limit, "items")), found()),
        Kind::MaxItems { limit } => (at_most(&so_many(limit, "items")), found()),
        Kind::AdditionalItems { limit } => (at_most(&so_many(limit, "items")), found()),
        Kind::MinProperties { limit } => (at_least(&so_many(limit, "properties")), found()),
        Kind::MaxProperties { limit } => (at_most(&so_many(limit, "properties")), found()),
        Kind::UniqueItems => ("no repeated items".to_owned(), found()),
        Kind::UnevaluatedItems { .. } => {
            ("no items other than those that match".to_owned(), found())
        }
        Kind::Contains => ("the right number of items that match `contains`".to_owned(), found()),
        Kind::FalseSchema => {
            return vec![Violation::new(pointer(), "false-schema", "nothing", found())];
        }
        Kind::Not { .. } => ("a value that does not match `not`".to_owned(), found()),
        Kind::AnyOf { context } => {
            (format!("a value that matches at least one of {} schemas", context.len()), found())
        }
        Kind::OneOfNotValid { context } => {
            (format!("a value that matches one of {} schemas", context.len()), found())
        }
        Kind::OneOfMultipleValid { context } => (
            format!("a value that matches exactly one of {} schemas", context.len()),
            format!("{}, which matches more than one", found()),
        ),
        Kind::BacktrackLimitExceeded { .. } => (FEWER_STEPS.to_owned(), found()),
        Kind::RegexEngineFailure { .. } => (TESTABLE.to_owned(), found()),
        _ => (format!("a value that matches `{keyword}`"), found()),
    };
    vec![Violation::new(pointer(), keyword.to_owned(), expected, found)]
}

/// What was expected and what was found, as a sentence.
pub(crate) fn sentence(expected: &str, found: &str) -> String {
    match (expected, found) {
        (FEWER_STEPS, _) => {
            "The pattern takes too many steps on this string, so the string was not tested."
                .to_owned()
        }
        (TESTABLE, _) => "The pattern could not be tested on this string.".to_owned(),
        (FITTING, _) => {
            "The value does not match the schema. Listing all its errors would take too long."
                .to_owned()
        }
        (_, DEEPER) => {
            format!("The value is nested too deeply for this schema: {expected} can be checked.")
        }
        _ => format!("Expected {expected}, found {found}."),
    }
}

/// A number and what it counts, which is given in the plural.
pub(crate) fn so_many(number: &dyn Display, things: &str) -> String {
    match (number.to_string().as_str(), things) {
        ("1", "properties") => "1 property".to_owned(),
        ("1", things) => format!("1 {}", things.strip_suffix('s').unwrap_or(things)),
        (number, things) => format!("{number} {things}"),
    }
}

fn length(value: &Value) -> String {
    let count = value.as_str().map(|text| text.chars().count());
    count.map_or_else(|| shown(value), |count| so_many(&count, "characters"))
}

/// The words of an enumeration, texts without quotes.
fn one_of(options: &Value) -> String {
    let words = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let word = |value: &Value| value.as_str().map_or_else(|| shown(value), cut);
    one_of_words(words.iter().map(word))
}

/// Words of which one is expected.
pub(crate) fn one_of_words(words: impl Iterator<Item = String>) -> String {
    match words.collect::<Vec<_>>().as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        words => format!("one of {}", listed(words)),
    }
}

/// A string that a pattern has to match.
pub(crate) fn like(pattern: &str) -> String {
    format!("a string that matches {}", cut(pattern))
}

/// Types by the names of JSON Schema, in words.
pub(crate) fn types(names: &[&str]) -> String {
    let word = |name: &&str| match *name {
        "object" => "an object",
        "array" => "an array",
        "string" => "a string",
        "integer" => "an integer",
        "number" => "a number",
        "boolean" => "a boolean",
        "null" => "null",
        _ => "another type",
    };
    names.iter().map(word).collect::<Vec<_>>().join(" or ")
}

/// Names for a message: the first ten, and how many more there are.
pub(crate) fn listed(names: &[String]) -> String {
    let shown = names.iter().take(SHOWN).map(|name| cut(name)).collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{shown} and {more} more"),
        _ => shown,
    }
}

/// A text for a message: on one line, and never long.
pub(crate) fn cut(text: &str) -> String {
    let is_long = text.chars().nth(SHOWN_CHARS).is_some();
    let mut out = String::new();
    for c in text.chars().take(if is_long { SHOWN_CHARS - 3 } else { SHOWN_CHARS }) {
        match c {
            // Quotes in a sentence are no mistake.
            '\'' | '"' => out.push(c),
            c => out.extend(c.escape_debug()),
        }
    }
    if is_long {
        out.push('…');
    }
    out
}

/// A value for a message: short, and never a whole document.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Object(map) => format!("an object with {}", so_many(&map.len(), "properties")),
        Value::Array(items) => format!("an array of {}", so_many(&items.len(), "items")),
        Value::String(text) => format!("\"{}\"", cut(text).replace('"', "\\\"")),
        other => write::value(other),
    }
}
