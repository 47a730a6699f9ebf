//! docs/spec/rules.md, "Trajectory and best".

use serde_json::json;

use super::{NOWHERE, all_rules, explained, explained_by, fires, history, in_points, put, rewards};
use crate::insight::answer::Trajectory;
use crate::model::curve::TrajectoryClass;
use crate::model::options::{InsightOptions, Selection};

fn trajectory(points: &[f64]) -> Trajectory {
    explained(&in_points(points)).trajectory
}

#[test]
fn trajectories() {
    let class = |points: &[f64]| trajectory(points).class;
    assert_eq!(class(&[35.0, 60.0, 55.0, 85.0, 100.0]), TrajectoryClass::Improving);
    assert_eq!(class(&[60.0, 85.0, 83.0]), TrajectoryClass::Fluctuating);
    assert_eq!(class(&[70.0, 71.0, 72.0, 73.0]), TrajectoryClass::Stable);
    assert_eq!(class(&[50.0, 60.0, 70.0, 65.0]), TrajectoryClass::Fluctuating, "2 of 3 is 0.6667");
    assert_eq!(class(&[50.0, 60.0]), TrajectoryClass::InsufficientData);
    assert_eq!(class(&[90.0, 80.0, 70.0]), TrajectoryClass::Declining);
    let steps = trajectory(&[35.0, 60.0, 55.0, 85.0, 100.0]);
    assert_eq!((steps.up, steps.down, steps.flat), (3, 1, 0));
}

#[test]
fn columns_alone_say_the_same() {
    for points in
        [&[35.0, 60.0, 55.0, 85.0, 100.0][..], &[90.0, 80.0, 70.0], &[60.0], &[70.0, 95.0, 80.0]]
    {
        let explained = trajectory(points);
        let (history, _) = history(&in_points(points));
        let run = history.run(history.runs()[0].id).expect("it is listed");
        assert_eq!(run.trajectory(), explained.class, "{points:?}");
        for selection in [Selection::HighestQuality, Selection::MostRecentAboveThreshold] {
            let options = InsightOptions { selection, ..InsightOptions::default() };
            let by_option = explained_by(&in_points(points), &options).trajectory;
            assert_eq!(run.selected(&options), by_option.selected, "{points:?}");
        }
    }
}

#[test]
fn diminishing_has_three_kinds() {
    let of = |points: &[f64]| {
        let c = trajectory(points);
        (c.diminishing_relative, c.diminishing_relative_v1, c.diminishing_absolute)
    };
    assert_eq!(of(&[0.0, 90.0, 91.0]), (None, Some(3), None));
    assert_eq!(of(&[70.0, 72.0, 73.0, 90.0]), (Some(3), Some(3), Some(2)));
    assert_eq!(
        of(&[0.0, 0.0, 0.0, 50.0]),
        (None, Some(3), Some(2)),
        "a step from 0 has no relative change"
    );
    assert_eq!(of(&[0.0, 100.0, 100.0, 100.0]), (None, None, None), "verdicts");
    assert_eq!(of(&[70.0, 72.0]), (None, None, None), "three records at least");
    assert_eq!(of(&[70.0, 72.0, 90.0, 91.0]), (None, None, None), "two in a row");
}

#[test]
fn diminishing_is_found_by_the_chosen_kind() {
    let records = in_points(&[70.0, 72.0, 73.0, 90.0]);
    let by_default = explained_by(&records, &InsightOptions::default());
    assert_eq!(fires(&by_default, "diminishing/relative"), [[1, 2, 3]]);
    assert_eq!(fires(&by_default, "diminishing/absolute"), NOWHERE);
    let all = explained(&records);
    assert_eq!(fires(&all, "diminishing/absolute"), [[1, 2, 3]]);
    let at =
        all.findings.iter().find(|f| f.rule == "diminishing/absolute").and_then(|f| f.iteration);
    assert_eq!(at, Some(2), "it reports the first of the low pair");
    let strict = InsightOptions { diminishing_relative: 0.01, ..all_rules() };
    assert_eq!(explained_by(&records, &strict).trajectory.diminishing_relative, None);
}

#[test]
fn plateaus() {
    let flat = explained(&in_points(&[80.0, 81.0, 80.5]));
    assert_eq!(fires(&flat, "plateau/relative"), [[1, 2, 3]]);
    assert!(flat.findings.iter().any(|f| f.message.contains("1.25 % and 0.62 %")), "{flat:?}");
    assert_eq!(fires(&flat, "plateau/mean"), NOWHERE, "four rewards at least");
    let slow = explained(&in_points(&[50.0, 52.0, 55.0, 56.0]));
    assert_eq!(fires(&slow, "plateau/mean"), [[1, 2, 3, 4]]);
    assert_eq!(fires(&slow, "plateau/relative"), NOWHERE);
    let back = explained(&in_points(&[50.0, 50.0, 25.0, 50.0]));
    assert_eq!(fires(&back, "plateau/mean"), NOWHERE, "down and up is no plateau");
    let climbs = explained(&in_points(&[50.0, 52.0, 55.0, 59.0]));
    assert_eq!(fires(&climbs, "plateau/mean"), NOWHERE, "0.03 is not below 0.03");
    for points in [&[0.0, 100.0, 100.0][..], &[0.0, 0.0, 0.0, 0.0], &[0.0, 50.0, 50.5]] {
        let found = explained(&in_points(points)).findings;
        assert!(!found.iter().any(|f| f.rule.starts_with("plateau/")), "{points:?}: {found:?}");
    }
}

