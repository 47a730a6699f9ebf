use serde_json::json;

use super::*;

const OPTIONS: SchemaOptions =
    SchemaOptions { assert_formats: true, coerce: true, is_graded: false };

const SEVEN: &str = "http://json-schema.org/draft-07/schema#";

fn source(schema: Value) -> Result<SchemaSource, Problem> {
    SchemaSource::new(schema, &Map::new(), "auto")
}

fn evaluator(schema: Value) -> SchemaEvaluator {
    let source = source(schema).expect("a schema");
    assert_eq!(source.missing(), None);
    source.compile(OPTIONS).expect("a schema")
}

/// Path and keyword of each error, sorted.
fn pairs(judged: &Judged) -> Vec<(String, String)> {
    let text = |error: &Value, key: &str| error[key].as_str().expect("text").to_owned();
    let mut pairs: Vec<_> =
        judged.errors.iter().map(|e| (text(e, "path"), text(e, "keyword"))).collect();
    pairs.sort();
    pairs
}

fn gives(schema: Value, output: &Value, expected: &[(&str, &str)]) {
    let schema_text = schema.to_string();
    let judged = evaluator(schema).judge(output);
    let expected: Vec<_> = expected
        .iter()
        .map(|(path, keyword)| ((*path).to_owned(), (*keyword).to_owned()))
        .collect();
    assert_eq!(pairs(&judged), expected, "{schema_text} {output}");
    assert_eq!(judged.verdict, Some(expected.is_empty()));
}

fn problem(schema: Value) -> (LoopErrorCode, String) {
    let problem = source(schema).and_then(|source| source.compile(OPTIONS)).expect_err("a problem");
    (problem.code, problem.field)
}

#[test]
fn errors_are_listed_by_path_and_keyword() {
    gives(json!({"required": ["a", "b"]}), &json!({}), &[("", "required"), ("", "required")]);
    gives(
        json!({"additionalProperties": false}),
        &json!({"a": 1, "b": 2}),
        &[("", "additionalProperties")],
    );
    gives(json!({"anyOf": [{"type": "null"}, {"type": "array"}]}), &json!("a"), &[("", "anyOf")]);
    gives(json!({"not": {}}), &json!("a"), &[("", "not")]);
    gives(json!({"propertyNames": {"maxLength": 2}}), &json!({"abc": 1}), &[("", "maxLength")]);
    gives(json!({"properties": {"a": false}}), &json!({"a": 1}), &[("a", "a")]);
    gives(json!({"dependencies": {"a": ["b"]}}), &json!({"a": 1}), &[("", "dependencies")]);
    gives(
        json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}}),
        &json!({"a": 1}),
        &[("", "required")],
    );
    gives(json!({"allOf": [{"type": "null"}]}), &json!("a"), &[("", "type")]);
    gives(
        json!({"$schema": SEVEN, "items": [{}], "additionalItems": false}),
        &json!([1, 2]),
        &[("", "additionalItems")],
    );
    gives(
        json!({"items": {"properties": {"n": {"type": "integer"}}}}),
        &json!([{"n": "x"}]),
        &[("0.n", "type")],
    );
    gives(json!(true), &json!(1), &[]);
    gives(json!({"multipleOf": 0.01}), &json!(19.99), &[]);
    gives(json!({"enum": [1]}), &json!(1.0), &[]);
    gives(json!({"enum": [1]}), &json!(true), &[("", "enum")]);
    gives(json!({"pattern": "^a$"}), &json!("a\n"), &[("", "pattern")]);
    gives(json!({"minLength": 2}), &json!("👍"), &[("", "minLength")]);
}

