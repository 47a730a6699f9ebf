//! What any evaluator's answer becomes before the loop's own rules are applied, and after.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::coerce::Coercion;
use super::numbers;

/// Something that is worth reporting and stops nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Warning {
    /// Stable code.
    pub(crate) code: Cow<'static, str>,
    /// What it is about, as a sentence.
    pub(crate) message: String,
}

impl Warning {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }
}

/// An evaluator's answer, read. Snapshots do not keep what it is settled by.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Judged {
    /// Its verdict; without one the score decides (docs/spec/loop.md, 6).
    #[serde(skip)]
    pub(crate) verdict: Option<bool>,
    /// The whole answer was a number: 0.5 passes where there is no `pass_score`.
    #[serde(skip)]
    pub(crate) is_bare_number: bool,
    /// From 0 to 1, as given; without one it follows from the verdict.
    #[serde(skip)]
    pub(crate) score: Option<f64>,
    /// If the given score is out of range: a sentence that says so. Such a score decides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) out_of_range: Option<String>,
    /// Errors, whatever the verdict.
    pub(crate) errors: Vec<Value>,
    /// Errors only if it does not pass, or its score does not suffice.
    pub(crate) refusal: Vec<Value>,
    /// What an answer without a verdict lacks, reported if it fails and has no error of its own.
    #[serde(skip)]
    pub(crate) code: Option<Code>,
    /// What to try.
    pub(crate) suggestions: Vec<Value>,
    /// Reason or feedback, in the evaluator's words.
    pub(crate) feedback: String,
    /// Other keys of the answer.
    pub(crate) details: Option<Value>,
    pub(crate) warnings: Vec<Warning>,
    /// The evaluator could not do its work: score 0, kind `evaluator`.
    pub(crate) has_crashed: bool,
    /// The output with its texts coerced, by a schema evaluator.
    pub(crate) output: Option<Value>,
    pub(crate) coercions: Vec<Coercion>,
}

/// The code under which a failing answer without errors is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// `custom_rejected`, with score and threshold.
    Custom,
    /// `verdict_missing`.
    VerdictMissing,
}

/// An answer with a verdict and a score, whatever it lacked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settled {
    /// The evaluator's own verdict. Whether the score suffices, too, is decided over all of them
    /// (`combine.rs`).
    pub(crate) valid: bool,
    /// From 0 to 1.
    pub(crate) score: f64,
    /// With all errors of an answer that does not pass; `refusal` has those for a pass whose score does
    /// not suffice. Its own verdict and score are read to make this, and not afterwards.
    #[serde(flatten)]
    pub(crate) judged: Judged,
}

/// Score that a bare number must have where there is no `pass_score`.
const BARE_PASS: f64 = 0.5;

/// The verdict of an answer (docs/spec/loop.md, 6): the score decides where there is no
/// verdict, the verdict where there is no score.
pub(crate) fn settle(mut judged: Judged, pass_score: Option<f64>) -> Settled {
    let threshold = pass_score.or_else(|| judged.is_bare_number.then_some(BARE_PASS));
    let valid = judged.verdict.unwrap_or_else(|| {
        // Without a verdict and without a score there is nothing that could pass.
        judged.out_of_range.is_none()
            && judged.score.zip(threshold).is_some_and(|(score, threshold)| score >= threshold)
    });
    let score = judged.score.unwrap_or(if valid { 1.0 } else { 0.0 });
    if !valid {
        if judged.errors.is_empty() && judged.verdict.is_none() {
            judged.errors.extend(judged.code.map(|code| match &judged.out_of_range {
                Some(why) => item(code.as_str(), why.as_str()),
                None => code.item(score, threshold),
            }));
        }
        judged.errors.append(&mut judged.refusal);
    }
    Settled { valid, score, judged }
}

impl Code {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Custom => "custom_rejected",
            Self::VerdictMissing => "verdict_missing",
        }
    }

    fn item(self, score: f64, threshold: Option<f64>) -> Value {
        let message = match (self, threshold) {
            (Self::VerdictMissing, _) => "The answer has neither `valid` nor `pass`.".to_owned(),
            (Self::Custom, Some(threshold)) => too_low(score, threshold),
            (Self::Custom, None) => "The answer is not a verdict.".to_owned(),
        };
        item(self.as_str(), message)
    }
}

/// A score that does not suffice, as a sentence.
pub(crate) fn too_low(score: f64, threshold: f64) -> String {
    format!("The score {score} is below {threshold}.")
}

/// A score out of range, as a sentence.
fn beyond(given: f64, scale: f64) -> String {
    let [given, scale] = [given, scale].map(super::number::text);
    format!(
        "The score {given} is not from 0 to {scale}, so it does not count towards a pass. Give a score \
         from 0 to {scale}, or set the score scale (`score_scale`, in JavaScript `scoreScale`) to the highest possible \
         score (100 for percent)."
    )
}

