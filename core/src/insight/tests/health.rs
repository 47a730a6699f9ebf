//! docs/spec/rules.md, "Stuck loops".

use serde_json::{Value, json};

use super::{
    NOWHERE, all_rules, explained, explained_by, fires, in_points, put, reflections, rewards,
};
use crate::model::finding::Severity;
use crate::model::options::InsightOptions;

const A: &str = "Look for the keys in every drawer before you open the door";
const B: &str = "Measure the pan again and write the number on the plan";
const C: &str = "Never trust a cached answer when the clock has been moved back";

#[test]
fn the_same_reflection_three_times() {
    let stuck = explained(&reflections(&["Retry.", "retry", "**Retry!**", "other"]));
    assert_eq!(fires(&stuck, "stuck/repeated-reflection"), [[1, 2, 3]]);
    assert_eq!(fires(&stuck, "stuck/near-repeat"), NOWHERE, "reported already");
    assert_eq!(fires(&stuck, "stuck/cycle-2"), NOWHERE);
    assert_eq!(stuck.findings[0].iteration.is_some(), stuck.findings[0].run.is_some());
    let twice = explained(&reflections(&["Retry.", "retry", "other"]));
    assert_eq!(fires(&twice, "stuck/repeated-reflection"), NOWHERE);
    let severity = |points: &[f64]| {
        let records = in_points(points).into_iter().map(|mut record| {
            put(&json!({"self_reflection": {"reflection_text": "Retry."}}), &mut record);
            record
        });
        let found = explained(&records.collect::<Vec<_>>()).findings;
        found.iter().find(|f| f.rule == "stuck/repeated-reflection").map(|f| f.severity)
    };
    assert_eq!(severity(&[50.0, 51.0, 52.0]), Some(Severity::Warning));
    assert_eq!(severity(&[50.0, 60.0, 55.0]), Some(Severity::Info), "the reward rose");
    let blank = explained(&reflections(&[" ", "", " "]));
    assert_eq!(fires(&blank, "stuck/repeated-reflection"), NOWHERE);
}

/// Whether a run of these reflections is stuck now, and its first warning.
fn stuck(of: &[Value]) -> (bool, String) {
    let explanation = explained(of);
    let warning = explanation.findings.iter().find(|f| crate::insight::stuck::is_warning(f));
    (explanation.is_stuck, warning.map(|f| f.message.clone()).unwrap_or_default())
}

#[test]
fn a_loop_that_moved_on_was_stuck() {
    let said = |text: &str| json!({"self_reflection": {"reflection_text": text}});
    let same = [said("Retry."), said("retry"), said("Retry!")];
    let message = "3 reflections in a row say the same: 1, 2 and 3.";
    let moved_on = format!("{message} The loop was stuck at attempts 1 to 3, and moved on.");
    assert_eq!(stuck(&same), (true, message.to_owned()));
    let other = said("The port was taken by the other server.");
    let later = [same.to_vec(), vec![other]].concat();
    assert_eq!(stuck(&later), (false, moved_on.clone()));
    // An attempt after it that nobody has reflected on tells nothing, unless it is a success.
    let silent = |passed| [same.to_vec(), vec![json!({"evaluator_output": {"passed": passed}})]];
    assert_eq!(stuck(&silent(false).concat()), (true, message.to_owned()));
    assert_eq!(stuck(&silent(true).concat()), (false, moved_on));
    assert_eq!(stuck(&same[..2]), (false, String::new()));
    // The same again behind a success is not yet a loop that is stuck.
    let attempt = |passed| json!({"self_reflection": {"reflection_text": "Retry."}, "evaluator_output": {"passed": passed}});
    let (is_stuck, message) = stuck(&[false, false, false, true, false].map(attempt));
    assert!(!is_stuck && message.ends_with("stuck at attempts 1 to 3, and moved on."), "{message}");
}

#[test]
fn a_reflection_that_recurs() {
    let recurs = explained(&reflections(&[A, B, A, C, A]));
    assert_eq!(fires(&recurs, "stuck/recurring-reflection"), [[1, 3, 5]]);
    assert_eq!(fires(&recurs, "stuck/repeated-reflection"), NOWHERE);
    let row = explained(&reflections(&[A, A, A]));
    assert_eq!(fires(&row, "stuck/recurring-reflection"), NOWHERE, "all consecutive");
}

#[test]
fn reflections_that_are_nearly_the_same() {
    let a = [
        "one two three four five six seven eight nine ten eleven",
        "one two three four five six seven eight nine ten twelve",
        "one two three four five six seven eight nine ten thirteen",
    ];
    assert_eq!(fires(&explained(&reflections(&a)), "stuck/near-repeat"), [[1, 2, 3]]);
    let middle = [a[0], a[1], "one two three four five other seven eight nine ten eleven"];
    assert_eq!(fires(&explained(&reflections(&middle)), "stuck/near-repeat"), NOWHERE);
}

