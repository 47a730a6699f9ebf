//! The schemas that come with the core.

use crate::json::write;
use std::sync::OnceLock;

use serde_json::Value;

use super::deviation::violation;
use super::labels::Violation;
use crate::error::{Error, word_of};
use crate::json::pass::{self, Deviation, Order};
use crate::json::scan::{MAX_DEPTH, NotPlain};
use crate::json::shape::{Pattern, ROOT, Table};
use crate::json::value;
use crate::labels::labels;

/// The regular expressions of the schemas.
const PATTERNS: [Pattern; 1] = [("^ralph-[a-z0-9-]+$", is_loop_id)];

/// `^ralph-[a-z0-9-]+$`, where `$` is the very end.
pub(crate) fn is_loop_id(text: &str) -> bool {
    text.strip_prefix("ralph-")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_loop_id_byte))
}

/// Whether a loop id may have this byte after `ralph-`.
pub(crate) fn is_loop_id_byte(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'
}

labels! {
    /// A kind of record whose JSON Schema comes with the core.
    ///
    /// All but the first are files of an episodic memory: a folder for each task, and in it a folder for
    /// each attempt. None of these requires a member, so an empty object conforms to each.
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
        word_of("schema", Self::named(word), &Self::ALL.map(Self::as_str), word)
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

    /// What its records look like, made when it is first needed.
    pub(crate) fn table(self) -> &'static Table<()> {
        static TABLES: [OnceLock<Table<()>>; Schema::ALL.len()] =
            [const { OnceLock::new() }; Schema::ALL.len()];
        TABLES[self as usize].get_or_init(|| self.table_with(&|_| ()))
    }

    /// The same, with the places where values go: see [`Table::of_schema`].
    pub(crate) fn table_with<S: Copy>(self, slot_of: &dyn Fn(&str) -> S) -> Table<S> {
        // A test holds that each is JSON. Not by serde_json, whose parser this would bring into every program.
        let schema = value::plain(self.json()).unwrap_or_default();
        Table::of_schema(&schema, &PATTERNS, slot_of)
    }

    /// The members that it names of a record, in its order.
    pub(crate) fn members(self) -> Vec<&'static str> {
        self.table().members(ROOT).iter().map(|member| &*member.name).collect()
    }

    /// What deviates from the schema in a text; nothing of it is kept.
    pub(crate) fn read(self, text: &str, deviations: &mut Vec<Deviation>) -> Result<(), NotPlain> {
        pass::read(text, self.table(), &mut pass::Nowhere, deviations, &mut Order::default())
    }

    /// Everything that the schema forbids in a value, unsorted.
    pub(crate) fn violations_unsorted(self, value: &Value) -> Vec<Violation> {
        let (text, mut deviations) = (write::value(value), Vec::new());
        let read = self.read(&text, &mut deviations);
        // A value that was parsed is plain JSON when it is written again; it may be too deep, though.
        if read.is_err() {
            let expected = format!("at most {MAX_DEPTH} nested levels");
            return vec![Violation::new(String::new(), "type", expected, "more")];
        }
        let violations = deviations.iter().filter_map(|d| violation(self.table(), &text, d));
        violations.collect()
    }

    const fn usable(self) -> Usable {
        match self {
            Self::ReflectionMemory => Usable {
                subjects: &["iteration"],
                contents: &["self_reflection", "evaluator_output"],
                words: "an iteration number, and a reflection text or an outcome",
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

    /// Whether a record that deviates has both members of `Usable`, neither of them empty.
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
    use crate::json::shape::{NodeId, Type};
    use serde_json::{Map, json};

    /// What of a schema says nothing about a value.
    const SILENT: [&str; 5] = ["$schema", "$id", "title", "description", "default"];

    /// Writes a table as its schema would say it.
    fn schema_of(table: &Table<()>, id: NodeId) -> Value {
        let bounds = |kind: &str, min: f64, max: f64| {
            let mut schema = json!({"type": kind});
            let limits = [("minimum", min), ("maximum", max)];
            for (name, limit) in limits.into_iter().filter(|(_, limit)| limit.is_finite()) {
                #[expect(clippy::cast_possible_truncation, reason = "whole bounds")]
                let limit = limit as i64;
                schema[name] = limit.into();
            }
            schema
        };
        match &table.get(id).expect("a node").is {
            Type::Text => json!({"type": "string"}),
            Type::Pattern((pattern, _)) => json!({"type": "string", "pattern": pattern}),
            Type::Choice(words) => json!({"type": "string", "enum": words}),
            Type::Time => json!({"type": "string", "format": "date-time"}),
            Type::Integer(min, max) => bounds("integer", *min, *max),
            Type::Number(min, max) => bounds("number", *min, *max),
            Type::Flag => json!({"type": "boolean"}),
            Type::List(item) => json!({"type": "array", "items": schema_of(table, *item)}),
            Type::Object { is_open: true, .. } => json!({"type": "object"}),
            Type::Object { first, len, required, .. } => {
                let members = table.members_of(*first, *len);
                let properties: Map<_, _> = members
                    .iter()
                    .map(|known| (known.name.to_string(), schema_of(table, known.node)))
                    .collect();
                let must = members.iter().enumerate().filter(|(at, _)| required >> at & 1 == 1);
                let must: Vec<_> = must.map(|(_, known)| known.name.to_string()).collect();
                let mut schema = json!({"type": "object", "properties": properties});
                if !must.is_empty() {
                    schema["required"] = must.into();
                }
                schema
            }
            Type::Lines | Type::Any => json!({}),
        }
    }

    /// A schema without what says nothing about a value.
    fn spoken(schema: &Value) -> Value {
        match schema {
            Value::Object(members) => {
                let is_spoken = |(name, value): &(&String, &Value)| {
                    !SILENT.contains(&name.as_str()) || value.is_object()
                };
                let spoken = members.iter().filter(is_spoken);
                spoken.map(|(name, value)| (name.clone(), self::spoken(value))).collect()
            }
            Value::Array(items) => items.iter().map(spoken).collect(),
            other => other.clone(),
        }
    }

    #[test]
    fn a_table_says_what_its_schema_says() {
        for schema in Schema::ALL {
            let json: Value = serde_json::from_str(schema.json()).expect("it is JSON");
            assert_eq!(schema_of(schema.table(), ROOT), spoken(&json), "{schema:?}");
        }
    }

    #[test]
    fn the_schema_of_records_keeps_its_name_its_defaults_and_what_it_says_of_members() {
        let json: Value = serde_json::from_str(Schema::ReflectionMemory.json()).expect("JSON");
        assert_eq!(json["$id"], "https://aiwg.io/schemas/ralph/reflection-memory.json");
        for (pointer, default) in [
            ("memory_metadata/properties/omega_capacity", json!(3)),
            ("memory_metadata/properties/window_policy", json!("fifo")),
            ("context_injected", json!(false)),
        ] {
            assert_eq!(json.pointer(&format!("/properties/{pointer}/default")), Some(&default));
        }
        let members = json["properties"].as_object().expect("an object");
        for (name, member) in members {
            assert!(member["description"].as_str().is_some_and(|said| said.len() > 10), "{name}");
        }
    }

    #[test]
    fn loop_ids() {
        assert!(is_loop_id("ralph-a-1"));
        assert!(is_loop_id("ralph--"));
        for id in ["ralph-", "ralph-A", "ralph-a\n", "xralph-a", "ralph-é"] {
            assert!(!is_loop_id(id), "{id}");
        }
    }

    #[test]
    fn every_schema_is_found_by_its_word() {
        for schema in Schema::ALL {
            assert_eq!(Schema::parse(schema.as_str()), Ok(schema));
        }
        let error = Schema::parse("Reflection").expect_err("words are lower-case");
        assert_eq!(error.code(), ErrorCode::InvalidOption);
    }
}
