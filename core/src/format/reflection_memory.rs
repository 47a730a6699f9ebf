//! `reflection-memory`: structured reflection records.

use serde_json::Value;

use super::account::Context;
use super::facts::{POLICIES, Slot, VERIFICATIONS, preset};
use super::names::Name;
use super::read::{Member as _, counters, integers, strings};
use super::shape::{INTEGER, Item, Kind, NUMBER, Shape, TEXTS, may, must};
use super::traits::Traits;
use super::{BY_CONTENT, Family, Format, FormatId, FormatInfo, Reading};
use crate::model::details::{
    Action, Check, Details, ErrorDetails, NamedText, RecordedWindow, Reflection,
};
use crate::model::outcome::Outcome;
use crate::model::reward::{Detected, Origin, Scale, detect_unit};
use crate::model::view::{RewardView, StoredDeltas};
use crate::validate::schema::Schema;

/// The format, for who keeps windows of such records.
pub(crate) const ID: FormatId = FormatId::ReflectionMemory;

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "reflection-memory",
        title: "Reflection memory record",
        gives: "iterations with rewards, actions, errors, reflections and the recorded window",
        known_by: "an object `self_reflection`, or two of `actor_output`, `evaluator_output`, `memory_metadata`",
        found_at: "reflections/{loop}/NNN.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["self_reflection", "evaluator_output"],
    base: None,
    rank: 0,
    traits: Traits {
        names: &[Name::Numbered("", "", 3)],
        schema: Some(Schema::ReflectionMemory),
        ..Traits::USUAL
    },
    reading: Reading::Shape { shape: &SHAPE, details },
};

/// The schema as a table; a test holds it against `schemas/reflection-memory.json`.
pub(crate) const SHAPE: Shape = Shape {
    is_open: false,
    members: &[
        must("loop_id", Kind::Pattern(is_loop_id), Slot::Key),
        must("iteration", COUNT, Slot::Number),
        must("timestamp", Kind::Time, Slot::Time),
        may("task_description", Kind::Text, Slot::Task),
        must("actor_output", Kind::Object(&ACTOR), Slot::None),
        must("evaluator_output", Kind::Object(&EVALUATOR), Slot::None),
        must("self_reflection", Kind::Object(&REFLECTION), Slot::None),
        must("memory_metadata", Kind::Object(&MEMORY), Slot::None),
        may("context_injected", Kind::Flag, Slot::InjectedFlag),
        may(
            "previous_reflections_used",
            Kind::List(&Item { kind: INTEGER, slot: Slot::InjectedItem }),
            Slot::Injected,
        ),
        may("performance_delta", Kind::Object(&DELTA), Slot::None),
        may("notes", Kind::Text, Slot::None),
    ],
};

/// An integer from 0.
const COUNT: Kind = Kind::Integer(0, i64::MAX);
/// A number within 0..=1.
const UNIT: Kind = Kind::Number(0.0, 1.0);

const ACTOR: Shape = Shape {
    is_open: false,
    members: &[
        must(
            "actions",
            Kind::List(&Item { kind: Kind::Object(&ACTION), slot: Slot::ActionItem }),
            Slot::None,
        ),
        must("rationale", Kind::Text, Slot::None),
        may("strategy", Kind::Text, Slot::None),
        may(
            "files_modified",
            Kind::List(&Item { kind: Kind::Text, slot: Slot::FileItem }),
            Slot::Files,
        ),
        may("total_changes", Kind::Object(&TOTALS), Slot::None),
    ],
};

const ACTION: Shape = Shape {
    is_open: false,
    members: &[
        must("type", Kind::Choice(&ACTIONS), Slot::ActionType),
        must("description", Kind::Text, Slot::None),
        may("file_path", Kind::Text, Slot::ActionPath),
        may("changes", Kind::Object(&CHANGES), Slot::None),
        may("command", Kind::Text, Slot::ActionCommand),
        may("timestamp", Kind::Time, Slot::ActionTime),
    ],
};

const ACTIONS: [&str; 7] = [
    "code_modification",
    "file_creation",
    "file_deletion",
    "test_execution",
    "command_execution",
    "api_call",
    "other",
];

const CHANGES: Shape = Shape {
    is_open: false,
    members: &[
        may("additions", INTEGER, Slot::Additions),
        may("deletions", INTEGER, Slot::Deletions),
        may("diff", Kind::Text, Slot::Diff),
    ],
};

