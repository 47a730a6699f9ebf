//! A whole state: what it says of the run, and its iterations.

use serde_json::Value;

use super::super::members::{Members, text_of};
use super::super::parsed_record::{ParsedRecord, ParsedRun};
use super::super::read;
use super::spelling::{
    COUNTER, CRITERIA, END, ID, MAX_ITERATIONS, MAX_MINUTES, MAX_MS, START, TASK, UPDATED,
};
use super::{checks, element, learnings, progress, quality, refutation, verdict};
use crate::json::numeric::omega;
use crate::model::datetime;
use crate::model::details::Details;
use crate::model::finding::{Finding, Severity};
use crate::model::run_details::{Declared, RunDetails};

/// Adds the run that a state describes; one without task and iterations describes none, and says so.
pub(crate) fn parse(parsed: &mut ParsedRecord, value: &Value, at: &str) {
    let mut members = Members::of(value, at);
    let members = &mut members;
    let mut about = about(members);
    let is_session = members.has(&["sessionId", "accumulatedLearnings"]);
    let (listed, mut findings) = iterations(members, is_session);
    let mut steps = listed.clone().unwrap_or_default();
    if let Some(history) = members.list(&["iteration_history"]) {
        findings.extend(quality::add(&mut steps, history, &members.pointer("iteration_history")));
    }
    if steps.is_empty() && about.task.is_none() && members.has(TASK) {
        parsed.findings.extend(findings);
        parsed.findings.push(checks::idle(about.status.as_deref(), at));
        return;
    }
    let parts = members.take(&["accumulatedLearnings"], Value::as_str).map(learnings::parts);
    about.lessons.extend(learnings::place(parts.unwrap_or_default(), &mut steps));
    findings.append(&mut members.findings);
    let has_steps = listed.is_some() || !steps.is_empty();
    findings.extend(checks::of_run(members, &about, has_steps.then_some(&steps)));
    about.texts = members.rest("");
    if let Some(reward) = &about.reward {
        let inner = progress::inner_counters(members);
        let counters = if about.counters.is_empty() { &inner } else { &about.counters };
        let refuted = refutation::of(Some(reward), counters, about.outcome, &about.texts, at);
        let (refutation, finding) = refuted.unzip();
        about.refutation = refutation;
        findings.extend(finding);
    }
    parsed.runs.push(ParsedRun { about, steps });
    parsed.findings.append(&mut findings);
}

/// Everything but the iterations; also what a registry says of a loop.
fn about(members: &mut Members<'_>) -> RunDetails {
    let verdict = verdict::of_run(members);
    let counters = progress::counters(members);
    let inner = progress::inner_counters(members);
    let reward = progress::reward(members, if counters.is_empty() { &inner } else { &counters });
    let config = members.look(&["config"], |v| v.is_object().then_some(v));
    RunDetails {
        key: members.text(ID),
        task: members.text(TASK),
        criteria: members.texts(CRITERIA),
        agent: members.text(&["provider"]),
        model: members.text(&["model"]).or_else(|| read::text(config?.get("model")?)),
        status: members.text(&["status"]),
        outcome: verdict.map(|(outcome, _)| outcome),
        outcome_detail: verdict.and_then(|(_, detail)| detail).map(str::to_owned),
        start: time(members, START, "startTimeMs"),
        end: time(members, END, "endTimeMs"),
        updated: members.time(UPDATED),
        max_iterations: members.integer(MAX_ITERATIONS),
        max_minutes: members
            .number(MAX_MINUTES)
            .or_else(|| members.number(MAX_MS).map(|ms| ms / 60_000.0)),
        counter: members.integer(COUNTER),
        omega: config.and_then(|config| omega(config.get("memory")?)),
        lessons: members.texts(&["learnings"]),
        declared: declared(members),
        reward,
        counters,
        tags: members.texts(&["tags"]),
        ..RunDetails::default()
    }
}

/// A time as written, or one in milliseconds since 1970.
fn time(members: &mut Members<'_>, names: &[&str], ms: &str) -> Option<String> {
    let of_ms = |value: &Value| datetime::of_ms(value.as_i64()?);
    members.time(names).or_else(|| members.take(&[ms], of_ms))
}

/// What the loop says of its own choice and of its end.
fn declared(members: &mut Members<'_>) -> Option<Declared> {
    let reason = |value: &Value| value.get("reason").map(text_of);
    let reason = members.text(&["abortReason"]).or_else(|| members.look(&["finalResult"], reason));
    let declared = Declared {
        best: members.integer(&["best_iteration"]),
        selected: members.integer(&["bestIterationSelected"]),
        reason,
        ..Declared::default()
    };
    (declared != Declared::default()).then_some(declared)
}

/// The iterations of the list; where one has no number, its position counts.
fn iterations(members: &mut Members<'_>, is_session: bool) -> (Option<Vec<Details>>, Vec<Finding>) {
    let mut findings = Vec::new();
    let Some(list) = members.list(&["iterations"]) else { return (None, findings) };
    let at = members.pointer("iterations");
    let mut steps: Vec<Details> = Vec::with_capacity(list.len());
    for (number, (position, value)) in (1..).zip(list.iter().enumerate()) {
        let at = format!("{at}/{position}");
        let (mut step, mut unexpected) = element::read(value, &at, is_session);
        step.number.get_or_insert(number);
        findings.append(&mut unexpected);
        match steps.last_mut() {
            Some(agent) if agent.number == step.number && element::is_broken_off(value) => {
                findings.push(pair(agent, step, at));
            }
            _ => steps.push(step),
        }
    }
    (Some(steps), findings)
}

/// `merge/orchestrator-pair`: an attempt stands twice, as its agent left it and as the failure of
/// whoever ran the agent. The agent's word leads; the other's message is an error of the attempt.
fn pair(agent: &mut Details, orchestrator: Details, at: String) -> Finding {
    let number = agent.number.unwrap_or_default();
    agent.errors.extend(orchestrator.errors);
    agent.texts.extend(orchestrator.texts);
    let message = format!(
        "Iteration {number} is listed twice: this entry is an error of the program that ran the agent."
    );
    Finding::new("merge/orchestrator-pair", Severity::Warning, message)
        .hint("The first entry is used. The message of this one is added to its errors.")
        .pointer(at)
}