/// How far beyond 0 and 1 a score may be because of rounding.
const ROUNDING: f64 = 1e-9;

impl Judged {
    /// Takes a score as an evaluator gives it: a number, a boolean, or a text that is a number;
    /// anything else is none. A number is divided by `scale`. One beyond 0 and 1 is clamped, and one
    /// that is not finite counts as 0, each with a warning. JSON has no such number: hosts write it as
    /// `{"$float": "NaN"}`.
    pub(crate) fn take_score(&mut self, given: &Value, scale: f64) {
        let number = match given {
            Value::Number(number) => number.as_f64(),
            Value::Bool(is_true) => {
                self.score = Some(if *is_true { 1.0 } else { 0.0 });
                return;
            }
            Value::String(text) => numbers::number(text).and_then(|number| number.as_f64()),
            Value::Object(_) if is_not_finite(given) => Some(f64::NAN),
            Value::Object(_) | Value::Array(_) | Value::Null => None,
        };
        let Some(number) = number else { return };
        let scaled = number / scale;
        if !scaled.is_finite() {
            let message = "A score that is not finite counts as 0.";
            self.warnings.push(Warning::new("score_not_finite", message));
            self.score = Some(0.0);
            return;
        }
        self.score = Some(scaled.clamp(0.0, 1.0));
        if !(-ROUNDING..=1.0 + ROUNDING).contains(&scaled) {
            let why = beyond(number, scale);
            self.warnings.push(Warning::new("score_clamped", why.clone()));
            self.out_of_range = Some(why);
        }
    }
}

/// Whether a value stands for a number that JSON cannot write.
pub(crate) fn is_not_finite(value: &Value) -> bool {
    value.as_object().is_some_and(|members| {
        let word = members.get("$float").and_then(Value::as_str);
        members.len() == 1 && matches!(word, Some("NaN" | "Infinity" | "-Infinity"))
    })
}

/// The verdict of an object: `valid`, else `pass`. A boolean, 1 or 0, or one of the texts true,
/// false, yes, no; anything else fails. Without either key there is none.
pub(crate) fn verdict(members: &Map<String, Value>) -> Option<bool> {
    let given = members.get("valid").or_else(|| members.get("pass"))?;
    Some(match given {
        Value::Bool(passes) => *passes,
        Value::Number(number) => number.as_f64() == Some(1.0),
        Value::String(text) => {
            ["true", "yes"].iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
        }
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    })
}

/// `reason`, else `feedback`, if it is text.
pub(crate) fn reason(members: &Map<String, Value>) -> Option<&str> {
    ["reason", "feedback"].iter().find_map(|key| members.get(*key)?.as_str())
}

/// An answer of a host that could not ask the evaluator: score 0, `evaluator_failed` (or another
/// code), kind `evaluator`.
pub(crate) fn crashed(code: &str, message: impl Into<String>) -> Judged {
    Judged {
        verdict: Some(false),
        errors: vec![item(code, message)],
        has_crashed: true,
        ..Judged::default()
    }
}

/// An error item.
pub(crate) fn item(code: &str, message: impl Into<String>) -> Value {
    json!({"message": message.into(), "code": code})
}

