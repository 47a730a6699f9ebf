//! Values of a configuration, read one by one; what is wrong with them is collected in order.

use serde_json::{Map, Value};

use super::super::number;
use super::super::problem::Problem;
use super::super::verdict::Warning;

/// What was found while a configuration was read.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) problems: Vec<Problem>,
    /// Each with the field it is about.
    pub(super) warnings: Vec<(Warning, String)>,
}

impl Reader {
    pub(super) fn wrong(
        &mut self,
        code: &'static str,
        field: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.problems.push(Problem::new(code, field, message));
    }

    pub(super) fn warn(
        &mut self,
        code: &'static str,
        field: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.warnings.push((Warning::new(code, message), field.into()));
    }
}

/// An object of the configuration, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) members: &'a Map<String, Value>,
    pub(super) pointer: &'a str,
}

impl<'a> Place<'a> {
    pub(super) fn get(self, key: &str) -> Option<&'a Value> {
        self.members.get(key)
    }

    pub(super) fn at(self, key: &str) -> String {
        format!("{}/{}", self.pointer, key.replace('~', "~0").replace('/', "~1"))
    }

    /// A number with an integral value within bounds; texts and booleans are none.
    pub(super) fn integer(
        self,
        reader: &mut Reader,
        key: &str,
        default: u32,
        (least, most): (u32, u32),
        code: &'static str,
    ) -> u32 {
        let Some(value) = self.get(key) else { return default };
        let integer = number::integer(value).and_then(|integer| u32::try_from(integer).ok());
        if let Some(integer) = integer.filter(|integer| (least..=most).contains(integer)) {
            return integer;
        }
        let most = if most == u32::MAX { String::new() } else { format!(" to {most}") };
        let message = format!("`{key}` is a whole number from {least}{most}.");
        reader.wrong(code, self.at(key), message);
        default
    }

    /// As [`Place::integer`]; null and nothing are no limit.
    pub(super) fn integer_or_none(self, reader: &mut Reader, key: &str, least: u32) -> Option<u32> {
        match self.get(key) {
            None | Some(Value::Null) => None,
            Some(_) => Some(self.integer(reader, key, least, (least, u32::MAX), "config_value")),
        }
    }

    /// A finite number for which `fits` holds.
    pub(super) fn number(
        self,
        reader: &mut Reader,
        key: &str,
        default: f64,
        what: &str,
        fits: impl Fn(f64) -> bool,
    ) -> f64 {
        let Some(value) = self.get(key) else { return default };
        value.as_f64().filter(|number| number.is_finite() && fits(*number)).unwrap_or_else(|| {
            reader.wrong("config_value", self.at(key), format!("`{key}` is {what}."));
            default
        })
    }

    /// As [`Place::number`], from 0 unless said otherwise; null and nothing are no limit.
    pub(super) fn number_or_none(
        self,
        reader: &mut Reader,
        key: &str,
        what: &str,
        fits: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        match self.get(key) {
            None | Some(Value::Null) => None,
            Some(_) => Some(self.number(reader, key, 0.0, what, fits)),
        }
    }

    pub(super) fn flag(self, reader: &mut Reader, key: &str, default: bool) -> bool {
        match self.get(key) {
            None => default,
            Some(Value::Bool(flag)) => *flag,
            Some(_) => {
                reader.wrong("config_value", self.at(key), format!("`{key}` is true or false."));
                default
            }
        }
    }

    /// A text; `None` for nothing, and for null where that is allowed.
    pub(super) fn text(self, reader: &mut Reader, key: &str, may_be_null: bool) -> Option<&'a str> {
        match self.get(key) {
            None => None,
            Some(Value::Null) if may_be_null => None,
            Some(Value::String(text)) => Some(text),
            Some(_) => {
                reader.wrong("config_value", self.at(key), format!("`{key}` is a text."));
                None
            }
        }
    }

    /// One of a few words, exactly; the first is the default.
    pub(super) fn word<T: Copy>(
        self,
        reader: &mut Reader,
        key: &str,
        words: &[(&str, T)],
        default: T,
        code: &'static str,
    ) -> T {
        let Some(value) = self.get(key) else { return default };
        let found = value.as_str().and_then(|text| words.iter().find(|(word, _)| *word == text));
        if let Some((_, meaning)) = found {
            return *meaning;
        }
        let known: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        let message = format!("`{key}` is one of {}.", known.join(", "));
        reader.wrong(code, self.at(key), message);
        default
    }

    /// An object; nothing if it is absent, and for null where that is allowed.
    pub(super) fn object(
        self,
        reader: &mut Reader,
        key: &str,
        may_be_null: bool,
    ) -> Option<&'a Map<String, Value>> {
        match self.get(key) {
            None => None,
            Some(Value::Null) if may_be_null => None,
            Some(Value::Object(members)) => Some(members),
            Some(_) => {
                reader.wrong("config_value", self.at(key), format!("`{key}` is an object."));
                None
            }
        }
    }
}
