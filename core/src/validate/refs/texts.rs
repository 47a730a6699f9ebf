//! Whether a schema speaks of texts.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Library;

impl Library<'_> {
    /// Whether the schema, or one that judges the same value for it, speaks of texts. Then a text is
    /// what it wants, and not the JSON that may stand in it.
    pub(crate) fn speaks_of_texts(&self) -> bool {
        let mut open: Vec<_> = self.root().into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(place) = open.pop() {
            if !seen.insert(std::ptr::from_ref(place.schema)) {
                continue;
            }
            if is_about_texts(place.schema) {
                return true;
            }
            open.extend(place.reference().and_then(|target| self.resolve(&place, target)));
            for keyword in ["allOf", "anyOf", "oneOf"] {
                let list = place.schema.get(keyword).and_then(Value::as_array);
                open.extend(list.into_iter().flatten().map(|schema| place.inside(schema)));
            }
        }
        false
    }
}

/// By its `type` if it has one; `format` is said of numbers, too.
fn is_about_texts(schema: &Value) -> bool {
    let has = |keyword: &str| schema.get(keyword).is_some();
    let holds = |keyword: &str, is_wanted: fn(&Value) -> bool| match schema.get(keyword) {
        Some(Value::Array(values)) => values.iter().any(is_wanted),
        value => value.is_some_and(is_wanted),
    };
    if has("type") {
        return holds("type", |word| word == "string");
    }
    holds("enum", Value::is_string)
        || holds("const", Value::is_string)
        || ["format", "maxLength", "minLength", "pattern"].into_iter().any(has)
}
