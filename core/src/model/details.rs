//! One record in full, read when someone looks at it.

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::id::RecordId;
use super::outcome::Outcome;
use super::view::{RewardView, StoredDeltas};
use crate::sketch::ReflectionSketch;

/// Everything that a record says of one iteration. Absent members are not known.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Details {
    /// The record.
    pub record: Option<RecordId>,
    /// Format id.
    pub format: String,
    /// Key of the run as this record states it.
    pub key: Option<String>,
    /// Number as written.
    pub number: Option<i64>,
    /// Time as written: when the attempt ended.
    pub time: Option<String>,
    /// Time as written: when it began.
    pub start: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<f64>,
    /// Task description or prompt.
    pub task: Option<String>,
    /// How the attempt ended.
    pub outcome: Option<Outcome>,
    /// The finer word.
    pub outcome_detail: Option<String>,
    /// Its reward.
    pub reward: Option<RewardView>,
    /// What the record says against a reward that was counted from it (`reward/refuted`).
    pub refutation: Option<String>,
    /// Parts that the reward was weighed of, each 0..1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breakdown: Vec<Counter>,
    /// Other rewards of the same attempt, which make series of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<NamedReward>,
    /// Steps inside the attempt that were rated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<SubStep>,
    /// Kind of verification.
    pub verification: Option<String>,
    /// Why the agent did what it did.
    pub rationale: Option<String>,
    /// Strategy of this attempt.
    pub strategy: Option<String>,
    /// Strategy for the next attempt.
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
    pub window: Option<RecordedWindow>,
    /// Reflections that were really put before the agent, of this run or others; empty: none was.
    pub retrieved: Option<Vec<Retrieved>>,
    /// Deltas as the record states them.
    pub stored: Option<StoredDeltas>,
    /// What the attempt took.
    pub usage: Option<Usage>,
    /// Words that qualify the attempt: `approximate`, `attempts-unknown`, `human-override`,
    /// `last-trial`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
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

impl Counter {
    /// The value of the first counter with a name.
    pub(crate) fn find(counters: &[Self], name: &str) -> Option<f64> {
        counters.iter().find(|counter| counter.name == name).map(|counter| counter.value)
    }
}

/// A text with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedText {
    /// Member name.
    pub name: String,
    /// The text, untouched.
    pub text: String,
}

/// A reward with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedReward {
    /// Member name.
    pub name: String,
    /// The reward.
    pub reward: RewardView,
}

/// A rated step inside an attempt.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubStep {
    /// Number as written.
    pub number: i64,
    /// Its reward, if it has one.
    pub reward: Option<RewardView>,
}

/// A reflection that a record says was put before the agent.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Retrieved {
    /// Key of the run that wrote it.
    pub key: String,
    /// Number of the attempt that wrote it.
    pub number: i64,
    /// The reflection, untouched.
    pub text: String,
    /// Reward of that attempt as written.
    pub reward: Option<f64>,
    /// How similar the store found it, as written.
    pub similarity: Option<f64>,
    /// When that attempt was made, as written.
    pub time: Option<String>,
}

/// What an attempt or a run took. Absent: the provider did not say.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Tokens in all.
    pub tokens: Option<f64>,
    /// Tokens of the prompt.
    pub input_tokens: Option<f64>,
    /// Tokens of the answer.
    pub output_tokens: Option<f64>,
    /// Calls of tools.
    pub tool_calls: Option<f64>,
    /// US dollars.
    pub cost_usd: Option<f64>,
    /// Milliseconds.
    pub ms: Option<f64>,
}

/// Result of one tool.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Check {
    /// Tool.
    pub tool: String,
    /// `pass`, `fail`, `error`, `skip`, or what the record says instead.
    pub status: String,
    /// Exit code.
    pub exit_code: Option<i64>,
    /// Milliseconds.
    pub duration_ms: Option<f64>,
    /// Standard output, untouched.
    pub stdout: Option<String>,
    /// Standard error, untouched.
    pub stderr: Option<String>,
}

/// One error that the evaluator reported.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ErrorDetails {
    /// Type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Message.
    pub message: String,
    /// File.
    pub file: Option<String>,
    /// Line in that file, as written.
    pub line: Option<i64>,
    /// Column in that file, as written.
    pub column: Option<i64>,
    /// Severity; absent counts as error.
    pub severity: Option<String>,
    /// Rule of the tool.
    pub rule: Option<String>,
    /// Stack trace.
    pub stack: Option<String>,
}

