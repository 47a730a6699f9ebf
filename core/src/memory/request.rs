//! What a memory is asked, as data.

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_with_macros::skip_serializing_none;

use super::{AttemptOutcome, Record, TaskStatus, Trigger};
use crate::error::{Error, ErrorCode};
use crate::model::outcome::Outcome;

/// A request to a memory. In JSON `call` says which one, and its members stand beside it in camel
/// case; what is stored as it is ([`LogAction::action`]) is spelled as in the files.
///
/// `now` is the host's clock, an RFC 3339 date-time. It is written as it is, unless the task knows a
/// later time: then that one is written again, and `memory/clock-back` says so.
///
/// Ids of tasks and loops are names of folders: [`ErrorCode::PathRefused`] for any that another
/// system could not store, or that leads elsewhere.
///
/// # Example: a request from JSON
///
/// ```
/// use hindscope::{ErrorCode, MemoryRequest};
///
/// let text = r#"{"call": "init-task", "now": "2026-03-05T09:00:00Z", "description": "Sort it."}"#;
/// let request = MemoryRequest::from_json(text)?;
/// assert!(matches!(request, MemoryRequest::InitTask(task) if task.description == "Sort it."));
///
/// let error = MemoryRequest::from_json(r#"{"call": "forget-task"}"#).unwrap_err();
/// assert_eq!(error.code(), ErrorCode::InvalidRequest);
/// # Ok::<(), hindscope::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case")]
pub enum MemoryRequest {
    /// Opens a task. [`MemoryAnswer::Task`](super::MemoryAnswer::Task).
    InitTask(InitTask),
    /// Begins an attempt, with a plan that knows what earlier ones taught.
    /// [`MemoryAnswer::Attempt`](super::MemoryAnswer::Attempt).
    StartAttempt(StartAttempt),
    /// Adds an action to an attempt. [`MemoryAnswer::Action`](super::MemoryAnswer::Action).
    LogAction(LogAction),
    /// Keeps a file that an iteration of an attempt has made.
    /// [`MemoryAnswer::Result`](super::MemoryAnswer::Result).
    AddResult(AddResult),
    /// Ends an attempt and reflects on it.
    /// [`MemoryAnswer::Completed`](super::MemoryAnswer::Completed).
    CompleteAttempt(Box<CompleteAttempt>),
    /// Adds a reflection of a person, or of a host between attempts (trigger `manual`).
    /// [`MemoryAnswer::Reflected`](super::MemoryAnswer::Reflected).
    AddReflection(AddReflection),
    /// Pauses a task, gives it up, ends it or takes it up again.
    /// [`MemoryAnswer::Task`](super::MemoryAnswer::Task).
    SetStatus(SetStatus),
    /// Lists what a task remembers. [`MemoryAnswer::History`](super::MemoryAnswer::History).
    QueryHistory(QueryHistory),
    /// Finds tasks and reflections of loops by words. [`MemoryAnswer::Found`](super::MemoryAnswer::Found).
    SearchTasks(SearchTasks),
    /// Finds tasks like one, with what they taught.
    /// [`MemoryAnswer::Found`](super::MemoryAnswer::Found).
    SimilarTasks(SimilarTasks),
    /// Counts retries with and without reflections.
    /// [`MemoryAnswer::Improvement`](super::MemoryAnswer::Improvement).
    TrackImprovement(TrackImprovement),
    /// The hook after an iteration of a loop: stores its reflection, compares it with the earlier
    /// ones, and prepares what the next iteration is given.
    /// [`MemoryAnswer::Iteration`](super::MemoryAnswer::Iteration).
    Reflect(Box<Reflect>),
    /// Says what is wrong with a memory and how to mend it.
    /// [`MemoryAnswer::Health`](super::MemoryAnswer::Health).
    Doctor(Doctor),
}

impl MemoryRequest {
    /// Reads a request from JSON.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidRequest`] for a text that is no request; the message says where.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        memory_json(text)
    }
}

/// Reads a part of a request from JSON: the request of one call without its `call`, or
/// [`FolderNames`](super::FolderNames).
///
/// # Errors
///
/// [`ErrorCode::InvalidRequest`] for a text that is none; the message says where.
pub fn memory_json<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| {
        let what = said_of(&error);
        let member = wrong_member::<T>(text, &what);
        let member = member.map_or_else(String::new, |name| format!("`{name}`: "));
        let what = what.replace("expected u32", "expected a whole number");
        let message = format!("Not a valid memory request: {member}{what}.");
        Error::new(ErrorCode::InvalidRequest, message)
    })
}

