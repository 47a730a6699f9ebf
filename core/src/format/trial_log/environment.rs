//! One environment of one trial: the prompt, the memory in it, and what the actor did.

use super::key;
use crate::format::lines::{add_line, leading_number};
use crate::format::parsed_record::{Context, ParsedRecord};
use crate::format::qa_trials::reward_of;
use crate::model::details::{Action, Details, NamedText, Retrieved};
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;

/// What a block says before it is read in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) number: i64,
    pub(super) outcome: Outcome,
    /// It was solved in an earlier trial and not tried in this one.
    pub(super) is_carried: bool,
}

/// `Environment #3:` or `Environment #3: Success`: the number, and what follows.
pub(super) fn header(line: &str) -> Option<(i64, &str)> {
    let (number, rest) = leading_number(line.strip_prefix("Environment #")?)?;
    Some((number, rest.strip_prefix(':')?.trim()))
}

pub(super) fn said(text: &str) -> Option<Said> {
    let (number, rest) = header(text.lines().next()?.trim_end())?;
    if rest == "Success" {
        return Some(Said { number, outcome: Outcome::Success, is_carried: true });
    }
    let status = text.lines().next_back().and_then(|line| line.trim_end().strip_prefix("STATUS:"));
    let outcome = match status.map(str::trim) {
        Some("OK") => Outcome::Success,
        Some("FAIL") => Outcome::Failure,
        _ => Outcome::Unknown,
    };
    Some(Said { number, outcome, is_carried: false })
}

/// A carried environment has a run and no attempt.
pub(super) fn parse(text: &str, _context: &Context) -> ParsedRecord {
    let Some(said) = said(text) else { return ParsedRecord::default() };
    let key = key(said.number);
    if said.is_carried {
        return ParsedRecord::of_run(RunDetails { key: Some(key), ..RunDetails::default() });
    }
    let mut lines: Vec<&str> = text.lines().skip(1).map(str::trim_end).collect();
    if lines.last().is_some_and(|line| line.starts_with("STATUS:")) {
        lines.pop();
    }
    let mut step = Details {
        outcome: Some(said.outcome),
        reward: reward_of(said.outcome),
        ..Details::default()
    };
    let start = lines.iter().rposition(|line| *line == "Here is the task:");
    let (prompt, history) = lines.split_at(start.map_or(0, |at| at + 1));
    step.retrieved = start.map(|_| memory(&key, prompt));
    step.key = Some(key);
    let prompt = prompt.iter().take_while(|line| **line != MEMORY);
    text_of(&mut step, "prompt", prompt.copied().filter(|line| *line != "Here is the task:"));
    let begun = history.iter().position(|line| line.starts_with("> ")).unwrap_or(history.len());
    let (before, acted) = history.split_at(begun);
    step.task =
        before.iter().find(|line| line.starts_with("Your task is to")).map(ToString::to_string);
    let is_no_task = |line: &&str| Some(*line) != step.task.as_deref();
    let before: Vec<&str> = before.iter().copied().filter(is_no_task).collect();
    text_of(&mut step, "observation", before.into_iter());
    step.actions = actions(acted);
    ParsedRecord::of_step(step)
}

const MEMORY: &str = "Your memory for the task below:";

/// The window that was injected; labels begin at 0 in each window.
fn memory(key: &str, prompt: &[&str]) -> Vec<Retrieved> {
    let Some(at) = prompt.iter().rposition(|line| *line == MEMORY) else { return Vec::new() };
    let mut shown: Vec<Retrieved> = Vec::new();
    for line in prompt.iter().skip(at + 1).filter(|line| **line != "Here is the task:") {
        let label = line.strip_prefix("Trial ").and_then(leading_number);
        let label = label.and_then(|(number, rest)| Some((number, rest.strip_prefix(':')?)));
        match (label, shown.last_mut()) {
            (Some((number, rest)), _) => shown.push(Retrieved {
                key: key.to_owned(),
                number,
                text: rest.trim().to_owned(),
                ..Retrieved::default()
            }),
            (None, Some(last)) => add_line(&mut last.text, line),
            (None, None) => {}
        }
    }
    for entry in &mut shown {
        entry.text.truncate(entry.text.trim_end().len());
    }
    shown
}

/// Lines `> ` are actions, the ones below what came of them.
fn actions(lines: &[&str]) -> Vec<Action> {
    let mut actions: Vec<Action> = Vec::new();
    for line in lines {
        if let Some(said) = line.strip_prefix("> ") {
            let said = said.trim();
            let thought = said.strip_prefix("think:").map(|text| text.trim().to_owned());
            actions.push(Action {
                kind: if thought.is_some() { "thought" } else { "action" }.to_owned(),
                description: said.to_owned(),
                reasoning: thought,
                ..Action::default()
            });
        } else if let Some(action) = actions.last_mut() {
            add_line(action.output.get_or_insert_default(), line);
        }
    }
    for action in &mut actions {
        action.output = action.output.take().map(|o| o.trim().to_owned()).filter(|o| !o.is_empty());
    }
    actions
}

fn text_of<'a>(step: &mut Details, name: &str, lines: impl Iterator<Item = &'a str>) {
    let text = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
    if !text.is_empty() {
        step.texts.push(NamedText { name: name.to_owned(), text });
    }
}
