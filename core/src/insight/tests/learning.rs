//! docs/spec/rules.md, "Patterns".

use serde_json::{Value, json};

use super::{all_rules, explained, explained_by, put};
use crate::insight::answer::{Advice, Pattern, PatternKind};
use crate::model::options::InsightOptions;

fn lesson(text: &str, reward: f64) -> Value {
    json!({
        "evaluator_output": {"reward_signal": reward},
        "self_reflection": {"reflection_text": "x", "lessons_learned": [text]},
        "memory_metadata": {"omega_capacity": 10},
    })
}

fn of_kind(patterns: Vec<Pattern>, kind: PatternKind) -> Vec<Pattern> {
    patterns.into_iter().filter(|p| p.kind == kind).collect()
}

#[test]
fn lessons_recur_and_have_a_rate() {
    let text = "Check expiry before the token is refreshed, not after it";
    let records = [
        lesson(text, 0.1),
        lesson("Name units", 0.2),
        lesson(&text.to_uppercase(), 0.3),
        lesson("Other", 0.2),
        lesson("Again other", 0.4),
    ];
    let found = of_kind(explained(&records).patterns, PatternKind::Lesson);
    let [only] = &found[..] else { panic!("{found:?}") };
    assert_eq!(only.pattern_id, "check-expiry-before-the-token-is");
    assert_eq!((only.frequency, &only.numbers[..]), (2, &[1, 3][..]));
    // Seen by 2, 3, 4 and 5; 4 was no improvement.
    assert_eq!((only.uses, only.successes, only.success_rate), (4, 3, Some(0.75)));
    assert_eq!(only.advice, Some(Advice::Inject));
    let few = of_kind(explained(&records[..3]).patterns, PatternKind::Lesson);
    assert_eq!((few[0].uses, few[0].success_rate, few[0].advice), (2, None, None));
    let blind = InsightOptions { omega: Some(0), ..all_rules() };
    let blind = of_kind(explained_by(&records, &blind).patterns, PatternKind::Lesson);
    assert_eq!(blind[0].uses, 0, "nothing is seen through an empty window");
}

#[test]
fn lessons_that_do_not_help_are_pruned() {
    let records: Vec<_> = [0.9, 0.8, 0.7, 0.6].map(|r| lesson("Wait longer", r)).into();
    let found = of_kind(explained(&records).patterns, PatternKind::Lesson);
    assert_eq!((found[0].success_rate, found[0].advice), (Some(0.0), Some(Advice::Prune)));
    let mut old = [lesson("Wait", 0.1), lesson("Wait", 0.2)];
    for record in &mut old {
        put(&json!({"timestamp": "2026-01-01T00:00:00Z"}), record);
    }
    let at = |days: f64| {
        let now_ms = Some(1_767_225_600_000.0 + days * 86_400_000.0);
        let found = explained_by(&old, &InsightOptions { now_ms, ..all_rules() }).patterns;
        of_kind(found, PatternKind::Lesson)[0].advice
    };
    assert_eq!((at(89.0), at(90.0)), (None, Some(Advice::Prune)));
}

fn attempt(passed: bool, reward: f64, strategy: &str, error: Option<&str>) -> Value {
    let errors: Vec<_> = error
        .map(|message| json!({"type": "runtime_error", "message": message}))
        .into_iter()
        .collect();
    json!({
        "actor_output": {"strategy": strategy},
        "evaluator_output": {"passed": passed, "reward_signal": reward, "errors": errors},
    })
}

#[test]
fn an_approach_of_most_successes_is_a_strategy() {
    let first = "Write the test first";
    let records = [
        attempt(false, 0.1, "Something else altogether", None),
        attempt(true, 0.2, first, None),
        attempt(true, 0.3, "test-driven", None),
        attempt(true, 0.4, "Go step by step", None),
        attempt(true, 0.5, first, None),
    ];
    let found = of_kind(explained(&records).patterns, PatternKind::Strategy);
    let [only] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&*only.pattern_id, only.confidence), ("test-first", Some(0.75)), "3 of 4");
    assert_eq!((only.success_rate, only.is_promotable), (Some(1.0), Some(true)));
    let fewer = [
        records[0].clone(),
        records[1].clone(),
        records[3].clone(),
        attempt(true, 0.9, "minimal", None),
    ];
    assert_eq!(of_kind(explained(&fewer).patterns, PatternKind::Strategy), [], "1 of 3 each");
}

#[test]
fn an_error_of_most_failures_is_an_antipattern() {
    let null = Some("Cannot read property of null");
    let mut records: Vec<_> = (0..3).map(|_| attempt(false, 0.1, "x", null)).collect();
    records.push(attempt(false, 0.1, "x", Some("permission denied")));
    let found = of_kind(explained(&records).patterns, PatternKind::Antipattern);
    let [only] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&*only.pattern_id, only.confidence, only.frequency), ("null", Some(0.75), 3));
    assert_eq!((only.success_rate, only.is_promotable), (Some(0.0), Some(true)));
    records.push(attempt(true, 0.9, "x", null));
    let found = of_kind(explained(&records).patterns, PatternKind::Antipattern);
    assert_eq!((found[0].success_rate, found[0].is_promotable), (Some(0.25), Some(false)));
}
