//! What a corrector's answer does to the next round.

use serde_json::{Map, Value};

use super::verdict::Warning;

/// How an answer is taken that does not say it itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CorrectorMode {
    /// It is put into the state, and the generator is called.
    Regenerate,
    /// It is the next candidate.
    Replace,
    /// A function's: it is the next candidate, unless the function returned nothing.
    Returned,
}

/// A corrector's answer, read.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_field_names, reason = "`correction` is what the state calls it")]
pub(crate) struct Correction {
    /// Evaluated in the next round in place of what the generator would make; still to be parsed.
    pub(crate) candidate: Option<Value>,
    /// Merged over the state.
    pub(crate) context: Map<String, Value>,
    /// The value for `reflection_correction`.
    pub(crate) correction: Option<Value>,
    /// What the corrector says about the attempt, kept on its entry: `reflection`,
    /// `insights`, `failure_category`, `confidence`, as given.
    pub(crate) remarks: Map<String, Value>,
    /// `usage` of the answer.
    pub(crate) usage: Option<Value>,
    pub(crate) warnings: Vec<Warning>,
}

/// Keys that may stand beside `candidate` and `context`.
const REMARKS: [&str; 4] = ["reflection", "insights", "failure_category", "confidence"];

/// Reads an answer (docs/spec/loop.md, 11).
pub(crate) fn classify(answer: Value, mode: CorrectorMode) -> Correction {
    let mut correction = Correction::default();
    match answer {
        Value::Object(mut members) if is_said(&members) => {
            correction.candidate = members.shift_remove("candidate");
            if let Some(Value::Object(context)) = members.shift_remove("context") {
                correction.context = context;
            }
            correction.usage = members.shift_remove("usage");
            correction.remarks = members;
        }
        Value::Object(mut members) if members.contains_key("corrected_output") => {
            correction.candidate = members.shift_remove("corrected_output");
            correction.usage = members.shift_remove("usage");
            correction.remarks =
                members.into_iter().filter(|(key, _)| REMARKS.contains(&key.as_str())).collect();
        }
        answer if mode == CorrectorMode::Replace => correction.candidate = Some(answer),
        answer if mode == CorrectorMode::Returned && !answer.is_null() => {
            correction.candidate = Some(answer);
        }
        Value::Object(members) => correction.context = members,
        answer => {
            correction.correction = Some(answer);
            let message =
                "The correction is not an object. It is passed on as `reflection_correction`.";
            correction.warnings.push(Warning::new("correction_not_merged", message));
        }
    }
    correction
}

/// Whether an object says itself what is candidate and what context, and nothing else.
fn is_said(members: &Map<String, Value>) -> bool {
    let has_one = members.contains_key("candidate") || members.contains_key("context");
    has_one
        && members.iter().all(|(key, value)| match key.as_str() {
            "candidate" | "usage" => true,
            "context" => value.is_object(),
            key => REMARKS.contains(&key),
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(answer: Value, mode: CorrectorMode) -> (Option<Value>, Value, Option<Value>) {
        let read = classify(answer, mode);
        (read.candidate, Value::Object(read.context), read.correction)
    }

    #[test]
    fn the_first_match_decides() {
        use CorrectorMode::{Regenerate, Replace, Returned};
        for (answer, mode, candidate, context, correction) in [
            (json!({"candidate": null}), Regenerate, Some(json!(null)), json!({}), None),
            (json!({"context": {"a": 1}}), Replace, None, json!({"a": 1}), None),
            (
                json!({"candidate": 1, "context": {}, "reflection": "r", "usage": {}}),
                Regenerate,
                Some(json!(1)),
                json!({}),
                None,
            ),
            // A context that is no object, or a foreign key: the object is not of this form.
            (json!({"context": 5}), Regenerate, None, json!({"context": 5}), None),
            (
                json!({"candidate": 1, "name": "n"}),
                Replace,
                Some(json!({"candidate": 1, "name": "n"})),
                json!({}),
                None,
            ),
            (json!({"corrected_output": 5, "x": 1}), Regenerate, Some(json!(5)), json!({}), None),
            (json!({"a": 1}), Replace, Some(json!({"a": 1})), json!({}), None),
            (json!({"a": 1}), Regenerate, None, json!({"a": 1}), None),
            (json!("text"), Replace, Some(json!("text")), json!({}), None),
            (json!({"a": 1}), Returned, Some(json!({"a": 1})), json!({}), None),
            (json!("text"), Returned, Some(json!("text")), json!({}), None),
            (json!({"context": {"a": 1}}), Returned, None, json!({"a": 1}), None),
            (json!(null), Returned, None, json!({}), Some(json!(null))),
            (json!("text"), Regenerate, None, json!({}), Some(json!("text"))),
            (json!(null), Regenerate, None, json!({}), Some(json!(null))),
            (json!({"reflection": "r"}), Regenerate, None, json!({"reflection": "r"}), None),
        ] {
            assert_eq!(read(answer.clone(), mode), (candidate, context, correction), "{answer}");
        }
    }

    #[test]
    fn remarks_and_usage_are_kept_apart() {
        let answer = json!({"candidate": 1, "insights": ["i"], "usage": {"cost": 1},
            "confidence": 0.5});
        let read = classify(answer, CorrectorMode::Replace);
        assert_eq!(Value::Object(read.remarks), json!({"insights": ["i"], "confidence": 0.5}));
        assert_eq!(read.usage, Some(json!({"cost": 1})));
        let warnings = classify(json!(5), CorrectorMode::Regenerate).warnings;
        assert_eq!(warnings[0].code, "correction_not_merged");
    }
}