const TOTALS: Shape = Shape {
    is_open: false,
    members: &[
        may("files_changed", INTEGER, Slot::FilesChanged),
        may("lines_added", INTEGER, Slot::LinesAdded),
        may("lines_deleted", INTEGER, Slot::LinesDeleted),
    ],
};

const EVALUATOR: Shape = Shape {
    is_open: false,
    members: &[
        must("passed", Kind::Flag, Slot::Passed),
        must("verification_type", Kind::Choice(&VERIFICATIONS), Slot::Verification),
        may(
            "results",
            Kind::List(&Item { kind: Kind::Object(&RESULT), slot: Slot::ResultItem }),
            Slot::Results,
        ),
        may(
            "errors",
            Kind::List(&Item { kind: Kind::Object(&ERROR), slot: Slot::ErrorItem }),
            Slot::Errors,
        ),
        may("reward_signal", UNIT, Slot::Reward),
        may("metrics", Kind::Object(&METRICS), Slot::None),
    ],
};

const RESULT: Shape = Shape {
    is_open: false,
    members: &[
        must("tool", Kind::Text, Slot::None),
        must("status", Kind::Choice(&["pass", "fail", "error", "skip"]), Slot::ResultStatus),
        may("exit_code", INTEGER, Slot::ExitCode),
        may("stdout", Kind::Text, Slot::None),
        may("stderr", Kind::Text, Slot::None),
        may("duration_ms", INTEGER, Slot::Duration),
    ],
};

const ERROR: Shape = Shape {
    is_open: false,
    members: &[
        must("type", Kind::Choice(&ERRORS), Slot::None),
        must("message", Kind::Text, Slot::None),
        may("file", Kind::Text, Slot::ErrorFile),
        may("line", INTEGER, Slot::ErrorLine),
        may("column", INTEGER, Slot::ErrorColumn),
        may("stack_trace", Kind::Text, Slot::None),
        may("severity", Kind::Choice(&["error", "warning", "info"]), Slot::ErrorSeverity),
        may("rule", Kind::Text, Slot::None),
    ],
};

const ERRORS: [&str; 8] = [
    "syntax_error",
    "type_error",
    "test_failure",
    "lint_error",
    "runtime_error",
    "logic_error",
    "timeout",
    "other",
];

const METRICS: Shape = Shape {
    is_open: false,
    members: &[
        may("tests_passed", INTEGER, Slot::TestsPassed),
        may("tests_failed", INTEGER, Slot::TestsFailed),
        may("tests_total", INTEGER, Slot::TestsTotal),
        may("coverage_percentage", Kind::Number(0.0, 100.0), Slot::None),
        may("lint_errors", INTEGER, Slot::LintErrors),
        may("lint_warnings", INTEGER, Slot::LintWarnings),
        may("type_errors", INTEGER, Slot::TypeErrors),
    ],
};

const REFLECTION: Shape = Shape {
    is_open: false,
    members: &[
        must("reflection_text", Kind::Text, Slot::Reflection),
        may("credit_assignment", Kind::Object(&CREDIT), Slot::None),
        may("causal_reasoning", Kind::Text, Slot::None),
        may("actionable_insights", TEXTS, Slot::None),
        may("lessons_learned", TEXTS, Slot::None),
        may("confidence", UNIT, Slot::None),
        may(
            "related_reflections",
            Kind::List(&Item { kind: INTEGER, slot: Slot::RelatedItem }),
            Slot::None,
        ),
    ],
};

const CREDIT: Shape = Shape {
    is_open: false,
    members: &[
        may(
            "failing_action_indices",
            Kind::List(&Item { kind: INTEGER, slot: Slot::CreditItem }),
            Slot::None,
        ),
        may("root_cause", Kind::Text, Slot::Cause),
        may("failure_category", Kind::Choice(&FAILURE_CATEGORIES), Slot::Cause),
    ],
};

/// The failure categories that the schema of reflections knows, in its order. Other formats may give
/// others.
pub const FAILURE_CATEGORIES: [&str; 9] = [
    "hallucination",
    "inefficient_planning",
    "incorrect_assumption",
    "incomplete_implementation",
    "edge_case_miss",
    "integration_error",
    "configuration_error",
    "logic_error",
    "other",
];

