//! Whether what came out is what was expected.

use serde_json::{Map, Value};

/// Keys whose values must be equal as a whole, without further keys.
const EXACT: [&str; 6] =
    ["output", "reflection_output", "reflection_best", "corrected_output", "data", "text"];

/// Every expected key must be there and match; further ones are allowed. A difference is returned
/// with its place.
///
/// # Errors
///
/// The first difference.
pub fn matches(expected: &Value, actual: &Value, place: &str) -> Result<(), String> {
    compare(expected, actual, place, false)
}

fn compare(expected: &Value, actual: &Value, place: &str, is_exact: bool) -> Result<(), String> {
    let differs = || Err(format!("{place}: expected {expected}, got {actual}"));
    match (expected, actual) {
        (Value::Object(members), _) if marker(members).is_some() => {
            let Some((name, argument)) = marker(members) else { return Ok(()) };
            if holds(name, argument, actual) { Ok(()) } else { differs() }
        }
        (Value::Object(members), Value::Object(others)) => {
            if is_exact && members.len() != others.len() {
                return differs();
            }
            for (key, value) in members {
                let Some(other) = others.get(key) else {
                    return Err(format!("{place}/{key}: expected {value}, there is nothing"));
                };
                let is_exact = is_exact || EXACT.contains(&key.as_str());
                compare(value, other, &format!("{place}/{key}"), is_exact)?;
            }
            Ok(())
        }
        (Value::Array(items), Value::Array(others)) => {
            if items.len() != others.len() {
                return differs();
            }
            for (number, (item, other)) in items.iter().zip(others).enumerate() {
                compare(item, other, &format!("{place}/{number}"), is_exact)?;
            }
            Ok(())
        }
        (Value::Number(_), Value::Number(_)) => {
            if number(expected) == number(actual) {
                Ok(())
            } else {
                differs()
            }
        }
        _ if expected == actual => Ok(()),
        _ => differs(),
    }
}

/// 1 equals 1.0, −0 equals 0; large integers keep their digits.
fn number(value: &Value) -> (Option<i128>, Option<u64>) {
    if let Some(integer) = value.as_i64() {
        return (Some(integer.into()), None);
    }
    if let Some(integer) = value.as_u64() {
        return (Some(integer.into()), None);
    }
    let float = value.as_f64().unwrap_or(f64::NAN);
    if float.fract() == 0.0 && float.abs() < 1e18 {
        #[expect(clippy::cast_possible_truncation, reason = "integral and small enough")]
        return (Some(float as i128), None);
    }
    (None, Some(float.to_bits()))
}

fn marker(members: &Map<String, Value>) -> Option<(&str, &Value)> {
    let (name, argument) = members.iter().next().filter(|_| members.len() == 1)?;
    name.starts_with('$').then_some((name.as_str(), argument))
}

fn holds(name: &str, argument: &Value, actual: &Value) -> bool {
    match name {
        "$any" => match argument.as_str() {
            Some("text") => actual.is_string(),
            Some("list") => actual.is_array(),
            Some("number") => actual.is_number(),
            Some("object") => actual.is_object(),
            _ => false,
        },
        "$contains" => {
            let Some(text) = actual.as_str() else { return false };
            match argument {
                Value::Array(parts) => {
                    parts.iter().all(|part| part.as_str().is_some_and(|part| text.contains(part)))
                }
                part => part.as_str().is_some_and(|part| text.contains(part)),
            }
        }
        "$json" => actual
            .as_str()
            .and_then(|text| serde_json::from_str::<Value>(text).ok())
            .is_some_and(|value| compare(argument, &value, "", true).is_ok()),
        "$errors" => errors(argument, actual),
        _ => false,
    }
}

/// A list of errors in any order, with exactly these pairs of path and keyword; an object among them
/// must be matched by one item.
fn errors(expected: &Value, actual: &Value) -> bool {
    let (Some(expected), Some(actual)) = (expected.as_array(), actual.as_array()) else {
        return false;
    };
    let mut left: Vec<&Value> = actual.iter().collect();
    expected.len() == actual.len()
        && expected.iter().all(|one| {
            let found = left.iter().position(|error| match one {
                Value::Array(pair) => {
                    error.get("path") == pair.first() && keyword(error) == pair.get(1)
                }
                object => compare(object, error, "", false).is_ok(),
            });
            found.map(|index| left.remove(index)).is_some()
        })
}

fn keyword(error: &Value) -> Option<&Value> {
    error.get("keyword").or_else(|| error.get("schema_path")?.as_array()?.last())
}
