//! The sums at the end of a log (`log/tail`).

use crate::format::lines::Line;
use crate::model::finding::{Finding, Severity};

/// What was counted, or what a tail says of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// Solved, carried ones included.
    pub(super) solved: u32,
    /// Solved in this trial.
    pub(super) solved_now: u32,
    pub(super) total: u32,
}

impl Sums {
    /// One environment.
    pub(super) fn add(&mut self, is_solved: bool, is_carried: bool) {
        self.total += 1;
        self.solved += u32::from(is_solved);
        self.solved_now += u32::from(is_solved && !is_carried);
    }
}

/// A tail while its lines come.
#[derive(Debug, Default)]
pub(super) struct Tail {
    at: Option<usize>,
    said: Vec<(&'static str, f64)>,
}

const LABELS: [&str; 5] = ["SUCCESS:", "ADDITIONAL SUCCESS:", "FAIL:", "TOTAL:", "ACCURACY:"];

impl Tail {
    /// Takes a line if it is one of a tail.
    pub(super) fn take(&mut self, line: &Line<'_>) -> bool {
        if line.text == "-----" {
            self.at.get_or_insert(line.start);
            return true;
        }
        let said = LABELS.into_iter().find_map(|label| {
            Some((label, line.text.strip_prefix(label)?.trim().parse::<f64>().ok()?))
        });
        self.at = self.at.or(said.map(|_| line.start));
        self.said.extend(said);
        said.is_some()
    }

    /// What does not agree with what was counted. `knows_carried`: the log says which environments
    /// were solved before.
    pub(super) fn check(self, counted: Sums, knows_carried: bool) -> Option<(usize, Finding)> {
        let at = self.at?;
        let Sums { solved, solved_now, total } = counted;
        let expected = |label| match label {
            "SUCCESS:" => Some(f64::from(solved)),
            "ADDITIONAL SUCCESS:" => knows_carried.then(|| f64::from(solved_now)),
            "FAIL:" => Some(f64::from(total.saturating_sub(solved))),
            "TOTAL:" => Some(f64::from(total)),
            _ => (total > 0).then(|| f64::from(solved) / f64::from(total)),
        };
        // Rounded to two places by its writer.
        let is_off = |label, said: f64, counted: f64| {
            let most = if label == "ACCURACY:" { 0.005_000_001 } else { 0.0 };
            (said - counted).abs() > most
        };
        let unexpected: Vec<String> = self
            .said
            .into_iter()
            .filter_map(|(label, said)| Some((label, said, expected(label)?)))
            .filter(|(label, said, counted)| is_off(*label, *said, *counted))
            .map(|(label, said, counted)| {
                format!("`{label} {said}` instead of {}", (counted * 100.0).round() / 100.0)
            })
            .collect();
        if unexpected.is_empty() {
            return None;
        }
        let message = format!(
            "The summary of the log does not match its environments. It states {}.",
            unexpected.join(", ")
        );
        let finding = Finding::new("log/tail", Severity::Warning, message)
            .hint("The outcomes of the individual environments are used.");
        Some((at, finding))
    }
}
