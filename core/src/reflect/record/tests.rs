use super::*;
use crate::{Profile, Verdict, validate};

fn context() -> RecordContext {
    RecordContext {
        loop_id: "ralph-sort".to_owned(),
        at: "2026-01-02T03:04:05Z".to_owned(),
        generator: json!({"action": "llm.call", "prompt": "Sort"}),
        corrector: json!({"run": "return 1", "language": "lua"}),
        evaluators: vec![json!({"type": "schema"})],
        ..RecordContext::default()
    }
}

fn entry() -> Value {
    json!({
        "iteration": 2, "output": {"a": 1}, "score": 0.4, "valid": false, "kind": "evaluation",
        "errors": [{"message": "Expected text.", "code": "schema", "keyword": "type", "path": "a"}],
        "suggestions": ["Make `a` a string."], "feedback": "", "origin": "generated", "tries": 3,
    })
}

fn made(entry: &Value, context: &RecordContext) -> Value {
    let record = to_record(entry, context).expect("a record");
    let text = record.to_string();
    let validation = validate(text.as_bytes(), Profile::Strict);
    assert_eq!(validation.verdict, Verdict::Conforms, "{text}\n{:?}", validation.findings);
    record
}

#[test]
fn every_field_comes_from_its_place() {
    let record = made(&entry(), &context());
    assert_eq!(record["iteration"], 1);
    assert_eq!(record["actor_output"]["actions"][0]["type"], "api_call");
    let description = record["actor_output"]["actions"][0]["description"].as_str().expect("text");
    assert!(description.contains("llm.call") && description.contains("round 2, try 3"));
    assert_eq!(record["actor_output"]["strategy"], "generated");
    let evaluation = &record["evaluator_output"];
    assert_eq!(evaluation["verification_type"], "type_check");
    assert_eq!(evaluation["reward_signal"], 0.4);
    assert_eq!(evaluation["results"], json!([{"tool": "schema", "status": "fail"}]));
    assert_eq!(
        evaluation["errors"],
        json!([{"type": "type_error", "message": "Expected text.", "severity": "error",
            "rule": "type"}])
    );
    let reflection = &record["self_reflection"];
    assert_eq!(reflection["reflection_text"], "- a: Expected text.");
    assert_eq!(reflection["actionable_insights"], json!(["Make `a` a string."]));
    assert_eq!(
        reflection["credit_assignment"],
        json!({"failing_action_indices": [0], "root_cause": "Expected text."})
    );
    assert_eq!(record["memory_metadata"]["omega_capacity"], 3);
    assert_eq!(record.get("performance_delta"), None);
}

#[test]
fn what_the_corrector_says_comes_first() {
    let mut entry = entry();
    entry["origin"] = json!("corrected");
    entry["feedback"] = json!("the judge's words");
    let record = made(&entry, &context());
    assert_eq!(record["self_reflection"]["reflection_text"], "the judge's words");
    assert_eq!(record["actor_output"]["actions"][0]["type"], "command_execution");
    assert_eq!(record["actor_output"]["strategy"], "corrected");
    entry["reflection"] = json!("the corrector's");
    entry["insights"] = json!(["look"]);
    entry["failure_category"] = json!("edge_case_miss");
    entry["confidence"] = json!(0.7);
    let record = made(&entry, &context());
    let reflection = &record["self_reflection"];
    assert_eq!(reflection["reflection_text"], "the corrector's");
    assert_eq!(reflection["actionable_insights"], json!(["Make `a` a string.", "look"]));
    assert_eq!(reflection["credit_assignment"]["failure_category"], "edge_case_miss");
    assert_eq!(reflection["confidence"], 0.7);
    // What the schema of records would refuse is left out.
    entry["failure_category"] = json!("my own");
    entry["confidence"] = json!(70);
    let record = made(&entry, &context());
    assert_eq!(record["self_reflection"].get("confidence"), None);
}

#[test]
fn every_kind_of_entry_and_error_makes_a_strict_record() {
    for (kind, code, error, status) in [
        ("generator", "generator_failed", "runtime_error", "skip"),
        ("parse", "parse_failed", "syntax_error", "skip"),
        ("parse", "too_deep", "other", "skip"),
        ("evaluator", "evaluator_failed", "runtime_error", "error"),
        ("evaluator", "timeout", "timeout", "error"),
        ("evaluation", "judge_unparsable", "logic_error", "fail"),
        ("evaluation", "E17", "logic_error", "fail"),
        ("unevaluated", "stopped", "other", "skip"),
    ] {
        let entry = json!({"iteration": 1, "output": null, "score": 0, "valid": false,
            "kind": kind, "errors": [{"message": "m", "code": code}], "origin": "generated"});
        let record = made(&entry, &context());
        let evaluation = &record["evaluator_output"];
        assert_eq!(evaluation["errors"][0]["type"], error, "{code}");
        assert_eq!(evaluation["results"][0]["status"], status, "{kind}");
        let has_reward = !matches!(kind, "generator" | "unevaluated");
        assert_eq!(evaluation.get("reward_signal").is_some(), has_reward, "{kind}");
    }
    // Items of hosts may be anything.
    for item in [json!("text"), json!({"x": 1}), json!(null), json!({"message": 5, "keyword": 7})] {
        let entry = json!({"iteration": 1, "valid": true, "score": 1, "errors": [item],
            "suggestions": [{"message": "s"}, 5], "kind": "evaluation", "output": {"rationale": ""}});
        let record = made(&entry, &context());
        assert_eq!(record["evaluator_output"]["errors"][0]["severity"], "warning");
        assert_eq!(record["self_reflection"]["actionable_insights"], json!(["s", "5"]));
    }
    let bare = made(
        &json!({"iteration": 1}),
        &RecordContext {
            loop_id: "ralph-1".to_owned(),
            at: "2026-01-02T03:04:05Z".to_owned(),
            ..Default::default()
        },
    );
    assert_eq!(bare["evaluator_output"]["passed"], false);
}

