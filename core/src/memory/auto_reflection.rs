//! What an attempt teaches: reflections in the words of the host, or of facts where it has none.

use std::collections::BTreeMap;

use serde_json::Value;

use super::records::{Members as _, list};
use super::request::said;
use super::{AttemptOutcome, CompleteAttempt, Record, ReflectionText, ReflectionType, Trigger};
use crate::insight::signature::signature;
use crate::model::details::ErrorDetails;
use crate::model::outcome::Outcome;
use crate::text::counted;
use crate::window::budget;
use crate::window::entry::Entry;
use crate::window::render::{Layout, render};

/// Characters of an error that a sentence quotes.
const QUOTED: usize = 200;

/// A reflection as a line of `reflections.jsonl`. What the host says counts, part by part; `facts` fill
/// the rest, and `from_facts` names what they filled.
pub(super) fn record(
    attempt: u32,
    time: &str,
    (trigger, kind): (Trigger, ReflectionType),
    own: Option<&ReflectionText>,
    facts: &ReflectionText,
) -> Record {
    let none = ReflectionText::default();
    let own = own.unwrap_or(&none);
    let mut record = Record::new();
    record.put("timestamp", Some(time));
    record.put("attempt_id", Some(attempt));
    let mut filled: Vec<String> = Vec::new();
    for (name, own, fact) in [
        ("observation", &own.observation, &facts.observation),
        ("analysis", &own.analysis, &facts.analysis),
        ("learning", &own.learning, &facts.learning),
    ] {
        let own = said(own.as_ref());
        if own.is_none() && fact.is_some() {
            filled.push(name.to_owned());
        }
        record.put(name, own.or(fact.as_deref()));
    }
    // Action items made of facts would not follow from a learning that the host stated.
    let has_items = said(own.learning.as_ref()).is_some() || !own.action_items.is_empty();
    let items = if has_items { &own.action_items } else { &facts.action_items };
    record.put("action_items", list(items));
    record.put("triggered_by", Some(trigger.as_str()));
    record.put("reflection_type", Some(kind.as_str()));
    record.put("from_facts", list(&filled));
    record
}

/// What can be said of an attempt without understanding it.
pub(super) fn of_attempt(
    number: u32,
    request: &CompleteAttempt,
    execution: &Record,
    actions: &[Record],
) -> ReflectionText {
    let is_success = request.outcome == AttemptOutcome::Success;
    let failed: Vec<&Record> =
        actions.iter().filter(|a| a.get("success") == Some(&Value::Bool(false))).collect();
    let error = most_frequent(&failed);
    let ended = match request.outcome {
        AttemptOutcome::Success => "succeeded",
        AttemptOutcome::Failure => "failed",
        AttemptOutcome::Timeout => "ran out of time",
    };
    let reason = request.reason.as_deref().map(trimmed).filter(|reason| !reason.is_empty());
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    let iterations = execution.count_at("iterations").filter(|n| *n > 0);
    let observation = format!(
        "Attempt {number} {ended}{reason}. It took {}{}{}.",
        counted(actions.len(), "action"),
        match (actions.len(), failed.len()) {
            (_, 0) => String::new(),
            (1, _) => " (it failed)".to_owned(),
            (_, n) => format!(" ({n} of them failed)"),
        },
        iterations.map_or(String::new(), |n| format!(" in {}", counted(n as usize, "iteration"))),
    );
    let worked = sentence("What worked: ", &request.what_worked).filter(|_| is_success);
    let did_not = sentence("What did not work: ", &request.what_didnt_work);
    let seen = error.as_ref().map(|(error, n)| match n {
        1 => format!("An action failed with `{error}`."),
        n => format!("The most frequent error, {n} times: `{error}`."),
    });
    let mut analysis: Vec<String> = [worked, did_not, seen].into_iter().flatten().collect();
    if analysis.is_empty() {
        analysis.push("No cause was recorded.".to_owned());
    }
    let learning = sentence("", &request.suggestions_for_next_time).or(if is_success {
        sentence("Do again: ", &request.what_worked)
    } else {
        sentence("Do not repeat: ", &request.what_didnt_work).or_else(|| {
            error.as_ref().map(|(error, _)| format!("Resolve `{error}` before anything else."))
        })
    });
    ReflectionText {
        observation: Some(observation),
        analysis: Some(analysis.join(" ")),
        // There is no fallback text, because a learning becomes the plan of the next attempt.
        learning,
        action_items: request.suggestions_for_next_time.clone(),
    }
}

