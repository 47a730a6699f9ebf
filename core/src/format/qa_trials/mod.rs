//! `qa-trials`: text logs of question answering, trial by trial.
//!
//! A record is the prompt of one question as it stood when its trial was over: the reflections in
//! it are those that could be seen during the trial, never the one written because of it. So its
//! parsed record has two parts: the attempt, and the list of reflections, whose parts follow.
//! Which attempt wrote which of them is known only between records: `history/questions.rs`.

mod blocks;
mod record;

use serde_json::Value;

use super::env_results::verdict;
use super::lines::first_lines;
use super::parsed_record::{Context, ParsedRecord};
use super::rest::named;
use super::traits::Traits;
use super::{Family, Format, Reading};
use crate::model::details::{Details, Reflection, Retrieved};
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;
use crate::model::view::RewardView;
use crate::source::framing::Framing;
use blocks::cut;

pub(crate) const FORMAT: Format = Format {
    id: "qa-trials",
    title: "Question answering trials",
    gives: "questions with attempts, verdicts and the reflections that each attempt used",
    known_by: "a line of 40 # and BEGIN TRIAL, or a line BEGIN ... AGENTS",
    found_at: "any name, *.txt",
    fits,
    traits: Traits {
        family: Family::Questions,
        assumed: Assumption::unbounded("Reflexion")
            .noting("The paper says 3; last-trial-and-reflexion keeps 1."),
        prints_retrieved: true,
        ..Traits::USUAL
    },
    reading: Reading::Text { framing: Framing::Text, cut, parse },
};

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    let Some(text) = value.as_str() else { return false };
    let mut lines = first_lines(text);
    let Some(first) = lines.next() else { return false };
    blocks::section_of(first).is_some()
        || (blocks::is_rule(first)
            && lines.next().is_some_and(|line| blocks::trial_of(line).is_some()))
}

/// Position of the list of reflections among the attempts of a parsed record.
pub(crate) const LISTED: usize = 1;

fn parse(text: &str, context: &Context) -> ParsedRecord {
    let record = record::read(text);
    let key = Some(record.question.trim().to_owned()).filter(|q| !q.is_empty());
    let (outcome, detail) = context.verdict.unzip();
    let listed: Vec<_> = record.reflections.iter().cloned().map(Reflection::of).collect();
    let texts = named([
        ("instruction", record.instruction),
        ("context", record.context),
        ("previous_trial", record.previous_trial.clone()),
        ("answer", record.answer),
        ("correct_answer", record.correct_answer),
    ]);
    let attempt = Details {
        key: key.clone(),
        number: context.number,
        task: key.clone(),
        outcome,
        outcome_detail: detail.flatten().map(str::to_owned),
        reward: outcome.and_then(reward_of),
        actions: record.actions,
        retrieved: record.has_list.then(|| shown(key.as_deref(), &record.reflections)),
        flags: record.previous_trial.iter().map(|_| "last-trial".to_owned()).collect(),
        texts: texts.collect(),
        ..Details::default()
    };
    let mut steps = vec![attempt];
    if !listed.is_empty() {
        steps.push(Details { key: key.clone(), reflections: listed, ..Details::default() });
    }
    let about = RunDetails { key: key.clone(), task: key, ..RunDetails::default() };
    ParsedRecord::of(about, steps)
}

/// The reflections that stood in the prompt. Which attempts wrote them is not in the record.
fn shown(key: Option<&str>, texts: &[String]) -> Vec<Retrieved> {
    let entry = |(number, text): (i64, &String)| Retrieved {
        key: key.unwrap_or_default().to_owned(),
        number,
        text: text.clone(),
        ..Retrieved::default()
    };
    (0..).zip(texts).map(entry).collect()
}

/// `reward/derive-verdict` of a section.
pub(crate) fn reward_of(outcome: Outcome) -> Option<RewardView> {
    match outcome {
        Outcome::Success => Some(verdict(true)),
        Outcome::Failure => Some(verdict(false)),
        Outcome::Partial
        | Outcome::Running
        | Outcome::Aborted
        | Outcome::Void
        | Outcome::Unknown => None,
    }
}

#[cfg(test)]
mod tests;
