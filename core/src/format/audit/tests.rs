//! Each check fires on its case, and does not on the nearest case that is fine.

use serde_json::{Value, json};

use super::changed_lines;
use crate::format::{ValidateOptions, validate, validate_with};
use crate::json::scan::Text;
use crate::validate::Profile;

/// A record about which no check has anything to say.
fn plain() -> Value {
    json!({
        "loop_id": "ralph-a", "iteration": 4, "timestamp": "2026-03-01T10:30:00Z",
        "actor_output": {
            "actions": [
                {"type": "code_modification", "description": "d", "file_path": "a.rs",
                 "changes": {"additions": 2, "deletions": 1, "diff": "--- a\n+++ b\n@@ -1 +1,2 @@\n-x\n+y\n+z\n"},
                 "timestamp": "2026-03-01T10:25:00Z"},
                {"type": "test_execution", "description": "t", "command": "cargo test", "timestamp": "2026-03-01T10:28:00Z"}
            ],
            "rationale": "r", "files_modified": ["a.rs"],
            "total_changes": {"files_changed": 1, "lines_added": 2, "lines_deleted": 1}
        },
        "evaluator_output": {
            "passed": false, "verification_type": "unit_tests",
            "results": [{"tool": "cargo", "status": "fail", "exit_code": 1, "duration_ms": 5}],
            "errors": [{"type": "test_failure", "message": "m", "file": "a.rs", "line": 1, "column": 2}],
            "reward_signal": 0.5,
            "metrics": {"tests_passed": 3, "tests_failed": 2, "tests_total": 5, "lint_errors": 0, "type_errors": 0}
        },
        "self_reflection": {
            "reflection_text": "t",
            "credit_assignment": {"failing_action_indices": [0, 1], "root_cause": "c"},
            "related_reflections": [3]
        },
        "memory_metadata": {
            "omega_capacity": 3, "current_memory_size": 3, "reflections_in_context": [2, 3, 4],
            "total_reflections_generated": 4
        },
        "context_injected": true, "previous_reflections_used": [1, 2, 3],
        "performance_delta": {"reward_change": 0.1, "error_count_change": -1, "is_improvement": true}
    })
}

/// Rules and pointers of the `rm/*` findings after setting members; `null` removes one.
fn fired(changes: &[(&str, Value)]) -> Vec<(String, String)> {
    let mut record = plain();
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
        let parent = record.pointer_mut(parent).expect("its parent exists");
        match parent {
            Value::Object(map) if value.is_null() => drop(map.remove(name)),
            Value::Object(map) => drop(map.insert(name.to_owned(), value.clone())),
            other => other[name.parse::<usize>().expect("an index")] = value.clone(),
        }
    }
    let text = serde_json::to_vec_pretty(&record).expect("JSON");
    let answer = validate(&text, Profile::Lenient);
    // Every finding points at a place that exists in the text.
    for finding in &answer.findings {
        let pointer = finding.pointer.as_deref().expect("a pointer");
        assert!(record.pointer(pointer).is_some(), "{pointer}");
        assert!(finding.line.is_some_and(|l| l >= 1));
        assert!(finding.expected.is_some() && finding.found.is_some(), "{finding:?}");
    }
    let rm = answer.findings.into_iter().filter(|f| f.rule.starts_with("rm/"));
    rm.map(|f| (f.rule.into_owned(), f.pointer.unwrap_or_default())).collect()
}

#[track_caller]
fn fires(rule: &str, pointer: &str, changes: &[(&str, Value)]) {
    let found = fired(changes);
    assert!(
        found.contains(&(rule.to_owned(), pointer.to_owned())),
        "{rule} at {pointer}: {found:?}"
    );
}

#[track_caller]
fn silent(rule: &str, changes: &[(&str, Value)]) {
    let found = fired(changes);
    assert!(found.iter().all(|(r, _)| r != rule), "{rule}: {found:?}");
}

