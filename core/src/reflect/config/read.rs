//! Reads options with serde, and collects everything that is wrong with them.

use std::borrow::Cow;

use serde_json::{Map, Value};
use serde_path_to_error::Segment;

use super::super::error_code::LoopErrorCode;
use super::super::host::Host;
use super::super::problem::Problem;
use super::super::verdict::Warning;
use super::options::Known;
use crate::json::pointer::escape;
use crate::text::did_you_mean;

/// An object of the configuration, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct ConfigObject<'a> {
    pub(super) members: &'a Map<String, Value>,
    pub(super) pointer: &'a str,
}

impl<'a> ConfigObject<'a> {
    /// The value of a key, unless it is null.
    pub(super) fn given(self, key: &str) -> Option<&'a Value> {
        self.members.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn at(self, key: &str) -> String {
        format!("{}/{}", self.pointer, escape(key))
    }
}

/// What was found while a configuration was read.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) host: &'a Host,
    pub(super) problems: Vec<Problem>,
    /// Each with the place that it is about.
    pub(super) warnings: Vec<(Warning, String)>,
    /// Unknown keys: each with its place, and a sentence about it.
    unknown: Vec<(String, String)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(host: &'a Host) -> Self {
        Self { host, problems: Vec::new(), warnings: Vec::new(), unknown: Vec::new() }
    }

    pub(super) fn wrong(&mut self, code: LoopErrorCode, field: String, message: impl Into<String>) {
        self.problems.push(Problem::new(code, field, message));
    }

    /// Reports a value that is not what was expected.
    pub(super) fn unexpected(
        &mut self,
        code: LoopErrorCode,
        field: String,
        expected: &str,
        found: Option<&Value>,
    ) {
        let name = self.host.spelled(field.rsplit('/').next().unwrap_or_default());
        let message = format!("`{name}` must be {expected}, found {}.", shown(found));
        self.wrong(code, field, message);
    }

    /// Reads the options that `T` names. Each that is wrong is reported, and counts as absent.
    pub(super) fn read<T: Known>(&mut self, place: ConfigObject<'_>) -> T {
        let mut members = Cow::Borrowed(place.members);
        loop {
            let error = match serde_path_to_error::deserialize(&*members) {
                Ok(options) => return options,
                Err(error) => error,
            };
            let path: Vec<String> = error.path().iter().filter_map(part).collect();
            let [key, ..] = &*path else { return T::default() };
            let below = path.iter().fold(String::new(), |below, part| below + "/" + &escape(part));
            let field = format!("{}{below}", place.pointer);
            let message = error.inner().to_string();
            let expected = message.rsplit_once("expected ").map_or(&*message, |(_, what)| what);
            let code = match field.as_str() {
                "/max_iterations" => LoopErrorCode::ConfigMaxIterations,
                "/on_failure" => LoopErrorCode::ConfigOnFailure,
                "/memory/loop_id" | "/memory/name" => LoopErrorCode::ConfigLoopId,
                _ => LoopErrorCode::ConfigValue,
            };
            let found = members.to_mut().shift_remove(key);
            // What is wrong is the value of the option, or something in it.
            let inner = below.get(1 + escape(key).len()..).unwrap_or_default();
            let found = found.as_ref().and_then(|value| value.pointer(inner));
            self.unexpected(code, field, expected, found);
        }
    }

    /// Reads the object of a key with [`Reader::read`]. Null stands for nothing where it may.
    pub(super) fn object<T: Known>(
        &mut self,
        top: ConfigObject<'_>,
        key: &str,
        may_be_null: bool,
    ) -> Option<T> {
        match top.members.get(key) {
            None => None,
            Some(Value::Null) if may_be_null => None,
            Some(Value::Object(members)) => {
                let place = ConfigObject { members, pointer: &top.at(key) };
                self.know(place, &[T::NAMES]);
                Some(self.read(place))
            }
            found => {
                let expected = if may_be_null { "an object, or null" } else { "an object" };
                self.unexpected(LoopErrorCode::ConfigValue, top.at(key), expected, found);
                None
            }
        }
    }

    /// Notes the keys of an object that are none of `known`.
    pub(super) fn know(&mut self, place: ConfigObject<'_>, known: &[&[&'static str]]) {
        let known = known.concat();
        let mut offered: Vec<&str> = known.iter().map(|name| self.host.spelled(name)).collect();
        if place.pointer.is_empty() {
            offered.extend(self.host.options.iter().map(String::as_str));
        }
        for key in place.members.keys().filter(|key| !known.contains(&key.as_str())) {
            let message = format!("Unknown option `{key}`.{}", did_you_mean(key, &offered));
            self.unknown.push((place.at(key), message));
        }
    }

    /// Makes the unknown keys warnings, or the first problems: an option that is misspelt is missing, too.
    pub(super) fn report_unknown(&mut self, is_error: bool) {
        for (at, (field, message)) in std::mem::take(&mut self.unknown).into_iter().enumerate() {
            if is_error {
                let problem = Problem::new(LoopErrorCode::ConfigUnknownKey, field, message);
                self.problems.insert(at, problem);
            } else {
                self.warnings
                    .push((Warning::new(LoopErrorCode::ConfigUnknownKey.as_str(), message), field));
            }
        }
    }
}