const MEMORY: Shape = Shape {
    is_open: false,
    members: &[
        must("omega_capacity", Kind::Integer(1, 10), Slot::Omega),
        must("current_memory_size", COUNT, Slot::WindowSize),
        may(
            "reflections_in_context",
            Kind::List(&Item { kind: INTEGER, slot: Slot::WindowItem }),
            Slot::WindowItems,
        ),
        may("window_policy", Kind::Choice(&POLICIES), Slot::Policy),
        may("total_reflections_generated", COUNT, Slot::WindowTotal),
    ],
};

const DELTA: Shape = Shape {
    is_open: false,
    members: &[
        may("reward_change", NUMBER, Slot::RewardChange),
        may("error_count_change", INTEGER, Slot::ErrorChange),
        may("is_improvement", Kind::Flag, Slot::IsImprovement),
    ],
};

/// `^ralph-[a-z0-9-]+$`, where `$` is the very end.
pub(crate) fn is_loop_id(text: &str) -> bool {
    text.strip_prefix("ralph-").is_some_and(|rest| {
        !rest.is_empty()
            && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    })
}

/// Whether a record is of this format.
pub(crate) fn fits(value: &Value, _context: &Context) -> bool {
    value.object("self_reflection").is_some()
        || ["actor_output", "evaluator_output", "memory_metadata"]
            .iter()
            .filter(|name| value.object(name).is_some())
            .count()
            >= 2
}

/// The record in full.
pub(crate) fn details(value: &Value, _part: u32) -> Details {
    let none = Value::Null;
    let actor = value.object("actor_output").unwrap_or(&none);
    let evaluator = value.object("evaluator_output").unwrap_or(&none);
    let memory = value.object("memory_metadata").unwrap_or(&none);
    let reflection = value.object("self_reflection").map(reflection);
    let credited = reflection.as_ref().map_or(&[][..], |r| &r.failing_actions);
    let actions = actor
        .items("actions")
        .enumerate()
        .map(|(i, a)| action(a, i64::try_from(i).is_ok_and(|i| credited.contains(&i))))
        .collect();
    Details {
        key: value.text("loop_id"),
        number: value.integer("iteration"),
        time: value.text("timestamp"),
        task: value.text("task_description"),
        outcome: evaluator.flag("passed").map(Outcome::of_verdict),
        reward: reward(evaluator),
        verification: evaluator.text("verification_type"),
        rationale: actor.text("rationale"),
        strategy: actor.text("strategy"),
        counters: counters(evaluator.get("metrics"))
            .chain(counters(actor.get("total_changes")))
            .collect(),
        checks: evaluator.items("results").map(check).collect(),
        errors: evaluator.items("errors").map(error).collect(),
        actions,
        files: strings(actor.get("files_modified")),
        reflections: reflection.into_iter().collect(),
        window: ["memory_metadata", "previous_reflections_used", "context_injected"]
            .into_iter()
            .any(|name| value.get(name).is_some_and(|v| !v.is_null()))
            .then(|| RecordedWindow {
                omega: omega(memory),
                policy: memory.text("window_policy"),
                after: memory
                    .get("reflections_in_context")
                    .filter(|v| !v.is_null())
                    .map(|v| integers(Some(v))),
                size: memory.integer("current_memory_size"),
                total: memory.integer("total_reflections_generated"),
                injected: value
                    .get("previous_reflections_used")
                    .filter(|v| !v.is_null())
                    .map(|v| integers(Some(v))),
                injected_flag: value.flag("context_injected"),
            }),
        stored: value.object("performance_delta").map(|delta| StoredDeltas {
            reward_change: delta.number("reward_change"),
            error_count_change: delta.integer("error_count_change"),
            is_improvement: delta.flag("is_improvement"),
        }),
        texts: value
            .text("notes")
            .map(|text| NamedText { name: "notes".to_owned(), text })
            .into_iter()
            .collect(),
        ..Details::default()
    }
}

/// Ω with its fraction dropped, or of a word.
#[expect(clippy::cast_possible_truncation, reason = "saturates; such numbers are reported")]
fn omega(memory: &Value) -> Option<i64> {
    let word = memory.text("omega_capacity").and_then(|word| preset(&word)).map(i64::from);
    word.or_else(|| memory.number("omega_capacity").map(|omega| omega.floor() as i64))
}

fn reward(evaluator: &Value) -> Option<RewardView> {
    let number = evaluator.number("reward_signal")?;
    let (value, scale) = match detect_unit(number) {
        Detected::Unit(value) => (value, Scale::Unit),
        Detected::Mismatch(value) => (value, Scale::Percent),
        Detected::OutOfRange => return None,
    };
    let raw = evaluator.get("reward_signal").map(Value::to_string);
    Some(RewardView { value, raw, scale, origin: Origin::Reported, rule: None })
}

