//! Which iteration is taken as the result of a run (`best/*`).

use super::answer::Trajectory;
use super::context::InsightContext;
use crate::history::Run;
use crate::history::columns::known;
use crate::model::curve::{self, Choice, Point};
use crate::model::finding::{Finding, Severity};
use crate::model::options::InsightOptions;

impl Run<'_> {
    /// Number of the iteration that is taken as its result (`best/*`), from columns: for lists of
    /// many runs. [`LoadedRun::explain`](crate::LoadedRun::explain) says the same in its
    /// [`Trajectory`].
    pub fn selected(&self, options: &InsightOptions) -> Option<i64> {
        let pairs = self.rewards().iter().zip(self.outcomes());
        let all: Vec<_> = pairs
            .map(|(reward, outcome)| Point { reward: known(*reward), outcome: *outcome })
            .collect();
        self.numbers().get(curve::selected(&all, Choice::of(options))?).copied()
    }
}

/// Best, selected and last iteration, with what the last costs.
pub(super) fn of(context: &InsightContext<'_>) -> Trajectory {
    let all: Vec<_> = context
        .steps()
        .iter()
        .map(|step| Point { reward: step.reward, outcome: step.outcome })
        .collect();
    let selected = curve::selected(&all, Choice::of(context.options));
    let best = curve::best(&all);
    let reward = |at: Option<usize>| all.get(at?)?.counted();
    let last = all.len().checked_sub(1);
    let number = |at: Option<usize>| at.map(|k| context.number(k));
    Trajectory {
        best: number(best),
        best_reward: reward(best),
        selected: number(selected),
        selected_reward: reward(selected),
        last: number(last),
        last_reward: reward(last),
        degradation: curve::degradation(&all, selected),
        ..Trajectory::default()
    }
}

pub(super) fn judge(
    context: &InsightContext<'_>,
    trajectory: &Trajectory,
    findings: &mut Vec<Finding>,
) {
    if let (Some(cost), Some(selected), Some(last)) =
        (trajectory.degradation, trajectory.selected, trajectory.last)
        && context.judges("best/degradation")
    {
        let ordinals = [selected, last]
            .into_iter()
            .filter_map(|number| context.steps().iter().position(|s| s.number == number));
        let message = format!(
            "The reward of the last iteration, {last}, is {cost:.3} below the selected iteration, {selected}."
        );
        let evidence = context.evidence(ordinals);
        let finding = context.finding("best/degradation", Severity::Warning, message, evidence);
        findings.push(
            finding.hint("Use the result of the selected iteration instead of the last one."),
        );
    }
}
