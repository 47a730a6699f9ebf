//! What whoever drives a loop can do.

use std::collections::BTreeMap;

use serde::Deserialize as _;
use serde_json::Value;

use super::error::{LoopError, LoopErrorType};
use super::error_code::LoopErrorCode;
use crate::validate::labels::shown;
use crate::validate::schema::is_loop_id_byte;

/// The names that a host knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// Whatever the configuration names.
    Any,
    /// These and no others.
    Only(Vec<String>),
}

impl Names {
    /// Whether the host knows `name`.
    pub fn know(&self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Only(names) => names.iter().any(|known| known == name),
        }
    }
}

/// What the host declares before anything is called.
///
/// As JSON `{llm: bool, actions: [names] or "any", languages: [names] or "any", clock: bool,
/// loop_suffix: text, options: [names], spelling: {name: text}, aborted: text or null}`; what is absent is not
/// there: no model, no action, no language, no clock, no suffix, no options or spelling of its own, no
/// abort. A host with `llm` that also runs `llm.call` lists it among its actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Answers `evaluate_llm`, and `correct` with a prompt.
    pub llm: bool,
    /// Actions that `generate` and `correct` may name.
    pub actions: Names,
    /// Languages of inline code.
    pub languages: Names,
    /// Replies carry `now`, and the start is given one.
    pub clock: bool,
    /// A text of letters a to z, digits and hyphens that no other loop has: it ends the `loop_id` of
    /// the records, so that records of several loops are several runs. Empty: nothing is appended. Only
    /// a start reads this member; a snapshot keeps it.
    pub loop_suffix: String,
    /// Options that the host takes itself, beside the configuration: what was meant by an unknown key may
    /// be one of them.
    pub options: Vec<String>,
    /// How callers of the host spell options, where it differs from here: messages name what they wrote.
    pub spelling: BTreeMap<String, String>,
    /// Set if the loop was aborted before its start: it ends before round 1, with
    /// `stop_reason: aborted` and this text as `stop_detail`. A configuration that is wrong is still
    /// refused. Only a start reads this member.
    pub aborted: Option<String>,
}

impl Default for Host {
    /// A host that has callbacks only.
    fn default() -> Self {
        Self {
            llm: false,
            actions: Names::Only(Vec::new()),
            languages: Names::Only(Vec::new()),
            clock: false,
            loop_suffix: String::new(),
            options: Vec::new(),
            spelling: BTreeMap::new(),
            aborted: None,
        }
    }
}

impl Host {
    /// A host that takes every action and language and has a model and a clock.
    pub const fn any() -> Self {
        Self {
            llm: true,
            actions: Names::Any,
            languages: Names::Any,
            clock: true,
            loop_suffix: String::new(),
            options: Vec::new(),
            spelling: BTreeMap::new(),
            aborted: None,
        }
    }

    /// An option as callers of the host spell it.
    pub(crate) fn spelled<'a>(&'a self, option: &'a str) -> &'a str {
        self.spelling.get(option).map_or(option, String::as_str)
    }

    /// Reads the JSON form; further keys are ignored.
    ///
    /// # Errors
    ///
    /// Type `config`, code `config_value`, for a member of another type.
    pub fn from_value(value: &Value) -> Result<Self, LoopError> {
        let Value::Object(members) = value else {
            return Err(wrong("", "must be an object", Some(value)));
        };
        let given = |key: &str| members.get(key).filter(|given| !given.is_null());
        let flag = |key: &str| {
            given(key)
                .map_or(Some(false), Value::as_bool)
                .ok_or_else(|| wrong(key, "must be a boolean", given(key)))
        };
        let names = |key: &str| match given(key) {
            None => Ok(Names::Only(Vec::new())),
            Some(Value::String(word)) if word == "any" => Ok(Names::Any),
            Some(Value::Array(names)) => names
                .iter()
                .map(|name| name.as_str().map(str::to_owned))
                .collect::<Option<Vec<_>>>()
                .map(Names::Only)
                .ok_or_else(|| wrong(key, "must be an array of strings", given(key))),
            found => Err(wrong(key, "must be an array of strings or \"any\"", found)),
        };
        let loop_suffix = match given("loop_suffix") {
            None => String::new(),
            Some(Value::String(text)) if text.bytes().all(is_loop_id_byte) => text.clone(),
            found => {
                return Err(wrong(
                    "loop_suffix",
                    "must be letters a to z, digits and hyphens",
                    found,
                ));
            }
        };
        Ok(Self {
            llm: flag("llm")?,
            actions: names("actions")?,
            languages: names("languages")?,
            clock: flag("clock")?,
            loop_suffix,
            options: match names("options")? {
                Names::Only(names) => names,
                Names::Any => Vec::new(),
            },
            spelling: given("spelling").map_or(Ok(BTreeMap::new()), |spelling| {
                BTreeMap::deserialize(spelling)
                    .map_err(|_| wrong("spelling", "must be an object of strings", Some(spelling)))
            })?,
            aborted: given("aborted")
                .map(|reason| reason.as_str().map(str::to_owned))
                .map(|reason| {
                    reason.ok_or_else(|| wrong("aborted", "must be a string", given("aborted")))
                })
                .transpose()?,
        })
    }
}

fn wrong(key: &str, what: &str, found: Option<&Value>) -> LoopError {
    let (field, whose) = match key {
        "" => ("/host".to_owned(), "The host".to_owned()),
        _ => (format!("/host/{key}"), format!("`{key}` of the host")),
    };
    let found = found.map_or_else(|| "nothing".to_owned(), shown);
    let message = format!("{whose} {what}, found {found}.");
    LoopError::new(LoopErrorType::Config, LoopErrorCode::ConfigValue, message)
        .with_field(Some(field))
}
