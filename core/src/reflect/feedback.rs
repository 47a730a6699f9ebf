//! Earlier attempts as text for a prompt, bounded (docs/spec/loop.md, 15.8).

use std::collections::BTreeSet;

use serde_json::Value;

use super::config::FeedbackRule;
use super::entry::{Entry, outranks};
use super::number;
use super::run::Run;

impl Run {
    /// Takes an attempt that was refused, by its number in the history.
    pub(crate) fn refused(&mut self, rule: &FeedbackRule, number: usize) {
        self.feedback_last.push_back(number);
        if rule.last.is_some_and(|last| self.feedback_last.len() > last)
            && let Some(left) = self.feedback_last.pop_front()
        {
            let rank = |number: usize| self.history.get(number)?.rank();
            let mut best = self.feedback_best.iter();
            let place = best.position(|other| outranks(rank(left), rank(*other)));
            self.feedback_best.insert(place.unwrap_or(self.feedback_best.len()), left);
            self.feedback_best.truncate(rule.best);
        }
    }

    /// Refused attempts that prompts mention, oldest first.
    fn mentioned(&self) -> impl Iterator<Item = &Entry> {
        let all: BTreeSet<usize> =
            self.feedback_best.iter().chain(&self.feedback_last).copied().collect();
        all.into_iter().filter_map(|number| self.history.get(number)).map(|entry| &**entry)
    }

    /// Iterations of the attempts in it, oldest first, each once.
    pub(crate) fn feedback_iterations(&self) -> Vec<i64> {
        let mut iterations: Vec<i64> =
            self.mentioned().map(|entry| i64::from(entry.iteration)).collect();
        iterations.dedup();
        iterations
    }

    /// The text; empty if nothing was refused.
    pub(crate) fn feedback(&self, rule: &FeedbackRule) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut listed = BTreeSet::new();
        for entry in self.mentioned() {
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
            // An evaluator of the host may give a reason in place of errors.
            if entry.errors.is_empty() && !entry.feedback.trim().is_empty() {
                let line = format!("- {}", entry.feedback);
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
