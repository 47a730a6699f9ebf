use serde_json::{Value, json};

use super::*;
use crate::model::outcome::Outcome;
use crate::model::reward::Origin;
use crate::model::run_details::RunDetails;

fn parsed_of(value: &Value) -> ParsedRecord {
    assert!(fits(value, &Context::default()), "{value}");
    parse(value, &Context::default())
}

/// A state with the least that makes one, and these members.
fn state(more: &Value) -> ParsedRecord {
    let mut value =
        json!({"task": "Tidy", "maxIterations": 5, "completion_criteria": "lint clean"});
    let all = value.as_object_mut().expect("it is one");
    all.extend(more.as_object().expect("members").clone());
    parsed_of(&value)
}

fn about(more: &Value) -> RunDetails {
    state(more).runs.remove(0).about
}

/// Rules and places of the findings, sorted.
fn rules(parsed: &ParsedRecord) -> Vec<(&str, &str)> {
    let found = parsed.findings.iter();
    let mut rules: Vec<_> =
        found.map(|f| (f.rule.as_ref(), f.pointer.as_deref().unwrap_or_default())).collect();
    rules.sort_unstable();
    rules
}

#[test]
fn three_signs_make_a_state() {
    let fits = |value: Value| fits(&value, &Context::default());
    assert!(fits(json!({"objective": "a", "completionCriteria": "b", "startTime": "c"})));
    assert!(fits(json!({"task": null, "active": false, "status": "IDLE"})));
    assert!(fits(json!({"active": true, "status": "IDLE", "currentIteration": 2})));
    assert!(!fits(json!({"task": "a", "status": "running"})));
    let file = json!({"iteration": 3, "status": "done", "started_at": "2026-03-01T09:00:00Z"});
    assert!(!fits(file), "the number of an iteration file is no counter");
}

#[test]
fn every_spelling_of_a_status_is_read() {
    let outcome = |word: &str| {
        let about = about(&json!({"status": word}));
        (about.outcome, about.outcome_detail)
    };
    for (word, outcome_of_it) in [
        ("completed", Some(Outcome::Success)),
        ("SUCCESS", Some(Outcome::Success)),
        ("COMPLETED", Some(Outcome::Success)),
        ("complete", Some(Outcome::Success)),
        ("IN_PROGRESS", Some(Outcome::Running)),
        ("in_progress", Some(Outcome::Running)),
        ("running", Some(Outcome::Running)),
        ("VERIFYING", Some(Outcome::Running)),
        ("ABORTED", Some(Outcome::Aborted)),
        ("IDLE", None),
    ] {
        assert_eq!(outcome(word), (outcome_of_it, None), "{word}");
    }
    assert_eq!(outcome("limit_reached"), (Some(Outcome::Failure), Some("limit_reached".into())));
    assert_eq!(about(&json!({})).outcome, None);
}

#[test]
fn of_several_verdicts_the_strongest_counts() {
    let outcome = |more: Value| about(&more).outcome;
    let limit =
        json!({"finalResult": {"success": false, "reason": "limit"}, "status": "completed"});
    assert_eq!(outcome(limit.clone()), Some(Outcome::Failure));
    assert_eq!(about(&limit).declared.and_then(|d| d.reason).as_deref(), Some("limit"));
    assert_eq!(
        outcome(json!({"result": {"passed": true}, "status": "failed"})),
        Some(Outcome::Success)
    );
    assert_eq!(outcome(json!({"status": "ABORTED", "completed": true})), Some(Outcome::Aborted));
    assert_eq!(outcome(json!({"status": "IDLE", "completed": true})), Some(Outcome::Success));
    assert_eq!(
        outcome(json!({"completed": false, "lastResult": "FAILED: lint"})),
        Some(Outcome::Failure)
    );
    assert_eq!(outcome(json!({"lastResult": {"success": true}})), Some(Outcome::Success));
    assert_eq!(outcome(json!({"active": true})), Some(Outcome::Running));
    assert_eq!(outcome(json!({"active": false})), None);
}

/// Outcome, finer word and rules of one iteration.
#[track_caller]
fn iteration(element: &Value, outcome: Option<Outcome>, detail: Option<&str>, rule: Option<&str>) {
    let parsed = state(&json!({"iterations": [element]}));
    let step = &parsed.runs[0].steps[0];
    assert_eq!((step.outcome, step.outcome_detail.as_deref()), (outcome, detail), "{element}");
    let rules: Vec<_> = parsed.findings.iter().map(|f| f.rule.as_ref()).collect();
    assert_eq!(rules, rule.into_iter().collect::<Vec<_>>(), "{element}");
}