/// What is wrong, without the place in the text, which the caller did not write.
fn said_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((what, place))
            if error.line() > 0 && is_place(place) && !error.is_syntax() && !error.is_eof() =>
        {
            what.to_owned()
        }
        _ => text,
    }
}

/// `1 column 24`
fn is_place(text: &str) -> bool {
    let (line, column) = text.split_once(" column ").unwrap_or_default();
    [line, column].iter().all(|number| number.parse::<usize>().is_ok())
}

/// The member whose value is wrong: without it, something else is wrong or nothing. Requests have their
/// call beside their members, so serde does not say where it was.
fn wrong_member<T: DeserializeOwned>(text: &str, what: &str) -> Option<String> {
    if !what.starts_with("invalid") {
        return None;
    }
    let members = serde_json::from_str::<Record>(text).ok()?;
    let is_wrong = |name: &&String| {
        let mut others = members.clone();
        others.shift_remove(*name);
        let made = serde_json::from_value::<T>(others.into());
        made.err().is_none_or(|error| said_of(&error) != what)
    };
    members.keys().filter(|name| *name != "call").find(is_wrong).cloned()
}

/// Opens a task: a folder with `metadata.json` and an empty `trajectory.json`.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InitTask {
    /// The host's clock.
    pub now: String,
    /// Id of the task; absent: `task-NNN` after the highest there is.
    pub id: Option<String>,
    /// The task in words.
    pub description: String,
    /// When it counts as done.
    pub completion_criteria: Option<String>,
    /// Labels.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tags: Vec<String>,
    /// Ids of other tasks.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub related_tasks: Vec<String>,
}

/// Begins an attempt.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartAttempt {
    /// The host's clock.
    pub now: String,
    /// Id of the task.
    pub task: String,
    /// Who works.
    pub agent: Option<String>,
    /// What is to be tried. Absent: the plan follows from the latest reflection with a learning, among
    /// those that the plan takes in. The learning is the approach, and the action items are the steps.
    /// Without such a reflection there is no plan.
    pub plan: Option<Plan>,
    /// Whether reflections of earlier attempts are left out of the plan: an attempt to compare with.
    #[serde(default)]
    pub without_reflections: bool,
    /// How many of the latest reflections the plan takes in; absent: all of them.
    pub omega: Option<u8>,
    /// Tokens that they may have together (`window/token-budget`); absent: no limit.
    pub token_budget: Option<u32>,
    /// What similar tasks taught, as [`SimilarTasks`] finds it; it stands in the plan.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub similar: Vec<TaskLesson>,
}

/// What is to be tried, as `attempt.json` has it.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object with `approach`, `steps` or `estimatedIterations`"
)]
pub struct Plan {
    /// The idea.
    pub approach: Option<String>,
    /// In the order in which they are to be taken.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub steps: Vec<String>,
    /// How many iterations it may take.
    pub estimated_iterations: Option<i64>,
}

/// What a task taught.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object with `task` and `lesson`"
)]
pub struct TaskLesson {
    /// Id of the task.
    pub task: String,
    /// What it taught.
    pub lesson: String,
}

/// Adds an action to `actions.jsonl`.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LogAction {
    /// The host's clock.
    pub now: String,
    /// Id of the task.
    pub task: String,
    /// Number of the attempt; absent: the latest.
    pub attempt: Option<u32>,
    /// The record in the spelling of the file: `type` or `tool`, and what else there is of
    /// `iteration`, `params`, `success`, `output`, `error`, `reasoning`, `expected_outcome`, and of
    /// `quality` 0..1, which rates the iteration. Other members are refused. A `type` that the schema
    /// does not know is stored as `other`, with its word as the name of the tool, or as `kind` where the
    /// tool has a name. `timestamp` is set. While the attempt goes on, its `attempt.json` lists the
    /// ratings of 256 iterations at most.
    pub action: Record,
}

/// Adds a file to `results/iter-NNN` of an attempt: what an iteration has made. Its content is the host's own.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddResult {
    /// The host's clock.
    pub now: String,
    /// Id of the task.
    pub task: String,
    /// Number of the attempt; absent: the latest.
    pub attempt: Option<u32>,
    /// Number of the iteration, from 1.
    pub iteration: u32,
    /// Name of the file, as `report.json`; one that the iteration does not have yet.
    pub name: String,
    /// What it holds: either this, or `base64`.
    pub text: Option<String>,
    /// What it holds where that is no text, as base64.
    pub base64: Option<String>,
}

