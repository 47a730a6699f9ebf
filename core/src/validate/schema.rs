//! The schemas that come with the core.

use std::sync::OnceLock;

use serde_json::Value;

use super::strict::{Compiled, Violation};
use crate::error::Error;
use crate::words::{read, words};

words! {
    /// A kind of record whose JSON Schema comes with the core.
    ///
    /// The five beside [`Schema::ReflectionMemory`] are the files of an episodic memory: a folder for
    /// each task, and in it a folder for each attempt. None of them requires a member, so an empty
    /// object conforms to each.
    #[derive(Default)]
    Schema {
        /// One iteration of a loop: what it did, how it was judged, what it learned.
        #[default]
        ReflectionMemory = "reflection-memory",
        /// `metadata.json`: what a task is and how far it has come.
        TaskMetadata = "task-metadata",
        /// `trajectory.json`: every attempt at a task in a few facts.
        Trajectory = "trajectory",
        /// A line of `reflections.jsonl`: what an attempt taught.
        Reflection = "reflection",
        /// `attempt.json`: the plan of an attempt, how it went and how it ended.
        Attempt = "attempt",
        /// A line of `actions.jsonl`: one call of a tool, with why and what came of it.
        Action = "action",
    }
}

/// What a record must have to be of use: one member that says of what it speaks, and one that says
/// something about it.
struct Usable {
    subjects: &'static [&'static str],
    contents: &'static [&'static str],
    /// Both in words.
    words: &'static str,
}

impl Schema {
    /// Reads the word.
    ///
    /// # Errors
    ///
    /// [`InvalidOption`](crate::ErrorCode::InvalidOption) for a word that names no schema.
    pub fn parse(word: &str) -> Result<Self, Error> {
        read("schema", &Self::ALL, Self::as_str, word)
    }

    /// The JSON Schema (draft 2020-12) as text.
    pub const fn json(self) -> &'static str {
        match self {
            Self::ReflectionMemory => include_str!("../../schemas/reflection-memory.json"),
            Self::TaskMetadata => include_str!("../../schemas/task-metadata.json"),
            Self::Trajectory => include_str!("../../schemas/trajectory.json"),
            Self::Reflection => include_str!("../../schemas/reflection.json"),
            Self::Attempt => include_str!("../../schemas/attempt.json"),
            Self::Action => include_str!("../../schemas/action.json"),
        }
    }

    /// Compiled when it is first needed. A test holds that each compiles.
    pub(crate) fn compiled(self) -> Option<&'static Compiled> {
        static COMPILED: [OnceLock<Option<Compiled>>; 6] = [const { OnceLock::new() }; 6];
        let slot = COMPILED.get(self as usize)?;
        slot.get_or_init(|| Compiled::new(serde_json::from_str(self.json()).ok()?).ok()).as_ref()
    }

    /// Everything that the schema forbids in a value, in no particular order.
    pub(crate) fn violations_unsorted(self, value: &Value) -> Vec<Violation> {
        self.compiled().map(|compiled| compiled.violations_unsorted(value)).unwrap_or_default()
    }

    const fn usable(self) -> Usable {
        match self {
            Self::ReflectionMemory => Usable {
                subjects: &["iteration"],
                contents: &["self_reflection", "evaluator_output"],
                words: "a number, and a text or an outcome",
            },
            Self::TaskMetadata => Usable {
                subjects: &["id"],
                contents: &[
                    "description",
                    "completion_criteria",
                    "status",
                    "current_attempt",
                    "total_attempts",
                ],
                words: "an id, and a description, a status or a number of attempts",
            },
            Self::Trajectory => Usable {
                // The folder names the task, too.
                subjects: &["task_id", "attempts"],
                contents: &["attempts"],
                words: "at least one attempt",
            },
            Self::Reflection => Usable {
                subjects: &["attempt_id", "timestamp"],
                contents: &["observation", "analysis", "learning", "action_items"],
                words: "an attempt or a time, and an observation, an analysis or a learning",
            },
            Self::Attempt => Usable {
                subjects: &["id", "task_id", "started", "ended"],
                contents: &[
                    "plan",
                    "execution",
                    "outcome",
                    "what_worked",
                    "what_didnt_work",
                    "suggestions_for_next_time",
                ],
                words: "an id or a time, and a plan, an execution or an outcome",
            },
            Self::Action => Usable {
                // The line that it stands in is its position.
                subjects: &["tool", "type"],
                contents: &["tool", "type"],
                words: "a tool or a type",
            },
        }
    }

    /// What a record must have to be of use, in words.
    pub(crate) const fn usable_words(self) -> &'static str {
        self.usable().words
    }

    /// Whether a record that deviates says something of something.
    pub(crate) fn is_usable(self, value: &Value) -> bool {
        let usable = self.usable();
        let has_one = |names: &[&str]| {
            names.iter().any(|name| match value.get(name) {
                None | Some(Value::Null) => false,
                Some(Value::String(text)) => !text.trim().is_empty(),
                Some(Value::Array(items)) => !items.is_empty(),
                Some(Value::Object(members)) => !members.is_empty(),
                Some(Value::Bool(_) | Value::Number(_)) => true,
            })
        };
        has_one(usable.subjects) && has_one(usable.contents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorCode;

    #[test]
    fn every_schema_compiles_and_is_found_by_its_word() {
        for schema in Schema::ALL {
            assert!(schema.compiled().is_some(), "{schema:?}");
            assert_eq!(Schema::parse(schema.as_str()), Ok(schema));
        }
        let error = Schema::parse("Reflection").expect_err("words are lower-case");
        assert_eq!(error.code(), ErrorCode::InvalidOption);
    }
}
