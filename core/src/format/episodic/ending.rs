//! How an attempt ended, as `outcome.json` and the `outcome` of `attempt.json` say it.

use serde_json::Value;

use super::super::detect;
use super::super::read::{Member as _, text};
use super::super::rest::{note, others};
use super::series;
use crate::model::details::{NamedReward, NamedText, SubStep};
use crate::model::finding::Finding;
use crate::model::outcome::Outcome;
use crate::model::view::RewardView;

const KNOWN: [&str; 4] = ["status", "reason", "final_quality", "completion_percent"];

/// What is said of the end, with the rated steps on the way: they share one scale.
pub(super) struct Ending {
    pub(super) outcome: Option<Outcome>,
    pub(super) detail: Option<String>,
    pub(super) reward: Option<RewardView>,
    pub(super) series: Vec<NamedReward>,
    pub(super) steps: Vec<SubStep>,
    /// Reason, whatever else stands there, and the rated steps with their stored deltas.
    pub(super) texts: Vec<NamedText>,
}

impl Ending {
    /// `rated` are the items of `quality_history`, with pointers; `pointer` is that of `outcome` in
    /// `record`.
    pub(super) fn read<'a>(
        record: &Value,
        outcome: &'a Value,
        pointer: &str,
        rated: impl Iterator<Item = (&'a Value, String)>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let rated: Vec<_> = rated.collect();
        // A bare word in place of the object is the status.
        let word = outcome.text("status").or_else(|| text(outcome));
        let status = word.map(|word| Outcome::read(&word));
        let qualities: Vec<_> = rated
            .iter()
            .map(|(item, at)| {
                (item.get("quality").unwrap_or(&Value::Null), format!("{at}/quality"))
            })
            .chain(member(outcome, "final_quality", pointer))
            .collect();
        let mut rewards = detect::quality(record, &qualities, findings).into_iter();
        let percents = member(outcome, "completion_percent", pointer);
        let percent = detect::percents(percents.as_slice(), findings).into_iter().next().flatten();
        let steps =
            (1..).zip(rated.iter().zip(&mut rewards)).map(|(position, ((item, _), reward))| {
                SubStep { number: item.integer("iteration").unwrap_or(position), reward }
            });
        let steps: Vec<_> = steps.collect();
        let has_deltas = rated.iter().any(|(item, _)| item.has("delta"));
        let history = has_deltas.then(|| {
            let items: Vec<_> = rated.iter().map(|(item, _)| item.to_string()).collect();
            NamedText { name: "quality_history".to_owned(), text: format!("[{}]", items.join(",")) }
        });
        let texts = note(outcome, "reason").into_iter().chain(others(outcome, &KNOWN));
        Self {
            outcome: status.map(|(outcome, _)| outcome),
            detail: status.and_then(|(_, detail)| detail.map(str::to_owned)),
            reward: rewards.next().flatten(),
            series: series(percent),
            steps,
            texts: texts.chain(history).collect(),
        }
    }
}

/// A member with its pointer, if it is there.
fn member<'a>(value: &'a Value, name: &str, pointer: &str) -> Option<(&'a Value, String)> {
    Some((value.get(name)?, format!("{pointer}/{name}")))
}
