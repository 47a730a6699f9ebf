//! `self-refine`: texts that are rewritten until they sound as wanted, one row an attempt.

use serde_json::Value;

use super::parsed_record::{Context, ParsedRecord};
use super::read::{Member as _, numbers};
use super::rest::others;
use super::traits::Traits;
use super::{Family, Format, Reading};
use crate::labels::labels;
use crate::model::details::{Action, Details, Reflection};
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;
use crate::model::reward::{Scale, rounded};
use crate::model::run_details::RunDetails;
use crate::model::view::RewardView;

pub(crate) const FORMAT: Format = Format {
    id: "self-refine",
    title: "Self-Refine rows",
    gives: "attempts with feedback and the sentiment reached",
    known_by: "`record_id`, `attempt` and `feedback`",
    found_at: "any name",
    fits,
    traits: Traits {
        family: Family::Files,
        marks: &["record_id", "attempt", "feedback"],
        base: Some(0),
        assumed: Assumption::of(3, "own"),
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// The members that have a place, and those that are notes under their own names.
const KNOWN: [&str; 7] = [
    "record_id",
    "attempt",
    "review",
    "transferred_review",
    "feedback",
    "log_probability",
    "probability",
];

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    ["record_id", "attempt", "feedback"].iter().all(|name| value.has(name))
}

/// One attempt. Its probabilities say nothing of how good it is: they are counts, never rewards.
fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let target = value.text("target_sentiment").and_then(|word| Label::read(&word));
    let judged = value.text("transferred_review_sentiment");
    let found = judged.as_deref().and_then(last_label);
    let outcome = match (found, target) {
        (Some((label, _)), Some(target)) => label.against(target),
        _ => Outcome::Unknown,
    };
    let reward = found.zip(target).map(|((label, written), target)| {
        let value = rounded(1.0 - (label.level() - target.level()).abs());
        let derived = RewardView::derived(value, Scale::Ordinal, "reward/derive-ordinal");
        RewardView { raw: Some(written.to_owned()), ..derived }
    });
    let step = Details {
        key: value.text("record_id"),
        number: value.iteration("attempt"),
        task: value.text("review"),
        outcome: Some(outcome),
        reward,
        counters: numbers(value, &["log_probability", "probability"]),
        actions: value.text("transferred_review").map(Action::of_output).into_iter().collect(),
        reflections: value.text("feedback").map(Reflection::of_evaluator).into_iter().collect(),
        texts: others(value, &KNOWN).collect(),
        ..Details::default()
    };
    let about =
        RunDetails { key: step.key.clone(), task: step.task.clone(), ..RunDetails::default() };
    ParsedRecord::of(about, vec![step])
}

/// How a text sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Label {
    is_very: bool,
    tone: Tone,
}

labels! {
    /// How it sounds, however strongly.
    pub(super) Tone {
        Negative = "negative",
        Neutral = "neutral",
        Positive = "positive",
    }
}

impl Label {
    /// The label at the start of a text, and what follows it.
    fn lead(text: &str) -> Option<(Self, &str)> {
        let (is_very, rest) = match strip(text, "very ") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut tones = Tone::ALL.into_iter();
        tones.find_map(|tone| Some((Self { is_very, tone }, strip(rest, tone.as_str())?)))
    }

    fn read(word: &str) -> Option<Self> {
        Self::lead(word.trim()).filter(|(_, rest)| rest.is_empty()).map(|(label, _)| label)
    }

    /// Level of `reward/derive-ordinal`, 0..1.
    fn level(self) -> f64 {
        match (self.tone, self.is_very) {
            (Tone::Negative, true) => 0.0,
            (Tone::Negative, false) => 0.25,
            (Tone::Neutral, _) => 0.5,
            (Tone::Positive, false) => 0.75,
            (Tone::Positive, true) => 1.0,
        }
    }

    fn against(self, target: Self) -> Outcome {
        if self == target {
            Outcome::Success
        } else if self.tone == target.tone {
            Outcome::Partial
        } else {
            Outcome::Failure
        }
    }
}

/// What follows a prefix, ignoring case.
fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// The label that the last `sentiment is` of a judgement names, and how it is written there.
fn last_label(text: &str) -> Option<(Label, &str)> {
    const LEAD: &str = "sentiment is";
    // Only ASCII letters change, so positions stay.
    let lower = text.to_ascii_lowercase();
    lower.rmatch_indices(LEAD).find_map(|(at, _)| {
        let rest = text.get(at + LEAD.len()..)?;
        let rest = rest.strip_prefix(':').unwrap_or(rest).strip_prefix(' ')?;
        let rest = rest.strip_prefix('"').unwrap_or(rest);
        let (label, behind) = Label::lead(rest)?;
        Some((label, rest.get(..rest.len() - behind.len())?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judged(words: &str, target: &str) -> (Option<Outcome>, Option<f64>) {
        let value = json!({"record_id": 5, "attempt": 3, "feedback": "Name one dish.",
            "transferred_review_sentiment": words, "target_sentiment": target});
        assert!(fits(&value, &Context::default()));
        let step = parse(&value, &Context::default()).runs.remove(0).steps.remove(0);
        assert_eq!((step.key.as_deref(), step.number), (Some("5"), Some(3)));
        (step.outcome, step.reward.map(|r| r.value))
    }

    #[test]
    fn labels_are_levels() {
        let target = "Very positive";
        let of = |word: &str| judged(&format!("It reads well. The sentiment is {word}"), target);
        assert_eq!(of("Very positive."), (Some(Outcome::Success), Some(1.0)));
        assert_eq!(of("\"positive\""), (Some(Outcome::Partial), Some(0.75)));
        assert_eq!(of("Neutral"), (Some(Outcome::Failure), Some(0.5)));
        assert_eq!(of("negative"), (Some(Outcome::Failure), Some(0.25)));
        assert_eq!(of("VERY NEGATIVE"), (Some(Outcome::Failure), Some(0.0)));
        assert_eq!(of("mixed"), (Some(Outcome::Unknown), None));
        assert_eq!(
            judged("Sentiment is: Negative", "negative"),
            (Some(Outcome::Success), Some(1.0))
        );
        assert_eq!(judged("The sentiment is positive", "cheerful"), (Some(Outcome::Unknown), None));
    }

    #[test]
    fn the_last_label_counts() {
        let found = |text| last_label(text).map(|(_, written)| written);
        assert_eq!(
            found("The sentiment is negative, no: the sentiment is Very Positive!"),
            Some("Very Positive")
        );
        assert_eq!(found("The sentiment is neutral; the sentiment is unclear"), Some("neutral"));
        assert_eq!(found("sentiment isn't positive"), None);
        assert_eq!(found("The sentiment is\u{a0}positive"), None);
    }

    #[test]
    fn probabilities_are_no_rewards() {
        let value = json!({"record_id": 1, "attempt": 0, "review": "Cold.", "feedback": "Warm it.",
            "transferred_review": "Warm.", "sentiment": "Negative", "probability": 1.0, "log_probability": 0.0});
        let run = parse(&value, &Context::default()).runs.remove(0);
        let step = &run.steps[0];
        assert_eq!((step.reward.is_none(), step.counters.len()), (true, 2));
        assert_eq!(run.about.task.as_deref(), Some("Cold."));
        assert_eq!(step.actions[0].output.as_deref(), Some("Warm."));
        assert_eq!(step.reflections[0].kind.as_deref(), Some("evaluator-feedback"));
        assert_eq!(step.texts.len(), 1);
    }
}
