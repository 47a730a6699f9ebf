//! What a schema expects and what stands there instead, in a few words.

use std::borrow::Cow;

use hindscope_compiler::{JsonType, TypeKind, ValidationError, ValidationErrorKind as Kind};
use serde_json::Value;

/// Words and names that are listed before the rest is counted.
const SHOWN: usize = 10;
/// Characters of a text that are shown.
const SHOWN_CHARS: usize = 60;

/// Keyword, what is expected, what was found, and the member that it is about.
pub(crate) struct Described {
    pub(crate) keyword: Cow<'static, str>,
    pub(crate) expected: String,
    pub(crate) found: String,
    pub(crate) member: Option<String>,
}

impl Described {
    fn new(keyword: &str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        let keyword = keyword.to_owned().into();
        Self { keyword, expected: expected.into(), found: found.into(), member: None }
    }

    pub(crate) fn missing(keyword: &str, name: &str) -> Self {
        let member = Some(name.to_owned());
        let described =
            Self::new(keyword, format!("a property `{}`", cut(name)), "no such property");
        Self { member, ..described }
    }

    pub(crate) fn surplus(keyword: &str, name: &str) -> Self {
        let member = Some(name.to_owned());
        let found = format!("a property `{}`", cut(name));
        Self {
            member,
            ..Self::new(keyword, "no properties other than those that the schema defines", found)
        }
    }
}

/// What an error says, once for each member that it names.
pub(crate) fn describe(error: &ValidationError<'_>) -> Vec<Described> {
    let value = error.instance();
    let found = || shown(value);
    let kind = error.kind();
    let keyword = kind.keyword();
    let at_least = |limit: &dyn std::fmt::Display, what: &str| format!("at least {limit}{what}");
    let at_most = |limit: &dyn std::fmt::Display, what: &str| format!("at most {limit}{what}");
    let (expected, found) = match kind {
        Kind::Required { property } => {
            let path = error.schema_path().as_str();
            let name = property.as_str().unwrap_or_default();
            let keyword = ["dependentRequired", "dependencies"]
                .into_iter()
                .find(|word| path.rsplit('/').take(2).any(|segment| segment == *word));
            return vec![Described::missing(keyword.unwrap_or("required"), name)];
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            return unexpected.iter().map(|name| Described::surplus(keyword, name)).collect();
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
        Kind::Minimum { limit } => (at_least(limit, ""), found()),
        Kind::Maximum { limit } => (at_most(limit, ""), found()),
        Kind::ExclusiveMinimum { limit } => (format!("more than {limit}"), found()),
        Kind::ExclusiveMaximum { limit } => (format!("less than {limit}"), found()),
        Kind::MultipleOf { multiple_of } => (format!("a multiple of {multiple_of}"), found()),
        Kind::MinLength { limit } => (at_least(limit, " characters"), length(value)),
        Kind::MaxLength { limit } => (at_most(limit, " characters"), length(value)),
        Kind::MinItems { limit } => (at_least(limit, " items"), found()),
        Kind::MaxItems { limit } => (at_most(limit, " items"), found()),
        Kind::AdditionalItems { limit } => (at_most(limit, " items"), found()),
        Kind::MinProperties { limit } => (at_least(limit, " properties"), found()),
        Kind::MaxProperties { limit } => (at_most(limit, " properties"), found()),
        Kind::UniqueItems => ("no repeated items".to_owned(), found()),
        Kind::UnevaluatedItems { .. } => {
            ("no items other than those that match".to_owned(), found())
        }
        Kind::Contains => ("the right number of items that match `contains`".to_owned(), found()),
        Kind::FalseSchema => return vec![Described::new("false-schema", "nothing", found())],
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
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            ("a string that the pattern can be tested on".to_owned(), found())
        }
        _ => (format!("a value that matches `{keyword}`"), found()),
    };
    vec![Described::new(keyword, expected, found)]
}

fn length(value: &Value) -> String {
    match value.as_str().map(|text| text.chars().count()) {
        Some(1) => "1 character".to_owned(),
        Some(count) => format!("{count} characters"),
        None => shown(value),
    }
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
        Value::Object(map) if map.len() == 1 => "an object with 1 property".to_owned(),
        Value::Object(map) => format!("an object with {} properties", map.len()),
        Value::Array(items) if items.len() == 1 => "an array of 1 item".to_owned(),
        Value::Array(items) => format!("an array of {} items", items.len()),
        Value::String(text) => format!("\"{}\"", cut(text).replace('"', "\\\"")),
        other => other.to_string(),
    }
}
