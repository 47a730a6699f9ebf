//! The verdict of JSON Schema draft 2020-12 with formats asserted, and the complete list.
//!
//! Only records that the typed pass could not call valid come here.

use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

use super::datetime;

/// The schema of reflection-memory records, compiled when the core is built.
#[jsonschema::validator(
    path = "schemas/reflection-memory.json",
    draft = Draft202012,
    validate_formats = true,
    formats = { "date-time" => crate::validate::datetime::is_date_time }
)]
struct ReflectionMemory;

/// One thing that the schema forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Pointer of the value; of the object, for a member that is missing.
    pub(crate) pointer: String,
    /// Keyword of the schema.
    pub(crate) keyword: &'static str,
    /// What was expected and what was found.
    pub(crate) message: String,
    /// The member that is missing.
    pub(crate) missing: Option<String>,
}

/// Everything that the schema forbids in a record, in no particular order.
pub(crate) fn violations_unsorted(value: &Value) -> Vec<Violation> {
    let mut violations = Vec::new();
    for error in ReflectionMemory::iter_errors(value) {
        let found = shown(error.instance());
        let pointer = error.instance_path().to_string();
        let schema_path = error.schema_path().to_string();
        let (keyword, message, missing) = match error.kind() {
            ValidationErrorKind::Type { .. } => {
                ("type", format!("Expected {}, found {found}.", expected_type(&schema_path)), None)
            }
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default().to_owned();
                ("required", format!("Member `{name}` is missing."), Some(name))
            }
            ValidationErrorKind::Enum { options } => {
                // The crate leaves out the type where the words imply it.
                if !error.instance().is_string() {
                    violations.push(Violation {
                        pointer: pointer.clone(),
                        keyword: "type",
                        message: format!("Expected a text, found {found}."),
                        missing: None,
                    });
                }
                let words = options.as_array().into_iter().flatten().filter_map(Value::as_str);
                let words: Vec<_> = words.collect();
                ("enum", format!("Expected one of {}, found {found}.", words.join(", ")), None)
            }
            ValidationErrorKind::Pattern { pattern } => {
                ("pattern", format!("Expected a text like {pattern}, found {found}."), None)
            }
            ValidationErrorKind::Format { format } => {
                ("format", format!("Expected a {format} with zone, found {found}."), None)
            }
            ValidationErrorKind::Minimum { limit } => {
                ("minimum", format!("Expected at least {limit}, found {found}."), None)
            }
            ValidationErrorKind::Maximum { limit } => {
                ("maximum", format!("Expected at most {limit}, found {found}."), None)
            }
            _ => ("schema", format!("The schema does not allow {found}."), None),
        };
        violations.push(Violation { pointer, keyword, message, missing });
    }
    violations
}

/// The type that the schema asks for at a schema path, in words.
fn expected_type(path: &str) -> &'static str {
    let schema: &Value = {
        static SCHEMA: std::sync::OnceLock<Value> = std::sync::OnceLock::new();
        SCHEMA.get_or_init(|| serde_json::from_str(crate::SCHEMA).unwrap_or_default())
    };
    match schema.pointer(path).and_then(Value::as_str) {
        Some("object") => "an object",
        Some("array") => "a list",
        Some("string") => "a text",
        Some("integer") => "an integer",
        Some("number") => "a number",
        Some("boolean") => "true or false",
        _ => "another type",
    }
}

/// A value for a message: short, and never a whole document.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Object(map) => format!("an object with {} members", map.len()),
        Value::Array(items) => format!("a list of {} items", items.len()),
        Value::String(text) if text.chars().count() > 60 => {
            let head: String = text.chars().take(57).collect();
            format!("\"{}…\"", head.escape_debug())
        }
        Value::String(text) => format!("\"{}\"", text.escape_debug()),
        other => other.to_string(),
    }
}

/// Whether a time can be read at all.
pub(crate) fn is_readable_time(value: Option<&Value>) -> bool {
    value.and_then(Value::as_str).is_some_and(|t| datetime::read(t).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_everything() {
        let value = serde_json::json!({
            "loop_id": "loop-1", "iteration": 1.5, "timestamp": "2026-03-01",
            "actor_output": {"actions": [{"type": "edit"}]},
            "evaluator_output": {"passed": "no", "verification_type": "unit_tests", "reward_signal": 2},
            "self_reflection": null,
            "memory_metadata": {"omega_capacity": 0, "current_memory_size": 1}
        });
        let mut found: Vec<_> =
            violations_unsorted(&value).into_iter().map(|v| (v.pointer, v.keyword)).collect();
        found.sort();
        let expected = [
            ("/actor_output", "required"),
            ("/actor_output/actions/0", "required"),
            ("/actor_output/actions/0/type", "enum"),
            ("/evaluator_output/passed", "type"),
            ("/evaluator_output/reward_signal", "maximum"),
            ("/iteration", "type"),
            ("/loop_id", "pattern"),
            ("/memory_metadata/omega_capacity", "minimum"),
            ("/self_reflection", "type"),
            ("/timestamp", "format"),
        ];
        assert_eq!(found, expected.map(|(p, k)| (p.to_owned(), k)));
    }
}
