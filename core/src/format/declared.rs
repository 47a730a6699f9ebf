//! What a record sums up of itself, compared with what its attempts give.

use serde_json::Value;

use super::read::Member as _;
use crate::json::numeric::is_beyond;
use crate::model::curve::{self, Choice, Low, Point};
use crate::model::details::Details;
use crate::model::finding::{Finding, Severity};
use crate::model::options::{InsightOptions, Selection};
use crate::model::outcome::Outcome;
use crate::model::reward::{detect_percent, rounded};

/// What the writer of a record decided by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Share below which a step counts as low.
    low: f64,
    /// Low steps in a row.
    steps: usize,
    choice: Choice,
}

impl Default for Settings {
    fn default() -> Self {
        let usual = InsightOptions::default();
        Self {
            low: usual.diminishing_relative,
            steps: usual.diminishing_steps as usize,
            choice: Choice::of(&usual),
        }
    }
}

impl Settings {
    /// Of the `analytics_config` of an analytics file.
    pub(crate) fn of_analytics(config: &Value) -> Self {
        let usual = Self::default();
        let steps = config.integer("consecutiveCountThreshold");
        Self {
            low: config.number("diminishingReturnsThreshold").unwrap_or(usual.low),
            steps: steps.and_then(|n| usize::try_from(n).ok()).unwrap_or(usual.steps),
            choice: Choice {
                selection: selection(config, "selectionCriteria"),
                threshold: threshold(config, "qualityThreshold"),
                ..usual.choice
            },
        }
    }

    /// Of `config.selection` of a tracker.
    pub(crate) fn of_tracker(selected: &Value) -> Self {
        let choice = Choice {
            selection: selection(selected, "mode"),
            threshold: threshold(selected, "threshold"),
            require_verification: selected.flag("require_verification") == Some(true),
        };
        Self { choice, ..Self::default() }
    }
}

/// A mode by its word; whatever else stands there is the usual one.
fn selection(config: &Value, name: &str) -> Selection {
    config.text(name).and_then(|word| Selection::named(&word)).unwrap_or_default()
}

/// A threshold in percent.
fn threshold(config: &Value, name: &str) -> f64 {
    let usual = InsightOptions::default().selection_threshold;
    config.number(name).and_then(detect_percent).unwrap_or(usual)
}

/// The attempts of a record, as its summary looks at them.
pub(crate) struct Summary<'a> {
    /// The record.
    value: &'a Value,
    numbers: Vec<i64>,
    points: Vec<Point>,
    settings: Settings,
}

impl<'a> Summary<'a> {
    /// `steps` in the order of the record; one without number has its position, from 1.
    pub(crate) fn new(value: &'a Value, steps: &[Details], settings: Settings) -> Self {
        let numbered = |step: &Details| step.number.filter(|number| !is_beyond(*number));
        let numbers = (1..).zip(steps).map(|(at, step)| numbered(step).unwrap_or(at)).collect();
        let points = steps.iter().map(|step| Point {
            reward: step.reward.as_ref().map(|r| r.value),
            outcome: step.outcome.unwrap_or(Outcome::Unknown),
        });
        Self { value, numbers, points: points.collect(), settings }
    }

    fn number(&self, at: Option<usize>) -> Option<i64> {
        self.numbers.get(at?).copied()
    }

    /// `analytics/trajectory`.
    pub(crate) fn trajectory(&self, name: &str) -> Option<Finding> {
        let stored = self.value.text(name)?;
        let rewards: Vec<_> = self.points.iter().filter_map(|p| p.reward).collect();
        let (ours, _) = curve::class(&rewards);
        let differs = Finding::new(
            "analytics/trajectory",
            Severity::Warning,
            format!(
                "The record states that the trajectory is {stored}, but its scores give {}.",
                ours.as_str()
            ),
        )
        .contrast(ours.as_str(), stored.clone())
        .hint("The scores are used. The summary may have been written at another time, or with another rule.")
        .pointer(format!("/{name}"));
        (stored.trim() != ours.as_str()).then_some(differs)
    }

