//! Reads JSON and JSON Lines files of records, and reports what is wrong with them.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

use super::cache::Cache;
use super::line::{is_plain_action, object, record_of, value_of};
use super::{
    AttemptOutcome, MemoryFinding, MemoryFound, MemoryWrite, Record, StoredLine, spelling,
};
use crate::error::{Error, ErrorCode};
use crate::json::value;
use crate::model::finding::{Finding, Severity};
use crate::validate::schema::Schema;

/// Findings while a call goes on.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(pub(super) Vec<MemoryFinding>);

impl Notes {
    pub(super) fn say(&mut self, path: &str, finding: Finding) {
        self.0.push(MemoryFinding { path: path.to_owned(), finding });
    }

    pub(super) fn warn(&mut self, path: &str, rule: &'static str, message: impl Into<String>) {
        self.say(path, Finding::new(rule, Severity::Warning, message));
    }

    pub(super) fn inform(&mut self, path: &str, rule: &'static str, message: impl Into<String>) {
        self.say(path, Finding::new(rule, Severity::Info, message));
    }

    /// `memory/schema`: what a schema forbids in a record, which is kept as it is.
    fn schema(&mut self, path: &str, schema: Schema, value: &Value, line: Option<u32>) {
        for violation in schema.violations_unsorted(value) {
            let finding = Finding::new("memory/schema", Severity::Warning, violation.message())
                .contrast(violation.expected, violation.found)
                .pointer(violation.pointer);
            self.say(path, Finding { line, ..finding });
        }
    }
}

/// How a document was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Absent,
    Whole,
    /// Not a JSON object, or not UTF-8. The record holds what could be read.
    Broken,
}

/// A JSON document that holds one object.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) path: String,
    /// Its bytes; absent: there is no such file.
    pub(super) was: Option<u64>,
    pub(super) found: Found,
    pub(super) record: Record,
    /// As it stands in the file.
    pub(super) stored: Record,
    /// The file itself.
    content: String,
}

impl Document {
    /// Reads a document. `schema` is checked, and what it forbids is said.
    pub(super) fn read(
        path: &str,
        bytes: Option<&[u8]>,
        schema: Option<Schema>,
        notes: &mut Notes,
    ) -> Self {
        let was = bytes.map(|bytes| bytes.len() as u64);
        let text = text_of(bytes.unwrap_or_default());
        let document = |found, record: Record| Self {
            path: path.to_owned(),
            was,
            found,
            stored: record.clone(),
            record,
            content: text.as_ref().to_owned(),
        };
        if bytes.is_none() {
            return document(Found::Absent, Record::new());
        }
        match value_of(&text) {
            Some(Value::Object(record)) if matches!(text, Cow::Borrowed(_)) => {
                let value = Value::Object(record);
                if let Some(schema) = schema {
                    notes.schema(path, schema, &value, None);
                }
                document(Found::Whole, object(value))
            }
            _ => {
                let record = value::tolerant(&text).map(object).unwrap_or_default();
                let message = if record.is_empty() {
                    "The file is not a JSON object, and nothing in it can be read."
                } else {
                    "The file is not a complete JSON object. The part before the damage is read."
                };
                notes.say(path, Finding::new("memory/bad-file", Severity::Error, message));
                document(Found::Broken, record)
            }
        }
    }

    /// Whether it is an `outcome.json` that says how an attempt ended.
    pub(super) fn is_ending(&self) -> bool {
        let status = self.record.text_at("status").and_then(AttemptOutcome::named);
        self.found == Found::Whole && status.is_some()
    }

    /// Whether the file is absent or broken, or its record was changed since it was read.
    pub(super) fn is_changed(&self) -> bool {
        self.found != Found::Whole || self.record != self.stored
    }

    /// The document as text. Unchanged values keep their spelling in the file.
    pub(super) fn text(&self) -> String {
        spelling::document(&self.record, &self.stored, &self.content)
    }

    /// Writes the document over its file, checked by its schema. If the stored record breaks that already,
    /// it is not this request's fault.
    pub(super) fn write(&self, schema: Option<Schema>) -> Result<MemoryWrite, Error> {
        let conforms = |schema: &Schema| {
            schema.violations_unsorted(&Value::Object(self.stored.clone())).is_empty()
        };
        check(&self.path, &self.record, schema.filter(conforms))?;
        Ok(MemoryWrite::replace(&self.path, self.was, self.text()))
    }
}

/// A record as the text of a new document, if its schema allows it.
pub(super) fn document_text(
    path: &str,
    record: &Record,
    schema: Option<Schema>,
) -> Result<String, Error> {
    check(path, record, schema)?;
    Ok(spelling::document(record, &Record::new(), ""))
}

/// A record as a line, if its schema allows it.
pub(super) fn line_text(
    path: &str,
    record: &Record,
    schema: Option<Schema>,
) -> Result<String, Error> {
    check(path, record, schema)?;
    // A map of JSON values has a text, always.
    let mut text = serde_json::to_string(record).unwrap_or_default();
    text.push('\n');
    Ok(text)
}

