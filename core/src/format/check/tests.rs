//! Verdicts and findings of whole records; and what no input may do: panic, overflow the stack, or
//! go without a word.

use serde_json::json;

use super::*;
use crate::format::FormatId;
use crate::format::parsed_record::Context;
use crate::{ErrorCode, Validator};

const VALID: &str = r#"{"loop_id":"ralph-a","iteration":1,"timestamp":"2026-03-01T09:00:00Z",
"actor_output":{"actions":[],"rationale":""},
"evaluator_output":{"passed":false,"verification_type":"lint","errors":[{"type":"other","message":"m"}]},
"self_reflection":{"reflection_text":"ok"},
"memory_metadata":{"omega_capacity":1,"current_memory_size":1}}"#;

fn rules(text: &str, profile: Profile) -> Vec<String> {
    validate(text.as_bytes(), profile).findings.iter().map(|f| f.rule.to_string()).collect()
}

#[test]
fn a_valid_record_has_no_findings() {
    for profile in [Profile::Strict, Profile::Lenient] {
        let answer = validate(VALID.as_bytes(), profile);
        assert!(answer.valid && answer.usable);
        assert_eq!(answer.findings, []);
    }
}

/// Whoever validates says what the record should be, whatever else it may look like.
#[test]
fn a_record_of_another_format_does_not_conform() {
    let text = r#"{"trial_number":1,"outcome":"success","reflection":"x"}"#;
    let answer = validate(text.as_bytes(), Profile::Strict);
    assert!(!answer.valid && !answer.usable);
    assert!(answer.findings.iter().any(|f| f.rule == "strict/required"), "{:?}", answer.findings);
    assert!(!validate(text.as_bytes(), Profile::Lenient).usable);
}

#[test]
fn strict_and_lenient_grade_the_same_facts() {
    let text = VALID
        .replace("ralph-a", "Ralph A")
        .replace("\"omega_capacity\":1", "\"omega_capacity\":12");
    assert_eq!(rules(&text, Profile::Strict), ["strict/pattern", "strict/maximum"]);
    assert_eq!(rules(&text, Profile::Lenient), ["lenient/loop-id", "lenient/range"]);
    let answer = validate(text.as_bytes(), Profile::Lenient);
    assert!(answer.usable && !answer.valid);
    let omega = &answer.findings[1];
    assert_eq!((omega.line, omega.column), (Some(5), Some(37)));
    assert_eq!(omega.pointer.as_deref(), Some("/memory_metadata/omega_capacity"));
}

#[test]
fn repaired_text_is_not_json_for_strict() {
    let text = VALID.replace("\"iteration\":1", "\"iteration\":1,\"iteration\":2");
    // JSON allows a repeated name, and the last one wins, as in JavaScript.
    assert!(validate(text.as_bytes(), Profile::Strict).valid);
    let text = VALID.replace("[],", "[],,");
    assert!(!validate(text.as_bytes(), Profile::Strict).valid);
    let text = VALID.replace("\"rationale\":\"\"", "\"rationale\":\"\",");
    assert_eq!(rules(&text, Profile::Strict), ["json/trailing-comma"]);
    assert!(!validate(text.as_bytes(), Profile::Strict).valid);
    assert_eq!(rules(&text, Profile::Lenient), ["json/trailing-comma"]);
    let answer = validate(text.as_bytes(), Profile::Lenient);
    assert!(answer.usable && !answer.valid);
}

#[test]
fn what_is_no_record_is_unusable() {
    for text in ["", "null", "[]", "{}", "not json", "{\"iteration\":1}"] {
        for profile in [Profile::Strict, Profile::Lenient] {
            let answer = validate(text.as_bytes(), profile);
            assert!(!answer.valid && !answer.usable, "{text}");
            assert!(!answer.findings.is_empty(), "{text}");
        }
    }
}

