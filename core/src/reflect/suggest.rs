//! What to try after a schema's error, from its keyword and its parameters.

use serde_json::Value;

use super::filters::spaced;
use crate::validate::labels::so_many;

/// Values of an enumeration that are named before the rest is counted.
const SHOWN: usize = 20;

/// A suggestion for an error item of a schema, in a sentence that names the key; nothing where
/// there is no better advice than the error itself.
pub(crate) fn suggestion(error: &Value) -> Option<String> {
    let text = |key: &str| error.get(key).and_then(Value::as_str);
    let params = error.get("params")?;
    let param = |key: &str| params.get(key);
    let path = text("path")?;
    let it = if path.is_empty() { "the output".to_owned() } else { format!("`{path}`") };
    let below =
        |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let limit = || param("limit").map(Value::to_string);
    let many = |things: &str| Some(so_many(&limit()?, things));
    Some(match text("keyword")? {
        "required" | "dependentRequired" | "dependencies" => {
            format!("Add the key `{}`.", below(param("missing")?.as_str()?))
        }
        "type" => format!("Make {it} {}.", types(param("type")?)),
        "enum" => format!("Make {it} one of {}.", listed(param("allowed")?.as_array()?)),
        "const" => format!("Make {it} {}.", spaced(param("allowed")?)),
        "additionalProperties" | "unevaluatedProperties" => {
            let names = param("unexpected")?.as_array()?.iter().filter_map(Value::as_str);
            let names: Vec<String> = names.map(|name| format!("`{}`", below(name))).collect();
            let keys = if names.len() == 1 { "key" } else { "keys" };
            format!("Remove the {keys} {}.", names.get(..SHOWN).unwrap_or(&names).join(", "))
        }
        "format" => format!("Write {it} in the format {}.", param("format")?.as_str()?),
        "pattern" => format!("Write {it} so that it matches {}.", param("pattern")?.as_str()?),
        "minimum" => format!("Make {it} at least {}.", limit()?),
        "maximum" => format!("Make {it} at most {}.", limit()?),
        "exclusiveMinimum" => format!("Make {it} greater than {}.", limit()?),
        "exclusiveMaximum" => format!("Make {it} less than {}.", limit()?),
        "multipleOf" => format!("Make {it} a multiple of {}.", param("multiple_of")?),
        "minLength" => format!("Make {it} at least {} long.", many("characters")?),
        "maxLength" => format!("Make {it} at most {} long.", many("characters")?),
        "minItems" => format!("Give {it} at least {}.", many("items")?),
        "maxItems" | "additionalItems" => format!("Give {it} at most {}.", many("items")?),
        "minProperties" => format!("Give {it} at least {}.", many("keys")?),
        "maxProperties" => format!("Give {it} at most {}.", many("keys")?),
        "uniqueItems" => format!("Remove repeated items from {it}."),
        "oneOf" if param("branches").is_some() => {
            format!("Make {it} match one of the allowed forms.")
        }
        "anyOf" => format!("Make {it} match one of the allowed forms."),
        _ => return None,
    })
}

fn types(given: &Value) -> String {
    let words: Vec<&str> = match given {
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    let named: Vec<String> = words
        .iter()
        .map(|word| match *word {
            "null" => "null".to_owned(),
            "array" => "an array".to_owned(),
            "string" => "a string".to_owned(),
            "object" | "integer" => format!("an {word}"),
            _ => format!("a {word}"),
        })
        .collect();
    named.join(" or ")
}

fn listed(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().take(SHOWN).map(spaced).collect();
    match values.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} or {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn suggestions_name_the_key() {
        for (path, keyword, params, expected) in [
            ("u", "required", json!({"missing": "x"}), "Add the key `u.x`."),
            ("", "required", json!({"missing": "x"}), "Add the key `x`."),
            ("a.0", "type", json!({"type": "integer"}), "Make `a.0` an integer."),
            ("", "type", json!({"type": ["string", "null"]}), "Make the output a string or null."),
            ("a", "enum", json!({"allowed": ["x", 1]}), "Make `a` one of \"x\", 1."),
            ("a", "const", json!({"allowed": {"b": 1}}), "Make `a` {\"b\": 1}."),
            (
                "a",
                "additionalProperties",
                json!({"unexpected": ["b", "c"]}),
                "Remove the keys `a.b`, `a.c`.",
            ),
            ("a", "format", json!({"format": "email"}), "Write `a` in the format email."),
            ("a", "minimum", json!({"limit": 18}), "Make `a` at least 18."),
            ("a", "exclusiveMaximum", json!({"limit": 0.5}), "Make `a` less than 0.5."),
            ("a", "minLength", json!({"limit": 3}), "Make `a` at least 3 characters long."),
            ("a", "maxItems", json!({"limit": 1}), "Give `a` at most 1 item."),
        ] {
            let error = json!({"path": path, "keyword": keyword, "params": params});
            assert_eq!(suggestion(&error).as_deref(), Some(expected));
        }
        let many: Vec<u32> = (0..25).collect();
        let error = json!({"path": "a", "keyword": "enum", "params": {"allowed": many}});
        assert!(suggestion(&error).is_some_and(|text| text.ends_with("19 or 5 more.")));
        assert_eq!(suggestion(&json!({"path": "", "keyword": "not", "params": {}})), None);
    }
}
