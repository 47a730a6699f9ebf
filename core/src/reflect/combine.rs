//! One verdict of several evaluators.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::verdict::{Settled, Warning, item, too_low};

/// How verdicts and scores become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Combine {
    /// All pass; the lowest score.
    #[default]
    All,
    /// One passes; the highest score.
    Any,
    /// Up to the first that fails.
    First,
    /// The weighted mean suffices, and all that are required pass.
    Weighted,
}

/// What the configuration says of one evaluator among others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    /// Its `name`, else its `type`; with a number where two are equal.
    pub(crate) name: String,
    /// `schema`, `llm` or `custom`.
    pub(crate) kind: Cow<'static, str>,
    /// Above 0.
    pub(crate) weight: f64,
    pub(crate) is_required: bool,
    /// `on_fail: warn`: no part in verdict and score, its errors are warnings.
    pub(crate) is_advisory: bool,
}

/// Verdicts so far. It is part of a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Combining {
    how: Combine,
    pass_score: Option<f64>,
    /// There is more than one evaluator: errors and suggestions say whose they are.
    is_many: bool,
    judged: Vec<Row>,
}

/// One evaluator's part in the verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    part: Part,
    settled: Settled,
}

/// The verdict on an attempt.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Combined {
    /// Accepted: the verdict passes, and the score suffices.
    pub(crate) valid: bool,
    pub(crate) score: f64,
    pub(crate) errors: Vec<Value>,
    pub(crate) suggestions: Vec<Value>,
    pub(crate) feedback: String,
    pub(crate) details: Option<Value>,
    pub(crate) warnings: Vec<Warning>,
    /// Kind `evaluator` in place of `evaluation`.
    pub(crate) has_crashed: bool,
    /// `{name, type, valid, score, errors}` of each that ran; only if there are several.
    pub(crate) rows: Vec<Value>,
}

/// Weighted score that passes where there is no `pass_score`.
const WEIGHTED_PASS: f64 = 0.5;

impl Combining {
    pub(crate) fn new(how: Combine, pass_score: Option<f64>, is_many: bool) -> Self {
        Self { how, pass_score, is_many, judged: Vec::new() }
    }

    /// Takes the verdict of the next evaluator. Whether the one after it is to be asked.
    pub(crate) fn add(&mut self, part: &Part, settled: Settled) -> bool {
        let goes_on = self.how != Combine::First || settled.valid || part.is_advisory;
        self.judged.push(Row { part: part.clone(), settled });
        goes_on
    }

    /// The verdict of all that ran.
    pub(crate) fn finish(self) -> Combined {
        let counted = || self.judged.iter().filter(|row| !row.part.is_advisory);
        let score = self.score(|row| row.settled.score);
        // A score out of range reaches nothing, whatever it was clamped to.
        let reached = self.score(|row| match row.settled.judged.out_of_range {
            Some(_) => f64::NEG_INFINITY,
            None => row.settled.score,
        });
        let passes = match self.how {
            // If every evaluator is advisory, none refuses.
            Combine::All | Combine::First => counted().all(|row| row.settled.valid),
            Combine::Any => counted().next().is_none() || counted().any(|row| row.settled.valid),
            Combine::Weighted => {
                let required = counted().all(|row| row.settled.valid || !row.part.is_required);
                required && reached >= self.pass_score.unwrap_or(WEIGHTED_PASS)
            }
        };
        let valid = passes && self.pass_score.is_none_or(|least| reached >= least);
        let out_of_range = counted().find_map(|row| row.settled.judged.out_of_range.clone());
        let has_crashed = counted().any(|row| row.settled.judged.has_crashed)
            && !(self.how == Combine::Any && counted().any(|row| row.settled.valid));
        let is_refused_by_score = passes && !valid;
        let mut combined = Combined { valid, score, has_crashed, ..Combined::default() };
        let mut feedback: Vec<String> = Vec::new();
        let mut details = Map::new();
        for Row { part: Part { name, kind, is_advisory, .. }, settled } in self.judged {
            let Settled { valid, score, judged } = settled;
            let own = |items: Vec<Value>| {
                items.into_iter().map(|item| if self.is_many { signed(item, &name) } else { item })
            };
            if self.is_many {
                combined.rows.push(json!({
                    "name": name, "type": kind, "valid": valid, "score": score,
                    "errors": judged.errors,
                }));
            }
            if is_advisory {
                let texts = judged.errors.iter().map(|error| {
                    let message = error.get("message").and_then(Value::as_str);
                    message.map_or_else(|| error.to_string(), str::to_owned)
                });
                let warnings =
                    texts.map(|text| Warning::new("evaluator_warning", format!("{name}: {text}")));
                combined.warnings.extend(warnings);
            } else {
                combined.errors.extend(own(judged.errors));
                let is_low = judged.out_of_range.is_some()
                    || self.pass_score.is_some_and(|least| score < least);
                if is_refused_by_score && is_low && valid {
                    combined.errors.extend(own(judged.refusal));
                }
            }
            combined.suggestions.extend(own(judged.suggestions));
            if !judged.feedback.is_empty() {
                feedback.push(judged.feedback);
            }
            match judged.details {
                Some(of_it) if self.is_many => {
                    details.insert(name, of_it);
                }
                of_it => combined.details = combined.details.or(of_it),
            }
            combined.warnings.extend(judged.warnings);
        }
        if !details.is_empty() {
            combined.details = Some(Value::Object(details));
        }
        let refusal = match (out_of_range, self.pass_score) {
            (Some(why), _) if !valid => Some(why),
            (None, Some(least)) if is_refused_by_score => Some(too_low(score, least)),
            _ => None,
        };
        if combined.errors.is_empty() {
            combined.errors.extend(refusal.map(|message| item("judge_rejected", message)));
        }
        combined.feedback = feedback.join("\n");
        combined
    }

