//! Rewards beside the series that a run gets.

use crate::history::loaded_run::LoadedRun;
use crate::model::details::Details;
use crate::model::natural::natural;
use crate::model::reward::Origin;
use crate::model::view::{RewardView, RunView};
use crate::sort::StableSort as _;

/// Rewards of one name, one element an iteration in order of ordinals. They never join those of
/// another series (`reward/series`).
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSeries {
    /// As the records name it; of the record's own reward the rule that derived it, or its origin.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// The rule that derived it.
    pub rule: Option<String>,
    /// Rewards 0..1; NaN where there is none.
    pub rewards: Vec<f64>,
}

impl LoadedRun {
    /// The series beside the run's own one, sorted by name, from the records that were read. A series
    /// without any value is left out.
    pub fn series(&self, run: &RunView) -> Vec<NamedSeries> {
        let mut all: Vec<NamedSeries> = Vec::new();
        for (ordinal, step) in self.steps.iter().enumerate() {
            let Some(details) = self.details(step) else { continue };
            for (name, reward) in of_attempt(details, run) {
                let known = all.iter().position(|series| series.name == name);
                let at = known.unwrap_or(all.len());
                if known.is_none() {
                    all.push(NamedSeries {
                        name,
                        origin: reward.origin,
                        rule: reward.rule.clone(),
                        rewards: vec![f64::NAN; self.steps.len()],
                    });
                }
                let series = &mut all[at];
                // The first of a name counts.
                if series.rewards[ordinal].is_nan() {
                    series.rewards[ordinal] = reward.value;
                }
            }
        }
        all.stable_sort_by(|a, b| natural(&a.name, &b.name));
        all
    }
}

impl NamedSeries {
    /// Names of the series that one attempt has a value of.
    pub fn names_in(details: &Details, run: &RunView) -> Vec<String> {
        of_attempt(details, run).map(|(name, _)| name).collect()
    }
}

fn of_attempt<'a>(
    details: &'a Details,
    run: &'a RunView,
) -> impl Iterator<Item = (String, &'a RewardView)> {
    let named = details.series.iter().map(|named| (named.name.clone(), &named.reward));
    let own = details.reward.as_ref().filter(|own| {
        run.reward_origin != Origin::None
            && (own.origin != run.reward_origin || own.rule != run.reward_rule)
    });
    let name =
        |own: &RewardView| own.rule.clone().unwrap_or_else(|| own.origin.as_str().to_owned());
    named.chain(own.map(|own| (name(own), own)))
}
