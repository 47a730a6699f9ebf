//! What an orchestrator made of an iteration's output: `analysis` of a session, or a file of its
//! own.

use serde_json::Value;

use super::super::members::{Members, text_of};
use super::super::read::file;
use super::progress;
use crate::model::details::{Details, ErrorDetails, Reflection};
use crate::model::finding::Finding;
use crate::model::outcome::Outcome;

/// The analysis at a pointer; `prefix` goes before the names of what is kept as text.
pub(crate) fn read(value: &Value, at: &str, prefix: &str) -> (Details, Vec<Finding>) {
    let mut members = Members::of(value, at);
    let success = members.flag(&["success"]);
    let mut step = Details {
        outcome: success.map(Outcome::of_verdict),
        // The agent's own claim.
        reward: progress::percent(&mut members, &["completionPercentage"]),
        errors: errors(&mut members),
        strategy_next: members.text(&["nextApproach"]),
        reflections: members.texts(&["learnings"]).into_iter().map(Reflection::of).collect(),
        files: members
            .list(&["artifactsModified"])
            .into_iter()
            .flatten()
            .filter_map(file)
            .collect(),
        ..Details::default()
    };
    step.texts = members.rest(prefix);
    if members.is_approximate {
        step.flags.push("approximate".to_owned());
    }
    (step, members.findings)
}

/// The failure, and what is in the way.
fn errors(members: &mut Members<'_>) -> Vec<ErrorDetails> {
    let kind = members.text(&["failureClass"]);
    let message = members.take(&["error"], message);
    let failure = (kind.is_some() || message.is_some()).then(|| ErrorDetails {
        message: message.or_else(|| kind.clone()).unwrap_or_default(),
        kind: kind.unwrap_or_else(|| "other".to_owned()),
        ..ErrorDetails::default()
    });
    let blocker = |message| ErrorDetails {
        severity: Some("info".to_owned()),
        ..ErrorDetails::other(message)
    };
    failure.into_iter().chain(members.texts(&["blockers"]).into_iter().map(blocker)).collect()
}

/// A message as text or as an object that has one.
fn message(value: &Value) -> Option<String> {
    let text = text_of(value.get("message").unwrap_or(value));
    (!text.trim().is_empty() && !value.is_boolean()).then_some(text)
}
