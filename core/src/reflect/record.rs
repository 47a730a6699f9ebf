//! An attempt as a record of reflection memory.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a record says that its entry does not know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordContext {
    /// Must match `^ralph-[a-z0-9-]+$`.
    pub loop_id: String,
    /// Date and time at which the attempt was complete, RFC 3339.
    pub at: String,
    /// The task.
    pub task_description: Option<String>,
    /// The generator's configuration (`{action}`, `{run, language}`), or null for a callback.
    pub generator: Value,
    /// The corrector's, as `generator`.
    pub corrector: Value,
    /// Each evaluator's configuration: `type`, `name`, `verification_type`.
    pub evaluators: Vec<Value>,
    /// The entry before, for the delta.
    pub previous: Option<Value>,
    /// Number of candidate to which state the generator saw a correction's context: strategy
    /// `regenerated with context`.
    pub has_context: bool,
    /// Ω, 1 to 10.
    pub omega: Option<u8>,
    /// `fifo`, `recency` or `relevance_weighted`.
    pub policy: Option<String>,
    /// Iterations, from 0, of the reflections in the window after this record was taken in.
    pub reflections_in_context: Vec<i64>,
    /// Reflections so far, this one included.
    pub total_reflections: Option<u64>,
    /// Feedback or memory was not empty in the step.
    pub context_injected: bool,
    /// Iterations, from 0, that the feedback window held.
    pub previous_reflections_used: Vec<i64>,
    /// On the last record: the stop reason.
    pub notes: Option<String>,
}

/// Turns an entry of a loop's history into a record of reflection memory (loop.md, section 16).
///
/// The record is valid by the schema of records if `loop_id` and `at` are; without a usable `at`
/// there is none.
pub fn to_record(entry: &Value, context: &RecordContext) -> Option<Value> {
    let _ = (entry, context);
    None
}
