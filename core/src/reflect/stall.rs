//! Loops that go round in a circle, and failures in a row.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::config::{FailureLimits, Stall, StallBy, fingerprint};
use super::entry::{Entry, EntryKind};

/// What is compared of a round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Print {
    output: Option<u64>,
    errors: Option<u64>,
    /// The best score of the loop after the round.
    best_score: Option<f64>,
}

/// The latest rounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rounds {
    latest: VecDeque<Print>,
}

impl Rounds {
    /// Adds a round, which its best-ranked attempt stands for. Returns whether the loop stalls.
    pub(crate) fn add(
        &mut self,
        rule: &Stall,
        attempt: Option<&Entry>,
        best_score: Option<f64>,
    ) -> bool {
        let print = Print {
            output: attempt
                .filter(|_| rule.by.contains(&StallBy::Output))
                .map(|entry| fingerprint(&entry.output)),
            errors: attempt.filter(|_| rule.by.contains(&StallBy::Errors)).map(errors),
            best_score: best_score.filter(|_| attempt.is_some()),
        };
        self.latest.push_back(print);
        if self.latest.len() > rule.after {
            self.latest.pop_front();
        }
        if self.latest.len() < rule.after {
            return false;
        }
        self.is_same(|print| print.output)
            || self.is_same(|print| print.errors)
            || (rule.by.contains(&StallBy::Score) && self.has_no_gain(rule.min_gain))
    }

    fn is_same(&self, of: impl Fn(&Print) -> Option<u64>) -> bool {
        let first = self.latest.front().and_then(&of);
        first.is_some() && self.latest.iter().all(|print| of(print) == first)
    }

    fn has_no_gain(&self, min_gain: f64) -> bool {
        match (self.latest.front(), self.latest.back()) {
            (
                Some(Print { best_score: Some(first), .. }),
                Some(Print { best_score: Some(last), .. }),
            ) => last - first <= min_gain,
            _ => false,
        }
    }
}

/// The errors of an attempt, whatever their order: evaluator, path and keyword, else code and
/// message.
fn errors(entry: &Entry) -> u64 {
    let mut prints: Vec<u64> = entry
        .errors
        .iter()
        .map(|error| {
            let part = |key: &str| error.get(key).cloned().unwrap_or_default();
            let parts = if error.get("keyword").is_some() {
                [part("evaluator"), part("path"), part("keyword")]
            } else {
                [part("evaluator"), part("code"), part("message")]
            };
            fingerprint(&Value::Array(parts.into()))
        })
        .collect();
    prints.sort_unstable();
    fingerprint(&prints.into_iter().map(Value::from).collect())
}

/// Failures in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failures {
    generator: u32,
    parse: u32,
    evaluator: u32,
    corrector: u32,
}

impl Failures {
    pub(crate) fn add(&mut self, kind: EntryKind) {
        let next = |count: u32, is_one: bool| if is_one { count + 1 } else { 0 };
        self.generator = next(self.generator, kind == EntryKind::Generator);
        self.parse = next(self.parse, kind == EntryKind::Parse);
        self.evaluator = next(self.evaluator, kind == EntryKind::Evaluator);
    }

    pub(crate) fn corrected(&mut self, has_failed: bool) {
        self.corrector = if has_failed { self.corrector + 1 } else { 0 };
    }

    /// Whether entries of one kind are too many in a row.
    pub(crate) fn are_too_many(&self, limits: &FailureLimits) -> bool {
        reached(self.generator, limits.generator)
            || reached(self.parse, limits.parse)
            || reached(self.evaluator, limits.evaluator)
    }

    pub(crate) fn has_corrector_failed(&self, limits: &FailureLimits) -> bool {
        reached(self.corrector, limits.corrector)
    }
}

/// 0 stops at the first, as 1 does.
fn reached(count: u32, limit: Option<u32>) -> bool {
    limit.is_some_and(|limit| count > 0 && count >= limit)
}
