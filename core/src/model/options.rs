//! What a user may decide about the rules.

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::thresholds::{
    DIMINISHING_POINTS, DIMINISHING_RELATIVE, DIMINISHING_STEPS, SELECTION_REWARD,
};
use crate::labels::labels;

labels! {
    /// Which iteration is taken as the result of a run (`best/*`).
    #[derive(Default)]
    Selection {
        /// The highest reward among verified ones above the threshold, else of all.
        #[default]
        HighestQualityVerified = "highest_quality_verified",
        /// The highest reward of all.
        HighestQuality = "highest_quality",
        /// The last one above the threshold, else the last.
        MostRecentAboveThreshold = "most_recent_above_threshold",
    }
}

/// What may be decided about the rules of [`explain`](crate::explain()) and
/// [`LoadedRun::explain`](crate::LoadedRun::explain).
///
/// # Example: only loops that are stuck
///
/// ```
/// use hindscope::InsightOptions;
///
/// let options = InsightOptions { rules: vec!["stuck/*".into()], ..InsightOptions::default() };
/// assert_eq!(options.selection.as_str(), "highest_quality_verified");
/// ```
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct InsightOptions {
    /// Rules to judge, by id, or by area as `stuck/*`. Empty: every rule that is on by default.
    /// [`insight_rules`](crate::insight_rules) lists them. A name that fits no rule chooses nothing:
    /// where options are checked it is refused, and the error says which known name is nearest.
    pub rules: Vec<String>,
    /// Ω for what an attempt could see, 0 to 10; absent: as recorded or assumed.
    pub omega: Option<u8>,
    /// Change of reward against the reward before that counts as low, 0..1
    /// (`diminishing/relative`).
    pub diminishing_relative: f64,
    /// Change of reward in points that counts as low (`diminishing/absolute`).
    pub diminishing_points: f64,
    /// Low steps in a row that make a run diminishing, from 1 (`diminishing/*`).
    pub diminishing_steps: u32,
    /// Which iteration is taken as the result (`best/*`).
    pub selection: Selection,
    /// Reward that a selected iteration needs, 0..1 (`best/*`).
    pub selection_threshold: f64,
    /// Whether the most recent iteration above the threshold must be a success, too.
    pub require_verification: bool,
    /// Attempts that the loop may make: `budget/*` is judged only with it.
    pub max_iterations: Option<u32>,
    /// What the run is meant to reach (`drift/objective`); absent: its task.
    pub objective: Option<String>,
    /// The clock, in milliseconds since 1970-01-01T00:00:00Z. Without it no lesson is called unused for
    /// long (`pattern/success-rate`).
    pub now_ms: Option<f64>,
}

impl Default for InsightOptions {
    fn default() -> Self {
        Self {
            rules: Vec::new(),
            omega: None,
            diminishing_relative: DIMINISHING_RELATIVE,
            diminishing_points: DIMINISHING_POINTS,
            diminishing_steps: DIMINISHING_STEPS,
            selection: Selection::default(),
            selection_threshold: SELECTION_REWARD,
            require_verification: false,
            max_iterations: None,
            objective: None,
            now_ms: None,
        }
    }
}