    /// `analytics/diminishing`: what is stored may be what another variant of the rule finds.
    pub(crate) fn diminishing(&self, number: &str, flag: &str) -> Option<Finding> {
        let Settings { low, steps, .. } = self.settings;
        let counted = self.points.iter().enumerate();
        let (counted, rewards): (Vec<usize>, Vec<f64>) =
            counted.filter_map(|(at, point)| Some((at, point.counted()?))).unzip();
        let of = |low| {
            let at = curve::diminishing(&rewards, steps, low)?;
            self.number(counted.get(at).copied())
        };
        let points = InsightOptions::default().diminishing_points;
        let ours = of(Low::Relative(low));
        let stored = self.value.integer(number);
        let has_number = self.value.get(number).is_some();
        let has_any = self.value.flag(flag);
        let is_same = |found: Option<i64>| {
            (!has_number || stored == found) && has_any.is_none_or(|any| any == found.is_some())
        };
        if (!has_number && has_any.is_none()) || is_same(ours) {
            return None;
        }
        let variants = [
            ("diminishing/relative-v1", of(Low::RelativeV1(low))),
            ("diminishing/absolute", of(Low::Absolute(points))),
        ];
        let variant = variants.into_iter().find(|(_, found)| is_same(*found)).map(|(id, _)| id);
        let place = |at: Option<i64>, or: &str| {
            at.map_or_else(|| or.to_owned(), |number| format!("at iteration {number}"))
        };
        let given = match (ours, stored, has_any) {
            (Some(_), _, Some(false)) => "says that they do not".to_owned(),
            (Some(_), None, _) => "names no iteration".to_owned(),
            (Some(_), Some(number), _) | (None, Some(number), Some(false)) => {
                format!("names iteration {number}")
            }
            (None, Some(number), _) => format!("says that they do at iteration {number}"),
            (None, None, _) => "says that they do, without naming an iteration".to_owned(),
        };
        let do_not = || "do not diminish".to_owned();
        let diminish = ours.map_or_else(do_not, |at| format!("diminish at iteration {at}"));
        let mut message = format!("By the scores, returns {diminish}, but the record {given}.");
        let unnamed = "at an unnamed iteration";
        let says = place(stored, if has_any == Some(true) { unnamed } else { "at no iteration" });
        let ours = place(ours, "at no iteration");
        if let Some(variant) = variant {
            message = format!("{message} The rule {variant} gives the same as the record.");
        }
        let severity = if variant.is_some() { Severity::Info } else { Severity::Warning };
        Some(
            Finding::new("analytics/diminishing", severity, message)
                .contrast(ours, says)
                .pointer(format!("/{}", if has_number { number } else { flag })),
        )
    }

    /// `best/stored-mismatch` of the highest score.
    pub(crate) fn best(&self, name: &str) -> Option<Finding> {
        let hint = "The scores are used. The writer may have used another rule for equal scores.";
        let what = ["By the scores, the best iteration is", hint];
        self.differs(name, what, curve::best(&self.points))
    }

    /// `best/stored-mismatch` of the attempt to take.
    pub(crate) fn selected(&self, name: &str) -> Option<Finding> {
        let ours = curve::selected(&self.points, self.settings.choice);
        let hint = "The scores are used. The writer may have used another threshold, or another rule for equal scores.";
        self.differs(name, ["By the scores, the selected iteration is", hint], ours)
    }

    /// `best/stored-mismatch` of the last attempt.
    pub(crate) fn last(&self, name: &str) -> Option<Finding> {
        let what = ["The last listed iteration is", "The list of iterations is used."];
        self.differs(name, what, self.points.len().checked_sub(1))
    }