/// Ends an attempt.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompleteAttempt {
    /// The host's clock.
    pub now: String,
    /// Id of the task.
    pub task: String,
    /// Number of the attempt; absent: the latest.
    pub attempt: Option<u32>,
    /// How it ended.
    pub outcome: AttemptOutcome,
    /// Why it ended so.
    pub reason: Option<String>,
    /// Quality at the end, 0..1.
    pub final_quality: Option<f64>,
    /// How much was done, 0..100.
    pub completion_percent: Option<f64>,
    /// What helped.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub what_worked: Vec<String>,
    /// What did not.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub what_didnt_work: Vec<String>,
    /// For the next attempt.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub suggestions_for_next_time: Vec<String>,
    /// What happened on the way.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub milestones: Vec<Milestone>,
    /// The reflection in the words of the host, usually of its model. What it leaves out is filled
    /// from facts: counts, errors, reasons.
    pub reflection: Option<ReflectionText>,
    /// What becomes of the task. Absent: a success completes it, anything else leaves it running.
    pub task_status: Option<TaskStatus>,
    /// The reflection on the task as a whole, where this ends it.
    pub task_reflection: Option<ReflectionText>,
}

/// An event on the way, as `trajectory.json` has it.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object with `event`")]
pub struct Milestone {
    /// When, as an RFC 3339 date-time.
    pub timestamp: Option<String>,
    /// What.
    pub event: String,
    /// More of it.
    pub details: Option<String>,
}

/// The parts of a reflection. In JSON a plain text is one, too: its `learning`.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    remote = "Self",
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object with `observation`, `analysis`, `learning` or `actionItems`"
)]
pub struct ReflectionText {
    /// What happened.
    pub observation: Option<String>,
    /// Why it happened.
    pub analysis: Option<String>,
    /// What to do differently.
    pub learning: Option<String>,
    /// Steps to take.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub action_items: Vec<String>,
}

impl Serialize for ReflectionText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, to)
    }
}

impl<'de> Deserialize<'de> for ReflectionText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Parts;
        impl<'de> Visitor<'de> for Parts {
            type Value = ReflectionText;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("a text, or an object with `observation`, `analysis`, `learning` or `actionItems`")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<ReflectionText, E> {
                Ok(ReflectionText { learning: Some(text.to_owned()), ..ReflectionText::default() })
            }

            fn visit_map<A: MapAccess<'de>>(self, parts: A) -> Result<ReflectionText, A::Error> {
                ReflectionText::deserialize(MapAccessDeserializer::new(parts))
            }
        }
        from.deserialize_any(Parts)
    }
}

/// Adds a reflection to an attempt, whether or not it has ended.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddReflection {
    /// The host's clock.
    pub now: String,
    /// Id of the task.
    pub task: String,
    /// Number of the attempt; absent: the latest.
    pub attempt: Option<u32>,
    /// Why it is written; its type follows from it ([`Trigger::reflection_type`]).
    #[serde(default)]
    pub trigger: Trigger,
    /// What it says.
    pub reflection: ReflectionText,
}

/// Changes the status of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetStatus {
    /// The host's clock.
    pub now: String,
    /// Id of the task.
    pub task: String,
    /// The status.
    pub status: TaskStatus,
}

/// Asks what a task remembers. All given filters must fit: actions and reflections are listed
/// if they fit themselves, an attempt if it fits or any of its actions does.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QueryHistory {
    /// Id of the task.
    pub task: String,
    /// Number of the only attempt to list.
    pub attempt: Option<u32>,
    /// Reflections alone: neither plans nor actions are read.
    #[serde(default)]
    pub reflections_only: bool,
    /// Files of iterations with what they hold; otherwise they are only listed.
    #[serde(default)]
    pub results: bool,
    /// Attempts that ended so.
    pub outcome: Option<AttemptOutcome>,
    /// Actions and reflections from this time on, an RFC 3339 date-time.
    pub since: Option<String>,
    /// Actions and reflections before this time.
    pub until: Option<String>,
    /// Actions and reflections that have this in any of their texts, whatever its case.
    pub text: Option<String>,
    /// How many actions and how many reflections are listed at most, the latest ones.
    pub limit: Option<u32>,
}

/// Finds tasks by the words of descriptions, tags and lessons, and what iterations of loops taught by the
/// words of their tasks, reflections and changes of strategy. Without a query it lists all tasks.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchTasks {
    /// Words, in any order; empty: all tasks, in natural order of their ids, and no iterations of loops.
    pub query: String,
    /// Tasks of this status only, and no iterations of loops.
    pub status: Option<TaskStatus>,
    /// How many tasks at most, and how many iterations; absent: 20, without a query all.
    pub limit: Option<u32>,
}