const WINDOW: &str = "/memory_metadata/reflections_in_context";
const SIZE: &str = "/memory_metadata/current_memory_size";
const OMEGA: &str = "/memory_metadata/omega_capacity";
const PASSED: &str = "/evaluator_output/passed";
const ERRORS: &str = "/evaluator_output/errors";
const RESULTS: &str = "/evaluator_output/results";
const REWARD: &str = "/evaluator_output/reward_signal";
const METRICS: &str = "/evaluator_output/metrics";
const ACTIONS: &str = "/actor_output/actions";
const CREDIT: &str = "/self_reflection/credit_assignment";
const INDICES: &str = "/self_reflection/credit_assignment/failing_action_indices";

#[test]
fn nothing_fires_on_a_plain_record() {
    assert_eq!(fired(&[]), []);
}

/// Pointers of checks count all items of a list, also those that are no objects.
#[test]
fn items_that_are_no_objects_have_places_too() {
    let list = |item: Value| json!([7, null, item]);
    let run =
        json!({"type": "test_execution", "description": "t", "timestamp": "2026-03-01T11:00:00Z"});
    let run = (ACTIONS, list(run));
    fires("rm/command-missing", "/actor_output/actions/2", std::slice::from_ref(&run));
    fires("rm/action-late", "/actor_output/actions/2/timestamp", std::slice::from_ref(&run));
    silent("rm/credit-range", &[run.clone(), (INDICES, json!([2]))]);
    fires("rm/credit-range", INDICES, &[run, (INDICES, json!([3]))]);
    let check = json!({"tool": "cargo", "status": "pass", "exit_code": 1, "duration_ms": -1});
    let check = [(RESULTS, list(check))];
    fires("rm/exit-code", "/evaluator_output/results/2/exit_code", &check);
    fires("rm/duration-negative", "/evaluator_output/results/2/duration_ms", &check);
    let error = json!({"type": "test_failure", "message": "m", "column": 2});
    fires("rm/error-place", "/evaluator_output/errors/2/column", &[(ERRORS, list(error))]);
}

#[test]
fn windows() {
    fires("rm/window-size", SIZE, &[(WINDOW, json!([3, 4]))]);
    fires("rm/window-over-omega", OMEGA, &[(WINDOW, json!([1, 2, 3, 4]))]);
    fires("rm/window-over-omega", OMEGA, &[(SIZE, json!(4))]);
    silent("rm/window-over-omega", &[(OMEGA, json!(4)), (WINDOW, json!([1, 2, 3, 4]))]);
    fires("rm/window-self", WINDOW, &[(WINDOW, json!([1, 2, 3]))]);
    let text = "/self_reflection/reflection_text";
    silent("rm/window-self", &[(WINDOW, json!([1, 2, 3])), (text, json!(""))]);
    fires("rm/window-future", WINDOW, &[(WINDOW, json!([3, 4, 5]))]);
    fires("rm/window-duplicate", WINDOW, &[(WINDOW, json!([3, 3, 4]))]);
    silent("rm/window-order", &[(WINDOW, json!([3, 3, 4]))]);
    fires("rm/window-order", WINDOW, &[(WINDOW, json!([4, 2, 3]))]);
    let total = "/memory_metadata/total_reflections_generated";
    fires("rm/total-small", total, &[(total, json!(2))]);
    silent("rm/total-small", &[(total, json!(3))]);
}

#[test]
fn credit() {
    fires("rm/credit-range", INDICES, &[(INDICES, json!([2]))]);
    fires("rm/credit-range", INDICES, &[(INDICES, json!([-1]))]);
    fires("rm/credit-duplicate", INDICES, &[(INDICES, json!([0, 1, 0]))]);
    fires("rm/credit-empty-actions", CREDIT, &[(ACTIONS, json!([])), (INDICES, json!(null))]);
    silent("rm/credit-empty-actions", &[(ACTIONS, json!([])), (CREDIT, json!({}))]);
    let blank = json!({"root_cause": " "});
    silent("rm/credit-empty-actions", &[(ACTIONS, json!([])), (CREDIT, blank)]);
}

