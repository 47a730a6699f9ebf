//! What to say of one attempt first: how it ended, which errors are new, and whether the next one was better
//! (`headline/attempt`).

use std::collections::BTreeSet;

use super::errors::errors_of;
use super::headline::{Headline, reward};
use super::signature::signature;
use super::trajectory::is_verdicts;
use crate::error::Error;
use crate::history::loaded_run::{LoadedRun, LoadedStep};
use crate::model::outcome::Outcome;
use crate::text::counted;

impl LoadedRun {
    /// What is said of one attempt first (`headline/attempt`). Which of its errors are new is said if its
    /// records and those of the attempt before were read: see [`LoadedRun::needs_of`].
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchIteration`](crate::ErrorCode::NoSuchIteration).
    pub fn attempt_headline(&self, number: i64) -> Result<Headline, Error> {
        let (at, step) = self.step(number)?;
        let before = at.checked_sub(1).and_then(|before| self.steps.get(before));
        let is_verdicts = is_verdicts(&self.steps);
        let mut headline = Headline::default();
        let ended = match step.outcome {
            Outcome::Success => "Succeeded",
            Outcome::Partial => "Partly succeeded",
            Outcome::Failure => "Failed",
            Outcome::Running => "Recorded as running",
            Outcome::Aborted => "Aborted",
            Outcome::Void => "Does not count",
            Outcome::Unknown => "No outcome is recorded",
        };
        let errors = self.errors_said(step, before);
        let part = headline.say("headline/attempt", format!("{ended}{errors}."));
        (part.from, part.to) = (Some(number), Some(number));
        if let Some(value) = step.reward.filter(|_| !is_verdicts) {
            let value = reward(value);
            let text = match step.delta {
                Some(delta) if delta > 0.0 => {
                    format!("The reward rose by {} to {value}.", reward(delta))
                }
                Some(delta) if delta < 0.0 => {
                    format!("The reward fell by {} to {value}.", reward(-delta))
                }
                Some(_) => format!("The reward stayed at {value}."),
                None => format!("The reward was {value}."),
            };
            headline.say("headline/attempt", text);
        }
        if let Some(next) = self.steps.get(at + 1)
            && let Some(text) = next_said(step, next, is_verdicts)
        {
            let part = headline.say("headline/attempt", text);
            (part.from, part.to) = (Some(next.number), Some(next.number));
        }
        Ok(headline)
    }

    /// ` with 3 errors, 2 of them new`; nothing without errors.
    fn errors_said(&self, step: &LoadedStep, before: Option<&LoadedStep>) -> String {
        let Some(all) = step.errors.filter(|errors| *errors > 0) else { return String::new() };
        let with = format!(" with {}", counted(all as usize, "error"));
        let listed = |step: &LoadedStep| -> Option<Vec<String>> {
            // What is not known of an attempt can be new or old.
            step.errors?;
            Some(errors_of(self.details(step)?).map(signature).collect())
        };
        let Some((own, before)) = listed(step).zip(before.and_then(listed)) else { return with };
        if own.len() != all as usize {
            return with;
        }
        let before: BTreeSet<_> = before.into_iter().collect();
        match own.iter().filter(|signature| !before.contains(*signature)).count() {
            0 if all == 1 => format!("{with}, not a new one"),
            0 => format!("{with}, none of them new"),
            1 if all == 1 => format!("{with}, a new one"),
            new if new == own.len() => format!("{with}, all of them new"),
            new => format!("{with}, {new} of them new"),
        }
    }
}

/// What the next attempt brought.
pub(super) fn next_said(step: &LoadedStep, next: &LoadedStep, is_verdicts: bool) -> Option<String> {
    let is_next_of = next.gap == 0;
    Some(match (next.outcome, next.delta.filter(|_| !is_verdicts && is_next_of)) {
        (Outcome::Success, _) => "The next attempt succeeded.".to_owned(),
        (_, Some(delta)) if delta > 0.0 => {
            format!("The next attempt improved the reward by {}.", reward(delta))
        }
        (_, Some(delta)) if delta < 0.0 => {
            format!("The next attempt lowered the reward by {}.", reward(-delta))
        }
        (Outcome::Failure, _) if step.outcome == Outcome::Failure => {
            "The next attempt failed, too.".to_owned()
        }
        (Outcome::Failure, _) => "The next attempt failed.".to_owned(),
        _ => return None,
    })
}