fn verified(points_and_verdicts: &[(f64, bool)]) -> Vec<serde_json::Value> {
    points_and_verdicts
        .iter()
        .map(|(points, passed)| {
            json!({"evaluator_output": {"reward_signal": points / 100.0, "passed": passed}})
        })
        .collect()
}

#[test]
fn best_is_not_always_last() {
    let records = verified(&[(70.0, false), (87.0, true), (83.0, false)]);
    let explanation = explained(&records);
    let c = &explanation.trajectory;
    assert_eq!((c.best, c.selected, c.last), (Some(2), Some(2), Some(3)));
    assert_eq!(c.degradation, Some(0.04));
    assert_eq!(fires(&explanation, "best/degradation"), [[2, 3]]);
    let last = explained(&verified(&[(70.0, false), (87.0, true)]));
    assert_eq!((last.trajectory.degradation, fires(&last, "best/degradation").len()), (None, 0));
}

#[test]
fn selection_has_three_modes() {
    let records = verified(&[(70.0, true), (87.0, false), (75.0, false), (60.0, false)]);
    let selected = |selection, require_verification| {
        let options = InsightOptions { selection, require_verification, ..all_rules() };
        explained_by(&records, &options).trajectory.selected
    };
    assert_eq!(selected(Selection::HighestQualityVerified, false), Some(1));
    assert_eq!(selected(Selection::HighestQuality, false), Some(2));
    assert_eq!(selected(Selection::MostRecentAboveThreshold, false), Some(3));
    assert_eq!(selected(Selection::MostRecentAboveThreshold, true), Some(1));
    let none = explained(&verified(&[(60.0, true), (65.0, false)])).trajectory;
    assert_eq!(none.selected, Some(2), "none is above the threshold: the highest of all");
    let options = InsightOptions { selection: Selection::MostRecentAboveThreshold, ..all_rules() };
    let low = verified(&[(65.0, true), (60.0, false)]);
    assert_eq!(explained_by(&low, &options).trajectory.selected, Some(2), "the last");
}

#[test]
fn learning_rates() {
    let c = trajectory(&[35.0, 60.0, 55.0, 85.0, 100.0]);
    assert_eq!((c.learning_rate, c.slope), (Some(0.13), Some(0.1625)));
    assert_eq!(trajectory(&[35.0]).learning_rate, None);
}

#[test]
fn advice_to_stop() {
    let mut sure = verified(&[(50.0, false), (96.0, true), (96.0, true)]);
    put(
        &json!({"self_reflection": {"reflection_text": "Done.", "confidence": 0.95}}),
        &mut sure[1],
    );
    let explanation = explained(&sure);
    assert_eq!(fires(&explanation, "stop/high-confidence"), [[2]]);
    assert_eq!(fires(&explanation, "stop/quality"), [[2]]);
    let said =
        |rule: &str| explanation.findings.iter().find(|f| f.rule == rule).map(|f| &*f.message);
    let end = "the loop could have stopped there, but went on for 1 more iteration.";
    assert_eq!(said("stop/quality"), Some(&*format!("Iteration 2 reached reward 0.960: {end}")));
    assert!(said("stop/high-confidence").is_some_and(|message| message.ends_with(end)));
    let stopped = explained(&sure[..2]);
    for rule in ["stop/quality", "stop/high-confidence"] {
        assert_eq!(fires(&stopped, rule), NOWHERE, "it did stop: {rule}");
    }
    put(&json!({"self_reflection": {"confidence": 0.94}}), &mut sure[1]);
    assert_eq!(fires(&explained(&sure), "stop/high-confidence"), NOWHERE);
    let first = explained(&verified(&[(96.0, true), (50.0, false)]));
    assert_eq!(fires(&first, "stop/quality"), NOWHERE, "from the second iteration on");
    let falls = [60.0, 59.0, 60.0, 59.0, 60.0, 59.0, 58.0];
    assert_eq!(fires(&explained(&in_points(&falls)), "stop/regressions"), [[2, 4, 6]]);
    let stopped = explained(&in_points(&falls[..6]));
    assert_eq!(fires(&stopped, "stop/regressions"), NOWHERE, "it did stop");
    let twice = explained(&in_points(&[60.0, 59.0, 60.0, 59.0]));
    assert_eq!(fires(&twice, "stop/regressions"), NOWHERE);
}

/// `delta/reward` and `delta/is-improvement` as the columns have them.
#[test]
fn deltas_span_gaps() {
    let loaded_run = super::loaded_run(&rewards(&[Some(0.35), Some(0.60), None, Some(0.85)]), 0);
    let steps: Vec<_> = loaded_run.steps.iter().map(|s| (s.delta, s.gap)).collect();
    assert_eq!(steps, [(None, 0), (Some(0.25), 0), (None, 0), (Some(0.25), 1)]);
}
