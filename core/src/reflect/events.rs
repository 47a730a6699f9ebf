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
//! | `record` | `record` (section 16) |
//! | `stopped` | `stop_reason`, `stop_detail` (text or null) |

use std::sync::Arc;

use serde_json::{Map, Value, json};

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
        let mut members = Map::new();
        let mut put = |key: &str, value: Value| {
            members.insert(key.to_owned(), value);
        };
        if let EventKind::Restored(members) = &self.kind {
            return Value::Object(members.clone());
        }
        put("seq", self.seq.into());
        put("type", self.name().into());
        put("iteration", self.iteration.into());
        if let Some(candidate) = self.candidate {
            put("candidate", candidate.into());
        }
        let output = |put: &mut dyn FnMut(&str, Value), output: &Option<Arc<Value>>| {
            if let Some(output) = output {
                put("output", (**output).clone());
            }
        };
        match &self.kind {
            EventKind::Started { max_iterations } => put("max_iterations", json!(max_iterations)),
            EventKind::Generated { tries, origin, output: shown } => {
                put("try", json!(tries));
                put("origin", json!(origin));
                output(&mut put, shown);
            }
            EventKind::Parsed { found, output: shown } => {
                put("found", json!(found));
                output(&mut put, shown);
            }
            EventKind::Evaluated { entry, is_full } => {
                put("entry", if *is_full { entry.to_value() } else { entry.without_output() });
            }
            EventKind::Best { score } => put("score", number::json(*score)),
            EventKind::Corrected { effect } => put("effect", json!(effect)),
            EventKind::Retry { step, r#try, delay_ms } => {
                put("step", json!(step));
                put("try", json!(r#try));
                put("delay_ms", number::json(*delay_ms));
            }
            EventKind::Warning { code, message, field } => {
                put("code", json!(code));
                put("message", json!(message));
                put("field", json!(field));
            }
            EventKind::Record { record } => put("record", (**record).clone()),
            EventKind::Stopped { reason, detail } => {
                put("stop_reason", json!(reason));
                put("stop_detail", json!(detail));
            }
            EventKind::Restored(_) => {}
        }
        Value::Object(members)
    }
}
