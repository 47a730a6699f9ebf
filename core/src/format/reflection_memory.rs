//! `reflection-memory`: structured reflection records.

use serde_json::Value;

use super::parsed_record::Context;
use super::read::{self, Member as _, counters, integers, strings};
use super::rest::named;
use super::slot::Slot;
use super::traits::Traits;
use super::{Format, FormatId, Reading, table_of};
use crate::json::numeric;
use crate::json::pass::{Deviation, Reading as ReadAs, What};
use crate::json::scan::Scan;
use crate::json::shape::{ROOT, Table};
use crate::json::write;
use crate::model::details::{Action, Details, RecordedWindow, Reflection};
use crate::model::outcome::Outcome;
use crate::model::reward::{Detected, Scale, detect_unit};
use crate::model::view::RewardView;
use crate::validate::deviation;
use crate::validate::schema::Schema;

/// The format, for who keeps windows of such records.
pub(crate) const ID: FormatId = FormatId::ReflectionMemory;

pub(crate) const FORMAT: Format = Format {
    id: "reflection-memory",
    title: "Reflection memory record",
    gives: "iterations with rewards, actions, errors, reflections and the recorded window",
    known_by: "an object `self_reflection`, or two of `actor_output`, `evaluator_output`, `memory_metadata`",
    found_at: "reflections/{loop}/NNN.json",
    fits,
    traits: Traits {
        marks: &["self_reflection", "evaluator_output"],
        base: None,
        names: &["###"],
        schema: Some(Schema::ReflectionMemory),
        is_validated: true,
        ..Traits::USUAL
    },
    reading: Reading::Shape { table: TABLE, details, is_certain },
};

/// What its records are read along.
pub(crate) const TABLE: fn() -> &'static Table<Slot> = table_of!(table());

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

/// Where the values of a record go; all others are only checked.
fn slot_of(pointer: &str) -> Slot {
    match pointer {
        "/loop_id" => Slot::Key,
        "/iteration" => Slot::Number,
        "/timestamp" => Slot::Time,
        "/task_description" => Slot::Task,
        "/context_injected" => Slot::InjectedFlag,
        "/previous_reflections_used" => Slot::Injected,
        "/previous_reflections_used/*" => Slot::InjectedItem,
        "/actor_output/actions/*" => Slot::ActionItem,
        "/actor_output/actions/*/type" => Slot::ActionType,
        "/actor_output/actions/*/file_path" => Slot::ActionPath,
        "/actor_output/actions/*/command" => Slot::ActionCommand,
        "/actor_output/actions/*/timestamp" => Slot::ActionTime,
        "/actor_output/actions/*/changes/additions" => Slot::Additions,
        "/actor_output/actions/*/changes/deletions" => Slot::Deletions,
        "/actor_output/actions/*/changes/diff" => Slot::Diff,
        "/actor_output/files_modified" => Slot::Files,
        "/actor_output/files_modified/*" => Slot::FileItem,
        "/actor_output/total_changes/files_changed" => Slot::FilesChanged,
        "/actor_output/total_changes/lines_added" => Slot::LinesAdded,
        "/actor_output/total_changes/lines_deleted" => Slot::LinesDeleted,
        "/evaluator_output/passed" => Slot::Passed,
        "/evaluator_output/verification_type" => Slot::Verification,
        "/evaluator_output/results" => Slot::Results,
        "/evaluator_output/results/*" => Slot::ResultItem,
        "/evaluator_output/results/*/status" => Slot::ResultStatus,
        "/evaluator_output/results/*/exit_code" => Slot::ExitCode,
        "/evaluator_output/results/*/duration_ms" => Slot::Duration,
        "/evaluator_output/errors" => Slot::Errors,
        "/evaluator_output/errors/*" => Slot::ErrorItem,
        "/evaluator_output/errors/*/file" => Slot::ErrorFile,
        "/evaluator_output/errors/*/line" => Slot::ErrorLine,
        "/evaluator_output/errors/*/column" => Slot::ErrorColumn,
        "/evaluator_output/errors/*/severity" => Slot::ErrorSeverity,
        "/evaluator_output/reward_signal" => Slot::Reward,
        "/evaluator_output/metrics/tests_passed" => Slot::TestsPassed,
        "/evaluator_output/metrics/tests_failed" => Slot::TestsFailed,
        "/evaluator_output/metrics/tests_total" => Slot::TestsTotal,
        "/evaluator_output/metrics/lint_errors" => Slot::LintErrors,
        "/evaluator_output/metrics/lint_warnings" => Slot::LintWarnings,
        "/evaluator_output/metrics/type_errors" => Slot::TypeErrors,
        "/self_reflection/reflection_text" => Slot::Reflection,
        "/self_reflection/credit_assignment/failing_action_indices/*" => Slot::CreditItem,
        "/self_reflection/credit_assignment/root_cause"
        | "/self_reflection/credit_assignment/failure_category" => Slot::Cause,
        "/self_reflection/related_reflections/*" => Slot::RelatedItem,
        "/memory_metadata/omega_capacity" => Slot::Omega,
        "/memory_metadata/current_memory_size" => Slot::WindowSize,
        "/memory_metadata/reflections_in_context" => Slot::WindowItems,
        "/memory_metadata/reflections_in_context/*" => Slot::WindowItem,
        "/memory_metadata/window_policy" => Slot::Policy,
        "/memory_metadata/total_reflections_generated" => Slot::WindowTotal,
        "/performance_delta/reward_change" => Slot::RewardChange,
        "/performance_delta/error_count_change" => Slot::ErrorChange,
        "/performance_delta/is_improvement" => Slot::IsImprovement,
        _ => Slot::None,
    }
}