fn part(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Map { key } => Some(key.clone()),
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Enum { .. } | Segment::Unknown => None,
    }
}

/// A value as a message shows it.
fn shown(value: Option<&Value>) -> String {
    match value {
        None => "nothing".to_owned(),
        Some(Value::Object(_)) => "an object".to_owned(),
        Some(value) => {
            let text = value.to_string();
            if text.chars().nth(60).is_none() {
                return text;
            }
            if value.is_array() { "an array".to_owned() } else { "a long string".to_owned() }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::options::{Options, Retry};
    use super::*;

    #[test]
    fn what_was_meant_may_be_an_option_of_the_host() {
        let config = json!({"onevnt": 1, "max_iteration": 2, "zzzzzz": 3});
        let spelling = [("max_iterations".to_owned(), "maxIterations".to_owned())].into();
        let host = Host { options: vec!["onEvent".to_owned()], spelling, ..Host::default() };
        let mut reader = Reader::new(&host);
        let members = config.as_object().expect("an object");
        reader.know(ConfigObject { members, pointer: "" }, &[Options::NAMES]);
        reader.report_unknown(false);
        let messages: Vec<_> = reader.warnings.iter().map(|(one, _)| &*one.message).collect();
        assert_eq!(
            messages,
            [
                "Unknown option `onevnt`. Did you mean `onEvent`?",
                "Unknown option `max_iteration`. Did you mean `maxIterations`?",
                "Unknown option `zzzzzz`.",
            ]
        );
    }

    #[test]
    fn every_wrong_value_is_reported_with_its_place_and_what_was_expected() {
        let config = json!({"retry": {
            "max": "three", "factor": 0.5, "jitter": null, "on": ["all"], "initial_ms": 7,
        }});
        let host = Host::default();
        let mut reader = Reader::new(&host);
        let members = config.as_object().expect("an object");
        let retry = reader.object(ConfigObject { members, pointer: "" }, "retry", false);
        assert_eq!(retry, Some(Retry { initial_ms: 7.0, ..Retry::default() }));
        let reported: Vec<_> =
            reader.problems.iter().map(|one| (one.field.as_str(), one.message.as_str())).collect();
        let words = "`generate`, `evaluate`, `correct`, `resolve`";
        assert_eq!(
            reported,
            [
                ("/retry/max", "`max` must be an integer ≥ 0, found \"three\"."),
                ("/retry/factor", "`factor` must be a number ≥ 1, found 0.5."),
                ("/retry/jitter", "`jitter` must be a number from 0 to 1, found null."),
                ("/retry/on", &*format!("`on` must be an array of {words}, found [\"all\"].")),
            ]
        );
    }
}
