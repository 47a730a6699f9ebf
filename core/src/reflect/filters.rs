//! `tojson` and `json` of templates.
//!
//! The engine's own `tojson` keeps the order of keys; a prompt should not change with it.

#![expect(clippy::needless_pass_by_value, reason = "the engine hands arguments over by value")]

use std::io;

use minijinja::value::Kwargs;
use minijinja::{Error, ErrorKind, Value as Seen};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::Formatter;

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

/// A value as JSON.
pub(super) fn spaced(value: &Value) -> String {
    written_with(value, Layout { is_safe: false, indent: None, depth: 0, is_empty: true })
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
    Ok(written_with(value, Layout { is_safe, indent, depth: 0, is_empty: true }))
}

fn written_with(value: &Value, layout: Layout) -> String {
    let mut bytes = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, layout);
    // Writing a JSON value to memory cannot fail, and what is written is text.
    let _ = value.serialize(&mut writer);
    String::from_utf8(bytes).unwrap_or_default()
}

struct Layout {
    is_safe: bool,
    /// Blanks for each level, on lines of their own.
    indent: Option<usize>,
    depth: usize,
    is_empty: bool,
}

impl Layout {
    fn open<W: ?Sized + io::Write>(&mut self, writer: &mut W, mark: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.is_empty = true;
        writer.write_all(mark)
    }

    fn close<W: ?Sized + io::Write>(&mut self, writer: &mut W, mark: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if !self.is_empty {
            self.line(writer)?;
        }
        self.is_empty = false;
        writer.write_all(mark)
    }

    fn line<W: ?Sized + io::Write>(&self, writer: &mut W) -> io::Result<()> {
        let Some(indent) = self.indent else { return Ok(()) };
        writer.write_all(b"\n")?;
        (0..indent * self.depth).try_for_each(|_| writer.write_all(b" "))
    }

    fn between<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.is_empty = false;
        match (first, self.indent) {
            (true, _) => {}
            (false, None) => writer.write_all(b", ")?,
            (false, Some(_)) => writer.write_all(b",")?,
        }
        self.line(writer)
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.between(writer, first)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.between(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if !self.is_safe {
            return writer.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some(at) = rest.find(['<', '>', '&', '\'']) {
            let (plain, marked) = rest.split_at(at);
            writer.write_all(plain.as_bytes())?;
            writer.write_all(match marked.as_bytes().first() {
                Some(b'<') => b"\\u003c",
                Some(b'>') => b"\\u003e",
                Some(b'&') => b"\\u0026",
                _ => b"\\u0027",
            })?;
            rest = marked.get(1..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
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