#[test]
fn an_item_says_where_and_what() {
    let schema = json!({"properties": {"a.b": {"items": {"type": "integer", "minimum": 3}}}});
    let judged = evaluator(schema).judge(&json!({"a.b": [5, "1", "x"]}));
    assert_eq!(judged.output, Some(json!({"a.b": [5, 1, "x"]})));
    assert_eq!(judged.coercions[0].pointer, "/a.b/1");
    let error = &judged.errors[0];
    assert_eq!(error["pointer"], "/a.b/1");
    assert_eq!(error["code"], "schema");
    assert_eq!(error["schema_path"], json!(["properties", "a.b", "items", "minimum"]));
    assert_eq!(error["params"], json!({"limit": 3}));
    assert_eq!(judged.suggestions[0], json!("Make `a.b.1` at least 3."));
    assert_eq!(judged.errors[1]["params"], json!({"type": "integer"}));
}

#[test]
fn what_is_no_schema_is_reported_with_its_place() {
    let (invalid, missing) = (INVALID, LoopErrorCode::ConfigSchemaMissing);
    for (schema, code, field) in [
        (json!("text"), missing, "/schema"),
        (json!([]), missing, "/schema"),
        (json!(null), missing, "/schema"),
        (json!({"type": "str"}), invalid, "/schema/type"),
        (json!({"required": "ab"}), invalid, "/schema/required"),
        (json!({"properties": {"a": {"pattern": "("}}}), invalid, "/schema/properties/a/pattern"),
        (
            json!({"definitions": {"a": {"patternProperties": {"[": {}}}}}),
            invalid,
            "/schema/definitions/a/patternProperties/[",
        ),
        (json!({"$ref": "#/definitions/no"}), invalid, "/schema/$ref"),
        (json!({"$schema": "http://example.org/mine"}), invalid, "/schema/$schema"),
        (json!({"$ref": "#"}), invalid, "/schema"),
        (json!({"$ref": "no.json"}), UNRESOLVED, "/schema"),
    ] {
        assert_eq!(problem(schema.clone()), (code, field.to_owned()), "{schema}");
    }
    let deep = (0..200).fold(json!({}), |inner, _| json!({"not": inner}));
    assert_eq!(problem(deep).0, invalid);
}

#[test]
fn drafts_differ_where_they_should() {
    let of = |draft: &str| format!("https://json-schema.org/draft/{draft}/schema");
    // Without `$schema` it is the newest one.
    for (schema, output, path, keyword) in [
        (json!({"prefixItems": [{"type": "null"}]}), json!(["x"]), "0", "type"),
        (json!({"unevaluatedProperties": false}), json!({"a": 1}), "", "unevaluatedProperties"),
        (json!({"dependentRequired": {"a": ["b"]}}), json!({"a": 1}), "", "dependentRequired"),
        (json!({"$ref": "#/$defs/a", "type": "null", "$defs": {"a": {}}}), json!("x"), "", "type"),
    ] {
        gives(schema.clone(), &output, &[(path, keyword)]);
        let mut named = schema.clone();
        named["$schema"] = json!(of("2020-12"));
        gives(named.clone(), &output, &[(path, keyword)]);
        named["$schema"] = json!(SEVEN);
        gives(named, &output, &[]);
        // The validator reads the same dialect.
        let validator = crate::Validator::new(&schema.to_string()).expect("a schema");
        assert!(!validator.validate(output.to_string().as_bytes()).valid, "{schema}");
    }
    let tuple = json!({"items": [{}]});
    assert_eq!(problem(tuple.clone()), (INVALID, "/schema/items".to_owned()));
    let of_loop = source(tuple.clone()).expect_err("draft 7").message;
    let of_validator = crate::Validator::new(&tuple.to_string()).expect_err("draft 7").to_string();
    for message in [of_loop, of_validator] {
        assert!(
            message.contains("found an array of 1 item. It would be valid by draft 7"),
            "{message}"
        );
    }
    let anchor = source(json!({"$defs": {"a": {"$id": "#a"}}})).expect_err("draft 7").message;
    assert!(!anchor.contains("regular expression"), "{anchor}");
    assert!(anchor.contains("/$defs/a/$id") && anchor.contains("draft 7"), "{anchor}");
    let newer = json!({"$schema": of("2019-09"), "$ref": "#/$defs/a", "type": "null",
        "$defs": {"a": {}}});
    gives(newer.clone(), &json!("x"), &[("", "type")]);
    let forced = SchemaSource::new(newer, &Map::new(), "draft7").expect("a schema");
    let forced = forced.compile(OPTIONS).expect("a schema");
    assert_eq!(forced.judge(&json!("x")).verdict, Some(true));
    gives(
        json!({"$schema": "http://json-schema.org/draft-04/schema#", "maximum": 3,
            "exclusiveMaximum": true}),
        &json!(3),
        &[("", "exclusiveMaximum")],
    );
    let refused = SchemaSource::new(json!({}), &Map::new(), "3").expect_err("no such draft");
    assert_eq!((refused.code.as_str(), refused.field.as_str()), ("config_value", "/draft"));
}