/// Asks everything that takes bytes, and gives the findings of all answers.
fn ask(text: &[u8]) -> Vec<Validation> {
    let mut answers = Vec::new();
    for profile in [Profile::Strict, Profile::Lenient] {
        answers.push(validate(text, profile));
        answers.extend(Schema::ALL.map(|schema| validate_as(text, schema, profile)));
    }
    for schema in [
        r##"{"$ref": "#/$defs/tree", "$defs": {"tree": {"items": {"$ref": "#/$defs/tree"},
            "additionalProperties": {"$ref": "#/$defs/tree"}, "type": ["array", "object"]}}}"##,
        r##"{"anyOf": [{"$ref": "#"}, {"type": "string"}]}"##,
        r#"{"properties": {"__proto__": {"type": "string"}}, "additionalProperties": false}"#,
        r#"{"unevaluatedProperties": false, "propertyNames": {"pattern": "^(a+)+$"}}"#,
    ] {
        answers.push(Validator::new(schema).expect("a schema").validate(text));
    }
    for answer in &answers {
        assert!(answer.usable || !answer.valid);
        assert!(answer.valid || !answer.findings.is_empty());
        assert!(answer.findings.is_sorted_by_key(|f| f.offset));
        for finding in &answer.findings {
            assert!(finding.line.is_some() && finding.offset.is_some(), "{finding:?}");
            assert!(finding.expected.is_some() && finding.found.is_some(), "{finding:?}");
            assert!(finding.found.as_ref().is_some_and(|f| f.chars().count() < 1000));
        }
    }
    answers
}

#[test]
fn names_of_javascript_are_names() {
    let text = r#"{"__proto__": {"iteration": 1}, "constructor": 1, "toString": null, "hasOwnProperty": []}"#;
    let answers = ask(text.as_bytes());
    assert!(!answers[0].valid);
    // `__proto__` is a member like another one, and has the wrong type.
    let closed = &answers[answers.len() - 2];
    let rules: Vec<_> = closed.findings.iter().map(|f| f.rule.as_ref()).collect();
    assert_eq!(rules.iter().filter(|r| **r == "strict/additionalProperties").count(), 3);
    assert_eq!(closed.findings[0].pointer.as_deref(), Some("/__proto__"));
}

#[test]
fn nesting_has_an_end() {
    for depth in [500, 512, 513, 100_000] {
        let lists = "[".repeat(depth) + &"]".repeat(depth);
        let objects = r#"{"a":"#.repeat(depth) + "1" + &"}".repeat(depth);
        for text in [&lists[..depth], &objects[..depth]] {
            ask(text.as_bytes());
        }
        for text in [lists, objects] {
            for answer in ask(text.as_bytes()) {
                let is_reported = answer.findings.iter().any(|f| f.rule == "json/too-deep");
                assert_eq!(is_reported, depth > 512);
            }
        }
    }
    let schema = r#"{"items":"#.repeat(100_000) + "true" + &"}".repeat(100_000);
    let error = Validator::new(&schema).expect_err("too deep");
    assert_eq!(error.code(), ErrorCode::InvalidSchema);
    let schema = r#"{"items":"#.repeat(120) + "false" + &"}".repeat(120);
    let validator = Validator::new(&schema).expect("a schema");
    let text = "[".repeat(120) + "1" + &"]".repeat(120);
    assert_eq!(validator.validate(text.as_bytes()).findings[0].rule, "strict/false-schema");
}

