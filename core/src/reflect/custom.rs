//! What a callback or inline code answers when it evaluates.

use serde_json::{Map, Value};

use super::verdict::{self, Code, Judged, item};

/// Keys of an answer that are read; others are details.
const KEYS: [&str; 7] = ["valid", "pass", "score", "errors", "suggestions", "reason", "feedback"];

/// Reads an answer (docs/spec/loop.md, 10). `score_scale` divides what it gives as score.
pub(crate) fn read(answer: &Value, score_scale: f64) -> Judged {
    match answer {
        Value::Bool(passes) => Judged {
            verdict: Some(*passes),
            refusal: vec![rejected("The evaluator answered false.")],
            ..Judged::default()
        },
        Value::Number(_) => number(answer, score_scale),
        Value::Object(_) if verdict::is_not_finite(answer) => Judged {
            // No threshold lets it pass, not even 0.
            verdict: Some(false),
            refusal: vec![rejected("The evaluator answered a number that is not finite.")],
            ..number(answer, score_scale)
        },
        Value::Object(members) => object(members, score_scale),
        Value::String(text) => {
            let is_blank = text.trim().is_empty();
            failed(if is_blank { NO_VERDICT } else { text })
        }
        Value::Array(_) => Judged {
            verdict: Some(answer.as_array().is_some_and(Vec::is_empty)),
            errors: verdict::errors(answer),
            ..Judged::default()
        },
        Value::Null => failed(NO_VERDICT),
    }
}

const NO_VERDICT: &str = "The evaluator gave no verdict.";

fn rejected(message: &str) -> Value {
    item("custom_rejected", message)
}

fn failed(message: &str) -> Judged {
    Judged { verdict: Some(false), errors: vec![rejected(message)], ..Judged::default() }
}

fn number(answer: &Value, score_scale: f64) -> Judged {
    let mut judged = Judged { is_bare_number: true, code: Some(Code::Custom), ..Judged::default() };
    judged.take_score(answer, score_scale);
    judged
}

fn object(members: &Map<String, Value>, score_scale: f64) -> Judged {
    let get = |key: &str| members.get(key).unwrap_or(&Value::Null);
    let details: Map<String, Value> = members
        .iter()
        .filter(|(key, _)| !KEYS.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let mut judged = Judged {
        verdict: verdict::verdict(members),
        errors: verdict::errors(get("errors")),
        suggestions: verdict::suggestions(get("suggestions")),
        feedback: verdict::reason(members).unwrap_or_default().to_owned(),
        details: (!details.is_empty()).then_some(Value::Object(details)),
        ..Judged::default()
    };
    judged.take_score(get("score"), score_scale);
    judged
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::verdict::settle;
    use super::*;

    #[test]
    fn every_row_of_answers() {
        let rejected = "custom_rejected";
        for (answer, valid, score, codes) in [
            (json!(true), true, 1.0, vec![]),
            (json!(false), false, 0.0, vec![rejected]),
            (json!(0), false, 0.0, vec![rejected]),
            (json!(0.49), false, 0.49, vec![rejected]),
            (json!(0.5), true, 0.5, vec![]),
            (json!(2), false, 1.0, vec![rejected]),
            (json!({"$float": "Infinity"}), false, 0.0, vec![rejected]),
            (json!({"valid": true, "score": null}), true, 1.0, vec![]),
            (json!({"valid": false, "score": "0.7"}), false, 0.7, vec![]),
            (json!({"valid": true, "score": {"$float": "NaN"}}), true, 0.0, vec![]),
            (json!({"score": 0.9}), false, 0.9, vec![]),
            (json!({}), false, 0.0, vec![]),
            (json!("name is missing"), false, 0.0, vec![rejected]),
            (json!(" \n"), false, 0.0, vec![rejected]),
            (json!([]), true, 1.0, vec![]),
            (json!(null), false, 0.0, vec![rejected]),
        ] {
            let settled = settle(read(&answer, 1.0), None);
            assert_eq!(settled.valid, valid, "{answer}");
            assert!((settled.score - score).abs() < 1e-12, "{answer}");
            let errors = &settled.judged.errors;
            let found: Vec<&Value> = errors.iter().map(|error| &error["code"]).collect();
            assert_eq!(found, codes, "{answer}");
        }
    }

    #[test]
    fn an_object_is_read_whole() {
        let judged = read(
            &json!({"pass": "no", "score": 40, "errors": ["a", {"message": "b"}],
                "suggestions": "do x", "feedback": "short", "line": 3}),
            100.0,
        );
        assert_eq!(judged.errors, [json!({"message": "a"}), json!({"message": "b"})]);
        assert_eq!((judged.verdict, judged.score), (Some(false), Some(0.4)));
        assert_eq!(judged.suggestions, [json!("do x")]);
        assert_eq!(judged.feedback, "short");
        assert_eq!(judged.details, Some(json!({"line": 3})));
        let list = read(&json!(["first"]), 1.0);
        assert_eq!(list.errors, [json!({"message": "first"})]);
        let text = settle(read(&json!("too short"), 1.0), None);
        assert_eq!(text.judged.errors[0]["message"], "too short");
        // Warnings stay with a pass.
        assert_eq!(read(&json!({"valid": true, "errors": "w"}), 1.0).errors.len(), 1);
    }
}