#[test]
fn documents_are_asked_for_one_by_one() {
    let mut source = source(json!({"properties": {"u": {"$ref": "./s/user.yaml#/definitions/u"}}}))
        .expect("one");
    let missing = source.missing().expect("a document");
    assert_eq!((missing.uri.as_str(), missing.from.as_str()), ("s/user.yaml", ""));
    let text = "definitions:\n  u: {$ref: ../b.json, type: 5}\n";
    let refused = source.clone().supply("s/user.yaml", json!("a: [")).expect_err("no YAML");
    assert_eq!(refused.code.as_str(), "config_schema_unresolved");
    let refused = source.clone().supply("s/user.yaml", json!(text)).expect_err("no type");
    assert_eq!(refused.code.as_str(), "config_schema_invalid");
    source.supply("s/user.yaml", json!(text.replace(", type: 5", ""))).expect("YAML");
    let missing = source.missing().expect("a document");
    assert_eq!((missing.uri.as_str(), missing.from.as_str()), ("b.json", "s/user.yaml"));
    let refused = source.clone().supply("b.json", json!("type: integer")).expect_err("no JSON");
    assert_eq!(refused.code.as_str(), "config_schema_unresolved");
    assert!(source.clone().supply("b.json", json!(5)).is_err());
    source.supply("b.json", json!("{\"type\": \"integer\"}")).expect("JSON");
    assert_eq!(source.missing(), None);
    let evaluator = source.compile(OPTIONS).expect("complete");
    let judged = evaluator.judge(&json!({"u": "x"}));
    assert_eq!(pairs(&judged), [("u".to_owned(), "type".to_owned())]);
    // Coercion follows references into documents.
    assert_eq!(evaluator.judge(&json!({"u": "7"})).output, Some(json!({"u": 7})));
}

#[test]
fn documents_that_name_another_one_each_come_to_an_end() {
    let next = |number: usize| json!({"properties": {"a": {"$ref": format!("{number}.json")}}});
    let mut source = source(next(0)).expect("a schema");
    let refused = (1..).find_map(|number| {
        let absent = source.missing().expect("there is always a next one");
        source.supply(&absent.uri, next(number)).err().map(|problem| (number, problem.code))
    });
    assert_eq!(refused, Some((MAX_DOCUMENTS + 1, TOO_COMPLEX)));
}

#[test]
fn documents_may_come_along() {
    let schemas = json!({
        "http://h/x.json": {"$defs": {"a": {"$anchor": "a", "type": "null"}}},
        "../up.json": "{\"$ref\": \"http://h/y.json\"}",
        "http://h/y.json": {"$id": "http://h/z.json", "items": {"$ref": "x.json#a"}},
    });
    let schemas = schemas.as_object().expect("an object");
    let schema = json!({"properties": {"a": {"$ref": "../up.json"}}});
    let source = SchemaSource::new(schema, schemas, "auto").expect("schemas");
    assert_eq!(source.missing(), None);
    let evaluator = source.compile(OPTIONS).expect("complete");
    assert_eq!(
        pairs(&evaluator.judge(&json!({"a": [1]}))),
        [("a.0".to_owned(), "type".to_owned())]
    );
    let bad = json!({"a": 5});
    let bad = bad.as_object().expect("an object");
    let refused = SchemaSource::new(json!({}), bad, "auto").expect_err("no schema");
    assert_eq!((refused.code.as_str(), refused.field.as_str()), ("config_value", "/schemas/a"));
}

