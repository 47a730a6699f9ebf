//! What the record says of other iterations, of its own change and of time.

use super::Audit;
use super::checks::Fired;
use crate::format::extracted::Extracted;
use crate::json::double::Shown;

/// How far a record may be ahead of the host's clock.
const MAX_AHEAD_MS: f64 = 5.0 * 60_000.0;

impl Audit {
    pub(super) fn relations(&self, extracted: &Extracted, fired: &mut Fired) {
        let injected = extracted.injected.get().unwrap_or_default();
        let lists = [
            (&self.related[..], "/self_reflection/related_reflections"),
            (injected, "/previous_reflections_used"),
        ];
        for (names, pointer) in lists {
            let Some(number) = extracted.said.number else { break };
            if let Some(later) = names.iter().find(|n| **n >= number) {
                fired.warn(
                    "rm/related-range",
                    pointer,
                    [format!("numbers below {number}"), later.to_string()],
                    format!(
                        "Iteration {number} refers to {later}, which is not an earlier iteration."
                    ),
                );
            }
        }
        if let (Some(flag), Some(injected)) = (self.said.injected_flag, extracted.injected.get())
            && flag == injected.is_empty()
        {
            let text = if flag {
                "context_injected is true, but no reflection is listed as used."
            } else {
                "context_injected is false, but reflections are listed as used."
            };
            fired.warn(
                "rm/context-flag",
                "/context_injected",
                [(!flag).to_string(), flag.to_string()],
                text,
            );
        }
    }

    pub(super) fn change(extracted: &Extracted, fired: &mut Fired) {
        let change = extracted.said.reward_change.map(|w| w.value);
        let errors = extracted.said.error_change;
        let at = |name| format!("/performance_delta/{name}");
        if let (Some(is_better), Some(change)) = (extracted.said.is_improvement, change) {
            let contradicts = if is_better {
                change <= 0.0 && errors.is_none_or(|e| e >= 0)
            } else {
                change > 0.0
            };
            if contradicts {
                let change = Shown(change);
                let word = if is_better { "an" } else { "no" };
                fired.warn(
                    "rm/improvement-sign",
                    at("is_improvement"),
                    [(!is_better).to_string(), is_better.to_string()],
                    format!(
                        "The iteration is marked as {word} improvement, but its reward changed by {change}."
                    ),
                );
            }
        }
        if let (Some(change), Some(errors)) = (change, errors)
            && ((change > 0.0 && errors > 0) || (change < 0.0 && errors < 0))
        {
            let change = Shown(change);
            let expected = if errors > 0 { "0 or less" } else { "0 or more" };
            fired.report(
                "rm/delta-signs",
                at("error_count_change"),
                [expected.to_owned(), errors.to_string()],
                format!("The reward changed by {change} and the number of errors by {errors}: both in the same direction."),
            );
        }
    }

    pub(super) fn times(&self, extracted: &Extracted, now_ms: Option<f64>, fired: &mut Fired) {
        let Some(time) = extracted.said.time_ms else { return };
        if let Some(late) = self.actions.iter().find(|a| a.time_ms.is_some_and(|t| t > time)) {
            fired.warn(
                "rm/action-late",
                format!("/actor_output/actions/{}/timestamp", late.place),
                ["a time that is not after the record's".to_owned(), "a later time".to_owned()],
                "The action has a later time than its record.",
            );
        }
        let ahead = now_ms.map(|now| time - now).filter(|ahead| ahead.is_finite());
        if let Some(ahead) = ahead.filter(|ahead| *ahead > MAX_AHEAD_MS) {
            let minutes = Shown((ahead / 60_000.0).floor());
            fired.report(
                "rm/future",
                "/timestamp",
                ["at most 5 minutes ahead of the clock".to_owned(), format!("{minutes} minutes")],
                format!("The time of the record is {minutes} minutes in the future."),
            );
        }
    }
}