/// What can be said of a task that is over: `rows` are those of its trajectory, `reflections` what its
/// attempts taught.
pub(super) fn of_task(
    is_completed: bool,
    rows: &[&Record],
    reflections: &[Record],
) -> ReflectionText {
    let outcomes: Vec<_> =
        rows.iter().map(|row| row.text_at("outcome").unwrap_or("open")).collect();
    let what = if is_completed { "was completed" } else { "was abandoned" };
    let qualities: Vec<_> = rows
        .iter()
        .filter_map(|row| row.number_at("final_quality"))
        .map(|q| q.to_string())
        .collect();
    let mut learnings: Vec<String> = Vec::new();
    for learning in reflections.iter().filter_map(|r| r.text_at("learning")) {
        let learning = trimmed(learning).to_owned();
        if !learnings.contains(&learning) {
            learnings.push(learning);
        }
    }
    let analysis = match qualities.as_slice() {
        [] => "No attempt was rated.".to_owned(),
        all => format!("Quality at the end of the attempts: {}.", all.join(", ")),
    };
    ReflectionText {
        observation: Some(format!(
            "The task {what} after {}: {}.",
            counted(rows.len(), "attempt"),
            outcomes.join(", ")
        )),
        analysis: Some(analysis),
        learning: sentence("What the attempts taught: ", &learnings),
        action_items: Vec::new(),
    }
}

/// The first line of the most frequent error, and how often it occurs. Among equally frequent ones the
/// latest is taken.
fn most_frequent(failed: &[&Record]) -> Option<(String, usize)> {
    let mut met: BTreeMap<String, (usize, usize, &str)> = BTreeMap::new();
    for (at, error) in
        failed.iter().enumerate().filter_map(|(at, a)| Some((at, a.text_at("error")?)))
    {
        let (times, last, text) = met
            .entry(signature(&ErrorDetails {
                message: error.to_owned(),
                ..ErrorDetails::default()
            }))
            .or_insert((0, 0, error));
        *times += 1;
        (*last, *text) = (at, error);
    }
    let (times, _, error) = met.into_values().max_by_key(|(times, last, _)| (*times, *last))?;
    Some((quoted(error), times))
}

/// The first line of an error, as a sentence quotes it.
pub(super) fn quoted(error: &str) -> String {
    let line = error.trim().lines().next().unwrap_or_default();
    line.chars().take(QUOTED).collect::<String>().replace('`', "'")
}

fn trimmed(text: &str) -> &str {
    text.trim().trim_end_matches('.')
}

/// Texts as one sentence; none if they say nothing.
fn sentence(lead: &str, texts: &[String]) -> Option<String> {
    let texts: Vec<_> = texts.iter().map(|t| trimmed(t)).filter(|t| !t.is_empty()).collect();
    (!texts.is_empty()).then(|| format!("{lead}{}.", texts.join("; ")))
}

/// A stored reflection as windows have it; none if it says nothing.
pub(super) fn entry(record: &Record) -> Option<Entry> {
    let text = |name: &str| record.text_at(name).map(str::to_owned);
    let parts = ["observation", "analysis", "learning"].map(text);
    let whole: Vec<_> = parts.iter().flatten().map(String::as_str).collect();
    let items = record.texts_at("action_items");
    if whole.is_empty() && items.is_empty() {
        return None;
    }
    let outcome = record.text_at("triggered_by").map_or(Outcome::Unknown, |w| Outcome::read(w).0);
    let number = record.get("attempt_id").and_then(Value::as_i64).unwrap_or(0);
    // Empty without an observation, because a layout would then show this text as the observation.
    let whole = if parts[0].is_some() { whole.join("\n\n") } else { String::new() };
    let [observation, analysis, learning] = parts;
    Some(Entry {
        insights: items.clone(),
        lessons: learning.clone().into_iter().collect(),
        kind: text("reflection_type"),
        observation,
        analysis,
        learning,
        action_items: items,
        ..Entry::new(number, outcome, whole)
    })
}

/// A reflection in the template of the memory.
pub(super) fn rendered(record: &Record) -> String {
    entry(record).map(|entry| render(&[entry], Layout::Episodic)).unwrap_or_default()
}

/// Tokens of all that an entry says.
fn tokens(entry: &Entry) -> u32 {
    let parts = [&entry.observation, &entry.analysis, &entry.learning];
    let text: Vec<_> = parts.into_iter().flatten().map(String::as_str).collect();
    budget::estimate(&text.join("\n\n"), &entry.action_items)
}

