//! Records of reflection memory that a loop has, and the window that they go through.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::config::Memory;
use crate::window::ReflectionWindow;
use crate::window::render::Layout;

/// Records of a loop, and the window that they go through.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Memories {
    /// Of this loop and no other, where the host gave it a suffix.
    pub(super) loop_id: String,
    /// What earlier runs left, as text for a prompt.
    #[serde(skip)]
    pub(super) found: String,
    /// Of this run's own records.
    #[serde(skip)]
    pub(super) window: Option<ReflectionWindow>,
    pub(super) records: Vec<Arc<Value>>,
    /// The attempt that becomes the next record, with the time at which it was complete: it waits
    /// for what the corrector has to say.
    pub(super) due: Option<(usize, Option<String>)>,
    /// The attempt that became the last record.
    pub(super) previous: Option<usize>,
    /// What the generator of the round was given (see [`RecordContext`]).
    pub(super) context: Context,
    pub(crate) has_context: bool,
}

/// What the steps of a round were given.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Context {
    pub(super) is_injected: bool,
    pub(super) used: Vec<i64>,
    pub(super) is_regenerated: bool,
}

impl Memories {
    pub(crate) fn new(memory: Option<&Memory>) -> Self {
        let Some(memory) = memory else { return Self::default() };
        let window = || ReflectionWindow::new(memory.omega, memory.policy).ok();
        let found = window().map(|mut found| {
            for record in numbered(&memory.records).iter() {
                found.push(record.to_string().as_bytes());
            }
            found.render(Layout::default())
        });
        Self {
            loop_id: memory.loop_id.clone().unwrap_or_default(),
            found: found.unwrap_or_default(),
            window: window(),
            ..Self::default()
        }
    }

    /// What a snapshot kept, with what the configuration says.
    pub(super) fn with(self, memory: Option<&Memory>) -> Self {
        let mut this = Self { records: self.records, ..Self::new(memory) };
        if let Some(window) = &mut this.window {
            for record in &this.records {
                window.push(record.to_string().as_bytes());
            }
        }
        Self { found: this.found, window: this.window, records: this.records, ..self }
    }
}

/// Records of several runs may have the same `iteration`, and a window keeps only one of each. In that
/// case all records are numbered in their order.
fn numbered(records: &[Value]) -> Cow<'_, [Value]> {
    let numbers: BTreeSet<Option<i64>> =
        records.iter().map(|record| record.get("iteration").and_then(Value::as_i64)).collect();
    if numbers.len() == records.len() {
        return Cow::Borrowed(records);
    }
    let mut records = records.to_vec();
    for (number, record) in records.iter_mut().enumerate() {
        if let Value::Object(members) = record {
            members.insert("iteration".to_owned(), number.into());
        }
    }
    Cow::Owned(records)
}
