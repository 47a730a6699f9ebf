//! Earlier attempts as text for a prompt, bounded (docs/spec/loop.md, 15.8).

use crate::sort::StableSort as _;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use serde_json::Value;

use super::config::FeedbackRule;
use super::entry::{Entry, outranks};
use super::number;

/// Refused attempts that prompts mention: the last ones, and the best of the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Feedback {
    pub(super) last: VecDeque<Numbered>,
    /// Best first; the earliest of equals.
    pub(super) best: Vec<Numbered>,
}

/// An attempt and its place in the history, from 0.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    pub(super) number: usize,
    pub(super) entry: Arc<Entry>,
}

impl Feedback {
    /// Takes an attempt that was refused, number `number` of the history.
    pub(crate) fn add(&mut self, rule: &FeedbackRule, number: usize, entry: Arc<Entry>) {
        self.last.push_back(Numbered { number, entry });
        if rule.last.is_some_and(|last| self.last.len() > last)
            && let Some(left) = self.last.pop_front()
        {
            let rank = left.entry.rank();
            let place = self.best.iter().position(|other| outranks(rank, other.entry.rank()));
            self.best.insert(place.unwrap_or(self.best.len()), left);
            self.best.truncate(rule.best);
        }
    }

    fn oldest_first(&self) -> Vec<&Numbered> {
        let mut all: Vec<_> = self.best.iter().chain(&self.last).collect();
        all.stable_sort_by_key(|one| one.number);
        all
    }

    /// Iterations of the attempts in it, oldest first, each once.
    pub(crate) fn iterations(&self) -> Vec<i64> {
        let mut iterations: Vec<i64> =
            self.oldest_first().iter().map(|one| i64::from(one.entry.iteration)).collect();
        iterations.dedup();
        iterations
    }

    /// The text; empty if nothing was refused.
    pub(crate) fn text(&self, rule: &FeedbackRule) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut listed = BTreeSet::new();
        for Numbered { entry, .. } in self.oldest_first() {
            lines.push(format!(
                "Attempt {} (score {})",
                entry.iteration,
                number::text(entry.score)
            ));
            for error in entry.errors.iter() {
                let line = line(error);
                if !rule.dedupe || listed.insert(line.clone()) {
                    lines.push(line);
                }
            }
            let tried = entry.suggestions.iter().map(|one| one.get("message").unwrap_or(one));
            lines.extend(tried.map(|one| format!("- try: {}", words(one))));
        }
        lines.join("\n")
    }
}

fn line(error: &Value) -> String {
    let message = match error.get("message") {
        Some(message) => words(message),
        None => words(error),
    };
    match error.get("path").and_then(Value::as_str) {
        Some(path) if !path.is_empty() => format!("- {path}: {message}"),
        _ => format!("- {message}"),
    }
}

/// A text as it is, everything else as JSON.
fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
