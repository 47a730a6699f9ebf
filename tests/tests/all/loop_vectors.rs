//! The shared cases of the reflection loop, and the project's own, which follow the same format.

use std::fs;
use std::path::PathBuf;

use hindscope_tests::loops::{check_steps, matches, run};
use hindscope_tests::shared;
use serde_json::Value;

use crate::sources;

/// The cases of a file, one a line.
fn cases(path: &PathBuf) -> Vec<Value> {
    fs::read_to_string(path)
        .expect("the file can be read")
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

/// What is different from what a case expects.
fn difference(case: &Value) -> Result<(), String> {
    let expect = &case["expect"];
    let outcome = run(case["op"].as_str().expect("an operation"), &case["input"]);
    let is_partial = case.get("recommend").is_some();
    for key in ["result", "data", "text", "error"] {
        if let Some(expected) = expect.get(key) {
            let actual = outcome
                .value
                .get(key)
                .ok_or_else(|| format!("expected {key} {expected}, got {}", outcome.value))?;
            // Rule 1: these are equal as a whole; inside of results the names themselves say it.
            let wrapped = |value: &Value| {
                if key == "data" || key == "text" {
                    serde_json::json!({ key: value })
                } else {
                    value.clone()
                }
            };
            matches(&wrapped(expected), &wrapped(actual), key)?;
        }
    }
    for key in expect.get("absent").and_then(Value::as_array).into_iter().flatten() {
        let key = key.as_str().expect("a key");
        if outcome.value["result"].get(key).is_some() {
            return Err(format!("{key} is there: {}", outcome.value));
        }
    }
    if let Some(trace) = expect.get("trace").and_then(Value::as_array) {
        if trace.len() != outcome.trace.len() {
            return Err(format!("{} calls in place of {}", outcome.trace.len(), trace.len()));
        }
        for (number, (expected, actual)) in trace.iter().zip(&outcome.trace).enumerate() {
            matches(expected, actual, &format!("trace/{number}"))?;
            // Parameters of generate and correct are equal as a whole.
            if expected["call"] != "llm"
                && let Some(params) = expected.get("params")
            {
                let exact = |params: &Value| serde_json::json!({ "data": params });
                matches(&exact(params), &exact(&actual["params"]), &format!("trace/{number}"))?;
            }
        }
    }
    if let Some(calls) = expect.get("calls").and_then(Value::as_object) {
        let counts = |name: &str| outcome.calls.get(name).and_then(Value::as_u64).unwrap_or(0);
        if calls.is_empty() && !outcome.calls.is_empty() {
            return Err(format!("there were calls: {:?}", outcome.calls));
        }
        for name in ["generate", "evaluate", "correct", "llm"] {
            let expected = calls.get(name).and_then(Value::as_u64);
            let is_compared = expected.is_some() || !is_partial;
            if is_compared && counts(name) != expected.unwrap_or(0) {
                return Err(format!("{} calls of {name}, expected {expected:?}", counts(name)));
            }
        }
    }
    Ok(())
}

fn all_hold(cases: &[Value]) {
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            difference(case).err().map(|difference| format!("{}: {difference}", case["id"]))
        })
        .collect();
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

#[test]
fn shared_vectors_hold() {
    let Some(path) = shared("loop/vectors.jsonl") else { return };
    let mut cases = cases(&path);
    let before = cases.len();
    assert!(before > 300, "only {before}");
    let out_of_date: Vec<String> =
        serde_json::from_str(include_str!("../../loop/out-of-date.json")).expect("a list of ids");
    cases.retain(|case| !out_of_date.iter().any(|id| case["id"] == id.as_str()));
    println!("left out, since the rules have changed: {}", out_of_date.join(", "));
    assert_eq!(before - cases.len(), out_of_date.len(), "each of these ids is of one case");
    all_hold(&cases);
}

#[test]
fn own_cases_hold() {
    let files = sources::files("tests/fixtures/loop", &[".jsonl"]);
    assert!(files.len() > 5, "only {files:?}");
    let mut failed = Vec::new();
    for path in files {
        for case in cases(&path) {
            if let Err(difference) = check_steps(&case) {
                failed.push(format!("{}: {difference}", case["id"]));
            }
        }
    }
    assert!(failed.is_empty(), "{}:\n{}", failed.len(), failed.join("\n"));
}