#[test]
fn verdicts() {
    let pass = json!([{"tool": "t", "status": "pass", "exit_code": 0}]);
    let none = json!([]);
    fires("rm/passed-with-errors", PASSED, &[(PASSED, json!(true))]);
    let warning = json!([{"type": "other", "message": "m", "severity": "warning"}]);
    silent("rm/passed-with-errors", &[(PASSED, json!(true)), (ERRORS, warning)]);
    fires("rm/passed-with-failed-check", PASSED, &[(PASSED, json!(true))]);
    silent("rm/passed-with-failed-check", &[(PASSED, json!(true)), (RESULTS, pass.clone())]);
    fires("rm/failed-all-green", PASSED, &[(RESULTS, pass), (ERRORS, none.clone())]);
    silent("rm/failed-all-green", &[(RESULTS, none.clone()), (ERRORS, none.clone())]);
    fires("rm/failed-without-evidence", PASSED, &[(RESULTS, none.clone()), (ERRORS, none.clone())]);
    silent("rm/failed-without-evidence", &[(ERRORS, none.clone())]);
    fires("rm/reward-verdict", REWARD, &[(REWARD, json!(1.0))]);
    silent("rm/reward-verdict", &[(REWARD, json!(0.99))]);
    fires("rm/reward-verdict", REWARD, &[(PASSED, json!(true)), (REWARD, json!(0.49))]);
    silent("rm/reward-verdict", &[(PASSED, json!(true)), (REWARD, json!(0.5))]);
    let combined = ("/evaluator_output/verification_type", json!("combined"));
    fires("rm/reward-formula", REWARD, &[combined.clone(), (REWARD, json!(0.9))]);
    silent("rm/reward-formula", &[combined, (REWARD, json!(0.8))]);
    fires("rm/reflection-on-success", PASSED, &[(PASSED, json!(true))]);
    let text = "/self_reflection/reflection_text";
    silent("rm/reflection-on-success", &[(PASSED, json!(true)), (text, json!(" "))]);
    let failed = "/evaluator_output/metrics/tests_failed";
    fires("rm/tests-verdict", PASSED, &[(PASSED, json!(true))]);
    fires("rm/tests-verdict", PASSED, &[(failed, json!(0)), (ERRORS, none)]);
    silent("rm/tests-verdict", &[(failed, json!(0))]);
}

#[test]
fn tests_and_results() {
    let total = "/evaluator_output/metrics/tests_total";
    fires("rm/tests-sum", total, &[(total, json!(4))]);
    fires("rm/tests-sum", total, &[(total, json!(6))]);
    let lint = "/evaluator_output/metrics/lint_errors";
    fires("rm/tests-negative", lint, &[(lint, json!(-1))]);
    silent("rm/tests-negative", &[(METRICS, json!({"tests_failed": 0}))]);
    let code = "/evaluator_output/results/0/exit_code";
    let status = "/evaluator_output/results/0/status";
    fires("rm/exit-code", code, &[(code, json!(0))]);
    fires("rm/exit-code", code, &[(status, json!("pass"))]);
    silent("rm/exit-code", &[(status, json!("error")), (code, json!(0))]);
    let duration = "/evaluator_output/results/0/duration_ms";
    fires("rm/duration-negative", duration, &[(duration, json!(-5))]);
    silent("rm/duration-negative", &[(duration, json!(0))]);
    let at_line = "/evaluator_output/errors/0/line";
    fires("rm/error-place", at_line, &[(at_line, json!(0))]);
    fires("rm/error-place", at_line, &[("/evaluator_output/errors/0/file", json!(null))]);
    fires("rm/error-place", "/evaluator_output/errors/0/column", &[(at_line, json!(null))]);
}

