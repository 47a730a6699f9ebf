//! The members of one object, in whichever of its spellings a writer chose.
//!
//! Whoever reads a member takes it; what nobody took is kept as named texts. So nothing is lost
//! that has no place of its own, and of two spellings with different values both are seen.

use crate::json::write;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::beyond::number_beyond;
use super::grade::number_from_text;
use super::read;
use crate::json::numeric::{self, Numeric};
use crate::json::pointer::escape;
use crate::model::datetime::{self, Form};
use crate::model::details::NamedText;
use crate::model::finding::{Finding, Severity};
use crate::validate::labels::shown;

/// The members of one object; `null` counts as absent.
#[derive(Debug)]
pub(crate) struct Members<'a> {
    object: Option<&'a Map<String, Value>>,
    /// JSON pointer of the object.
    at: String,
    taken: BTreeSet<&'a str>,
    /// Problems of the members that were read.
    pub(crate) findings: Vec<Finding>,
    /// A number was written with a word for "roughly".
    pub(crate) is_approximate: bool,
}

impl<'a> Members<'a> {
    /// Of the value at a pointer; a value that is no object has none.
    pub(crate) fn of(value: &'a Value, at: impl Into<String>) -> Self {
        Self {
            object: value.as_object(),
            at: at.into(),
            taken: BTreeSet::new(),
            findings: Vec::new(),
            is_approximate: false,
        }
    }

    /// JSON pointer of a member.
    pub(crate) fn pointer(&self, name: &str) -> String {
        format!("{}/{}", self.at, escape(name))
    }

    /// Whether a member is spelled at all, be it `null`.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.object.is_some_and(|o| o.contains_key(*name)))
    }

    /// The first of these members that can be read so; it is not taken.
    pub(crate) fn peek<T>(
        &self,
        names: &[&str],
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Option<(&'a str, T)> {
        names.iter().find_map(|name| {
            let (name, value) = self.object?.get_key_value(*name)?;
            Some((name.as_str(), read(value).filter(|_| !value.is_null())?))
        })
    }

    /// Its value alone.
    pub(crate) fn look<T>(
        &self,
        names: &[&str],
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Option<T> {
        self.peek(names, read).map(|(_, value)| value)
    }

    /// The first of these members that can be read so.
    pub(crate) fn take<T>(
        &mut self,
        names: &[&str],
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Option<T> {
        let (name, read) = self.peek(names, read)?;
        self.taken.insert(name);
        Some(read)
    }

    /// Marks a member as read.
    pub(crate) fn used(&mut self, name: &'a str) {
        self.taken.insert(name);
    }

    /// A text that is not blank, or the text of a number.
    pub(crate) fn text(&mut self, names: &[&str]) -> Option<String> {
        self.take(names, |value| read::text(value).filter(|text| !text.trim().is_empty()))
    }

    /// The texts of a list, or one text; items that are no texts as JSON.
    pub(crate) fn texts(&mut self, names: &[&str]) -> Vec<String> {
        self.take(names, texts).unwrap_or_default()
    }

    pub(crate) fn flag(&mut self, names: &[&str]) -> Option<bool> {
        self.take(names, Value::as_bool)
    }

    pub(crate) fn object(&mut self, names: &[&str]) -> Option<&'a Value> {
        self.take(names, |value| value.is_object().then_some(value))
    }

    pub(crate) fn list(&mut self, names: &[&str]) -> Option<&'a Vec<Value>> {
        self.take(names, Value::as_array)
    }

    /// A number, or a text that is one (`number/from-text`).
    pub(crate) fn numeric(&mut self, names: &[&str]) -> Option<Numeric> {
        let (name, number) = self.peek(names, numeric::of)?;
        self.used(name);
        let written = self.object.and_then(|o| o.get(name)).unwrap_or(&Value::Null);
        if written.is_string() {
            self.is_approximate |= number.is_approximate;
            let finding = number_from_text(number, written).pointer(self.pointer(name));
            self.findings.push(finding);
        }
        Some(number)
    }

    /// A number without a scale.
    pub(crate) fn number(&mut self, names: &[&str]) -> Option<f64> {
        let is_bare = |value: &Value| numeric::of(value).filter(|n| n.scale.is_none());
        let (name, _) = self.peek(names, is_bare)?;
        self.numeric(&[name]).map(|n| n.value)
    }

    pub(crate) fn integer(&mut self, names: &[&str]) -> Option<i64> {
        let (name, whole) = self.peek(names, numeric::integer)?;
        self.number(&[name]).map(|_| whole)
    }

    /// The number of an iteration. One that is too large gives a finding instead.
    pub(crate) fn iteration(&mut self, names: &[&str]) -> Option<i64> {
        let (name, (number, written)) =
            self.peek(names, |value| Some((numeric::iteration(value)?, value)))?;
        if !numeric::is_beyond(number) {
            return self.number(&[name]).map(|_| number);
        }
        self.used(name);
        let finding = number_beyond(Some(written)).pointer(self.pointer(name));
        self.findings.push(finding);
        None
    }

    /// A time as written, if it is one (`time/no-zone`, `time/date-only`).
    pub(crate) fn time(&mut self, names: &[&str]) -> Option<String> {
        let time =
            |value: &'a Value| Some((value.as_str()?, datetime::read(value.as_str()?.trim())?));
        let (name, (text, time)) = self.peek(names, time)?;
        self.used(name);
        let (rule, message) = match time.form {
            Form::Full => return Some(text.to_owned()),
            Form::NoZone => ("time/no-zone", "The time has no time zone. It is read as UTC."),
            Form::DateOnly => (
                "time/date-only",
                "The time is a date without a time of day. It is read as midnight UTC.",
            ),
        };
        let found = shown(&Value::from(text));
        let finding = Finding::new(rule, Severity::Warning, message)
            .contrast("a date-time with a time zone", found)
            .pointer(self.pointer(name));
        self.findings.push(finding);
        Some(text.to_owned())
    }

    /// Milliseconds: a number whose name says so, or a text with units, which is approximate.
    pub(crate) fn duration(&mut self, names: &[&str], is_ms: bool) -> Option<f64> {
        let ms = |name: &str, value: &Value| match value {
            Value::Number(n) if is_ms || numeric::is_ms(name) => n.as_f64().map(|ms| (ms, false)),
            Value::String(text) => numeric::duration_ms(text).map(|ms| (ms, true)),
            _ => None,
        };
        let (name, (ms, is_text)) =
            names.iter().find_map(|name| self.peek(&[name], |v| ms(name, v)))?;
        self.used(name);
        self.is_approximate |= is_text;
        Some(ms)
    }

    /// Members that were not read, each under its name behind `prefix`, the name of the object.
    pub(crate) fn rest(&self, prefix: &str) -> Vec<NamedText> {
        let left = |(name, value): (&String, &Value)| {
            let is_left = !value.is_null() && !self.taken.contains(name.as_str());
            is_left.then(|| NamedText { name: format!("{prefix}{name}"), text: text_of(value) })
        };
        self.object.into_iter().flatten().filter_map(left).collect()
    }
}