impl ErrorDetails {
    /// One of which nothing but the message is known.
    pub(crate) fn other(message: String) -> Self {
        Self { kind: "other".to_owned(), message, ..Self::default() }
    }
}

/// One action of the agent.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Action {
    /// Type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Description.
    pub description: String,
    /// File.
    pub path: Option<String>,
    /// Command.
    pub command: Option<String>,
    /// Unified diff.
    pub diff: Option<String>,
    /// Added lines, as written.
    pub additions: Option<i64>,
    /// Deleted lines, as written.
    pub deletions: Option<i64>,
    /// Time as written.
    pub time: Option<String>,
    /// Tool that was called.
    pub tool: Option<String>,
    /// Parameters of the call, as JSON text.
    pub params: Option<String>,
    /// Whether it worked.
    pub success: Option<bool>,
    /// What came out, untouched.
    pub output: Option<String>,
    /// Why it was done.
    pub reasoning: Option<String>,
    /// What was expected of it.
    pub expected: Option<String>,
    /// Named as failing by the reflection of the same record.
    pub is_credited: bool,
}

impl Action {
    /// One of which nothing but this is known.
    pub(crate) fn described(description: String) -> Self {
        Self { kind: "other".to_owned(), description, ..Self::default() }
    }

    /// One of which nothing is known but what came out.
    pub(crate) fn of_output(output: String) -> Self {
        Self { output: Some(output), ..Self::described(String::new()) }
    }
}

/// A lesson written after an attempt.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Reflection {
    /// Position among the reflections of its record.
    pub part: u32,
    /// The text, untouched.
    pub text: String,
    /// Kind, as written: `error_analysis`, `evaluator-feedback`.
    pub kind: Option<String>,
    /// Insights.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub insights: Vec<String>,
    /// Lessons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<String>,
    /// Root cause.
    pub root_cause: Option<String>,
    /// Failure category.
    pub category: Option<String>,
    /// Causal reasoning.
    pub reasoning: Option<String>,
    /// Failing action indices, as written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failing_actions: Vec<i64>,
    /// Confidence, as written.
    pub confidence: Option<f64>,
    /// Numbers of related reflections.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<i64>,
    /// `helpful`, `neutral` or `unhelpful`, as its writer judged it.
    pub effectiveness: Option<String>,
    /// What caused it to be written: `failure`, `success`, `timeout`, `manual`.
    pub trigger: Option<String>,
    /// Time as written, where it is not that of the attempt.
    pub time: Option<String>,
}

impl Reflection {
    /// One of which nothing but the text is known.
    pub(crate) fn of(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// What an evaluator said, which stands in the place of one.
    pub(crate) fn of_evaluator(text: String) -> Self {
        Self { kind: Some("evaluator-feedback".to_owned()), ..Self::of(text) }
    }

    /// Lessons that the record gives as such.
    pub(crate) fn declared(&self) -> impl Iterator<Item = &String> {
        self.lessons.iter().chain(&self.insights)
    }

    /// What rules compare of it.
    pub(crate) fn sketch(&self) -> ReflectionSketch {
        ReflectionSketch::new(&self.text, self.declared())
    }
}

/// The window that a record states.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RecordedWindow {
    /// `omega_capacity`, as written.
    pub omega: Option<i64>,
    /// `window_policy`.
    pub policy: Option<String>,
    /// `reflections_in_context`: numbers after this record was stored.
    pub after: Option<Vec<i64>>,
    /// `current_memory_size`.
    pub size: Option<i64>,
    /// `total_reflections_generated`.
    pub total: Option<i64>,
    /// `previous_reflections_used`: numbers injected before this attempt.
    pub injected: Option<Vec<i64>>,
    /// `context_injected`.
    pub injected_flag: Option<bool>,
}

impl RecordedWindow {
    /// Whether reflections were injected, as far as the record says it: without the flag, a list that
    /// is not empty says enough.
    pub(crate) fn has_injected(&self) -> Option<bool> {
        let has_any = self.injected.as_ref().map(|list| !list.is_empty());
        match self.injected_flag {
            Some(false) => Some(false),
            Some(true) => has_any,
            None => has_any.filter(|has_any| *has_any),
        }
    }
}
