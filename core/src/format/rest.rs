//! What a record says beyond what has a place of its own: kept as named texts.

use crate::json::write;
use serde_json::Value;

use crate::model::details::NamedText;

/// A text as it is, any other value as JSON; null is nothing.
pub(crate) fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(write::value(other)),
    }
}

/// A member as a note.
pub(crate) fn note(value: &Value, name: &str) -> Option<NamedText> {
    Some(NamedText { name: name.to_owned(), text: as_text(value.get(name)?)? })
}

/// The items of a list as notes of one name; anything else than a list is one note.
pub(crate) fn notes<'a>(
    value: &'a Value,
    name: &'a str,
) -> impl Iterator<Item = NamedText> + use<'a> {
    let items = match value.get(name) {
        Some(Value::Array(items)) => items.as_slice(),
        Some(other) => std::slice::from_ref(other),
        None => &[],
    };
    let named = |item| Some(NamedText { name: name.to_owned(), text: as_text(item)? });
    items.iter().filter_map(named)
}

/// Texts under their names, as far as they are there.
pub(crate) fn named<const N: usize>(
    texts: [(&'static str, Option<String>); N],
) -> impl Iterator<Item = NamedText> {
    let named = |(name, text): (&str, Option<String>)| {
        Some(NamedText { name: name.to_owned(), text: text? })
    };
    texts.into_iter().filter_map(named)
}

/// Members that none of the known names covers.
pub(crate) fn others<'a>(
    value: &'a Value,
    known: &'a [&str],
) -> impl Iterator<Item = NamedText> + use<'a> {
    let names = value.as_object().into_iter().flat_map(serde_json::Map::keys);
    names.filter(|name| !known.contains(&name.as_str())).filter_map(|name| note(value, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_is_lost_and_null_is_nothing() {
        let value = json!({"a": "text", "b": {"c": [1]}, "d": null, "e": 1.5, "l": ["x", 2]});
        let texts = |notes: Vec<NamedText>| {
            notes.into_iter().map(|n| format!("{} {}", n.name, n.text)).collect::<Vec<_>>()
        };
        assert_eq!(texts(others(&value, &["a", "l"]).collect()), ["b {\"c\":[1]}", "e 1.5"]);
        assert_eq!(texts(notes(&value, "l").collect()), ["l x", "l 2"]);
        assert_eq!(texts(notes(&value, "a").collect()), ["a text"]);
        assert_eq!(notes(&value, "none").count(), 0);
    }
}
