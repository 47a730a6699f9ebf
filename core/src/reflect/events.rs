//! What happened, in order.
//!
//! As JSON every event is `{seq, type, iteration, candidate?, …}`; `seq` counts from 1 without
//! gaps, `iteration` is 0 before the first round, `candidate` stands where there are several.
//!
//! | type | further members |
//! |---|---|
//! | `started` | `max_iterations` |
//! | `generated` | `try`; `origin`: `generated` or `corrected`; `output` as it came, with `events: full` |
//! | `parsed` | `found`; `output` after parsing, with `events: full` |
//! | `evaluated` | `entry`, without `output` and `raw_output` unless `events: full` |
//! | `best` | `score` |
//! | `corrected` | `effect`: `candidate`, `context`, `not_merged`, `none` or `failed` |
//! | `retry` | `step` (its type), `try` (the one to come), `delay_ms` |
//! | `warning` | `code`, `message`, `field` or null |
//! | `record` | `record` (docs/spec/loop.md, 16) |
//! | `stopped` | `stop_reason`, `stop_detail` (text or null) |

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use serde_with_macros::skip_serializing_none;
use strum::IntoStaticStr;

use super::entry::{Entry, Origin};
use super::number;
use super::stop_reason::StopReason;
use crate::labels::labels;

labels! {
    /// What kind of event it is.
    EventType {
        /// The loop has begun.
        Started = "started",
        /// A call returned an output.
        Generated = "generated",
        /// An output was parsed.
        Parsed = "parsed",
        /// An output was judged.
        Evaluated = "evaluated",
        /// It is the best one so far.
        Best = "best",
        /// A correction came.
        Corrected = "corrected",
        /// A call will be made again.
        Retry = "retry",
        /// Something is odd, and the loop goes on.
        Warning = "warning",
        /// A record of reflection memory was made.
        Record = "record",
        /// The loop has ended.
        Stopped = "stopped",
    }
}

/// What happened.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, IntoStaticStr)]
#[serde(untagged)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub(crate) enum EventKind {
    Started {
        max_iterations: u32,
    },
    Generated {
        r#try: u32,
        origin: Origin,
        output: Option<Arc<Value>>,
    },
    Parsed {
        found: bool,
        output: Option<Arc<Value>>,
    },
    Evaluated {
        entry: Arc<Entry>,
    },
    #[strum(serialize = "evaluated")]
    EvaluatedBrief {
        #[serde(serialize_with = "Entry::brief")]
        entry: Arc<Entry>,
    },
    Best {
        #[serde(serialize_with = "number::plain")]
        score: f64,
    },
    Corrected {
        effect: &'static str,
    },
    Retry {
        step: &'static str,
        r#try: u32,
        #[serde(serialize_with = "number::plain")]
        delay_ms: f64,
    },
    Warning {
        code: String,
        message: String,
        #[serialize_always]
        field: Option<String>,
    },
    Record {
        record: Arc<Value>,
    },
    Stopped {
        stop_reason: StopReason,
        #[serialize_always]
        stop_detail: Option<Arc<str>>,
    },
    /// One that was waiting when a snapshot was taken. It keeps the type that it had.
    #[strum(serialize = "")]
    Restored(Map<String, Value>),
}

/// Something that happened in a loop. It becomes JSON only when it is read.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Event {
    pub(crate) seq: u32,
    pub(crate) r#type: EventType,
    pub(crate) iteration: u32,
    pub(crate) candidate: Option<u32>,
    #[serde(flatten, deserialize_with = "restored")]
    pub(crate) kind: EventKind,
}

impl Event {
    /// Its number, from 1.
    pub fn seq(&self) -> u32 {
        self.seq
    }

    /// What kind of event it is.
    pub fn event_type(&self) -> EventType {
        self.r#type
    }

    /// The form that crosses a face.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Its members beside those that all events have.
fn restored<'de, D: Deserializer<'de>>(from: D) -> Result<EventKind, D::Error> {
    Map::deserialize(from).map(EventKind::Restored)
}
