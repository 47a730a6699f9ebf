//! What a schema forbids in an output, as an error item.

use hindscope_compiler::{JsonType, TypeKind, ValidationError, ValidationErrorKind as Kind};
use serde_json::{Value, json};

use crate::json::pointer::unescape;
use crate::validate::labels::{FITTING, describe, sentence};

/// Values of an enumeration that an error lists; how many there are stands beside them.
const ALLOWED_SHOWN: usize = 50;

/// An error of the compiler as an item: message, code, where in the output, which keyword where in
/// the schema, and the keyword's parameters.
pub(super) fn item(error: &ValidationError<'_>) -> Value {
    // What is forbidden in names is reported at the object, by the keyword that a name fails.
    let (error, at) = match error.kind() {
        Kind::PropertyNames { error: inner } => (&**inner, error.instance_path().as_str()),
        _ => (error, error.instance_path().as_str()),
    };
    let schema_path: Vec<String> = segments(error.schema_path().as_str()).collect();
    made(&message(error), code(error), at, &schema_path, &params(error))
}

/// The item of an output that does not fit a schema whose errors are too many to list.
pub(super) fn unlisted() -> Value {
    made(&sentence(FITTING, ""), "errors_limit", "", &[], &json!({}))
}

fn made(message: &str, code: &str, at: &str, schema_path: &[String], params: &Value) -> Value {
    let path: Vec<String> = segments(at).collect();
    let keyword = schema_path.last().map(String::as_str).unwrap_or_default();
    json!({
        "message": message,
        "code": code,
        "path": path.join("."),
        "pointer": at,
        "keyword": keyword,
        "schema_path": schema_path,
        "params": params,
    })
}

/// The code of an error. A match that was stopped at its limit of steps has a code of its own, because
/// it says nothing of the value.
fn code(error: &ValidationError<'_>) -> &'static str {
    match error.kind() {
        Kind::BacktrackLimitExceeded { .. } => "pattern_limit",
        _ => "schema",
    }
}

fn segments(pointer: &str) -> impl Iterator<Item = String> {
    pointer.split('/').skip(1).map(|part| unescape(part).into_owned())
}

/// One sentence. It names up to 10 of the members that are missing or not allowed.
fn message(error: &ValidationError<'_>) -> String {
    let descriptions = describe(error);
    let names: Vec<&str> = descriptions.iter().filter_map(|one| one.member.as_deref()).collect();
    let listed = || {
        let shown: Vec<String> = names
            .iter()
            .take(10)
            .map(|name| format!("`{}`", crate::validate::labels::cut(name)))
            .collect();
        let more = if names.len() > 10 { ", ..." } else { "" };
        format!("{}{more}", shown.join(", "))
    };
    match (error.kind(), descriptions.first()) {
        (Kind::Required { .. }, _) => format!("The property {} is missing.", listed()),
        (_, Some(_)) if !names.is_empty() => {
            format!("Properties that are not allowed: {}.", listed())
        }
        (_, Some(one)) => sentence(&one.expected, &one.found),
        (_, None) => "The value does not match the schema.".to_owned(),
    }
}

/// What the keyword asks for, by names that do not change.
fn params(error: &ValidationError<'_>) -> Value {
    match error.kind() {
        Kind::Required { property } => json!({"missing": property}),
        Kind::AdditionalProperties { unexpected }
        | Kind::UnevaluatedProperties { unexpected }
        | Kind::UnevaluatedItems { unexpected } => json!({"unexpected": unexpected}),
        Kind::Type { kind: TypeKind::Single(one) } => json!({"type": one.as_str()}),
        Kind::Type { kind: TypeKind::Multiple(many) } => {
            json!({"type": many.iter().map(JsonType::as_str).collect::<Vec<_>>()})
        }
        Kind::Enum { options } => match options.as_array() {
            Some(all) if all.len() > ALLOWED_SHOWN => {
                json!({"allowed": all.get(..ALLOWED_SHOWN), "count": all.len()})
            }
            _ => json!({"allowed": &**options}),
        },
        Kind::Constant { expected_value } => json!({"allowed": &**expected_value}),
        Kind::Format { format } => json!({"format": format}),
        Kind::Pattern { pattern } => json!({"pattern": pattern}),
        Kind::Minimum { limit }
        | Kind::Maximum { limit }
        | Kind::ExclusiveMinimum { limit }
        | Kind::ExclusiveMaximum { limit } => json!({"limit": limit}),
        Kind::MinLength { limit }
        | Kind::MaxLength { limit }
        | Kind::MinItems { limit }
        | Kind::MaxItems { limit }
        | Kind::MinProperties { limit }
        | Kind::MaxProperties { limit } => json!({"limit": limit}),
        Kind::AdditionalItems { limit } => json!({"limit": limit}),
        Kind::MultipleOf { multiple_of } => json!({"multiple_of": multiple_of}),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            json!({"branches": context.len()})
        }
        _ => json!({}),
    }
}
