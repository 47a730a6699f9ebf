use super::*;
use serde::Deserialize;

use crate::reflect::verdict::{Settled, settle};
use crate::reflect::{Host, Loop};

fn judge(options: &Value) -> (Judge, Vec<Warning>) {
    let options = JudgeOptions::deserialize(options).expect("options");
    Judge::new(&options, &LlmDefaults::default(), 1.0).expect("a judge")
}

fn state(value: &Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

fn read(content: &str) -> (Settled, bool) {
    let verdict = judge(&json!({})).0.read(&json!({"content": content}));
    (settle(verdict.judged, None), verdict.is_unparsable)
}

#[test]
fn a_verdict_is_found_in_json_only() {
    for (content, valid) in [
        ("{\"valid\": true}", true),
        ("{\"pass\": \"yes\"}", true),
        ("true", true),
        ("false", false),
        ("```json\n{\"valid\": false}\n```", false),
        ("Well: {\"valid\": true} as I said", true),
        ("{\"valid\": false, \"valid\": true}", true),
        ("{\"valid\": true} and again {\"valid\": true}", true),
        ("{\"note\": 1} {\"valid\": true}", true),
    ] {
        let (settled, is_unparsable) = read(content);
        assert_eq!((settled.valid, is_unparsable), (valid, false), "{content}");
    }
    for content in [
        "",
        "This is valid.",
        "VALID",
        "null",
        "1",
        "\"valid\"",
        "[{\"valid\": true}]",
        "{\"valid\": true",
        "{\"valid\": false, \"like\": {\"valid\": true}, \"rea",
        "{\"valid\": true} {\"valid\": false}",
        "```\n{\"valid\": true}\n```\n```\n{\"pass\": false}\n```",
        "```\n[1]\n```\n{\"valid\": true}",
        "{\"a\": 1} {\"b\": 2}",
    ] {
        let (settled, is_unparsable) = read(content);
        assert!(!settled.valid && is_unparsable, "{content}");
        assert_eq!(settled.judged.errors, [item("judge_unparsable", content)]);
        assert!(settled.score.abs() < f64::EPSILON);
    }
    let deep = format!("{}{}", "[".repeat(300_000), "]".repeat(300_000));
    assert!(read(&deep).1);
}

#[test]
fn what_a_judge_says_is_kept() {
    let (failed, _) = read("{\"valid\": false, \"score\": \"0.2\", \"feedback\": \"short\"}");
    assert_eq!(failed.judged.errors, [item("judge_rejected", "short")]);
    assert!((failed.score - 0.2).abs() < 1e-12);
    let (failed, _) = read("{\"valid\": false, \"errors\": [\"a\"], \"suggestions\": \"b\"}");
    assert_eq!(failed.judged.errors, [json!({"message": "a"})]);
    assert_eq!(failed.judged.suggestions, [json!("b")]);
    let (passed, _) = read("{\"valid\": true, \"reason\": \"fine\", \"errors\": [\"a\"]}");
    assert_eq!((passed.judged.errors.len(), passed.judged.feedback.as_str()), (0, "fine"));
    // For a score that does not suffice.
    assert_eq!(passed.judged.refusal, [json!({"message": "a"})]);
    let (silent, _) = read("{\"valid\": null}");
    assert_eq!(silent.judged.errors, [item("judge_rejected", "")]);
}

#[test]
fn without_a_verdict_the_score_decides() {
    let verdict = judge(&json!({})).0.read(&json!("{\"score\": 0.7, \"reason\": \"r\"}"));
    assert!(!verdict.is_unparsable);
    assert!(settle(verdict.judged.clone(), Some(0.7)).valid);
    let failed = settle(verdict.judged, None);
    let codes: Vec<&Value> = failed.judged.errors.iter().map(|error| &error["code"]).collect();
    assert_eq!(codes, ["verdict_missing", "judge_rejected"]);
}

#[test]
fn a_reply_is_a_message_a_text_a_verdict_or_an_error() {
    let (judge, _) = judge(&json!({}));
    let valid = |reply: Value| settle(judge.read(&reply).judged, None).valid;
    assert!(valid(json!("{\"valid\": true}")));
    assert!(valid(json!({"response": "{\"valid\": true}"})));
    assert!(valid(json!({"content": [{"text": "{\"valid\":"}, {"text": " true}"}]})));
    assert!(valid(json!({"valid": true, "score": 1})));
    assert!(!valid(json!({"content": "", "valid": true})));
    assert!(!valid(json!({"text": "{\"valid\": true}"})));
    assert!(!valid(json!(true)));
    assert!(!valid(json!(null)));
    let failed = judge.read(&json!({"error": "rate limited", "success": false})).judged;
    assert!(failed.has_crashed);
    assert_eq!(failed.errors, [item("evaluator_failed", "rate limited")]);
}

#[test]
fn the_question_has_its_parts() {
    let (judge, warnings) = judge(&json!({
        "prompt": "Check {{ output_to_evaluate | tojson }} for {{ state.task }}",
        "examples": [{"input": {"a": 1}, "output": "{{ x }}"}, {"input": 1}],
    }));
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].code, "judge_example");
    let state = state(&json!({"task": "T", "output": "older", "llm_model": "llama3"}));
    let question = judge.ask(&state, &json!({"b": "<"}), true).expect("rendered");
    assert_eq!(question.model, "ollama/llama3");
    let roles: Vec<&Value> = question.messages.iter().map(|m| &m["role"]).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert_eq!(question.messages[1]["content"], "{\"a\": 1}");
    assert_eq!(question.messages[2]["content"], "{{ x }}");
    let asked = question.messages[3]["content"].as_str().expect("text");
    assert!(asked.starts_with("Check {\"b\": \"\\u003c\"} for T\n\n"), "{asked}");
    assert!(asked.ends_with(wording("again")) && !wording("again").is_empty());
}