    fn differs(
        &self,
        name: &str,
        [what, hint]: [&'static str; 2],
        ours: Option<usize>,
    ) -> Option<Finding> {
        let stored = self.value.integer(name)?;
        let ours = self.number(ours)?;
        (stored != ours).then(|| {
            Finding::new(
                "best/stored-mismatch",
                Severity::Warning,
                format!("{what} {ours}, but the record states {stored}."),
            )
            .contrast(ours.to_string(), stored.to_string())
            .hint(hint)
            .pointer(format!("/{name}"))
        })
    }

    /// `best/reason`: it speaks of verification, and what was taken did not pass.
    pub(crate) fn reason(&self, name: &str, selected: &str) -> Option<Finding> {
        let reason = self.value.text(name)?;
        let number = self.value.integer(selected)?;
        let at = self.numbers.iter().rposition(|n| *n == number)?;
        let has_passed = self.points.get(at)?.outcome == Outcome::Success;
        (!has_passed && speaks_of_verified(&reason)).then(|| {
            Finding::new(
                "best/reason",
                Severity::Info,
                format!(
                    "The reason mentions a verified iteration, but iteration {number} did not pass."
                ),
            )
            .contrast("a verified iteration", reason)
            .hint("Old writers also store this reason if no iteration passed and the highest score was selected.")
            .pointer(format!("/{name}"))
        })
    }

    /// `analytics/totals` of a count.
    pub(crate) fn count(&self, name: &str, what: &str, ours: usize) -> Option<Finding> {
        let stored = self.value.number(name)?;
        #[expect(clippy::cast_precision_loss, reason = "counts of what is in memory")]
        let ours = ours as f64;
        total(name, what, stored, (ours, false))
    }

    /// `analytics/totals` of what every attempt took, by the member of an item that says it.
    pub(crate) fn sum(
        &self,
        name: &str,
        what: &str,
        items: &[&Value],
        of: &str,
    ) -> Option<Finding> {
        let stored = self.value.number(name)?;
        let known: Vec<f64> = items.iter().filter_map(|item| item.number(of)).collect();
        let is_least = known.len() < items.len();
        total(name, what, stored, (rounded(known.iter().sum()), is_least))
    }

    /// Attempts that do not count.
    pub(crate) fn voids(&self) -> usize {
        self.value
            .items("iterations")
            .filter(|i| i.text("verification_status").as_deref() == Some("void"))
            .count()
    }
}

/// A stored sum against ours, which is a lower bound where some attempt does not state its part.
fn total(name: &str, what: &str, stored: f64, (ours, is_least): (f64, bool)) -> Option<Finding> {
    // Sums of doubles differ by the order of adding.
    let tolerance = 1e-6 * ours.abs().max(1.0);
    let is_below = stored < ours - tolerance;
    let is_above = stored > ours + tolerance;
    let least = if is_least { "at least " } else { "" };
    (is_below || (is_above && !is_least)).then(|| {
        Finding::new(
            "analytics/totals",
            Severity::Warning,
            format!(
                "According to the listed iterations, the number of {what} is {least}{ours}, but the summary states {stored}."
            ),
        )
        .contrast(format!("{least}{ours}"), stored.to_string())
        .hint("The values of the iterations are used.")
        .pointer(format!("/{name}"))
    })
}

/// Whether a reason claims that something was verified.
fn speaks_of_verified(reason: &str) -> bool {
    let reason = reason.to_lowercase();
    let denies = ["no verified", "not verified", "unverified", "none verified"];
    reason.contains("verified") && !denies.iter().any(|words| reason.contains(words))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::format::measured;

    fn steps(value: &Value) -> Vec<Details> {
        value.items("iterations").map(|item| measured::step(item, false)).collect()
    }

    fn series(scores: &[(f64, &str)]) -> Vec<Value> {
        let item = |(at, (score, status)): (usize, &(f64, &str))| json!({"iteration_number": at + 1, "quality_score": score, "verification_status": status});
        scores.iter().enumerate().map(item).collect()
    }

    #[test]
    fn a_variant_that_finds_what_is_stored_is_named() {
        let failed = |score| (score, "failed");
        let value = json!({
            "iterations": series(&[failed(0.0), failed(90.0), failed(91.0)]),
            "diminishing_returns_detected": true,
            "diminishing_returns_iteration": 3,
        });
        let steps = steps(&value);
        let summary = Summary::new(&value, &steps, Settings::default());
        let found = summary
            .diminishing("diminishing_returns_iteration", "diminishing_returns_detected")
            .expect("it differs");
        assert_eq!(found.severity, Severity::Info);
        assert_eq!(
            found.message,
            "By the scores, returns do not diminish, but the record says that they do at iteration 3. The rule diminishing/relative-v1 gives the same as the record."
        );
        assert_eq!(
            (found.expected.as_deref(), found.found.as_deref()),
            (Some("at no iteration"), Some("at iteration 3"))
        );
    }

    #[test]
    fn the_second_variant_reports_the_first_of_the_pair() {
        let failed = |score| (score, "failed");
        let with = |stored: Value| {
            let value = json!({
                "iterations": series(&[failed(70.0), failed(72.0), failed(73.0), failed(90.0)]),
                "diminishing_returns_iteration": stored,
            });
            let steps = steps(&value);
            Summary::new(&value, &steps, Settings::default())
                .diminishing("diminishing_returns_iteration", "diminishing_returns_detected")
                .map(|f| f.severity)
        };
        assert_eq!(with(json!(3)), None);
        assert_eq!(with(json!(2)), Some(Severity::Info));
        assert_eq!(with(json!(4)), Some(Severity::Warning));
        assert_eq!(with(Value::Null), Some(Severity::Warning));
    }

    #[test]
    fn the_choice_is_that_of_the_writer() {
        let value = json!({
            "iterations": series(&[(70.0, "failed"), (87.0, "passed"), (83.0, "failed")]),
            "best": 2, "selected": 2, "last": 3, "wrong": 1,
        });
        let steps = steps(&value);
        let summary = Summary::new(&value, &steps, Settings::default());
        assert_eq!(summary.best("best"), None);
        assert_eq!(summary.selected("selected"), None);
        assert_eq!(summary.last("last"), None);
        assert!(summary.best("wrong").is_some() && summary.selected("wrong").is_some());
        let recent = json!({"mode": "most_recent_above_threshold", "threshold": 70});
        let summary = Summary::new(&value, &steps, Settings::of_tracker(&recent));
        assert!(summary.selected("selected").is_some());
        assert_eq!(summary.selected("last"), None);
    }

    #[test]
    fn a_reason_may_deny() {
        assert!(speaks_of_verified("Highest quality verified iteration (40)"));
        assert!(!speaks_of_verified("No verified iterations, took the highest"));
    }

    #[test]
    fn sums_over_unknown_parts_are_lower_bounds() {
        let value = json!({"low": 100, "high": 400, "right": 300});
        let items = [json!({"t": 100}), json!({"t": null}), json!({"t": 200})];
        let items: Vec<&Value> = items.iter().collect();
        let summary = Summary::new(&value, &[], Settings::default());
        assert!(
            summary
                .sum("low", "tokens", &items, "t")
                .expect("too low")
                .message
                .contains("at least 300")
        );
        assert_eq!(summary.sum("high", "tokens", &items, "t"), None);
        assert_eq!(summary.sum("right", "tokens", &items, "t"), None);
        let known = [items[0], items[2]];
        assert!(summary.sum("high", "tokens", &known, "t").is_some());
    }
}
