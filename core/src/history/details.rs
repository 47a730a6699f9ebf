//! One record in full, read when someone looks at it.

use serde::{Deserialize, Serialize};

use super::id::RecordId;
use super::outcome::Outcome;
use super::view::{RewardView, StoredDeltas};

/// Everything that a record says of one iteration. Absent members are not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Details {
    /// The record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordId>,
    /// Format id.
    pub format: String,
    /// Key of the run as this record states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Number as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    /// Time as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Task description or prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// How the attempt ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The finer word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_detail: Option<String>,
    /// Its reward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward: Option<RewardView>,
    /// Kind of verification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<String>,
    /// Why the agent did what it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// Strategy of this attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Strategy for the next attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy_next: Option<String>,
    /// Named counts: tests, coverage, lint and type errors, changed lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<Counter>,
    /// Tool results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// Errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorDetails>,
    /// Actions, in order; the position is the action index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// Files that the record lists as modified.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Reflections written in this iteration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reflections: Vec<Reflection>,
    /// The window as the record states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<RecordedWindow>,
    /// Deltas as the record states them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<StoredDeltas>,
    /// Named texts without a place of their own: solution, canonical solution, tests, notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<NamedText>,
}

/// A number with its name, as the record spells it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counter {
    /// Member name.
    pub name: String,
    /// Value as written.
    pub value: f64,
}

/// A text with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedText {
    /// Member name.
    pub name: String,
    /// The text, untouched.
    pub text: String,
}

/// Result of one tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Check {
    /// Tool.
    pub tool: String,
    /// `pass`, `fail`, `error`, `skip`, or what the record says instead.
    pub status: String,
    /// Exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// Standard output, untouched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// Standard error, untouched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// One error that the evaluator reported.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ErrorDetails {
    /// Type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Message.
    pub message: String,
    /// File.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line in that file, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    /// Column in that file, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    /// Severity; absent counts as error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
    /// Rule of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Stack trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<String>,
}

/// One action of the agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Action {
    /// Type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Description.
    pub description: String,
    /// File.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Unified diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// Added lines, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additions: Option<i64>,
    /// Deleted lines, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletions: Option<i64>,
    /// Time as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Named as failing by the reflection of the same record.
    pub is_credited: bool,
}

/// A lesson written after an attempt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Reflection {
    /// Position among the reflections of its record.
    pub part: u32,
    /// The text, untouched.
    pub text: String,
    /// Insights.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub insights: Vec<String>,
    /// Lessons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<String>,
    /// Root cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<String>,
    /// Failure category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Causal reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Failing action indices, as written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failing_actions: Vec<i64>,
    /// Confidence, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Numbers of related reflections.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<i64>,
}

/// The window that a record states.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RecordedWindow {
    /// `omega_capacity`, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omega: Option<i64>,
    /// `window_policy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// `reflections_in_context`: numbers after this record was stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Vec<i64>>,
    /// `current_memory_size`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
    /// `total_reflections_generated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<i64>,
    /// `previous_reflections_used`: numbers injected before this attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub injected: Option<Vec<i64>>,
    /// `context_injected`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub injected_flag: Option<bool>,
}