#[test]
fn cycles() {
    let two = explained(&reflections(&[A, B, A, B]));
    assert_eq!(fires(&two, "stuck/cycle-2"), [[1, 2, 3, 4]]);
    assert_eq!(fires(&two, "stuck/cycle-3"), NOWHERE);
    let same = explained(&reflections(&[A, A, A, A]));
    assert_eq!(fires(&same, "stuck/cycle-2"), NOWHERE, "one class is no cycle");
    let short = explained(&reflections(&[A, B, A, C]));
    assert_eq!(fires(&short, "stuck/cycle-2"), NOWHERE);
    let three = explained(&reflections(&[A, B, C, A, B, C]));
    assert_eq!(fires(&three, "stuck/cycle-3"), [[1, 2, 3, 4, 5, 6]]);
    let cut = explained(&reflections(&[A, B, C, A, B]));
    assert_eq!(fires(&cut, "stuck/cycle-3"), NOWHERE);
}

/// Records with one error each, named by a letter.
fn errors(letters: &str) -> Vec<Value> {
    letters
        .chars()
        .map(|letter| {
            json!({"evaluator_output": {"errors": [
                {"type": "test_failure", "message": format!("{letter} at line {}", letters.len())}
            ]}})
        })
        .collect()
}

fn with(mut records: Vec<Value>, others: &[Value]) -> Vec<Value> {
    for (record, other) in records.iter_mut().zip(others) {
        put(other, record);
    }
    records
}

#[test]
fn an_error_that_stays() {
    let flat = in_points(&[40.0, 41.0, 40.0, 41.0, 40.0]);
    let stuck = explained(&with(errors("XYXZX"), &flat));
    assert_eq!(fires(&stuck, "stuck/repeated-error"), [[1, 3, 5]]);
    let climbs = in_points(&[40.0, 45.0, 50.0, 55.0, 60.0]);
    let better = explained(&with(errors("XYXZX"), &climbs));
    assert_eq!(fires(&better, "stuck/repeated-error"), NOWHERE, "0.05 a step is progress");
    let twice = explained(&with(errors("XYZX"), &flat));
    assert_eq!(fires(&twice, "stuck/repeated-error"), NOWHERE);
    let five = explained(&with(errors("XXXXX"), &flat));
    let finding = five.findings.iter().find(|f| f.rule == "stuck/repeated-error");
    assert!(finding.is_some_and(|f| f.message.contains("in 5 iterations")), "{five:?}");
}

#[test]
fn without_rewards_the_number_of_errors_counts() {
    // Verdicts would give rewards; hook records have neither.
    let mut records = errors("ZZZ");
    for record in &mut records {
        put(&json!({"evaluator_output": {"passed": null}}), record);
    }
    assert_eq!(fires(&explained(&records), "stuck/repeated-error"), [[1, 2, 3]]);
    let more = json!({"evaluator_output": {"errors": [
        {"type": "test_failure", "message": "Z at line 1"}, {"type": "other", "message": "Y"}
    ]}});
    put(&more, &mut records[0]);
    assert_eq!(fires(&explained(&records), "stuck/repeated-error"), NOWHERE, "2 to 1 is progress");
}

fn action(path: &str, diff: &str) -> Value {
    json!({"actor_output": {"actions": [
        {"type": "code_modification", "description": "d", "file_path": path, "changes": {"diff": diff}}
    ]}})
}

#[test]
fn the_same_action_three_times() {
    let a = [action("a.rs", "+ x"), action("a.rs", "+x"), action("a.rs", "+\tx\n")];
    assert_eq!(fires(&explained(&a), "stuck/repeated-action"), [[1, 2, 3]]);
    let other = [a[0].clone(), a[1].clone(), action("a.rs", "+ y")];
    assert_eq!(fires(&explained(&other), "stuck/repeated-action"), NOWHERE);
    let mut solved = a.clone();
    put(&json!({"evaluator_output": {"passed": true}}), &mut solved[2]);
    assert_eq!(fires(&explained(&solved), "stuck/repeated-action"), NOWHERE, "one succeeded");
    let none = [json!({}), json!({}), json!({})];
    assert_eq!(fires(&explained(&none), "stuck/repeated-action"), NOWHERE);
}

#[test]
fn rewards_that_stand_still() {
    let flat = explained(&in_points(&[10.0, 50.0, 54.0, 54.0]));
    assert_eq!(fires(&flat, "stuck/flat"), [[2, 3, 4]]);
    let steps = explained(&in_points(&[50.0, 55.0, 55.0]));
    assert_eq!(fires(&steps, "stuck/flat"), NOWHERE, "5 points are a step");
}

