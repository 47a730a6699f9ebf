//! `best-output`: what a tracker of the best output keeps.

use serde_json::Value;

use super::declared::{Settings, Summary};
use super::measured::{self, SCORE};
use super::parsed_record::{Context, ParsedRecord};
use super::read::{self, Member as _};
use super::rest::others;
use super::traits::Traits;
use super::{Format, Reading};
use crate::model::details::{Counter, Details};
use crate::model::finding::{Finding, Severity};
use crate::model::reward::rounded;
use crate::model::run_details::{Declared, RunDetails};

pub(crate) const FORMAT: Format = Format {
    id: "best-output",
    title: "Best-output tracking",
    gives: "iterations with quality scores, their dimensions and the selected best",
    known_by: "`best_iteration_number` and `iterations` with `dimensions`, or `config.quality_weights`",
    found_at: "best-output-tracking.json",
    fits,
    traits: Traits { marks: &["best_iteration_number", "iterations"], rank: 7, ..Traits::USUAL },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    let has_parts = value.items("iterations").any(|item| item.object("dimensions").is_some());
    let weights = value.object("config").and_then(|config| config.object("quality_weights"));
    (value.has("best_iteration_number") && has_parts) || weights.is_some()
}

/// Members that have a place; the settings are kept as text, too.
const KNOWN: [&str; 4] = ["loop_id", "iterations", "best_iteration_number", "last_updated"];

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let items: Vec<&Value> = value.items("iterations").collect();
    let steps: Vec<Details> =
        items.iter().enumerate().map(|(at, item)| measured::step(item, at == 0)).collect();
    let best = value.integer("best_iteration_number");
    let about = RunDetails {
        key: value.text("loop_id"),
        updated: value.text("last_updated"),
        declared: best.map(|best| Declared { best: Some(best), ..Declared::default() }),
        texts: others(value, &KNOWN).collect(),
        ..RunDetails::default()
    };
    let findings = judge(value, &items, &steps);
    ParsedRecord { findings, ..ParsedRecord::of(about, steps) }
}

fn judge(value: &Value, items: &[&Value], steps: &[Details]) -> Vec<Finding> {
    let config = value.object("config");
    let selection = config.and_then(|config| config.object("selection"));
    let settings = selection.map_or_else(Settings::default, Settings::of_tracker);
    let weights = Weights::of(config.and_then(|config| config.object("quality_weights")));
    let pointer = |at: usize| format!("/iterations/{at}/{SCORE}");
    let scores = items.iter().enumerate();
    let mut findings =
        measured::judge(scores.filter_map(|(at, i)| Some((pointer(at), i.get(SCORE)?))));
    for (at, (item, step)) in items.iter().zip(steps).enumerate() {
        findings.extend(formula(item, step, &weights).map(|f| f.pointer(pointer(at))));
    }
    findings.extend(Summary::new(value, steps, settings).best("best_iteration_number"));
    findings
}

/// The weight of each part of the score.
struct Weights(Vec<(String, f64)>);

/// Weights of a file that says none.
const USUAL: [(&str, f64); 5] = [
    ("validation", 0.30),
    ("completeness", 0.25),
    ("correctness", 0.25),
    ("readability", 0.10),
    ("efficiency", 0.10),
];

impl Weights {
    fn of(stated: Option<&Value>) -> Self {
        let weights: Vec<_> = read::counters(stated).map(|part| (part.name, part.value)).collect();
        let usual = || USUAL.map(|(name, weight)| (name.to_owned(), weight)).to_vec();
        Self(if weights.is_empty() { usual() } else { weights })
    }

    /// Nothing if a part is missing.
    fn sum(&self, step: &Details) -> Option<f64> {
        let part =
            |(name, weight): &(String, f64)| Some(weight * Counter::find(&step.breakdown, name)?);
        let parts: Option<Vec<f64>> = self.0.iter().map(part).collect();
        Some(parts?.iter().sum())
    }
}

/// `best/formula`.
fn formula(item: &Value, step: &Details, weights: &Weights) -> Option<Finding> {
    let stored = item.number(SCORE)?;
    let ours = rounded(100.0 * weights.sum(step)?).round();
    #[expect(clippy::float_cmp, reason = "the writer rounds, so both are integers or differ")]
    let differs = stored != ours;
    differs.then(|| {
        Finding::new(
            "best/formula",
            Severity::Warning,
            format!("The weighted dimensions give {ours}, but the stored score is {stored}."),
        )
        .contrast(ours.to_string(), stored.to_string())
        .hint("They may have been written at different times, or with other weights.")
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tracker(score: f64) -> Value {
        json!({
            "loop_id": "a",
            "config": {"selection": {"mode": "highest_quality_verified", "threshold": 70}},
            "iterations": [{"iteration_number": 1, "quality_score": score, "quality_delta": null,
                "dimensions": {"validation": 0.9, "completeness": 0.85, "correctness": 0.85,
                               "readability": 0.8, "efficiency": 0.9},
                "artifacts": ["out/a.md"], "verification_status": "passed"}],
            "best_iteration_number": 1,
            "last_updated": "2026-03-08T12:00:00Z",
        })
    }

    fn rules(value: &Value) -> Vec<(String, Option<String>)> {
        assert!(fits(value, &Context::default()));
        let parsed = parse(value, &Context::default());
        parsed.findings.into_iter().map(|f| (f.rule.into_owned(), f.pointer)).collect()
    }

    #[test]
    fn a_half_is_rounded_up() {
        assert_eq!(rules(&tracker(87.0)), []);
        let at = Some("/iterations/0/quality_score".to_owned());
        assert_eq!(rules(&tracker(86.0)), [("best/formula".to_owned(), at)]);
    }

    #[test]
    fn weights_of_the_file_count_and_missing_parts_do_not() {
        let mut value = tracker(90.0);
        value["config"]["quality_weights"] = json!({"validation": 1.0});
        assert_eq!(rules(&value), []);
        value["config"]["quality_weights"] = json!({"novelty": 1.0});
        assert_eq!(rules(&value), []);
    }

    #[test]
    fn the_stored_best_is_compared() {
        let mut value = tracker(87.0);
        value["best_iteration_number"] = json!(2);
        let at = Some("/best_iteration_number".to_owned());
        assert_eq!(rules(&value), [("best/stored-mismatch".to_owned(), at)]);
        let parsed = parse(&value, &Context::default());
        let step = &parsed.runs[0].steps[0];
        assert_eq!(
            (step.files.as_slice(), step.breakdown.len()),
            (&["out/a.md".to_owned()][..], 5)
        );
    }
}