#[test]
fn iterations_end_as_their_strongest_member_says() {
    use Outcome::{Failure, Partial, Success, Unknown};
    let conflict = Some("state/verdict-conflict");
    iteration(
        &json!({"verified": false, "result": "SUCCESS - 270 ms"}),
        Some(Failure),
        None,
        conflict,
    );
    iteration(&json!({"verified": true, "result": "failed"}), Some(Success), None, None);
    iteration(
        &json!({"success": false, "status": "timeout"}),
        Some(Failure),
        Some("timeout"),
        None,
    );
    iteration(
        &json!({"result": "SUCCESS - 270 ms", "status": "failed"}),
        Some(Success),
        None,
        None,
    );
    iteration(&json!({"result": "410 ms", "status": "partial_success"}), Some(Partial), None, None);
    iteration(&json!({"verification_status": "skipped"}), Some(Unknown), Some("skipped"), None);
    iteration(&json!({"status": "pending"}), None, None, None);
    let criteria = |a: &str, b: &str| json!({"criteria_status": {"a": a, "b": b}});
    iteration(&criteria("PASS", "PASS"), Some(Success), None, None);
    iteration(&criteria("PASS", "PENDING"), Some(Partial), None, None);
    iteration(&criteria("FAIL", "PENDING"), Some(Failure), None, None);
    // In a session the analysis decides the outcome of a completed iteration.
    let session = |success: Value| json!({"status": "completed", "analysis": {"success": success}});
    iteration(&session(json!(true)), Some(Success), None, None);
    iteration(&session(json!(false)), Some(Failure), None, None);
    iteration(&session(Value::Null), None, None, None);
    let cut = json!({"status": "incomplete", "analysis": {"success": null}});
    iteration(&cut, Some(Failure), Some("incomplete"), None);
}

#[test]
fn elements_land_in_their_places() {
    let parsed = state(&json!({"iterations": [
        {"action": "Load late", "result": "410 ms, still above", "learnings": "Read twice",
         "notes": "warm cache", "duration": 12, "duration_ms": 5000,
         "timestamp": "2026-03-06T07:10:00Z", "filesModified": ["a.ts"]},
        {"changes": {"files_modified": ["b.ts", "a.ts"], "files_created": ["c.ts"], "why": "x"},
         "learnings": ["One", "Two", "One"], "tests_passed": "12/15", "coverage": "~85%"},
        {"iteration": 7, "focus": "Cache", "actions": ["Write", {"type": "edit", "path": "d.ts"}],
         "learnings": null, "criteria_status": {"a": "PASS", "b": "FAIL", "c": "PASS", "d": "PASS"}},
        "Only a sentence"
    ]}));
    let steps = &parsed.runs[0].steps;
    assert_eq!(
        steps.iter().map(|s| s.number).collect::<Vec<_>>(),
        [Some(1), Some(2), Some(7), Some(4)]
    );
    let texts = |i: usize| {
        steps[i].texts.iter().map(|t| (t.name.as_str(), t.text.as_str())).collect::<Vec<_>>()
    };
    let notes = [("result", "410 ms, still above"), ("notes", "warm cache"), ("duration", "12")];
    assert_eq!(texts(0), notes, "a bare duration has no unit");
    assert_eq!((steps[0].duration_ms, steps[0].time.is_some()), (Some(5000.0), true));
    assert_eq!(steps[1].files, ["b.ts", "a.ts", "c.ts"]);
    assert_eq!(texts(1), [("changes.why", "x")]);
    assert_eq!(steps[1].reflections.len(), 2, "an equal lesson counts once");
    let counters: Vec<_> = steps[1].counters.iter().map(|c| (c.name.as_str(), c.value)).collect();
    let expected = [("tests_passed", 12.0), ("tests_total", 15.0), ("coverage_percentage", 85.0)];
    assert_eq!(counters, expected);
    assert_eq!(steps[1].flags, ["approximate"]);
    let acts: Vec<_> =
        steps[2].actions.iter().map(|a| (a.kind.as_str(), a.path.as_deref())).collect();
    assert_eq!(acts, [("other", None), ("edit", Some("d.ts")), ("other", None)]);
    let reward = steps[2].reward.as_ref().expect("three of four criteria");
    assert_eq!((reward.value, reward.rule.as_deref()), (0.75, Some("reward/derive-criteria")));
    assert_eq!(steps[3].actions[0].description, "Only a sentence");
    let found = rules(&parsed);
    let from_text = "number/from-text";
    assert_eq!(
        found,
        [(from_text, "/iterations/1/coverage"), (from_text, "/iterations/1/tests_passed")]
    );
}

