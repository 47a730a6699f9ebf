//! What a memory answers, as data.

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::{
    AttemptOutcome, MemoryWrite, Record, ReflectionText, StoredLine, TaskLesson, TaskStatus,
};
use crate::insight::retries::Retries;
use crate::model::finding::Finding;

/// The result of a call: the answer, the findings, and what the host has to write, in this order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryDone {
    /// The answer.
    pub answer: MemoryAnswer,
    /// Problems found in what was read, or in the request.
    pub findings: Vec<MemoryFinding>,
    /// What to write, one after the other.
    pub writes: Vec<MemoryWrite>,
}

/// A finding, and the file or folder that it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryFinding {
    /// The file or folder, below the root of the memory.
    pub path: String,
    /// The finding itself.
    #[serde(flatten)]
    pub finding: Finding,
}

/// The answer to a [`MemoryRequest`](super::MemoryRequest). In JSON `kind` says which one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum MemoryAnswer {
    /// A task was opened, or its status changed.
    Task(TaskAnswer),
    /// An attempt has begun.
    Attempt(AttemptAnswer),
    /// An action is logged.
    Action(ActionAnswer),
    /// A file of an iteration is kept.
    Result(ResultAnswer),
    /// An attempt has ended.
    Completed(CompletedAnswer),
    /// A reflection is added.
    Reflected(ReflectedAnswer),
    /// What a task remembers.
    History(Box<TaskHistory>),
    /// Tasks by relevance.
    Found(FoundTasks),
    /// Retries, counted.
    Improvement(ImprovementAnswer),
    /// A reflection of a loop is stored.
    Iteration(Box<IterationAnswer>),
    /// What was inspected.
    Health(HealthAnswer),
}

/// A task as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskAnswer {
    /// Its id.
    pub task: String,
    /// Its status.
    pub status: TaskStatus,
    /// When, as written.
    pub time: String,
}

/// An attempt that has begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptAnswer {
    /// Id of the task.
    pub task: String,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// When, as written.
    pub time: String,
    /// What the agent begins with, as `plan.md` has it.
    pub plan: String,
    /// Reflections of earlier attempts that the plan takes in, oldest first, as they are stored.
    pub reflections: Vec<Record>,
}

/// An action that is logged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionAnswer {
    /// Id of the task.
    pub task: String,
    /// Number of the attempt.
    pub attempt: u32,
    /// How many actions the attempt has with it, as far as `attempt.json` knows.
    pub actions: u32,
    /// When, as written.
    pub time: String,
}

/// An attempt that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletedAnswer {
    /// Id of the task.
    pub task: String,
    /// Number of the attempt.
    pub attempt: u32,
    /// How it ended.
    pub outcome: AttemptOutcome,
    /// What became of the task.
    pub status: TaskStatus,
    /// When, as written.
    pub time: String,
    /// The reflections that were stored: on the attempt, and on the task where this ended it.
    pub reflections: Vec<Record>,
    /// The first of them in the template of the memory (layout `episodic`).
    pub rendered: String,
}

/// A reflection that is added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReflectedAnswer {
    /// Id of the task.
    pub task: String,
    /// Number of the attempt.
    pub attempt: u32,
    /// When, as written.
    pub time: String,
    /// As it is stored.
    pub reflection: Record,
    /// In the template of the memory (layout `episodic`).
    pub rendered: String,
}

/// What a task remembers. Records are as they are stored, whatever members they have.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskHistory {
    /// Id of the task.
    pub task: String,
    /// `metadata.json`.
    pub metadata: Option<Record>,
    /// `summary.json`.
    pub summary: Option<Record>,
    /// The attempts that were asked for, in order.
    pub attempts: Vec<AttemptHistory>,
    /// The reflections that were asked for, in their order.
    pub reflections: Vec<Record>,
    /// Actions that fit and that `limit` left out.
    pub actions_left_out: u32,
    /// Reflections that fit and that `limit` left out.
    pub reflections_left_out: u32,
}

/// One attempt.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptHistory {
    /// Its number.
    pub attempt: u32,
    /// How it ended; absent if it has not ended, or if that is unknown.
    pub outcome: Option<AttemptOutcome>,
    /// `attempt.json`.
    pub record: Option<Record>,
    /// `outcome.json`.
    pub ending: Option<Record>,
    /// `plan.md`.
    pub plan: Option<String>,
    /// The actions that were asked for, in their order.
    pub actions: Vec<StoredLine>,
    /// How many actions it has.
    pub action_count: u32,
    /// What its iterations have made, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<IterationResults>,
}

/// The files of `results/iter-NNN`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IterationResults {
    /// Number of the iteration.
    pub iteration: u32,
    /// By name.
    pub files: Vec<ResultFile>,
}