/// The texts of a list, or one text, without blank ones; other items of the list as JSON. `None`: neither
/// a list nor a text.
pub(crate) fn texts(value: &Value) -> Option<Vec<String>> {
    let items = match value {
        Value::Array(items) => items.iter().collect(),
        Value::String(_) => vec![value],
        _ => return None,
    };
    let texts: Vec<String> = items.into_iter().filter(|v| !v.is_null()).map(text_of).collect();
    let is_text = |text: &String| !text.trim().is_empty();
    Some(texts.into_iter().filter(is_text).collect())
}

/// A text as it is, everything else as JSON.
pub(crate) fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| write::value(value), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_spelling_that_can_be_read_counts_and_the_rest_is_kept() {
        let value = json!({
            "task": null, "objective": "Trim", "task_summary": "Trim it",
            "note": {"a": 1}, "gone": null
        });
        let mut members = Members::of(&value, "/state");
        assert_eq!(members.text(&["task", "objective", "task_summary"]).as_deref(), Some("Trim"));
        let rest = members.rest("");
        let rest: Vec<_> = rest.iter().map(|t| (t.name.as_str(), t.text.as_str())).collect();
        assert_eq!(rest, [("task_summary", "Trim it"), ("note", r#"{"a":1}"#)]);
    }

    #[test]
    fn texts_may_be_numbers_and_say_so() {
        let value = json!({"passed": "1,234", "coverage": "~85%", "took": "2m", "left": 5});
        let mut members = Members::of(&value, "");
        assert_eq!(members.integer(&["passed"]), Some(1234));
        assert_eq!(members.number(&["coverage"]), None, "it has a scale");
        assert_eq!(members.numeric(&["coverage"]).and_then(Numeric::share), Some(0.85));
        assert_eq!(members.duration(&["left", "took"], false), Some(120_000.0));
        let at: Vec<_> = members.findings.iter().filter_map(|f| f.pointer.as_deref()).collect();
        assert_eq!(at, ["/passed", "/coverage"]);
        assert!(members.is_approximate);
    }

    #[test]
    fn times_say_how_they_are_written() {
        let value = json!({"at": "soon", "started_at": "2026-03-01T09:00:00", "day": "2026-03-01"});
        let mut members = Members::of(&value, "");
        assert_eq!(members.time(&["at", "started_at"]).as_deref(), Some("2026-03-01T09:00:00"));
        assert_eq!(members.time(&["day"]).as_deref(), Some("2026-03-01"));
        let rules: Vec<_> = members.findings.iter().map(|f| f.rule.as_ref()).collect();
        assert_eq!(rules, ["time/no-zone", "time/date-only"]);
        assert_eq!(members.rest("").len(), 1, "what is no time is kept as text");
    }
}
