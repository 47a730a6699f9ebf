//! Invented runs for tests.

use hindscope::{Origin, Outcome, RunView};

use crate::protocol::{CompareRun, RunAddress, RunMore, RunRow, sample_view};

/// A run with one iteration.
pub(super) fn run(key: &str, last: Option<f64>, outcome: Outcome) -> CompareRun {
    let reward_origin = if last.is_some() { Origin::Reported } else { Origin::None };
    let view = RunView { reward_origin, ..sample_view(key, outcome, last) };
    let address = RunAddress::new(key, None);
    CompareRun {
        row: RunRow { view, address, group: String::new(), more: RunMore::default() },
        from: 0,
        rewards: [last].into_iter().collect(),
        outcomes: outcome.letter().to_string(),
        numbers: [1.0].into_iter().collect(),
    }
}
