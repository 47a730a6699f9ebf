//! The iterations that a chart names: best, selected and final.

use super::columns::ChartColumns;
use crate::history::columns::known;
use crate::model::curve::{self, Choice, Point};
use crate::model::delta;
use crate::model::options::InsightOptions;
use crate::model::view::IterationView;

/// Best, selected and final iteration, by their ordinals (`best/*`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChartMarks {
    /// The highest reward, earliest on ties.
    pub best: Option<usize>,
    /// The one to take, by [`InsightOptions::selection`].
    pub selected: Option<usize>,
    /// The last one.
    pub last: Option<usize>,
    /// Reward that is lost by taking the last attempt instead of the selected one, above 0
    /// (`best/degradation`).
    pub degradation: Option<f64>,
}

impl ChartMarks {
    /// Whether an iteration has one.
    pub fn has(&self, ordinal: usize) -> bool {
        [self.best, self.selected, self.last].contains(&Some(ordinal))
    }

    /// The letters of an iteration: `B`, `S`, `F`, or several of them; empty if it has none.
    pub fn letters(&self, ordinal: usize) -> String {
        self.of(ordinal, ["B", "S", "F"]).concat()
    }

    /// The same in words: `best, selected, final`.
    pub(super) fn words(&self, ordinal: usize) -> String {
        self.of(ordinal, ["best", "selected", "final"]).join(", ")
    }

    fn of(&self, ordinal: usize, names: [&'static str; 3]) -> Vec<&'static str> {
        let all = [self.best, self.selected, self.last].into_iter().zip(names);
        all.filter(|(at, _)| *at == Some(ordinal)).map(|(_, name)| name).collect()
    }
}

impl ChartColumns {
    /// The iterations that a chart names. Without rewards there is nothing to choose by, and only
    /// the last one is known.
    pub fn marks(&self, options: &InsightOptions) -> ChartMarks {
        let pairs = self.rewards.iter().zip(&self.outcomes);
        let points: Vec<_> = pairs
            .map(|(reward, outcome)| Point { reward: known(*reward), outcome: *outcome })
            .collect();
        let last = points.len().checked_sub(1);
        let best = curve::best(&points);
        if best.is_none() {
            return ChartMarks { last, ..ChartMarks::default() };
        }
        let selected = curve::selected(&points, Choice::of(options));
        let degradation = curve::degradation(&points, selected);
        ChartMarks { best, selected, last, degradation }
    }

    /// The same iterations with another series of rewards, 0..1, NaN where there is none. Changes
    /// are those of the series; what records state is not about it.
    #[must_use]
    pub fn with_rewards(&self, rewards: Vec<f64>) -> Self {
        let known: Vec<_> = rewards.iter().map(|reward| known(*reward)).collect();
        let deltas = delta::rewards(&known);
        Self {
            deltas: deltas.iter().map(|d| d.map_or(f64::NAN, |d| d.change)).collect(),
            gaps: deltas.iter().map(|d| d.map_or(0.0, |d| f64::from(d.gap))).collect(),
            stored: vec![f64::NAN; rewards.len()],
            rewards,
            ..self.clone()
        }
    }
}

impl IterationView {
    /// The change of reward as the record states it, where it differs from the recomputed one by
    /// more than half a unit of its last decimal, or by more than 0.005
    /// (`series/reward-change-mismatch`). None for a change that spans iterations without reward.
    pub fn disputed_change(&self) -> Option<f64> {
        let stored = self.stored?.reward_change?;
        let ours = self.delta.filter(|_| self.delta_gap == 0)?;
        let text = stored.to_string();
        let decimals = text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let decimals = u8::try_from(decimals).unwrap_or(u8::MAX);
        (!delta::agrees(stored, decimals, ours)).then_some(stored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::outcome::Outcome;

    fn columns(rewards: &[f64], outcomes: &[Outcome]) -> ChartColumns {
        ChartColumns {
            numbers: (1..).take(rewards.len()).collect(),
            rewards: rewards.to_vec(),
            outcomes: outcomes.to_vec(),
            ..ChartColumns::default()
        }
    }

    #[test]
    fn best_selected_and_final_have_letters() {
        use Outcome::{Failure, Success};
        let options = InsightOptions::default();
        let marks = columns(&[0.7, 0.87, 0.83], &[Failure, Success, Failure]).marks(&options);
        assert_eq!((marks.best, marks.selected, marks.last), (Some(1), Some(1), Some(2)));
        assert_eq!(
            (marks.letters(1), marks.letters(2), marks.letters(0)),
            ("BS".into(), "F".into(), String::new())
        );
        assert_eq!(marks.degradation, Some(0.04));
        let tied = columns(&[0.5, 0.5], &[Failure, Failure]).marks(&options);
        assert_eq!((tied.best, tied.degradation), (Some(0), None));
        let none = columns(&[f64::NAN], &[Success]).marks(&options);
        assert_eq!((none.best, none.selected, none.last), (None, None, Some(0)));
    }

    #[test]
    fn another_series_has_changes_of_its_own() {
        let run = columns(&[0.1, 0.2, 0.3], &[Outcome::Failure; 3]);
        let other = run.with_rewards(vec![0.5, f64::NAN, 0.9]);
        assert!(other.deltas[0].is_nan() && other.deltas[1].is_nan());
        assert_eq!((other.deltas[2], other.gaps[2]), (0.4, 1.0));
        assert_eq!(other.numbers, run.numbers);
    }
}
