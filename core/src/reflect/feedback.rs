//! Earlier attempts as text for a prompt, bounded (docs/spec/loop.md, 15.8).

use std::collections::{BTreeMap, BTreeSet};

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

    /// The text; empty if nothing was refused. With `dedupe`, what several attempts were refused for stands once, at
    /// the last of them, and says how many there were: whoever makes an error again has to be told so.
    pub(crate) fn feedback(&self, rule: &FeedbackRule) -> String {
        let attempts: Vec<(&Entry, Vec<String>)> =
            self.mentioned().map(|entry| (entry, reasons(entry, rule.dedupe))).collect();
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for reason in attempts.iter().flat_map(|(_, reasons)| reasons) {
            *seen.entry(reason).or_default() += 1;
        }
        let mut left = seen.clone();
        let mut lines: Vec<String> = Vec::new();
        for (entry, reasons) in &attempts {
            let score = number::text(entry.score);
            lines.push(format!("Attempt {} (score {score})", entry.iteration));
            for reason in reasons {
                let times = seen.get(reason.as_str()).copied().unwrap_or(1);
                let left = left.entry(reason).or_default();
                *left = left.saturating_sub(1);
                match (rule.dedupe && times > 1, *left) {
                    (false, _) => lines.push(reason.clone()),
                    (true, 0) => {
                        lines.push(format!("{reason} (again: in {times} of these attempts)"));
                    }
                    (true, _) => {}
                }
            }
            let tried = entry.suggestions.iter().map(|one| one.get("message").unwrap_or(one));
            lines.extend(tried.map(|one| format!("- try: {}", words(one))));
        }
        lines.join("\n")
    }
}

/// Why an attempt was refused, in lines. An evaluator of the host may give a reason in place of errors.
fn reasons(entry: &Entry, dedupe: bool) -> Vec<String> {
    let mut reasons: Vec<String> = entry.errors.iter().map(line).collect();
    if reasons.is_empty() && !entry.feedback.trim().is_empty() {
        reasons.push(format!("- {}", entry.feedback));
    }
    let mut listed = BTreeSet::new();
    reasons.retain(|reason| !dedupe || listed.insert(reason.clone()));
    reasons
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
