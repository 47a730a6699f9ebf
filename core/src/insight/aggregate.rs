//! The runs of a group attempt by attempt (`aggregate/*`), from columns.

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use super::answer::{CategoryCount, Explanation};
use super::context::mean;
use crate::history::{History, Run};
use crate::model::id::{GroupId, RunId};
use crate::model::outcome::Outcome;
use crate::model::reward::{count, share};
use crate::model::thresholds::ENOUGH_RUNS;

/// The runs of a group by attempt (`aggregate/*`). A tree search counts as one attempt at its task.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Aggregate {
    /// The group.
    pub group: GroupId,
    /// Its runs.
    pub runs: u32,
    /// Those that say how any of their attempts ended.
    pub judged: u32,
    /// Those with a success.
    pub solved: u32,
    /// Attempts up to the first success, over solved runs; absent when no run was tried twice.
    pub mean_attempts: Option<f64>,
    /// Attempt by attempt.
    pub attempts: Vec<AttemptSum>,
}

/// Some runs by attempt, whatever groups they are of (`aggregate/*`). A tree search counts as one attempt
/// at its task.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempts {
    /// Runs that were asked for and are known.
    pub runs: u32,
    /// Those that say how any of their attempts ended.
    pub judged: u32,
    /// Those with a success.
    pub solved: u32,
    /// Attempts up to the first success, over solved runs; absent when no run was tried twice.
    pub mean_attempts: Option<f64>,
    /// Attempt by attempt.
    pub attempts: Vec<AttemptSum>,
}

/// One attempt over several runs.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptSum {
    /// Which, from 1.
    pub attempt: u32,
    /// Runs that made it.
    pub attempted: u32,
    /// Runs with a success up to here.
    pub solved_after: u32,
    /// Their share of the runs that say how they ended; absent when none does.
    pub success_at: Option<f64>,
    /// Mean reward of the runs that have one here. Where any run says how an attempt ended, only attempts
    /// that say so count.
    pub mean_reward: Option<f64>,
    /// Those runs.
    pub rewarded: u32,
    /// Whether the mean is over fewer than 5 of them.
    pub is_faint: bool,
}

impl History {
    /// The runs of a group attempt by attempt (`aggregate/*`). None for an unknown group.
    pub fn aggregate(&self, group: GroupId) -> Option<Aggregate> {
        let (_, _, runs) = self.group_runs(group)?;
        let Attempts { runs, judged, solved, mean_attempts, attempts } = attempts(&runs);
        Some(Aggregate { group, runs, judged, solved, mean_attempts, attempts })
    }

    /// Some runs attempt by attempt, such as those that a filter leaves (`aggregate/*`). Ids that
    /// are not known are left out.
    pub fn aggregate_of(&self, runs: &[RunId]) -> Attempts {
        let runs: Vec<_> = runs.iter().filter_map(|&id| self.run(id).ok()).collect();
        attempts(&runs)
    }
}

fn attempts(runs: &[Run<'_>]) -> Attempts {
    let longest = runs.iter().map(|run| run.counted().len()).max().unwrap_or(0);
    let mut solved = vec![0_usize; longest];
    let mut rewards: Vec<Vec<f64>> = vec![Vec::new(); longest];
    let mut attempted = vec![0_usize; longest];
    let mut firsts = Vec::new();
    let judged = runs.iter().filter(|run| run.is_judged()).count();
    for run in runs {
        let outcomes = &run.outcomes()[run.counted()];
        if let Some(k) = outcomes.iter().position(|outcome| *outcome == Outcome::Success) {
            solved[k] += 1;
            firsts.push(f64::from(count(k + 1)));
        }
        for (k, (reward, outcome)) in run.rewards()[run.counted()].iter().zip(outcomes).enumerate()
        {
            attempted[k] += 1;
            let is_unknown = *outcome == Outcome::Unknown && judged > 0;
            if !reward.is_nan() && *outcome != Outcome::Void && !is_unknown {
                rewards[k].push(*reward);
            }
        }
    }
    let mut sum = 0;
    let attempts = (1..).zip(solved).zip(attempted).zip(rewards);
    let attempts = attempts.map(|(((attempt, solved), attempted), rewards)| {
        sum += solved;
        AttemptSum {
            attempt,
            attempted: count(attempted),
            solved_after: count(sum),
            success_at: share(sum, judged),
            mean_reward: mean(&rewards),
            rewarded: count(rewards.len()),
            is_faint: rewards.len() < ENOUGH_RUNS,
        }
    });
    Attempts {
        runs: count(runs.len()),
        judged: count(judged),
        solved: count(firsts.len()),
        mean_attempts: mean(&firsts).filter(|_| longest > 1),
        attempts: attempts.collect(),
    }
}

/// Failure categories of several runs together, most frequent first (`aggregate/*`).
pub fn failure_categories<'a>(
    explanations: impl IntoIterator<Item = &'a Explanation>,
) -> Vec<CategoryCount> {
    let all = explanations.into_iter().flat_map(|e| &e.categories);
    super::quality::sorted(all.map(|c| (c.category.as_str(), c.reflections)))
}
