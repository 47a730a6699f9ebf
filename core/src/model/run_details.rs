//! What records say of a run as a whole.

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::details::{Counter, NamedText, Usage};
use super::outcome::Outcome;
use super::view::RewardView;

/// What records say of a run as a whole. Absent members are not known.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunDetails {
    /// Loop id, task id or name as the record states it.
    pub key: Option<String>,
    /// Other ids of the same run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Task description or objective.
    pub task: Option<String>,
    /// When it counts as done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<String>,
    /// Who acted.
    pub agent: Option<String>,
    /// Language model.
    pub model: Option<String>,
    /// Status as written.
    pub status: Option<String>,
    /// How it ended, where a record says so.
    pub outcome: Option<Outcome>,
    /// The finer word.
    pub outcome_detail: Option<String>,
    /// Start as written.
    pub start: Option<String>,
    /// End as written.
    pub end: Option<String>,
    /// When the record was last written, as written.
    pub updated: Option<String>,
    /// Most iterations allowed.
    pub max_iterations: Option<i64>,
    /// Most minutes allowed.
    pub max_minutes: Option<f64>,
    /// Attempts by its own counter.
    pub counter: Option<i64>,
    /// Ω as written.
    pub omega: Option<f64>,
    /// Number of the first attempt, where the format fixes it.
    pub base: Option<u8>,
    /// Lessons that belong to no single attempt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<String>,
    /// What the record itself sums up.
    pub declared: Option<Declared>,
    /// Reward of the run as a whole.
    pub reward: Option<RewardView>,
    /// What the record says against a reward that was counted from it (`reward/refuted`).
    pub refutation: Option<String>,
    /// Named counts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<Counter>,
    /// Labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Keys of related runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<String>,
    /// Named texts without a place of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<NamedText>,
}

/// A summary as its writer declares it; what it says is compared, never shown as ours.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Declared {
    /// Number of the best iteration.
    pub best: Option<i64>,
    /// Number of the selected iteration.
    pub selected: Option<i64>,
    /// Number of the final iteration.
    pub last: Option<i64>,
    /// Class of the trajectory, as written.
    pub trajectory: Option<String>,
    /// Number of the iteration where returns diminish.
    pub diminishing: Option<i64>,
    /// Why the selected one was selected, or why the loop stopped.
    pub reason: Option<String>,
    /// What the run took.
    pub usage: Option<Usage>,
}