#[test]
fn options_say_how_it_is_applied() {
    let schema = json!({"type": "string", "format": "email", "minLength": 50});
    let with = |options| source(schema.clone()).expect("one").compile(options).expect("one");
    assert_eq!(with(OPTIONS).judge(&json!("nope")).errors.len(), 2);
    let lax = SchemaOptions { assert_formats: false, coerce: false, is_graded: true };
    let judged = with(lax).judge(&json!("nope"));
    assert_eq!(pairs(&judged), [(String::new(), "minLength".to_owned())]);
    assert_eq!(judged.score, Some(0.8));
    assert_eq!(with(lax).judge(&json!(5)).output, Some(json!(5)));
    assert_eq!(with(OPTIONS).judge(&json!(5)).output, Some(json!("5")));
    let unknown = evaluator(json!({"format": "shoe-size"}));
    assert_eq!(unknown.warnings()[0].code, "format_unknown");
    assert_eq!(unknown.judge(&json!("a")).verdict, Some(true));
}

#[test]
fn keywords_that_a_draft_does_not_have_are_warnings() {
    let messages = |schema: &Value| {
        let of_loop = evaluator(schema.clone());
        let of_loop: Vec<_> = of_loop.warnings().iter().map(|one| one.message.clone()).collect();
        let validator = crate::Validator::new(&schema.to_string()).expect("a schema");
        let findings = validator.warnings();
        let mut of_validator: Vec<_> = findings.iter().map(|one| one.message.clone()).collect();
        of_validator.sort_by_key(|message| of_loop.iter().position(|one| one == message));
        assert_eq!(of_loop, of_validator, "{schema}");
        of_loop
    };
    let schema = json!({"properties": {"requird": {"requird": ["a"], "x-ours": 1, "zzzzzzzz": 1},
        "b": {"requird": []}}, "title": "t", "default": {"foo": 1}, "format": "shoe-size"});
    assert_eq!(
        messages(&schema),
        [
            "Unknown format \"shoe-size\" at /format: it is not checked.",
            "Unknown keyword `requird` at /properties/requird/requird: it is not checked. Did you \
             mean `required`?",
            "Unknown keyword `zzzzzzzz` at /properties/requird/zzzzzzzz: it is not checked.",
        ]
    );
    assert_eq!(evaluator(schema).warnings()[1].code, "keyword_unknown");
    let older = json!({"$schema": SEVEN, "prefixItems": [{}], "items": [{}], "if": {}});
    assert_eq!(
        messages(&older),
        [
            "Unknown keyword `prefixItems` at /prefixItems: it is not checked. The schema follows draft \
          7, the keyword belongs to draft 2020-12."
        ]
    );
    let newer = json!({"additionalItems": false});
    assert!(messages(&newer)[0].ends_with("belongs to drafts 4 to 2019-09."), "{newer}");
    // Every keyword of a draft is known to it, and nothing is warned of twice.
    for schema in [
        json!({"$schema": "http://json-schema.org/draft-04/schema#", "id": "http://h/a",
            "exclusiveMaximum": true, "maximum": 3}),
        json!({"$id": "http://h/a", "$anchor": "a", "$dynamicAnchor": "b", "$comment": "c",
            "dependentSchemas": {}, "dependencies": {}, "then": {}, "contains": {}, "const": 1}),
        json!(true),
    ] {
        assert_eq!(messages(&schema), [""; 0], "{schema}");
    }
}

#[test]
fn no_pattern_takes_for_ever() {
    let schema = json!({"properties": {"a": {"pattern": "^(a+)+$"}},
        "patternProperties": {"^(b|b)*$": {"type": "integer"}}});
    let name = "b".repeat(5_000) + "c";
    let output = json!({"a": "a".repeat(5_000) + "!", name: "1"});
    gives(schema, &output, &[("a", "pattern")]);
}