/// Finds tasks like one: its description and tags are the words.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SimilarTasks {
    /// Id of the task, which is not found itself.
    pub task: String,
    /// How many at most; absent: 5.
    pub limit: Option<u32>,
}

/// Counts retries with and without reflections (`retry/improvement`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TrackImprovement {
    /// Ids of the tasks to count; empty: all.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tasks: Vec<String>,
}

/// What an iteration of a loop did, and what it taught.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reflect {
    /// The host's clock.
    pub now: String,
    /// Id of the loop, as `ralph-001`.
    #[serde(rename = "loop")]
    pub loop_id: String,
    /// Number of the iteration, from 1; absent: after the highest there is.
    pub iteration: Option<u32>,
    /// What the loop is to do.
    pub task: Option<String>,
    /// What was done, in order, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub actions: Vec<String>,
    /// How it ended: success, failure or partial; absent: [`Outcome::Unknown`], where nobody has judged it.
    #[serde(default = "unknown", skip_serializing_if = "is_unknown", deserialize_with = "ended")]
    pub outcome: Outcome,
    /// What went wrong.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub errors: Vec<String>,
    /// Paths of the files that were changed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub files_modified: Vec<String>,
    /// What was learned, in the words of the host. Absent: a sentence each on what was attempted,
    /// what came of it, and what went wrong.
    pub reflection: Option<String>,
    /// What the next iteration should do differently.
    pub strategy_change: Option<String>,
    /// How many of the latest reflections the next iteration is given, 0..=10; absent: 5.
    pub omega: Option<u8>,
    /// How many reflections must say the same for the loop to be stuck, from 2; absent: 3. Other rules
    /// `stuck/*` have numbers of their own.
    pub stuck_after: Option<u32>,
    /// Id of the event that this iteration is, stored as `event_id`. If an iteration of the loop has it, that
    /// one is the answer, and nothing is stored a second time: a host that does not know whether its
    /// call went through can make it again.
    pub event_id: Option<String>,
    /// How they are laid out, by the word of a [`Layout`](crate::Layout); absent: `aiwg-template`.
    pub layout: Option<String>,
}

fn unknown() -> Outcome {
    Outcome::Unknown
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_unknown(outcome: &Outcome) -> bool {
    *outcome == Outcome::Unknown
}

/// The outcome of an iteration, as a hook may give it.
fn ended<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Outcome, D::Error> {
    let word = String::deserialize(from)?;
    let all = [Outcome::Success, Outcome::Failure, Outcome::Partial];
    all.into_iter().find(|outcome| outcome.as_str() == word).ok_or_else(|| {
        serde::de::Error::custom(format!(
            "`outcome` must be success, failure or partial, found {word:?}"
        ))
    })
}

/// Inspects a memory.
///
/// The whole memory is read at once, unless `tasks` names some tasks. For a large memory, send requests
/// for a few tasks each, and then one with `index_only` for what belongs to no task: loops and indexes.
/// Indexes are only compared when all tasks are known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Doctor {
    /// The host's clock: `updated` of what is written.
    pub now: String,
    /// Ids of the tasks to inspect; empty: all.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tasks: Vec<String>,
    /// Loops and indexes alone: of each task only its metadata and the agents of its attempts are read.
    #[serde(default)]
    pub index_only: bool,
}

/// A text that is not blank.
pub(super) fn said(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_a_member_cannot_have_is_named_with_it() {
        let says = |text: &str| MemoryRequest::from_json(text).expect_err(text).to_string();
        for (members, expected) in [
            (
                r#""attempt": "../b", "iteration": 1, "name": "b""#,
                "`attempt`: invalid type: string \"../b\", expected a whole number.",
            ),
            (
                r#""iteration": 1.5, "name": "b""#,
                "`iteration`: invalid type: floating point `1.5`, expected a whole number.",
            ),
            (
                r#""iteration": 1, "name": 7"#,
                "`name`: invalid type: integer `7`, expected a string.",
            ),
            (r#""name": "b""#, "missing field `iteration`."),
        ] {
            let text = format!(r#"{{"call": "add-result", "now": "", "task": "t", {members}}}"#);
            assert_eq!(says(&text), format!("Not a valid memory request: {expected}"), "{members}");
        }
        assert!(says("{").contains(" at line 1 column 1"));
        let error =
            memory_json::<SearchTasks>(r#"{"query": "a", "limit": -1}"#).expect_err("negative");
        assert_eq!(
            error.to_string(),
            "Not a valid memory request: `limit`: invalid value: integer `-1`, expected a whole number."
        );
    }
}
