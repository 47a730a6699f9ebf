//! How far the evaluator of a group can be believed from columns
//! (docs/spec/rules.md, "Evaluator and retries").

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use crate::format::programming_log::{Making, Strategy};
use crate::history::History;
use crate::model::id::GroupId;
use crate::model::outcome::Outcome;
use crate::model::reward::{count, rounded, share};

/// Internal tests against hidden ones (`evaluator/trust`).
///
/// The rates are given the internal verdict and each pair sums to 1: they are not the usual
/// confusion rates.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trust {
    /// The programming log.
    pub group: GroupId,
    /// Whether the `reflexion` strategy is judged by content, as the name does not say.
    pub is_strategy_assumed: bool,
    /// Reflections that a task may have: R.
    pub reflections_max: u32,
    /// Whether R is the longest list of the log: its name does not state R, or states less.
    pub is_limit_inferred: bool,
    /// Tasks with fewer reflections than R: their internal tests passed.
    pub passed: u32,
    /// Those of them that the hidden tests passed, too.
    pub passed_solved: u32,
    /// Tasks with R reflections: their internal tests did not pass before the last attempt. The log
    /// does not say whether they passed then.
    pub never: u32,
    /// Those of them that the hidden tests passed.
    pub never_solved: u32,
    /// `passed_solved / passed`, 0..1.
    pub true_positive: Option<f64>,
    /// 1 - `true_positive`.
    pub false_positive: Option<f64>,
    /// `never_solved / never`, 0..1.
    pub false_negative: Option<f64>,
    /// 1 - `false_negative`.
    pub true_negative: Option<f64>,
}

impl History {
    /// How far the internal tests of a programming log can be believed (`evaluator/trust`). None
    /// for other groups, and where the rule does not apply: other strategies, no reflections
    /// allowed, several passes.
    pub fn trust(&self, group: GroupId) -> Option<Trust> {
        let (label, format, runs) = self.group_runs(group)?;
        if !format.traits().is_self_tested {
            return None;
        }
        let rows: Vec<(u32, Option<bool>)> = runs
            .iter()
            .map(|run| {
                let is_solved = run.outcomes().last() == Some(&Outcome::Success);
                (count(run.reflections().len()), Some(is_solved))
            })
            .collect();
        let making = Making::of(label, &rows);
        if making.strategy != Strategy::Reflexion || making.pass_at.is_some_and(|k| k > 1) {
            return None;
        }
        let limit = making.max_iterations.map_or(0, |limit| limit.saturating_sub(1));
        if limit == 0 {
            return None;
        }
        let tally = |has: &dyn Fn(u32) -> bool| {
            let all = rows.iter().filter(|r| has(r.0));
            (all.clone().count(), all.filter(|r| r.1 == Some(true)).count())
        };
        let (passed, passed_solved) = tally(&|n| n < limit);
        let (never, never_solved) = tally(&|n| n == limit);
        let (tp, fnr) = (share(passed_solved, passed), share(never_solved, never));
        Some(Trust {
            group,
            is_strategy_assumed: making.is_assumed,
            reflections_max: limit,
            is_limit_inferred: making.is_limit_inferred,
            passed: count(passed),
            passed_solved: count(passed_solved),
            never: count(never),
            never_solved: count(never_solved),
            true_positive: tp,
            false_positive: tp.map(|rate| rounded(1.0 - rate)),
            false_negative: fnr,
            true_negative: fnr.map(|rate| rounded(1.0 - rate)),
        })
    }
}
