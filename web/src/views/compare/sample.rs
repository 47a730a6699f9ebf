//! Invented runs for tests.

use hindscope::{GroupId, Origin, Outcome, RunId, RunView};

use crate::protocol::{CompareRun, RunAddress, RunMore, RunRow};

/// A run with one iteration.
pub(super) fn run(key: &str, last: Option<f64>, outcome: Outcome) -> CompareRun {
    let view = RunView {
        id: RunId(0),
        group: GroupId(0),
        key: key.to_owned(),
        task: None,
        format: "env-results".to_owned(),
        outcome,
        outcome_detail: None,
        status: None,
        start_ms: None,
        end_ms: None,
        counter: None,
        max_iterations: None,
        aliases: Vec::new(),
        lessons: 0,
        reward: None,
        iterations: 1,
        base: 0,
        base_provenance: "declared".to_owned(),
        first_success: None,
        best: last,
        best_number: None,
        last,
        reward_origin: if last.is_some() { Origin::Reported } else { Origin::None },
        reward_rule: None,
        reflections: 0,
        findings: 0,
        trend: String::new(),
        omega: None,
        omega_provenance: "assumed".to_owned(),
    };
    let address = RunAddress { key: key.to_owned(), group: None };
    CompareRun {
        row: RunRow { view, address, group: String::new(), more: RunMore::default() },
        from: 0,
        rewards: [last].into_iter().collect(),
        outcomes: outcome.letter().to_string(),
        numbers: [1.0].into_iter().collect(),
        solved_at: None,
    }
}
