//! The result of a loop.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use serde_with_macros::skip_serializing_none;

use super::history::History;
use super::number;
use super::stop_reason::StopReason;

/// The result of a loop: a JSON object. The object is built only on first access; serializing the result
/// does not build it.
#[derive(Clone)]
pub struct LoopResult(Arc<Parts>);

struct Parts {
    /// Absent where there was a value from the start.
    members: Option<Members>,
    value: OnceLock<Value>,
}

/// The members of a result, in their order.
#[skip_serializing_none]
#[derive(Serialize)]
pub(super) struct Members {
    pub(super) success: bool,
    pub(super) valid: bool,
    pub(super) exhausted: Option<bool>,
    pub(super) stop_reason: StopReason,
    pub(super) stop_detail: Option<String>,
    pub(super) reflection_iteration: u32,
    pub(super) reflection_output: Arc<Value>,
    pub(super) reflection_errors: Arc<Vec<Value>>,
    pub(super) reflection_history: History,
    pub(super) reflection_best: Arc<Value>,
    #[serialize_always]
    #[serde(serialize_with = "number::plain")]
    pub(super) reflection_best_score: Option<f64>,
    pub(super) reflection_suggestions: Arc<Vec<Value>>,
    pub(super) reflection_feedback: Arc<str>,
    pub(super) usage: Value,
    pub(super) warnings: Vec<Value>,
    pub(super) records: Vec<Arc<Value>>,
    /// Those of the output, as far as they have other names.
    #[serde(flatten)]
    pub(super) output: Map<String, Value>,
}

impl From<Members> for LoopResult {
    fn from(members: Members) -> Self {
        Self(Arc::new(Parts { members: Some(members), value: OnceLock::new() }))
    }
}

impl Deref for LoopResult {
    type Target = Value;

    fn deref(&self) -> &Value {
        self.0.value.get_or_init(|| serde_json::to_value(&self.0.members).unwrap_or_default())
    }
}

impl From<Value> for LoopResult {
    fn from(value: Value) -> Self {
        Self(Arc::new(Parts { members: None, value: value.into() }))
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
            None => self.0.members.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for LoopResult {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Value::deserialize(from).map(Self::from)
    }
}
