//! The arithmetic of a series of rewards: its class, where it stops moving, which attempt to take
//! (docs/spec/rules.md, "Trajectory and best"). It knows no run, so that what a file declares
//! of itself is compared with the same numbers that a run shows.

use super::options::{InsightOptions, Selection};
use super::reward::{count, points, rounded, share};
use super::thresholds::{CLASS_REWARDS, CLASS_SHARE, STILL_POINTS};
use crate::labels::labels;
use crate::model::outcome::Outcome;

labels! {
    /// Where the rewards of a run went as a whole. The rule `trajectory/class` says the thresholds.
    #[derive(Default)]
    TrajectoryClass {
        /// Up in most steps.
        Improving = "improving",
        /// Down in most steps.
        Declining = "declining",
        /// Hardly any change in most steps.
        Stable = "stable",
        /// None of these.
        Fluctuating = "fluctuating",
        /// Too few rewards.
        #[default]
        InsufficientData = "insufficient_data",
    }
}

/// An attempt, as far as the choice of one looks at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    /// 0..1.
    pub(crate) reward: Option<f64>,
    pub(crate) outcome: Outcome,
}

impl Point {
    /// Its reward, unless it does not count.
    pub(crate) fn counted(&self) -> Option<f64> {
        self.reward.filter(|_| self.outcome != Outcome::Void)
    }
}

/// `trajectory/class`, and how many steps go up, down and nowhere. Rewards of void attempts belong
/// to it.
pub(crate) fn class(rewards: &[f64]) -> (TrajectoryClass, [u32; 3]) {
    let all: Vec<_> = rewards.iter().copied().map(points).collect();
    let mut counts = [0; 3];
    for pair in all.windows(2) {
        let [before, after] = pair else { continue };
        let change = rounded(after - before);
        let class = if change > STILL_POINTS {
            0
        } else if change < -STILL_POINTS {
            1
        } else {
            2
        };
        counts[class] += 1;
    }
    let steps = all.len().saturating_sub(1);
    let is_most = |n: usize| share(n, steps).is_some_and(|share| share >= CLASS_SHARE);
    let class = match counts {
        _ if all.len() < CLASS_REWARDS => TrajectoryClass::InsufficientData,
        [up, ..] if is_most(up) => TrajectoryClass::Improving,
        [_, down, _] if is_most(down) => TrajectoryClass::Declining,
        [.., flat] if is_most(flat) => TrajectoryClass::Stable,
        _ => TrajectoryClass::Fluctuating,
    };
    (class, counts.map(count))
}

/// The change as a share of the reward before; none if that is 0.
pub(crate) fn relative(before: f64, after: f64) -> Option<f64> {
    (before > 0.0).then(|| rounded(rounded(after - before).abs() / before))
}

/// What makes a step a low one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Low {
    /// Less than this share of the reward before (`diminishing/relative`).
    Relative(f64),
    /// The same, but a step from a reward of 0 counts as no change (`diminishing/relative-v1`).
    RelativeV1(f64),
    /// Fewer points than this (`diminishing/absolute`).
    Absolute(f64),
}

impl Low {
    fn is(self, before: f64, after: f64) -> bool {
        match self {
            Self::Relative(limit) => relative(before, after).is_some_and(|change| change < limit),
            Self::RelativeV1(limit) => relative(before, after).is_none_or(|change| change < limit),
            Self::Absolute(limit) => points(rounded(after - before)).abs() < limit,
        }
    }
}

/// Position of the reward that `diminishing/*` reports for the first `needed` low steps in a row: the
/// reward that ends the last of them or, with [`Low::Absolute`], the first of them.
pub(crate) fn diminishing(rewards: &[f64], needed: usize, low: Low) -> Option<usize> {
    let needed = needed.max(1);
    let mut steps = 0;
    for (at, pair) in rewards.windows(2).enumerate() {
        let [before, after] = pair else { continue };
        steps = if low.is(*before, *after) { steps + 1 } else { 0 };
        if steps >= needed && rewards.len() >= 3 {
            let last = at + 1;
            return Some(if matches!(low, Low::Absolute(_)) { last + 1 - needed } else { last });
        }
    }
    None
}

/// How one attempt is chosen of all (`best/*`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) selection: Selection,
    /// 0..1.
    pub(crate) threshold: f64,
    pub(crate) require_verification: bool,
}