#[test]
fn several_evaluators_are_combined() {
    let mut context = context();
    context.evaluators = vec![
        json!({"type": "schema"}),
        json!({"type": "llm", "name": "tone"}),
        json!({"type": "custom"}),
    ];
    let mut entry = entry();
    entry["evaluators"] = json!([
        {"name": "schema", "type": "schema", "valid": true, "score": 1, "errors": [], "ms": 1.6},
        {"name": "tone", "type": "llm", "valid": false, "score": 0,
            "errors": [{"message": "m", "code": "evaluator_failed"}]},
    ]);
    let evaluation = &made(&entry, &context)["evaluator_output"];
    assert_eq!(evaluation["verification_type"], "combined");
    assert_eq!(
        evaluation["results"],
        json!([{"tool": "schema", "status": "pass", "duration_ms": 2},
            {"tool": "tone", "status": "error"}, {"tool": "custom", "status": "skip"}])
    );
    context.evaluators = vec![json!({"type": "llm", "verification_type": "manual_review"})];
    assert_eq!(made(&entry, &context)["evaluator_output"]["verification_type"], "manual_review");
}

#[test]
fn the_rest_comes_from_the_context() {
    let context = RecordContext {
        previous: Some(json!({"score": 0.1, "errors": [1, 2]})),
        task_description: Some("Sort".to_owned()),
        has_context: true,
        omega: Some(2),
        policy: Some("recency".to_owned()),
        reflections_in_context: vec![0, 1],
        total_reflections: Some(2),
        context_injected: true,
        previous_reflections_used: vec![0],
        notes: Some("exhausted".to_owned()),
        ..context()
    };
    let record = made(&entry(), &context);
    assert_eq!(
        record["performance_delta"],
        json!({"reward_change": 0.3, "error_count_change": -1, "is_improvement": true})
    );
    assert_eq!(record["actor_output"]["strategy"], "regenerated with context");
    assert_eq!(
        record["memory_metadata"],
        json!({"omega_capacity": 2, "current_memory_size": 2, "reflections_in_context": [0, 1],
            "window_policy": "recency", "total_reflections_generated": 2})
    );
    assert_eq!(record["notes"], "exhausted");
    assert_eq!(record["previous_reflections_used"], json!([0]));
}

#[test]
fn without_an_id_or_a_time_there_is_no_record() {
    for (loop_id, at) in [
        ("ralph-sort", ""),
        ("ralph-sort", "2026-01-02"),
        ("sort", "2026-01-02T03:04:05Z"),
        ("ralph-Sort", "2026-01-02T03:04:05Z"),
    ] {
        let context = RecordContext { loop_id: loop_id.to_owned(), at: at.to_owned(), ..context() };
        assert_eq!(to_record(&entry(), &context), None, "{loop_id} {at}");
    }
    assert_eq!(to_record(&json!({"iteration": 0}), &context()), None);
}

#[test]
fn ids_are_given_or_made_of_a_name() {
    let of = |id, name| loop_id(id, name).map_err(|problem| problem.field);
    assert_eq!(of(Some("ralph-a-1"), Some("x")).as_deref(), Ok("ralph-a-1"));
    assert_eq!(of(None, Some(" Fix: the Login! ")).as_deref(), Ok("ralph-fix-the-login"));
    let odd = of(None, Some("日本")).expect("a hash");
    assert!(is_loop_id(&odd) && odd != of(None, Some("日")).expect("a hash"));
    assert_eq!(of(Some("Ralph-1"), None), Err("/loop_id".to_owned()));
    assert_eq!(of(None, Some("")), Err("/name".to_owned()));
    assert_eq!(of(None, None), Err(String::new()));
}

#[test]
fn a_context_is_an_object_of_what_is_known() {
    let read = RecordContext::from_value(json!({"loop_id": "ralph-a", "omega": 3, "more": 1}));
    assert_eq!(read.expect("a context").omega, Some(3));
    for wrong in [json!([]), json!(null), json!({"omega": "3"}), json!({"omega": 300})] {
        let error = RecordContext::from_value(wrong.clone()).expect_err("refused");
        assert_eq!(error.code(), "config_value", "{wrong}");
    }
}
