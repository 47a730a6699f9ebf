//! The columns of a run that a chart draws.

use super::axis::ChartAxis;
use crate::history::columns::known;
use crate::history::run::Run;
use crate::model::outcome::Outcome;

/// One element an iteration, in order of ordinals. Absent is NaN.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartColumns {
    /// Numbers as written.
    pub numbers: Vec<i64>,
    /// Rewards 0..1 of the series that is drawn.
    pub rewards: Vec<f64>,
    /// Changes of reward.
    pub deltas: Vec<f64>,
    /// Iterations without reward that each change spans.
    pub gaps: Vec<f64>,
    /// Changes as a record states them, where they differ from `deltas`.
    pub stored: Vec<f64>,
    /// Records of the same number, where there are several.
    pub merged: Vec<f64>,
    /// Outcomes.
    pub outcomes: Vec<Outcome>,
}

impl ChartColumns {
    /// Iterations.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Where they stand.
    pub fn axis(&self) -> ChartAxis {
        ChartAxis::of(self.numbers.iter().copied())
    }

    /// Whether something must be drawn of an iteration beside its values.
    pub fn is_noted(&self, ordinal: usize) -> bool {
        value(&self.stored, ordinal).is_some()
            || value(&self.merged, ordinal).is_some_and(|merged| merged > 1.0)
    }
}

/// The value at a position, unless it is absent.
pub(super) fn value(list: &[f64], at: usize) -> Option<f64> {
    list.get(at).copied().and_then(known)
}

impl Run<'_> {
    /// Its columns, ready to be drawn.
    pub fn chart_columns(&self) -> ChartColumns {
        let iterations = self.iterations();
        ChartColumns {
            numbers: self.numbers().to_vec(),
            rewards: self.rewards().to_vec(),
            deltas: self.deltas().to_vec(),
            gaps: iterations.iter().map(|it| f64::from(it.delta_gap)).collect(),
            stored: iterations.iter().map(|it| it.disputed_change().unwrap_or(f64::NAN)).collect(),
            merged: iterations
                .iter()
                .map(|it| u32::try_from(it.merged.len()).map_or(f64::NAN, f64::from))
                .collect(),
            outcomes: self.outcomes().to_vec(),
        }
    }
}
