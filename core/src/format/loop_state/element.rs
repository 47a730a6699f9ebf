//! One iteration as a state or a file of its own describes it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::members::{Members, text_of};
use super::super::read::{Member as _, file};
use super::spelling::{ACTIONS, BEGAN, DURATION, FILES, NUMBER, TIME};
use super::{analysis, checks, progress, refutation, verdict};
use crate::model::details::{Action, Counter, Details, ErrorDetails, Reflection, Usage};
use crate::model::finding::Finding;
use crate::model::outcome::Outcome;

/// The iteration at a pointer. In a session, a bare `duration` is milliseconds.
pub(crate) fn read(value: &Value, at: &str, is_session: bool) -> (Details, Vec<Finding>) {
    if !value.is_object() {
        return (Details { actions: actions(value), ..Details::default() }, Vec::new());
    }
    let mut members = Members::of(value, at);
    let members = &mut members;
    let is_session = is_session || members.has(&["sessionId", "exitCode"]);
    let is_broken_off = is_broken_off(value);
    let analysis = members.object(&["analysis"]);
    let (mut step, mut findings) = analysis
        .map(|a| analysis::read(a, &members.pointer("analysis"), "analysis."))
        .unwrap_or_default();
    step.key = members.text(&["loopId", "loop_id"]);
    step.number = members.iteration(NUMBER);
    step.start = members.time(BEGAN);
    step.time = members.time(TIME);
    step.duration_ms = members.duration(DURATION, is_session);
    let verdict = verdict::of_element(members, analysis);
    step.outcome = verdict.map(|(outcome, _)| outcome);
    step.outcome_detail = verdict.and_then(|(_, detail)| detail).map(str::to_owned);
    step.reward = step.reward.or_else(|| progress::from_criteria(members));
    step.counters = progress::counters(members);
    let errors = members.number(&["errorCount"]);
    step.counters.extend(errors.map(|value| Counter { name: "errorCount".to_owned(), value }));
    step.usage = members
        .number(&["toolCallCount"])
        .map(|calls| Usage { tool_calls: Some(calls), ..Usage::default() });
    lessons(&mut step, members.texts(&["learnings"]), is_broken_off);
    acts(&mut step, members);
    step.texts.splice(0..0, members.rest(""));
    if members.is_approximate && step.flags.is_empty() {
        step.flags.push("approximate".to_owned());
    }
    findings.append(&mut members.findings);
    let own = step.reward.as_ref();
    let refuted = refutation::of(own, &step.counters, step.outcome, &step.texts, at);
    let (refutation, finding) = refuted.unzip();
    step.refutation = refutation;
    findings.extend(finding);
    let end = || {
        let name = TIME.iter().find(|name| value.has(name));
        name.map(|name| members.pointer(name)).unwrap_or_default()
    };
    findings.extend(checks::duration(step.start.as_deref(), step.time.as_deref(), end));
    (step, findings)
}

/// Whether an orchestrator wrote it because it failed itself: such an element stands beside the
/// one of the agent and has a message where others have a lesson.
pub(super) fn is_broken_off(value: &Value) -> bool {
    value.integer("exitCode") == Some(-1)
        && value
            .text("status")
            .is_some_and(|word| Outcome::read(&word) == (Outcome::Failure, Some("error")))
}

/// Lessons, each once. A message of the orchestrator is an error and no lesson.
fn lessons(step: &mut Details, texts: Vec<String>, is_broken_off: bool) {
    let mut lessons = Vec::new();
    for text in texts {
        let message = text.strip_prefix("Error:").filter(|_| is_broken_off).map(str::trim);
        match message {
            Some(message) if step.errors.iter().any(|e| e.message.trim() == message) => {}
            Some(message) => step.errors.push(ErrorDetails::other(message.to_owned())),
            None => lessons.push(text),
        }
    }
    lessons.extend(step.reflections.drain(..).map(|r| r.text));
    let mut seen = BTreeSet::new();
    lessons.retain(|text| seen.insert(text.trim().to_owned()));
    step.reflections = lessons.into_iter().map(Reflection::of).collect();
}

/// What was done, and to which files.
fn acts(step: &mut Details, members: &mut Members<'_>) {
    let mut files: Vec<String> = Vec::new();
    for name in ACTIONS {
        let Some(value) = members.take(&[name], Some) else { continue };
        if *name == "changes" && value.is_object() {
            let mut changes = Members::of(value, members.pointer(name));
            for list in [&["files_modified", "filesModified"], &["files_created", "filesCreated"]] {
                files.extend(changes.list(list).into_iter().flatten().filter_map(file));
            }
            step.texts.extend(changes.rest("changes."));
        } else {
            step.actions.extend(actions(value));
        }
    }
    let named = members.list(FILES).into_iter().flatten().filter_map(file);
    let all: Vec<String> = named.chain(files).chain(step.files.drain(..)).collect();
    for file in all {
        if !step.files.contains(&file) {
            step.files.push(file);
        }
    }
}

/// Actions of a text, an object, or a list of them.
fn actions(value: &Value) -> Vec<Action> {
    match value {
        Value::Array(items) => items.iter().filter_map(action).collect(),
        Value::Bool(_) | Value::Null => Vec::new(),
        _ => action(value).into_iter().collect(),
    }
}

fn action(value: &Value) -> Option<Action> {
    let description = ["description", "action", "summary", "name"]
        .into_iter()
        .find_map(|name| value.text(name))
        .unwrap_or_else(|| text_of(value));
    let is_there = !value.is_null() && !description.trim().is_empty();
    is_there.then(|| Action {
        kind: value.text("type").unwrap_or_else(|| "other".to_owned()),
        description,
        path: file(value).filter(|_| value.is_object()),
        command: value.text("command"),
        params: value.is_object().then(|| value.to_string()),
        ..Action::default()
    })
}