/// What is written must be allowed by its schema: else the request was wrong.
pub(super) fn check(path: &str, record: &Record, schema: Option<Schema>) -> Result<(), Error> {
    let Some(schema) = schema else { return Ok(()) };
    let violations = schema.violations_unsorted(&Value::Object(record.clone()));
    let Some(first) = violations.into_iter().min_by(|a, b| a.pointer.cmp(&b.pointer)) else {
        return Ok(());
    };
    Err(Error::new(
        ErrorCode::InvalidRequest,
        format!("{path} would not match its schema at {:?}: {}", first.pointer, first.message()),
    ))
}

fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    crate::source::lossy(bytes)
}

/// How a file of lines ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With a line break, or with nothing at all.
    Whole,
    /// With a record that lacks its line break.
    Unbroken,
    /// With a part of a record.
    Torn,
}

/// Takes a line, where it stands and its number; says whether it is a record.
type Take<'a> = &'a mut dyn FnMut(&[u8], Range<usize>, u32, &mut Notes) -> bool;

/// A file of records, a line each.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) path: String,
    /// Its bytes; absent: there is no such file.
    pub(super) was: Option<u64>,
    pub(super) records: Vec<Record>,
    /// Where the lines of the records stand.
    pub(super) good: Vec<Range<usize>>,
    /// Where lines stand that are no records, the torn one too.
    pub(super) bad: Vec<Range<usize>>,
    pub(super) end: End,
}

impl Lines {
    /// Reads all lines. `schema` is checked, and what it forbids is said.
    pub(super) fn read(
        path: &str,
        bytes: Option<&[u8]>,
        schema: Option<Schema>,
        notes: &mut Notes,
    ) -> Self {
        let mut records = Vec::new();
        let mut lines = Self::scan(path, bytes, notes, &mut |line, _, number, notes| {
            let Some(record) = record_of(line) else { return false };
            let value = Value::Object(record);
            if let Some(schema) = schema {
                notes.schema(path, schema, &value, Some(number));
            }
            records.push(object(value));
            true
        });
        lines.records = records;
        lines
    }

    /// Reads the actions of a log as they stand, without building what need not be.
    pub(super) fn actions(path: &str, bytes: Option<&[u8]>, notes: &mut Notes) -> Vec<StoredLine> {
        let mut actions = Vec::new();
        // Texts are checked once, not one by one, where all of them are right.
        let whole = simdutf8::basic::from_utf8(bytes.unwrap_or_default()).ok();
        Self::scan(path, bytes, notes, &mut |line, range, number, notes| {
            let text = whole.and_then(|whole| whole.get(range)).unwrap_or_default().trim();
            if is_plain_action(text) {
                actions.push(StoredLine::of_object(text));
                return true;
            }
            let Some(record) = record_of(line) else { return false };
            actions.push(StoredLine::of_record(&record));
            notes.schema(path, Schema::Action, &Value::Object(record), Some(number));
            true
        });
        actions
    }

    /// Goes through the lines that are not blank.
    fn scan(path: &str, bytes: Option<&[u8]>, notes: &mut Notes, take: Take<'_>) -> Self {
        let mut lines = Self {
            path: path.to_owned(),
            was: bytes.map(|bytes| bytes.len() as u64),
            records: Vec::new(),
            good: Vec::new(),
            bad: Vec::new(),
            end: End::Whole,
        };
        let mut at = 0;
        let mut number = 0;
        let bytes = bytes.unwrap_or_default();
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let (range, line) = (at..at + len, rest.get(..len).unwrap_or_default());
            at = range.end;
            number += 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            let is_ended = line.ends_with(b"\n");
            if take(line, range.clone(), number, notes) {
                lines.end = if is_ended { End::Whole } else { End::Unbroken };
                lines.good.push(range);
                continue;
            }
            lines.end = if is_ended { End::Whole } else { End::Torn };
            let (rule, message) = if is_ended {
                (
                    "memory/bad-line",
                    "The line is not a JSON object, so no record can be read from it.",
                )
            } else {
                ("memory/torn-line", "The last line is incomplete: its writer was interrupted.")
            };
            let finding = Finding::new(rule, Severity::Warning, message);
            notes.say(path, Finding { line: Some(number), ..finding });
            lines.bad.push(range);
        }
        lines
    }

    /// What has to stand before the next record: a line break, where the last line lacks it.
    pub(super) fn lead(&self) -> &'static str {
        if self.end == End::Whole { "" } else { "\n" }
    }
}

/// Members of a record.
pub(super) trait Members {
    /// A text that is not blank.
    fn text_at(&self, name: &str) -> Option<&str>;
    fn count_at(&self, name: &str) -> Option<u32>;
    fn number_at(&self, name: &str) -> Option<f64>;
    fn texts_at(&self, name: &str) -> Vec<String>;
    fn object_at(&self, name: &str) -> Option<&Record>;
    /// Sets a member, or leaves it as it is if there is nothing to say.
    fn put(&mut self, name: &str, value: Option<impl Into<Value>>);
    /// Takes the items out of a list, and leaves it empty at its place. A member that is no list has none.
    fn take_list(&mut self, name: &str) -> Vec<Value>;
    /// Changes a member that is an object. Anything else, or nothing, counts as an empty object.
    fn edit(&mut self, name: &str, edit: impl FnOnce(&mut Record));
}