#[test]
fn deep_outputs_and_many_errors_are_judged() {
    let tree = json!({"properties": {"a": {"$ref": "#"}}, "type": "object"});
    let deep = (0..127).fold(json!("x"), |inner, _| json!({"a": inner}));
    let judged = evaluator(tree).judge(&deep);
    assert_eq!(judged.errors[0]["pointer"], "/a".repeat(127));
    let many = json!(vec!["x"; 20_000]);
    let judged = evaluator(json!({"items": {"type": "integer"}})).judge(&many);
    assert_eq!((judged.errors.len(), judged.suggestions.len()), (20_000, 20_000));
}

#[test]
fn schemas_that_multiply_are_refused_before_anything_is_compiled() {
    let doubled = |levels: usize| {
        let mut schema = json!({"definitions": {"d0": {"type": "null"}}});
        for level in 0..levels {
            let next = json!({"$ref": format!("#/definitions/d{level}")});
            schema["definitions"][format!("d{}", level + 1)] = json!({"allOf": [next, next]});
        }
        schema["allOf"] = json!([{"$ref": format!("#/definitions/d{levels}")}]);
        schema
    };
    assert_eq!(problem(doubled(60)), (LoopErrorCode::ConfigSchemaTooComplex, "/schema".to_owned()));
    assert!(crate::Validator::new(&doubled(60).to_string()).is_err());
    // What is just let through is judged, with every one of its errors.
    let judged = evaluator(doubled(14)).judge(&json!(1));
    assert_eq!((judged.verdict, judged.errors.len()), (Some(false), 1 << 14));
    // As often, but each time for another part of the value.
    let mut parts = json!({"type": "null"});
    for level in 0..60 {
        parts = json!({"properties": {(format!("a{level}")): parts.clone(), "b": true}});
    }
    assert_eq!(evaluator(parts).judge(&json!({})).verdict, Some(true));
}

/// Both alternatives lead back to the schema: a list of errors doubles with each level of a value.
#[test]
fn alternatives_that_double_with_each_level_end_with_a_verdict() {
    let ways = |keyword: &str| {
        let down = |least: u32| {
            json!({"type": "object", "minProperties": least,
                "properties": {"a": {"$ref": "#/definitions/n"}}})
        };
        json!({"$ref": "#/definitions/n", "definitions": {"n": {
            "anyOf": [{"type": "null"}, {(keyword): [down(1), down(1)]}]}}})
    };
    let deep = |inside: Value| (0..120).fold(inside, |inner, _| json!({"a": inner}));
    for keyword in ["anyOf", "allOf"] {
        let evaluator = evaluator(ways(keyword));
        assert_eq!(evaluator.judge(&deep(Value::Null)).verdict, Some(true), "{keyword}");
        let judged = evaluator.judge(&deep(json!(1)));
        assert_eq!((judged.verdict, judged.score), (Some(false), Some(0.0)), "{keyword}");
        let codes: Vec<_> = judged.errors.iter().map(|error| &error["code"]).collect();
        assert_eq!(codes, ["errors_limit"], "{keyword}");
        let shallow = evaluator.judge(&json!({"a": {"a": 1}}));
        assert!(shallow.errors.iter().all(|error| error["code"] == "schema"), "{keyword}");
        let validator = crate::Validator::new(&ways(keyword).to_string()).expect("a schema");
        let findings = validator.validate(deep(json!(1)).to_string().as_bytes()).findings;
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(findings[0].message.contains("take too long"), "{findings:?}");
    }
    let graded = SchemaOptions { assert_formats: false, coerce: false, is_graded: true };
    let source = SchemaSource::new(ways("anyOf"), &Map::new(), "auto").expect("a schema");
    let judged = source.compile(graded).expect("it compiles").judge(&deep(json!(1)));
    assert_eq!(judged.score, Some(0.0));
}