impl Choice {
    pub(crate) fn of(options: &InsightOptions) -> Self {
        Self {
            selection: options.selection,
            threshold: options.selection_threshold,
            require_verification: options.require_verification,
        }
    }
}

/// Reward that is lost by taking the last attempt instead of the selected one, above 0
/// (`best/degradation`).
pub(crate) fn degradation(points: &[Point], selected: Option<usize>) -> Option<f64> {
    let last = points.len().checked_sub(1)?;
    let at = selected.filter(|at| *at != last)?;
    let cost = rounded(points.get(at)?.counted()? - points.get(last)?.counted()?);
    Some(cost).filter(|cost| *cost > 0.0)
}

/// Position of the highest reward that counts, earliest on ties.
pub(crate) fn best(points: &[Point]) -> Option<usize> {
    highest(points, |_| true)
}

/// Position of the attempt to take. It may have no reward where the choice falls back to the last.
pub(crate) fn selected(points: &[Point], choice: Choice) -> Option<usize> {
    let is_success = |p: &Point| p.outcome == Outcome::Success;
    let is_enough = |p: &Point| p.counted().is_some_and(|reward| reward >= choice.threshold);
    match choice.selection {
        Selection::HighestQualityVerified => {
            highest(points, |p| is_enough(p) && is_success(p)).or_else(|| best(points))
        }
        Selection::HighestQuality => best(points),
        Selection::MostRecentAboveThreshold => {
            let is_fit =
                |p: &Point| is_enough(p) && (!choice.require_verification || is_success(p));
            let last = || points.len().checked_sub(1);
            let counts = |at: &usize| points.get(*at).is_some_and(|p| p.outcome != Outcome::Void);
            points.iter().rposition(is_fit).or_else(|| last().filter(counts))
        }
    }
}

fn highest(points: &[Point], is_fit: impl Fn(&Point) -> bool) -> Option<usize> {
    let rewarded = points.iter().enumerate().filter(|(_, p)| is_fit(p));
    let rewarded = rewarded.filter_map(|(at, p)| Some((at, p.counted()?)));
    rewarded.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE: f64 = 0.05;

    #[test]
    fn series_have_the_classes_of_the_rule() {
        let class = |points: &[f64]| {
            let rewards: Vec<_> = points.iter().map(|p| rounded(p / 100.0)).collect();
            super::class(&rewards).0
        };
        assert_eq!(class(&[35.0, 60.0, 55.0, 85.0, 100.0]), TrajectoryClass::Improving);
        assert_eq!(class(&[60.0, 85.0, 83.0]), TrajectoryClass::Fluctuating);
        assert_eq!(class(&[70.0, 71.0, 72.0, 73.0]), TrajectoryClass::Stable);
        assert_eq!(class(&[50.0, 60.0, 70.0, 65.0]), TrajectoryClass::Fluctuating);
        assert_eq!(class(&[50.0, 60.0]), TrajectoryClass::InsufficientData);
    }

    #[test]
    fn low_steps_are_found_by_each_variant() {
        let rises = [0.0, 0.9, 0.91];
        assert_eq!(diminishing(&rises, 2, Low::Relative(FIVE)), None);
        // A step from 0 has no relative change. The first version took it for no change.
        assert_eq!(diminishing(&rises, 2, Low::RelativeV1(FIVE)), Some(2));
        assert_eq!(diminishing(&[0.0, 0.0, 0.0, 0.5], 2, Low::Relative(FIVE)), None);
        let slows = [0.70, 0.72, 0.73, 0.90];
        assert_eq!(diminishing(&slows, 2, Low::Relative(FIVE)), Some(2));
        assert_eq!(diminishing(&slows, 2, Low::Absolute(5.0)), Some(1));
    }

    #[test]
    fn void_is_never_chosen() {
        let point = |reward, outcome| Point { reward: Some(reward), outcome };
        let all = [point(0.7, Outcome::Failure), point(0.9, Outcome::Void)];
        let choice = |selection| Choice { selection, threshold: 0.7, require_verification: false };
        assert_eq!(best(&all), Some(0));
        for selection in [
            Selection::HighestQualityVerified,
            Selection::HighestQuality,
            Selection::MostRecentAboveThreshold,
        ] {
            assert_eq!(selected(&all, choice(selection)), Some(0), "{}", selection.as_str());
        }
    }
}