#[test]
fn actions_and_totals() {
    let files = "/actor_output/files_modified";
    fires("rm/files-unlisted", "/actor_output/actions/0/file_path", &[(files, json!(["b.rs"]))]);
    silent("rm/files-unlisted", &[(files, json!(null))]);
    let changed = "/actor_output/total_changes/files_changed";
    fires("rm/totals", changed, &[(changed, json!(2))]);
    let added = "/actor_output/total_changes/lines_added";
    fires("rm/totals", added, &[(added, json!(3))]);
    silent(
        "rm/totals",
        &[(added, json!(3)), ("/actor_output/actions/0/changes/additions", json!(null))],
    );
    let diff = "/actor_output/actions/0/changes/diff";
    fires("rm/diff-count", diff, &[("/actor_output/actions/0/changes/additions", json!(45))]);
    silent(
        "rm/diff-count",
        &[(diff, json!("+no hunk\n")), ("/actor_output/actions/0/changes/additions", json!(2))],
    );
    fires(
        "rm/command-missing",
        "/actor_output/actions/1",
        &[("/actor_output/actions/1/command", json!(null))],
    );
    fires(
        "rm/path-missing",
        "/actor_output/actions/0",
        &[("/actor_output/actions/0/file_path", json!(null))],
    );
    let time = "/actor_output/actions/1/timestamp";
    fires("rm/action-late", time, &[(time, json!("2026-03-01T10:30:01Z"))]);
    silent("rm/action-late", &[(time, json!("2026-03-01T10:30:00Z"))]);
    fires("rm/action-order", time, &[(time, json!("2026-03-01T10:24:59Z"))]);
    silent("rm/action-order", &[(time, json!("2026-03-01T10:25:00Z"))]);
}

#[test]
fn relations_and_deltas() {
    let related = "/self_reflection/related_reflections";
    fires("rm/related-range", related, &[(related, json!([4]))]);
    let used = "/previous_reflections_used";
    fires("rm/related-range", used, &[(used, json!([3, 9]))]);
    fires("rm/context-flag", "/context_injected", &[(used, json!([]))]);
    fires("rm/context-flag", "/context_injected", &[("/context_injected", json!(false))]);
    silent("rm/context-flag", &[(used, json!(null))]);
    let is_improvement = "/performance_delta/is_improvement";
    let change = "/performance_delta/reward_change";
    let errors = "/performance_delta/error_count_change";
    fires("rm/improvement-sign", is_improvement, &[(change, json!(-0.2)), (errors, json!(2))]);
    silent("rm/improvement-sign", &[(change, json!(0)), (errors, json!(-2))]);
    fires("rm/improvement-sign", is_improvement, &[(is_improvement, json!(false))]);
    fires("rm/delta-signs", errors, &[(errors, json!(3))]);
    silent("rm/delta-signs", &[(errors, json!(0))]);
}

#[test]
fn times() {
    let text = plain().to_string();
    // 10:30 of the record's day.
    let time = 1_772_361_000_000.0;
    let rules = |now_ms| -> Vec<String> {
        let options = ValidateOptions { now_ms, ..ValidateOptions::default() };
        let findings = validate_with(text.as_bytes(), options).findings;
        findings.into_iter().map(|f| f.rule.into_owned()).collect()
    };
    assert_eq!(rules(None), [""; 0]);
    assert_eq!(rules(Some(time - 300_000.0)), [""; 0]);
    assert_eq!(rules(Some(time - 300_001.0)), ["rm/future"]);
}

#[test]
fn lines_of_a_diff_are_counted_as_they_are_written() {
    let parts = [
        "@@", "\\n", "+", "-", "++", "--", "\\\\", "\\\"", "\\t", "\\r\\n", "\\\\n", "x", "\\u002b",
    ];
    // Every text of four parts behind a hunk, by the lines of what it stands for.
    for mut number in 0..parts.len().pow(4) {
        let mut raw = "@@\\n".to_owned();
        for _ in 0..4 {
            raw += parts[number % parts.len()];
            number /= parts.len();
        }
        let decoded: String = serde_json::from_str(&format!("\"{raw}\"")).expect("JSON");
        let starts = |line: &&str, sign| line.starts_with(sign);
        let is_head = |line: &&str| line.starts_with("+++") || line.starts_with("---");
        let count = |sign: char| {
            let lines = decoded.lines().filter(|line| starts(line, sign) && !is_head(line));
            u32::try_from(lines.count()).expect("few")
        };
        let expected = Some((count('+'), count('-')));
        assert_eq!(changed_lines(Text { raw: &raw, is_escaped: true }), expected, "{raw}");
        assert_eq!(changed_lines(Text { raw: &decoded, is_escaped: false }), expected, "{raw}");
    }
    assert_eq!(changed_lines(Text { raw: "+a", is_escaped: false }), None);
}
