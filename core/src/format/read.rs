//! Tolerant reading of members of a parsed record.

use crate::json::write;
use serde_json::Value;

use crate::json::numeric;
use crate::model::details::{Check, Counter, ErrorDetails, Reflection};
use crate::model::view::StoredDeltas;

/// Members of an object, each absent if it is missing, null or cannot be read as asked.
pub(crate) trait Member {
    /// Whether it is there at all, be it null.
    fn has(&self, name: &str) -> bool;
    fn object(&self, name: &str) -> Option<&Value>;
    /// The same, or null, which has no members.
    fn inner(&self, name: &str) -> &Value;
    fn text(&self, name: &str) -> Option<String>;
    fn integer(&self, name: &str) -> Option<i64>;
    /// The number of an iteration, which may be too large: see [`numeric::iteration`].
    fn iteration(&self, name: &str) -> Option<i64>;
    fn number(&self, name: &str) -> Option<f64>;
    fn flag(&self, name: &str) -> Option<bool>;
    fn items<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Value>;
}

impl Member for Value {
    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    fn object(&self, name: &str) -> Option<&Value> {
        self.get(name).filter(|v| v.is_object())
    }

    fn inner(&self, name: &str) -> &Value {
        self.object(name).unwrap_or(&Value::Null)
    }

    fn text(&self, name: &str) -> Option<String> {
        text(self.get(name)?)
    }

    fn integer(&self, name: &str) -> Option<i64> {
        numeric::integer(self.get(name)?)
    }

    fn iteration(&self, name: &str) -> Option<i64> {
        numeric::iteration(self.get(name)?)
    }

    fn number(&self, name: &str) -> Option<f64> {
        number(self.get(name)?)
    }

    fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    fn items<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Value> {
        self.get(name).and_then(Value::as_array).into_iter().flatten()
    }
}

/// What a check gave; `duration` is the member with its milliseconds.
pub(crate) fn check(value: &Value, duration: &str) -> Check {
    Check {
        tool: value.text("tool").unwrap_or_default(),
        status: value.text("status").unwrap_or_default(),
        exit_code: value.integer("exit_code"),
        duration_ms: value.number(duration),
        stdout: value.text("stdout"),
        stderr: value.text("stderr"),
    }
}

/// An error; `stack` is the member with its trace.
pub(crate) fn error(value: &Value, stack: &str) -> ErrorDetails {
    ErrorDetails {
        kind: value.text("type").unwrap_or_default(),
        message: value.text("message").unwrap_or_default(),
        file: value.text("file"),
        line: value.integer("line"),
        column: value.integer("column"),
        severity: value.text("severity"),
        rule: value.text("rule"),
        stack: value.text(stack),
    }
}

/// Deltas as a record states them.
pub(crate) fn stored(value: &Value) -> StoredDeltas {
    StoredDeltas {
        reward_change: value.number("reward_change"),
        error_count_change: value.integer("error_count_change"),
        is_improvement: value.flag("is_improvement"),
    }
}

/// The texts of a list as reflections, each with its position.
pub(crate) fn reflections(list: Option<&Value>) -> impl Iterator<Item = Reflection> + use<> {
    (0..).zip(strings(list)).map(|(part, text)| Reflection { part, ..Reflection::of(text) })
}

/// A text, or the text of a number.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(n) => Some(write::numeral(n)),
        _ => None,
    }
}

/// A number, or a text that is one: `1,234`, or `97.4%` as 97.4.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(n) => n.as_f64(),
        Value::String(text) => numeric::read(text).map(|n| n.value).filter(|n| n.is_finite()),
        _ => None,
    }
}

/// The texts of a list; one text counts as a list of one.
pub(crate) fn strings(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(text).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}

/// The numbers of an object, by name.
pub(crate) fn counters(value: Option<&Value>) -> impl Iterator<Item = Counter> + '_ {
    value
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some(Counter { name: name.clone(), value: number(value)? }))
}

/// The members of these names that are numbers.
pub(crate) fn numbers(value: &Value, names: &[&str]) -> Vec<Counter> {
    let counter =
        |name: &&str| Some(Counter { name: (*name).to_owned(), value: value.number(name)? });
    names.iter().filter_map(counter).collect()
}

/// The integers of a list.
pub(crate) fn integers(value: Option<&Value>) -> Vec<i64> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(numeric::integer).collect()
}

/// A path, as text or as an object that has one.
pub(crate) fn file(value: &Value) -> Option<String> {
    let path = || ["path", "file", "file_path"].into_iter().find_map(|name| value.text(name));
    value.as_str().map(str::to_owned).or_else(path).filter(|path| !path.trim().is_empty())
}
