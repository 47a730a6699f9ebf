//! Outcomes and levels: a shape, a letter and a word, so that colour never has to carry meaning.

use hindscope::{Outcome, Severity};
use leptos::prelude::*;

use super::RecordText;

/// The shape of an outcome in a square of twelve, as an SVG path filled by the even-odd rule.
pub(crate) fn shape(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9z",
        Outcome::Partial => {
            "M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9zM6 3a3 3 0 0 1 3 3H3a3 3 0 0 1 3-3z"
        }
        Outcome::Failure => {
            "M2.4 1 6 4.6 9.6 1 11 2.4 7.4 6 11 9.6 9.6 11 6 7.4 2.4 11 1 9.6 4.6 6 1 2.4z"
        }
        Outcome::Running => "M2.5 1.5 10.5 6 2.5 10.5z",
        Outcome::Aborted => "M2 2h8v8H2z",
        Outcome::Void => "M1.5 5h9v2h-9z",
        Outcome::Unknown => {
            "M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9zM6 3a3 3 0 0 1 0 6a3 3 0 0 1 0-6z"
        }
    }
}

/// The class that colours an outcome.
pub(crate) fn outcome_class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "pass",
        Outcome::Failure => "fail",
        Outcome::Partial => "partial",
        Outcome::Running | Outcome::Aborted => "accent",
        Outcome::Void | Outcome::Unknown => "muted",
    }
}

/// An outcome with its shape, letter and word.
#[component]
pub(crate) fn OutcomeMark(
    outcome: Outcome,
    /// The finer word, if there is one.
    #[prop(optional_no_strip)]
    detail: Option<String>,
) -> impl IntoView {
    view! {
        <span class=format!("outcome {}", outcome_class(outcome))>
            <svg class="shape" viewBox="0 0 12 12" aria-hidden="true">
                <path fill-rule="evenodd" d=shape(outcome)></path>
            </svg>
            <b class="letter">{outcome.letter().to_string()}</b>
            <span class="word">{outcome.as_str()}</span>
            {detail.map(|detail| view! { <span class="detail"><RecordText text=detail/></span> })}
        </span>
    }
}

/// How much a finding matters, with letter and word.
#[component]
pub(crate) fn LevelMark(level: Severity) -> impl IntoView {
    let (class, letter) = match level {
        Severity::Error => ("level fail", "E"),
        Severity::Warning => ("level partial", "W"),
        Severity::Info => ("level muted", "i"),
    };
    view! {
        <span class=class>
            <b class="letter">{letter}</b>
            <span class="word">{level.as_str()}</span>
        </span>
    }
}
