//! The vectors of the loop that need no loop: coercion and templates, where they lie beside the
//! clone.

use std::env;
use std::path::PathBuf;

use hindscope_tests::root;
use serde_json::Value;

/// Cases of one operation; says that it skips where there are none.
fn cases(op: &str) -> Vec<Value> {
    let shared = env::var_os("HINDSCOPE_SHARED")
        .map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let path = shared.join("loop/vectors.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: there is no {}", path.display());
        return Vec::new();
    };
    let cases = text.lines().map(|line| serde_json::from_str(line).expect("a vector is JSON"));
    let cases: Vec<Value> = cases.filter(|case: &Value| case["op"] == op).collect();
    assert!(!cases.is_empty(), "no vector is about {op}");
    cases
}

/// Numbers by value, everything else exactly.
fn equal(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => found == expected,
    }
}

#[test]
fn coercion_gives_what_the_vectors_expect() {
    for case in cases("coerce") {
        let input = &case["input"];
        let coerced = hindscope::coerce(&input["schema"], input["data"].clone());
        let expected = &case["expect"]["data"];
        assert!(equal(&coerced.value, expected), "{}: {}", case["id"], coerced.value);
        let is_changed = !equal(&input["data"], &coerced.value);
        assert_eq!(is_changed, !coerced.coercions.is_empty(), "{}", case["id"]);
    }
}

#[test]
fn templates_give_what_the_vectors_expect() {
    for case in cases("template") {
        let input = &case["input"];
        let template = input["template"].as_str().expect("a template is text");
        let state = input["state"].as_object().expect("a state is an object");
        let rendered = hindscope::render_template(template, state);
        match (&case["expect"]["text"], rendered) {
            (Value::String(expected), Ok(text)) => assert_eq!(text, *expected, "{}", case["id"]),
            (Value::Null, Err(error)) => {
                assert_eq!(case["expect"]["error"]["type"], hindscope::TemplateError::TYPE);
                assert_eq!(error.code(), "template_failed", "{}", case["id"]);
            }
            (expected, found) => panic!("{}: {found:?} instead of {expected}", case["id"]),
        }
    }
}