/// The table of the schema.
fn table() -> Table<Slot> {
    Schema::ReflectionMemory.table_with(&slot_of)
}

/// Whether a record that deviates from the schema passes [`fits`], and the test of no format that is
/// tried before this one. Those are known by members that the schema does not have.
fn is_certain(text: &str, deviations: &[Deviation]) -> bool {
    let table = Schema::ReflectionMemory.table();
    let is_object = |name: &str| {
        let Some((place, node)) = table.member_at(ROOT, name) else { return false };
        !deviations.iter().any(|d| match d.what {
            What::Required(missing) => d.node == ROOT && missing == place,
            What::Type(_) => d.node == node,
            _ => false,
        })
    };
    // An object in a place where the pass did not look may hold whatever another format is known by.
    let may_hold = |mut value: Scan<'_>| {
        let start = value.at();
        matches!(value.peek(), Some(b'{' | b'[')) && {
            let _ = value.skip_value(0);
            let value = text.get(start..value.at()).unwrap_or_default();
            value.contains("history") || value.contains("\\u")
        }
    };
    let names = ["format", "version", "history", "reflection_history"];
    let is_other = |d: &Deviation| match d.what {
        What::Unknown => deviation::member_at(text, d).is_none_or(|(name, value)| {
            names.iter().any(|other| name.is(other)) || may_hold(value)
        }),
        What::Type(ReadAs::Not) => text.as_bytes().get(d.at as usize) == Some(&b'{'),
        _ => false,
    };
    is_known(is_object) && !deviations.iter().any(is_other)
}

/// Whether the members that are objects make a record of this format.
fn is_known(is_object: impl Fn(&str) -> bool) -> bool {
    let outputs = ["actor_output", "evaluator_output", "memory_metadata"];
    is_object("self_reflection") || outputs.into_iter().filter(|name| is_object(name)).count() >= 2
}

/// Whether a text can be one of its records: if not, it need not be tried. The names of its members stand in
/// it, unless they are written with escapes.
pub(crate) fn is_likely(text: &str) -> bool {
    is_known(|name| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some())
}

/// Whether a record is of this format.
pub(crate) fn fits(value: &Value, _context: &Context) -> bool {
    is_known(|name| value.object(name).is_some())
}

/// The record in full.
pub(crate) fn details(value: &Value, _part: u32) -> Details {
    let actor = value.inner("actor_output");
    let evaluator = value.inner("evaluator_output");
    let memory = value.inner("memory_metadata");
    let reflection = value.object("self_reflection").map(reflection);
    let credited = reflection.as_ref().map_or(&[][..], |r| &r.failing_actions);
    let actions = (0..).zip(actor.items("actions"));
    let actions = actions.map(|(i, a)| action(a, credited.contains(&i))).collect();
    let list =
        |of: &Value, name: &str| of.get(name).filter(|v| !v.is_null()).map(|v| integers(Some(v)));
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
        checks: evaluator.items("results").map(|one| read::check(one, "duration_ms")).collect(),
        errors: evaluator.items("errors").map(|one| read::error(one, "stack_trace")).collect(),
        actions,
        files: strings(actor.get("files_modified")),
        reflections: reflection.into_iter().collect(),
        window: ["memory_metadata", "previous_reflections_used", "context_injected"]
            .into_iter()
            .any(|name| value.get(name).is_some_and(|v| !v.is_null()))
            .then(|| RecordedWindow {
                omega: omega(memory),
                policy: memory.text("window_policy"),
                after: list(memory, "reflections_in_context"),
                size: memory.integer("current_memory_size"),
                total: memory.integer("total_reflections_generated"),
                injected: list(value, "previous_reflections_used"),
                injected_flag: value.flag("context_injected"),
            }),
        stored: value.object("performance_delta").map(read::stored),
        texts: named([("notes", value.text("notes"))]).collect(),
        ..Details::default()
    }
}