/// A file that an iteration has made.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultFile {
    /// Its name.
    pub name: String,
    /// The file, below the root of the memory.
    pub path: String,
    /// What it holds, if that was asked for.
    pub text: Option<String>,
    /// What it holds where that is no text, as base64.
    pub base64: Option<String>,
}

/// A file of an iteration that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultAnswer {
    /// Id of the task.
    pub task: String,
    /// Number of the attempt.
    pub attempt: u32,
    /// Number of the iteration.
    pub iteration: u32,
    /// The file, below the root of the memory.
    pub path: String,
}

/// Tasks and reflections by relevance, best first; of equal ones the first by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundTasks {
    /// Those that share a word; all of them where there is no query.
    pub tasks: Vec<FoundTask>,
    /// Tasks that were compared.
    pub compared: u32,
    /// What iterations of loops taught and `reflect` stored, best first; only a search by words finds any.
    pub reflections: Vec<FoundReflection>,
}

/// A reflection of a loop that shares words with a query.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundReflection {
    /// Id of the loop.
    #[serde(rename = "loop")]
    pub loop_id: String,
    /// Number of the iteration.
    pub iteration: u32,
    /// BM25 among the iterations; only the order means something.
    pub score: f64,
    /// The words that it shares, sorted.
    pub terms: Vec<String>,
    /// What the loop is to do.
    pub task: Option<String>,
    /// What it says.
    pub reflection: String,
    /// What the next iteration should do differently.
    pub strategy_change: Option<String>,
    /// The file, below the root of the memory.
    pub path: String,
}

/// A task that shares words with a query.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundTask {
    /// Its id.
    pub task: String,
    /// BM25; only the order means something. 0 where there is no query.
    pub score: f64,
    /// The words that it shares, sorted.
    pub terms: Vec<String>,
    /// The task in words.
    pub description: String,
    /// Its status, if it is one that is known.
    pub status: Option<TaskStatus>,
    /// Up to five lessons: those that share a word with the query first, then the latest first.
    pub lessons: Vec<TaskLesson>,
}

/// Whether reflections made retries better.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImprovementAnswer {
    /// The counts. A retry is any attempt but the first, if it has an outcome. It counts as one with
    /// reflections if its plan took any in; where that is not recorded, if an earlier attempt has any.
    pub retries: Retries,
    /// Tasks that were counted.
    pub tasks: u32,
    /// Attempts that have no outcome, and so do not count.
    pub open: u32,
}

/// A reflection of a loop that is stored, and what comes next.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IterationAnswer {
    /// Id of the loop.
    #[serde(rename = "loop")]
    pub loop_id: String,
    /// Number of the iteration.
    pub iteration: u32,
    /// The file.
    pub path: String,
    /// When, as written.
    pub time: String,
    /// What it says.
    pub reflection: String,
    /// Whether `reflection` was made from the outcome, actions and errors, because the host gave none.
    pub is_automatic: bool,
    /// Whether the loop is stuck now, by the rule that an explanation goes by.
    pub is_stuck: bool,
    /// What the rules say of repetition up to here (`stuck/*`).
    pub stuck: Vec<Finding>,
    /// Lessons, approaches and failures that recur in the loop (`pattern/*`), as they are stored.
    pub patterns: Vec<Record>,
    /// Numbers of the iterations whose reflections the next one is given, oldest first.
    pub held: Vec<i64>,
    /// The text that it is given: the reflections, and that the loop is stuck, if it is.
    pub window: String,
    /// The iteration as a reflection-memory record. Absent if the record would break its schema, which
    /// allows neither every loop id nor an Ω of 0.
    pub record: Option<Record>,
}

/// What was inspected. The findings of the call say what is wrong, its writes mend it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HealthAnswer {
    /// Whether nothing is wrong: no finding is a warning or an error.
    pub is_sound: bool,
    /// Tasks.
    pub tasks: u32,
    /// Attempts.
    pub attempts: u32,
    /// Actions that can be read.
    pub actions: u32,
    /// Reflections that can be read.
    pub reflections: u32,
    /// Files that hold what could not be used, the new ones included.
    pub kept_aside: Vec<String>,
}

/// What a reflection says, of the record that is stored.
impl From<&Record> for ReflectionText {
    fn from(record: &Record) -> Self {
        let text = |name: &str| record.get(name).and_then(|v| v.as_str()).map(str::to_owned);
        let items = record.get("action_items").and_then(|v| v.as_array());
        let items = items.into_iter().flatten().filter_map(|item| item.as_str());
        Self {
            observation: text("observation"),
            analysis: text("analysis"),
            learning: text("learning"),
            action_items: items.map(str::to_owned).collect(),
        }
    }
}