#[test]
fn many_members_take_no_more_than_their_time() {
    let members: Vec<String> = (0..100_000).map(|i| format!("\"m{i}\":{i}")).collect();
    let text = format!("{{{}}}", members.join(","));
    assert!(!validate(text.as_bytes(), Profile::Lenient).valid);
    let closed = Validator::new(r#"{"additionalProperties": false}"#).expect("a schema");
    let closed = closed.validate(text.as_bytes());
    assert_eq!(closed.findings.len(), 100_000);
    // A member too many stands at itself.
    assert_eq!(closed.findings[1].column, Some(14));
    let unknown = validate_as(text.as_bytes(), Schema::Action, Profile::Lenient).findings;
    assert_eq!(unknown.len(), 1);
    assert!(unknown[0].message.contains("and 99990 more"));
}

#[test]
fn half_a_surrogate_pair_is_said() {
    let text = br#"{"iteration": 1, "tool": "\ud800", "self_reflection": {"reflection_text": "a\udc00b"}}"#;
    for answer in ask(text) {
        assert!(answer.findings.iter().any(|f| f.rule == "json/lone-surrogate"));
    }
    assert!(!ask(b"{\"tool\": \"\xff\xfe\"}")[0].valid);
}

#[test]
fn what_is_no_number_is_reported_once() {
    let text = br#"{"iteration": NaN, "self_reflection": {"reflection_text": "a", "confidence": -Infinity}}"#;
    for profile in [Profile::Strict, Profile::Lenient] {
        for answer in [
            validate(text, profile),
            validate_as(br#"{"iteration": NaN, "timestamp": Infinity}"#, Schema::Action, profile),
        ] {
            let of_value = |f: &&Finding| f.rule == "strict/type" || f.rule == "lenient/type";
            assert_eq!(answer.findings.iter().filter(of_value).count(), 0, "{answer:?}");
            assert_eq!(answer.findings.iter().filter(|f| f.rule == "json/non-finite").count(), 2);
        }
    }
    // Too large for a double is JSON all the same.
    let answer = validate_as(br#"{"iteration": 1e400}"#, Schema::Action, Profile::Strict);
    let [finding] = &answer.findings[..] else { panic!("{answer:?}") };
    assert_eq!((finding.rule.as_ref(), finding.found.as_deref()), ("strict/type", Some("1e400")));
    assert_eq!(finding.message, "Expected an integer, found 1e400.");
}

#[test]
fn what_is_no_record_says_what_stands_there() {
    for (text, expected, found) in [
        ("", "a value", "the end of the text"),
        (" \n", "a value", "the end of the text"),
        ("not json", "a value", "`n`"),
        ("{\"a\": 1} x", "the end of the text", "`x`"),
        ("[1, 2", "the rest of the value", "the end of the text"),
        ("[]", "an object", "an array of 0 items"),
        ("null", "an object", "null"),
        ("\"text\"", "an object", "\"text\""),
    ] {
        for schema in Schema::ALL {
            for profile in [Profile::Strict, Profile::Lenient] {
                let answer = validate_as(text.as_bytes(), schema, profile);
                let [finding] = &answer.findings[..] else { panic!("{text}: {answer:?}") };
                let contrast = (finding.expected.as_deref(), finding.found.as_deref());
                assert_eq!(contrast, (Some(expected), Some(found)), "{text} as {schema:?}");
            }
        }
    }
}

#[test]
fn files_of_an_episodic_memory_are_graded() {
    let rules = |text: &str, schema, profile| -> Vec<String> {
        let answer = validate_as(text.as_bytes(), schema, profile);
        assert!(answer.usable && !answer.valid, "{text}");
        answer.findings.into_iter().map(|f| format!("{} {}", f.severity.as_str(), f.rule)).collect()
    };
    let lenient = |text, schema| rules(text, schema, Profile::Lenient);
    let task =
        r#"{"id": 7, "description": "d", "status": "done", "created": "2026-03-01", "tags": "a"}"#;
    assert_eq!(
        lenient(task, Schema::TaskMetadata),
        [
            "info lenient/type",
            "warning lenient/enum",
            "warning lenient/timestamp",
            "info lenient/type"
        ]
    );
    let trajectory = r#"{"attempts": [{"attempt_id": 1.5, "outcome": "success", "x": {"y": 1}}]}"#;
    assert_eq!(
        lenient(trajectory, Schema::Trajectory),
        ["info lenient/unknown-member", "warning lenient/type"]
    );
    let attempt = r#"{"id": 1, "outcome": {"status": null}, "execution": []}"#;
    assert_eq!(lenient(attempt, Schema::Attempt), ["info lenient/type", "warning lenient/type"]);
    let action = r#"{"tool": "bash", "success": "true", "params": "ls"}"#;
    assert_eq!(lenient(action, Schema::Action), ["info lenient/type", "warning lenient/type"]);
    let nothing = validate_as(br#"{"success": 1}"#, Schema::Action, Profile::Lenient);
    assert!(!nothing.usable);
    assert!(nothing.findings.iter().any(|f| f.rule == "lenient/unusable"));
    // Nothing is required, so nothing is missing.
    assert!(validate_as(b"{}", Schema::Attempt, Profile::Lenient).valid);
}

#[test]
fn a_schema_that_does_not_compile_says_where() {
    let why = |schema: serde_json::Value| {
        let error = Validator::new(&schema.to_string()).expect_err("no schema");
        assert_eq!(error.code(), ErrorCode::InvalidSchema);
        error.to_string()
    };
    assert_eq!(
        why(json!({"properties": {"a": {"type": "text"}}})),
        "The schema is not valid at /properties/a/type: expected one of array, boolean, integer, null, number, object, string, found \"text\"."
    );
    assert_eq!(
        why(json!({"items": {"$ref": "https://example.com/a.json"}})),
        "The schema refers to https://example.com/a.json, which it does not contain. Nothing is downloaded: put the referenced schema into `$defs`, or hand it over beside the schema."
    );
    assert_eq!(
        why(json!({"$ref": "#/$defs/a"})),
        "A reference of the schema cannot be resolved: Pointer '/$defs/a' does not exist."
    );
    assert_eq!(
        why(json!({"$schema": "https://example.com/draft"})),
        "The schema names https://example.com/draft as its draft, which is not a known draft of JSON Schema."
    );
    assert_eq!(
        why(json!({"properties": {"a": {"pattern": "("}}})),
        "The schema has a pattern at /properties/a/pattern that is not a valid regular expression: \"(\"."
    );
    assert_eq!(
        why(json!(7)),
        "The schema is not valid at its root: expected a boolean or an object, found 7."
    );
    let error = Validator::new("{\n  \"type\": }").expect_err("no JSON");
    assert_eq!(
        error.to_string(),
        "The schema is not valid JSON: expected value at line 2 column 11."
    );
}

#[test]
fn other_drafts_are_honoured() {
    let schema = r#"{"$schema": "http://json-schema.org/draft-07/schema#",
        "items": [{"type": "string"}], "additionalItems": false, "dependencies": {"a": ["b"]}}"#;
    let validator = Validator::new(schema).expect("a schema");
    let rules = |text: &[u8]| -> Vec<String> {
        validator.validate(text).findings.into_iter().map(|f| f.rule.into_owned()).collect()
    };
    assert_eq!(rules(br"[1, 2]"), ["strict/additionalItems", "strict/type"]);
    assert_eq!(rules(br#"{"a": 1}"#), ["strict/dependencies"]);
    // 2020-12 knows neither.
    let validator = Validator::new(&schema.replace(
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    ));
    assert!(validator.is_err());
}

#[test]
fn a_number_and_an_outcome_are_enough_to_use_a_record() {
    let text = br#"{"iteration": 1, "evaluator_output": {"passed": false}}"#;
    let answer = validate(text, Profile::Lenient);
    assert!(answer.usable && !answer.valid, "{:#?}", answer.findings);
    let answer = validate(br#"{"iteration": 1}"#, Profile::Lenient);
    assert!(!answer.usable);
    let found = answer.findings.iter().find(|f| f.rule == "lenient/unusable");
    assert_eq!(found.and_then(|f| f.found.as_deref()), Some("a number alone"));
}

/// Whatever members of the schema a record has: if it is of this format, it is of no other. So a first record
/// that has no other members needs no test of all formats.
#[test]
fn records_with_members_of_the_schema_are_of_one_format() {
    let record: serde_json::Value = serde_json::from_str(VALID).expect("it is JSON");
    let mut record = record.as_object().expect("it is an object").clone();
    for (name, value) in [
        ("task_description", serde_json::json!("Fix it")),
        ("context_injected", true.into()),
        ("notes", "None.".into()),
        ("previous_reflections_used", serde_json::json!([1])),
        ("performance_delta", serde_json::json!({"reward_change": 0.1})),
    ] {
        record.entry(name).or_insert(value);
    }
    let names: Vec<String> = record.keys().cloned().collect();
    let table = Schema::ReflectionMemory.table();
    assert!(names.iter().all(|name| table.member_at(crate::json::shape::ROOT, name).is_some()));
    let mut records = Vec::new();
    for left_out in 0_u32..1 << names.len() {
        let mut some = record.clone();
        for (_, name) in names.iter().enumerate().filter(|(at, _)| left_out >> at & 1 == 1) {
            some.remove(name);
        }
        records.push(some);
    }
    for name in &names {
        for value in [json!([]), json!(""), json!(5), json!([{"iteration": 1}])] {
            let mut some = record.clone();
            some.insert(name.clone(), value);
            records.push(some);
        }
    }
    let mut count = 0;
    for some in records {
        let value = serde_json::Value::Object(some);
        for is_item in [false, true] {
            let context = Context { is_item, ..Context::default() };
            let fitting: Vec<_> = FormatId::fitting(&value, &context).collect();
            if fitting.contains(&FormatId::ReflectionMemory) {
                assert_eq!(fitting, [FormatId::ReflectionMemory], "{value}");
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn every_schema_describes_a_format() {
    let formats = crate::formats().iter();
    let mut described: Vec<_> = formats.filter_map(|info| crate::schema_of(info.id)).collect();
    described.sort_by_key(|schema| *schema as usize);
    assert_eq!(described, Schema::ALL);
}
