//! The result of a loop.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::history::History;

/// The result of a loop: a JSON object. The object is built only on first access; serializing the result
/// does not build it.
#[derive(Clone)]
pub struct LoopResult(Arc<Parts>);

struct Parts {
    /// Members before the history, and after it.
    before: Map<String, Value>,
    history: History,
    after: Map<String, Value>,
    value: OnceLock<Value>,
}

impl LoopResult {
    pub(super) fn new(
        before: Map<String, Value>,
        history: History,
        after: Map<String, Value>,
    ) -> Self {
        Self(Arc::new(Parts { before, history, after, value: OnceLock::new() }))
    }
}

impl Deref for LoopResult {
    type Target = Value;

    fn deref(&self) -> &Value {
        self.0.value.get_or_init(|| serde_json::to_value(&*self.0).unwrap_or_default())
    }
}

impl From<Value> for LoopResult {
    fn from(value: Value) -> Self {
        let (before, history, after) = Default::default();
        Self(Arc::new(Parts { before, history, after, value: value.into() }))
    }
}

impl PartialEq for LoopResult {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for LoopResult {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(to)
    }
}

impl Serialize for LoopResult {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0.value.get() {
            Some(value) => value.serialize(to),
            None => self.0.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for LoopResult {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Value::deserialize(from).map(Self::from)
    }
}

impl Serialize for Parts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut members = to.serialize_map(None)?;
        for (key, value) in &self.before {
            members.serialize_entry(key, value)?;
        }
        members.serialize_entry("reflection_history", &self.history)?;
        for (key, value) in &self.after {
            members.serialize_entry(key, value)?;
        }
        members.end()
    }
}
