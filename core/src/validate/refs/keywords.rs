//! Which keywords the drafts have, and what is said of those that they do not have.

use super::{Draft, Library};
use crate::model::finding::{Finding, Severity};
use crate::text::did_you_mean;

/// Keywords that every draft has, or that never decide about a value, as `$comment`.
const ALWAYS: [&str; 43] = [
    "$comment",
    "$defs",
    "$id",
    "$ref",
    "$schema",
    "$vocabulary",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "dependencies",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "properties",
    "readOnly",
    "required",
    "title",
    "type",
    "uniqueItems",
    "writeOnly",
];

/// Other keywords, with the first and the last draft that has them.
const SOMETIMES: [(&str, Draft, Draft); 20] = [
    ("$anchor", Draft::V2019, Draft::V2020),
    ("$dynamicAnchor", Draft::V2020, Draft::V2020),
    ("$dynamicRef", Draft::V2020, Draft::V2020),
    ("$recursiveAnchor", Draft::V2019, Draft::V2019),
    ("$recursiveRef", Draft::V2019, Draft::V2019),
    ("additionalItems", Draft::Four, Draft::V2019),
    ("const", Draft::Six, Draft::V2020),
    ("contains", Draft::Six, Draft::V2020),
    ("dependentRequired", Draft::V2019, Draft::V2020),
    ("dependentSchemas", Draft::V2019, Draft::V2020),
    ("else", Draft::Seven, Draft::V2020),
    ("id", Draft::Four, Draft::Four),
    ("if", Draft::Seven, Draft::V2020),
    ("maxContains", Draft::V2019, Draft::V2020),
    ("minContains", Draft::V2019, Draft::V2020),
    ("prefixItems", Draft::V2020, Draft::V2020),
    ("propertyNames", Draft::Six, Draft::V2020),
    ("then", Draft::Seven, Draft::V2020),
    ("unevaluatedItems", Draft::V2019, Draft::V2020),
    ("unevaluatedProperties", Draft::V2019, Draft::V2020),
];

/// Whether a draft knows a keyword. Those that begin with `x-` are extensions, and count as known.
pub(super) fn is_known(draft: Draft, keyword: &str) -> bool {
    let is_of = |(name, first, last): &(&str, Draft, Draft)| {
        *name == keyword && (*first..=*last).contains(&draft)
    };
    ALWAYS.contains(&keyword) || SOMETIMES.iter().any(is_of) || keyword.starts_with("x-")
}

/// A sentence that helps with a keyword that the draft does not have, with a blank before it.
fn hint(draft: Draft, keyword: &str) -> String {
    if let Some((_, first, last)) = SOMETIMES.iter().find(|(name, ..)| *name == keyword) {
        let drafts = match (first.as_str(), last.as_str()) {
            (first, last) if first == last => format!("draft {first}"),
            (first, last) => format!("drafts {first} to {last}"),
        };
        return format!(
            " The schema follows draft {}, the keyword belongs to {drafts}.",
            draft.as_str()
        );
    }
    let others = SOMETIMES.iter().map(|(name, ..)| *name).filter(|name| is_known(draft, name));
    let known: Vec<_> = ALWAYS.into_iter().chain(others).collect();
    did_you_mean(keyword, &known)
}

impl Library<'_> {
    /// Keywords that the draft of their schema does not have (`schema/keyword`).
    pub(crate) fn unknown_keywords(&self) -> Vec<Finding> {
        let unknown = self.unknown.iter();
        unknown
            .map(|((draft, keyword), place)| {
                let hint = hint(*draft, keyword);
                let message =
                    format!("Unknown keyword `{keyword}` at {place}: it is not checked.{hint}");
                Finding::new("schema/keyword", Severity::Warning, message).pointer(place.clone())
            })
            .collect()
    }

    /// Formats that are not checked (`schema/format`).
    pub(crate) fn unknown_formats(&self, is_known: impl Fn(Draft, &str) -> bool) -> Vec<Finding> {
        let unknown = self.formats.iter().filter(|((draft, name), _)| !is_known(*draft, name));
        unknown
            .map(|((_, name), place)| {
                let message = format!("Unknown format {name:?} at {place}: it is not checked.");
                Finding::new("schema/format", Severity::Warning, message).pointer(place.clone())
            })
            .collect()
    }
}