#[test]
fn rewards_that_oscillate() {
    let oscillates = explained(&in_points(&[40.0, 60.0, 45.0, 65.0]));
    assert_eq!(fires(&oscillates, "oscillation/reward"), [[1, 2, 3, 4]]);
    let small = explained(&in_points(&[40.0, 60.0, 57.0, 65.0]));
    assert_eq!(fires(&small, "oscillation/reward"), NOWHERE, "0.03 does not exceed 0.03");
    let three = explained(&in_points(&[40.0, 60.0, 45.0]));
    assert_eq!(fires(&three, "oscillation/reward"), NOWHERE);
}

#[test]
fn files_to_and_fro() {
    let files = |lists: &[&[&str]]| {
        let records: Vec<_> =
            lists.iter().map(|list| json!({"actor_output": {"files_modified": list}})).collect();
        fires(&explained(&records), "oscillation/files")
    };
    assert_eq!(files(&[&["a", "b"], &["c"], &["a", "b"], &["c"]]), [[1, 2, 3, 4]]);
    assert_eq!(files(&[&["a", "b"], &["c"], &["a"], &["c"]]), NOWHERE, "one of two is too few");
    assert_eq!(files(&[&["a"], &["a"], &["a"], &["a"]]), NOWHERE, "they never left");
}

#[test]
fn rewards_that_fall() {
    let message = |points: &[f64]| {
        let explanation = explained(&in_points(points));
        let found = explanation.findings.into_iter().find(|f| f.rule == "regression/reward");
        found.map(|f| f.message)
    };
    let fall = message(&[80.0, 68.0]).expect("0.12 is a fall");
    assert!(fall.contains("by 0.120") && !fall.contains("strongly"), "{fall}");
    assert_eq!(message(&[80.0, 70.0]), None, "0.10 is not below");
    assert!(message(&[80.0, 59.0]).is_some_and(|m| m.contains("strongly")));
    let long = explained(&in_points(&[80.0, 76.0, 72.0, 68.0, 64.0]));
    assert_eq!(fires(&long, "regression/stretch"), [[1, 2, 3, 4, 5]]);
    let less = explained(&in_points(&[80.0, 76.0, 72.0, 68.0, 65.0]));
    assert_eq!(fires(&less, "regression/stretch"), NOWHERE, "0.15 does not exceed 0.15");
}

#[test]
fn verdicts_and_coverage_that_fall() {
    let of = |passed: bool, kind: &str, coverage: f64| {
        json!({"evaluator_output": {"passed": passed, "verification_type": kind,
               "metrics": {"coverage_percentage": coverage}}})
    };
    let lost = explained(&[of(true, "lint", 80.0), of(false, "lint", 70.0)]);
    assert_eq!(fires(&lost, "regression/verdict"), [[1, 2]]);
    assert_eq!(fires(&lost, "regression/coverage"), [[1, 2]]);
    let other = explained(&[of(true, "lint", 80.0), of(false, "unit_tests", 71.0)]);
    assert_eq!(fires(&other, "regression/verdict"), NOWHERE);
    assert_eq!(fires(&other, "regression/coverage"), NOWHERE);
}

#[test]
fn budgets() {
    let found = |used: usize, limit: u32| {
        let options = InsightOptions { max_iterations: Some(limit), ..all_rules() };
        let records = rewards(&vec![None; used]);
        let findings = explained_by(&records, &options).findings;
        findings.into_iter().find(|f| f.rule.starts_with("budget/"))
    };
    let message = |used, limit| found(used, limit).map(|f| f.message).unwrap_or_default();
    assert_eq!(message(9, 10), "The run used 9 of 10 allowed iterations.");
    assert_eq!(message(12, 10), "12 iterations were used, but only 10 are allowed.");
    assert_eq!(message(2, 1), "2 iterations were used, but only 1 is allowed.");
    let found = |used, limit| found(used, limit).map(|f| (f.rule.into_owned(), f.severity));
    assert_eq!(found(7, 10), None);
    assert_eq!(found(8, 10), Some(("budget/iterations".to_owned(), Severity::Info)));
    assert_eq!(found(19, 20), Some(("budget/iterations".to_owned(), Severity::Warning)));
    assert_eq!(found(10, 10), Some(("budget/iterations".to_owned(), Severity::Warning)));
    assert_eq!(found(11, 10), Some(("budget/over".to_owned(), Severity::Warning)));
}

#[test]
fn drift_is_judged_only_when_asked_for() {
    let mut records = reflections(&["fix token expiry", "other things", "else entirely"]);
    put(&json!({"task_description": "Fix token expiry handling"}), &mut records[0]);
    assert_eq!(fires(&explained(&records), "drift/objective"), [[2, 3]]);
    let by_default = explained_by(&records, &InsightOptions::default());
    assert_eq!(fires(&by_default, "drift/objective"), NOWHERE);
    records[2] = json!({"self_reflection": {"reflection_text": "expiry of the token"}});
    assert_eq!(fires(&explained(&records), "drift/objective"), NOWHERE, "half of the words");
}