/// Errors as a host or a model gives them: a list as it is, its texts wrapped as `{message}`; a
/// text is one; null and what cannot be an error are none.
pub(crate) fn errors(given: &Value) -> Vec<Value> {
    let wrapped = |text: &str| json!({ "message": text });
    match given {
        Value::Array(items) => {
            items.iter().map(|item| item.as_str().map_or_else(|| item.clone(), wrapped)).collect()
        }
        Value::String(text) => vec![wrapped(text)],
        Value::Object(_) => vec![given.clone()],
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// Suggestions: a list as it is, a text as a list of one, else none.
pub(crate) fn suggestions(given: &Value) -> Vec<Value> {
    match given {
        Value::Array(items) => items.clone(),
        Value::String(_) => vec![given.clone()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(judged: Judged, pass_score: Option<f64>) -> (bool, f64) {
        let settled = settle(judged, pass_score);
        (settled.valid, settled.score)
    }

    #[test]
    fn scores_are_numbers_from_0_to_1() {
        const CLAMPED: Option<&str> = Some("score_clamped");
        const NOT_FINITE: Option<&str> = Some("score_not_finite");
        for (given, scale, expected, warning) in [
            (json!(0.5), 1.0, Some(0.5), None),
            (json!(7), 1.0, Some(1.0), CLAMPED),
            (json!(-3), 1.0, Some(0.0), CLAMPED),
            (json!("12"), 1.0, Some(1.0), CLAMPED),
            (json!(120), 100.0, Some(1.0), CLAMPED),
            (json!(1.000_000_000_000_000_2), 1.0, Some(1.0), None),
            (json!(85), 100.0, Some(0.85), None),
            (json!(true), 100.0, Some(1.0), None),
            (json!(false), 1.0, Some(0.0), None),
            (json!(" 0.8 "), 1.0, Some(0.8), None),
            (json!("high"), 1.0, None, None),
            (json!("NaN"), 1.0, None, None),
            (json!(null), 1.0, None, None),
            (json!([1]), 1.0, None, None),
            (json!({"$float": "NaN"}), 1.0, Some(0.0), NOT_FINITE),
            (json!({"$float": "Infinity"}), 1.0, Some(0.0), NOT_FINITE),
            (json!(1e300), 1e-300, Some(0.0), NOT_FINITE),
        ] {
            let mut judged = Judged::default();
            judged.take_score(&given, scale);
            assert_eq!(judged.score, expected, "{given}");
            let codes: Vec<&str> = judged.warnings.iter().map(|one| &*one.code).collect();
            assert_eq!(codes, Vec::from_iter(warning), "{given}");
            assert_eq!(judged.out_of_range.is_some(), warning == CLAMPED, "{given}");
        }
    }

    #[test]
    fn a_score_out_of_range_decides_nothing() {
        for (given, scale, pass_score, expected) in [
            (40.0, 1.0, None, "The score 40 is not from 0 to 1,"),
            (12.0, 1.0, Some(0.8), "The score 12 is not from 0 to 1,"),
            (-3.0, 1.0, Some(0.0), "The score -3 is not from 0 to 1,"),
            (120.0, 100.0, None, "The score 120 is not from 0 to 100,"),
        ] {
            let mut judged =
                Judged { is_bare_number: true, code: Some(Code::Custom), ..Judged::default() };
            judged.take_score(&json!(given), scale);
            let settled = settle(judged, pass_score);
            assert!(!settled.valid, "{given}");
            let message = settled.judged.errors[0]["message"].as_str().expect("text");
            assert!(message.starts_with(expected) && message.contains("score_scale"), "{message}");
        }
    }

    #[test]
    fn a_verdict_is_valid_or_pass() {
        for (given, expected) in [
            (json!({"valid": true, "pass": false}), Some(true)),
            (json!({"pass": " YES "}), Some(true)),
            (json!({"valid": 1}), Some(true)),
            (json!({"valid": 1.0}), Some(true)),
            (json!({"valid": 0}), Some(false)),
            (json!({"valid": 2}), Some(false)),
            (json!({"valid": "false"}), Some(false)),
            (json!({"valid": "maybe"}), Some(false)),
            (json!({"valid": null, "pass": true}), Some(false)),
            (json!({"valid": [true]}), Some(false)),
            (json!({"ok": true}), None),
        ] {
            assert_eq!(verdict(given.as_object().expect("an object")), expected, "{given}");
        }
    }

    #[test]
    fn the_score_decides_only_where_there_is_no_verdict() {
        let with = |verdict, score, is_bare_number| Judged {
            verdict,
            is_bare_number,
            score,
            ..Judged::default()
        };
        for (judged, pass_score, expected) in [
            (with(Some(true), None, false), None, (true, 1.0)),
            (with(Some(false), None, false), Some(0.0), (false, 0.0)),
            (with(Some(false), Some(1.0), false), Some(0.5), (false, 1.0)),
            (with(Some(true), Some(0.1), false), Some(0.5), (true, 0.1)),
            (with(None, Some(0.5), true), None, (true, 0.5)),
            (with(None, Some(0.49), true), None, (false, 0.49)),
            (with(None, Some(0.5), true), Some(0.6), (false, 0.5)),
            (with(None, Some(0.9), false), None, (false, 0.9)),
            (with(None, Some(0.9), false), Some(0.9), (true, 0.9)),
            (with(None, None, false), Some(0.0), (false, 0.0)),
        ] {
            assert_eq!(settled(judged.clone(), pass_score), expected, "{judged:?}");
        }
    }

    #[test]
    fn a_failure_by_score_names_what_it_lacks() {
        let judged = Judged {
            score: Some(0.4),
            is_bare_number: true,
            code: Some(Code::Custom),
            ..Judged::default()
        };
        let errors = settle(judged.clone(), None).judged.errors;
        assert_eq!(errors[0]["code"], "custom_rejected");
        let message = errors[0]["message"].as_str().expect("text");
        assert!(message.contains("0.4") && message.contains("0.5"), "{message}");
        assert!(settle(judged, Some(0.4)).judged.errors.is_empty());
    }

    #[test]
    fn errors_are_items_as_far_as_they_can_be() {
        for (given, expected) in [
            (
                json!(["a", {"message": "b", "x": 1}]),
                json!([{"message": "a"}, {"message": "b", "x": 1}]),
            ),
            (json!("bad"), json!([{"message": "bad"}])),
            (json!({"message": "m"}), json!([{"message": "m"}])),
            (json!(null), json!([])),
            (json!(5), json!([])),
        ] {
            assert_eq!(Value::Array(errors(&given)), expected);
        }
        assert_eq!(suggestions(&json!("do x")), [json!("do x")]);
        assert!(suggestions(&json!(null)).is_empty());
    }
}