/// The latest reflections that fit, oldest first, by position.
pub(super) fn latest(
    reflections: &[Record],
    omega: Option<u8>,
    token_budget: Option<u32>,
) -> Vec<usize> {
    let all: Vec<(usize, Entry)> =
        reflections.iter().enumerate().filter_map(|(at, r)| Some((at, entry(r)?))).collect();
    let first = omega.map_or(0, |omega| all.len().saturating_sub(usize::from(omega)));
    let held = all.get(first..).unwrap_or_default();
    let tokens: Vec<u32> = held.iter().map(|(_, entry)| tokens(entry)).collect();
    let fitting = token_budget.map_or(0, |budget| budget::fit(&tokens, budget).0);
    held.iter().skip(fitting).map(|(at, _)| *at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn records(values: &[Value]) -> Vec<Record> {
        values.iter().filter_map(|value| value.as_object().cloned()).collect()
    }

    fn request(outcome: &str) -> CompleteAttempt {
        let value = json!({"now": "2026-03-05T09:00:00Z", "task": "t", "outcome": outcome,
            "reason": "two checks red.", "suggestionsForNextTime": []});
        serde_json::from_value(value).expect("it is one")
    }

    #[test]
    fn facts_are_counted_and_quoted() {
        let actions = records(&[
            json!({"success": false, "error": "port 8080 is taken\nmore"}),
            json!({"success": true, "error": "a warning"}),
            json!({"success": false, "error": "no such file"}),
            json!({"success": false, "error": "Port 9090 is taken"}),
        ]);
        let execution = records(&[json!({"iterations": 2})]).remove(0);
        let text = of_attempt(2, &request("failure"), &execution, &actions);
        assert_eq!(
            text.observation.as_deref(),
            Some(
                "Attempt 2 failed: two checks red. It took 4 actions (3 of them failed) in 2 iterations."
            )
        );
        assert_eq!(
            text.analysis.as_deref(),
            Some("The most frequent error, 2 times: `Port 9090 is taken`.")
        );
        assert_eq!(
            text.learning.as_deref(),
            Some("Resolve `Port 9090 is taken` before anything else.")
        );
        let bare = of_attempt(1, &request("timeout"), &Record::new(), &[]);
        assert_eq!(bare.analysis.as_deref(), Some("No cause was recorded."));
        assert_eq!(bare.learning, None, "what says nothing is no lesson");
        let mut good = request("success");
        good.what_worked = vec!["small steps".to_owned(), "tests first.".to_owned()];
        let good = of_attempt(3, &good, &Record::new(), &actions[..1]);
        assert_eq!(
            good.analysis.as_deref(),
            Some(
                "What worked: small steps; tests first. An action failed with `port 8080 is taken`."
            )
        );
        assert_eq!(good.learning.as_deref(), Some("Do again: small steps; tests first."));
    }

    #[test]
    fn words_of_the_host_count_part_by_part() {
        let said =
            ReflectionText { learning: Some("Look.".to_owned()), ..ReflectionText::default() };
        let facts = ReflectionText {
            observation: Some("It failed.".to_owned()),
            learning: Some("Unknown.".to_owned()),
            action_items: vec!["guess".to_owned()],
            ..ReflectionText::default()
        };
        let kind = (Trigger::Timeout, Trigger::Timeout.reflection_type());
        let record = record(2, "now", kind, Some(&said), &facts);
        assert_eq!(
            Value::Object(record.clone()),
            json!({"timestamp": "now", "attempt_id": 2, "observation": "It failed.",
                "learning": "Look.", "triggered_by": "timeout",
                "reflection_type": "process-improvement", "from_facts": ["observation"]})
        );
        assert_eq!(
            rendered(&record),
            "## Reflection on Attempt 2\n**Observation**: It failed.\n**Learning**: Look.\n"
        );
    }

    #[test]
    fn the_latest_that_fit() {
        let long = "x".repeat(400);
        let all = records(&[
            json!({"attempt_id": 1, "learning": "a"}),
            json!({"attempt_id": 2, "learning": " "}),
            json!({"attempt_id": 3, "learning": long}),
            json!({"attempt_id": 4, "learning": "b"}),
        ]);
        assert_eq!(latest(&all, None, None), [0, 2, 3]);
        assert_eq!(latest(&all, Some(2), None), [2, 3]);
        assert_eq!(latest(&all, Some(3), Some(50)), [3]);
        assert!(latest(&all, Some(0), None).is_empty());
    }

    #[test]
    fn the_end_of_a_task_is_read_from_its_rows() {
        let rows = records(&[
            json!({"outcome": "failure", "final_quality": 0.4}),
            json!({"outcome": "success"}),
        ]);
        let taught =
            records(&[json!({"learning": "Look."}), json!({"learning": "Look"}), json!({})]);
        let text = of_task(true, &rows.iter().collect::<Vec<_>>(), &taught);
        assert_eq!(
            text.observation.as_deref(),
            Some("The task was completed after 2 attempts: failure, success.")
        );
        assert_eq!(text.analysis.as_deref(), Some("Quality at the end of the attempts: 0.4."));
        assert_eq!(text.learning.as_deref(), Some("What the attempts taught: Look."));
        assert_eq!(of_task(false, &[], &[]).learning, None);
    }
}
