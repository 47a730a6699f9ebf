//! docs/spec/rules.md, "Reflection quality".

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{all_rules, explained, explained_by, put};
use crate::insight::answer::Explanation;
use crate::model::finding::Severity;
use crate::model::options::InsightOptions;

/// A reflection without fault, about iteration `n`.
fn good(n: usize) -> Value {
    json!({
        "evaluator_output": {"passed": false},
        "self_reflection": {
            "reflection_text": format!("Attempt number {n} refreshed the token before it had looked at the expiry field, so the session test failed with 401."),
            "actionable_insights": ["Check expiry first"],
            "credit_assignment": {"root_cause": "order of calls"},
            "confidence": 0.7,
        },
    })
}

fn marks(explanation: &Explanation, at: usize) -> Vec<Cow<'static, str>> {
    explanation.reflections[at].marks.clone()
}

/// The marks of a good reflection with something changed.
#[track_caller]
fn check(change: &Value, expected: &[&str]) {
    let mut record = good(1);
    put(change, &mut record);
    let explanation = explained(&[record]);
    assert_eq!(marks(&explanation, 0), expected);
    let found: Vec<_> =
        explanation.findings.iter().filter(|f| f.rule.starts_with("reflection/")).collect();
    match expected {
        [] => assert!(found.is_empty(), "{found:?}"),
        [rule] => {
            assert_eq!(found[0].rule, *rule);
            let is_blank = *rule == "reflection/blank";
            assert_eq!(found[0].severity == Severity::Warning, is_blank);
        }
        [..] => {
            assert_eq!((found.len(), &*found[0].rule), (1, "reflection/low-quality"));
            assert_eq!(found[0].severity, Severity::Warning);
            assert!(expected.iter().all(|rule| found[0].message.contains(rule)));
        }
    }
}

fn reflection(members: &Value) -> Value {
    json!({"self_reflection": members})
}

#[test]
fn repeats_are_warned_of_once() {
    let same = json!({"self_reflection": {"reflection_text": "Retry."}});
    let explanation = explained(&[same.clone(), same.clone(), same]);
    let of = |rule: &str| -> Vec<_> {
        explanation.findings.iter().filter(|f| f.rule == rule).map(|f| f.severity).collect()
    };
    assert_eq!(of("stuck/repeated-reflection"), [Severity::Warning]);
    let low = of("reflection/low-quality");
    assert!(low.len() >= 2 && low.iter().all(|one| *one == Severity::Info), "{low:?}");
}

#[test]
fn indicators() {
    check(&json!({}), &[]);
    check(&reflection(&json!({"actionable_insights": []})), &["reflection/no-insights"]);
    check(&reflection(&json!({"actionable_insights": [" "]})), &["reflection/no-insights"]);
    check(&reflection(&json!({"credit_assignment": null})), &["reflection/no-credit"]);
    check(
        &json!({"evaluator_output": {"passed": true}, "self_reflection": {"credit_assignment": null}}),
        &[],
    );
    let text = |text: String| reflection(&json!({"reflection_text": text}));
    check(&text("x".repeat(53) + "."), &["reflection/short"]);
    check(&text(format!(" {}. ", "é".repeat(99))), &[]);
    check(&text("x".repeat(99)), &["reflection/short"]);
    check(&text("x y ".repeat(60)), &["reflection/cut"]);
    check(&text("x y ".repeat(60) + "z)"), &[]);
    check(&text("I will be more careful next time. ".repeat(4)), &["reflection/generic"]);
    check(&text("I will be more careful next expiry. ".repeat(4)), &[]);
    check(&text("  ".to_owned()), &["reflection/blank"]);
    let mut success = good(1);
    put(&text("  ".to_owned()), &mut success);
    put(&json!({"evaluator_output": {"passed": true}}), &mut success);
    assert!(explained(&[success]).reflections.is_empty(), "a success needs none");
    let sure = json!({"confidence": 0.95, "credit_assignment": null});
    check(&reflection(&sure), &["reflection/no-credit", "reflection/overconfident"]);
    let mut with_error = reflection(&sure);
    let error = json!({"evaluator_output": {"errors": [{"type": "other", "message": "m"}]}});
    put(&error, &mut with_error);
    check(&with_error, &["reflection/no-credit"]);
    check(
        &text("I will be more careful next time.".to_owned()),
        &["reflection/short", "reflection/generic"],
    );
}

#[test]
fn a_reflection_said_before() {
    let mut records = [good(1), good(2), good(1)];
    let explanation = explained(&records);
    assert_eq!(marks(&explanation, 2), ["reflection/verbatim"]);
    put(&reflection(&json!({"reflection_text": "retry"})), &mut records[0]);
    put(&reflection(&json!({"reflection_text": "Retry."})), &mut records[1]);
    let explanation = explained(&records);
    assert_eq!(marks(&explanation, 1), ["reflection/short", "reflection/verbatim"]);
}

#[test]
fn low_confidence_counts_when_nothing_follows_from_it() {
    let with = |confidence: f64, rewards: [f64; 2]| {
        let mut records = [good(1), good(2)];
        for (record, reward) in records.iter_mut().zip(rewards) {
            put(&json!({"evaluator_output": {"reward_signal": reward}}), record);
        }
        put(&reflection(&json!({"confidence": confidence})), &mut records[0]);
        marks(&explained(&records), 0)
    };
    assert_eq!(with(0.4, [0.5, 0.45]), ["reflection/low-confidence"]);
    assert_eq!(with(0.4, [0.5, 0.55]), [""; 0]);
    assert_eq!(with(0.5, [0.5, 0.45]), [""; 0]);
}

#[test]
fn formats_without_a_field_are_not_blamed_for_it() {
    let hook = r#"{"trial_number":1,"loop_id":"a","outcome":"failure","reflection":"Short."}"#;
    let explanation = super::super::explain(&[hook], &InsightOptions::default());
    assert_eq!(marks(&explanation, 0), ["reflection/short"]);
}

#[test]
fn chosen_indicators_stay_apart() {
    let mut record = good(1);
    put(&reflection(&json!({"reflection_text": "I will try"})), &mut record);
    let options = InsightOptions {
        rules: vec!["reflection/short".to_owned(), "reflection/generic".to_owned()],
        ..all_rules()
    };
    let rules: Vec<_> =
        explained_by(&[record], &options).findings.into_iter().map(|f| f.rule).collect();
    assert_eq!(rules, ["reflection/short", "reflection/generic"]);
}

#[test]
fn calibration() {
    let with = |confidences: &[f64], rewards: &[f64]| {
        let mut records: Vec<_> = (0..rewards.len()).map(good).collect();
        for (record, reward) in records.iter_mut().zip(rewards) {
            put(&json!({"evaluator_output": {"reward_signal": reward}}), record);
        }
        for (record, confidence) in records.iter_mut().zip(confidences) {
            put(&reflection(&json!({"confidence": confidence})), record);
        }
        explained(&records).calibration.expect("there are pairs")
    };
    let rewards = [0.5, 0.6, 0.7, 0.6, 0.5, 0.4];
    let found = with(&[0.9, 0.8, 0.7, 0.3, 0.2], &rewards);
    assert_eq!(found.pairs, 5);
    assert!(found.correlation.is_some_and(|r| (r - 0.79).abs() < 0.005), "{found:?}");
    assert_eq!(with(&[0.9, 0.8, 0.7, 0.3], &rewards[..5]).correlation, None, "too few");
    let rising = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    assert_eq!(with(&[0.9, 0.8, 0.7, 0.3, 0.2], &rising).correlation, None, "one outcome only");
}
