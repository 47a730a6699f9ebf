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

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::entry::Entry;
use super::number;

/// What happened.
#[derive(Clone, Debug)]
pub(crate) enum EventKind {
    Started {
        max_iterations: u32,
    },
    Generated {
        tries: u32,
        origin: &'static str,
        output: Option<Arc<Value>>,
    },
    Parsed {
        found: bool,
        output: Option<Arc<Value>>,
    },
    Evaluated {
        entry: Arc<Entry>,
        is_full: bool,
    },
    Best {
        score: f64,
    },
    Corrected {
        effect: &'static str,
    },
    Retry {
        step: &'static str,
        r#try: u32,
        delay_ms: f64,
    },
    Warning {
        code: String,
        message: String,
        field: Option<String>,
    },
    Record {
        record: Arc<Value>,
    },
    Stopped {
        reason: &'static str,
        detail: Option<Arc<str>>,
    },
    /// One that was waiting when a snapshot was taken.
    Restored(Map<String, Value>),
}

/// Something that happened in a loop. It becomes JSON only when it is read.
#[derive(Clone, Debug)]
pub struct Event {
    pub(crate) seq: u32,
    pub(crate) iteration: u32,
    pub(crate) candidate: Option<u32>,
    pub(crate) kind: EventKind,
}

impl Event {
    /// Its number, from 1.
    pub fn seq(&self) -> u32 {
        self.seq
    }

    /// The stable spelling of its type.
    pub fn name(&self) -> &str {
        match &self.kind {
            EventKind::Started { .. } => "started",
            EventKind::Generated { .. } => "generated",
            EventKind::Parsed { .. } => "parsed",
            EventKind::Evaluated { .. } => "evaluated",
            EventKind::Best { .. } => "best",
            EventKind::Corrected { .. } => "corrected",
            EventKind::Retry { .. } => "retry",
            EventKind::Warning { .. } => "warning",
            EventKind::Record { .. } => "record",
            EventKind::Stopped { .. } => "stopped",
            EventKind::Restored(members) => {
                members.get("type").and_then(Value::as_str).unwrap_or_default()
            }
        }
    }

    /// The form that crosses a face.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if let EventKind::Restored(members) = &self.kind {
            return members.serialize(to);
        }
        let mut members = to.serialize_map(None)?;
        members.serialize_entry("seq", &self.seq)?;
        members.serialize_entry("type", self.name())?;
        members.serialize_entry("iteration", &self.iteration)?;
        if let Some(candidate) = self.candidate {
            members.serialize_entry("candidate", &candidate)?;
        }
        match &self.kind {
            EventKind::Started { max_iterations } => {
                members.serialize_entry("max_iterations", max_iterations)?;
            }
            EventKind::Generated { tries, origin, output } => {
                members.serialize_entry("try", tries)?;
                members.serialize_entry("origin", origin)?;
                put_output(&mut members, output.as_deref())?;
            }
            EventKind::Parsed { found, output } => {
                members.serialize_entry("found", found)?;
                put_output(&mut members, output.as_deref())?;
            }
            EventKind::Evaluated { entry, is_full: true } => {
                members.serialize_entry("entry", &**entry)?;
            }
            EventKind::Evaluated { entry, is_full: false } => {
                members.serialize_entry("entry", &entry.shown())?;
            }
            EventKind::Best { score } => {
                members.serialize_entry("score", &number::json(*score))?;
            }
            EventKind::Corrected { effect } => members.serialize_entry("effect", effect)?,
            EventKind::Retry { step, r#try, delay_ms } => {
                members.serialize_entry("step", step)?;
                members.serialize_entry("try", r#try)?;
                members.serialize_entry("delay_ms", &number::json(*delay_ms))?;
            }
            EventKind::Warning { code, message, field } => {
                members.serialize_entry("code", code)?;
                members.serialize_entry("message", message)?;
                members.serialize_entry("field", field)?;
            }
            EventKind::Record { record } => members.serialize_entry("record", &**record)?,
            EventKind::Stopped { reason, detail } => {
                members.serialize_entry("stop_reason", reason)?;
                members.serialize_entry("stop_detail", &detail.as_deref())?;
            }
            EventKind::Restored(_) => {}
        }
        members.end()
    }
}

fn put_output<M: SerializeMap>(members: &mut M, output: Option<&Value>) -> Result<(), M::Error> {
    output.map_or(Ok(()), |output| members.serialize_entry("output", output))
}