#[test]
fn no_keyword_makes_a_verdict_that_does_not_end() {
    let down = json!({"type": "object", "properties": {"a": {"$ref": "#"}}});
    let items = json!({"type": "object", "properties": {"a": {"items": {"$ref": "#"}}}});
    let list = json!({"type": "array", "contains": {"$ref": "#"}});
    for schema in [
        json!({"not": {"not": {"anyOf": [down, down]}}}),
        json!({"if": down, "then": down, "else": down}),
        json!({"if": {"not": down}, "then": false, "else": {"not": {"not": down}}}),
        json!({"anyOf": [down, down], "unevaluatedProperties": {"$ref": "#"}}),
        json!({"allOf": [down, down], "unevaluatedProperties": false}),
        json!({"oneOf": [{"allOf": [down, {"required": ["b"]}]}, down], "unevaluatedProperties": false}),
        json!({"$dynamicAnchor": "n", "anyOf": [{"properties": {"a": {"$dynamicRef": "#n"}}},
            {"properties": {"a": {"$dynamicRef": "#n"}}}], "unevaluatedProperties": false}),
        json!({"$dynamicAnchor": "n", "oneOf": [{"properties": {"a": {"$dynamicRef": "#n"}},
            "required": ["a"]}, {"type": "null"}], "not": {"properties": {"a": {"not":
            {"$dynamicRef": "#n"}}}, "required": ["a"]}}),
        json!({"anyOf": [list, list, down, items, {"type": "null"}]}),
        json!({"dependentSchemas": {"a": {"anyOf": [down, down]}}, "propertyNames": {"$ref": "#"},
            "patternProperties": {"a": {"$ref": "#"}}, "additionalProperties": {"$ref": "#"}}),
    ] {
        let source = SchemaSource::new(schema.clone(), &Map::new(), "2020-12").expect("a schema");
        let evaluator = source.compile(OPTIONS).expect("it compiles");
        for inside in [json!(null), json!(1), json!({"b": []})] {
            let deep = (0..120).fold(inside.clone(), |inner, _| json!({"a": inner}));
            let wide = (0..9).fold(inside, |inner, _| json!({"a": [inner, inner]}));
            for value in [deep, wide] {
                let judged = evaluator.judge(&value);
                assert_eq!(judged.errors.is_empty(), judged.verdict == Some(true), "{schema}");
            }
        }
    }
}

#[test]
fn patterns_that_go_back_for_ever_end_with_a_code() {
    let long = format!("{}!", "a".repeat(1_000));
    for (pattern, code) in [
        ("^(a+)+$", "schema"),
        ("^(a|a)*$", "schema"),
        ("^(?:a(?=(a+)+b)|a)*$", "schema"),
        ("^(?i:(A+)+)$", "schema"),
        (r"^(a+)+\1$", "pattern_limit"),
        (r"^(?:(a)\1?|a)*$", "pattern_limit"),
        ("^(?:(?:a{0,999}){1,999}){1,999}$", "pattern_limit"),
    ] {
        for (schema, output) in [
            (json!({"pattern": pattern}), json!(long)),
            (json!({"items": {"pattern": pattern}}), json!(["aa", long])),
            (json!({"propertyNames": {"pattern": pattern}}), json!({(long.clone()): 1})),
        ] {
            let judged = evaluator(schema).judge(&output);
            assert_eq!(judged.verdict, Some(false), "{pattern}");
            assert!(judged.errors.iter().any(|error| error["code"] == code), "{:?}", judged.errors);
        }
        let schema = json!({"patternProperties": {(pattern): {"type": "null"}}});
        let judged = evaluator(schema).judge(&json!({(long.clone()): 1}));
        let codes: Vec<_> = judged.errors.iter().map(|error| &error["code"]).collect();
        assert_eq!(codes, if code == "schema" { vec![] } else { vec![code] }, "{pattern}");
    }
    // Whatever the pattern would say, this is refused or accepted.
    let schema = json!({"pattern": r"^(a+)+\1$", "type": "null"});
    gives(schema, &json!(long), &[("", "type")]);
    let schema = json!({"anyOf": [{"pattern": r"^(a+)+\1$"}, {"type": "string"}]});
    gives(schema, &json!(long), &[]);
}