#[test]
fn a_pair_of_a_session_is_one_attempt() {
    let parsed = parsed_of(&json!({
        "loopId": "s", "objective": "Fix", "status": "limit_reached", "maxIterations": 5,
        "currentIteration": 2, "sessionId": "x", "config": {"memory": "moderate", "model": "m"},
        "bestIterationSelected": 2, "abortReason": "no budget",
        "accumulatedLearnings": "### Iteration 1\nRead first\n\n### Iteration 1\nError: it broke\n\n### Iteration 2\nFilled",
        "iterations": [
            {"number": 1, "status": "incomplete", "duration": 302, "exitCode": 0, "toolCallCount": 4,
             "learnings": ["Read first"], "analysis": {"success": null, "completionPercentage": 35,
             "failureClass": "tests_failing", "learnings": "Read first", "nextApproach": "Read",
             "blockers": ["3 red"], "artifactsModified": ["a.ts"], "shouldContinue": true}},
            {"number": 1, "status": "error", "duration": 0, "exitCode": -1,
             "learnings": ["Error: it broke"], "analysis": {"error": "it broke"}},
            {"number": 2, "status": "completed", "analysis": {"success": true, "completionPercentage": "~100%"}}
        ]
    }));
    let run = &parsed.runs[0];
    let [first, third] = &run.steps[..] else { panic!("two attempts") };
    assert_eq!((first.number, third.number), (Some(1), Some(2)));
    assert_eq!(first.outcome_detail.as_deref(), Some("incomplete"));
    assert_eq!(first.reflections.len(), 1);
    let errors: Vec<_> = first.errors.iter().map(|e| (&*e.kind, &*e.message)).collect();
    assert!(errors.contains(&("other", "it broke")), "{errors:?}");
    assert_eq!(third.reflections[0].text, "Filled");
    assert_eq!(
        (first.duration_ms, first.usage.as_ref().and_then(|u| u.tool_calls)),
        (Some(302.0), Some(4.0))
    );
    let reward = first.reward.as_ref().expect("a percentage");
    assert_eq!(
        (reward.value, reward.raw.as_deref(), reward.origin),
        (0.35, Some("35"), Origin::Reported)
    );
    assert_eq!(third.reward.as_ref().map(|r| r.value), Some(1.0));
    assert!(run.about.lessons.is_empty(), "{:?}", run.about.lessons);
    assert_eq!((run.about.omega, run.about.model.as_deref()), (Some(3.0), Some("m")));
    let declared = run.about.declared.as_ref().expect("a selection");
    assert_eq!((declared.selected, declared.reason.as_deref()), (Some(2), Some("no budget")));
    assert_eq!(
        rules(&parsed),
        [
            ("merge/orchestrator-pair", "/iterations/1"),
            ("number/from-text", "/iterations/2/analysis/completionPercentage"),
        ]
    );
}

