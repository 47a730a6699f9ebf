//! How an iteration or run ended.

use crate::error::{Error, word_of};
use crate::labels::labels;
labels! {
    /// How an iteration or run ended. A finer word may stand beside it.
    #[repr(u8)]
    Outcome {
        /// It did what was asked.
        Success = "success",
        /// Some of it.
        Partial = "partial",
        /// It did not.
        Failure = "failure",
        /// It had not ended when the record was written.
        Running = "running",
        /// It was stopped.
        Aborted = "aborted",
        /// It does not count.
        Void = "void",
        /// The record does not say.
        Unknown = "unknown",
    }
}

impl Outcome {
    /// The one with this word.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`](crate::ErrorCode::InvalidOption) for any other word.
    pub fn parse(word: &str) -> Result<Self, Error> {
        word_of("outcome", Self::named(word), &Self::ALL.map(Self::as_str), word)
    }

    /// The letter that marks it where space is short.
    pub const fn letter(self) -> char {
        match self {
            Self::Success => 'P',
            Self::Partial => '~',
            Self::Failure => 'F',
            Self::Running => '>',
            Self::Aborted => 'A',
            Self::Void => '-',
            Self::Unknown => '?',
        }
    }

    /// Whether it says how something ended. One that goes on may still succeed, one that does not say how it
    /// ended may have, and one that is void never counted.
    pub(crate) const fn is_ended(self) -> bool {
        !matches!(self, Self::Running | Self::Unknown | Self::Void)
    }

    /// The largest is the one of several that must not be missed.
    pub const fn weight(self) -> u8 {
        match self {
            Self::Failure => 6,
            Self::Aborted => 5,
            Self::Partial => 4,
            Self::Running => 3,
            Self::Success => 2,
            Self::Void => 1,
            Self::Unknown => 0,
        }
    }

    /// What to say beside the outcome of a run whose attempts say otherwise, by the number of its first
    /// success.
    pub(crate) fn note(
        self,
        detail: Option<&str>,
        success: Option<i64>,
        has_attempts: bool,
    ) -> Option<String> {
        let end = match self {
            Self::Success => {
                let is_other = success.is_none() && has_attempts;
                return is_other.then(|| "no attempt is recorded as successful".to_owned());
            }
            Self::Partial => "ended in a partial success",
            Self::Failure if detail == Some("limit_reached") => "ended at its limit",
            Self::Failure => "ended in failure",
            Self::Running => "recorded as running",
            Self::Aborted => "was aborted",
            Self::Void => "does not count",
            Self::Unknown => "its last attempt has no verdict",
        };
        success.map(|number| format!("succeeded at {number}, {end}"))
    }

    pub(crate) const fn of_verdict(passed: bool) -> Self {
        if passed { Self::Success } else { Self::Failure }
    }

    /// Reads a status word (docs/spec/formats.md, "Words about outcomes"). The
    /// detail is the finer word, if it has one.
    pub(crate) fn read(text: &str) -> (Self, Option<&'static str>) {
        let normal: String = text
            .trim()
            .chars()
            .map(|c| match c {
                ' ' | '-' => '_',
                c => c.to_ascii_lowercase(),
            })
            .collect();
        if let Some(found) = Self::word(&normal) {
            return found;
        }
        let lead: String = text
            .trim()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .flat_map(char::to_lowercase)
            .collect();
        Self::word(&lead).unwrap_or((Self::Unknown, None))
    }

    fn word(word: &str) -> Option<(Self, Option<&'static str>)> {
        Some(match word {
            "success" | "succeeded" | "completed" | "complete" | "done" | "passed" | "pass"
            | "ok" | "accepted" | "accept" | "correct" | "solved" | "fixed" => {
                (Self::Success, None)
            }
            "partial" | "partial_success" | "partially_completed" | "partial_match" => {
                (Self::Partial, None)
            }
            "failure" | "failed" | "fail" | "incorrect" | "wrong_answer" | "rejected"
            | "reject" => (Self::Failure, None),
            "incomplete" => (Self::Failure, Some("incomplete")),
            "error" | "errored" | "runtime_error" => (Self::Failure, Some("error")),
            "crashed" | "crash" | "dead" => (Self::Failure, Some("crash")),
            "timeout" | "timed_out" | "time_limit_exceeded" => (Self::Failure, Some("timeout")),
            "limit_reached" | "max_iterations" | "exhausted" => {
                (Self::Failure, Some("limit_reached"))
            }
            "halted" => (Self::Failure, Some("halted")),
            "running" | "in_progress" | "verifying" | "starting" | "analyzing" | "completing"
            | "resumed" | "recovering" => (Self::Running, None),
            "paused" => (Self::Running, Some("paused")),
            "aborted" | "abort" | "cancelled" | "canceled" | "shutting_down" | "killed" => {
                (Self::Aborted, None)
            }
            "interrupted" => (Self::Aborted, Some("interrupted")),
            "void" => (Self::Void, None),
            "idle" | "pending" | "unknown" | "not_started" | "" => (Self::Unknown, None),
            "skipped" | "skip" => (Self::Unknown, Some("skipped")),
            "submission_timed_out" => (Self::Unknown, Some("no verdict")),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_words_and_leading_words() {
        assert_eq!(Outcome::read("SUCCESS - 270 ms"), (Outcome::Success, None));
        assert_eq!(Outcome::read(" Time Limit Exceeded"), (Outcome::Failure, Some("timeout")));
        assert_eq!(Outcome::read("IN_PROGRESS"), (Outcome::Running, None));
        assert_eq!(Outcome::read("410 ms, still above"), (Outcome::Unknown, None));
    }

    #[test]
    fn runs_that_end_otherwise_than_their_attempts_say_so() {
        let note = |outcome: Outcome, success| outcome.note(None, success, true);
        assert_eq!(note(Outcome::Success, Some(4)), None);
        assert_eq!(note(Outcome::Failure, None), None);
        let failed = note(Outcome::Failure, Some(4));
        assert_eq!(failed.as_deref(), Some("succeeded at 4, ended in failure"));
        let silent = note(Outcome::Success, None);
        assert_eq!(silent.as_deref(), Some("no attempt is recorded as successful"));
        assert_eq!(Outcome::Success.note(None, None, false), None, "it has none to say so");
    }
}