    /// The score of all, where `of` is that of one.
    fn score(&self, of: impl Fn(&Row) -> f64) -> f64 {
        let counted = || self.judged.iter().filter(|row| !row.part.is_advisory);
        let scores = || counted().map(&of);
        let lowest = || scores().fold(1.0, f64::min);
        match self.how {
            Combine::All => lowest(),
            Combine::Any => scores().reduce(f64::max).unwrap_or(1.0),
            Combine::First => {
                let failed = counted().find(|row| !row.settled.valid);
                failed.map_or_else(lowest, &of)
            }
            Combine::Weighted => {
                // Divided by the largest first: sums of very large weights stay finite.
                let largest = counted().map(|row| row.part.weight).fold(0.0, f64::max);
                let part = |row: &Row| row.part.weight / largest;
                let weights: f64 = counted().map(part).sum();
                // A part that rounding made 0, times a score that is minus infinity, would be NaN.
                let heard = counted().filter(|row| part(row) > 0.0);
                let sum: f64 = heard.map(|row| part(row) * of(row)).sum();
                if weights > 0.0 { (sum / weights).min(1.0) } else { 1.0 }
            }
        }
    }
}

/// An item with the name of its evaluator. Texts become items.
fn signed(item: Value, evaluator: &str) -> Value {
    let mut members = match item {
        Value::Object(members) => members,
        other => Map::from_iter([("message".to_owned(), other)]),
    };
    members.insert("evaluator".to_owned(), evaluator.into());
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use super::super::verdict::{Judged, crashed, settle};
    use super::*;

    fn part(name: &str) -> Part {
        let name = name.to_owned();
        Part { name, kind: "custom".into(), weight: 1.0, is_required: false, is_advisory: false }
    }

    fn settled(valid: bool, score: f64) -> Settled {
        settle(
            Judged {
                verdict: Some(valid),
                score: Some(score),
                refusal: vec![item("custom_rejected", "no")],
                ..Judged::default()
            },
            None,
        )
    }

    fn combined(how: Combine, pass_score: Option<f64>, rows: &[(bool, f64)]) -> (bool, f64, usize) {
        let mut combining = Combining::new(how, pass_score, rows.len() > 1);
        let mut ran = 0;
        for (valid, score) in rows {
            ran += 1;
            if !combining.add(&part("e"), settled(*valid, *score)) {
                break;
            }
        }
        let combined = combining.finish();
        (combined.valid, combined.score, ran)
    }

    #[test]
    fn every_row_of_the_table() {
        use Combine::{All, Any, First, Weighted};
        for (how, pass_score, rows, expected) in [
            (All, None, vec![(true, 0.9), (true, 0.4)], (true, 0.4, 2)),
            (All, None, vec![(true, 0.9), (false, 0.4), (true, 1.0)], (false, 0.4, 3)),
            (All, Some(0.5), vec![(true, 0.9), (true, 0.4)], (false, 0.4, 2)),
            (Any, None, vec![(false, 0.1), (true, 0.4)], (true, 0.4, 2)),
            (Any, None, vec![(false, 0.1), (false, 0.0)], (false, 0.1, 2)),
            (Any, Some(0.5), vec![(true, 0.4)], (false, 0.4, 1)),
            (First, None, vec![(true, 0.9), (false, 0.5), (true, 0.1)], (false, 0.5, 2)),
            (First, None, vec![(true, 0.9), (true, 0.5)], (true, 0.5, 2)),
            (Weighted, None, vec![(true, 1.0), (false, 0.0)], (true, 0.5, 2)),
            (Weighted, Some(0.6), vec![(true, 1.0), (false, 0.0)], (false, 0.5, 2)),
            (All, None, vec![(true, 1.0)], (true, 1.0, 1)),
        ] {
            assert_eq!(combined(how, pass_score, &rows), expected, "{how:?} {rows:?}");
        }
    }

    #[test]
    fn weights_and_required_count() {
        let mut combining = Combining::new(Combine::Weighted, None, true);
        combining.add(&Part { weight: 1e308, ..part("a") }, settled(true, 0.9));
        combining.add(&Part { weight: 1e308, is_required: true, ..part("b") }, settled(false, 0.7));
        let combined = combining.finish();
        assert!((combined.score - 0.8).abs() < 1e-12);
        assert!(!combined.valid);
    }

    #[test]
    fn one_that_only_advises_takes_no_part() {
        let mut combining = Combining::new(Combine::First, None, true);
        assert!(combining.add(&Part { is_advisory: true, ..part("a") }, settled(false, 0.0)));
        combining.add(&part("b"), settled(true, 0.8));
        let combined = combining.finish();
        assert!(combined.valid && combined.errors.is_empty());
        assert!((combined.score - 0.8).abs() < 1e-12);
        assert_eq!(combined.warnings[0].code, "evaluator_warning");
        assert_eq!(combined.rows.len(), 2);
        assert_eq!(combined.rows[0]["valid"], false);
    }

    #[test]
    fn crashes_count_unless_another_passes_under_any() {
        for (how, other, expected) in [
            (Combine::All, true, true),
            (Combine::Weighted, true, true),
            (Combine::Any, true, false),
            (Combine::Any, false, true),
        ] {
            let mut combining = Combining::new(how, None, true);
            combining.add(&part("a"), settle(crashed("evaluator_failed", "down"), None));
            combining.add(&part("b"), settled(other, 0.5));
            assert_eq!(combining.finish().has_crashed, expected, "{how:?} {other}");
        }
    }

    #[test]
    fn errors_say_whose_they_are_if_there_are_several() {
        let mut combining = Combining::new(Combine::All, None, true);
        combining.add(&part("a"), settled(false, 0.0));
        let stored = serde_json::to_string(&combining).expect("JSON");
        let mut combining: Combining = serde_json::from_str(&stored).expect("a snapshot");
        combining.add(&part("b"), settled(false, 0.0));
        let combined = combining.finish();
        let whose: Vec<&Value> = combined.errors.iter().map(|e| &e["evaluator"]).collect();
        assert_eq!(whose, ["a", "b"]);
        let mut single = Combining::new(Combine::All, None, false);
        single.add(&part("a"), settled(false, 0.0));
        let single = single.finish();
        assert_eq!(single.errors, [item("custom_rejected", "no")]);
        assert!(single.rows.is_empty());
    }

    #[test]
    fn a_score_out_of_range_passes_nothing() {
        use Combine::{All, Any, First, Weighted};
        for (how, pass_score, other, expected) in [
            (All, Some(0.8), 0.9, false),
            (First, Some(0.0), 0.9, false),
            (Weighted, None, 0.9, false),
            (Any, Some(0.8), 0.7, false),
            (Any, Some(0.8), 0.9, true),
            // The verdict is the evaluator's own, and no score is asked for.
            (All, None, 0.9, true),
        ] {
            let mut clamped = Judged { verdict: Some(true), ..Judged::default() };
            clamped.take_score(&json!(40), 1.0);
            let mut combining = Combining::new(how, pass_score, true);
            combining.add(&part("a"), settle(clamped, pass_score));
            combining.add(&part("b"), settled(true, other));
            // A snapshot between the verdicts changes nothing.
            let stored = serde_json::to_string(&combining).expect("JSON");
            let combining: Combining = serde_json::from_str(&stored).expect("a snapshot");
            let combined = combining.finish();
            assert_eq!(combined.valid, expected, "{how:?} {pass_score:?} {other}");
            assert_eq!(combined.warnings[0].code, "score_clamped");
        }
        // A weight that is 0 beside a much larger one makes no number of it.
        let mut clamped = Judged { verdict: Some(true), ..Judged::default() };
        clamped.take_score(&json!(40), 1.0);
        let mut combining = Combining::new(Weighted, None, true);
        combining.add(&Part { weight: 1e-300, ..part("a") }, settle(clamped, None));
        combining.add(&Part { weight: 1e300, ..part("b") }, settled(true, 0.1));
        assert!(!combining.finish().valid);
    }

    #[test]
    fn a_score_that_does_not_suffice_is_reported() {
        let mut combining = Combining::new(Combine::All, Some(0.8), false);
        combining.add(&part("a"), settled(true, 0.6));
        assert_eq!(combining.finish().errors, [item("custom_rejected", "no")]);
        let mut silent = Combining::new(Combine::All, Some(0.8), false);
        let judged = Judged { verdict: Some(true), score: Some(0.6), ..Judged::default() };
        silent.add(&part("a"), settle(judged, None));
        let message = silent.finish().errors[0]["message"].as_str().expect("text").to_owned();
        assert!(message.contains("0.6") && message.contains("0.8"), "{message}");
    }
}