impl Members for Record {
    fn text_at(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
    }

    fn count_at(&self, name: &str) -> Option<u32> {
        self.get(name).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok())
    }

    fn number_at(&self, name: &str) -> Option<f64> {
        self.get(name).and_then(Value::as_f64)
    }

    fn texts_at(&self, name: &str) -> Vec<String> {
        crate::format::read::strings(self.get(name))
    }

    fn object_at(&self, name: &str) -> Option<&Record> {
        self.get(name).and_then(Value::as_object)
    }

    fn put(&mut self, name: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.insert(name.to_owned(), value.into());
        }
    }

    fn take_list(&mut self, name: &str) -> Vec<Value> {
        match self.get_mut(name) {
            Some(Value::Array(items)) => std::mem::take(items),
            _ => Vec::new(),
        }
    }

    fn edit(&mut self, name: &str, edit: impl FnOnce(&mut Record)) {
        let mut inner = match self.get_mut(name) {
            Some(Value::Object(inner)) => std::mem::take(inner),
            _ => Record::new(),
        };
        edit(&mut inner);
        self.insert(name.to_owned(), Value::Object(inner));
    }
}

/// A list as a member, absent if it has nothing.
pub(super) fn list(items: &[String]) -> Option<Value> {
    (!items.is_empty()).then(|| items.into())
}

/// The bytes of a file; that the host failed is said, and it counts as absent.
pub(super) fn bytes_at<'a>(cache: &'a Cache, path: &str, notes: &mut Notes) -> Option<&'a [u8]> {
    match cache.at(path) {
        MemoryFound::File(bytes) => Some(bytes),
        MemoryFound::Failed(why) => {
            let message = format!("The file cannot be read: {why}.");
            notes.say(path, Finding::new("memory/unreadable", Severity::Error, message));
            None
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> (Lines, Vec<String>) {
        let mut notes = Notes::default();
        let lines = Lines::read("a.jsonl", Some(text), Some(Schema::Action), &mut notes);
        (lines, notes.0.into_iter().map(|n| n.finding.rule.into_owned()).collect())
    }

    #[test]
    fn lines_end_whole_unbroken_or_torn() {
        let (all, rules) = lines(b"{\"tool\":\"a\"}\n\n{\"tool\":\"b\"}\n");
        assert_eq!((all.records.len(), all.end, all.lead()), (2, End::Whole, ""));
        assert!(rules.is_empty());
        let (all, rules) = lines(b"{\"tool\":\"a\"}\n{\"tool\":\"b\"}");
        assert_eq!((all.records.len(), all.end, all.lead()), (2, End::Unbroken, "\n"));
        assert!(rules.is_empty());
        let (all, rules) = lines(b"{\"tool\":\"a\"}\nnothing\n{\"tool\":\"\xc3");
        assert_eq!((all.records.len(), all.end), (1, End::Torn));
        assert_eq!(all.bad, [13..21, 21..31]);
        assert_eq!(rules, ["memory/bad-line", "memory/torn-line"]);
        let (_, rules) = lines(b"{\"type\":\"sing\",\"params\":3}\n");
        assert_eq!(rules, ["memory/schema", "memory/schema"]);
    }

    #[test]
    fn half_a_document_says_what_it_can() {
        let mut notes = Notes::default();
        let mut read = |text: &[u8]| Document::read("m.json", Some(text), None, &mut notes);
        let whole = read(b"\xef\xbb\xbf{\"id\":\"a\",\"own\":[1]}");
        assert_eq!((whole.found, whole.was, whole.is_changed()), (Found::Whole, Some(23), false));
        let half = read(b"{\"id\":\"a\",\"description\":\"Sor");
        assert_eq!((half.found, half.record.text_at("id")), (Found::Broken, Some("a")));
        assert!(half.is_changed());
        for text in [&b""[..], b"[1]", b"\0\0\0\0"] {
            let none = read(text);
            assert!(none.found == Found::Broken && none.record.is_empty(), "{text:?}");
        }
        assert_eq!(notes.0.len(), 4);
    }

    #[test]
    fn what_is_written_is_valid() {
        let mut record = Record::new();
        record.put("id", Some("a"));
        record.put("status", None::<&str>);
        assert!(document_text("m.json", &record, Some(Schema::TaskMetadata)).is_ok());
        record.put("status", Some("sleeping"));
        let error =
            document_text("m.json", &record, Some(Schema::TaskMetadata)).expect_err("unknown");
        assert_eq!(error.code(), ErrorCode::InvalidRequest);
        assert!(error.to_string().contains("/status"), "{error}");
    }
}