#[test]
fn contradictions_are_said_once_each() {
    let iterations = json!([{"number": 1}, {"number": 2}, {"number": 3}, {"number": 4}]);
    let found = |more: Value| {
        let parsed = state(&more);
        parsed.findings.iter().map(|f| f.rule.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found(json!({"currentIteration": 5, "iterations": iterations})), ["state/counter"]);
    assert_eq!(found(json!({"currentIteration": 2, "iterations": iterations})), ["state/counter"]);
    assert!(found(json!({"currentIteration": 4, "iterations": iterations})).is_empty());
    assert!(
        found(json!({"currentIteration": 4})).is_empty(),
        "without a list nothing else is known"
    );
    assert_eq!(found(json!({"currentIteration": 12})), ["state/over-max"]);
    assert_eq!(found(json!({"active": true, "status": "completed"})), ["state/active"]);
    assert_eq!(found(json!({"active": false, "status": "IN_PROGRESS"})), ["state/active"]);
    assert!(found(json!({"active": false, "status": "paused"})).is_empty());
    let stub = json!({"iterations": [], "currentIteration": 3, "status": "completed"});
    assert_eq!(found(stub), ["state/stub"]);
    let times =
        json!({"startTime": "2026-01-25T12:00:00Z", "completed_at": "2026-01-25T04:15:00Z"});
    assert_eq!(found(times.clone()), ["series/negative-duration"]);
    assert_eq!(rules(&state(&times)), [("series/negative-duration", "/completed_at")]);
}

#[test]
fn the_reward_of_a_run_is_reported_or_derived() {
    let reward = |more: Value| {
        let reward = about(&more).reward?;
        Some((reward.value, reward.rule))
    };
    let tests = json!({"pass_rate": "97.4%", "tests_passed": 552, "tests_failed": 3});
    assert_eq!(reward(tests), Some((0.974, None)));
    let rule = |rule: &str| Some(rule.to_owned());
    let tests = json!({"pass_rate": 97.4, "tests_passed": 552, "tests_failed": 3});
    assert_eq!(reward(tests), Some((0.994_594_595, rule("reward/derive-tests"))));
    let phases = json!({"phase_results": {
        "a": {"pass": 3, "fail": 1, "partial": 1, "skip": 9, "total": 14}, "b": {"tests": 5, "passed": 5, "failed": 0}
    }});
    assert_eq!(reward(phases), Some((0.8, rule("reward/derive-tests"))));
    let criteria = json!({"criteria_met": 7, "criteria_total": 8});
    assert_eq!(reward(criteria), Some((0.875, rule("reward/derive-criteria"))));
    let done: Vec<_> = (0..27).collect();
    let phases =
        json!({"phases_completed": done, "phases_pending": ["x", "y"], "currentPhase": "z"});
    assert_eq!(reward(phases), Some((0.9, rule("reward/derive-phases"))));
    let phases = json!({"phases": [{"status": "done"}, {"status": "in_progress"}]});
    assert_eq!(reward(phases), Some((0.5, rule("reward/derive-phases"))));
    let phases = json!({"phases": {"a": "completed", "b": {"status": "pending"}}});
    assert_eq!(reward(phases), Some((0.5, rule("reward/derive-phases"))));
    assert_eq!(reward(json!({"phases": ["a", "b"]})), None);
    assert_eq!(reward(json!({"phases_completed": ["a"]})), None, "of how many?");
    assert_eq!(reward(json!({"status": "completed"})), None, "words make no reward");
    assert_eq!(reward(json!({"pass_rate": "140%"})), None);
    assert_eq!(rules(&state(&json!({"pass_rate": "140%"})))[1].0, "reward/out-of-range");
}

#[test]
fn no_task_is_no_loop() {
    let idle = parsed_of(&json!({"task": null, "active": false, "status": "IDLE"}));
    assert!(idle.runs.is_empty());
    assert_eq!(rules(&idle)[0].0, "state/idle");
    let stub = parsed_of(&json!({"active": true, "status": "running", "currentIteration": 2}));
    assert_eq!(stub.runs[0].about.counter, Some(2), "no task field at all is another matter");
}

#[test]
fn times_and_limits_come_in_several_units() {
    let about = about(&json!({"startTimeMs": 1_772_355_600_000_i64, "timeoutMs": 90_000}));
    assert_eq!(about.start.as_deref(), Some("2026-03-01T09:00:00.000Z"));
    assert_eq!(about.max_minutes, Some(1.5));
}

#[test]
fn a_history_of_qualities_fills_iterations_and_adds_others() {
    let parsed = state(&json!({
        "iterations": [{"number": 1, "action": "Try"}],
        "iteration_history": [
            {"iteration": 1, "quality_score": 40, "quality_delta": 0, "quality_breakdown": {"tests": 0.4}},
            {"iteration": 2, "quality_score": 65, "quality_delta": 25}
        ],
        "best_iteration": 2
    }));
    let [first, second] = &parsed.runs[0].steps[..] else { panic!("two numbers") };
    assert_eq!((first.reward.as_ref().map(|r| r.value), first.stored), (Some(0.4), None));
    assert_eq!((first.actions.len(), first.breakdown.len()), (1, 1));
    assert_eq!(second.stored.and_then(|s| s.reward_change), Some(0.25));
    assert_eq!(parsed.runs[0].about.declared.as_ref().and_then(|d| d.best), Some(2));
    assert_eq!(parsed.findings, []);
}