#[test]
fn the_default_prompt_shows_the_output_between_marks_of_its_own() {
    let (judge, warnings) = judge(&json!({"prompt": "", "model": null}));
    assert!(warnings.is_empty());
    let output = json!("a\n====================\nb");
    let question = judge.ask(&Map::new(), &output, false).expect("no template");
    assert_eq!(question.model, "ollama/gemma3:4b");
    let asked = question.messages[1]["content"].as_str().expect("text");
    let lines: Vec<&str> = asked.lines().collect();
    let mark = lines[lines.len() - 1];
    assert_eq!((mark.len(), asked.matches(mark).count()), (21, 2));
    for key in ["\"valid\"", "\"score\"", "\"reason\"", "\"suggestions\""] {
        assert!(wording("system").contains(key));
    }
}

#[test]
fn the_model_is_named_by_configuration_state_or_default() {
    let defaults = json!({"provider": "openai", "model": "m"});
    let defaults = LlmDefaults::deserialize(defaults).expect("defaults");
    let (judge, _) = Judge::new(&JudgeOptions::default(), &defaults, 1.0).expect("a judge");
    for (given, expected) in [
        (json!({}), "m"),
        (json!({"llm_provider": "ollama"}), "ollama/m"),
        (json!({"llm_model": "n"}), "n"),
        (json!({"llm_model": null, "llm_provider": 5}), "m"),
    ] {
        assert_eq!(judge.model(&state(&given)), expected, "{given}");
    }
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    for (evaluator, code, field) in [
        (json!({"prompt": 5}), "config_value", "/evaluator/prompt"),
        (json!({"prompt": "{{"}), "config_template", "/evaluator/prompt"),
        (json!({"model": {}}), "config_value", "/evaluator/model"),
        (json!({"examples": {}}), "config_value", "/evaluator/examples"),
        (json!({"examples": [{}, 5]}), "config_value", "/evaluator/examples/1"),
    ] {
        let mut evaluator = evaluator;
        evaluator["type"] = json!("llm");
        let config = json!({"generator": {"action": "write"}, "evaluator": evaluator});
        let error = Loop::start(&config, &Host::any(), None).expect_err("wrong");
        assert_eq!((error.code().as_str(), error.field()), (code, Some(field)));
    }
    assert_eq!(judge(&json!({"prompt": "Judge {{ task }}"})).1[0].code, "judge_blind");
    assert!(judge(&json!({"prompt": "Judge {{ state }}"})).1.is_empty());
}