/// `count` definitions, each leading to the next in this way, the last one to `last`.
fn chain(count: usize, link: impl Fn(Value) -> Value, last: &Value) -> Value {
    let mut definitions = Map::new();
    for number in 0..count {
        let next = json!({"$ref": format!("#/definitions/d{}", number + 1)});
        definitions.insert(format!("d{number}"), link(next));
    }
    definitions.insert(format!("d{count}"), last.clone());
    json!({"definitions": definitions, "allOf": [{"$ref": "#/definitions/d0"}]})
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!({}), |inner, _| json!({ "a": inner }))
}

#[test]
fn schemas_that_lead_too_far_are_refused() {
    let null = json!({"type": "null"});
    for schema in [
        chain(8_000, |next| next, &null),
        chain(8_000, |next| json!({"allOf": [next]}), &null),
        chain(8_000, |next| json!({"properties": {"a": next}}), &null),
        chain(8_000, |next| json!({"items": [next]}), &null),
    ] {
        assert_eq!(problem(schema).0, INVALID);
    }
    gives(chain(100, |next| next, &null), &json!(1), &[("", "type")]);
    gives(chain(100, |next| json!({"properties": {"a": next}}), &null), &nested(99), &[]);
}

#[test]
fn deep_outputs_and_long_chains_do_not_multiply() {
    let again = json!({"properties": {"a": {"$ref": "#/definitions/d0"}}});
    let schema = evaluator(chain(30, |next| json!({"allOf": [next]}), &again));
    assert_eq!(schema.judge(&nested(20)).verdict, Some(true));
    let judged = schema.judge(&nested(120));
    assert!(judged.has_crashed);
    assert_eq!(judged.errors[0]["code"], "evaluator_failed");
    // Values of records may be nested deeper than outputs.
    let mut schema = chain(145, |next| json!({"allOf": [next]}), &again);
    for circle in [json!(true), json!({"allOf": [{"$ref": "#/definitions/c"}]})] {
        schema["definitions"]["c"] = circle;
        let validator = crate::Validator::new(&schema.to_string()).expect("a schema");
        for levels in [60, 500] {
            let answer = validator.validate(nested(levels).to_string().as_bytes());
            let rules: Vec<_> = answer.findings.iter().map(|finding| &*finding.rule).collect();
            assert_eq!((answer.valid, &rules[..]), (false, &["strict/$ref"][..]), "{levels}");
        }
        assert!(validator.validate(br#"{"a": {"a": {}}}"#).valid);
    }
    // What refers to itself and nothing else goes as deep as an output may.
    let tree =
        evaluator(json!({"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}));
    assert_eq!(tree.judge(&nested(127)).verdict, Some(true));
}

#[test]
fn long_enumerations_are_counted() {
    let words: Vec<String> = (0..2_000).map(|number| format!("w{number}")).collect();
    let judged = evaluator(json!({ "items": {"enum": words} })).judge(&json!(["x", "y"]));
    let params = &judged.errors[0]["params"];
    assert_eq!(
        (params["allowed"].as_array().map(Vec::len), &params["count"]),
        (Some(50), &json!(2_000))
    );
    let judged = evaluator(json!({"enum": ["a", "b"]})).judge(&json!("x"));
    assert_eq!(judged.errors[0]["params"], json!({"allowed": ["a", "b"]}));
}

#[test]
fn patterns_that_are_too_much_are_refused() {
    assert_eq!(problem(json!({"pattern": "a|".repeat(10_000)})).0, INVALID);
    gives(json!({"format": "regex"}), &json!("a|".repeat(10_000)), &[("", "format")]);
}
