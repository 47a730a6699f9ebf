//! `tojson` and `json` of templates.
//!
//! The engine's own `tojson` keeps the order of keys; a prompt should not change with it.

#![expect(clippy::needless_pass_by_value, reason = "the engine hands arguments over by value")]

use std::io;

use minijinja::value::Kwargs;
use minijinja::{Error, ErrorKind, Value as Seen};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, PrettyFormatter};

/// Keys sorted, `<`, `>`, `&` and `'` as `\u00xx`, `, ` and `: ` between.
pub(super) fn tojson(value: &Seen, indent: Option<Seen>, args: Kwargs) -> Result<String, Error> {
    let mut value = plain(value)?;
    value.sort_all_objects();
    written(&value, indent, &args, true)
}

/// Keys in their order, nothing escaped that JSON does not need escaped; the same spacing.
pub(super) fn json(value: &Seen, indent: Option<Seen>, args: Kwargs) -> Result<String, Error> {
    written(&plain(value)?, indent, &args, false)
}

/// A value as JSON, with a blank behind every comma and colon.
pub(super) fn spaced(value: &Value) -> String {
    written_with(value, Spaced)
}

fn plain(value: &Seen) -> Result<Value, Error> {
    if value.is_undefined() {
        return Err(Error::from(ErrorKind::UndefinedError));
    }
    serde_json::to_value(value)
        .map_err(|error| Error::new(ErrorKind::InvalidOperation, error.to_string()))
}

fn written(
    value: &Value,
    indent: Option<Seen>,
    args: &Kwargs,
    is_safe: bool,
) -> Result<String, Error> {
    let indent: Option<Seen> = match indent {
        Some(indent) => Some(indent),
        None => args.get("indent")?,
    };
    args.assert_all_used()?;
    let indent = match indent {
        None => None,
        Some(indent) => match bool::try_from(indent.clone()) {
            Ok(is_wanted) => is_wanted.then_some(2),
            Err(_) => Some(usize::try_from(indent)?.min(64)),
        },
    };
    let text = match indent {
        None => spaced(value),
        Some(indent) => {
            written_with(value, PrettyFormatter::with_indent(" ".repeat(indent).as_bytes()))
        }
    };
    if !is_safe {
        return Ok(text);
    }
    // None of these stands in JSON outside a string.
    let escapes = [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\'', "\\u0027")];
    Ok(escapes.into_iter().fold(text, |text, (c, escape)| text.replace(c, escape)))
}

fn written_with(value: &Value, formatter: impl Formatter) -> String {
    let mut bytes = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    // Writing a JSON value to memory cannot fail, and what is written is text.
    let _ = value.serialize(&mut writer);
    String::from_utf8(bytes).unwrap_or_default()
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.begin_array_value(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::template::render;

    fn shown(filter: &str) -> String {
        let state =
            json!({"o": {"k": {"d": 1.0, "c": []}, "b": "<&'\">\u{1}é", "e": {}, "l": [1, null]}});
        let state = state.as_object().expect("an object");
        render(&format!("{{{{ o | {filter} }}}}"), state).expect("a template")
    }

    #[test]
    fn tojson_sorts_and_escapes_and_json_does_not() {
        assert_eq!(
            shown("tojson"),
            r#"{"b": "\u003c\u0026\u0027\"\u003e\u0001é", "e": {}, "k": {"c": [], "d": 1.0}, "l": [1, null]}"#
        );
        assert_eq!(
            shown("json"),
            r#"{"k": {"d": 1.0, "c": []}, "b": "<&'\">\u0001é", "e": {}, "l": [1, null]}"#
        );
    }

    #[test]
    fn both_can_indent() {
        let indented = "{\n  \"k\": {\n    \"d\": 1.0,\n    \"c\": []\n  },";
        assert!(shown("json(indent=2)").starts_with(indented), "{}", shown("json(2)"));
        assert_eq!(shown("json(true)"), shown("json(2)"));
        assert_eq!(shown("json(false)"), shown("json"));
        assert!(shown("tojson(1)").ends_with("\"l\": [\n  1,\n  null\n ]\n}"));
    }
}