/// Ω with its fraction dropped.
#[expect(clippy::cast_possible_truncation, reason = "saturates; such numbers are reported")]
fn omega(memory: &Value) -> Option<i64> {
    numeric::omega(memory.get("omega_capacity")?).map(|omega| omega.floor() as i64)
}

fn reward(evaluator: &Value) -> Option<RewardView> {
    let number = evaluator.number("reward_signal")?;
    let (value, scale) = match detect_unit(number) {
        Detected::Unit(value) => (value, Scale::Unit),
        Detected::Mismatch(value) => (value, Scale::Percent),
        Detected::OutOfRange => return None,
    };
    let raw = evaluator.get("reward_signal").map(write::value);
    Some(RewardView::reported(value, raw, scale))
}

fn action(value: &Value, is_credited: bool) -> Action {
    let changes = value.inner("changes");
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
    let credit = value.inner("credit_assignment");
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
    use crate::format::extracted::Verification;
    use crate::json::shape::Type;
    use crate::model::omega::Policy;

    #[test]
    fn words_with_a_column_of_their_own_are_those_of_the_schema() {
        let table = table();
        let words_at = |pointer: &str| {
            let node =
                (0..).zip(&table.nodes).find(|(id, _)| table.pointer(*id, [0; 2]) == pointer);
            match node.map(|(_, node)| &node.is) {
                Some(Type::Choice(words)) => words.iter().map(|word| &**word).collect(),
                _ => Vec::new(),
            }
        };
        assert_eq!(
            words_at("/evaluator_output/verification_type"),
            Verification::ALL.map(Verification::as_str)
        );
        assert_eq!(words_at("/memory_metadata/window_policy"), Policy::ALL.map(Policy::as_str));
        let category = "/self_reflection/credit_assignment/failure_category";
        assert_eq!(words_at(category), FAILURE_CATEGORIES);
    }

    /// What the pass has room for: a bit for each member of an object, and the places in two lists.
    #[test]
    fn tables_are_no_larger_than_the_pass_allows() {
        for format in FormatId::ALL {
            let Some(table) = format.table() else { continue };
            for (id, node) in (0..).zip(&table.nodes) {
                if let Type::Object { len, .. } = node.is {
                    assert!(len <= 64, "{format:?}");
                }
                let pointer = table.pointer(id, [7, 7]);
                let lists = pointer.split('/').filter(|step| ["7", "0"].contains(step)).count();
                assert!(lists <= 2, "{format:?}: {pointer}");
            }
        }
    }

    /// A record that another format is known by is tried against all formats.
    #[test]
    fn what_may_be_of_another_format_is_not_certain() {
        let is_certain = |more: &str| {
            let text = format!(r#"{{"self_reflection":{{"reflection_text":"x"}}{more}}}"#);
            let mut deviations = Vec::new();
            Schema::ReflectionMemory.read(&text, &mut deviations).expect("it is JSON");
            super::is_certain(&text, &deviations)
        };
        for more in [
            "",
            r#","cost":{"usd":1}"#,
            r#","iteration":"1""#,
            r#","previous_reflections_used":[null,null]"#,
        ] {
            assert!(is_certain(more), "{more}");
        }
        for more in [
            r#","notes":{"reflection_history":[]}"#,
            r#","own":{"reflection_history":[]}"#,
            r#","own":{"reflection_\u0068istory":[]}"#,
            r#","history":[]"#,
            r#","format":"hindscope""#,
        ] {
            assert!(!is_certain(more), "{more}");
        }
    }

    #[test]
    fn every_slot_is_reached() {
        let table = table();
        let reached = table.nodes.iter().filter(|node| node.slot != Slot::None).count();
        assert_eq!(reached, 54, "a pointer of `slot_of` names nothing");
    }
}
