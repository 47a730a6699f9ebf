use super::*;
use crate::history::History;
use crate::reflect::{Host, Loop, Reply};
use crate::{Profile, validate};

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
    assert!(validation.valid, "{text}\n{:?}", validation.findings);
    if record["evaluator_output"]["passed"] == true {
        let lenient = validate(text.as_bytes(), Profile::Lenient).findings;
        assert_eq!((validation.findings, lenient), (Vec::new(), Vec::new()), "{text}");
    }
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
        ("generator", "refused", "runtime_error", "skip"),
        ("parse", "cut_off", "syntax_error", "skip"),
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
    let of = |id, name| loop_id(id, name, "").map_err(|problem| problem.field);
    assert_eq!(of(Some("ralph-a-1"), Some("x")).as_deref(), Ok("ralph-a-1"));
    assert_eq!(of(None, Some(" Fix: the Login! ")).as_deref(), Ok("ralph-fix-the-login"));
    let odd = of(None, Some("日本")).expect("a hash");
    assert!(is_loop_id(&odd) && odd != of(None, Some("日")).expect("a hash"));
    assert_eq!(of(Some("Ralph-1"), None), Err("/loop_id".to_owned()));
    assert_eq!(of(None, Some("")), Err("/name".to_owned()));
    assert_eq!(of(None, None), Err(String::new()));
}

fn host(suffix: &str) -> Host {
    Host { loop_suffix: suffix.to_owned(), ..Host::any() }
}

/// A loop whose output is accepted from 3 on, with a warning.
fn config(memory: &Value) -> Value {
    json!({
        "generator": {"run": "return 1", "language": "lua"},
        "evaluator": [
            {"type": "schema", "schema": {"minimum": 3}},
            {"type": "schema", "name": "strict", "schema": {"minimum": 9}, "on_fail": "warn"},
        ],
        "combine": "any",
        "memory": memory,
    })
}

/// Answers the steps of a loop with 1, 2, 3 until it ends, and gives its records.
fn records_of(mut run: Loop) -> Vec<Value> {
    for output in 1..=3 {
        let Some(step) = run.next() else { break };
        let at = Some(format!("2026-01-02T03:04:0{output}Z"));
        run.resume(step.id, Reply { at, ..Reply::value(output) }).expect("a reply");
    }
    let events = serde_json::to_value(run.events()).expect("JSON");
    let events = events.as_array().expect("a list");
    events.iter().filter_map(|event| event.get("record").cloned()).collect()
}

#[test]
fn every_loop_has_an_id_of_its_own() {
    for (memory, stem) in [
        (json!({"name": "Fix it"}), "ralph-fix-it"),
        (json!({"loop_id": "ralph-own"}), "ralph-own"),
    ] {
        let config = config(&memory);
        let start = |suffix| Loop::start(&config, &host(suffix), None).expect("a loop");
        for (suffix, id) in [("", stem.to_owned()), ("b-2", format!("{stem}-b-2"))] {
            let records = records_of(start(suffix));
            let ids: Vec<_> = records.iter().map(|record| record["loop_id"].clone()).collect();
            assert_eq!(ids, [id.as_str(); 3]);
            let numbers: Vec<_> = records.iter().map(|record| &record["iteration"]).collect();
            assert_eq!(numbers, [0, 1, 2]);
        }
        // A snapshot is of that loop, whoever goes on with it.
        let snapshot = start("b-2").snapshot();
        let again = Loop::restore(&config, &host("c-3"), &snapshot).expect("a loop");
        assert_eq!(records_of(again)[0]["loop_id"], format!("{stem}-b-2"));
    }
    for wrong in [json!("Big"), json!("a b"), json!(7)] {
        let error = Host::from_value(&json!({"loop_suffix": wrong})).expect_err("refused");
        assert_eq!(error.field(), Some("/host/loop_suffix"));
    }
}

#[test]
fn a_success_is_no_lesson_and_nothing_is_found_in_it() {
    let run = Loop::start(&config(&json!({"name": "x", "omega": 3})), &host("a"), None);
    let records = records_of(run.expect("a loop"));
    let Some(last) = records.last() else { panic!("no record") };
    assert_eq!(last["evaluator_output"]["passed"], true);
    assert_eq!(last["evaluator_output"]["results"], json!([{"tool": "schema", "status": "pass"}]));
    assert_eq!(last["self_reflection"]["reflection_text"], "");
    let memory = &last["memory_metadata"];
    assert_eq!(memory["reflections_in_context"], json!([0, 1]));
    assert_eq!(memory["total_reflections_generated"], 2);
    let mut history = History::new(Profile::Lenient);
    let source = history.open("loop.jsonl");
    for record in &records {
        let text = record.to_string();
        for profile in [Profile::Lenient, Profile::Strict] {
            assert_eq!(validate(text.as_bytes(), profile).findings, [], "{text}");
        }
        history.push(source, format!("{text}\n").as_bytes()).expect("space");
    }
    history.finish(source).expect("an open source");
    assert_eq!(history.findings(), []);
}

#[test]
fn a_context_is_an_object_of_what_is_known() {
    let read = RecordContext::from_value(json!({"loop_id": "ralph-a", "omega": 3, "more": 1}));
    assert_eq!(read.expect("a context").omega, Some(3));
    for wrong in [json!([]), json!(null), json!({"omega": "3"}), json!({"omega": 300})] {
        let error = RecordContext::from_value(wrong.clone()).expect_err("refused");
        assert_eq!(error.code().as_str(), "config_value", "{wrong}");
    }
}
