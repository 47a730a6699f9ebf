//! Which iteration is taken as the result of a run (`best/*`).

use super::answer::Course;
use super::ground::{Ground, Rewarded};
use super::options::Selection;
use crate::history::outcome::Outcome;
use crate::history::reward::rounded;
use crate::validate::finding::{Finding, Severity};

/// Best, selected and last iteration, with what the last costs.
pub(super) fn of(ground: &Ground<'_>) -> Course {
    let best = highest(ground.rewarded.iter());
    let last = ground.steps().last();
    let last_reward = last.filter(|s| s.outcome != Outcome::Void).and_then(|s| s.reward);
    let selected = selected(ground);
    let selected_number = match selected {
        Some(r) => Some(ground.number(r.k)),
        // The mode falls back to the last iteration, which may have no reward.
        None if ground.options.selection == Selection::MostRecentAboveThreshold => {
            last.filter(|s| s.outcome != Outcome::Void).map(|s| s.number)
        }
        None => None,
    };
    let cost = match (selected, last_reward) {
        (Some(selected), Some(last)) if selected.k + 1 != ground.steps().len() => {
            Some(rounded(selected.reward - last)).filter(|cost| *cost > 0.0)
        }
        _ => None,
    };
    Course {
        best: best.map(|r| ground.number(r.k)),
        best_reward: best.map(|r| r.reward),
        selected: selected_number,
        selected_reward: selected.map(|r| r.reward),
        last: last.map(|s| s.number),
        last_reward,
        degradation: cost,
        ..Course::default()
    }
}

/// Earliest on ties.
fn highest<'a>(rewarded: impl Iterator<Item = &'a Rewarded>) -> Option<Rewarded> {
    rewarded.copied().reduce(|best, r| if r.reward > best.reward { r } else { best })
}

fn selected(ground: &Ground<'_>) -> Option<Rewarded> {
    let options = ground.options;
    let all = || ground.rewarded.iter();
    let is_success =
        |r: &Rewarded| ground.steps().get(r.k).is_some_and(|step| step.outcome == Outcome::Success);
    let is_enough = |r: &Rewarded| r.reward >= options.selection_threshold;
    match options.selection {
        Selection::HighestQualityVerified => {
            highest(all().filter(|r| is_enough(r) && is_success(r))).or_else(|| highest(all()))
        }
        Selection::HighestQuality => highest(all()),
        Selection::MostRecentAboveThreshold => {
            let is_fit =
                |r: &&Rewarded| is_enough(r) && (!options.require_verification || is_success(r));
            let last = all().last().filter(|r| r.k + 1 == ground.steps().len());
            all().rev().find(is_fit).or(last).copied()
        }
    }
}

pub(super) fn judge(ground: &Ground<'_>, course: &Course, findings: &mut Vec<Finding>) {
    if let (Some(cost), Some(selected), Some(last)) =
        (course.degradation, course.selected, course.last)
        && ground.judges("best/degradation")
    {
        let ordinals = [selected, last]
            .into_iter()
            .filter_map(|number| ground.steps().iter().position(|s| s.number == number));
        findings.push(
            ground
                .finding(
                    "best/degradation",
                    Severity::Warning,
                    format!(
                        "The last iteration, {last}, is {cost:.3} below iteration {selected}, which is the one to take."
                    ),
                    ground.evidence(ordinals),
                )
                .hint("Keep the selected iteration's work instead of the last one's."),
        );
    }
}