fn check(value: &Value) -> Check {
    Check {
        tool: value.text("tool").unwrap_or_default(),
        status: value.text("status").unwrap_or_default(),
        exit_code: value.integer("exit_code"),
        duration_ms: value.number("duration_ms"),
        stdout: value.text("stdout"),
        stderr: value.text("stderr"),
    }
}

fn error(value: &Value) -> ErrorDetails {
    ErrorDetails {
        kind: value.text("type").unwrap_or_default(),
        message: value.text("message").unwrap_or_default(),
        file: value.text("file"),
        line: value.integer("line"),
        column: value.integer("column"),
        severity: value.text("severity"),
        rule: value.text("rule"),
        stack: value.text("stack_trace"),
    }
}

fn action(value: &Value, is_credited: bool) -> Action {
    let none = Value::Null;
    let changes = value.object("changes").unwrap_or(&none);
    Action {
        kind: value.text("type").unwrap_or_default(),
        description: value.text("description").unwrap_or_default(),
        path: value.text("file_path"),
        command: value.text("command"),
        diff: changes.text("diff"),
        additions: changes.integer("additions"),
        deletions: changes.integer("deletions"),
        time: value.text("timestamp"),
        is_credited,
        ..Action::default()
    }
}

fn reflection(value: &Value) -> Reflection {
    let none = Value::Null;
    let credit = value.object("credit_assignment").unwrap_or(&none);
    Reflection {
        part: 0,
        text: value.text("reflection_text").unwrap_or_default(),
        insights: strings(value.get("actionable_insights")),
        lessons: strings(value.get("lessons_learned")),
        root_cause: credit.text("root_cause"),
        category: credit.text("failure_category"),
        reasoning: value.text("causal_reasoning"),
        failing_actions: integers(credit.get("failing_action_indices")),
        confidence: value.number("confidence"),
        related: integers(value.get("related_reflections")),
        ..Reflection::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::shape::Member;

    /// Writes a shape as the schema would say it.
    fn schema_of(shape: &Shape) -> Value {
        let required: Vec<_> =
            shape.members.iter().filter(|m| m.is_required).map(|m| m.name).collect();
        let properties: serde_json::Map<_, _> = shape
            .members
            .iter()
            .map(|Member { name, kind, .. }| ((*name).to_owned(), of_kind(kind)))
            .collect();
        let mut schema = serde_json::json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        schema
    }

    fn of_kind(kind: &Kind) -> Value {
        use serde_json::json;
        match kind {
            Kind::Text | Kind::Lines => json!({"type": "string"}),
            Kind::Pattern(_) => json!({"type": "string", "pattern": "^ralph-[a-z0-9-]+$"}),
            Kind::Choice(words) => json!({"type": "string", "enum": words}),
            Kind::Time => json!({"type": "string", "format": "date-time"}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::Integer(min, max) => {
                let mut schema = json!({"type": "integer"});
                if *min != i64::MIN {
                    schema["minimum"] = (*min).into();
                }
                if *max != i64::MAX {
                    schema["maximum"] = (*max).into();
                }
                schema
            }
            Kind::Number(min, max) => {
                let mut schema = json!({"type": "number"});
                if min.is_finite() {
                    #[expect(clippy::cast_possible_truncation, reason = "whole bounds")]
                    let bounds = (*min as i64, *max as i64);
                    schema["minimum"] = bounds.0.into();
                    schema["maximum"] = bounds.1.into();
                }
                schema
            }
            Kind::Object(shape) => schema_of(shape),
            Kind::List(item) => json!({"type": "array", "items": of_kind(&item.kind)}),
            Kind::Any => json!({}),
        }
    }

    #[test]
    fn the_table_says_what_the_schema_says() {
        let mut schema: Value = serde_json::from_str(crate::SCHEMA).expect("schema is JSON");
        let object = schema.as_object_mut().expect("schema is an object");
        for name in ["$schema", "title", "description"] {
            object.remove(name);
        }
        assert_eq!(schema_of(&SHAPE), schema);
    }

    #[test]
    fn loop_ids() {
        assert!(is_loop_id("ralph-a-1"));
        assert!(is_loop_id("ralph--"));
        for id in ["ralph-", "ralph-A", "ralph-a\n", "xralph-a", "ralph-é"] {
            assert!(!is_loop_id(id), "{id}");
        }
    }
}
