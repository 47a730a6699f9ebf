//! `attempt-study`: a study with one object a task and a list for each fact of its attempts.

use serde_json::Value;

use super::detect;
use super::parsed_record::{Context, ParsedRecord};
use super::read::{Member as _, number};
use super::rest::{as_text, named, others};
use super::traits::{Role, Traits};
use super::{Family, Format, Reading};
use crate::model::details::{Action, Details, ErrorDetails, Reflection, Retrieved, Usage};
use crate::model::finding::{Finding, Severity};
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;
use crate::model::run_details::{Declared, RunDetails};

pub(crate) const FORMAT: Format = Format {
    id: "attempt-study",
    title: "Study with one object for each task",
    gives: "attempts with rewards, answers, reflections and the memory that was retrieved",
    known_by: "an array `per_attempt_rewards`",
    found_at: "any name",
    fits,
    traits: Traits {
        family: Family::Files,
        marks: &["per_attempt_rewards"],
        base: Some(0),
        role: Role::Study,
        assumed: Assumption::of(3, "study logs")
            .noting("An attempt sees the newest 3 of the reflections that are kept for the whole file, at most 5."),
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// The lists that have an item for each attempt.
const LISTS: [&str; 7] = [
    "reflections",
    "per_attempt_rewards",
    "per_attempt_error_types",
    "per_attempt_responses",
    "per_attempt_feedback",
    "per_attempt_retrieved",
    "per_attempt_tokens",
];

/// The other members that have a place.
const KNOWN: [&str; 6] =
    ["task_id", "task_description", "total_attempts", "success", "final_reward", "total_tokens"];

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.get("per_attempt_rewards").is_some_and(Value::is_array)
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let mut findings = checks(value);
    let len = LISTS.iter().map(|name| len_of(value, name).unwrap_or(0)).max().unwrap_or(0);
    let mut steps: Vec<_> = (0..len).map(|k| attempt(value, k, &mut findings)).collect();
    date(&mut steps);
    let known: Vec<&str> = LISTS.into_iter().chain(KNOWN).collect();
    let tokens = value.number("total_tokens");
    let about = RunDetails {
        key: value.text("task_id"),
        task: value.text("task_description"),
        outcome: value.flag("success").map(Outcome::of_verdict),
        counter: value.integer("total_attempts"),
        declared: tokens.map(|tokens| Declared {
            usage: Some(Usage { tokens: Some(tokens), ..Usage::default() }),
            ..Declared::default()
        }),
        reward: detect::unit(value.get("final_reward"), "/final_reward", &mut findings),
        texts: others(value, &known).collect(),
        ..RunDetails::default()
    };
    ParsedRecord { findings, ..ParsedRecord::of(about, steps) }
}

fn len_of(value: &Value, list: &str) -> Option<usize> {
    value.get(list).and_then(Value::as_array).map(Vec::len)
}

/// Attempt `k` of the lists.
fn attempt(value: &Value, k: usize, findings: &mut Vec<Finding>) -> Details {
    let item = |list: &str| value.get(list).and_then(|items| items.get(k)).filter(|v| !v.is_null());
    let reward = item("per_attempt_rewards");
    let reward = detect::unit(reward, &format!("/per_attempt_rewards/{k}"), findings);
    let outcome = reward.as_ref().map(|reward| outcome_of(reward.value));
    let kind = item("per_attempt_error_types").and_then(as_text);
    let feedback = item("per_attempt_feedback").and_then(as_text);
    // What is called an error of an attempt that succeeded is praise.
    let (kind, errors) = match kind {
        Some(kind) if outcome != Some(Outcome::Success) => {
            let message = feedback.clone().unwrap_or_default();
            (None, vec![ErrorDetails { kind, message, ..ErrorDetails::default() }])
        }
        kind => (kind, Vec::new()),
    };
    let feedback = feedback.filter(|_| errors.is_empty());
    Details {
        key: value.text("task_id"),
        number: i64::try_from(k).ok(),
        outcome,
        reward,
        errors,
        actions: item("per_attempt_responses")
            .and_then(as_text)
            .map(Action::of_output)
            .into_iter()
            .collect(),
        reflections: item("reflections")
            .and_then(as_text)
            .map(Reflection::of)
            .into_iter()
            .collect(),
        retrieved: item("per_attempt_retrieved")
            .and_then(Value::as_array)
            .map(|entries| entries.iter().filter_map(retrieved).collect()),
        usage: item("per_attempt_tokens")
            .and_then(number)
            .map(|tokens| Usage { tokens: Some(tokens), ..Usage::default() }),
        texts: named([("error_type", kind), ("feedback", feedback)]).collect(),
        ..Details::default()
    }
}

fn outcome_of(reward: f64) -> Outcome {
    if reward >= 1.0 {
        Outcome::Success
    } else if reward > 0.0 {
        Outcome::Partial
    } else {
        Outcome::Failure
    }
}

/// An entry of the memory; one that names no attempt cannot be distinguished from others.
fn retrieved(entry: &Value) -> Option<Retrieved> {
    Some(Retrieved {
        key: entry.text("task_id")?,
        number: entry.integer("attempt")?,
        text: entry.text("reflection").unwrap_or_default(),
        reward: entry.number("reward"),
        similarity: entry.number("_similarity"),
        time: entry.text("timestamp"),
    })
}

/// Dates the attempts: the time of each stands in the entry that a later attempt of the task retrieved.
fn date(steps: &mut [Details]) {
    let entries = steps.iter().flat_map(|step| step.retrieved.iter().flatten());
    let own =
        entries.filter(|entry| steps.first().is_some_and(|s| s.key.as_ref() == Some(&entry.key)));
    let times: Vec<(i64, String)> =
        own.filter_map(|entry| Some((entry.number, entry.time.clone()?))).collect();
    for step in steps {
        let time = times.iter().find(|(number, _)| Some(*number) == step.number);
        step.time = time.map(|(_, time)| time.clone());
    }
}

/// `study/lengths`, `study/final`, `study/tokens`.
fn checks(value: &Value) -> Vec<Finding> {
    lengths(value).into_iter().chain(ending(value)).chain(tokens(value)).collect()
}

fn lengths(value: &Value) -> Option<Finding> {
    let lens: Vec<_> =
        LISTS.iter().filter_map(|name| Some((*name, len_of(value, name)?))).collect();
    let declared = value.integer("total_attempts").and_then(|n| usize::try_from(n).ok());
    let expected = declared.or_else(|| len_of(value, "per_attempt_rewards"))?;
    let unexpected: Vec<_> = lens.into_iter().filter(|(_, len)| *len != expected).collect();
    let (first, _) = unexpected.first()?;
    let listed: Vec<_> = unexpected.iter().map(|(name, len)| format!("`{name}` {len}")).collect();
    let message = format!(
        "The task has {expected} attempts, but these lists have another number of items: {}.",
        listed.join(", ")
    );
    Some(
        Finding::new("study/lengths", Severity::Warning, message)
            .contrast(format!("{expected} items in each list"), listed.join(", "))
            .hint(
                "Items are matched to attempts by position. Missing values are treated as unknown.",
            )
            .pointer(format!("/{first}")),
    )
}

fn ending(value: &Value) -> Vec<Finding> {
    let last = value.items("per_attempt_rewards").last().and_then(number);
    let Some(last) = last else { return Vec::new() };
    let mut findings = Vec::new();
    if let Some(stated) = value.number("final_reward").filter(|stated| differ(*stated, last)) {
        let message = format!("`final_reward` is {stated}, but the last attempt has {last}.");
        findings.push(
            Finding::new("study/final", Severity::Warning, message)
                .contrast(last.to_string(), stated.to_string())
                .hint("The rewards of the attempts are used.")
                .pointer("/final_reward"),
        );
    }
    let is_solved = !differ(last, 1.0);
    if let Some(stated) = value.flag("success").filter(|stated| *stated != is_solved) {
        let message = format!("`success` is {stated}, but the last attempt has reward {last}.");
        findings.push(
            Finding::new("study/final", Severity::Warning, message)
                .contrast(is_solved.to_string(), stated.to_string())
                .hint("The outcome of the task is taken from `success`, those of its attempts from their rewards.")
                .pointer("/success"),
        );
    }
    findings
}

fn tokens(value: &Value) -> Option<Finding> {
    let total = value.number("total_tokens")?;
    let items: Option<Vec<f64>> = value.items("per_attempt_tokens").map(number).collect();
    let items = items.filter(|items| !items.is_empty())?;
    let sum: f64 = items.iter().sum();
    let message = format!("`total_tokens` is {total}, but the attempts used {sum} together.");
    differ(total, sum).then(|| {
        Finding::new("study/tokens", Severity::Warning, message)
            .contrast(sum.to_string(), total.to_string())
            .pointer("/total_tokens")
    })
}

fn differ(a: f64, b: f64) -> bool {
    (a - b).abs() > 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn study() -> Value {
        json!({"task_id": "q7", "task_description": "Name the harbour.", "domain": "maps",
            "backend": "sliding_window", "total_attempts": 3, "success": true, "final_reward": 1.0,
            "total_tokens": 90, "reflections": ["I named the land.", null, "Short is right."],
            "per_attempt_rewards": [0, 0.5, 1.0],
            "per_attempt_error_types": ["wrong", "partial_match", "exact_match"],
            "per_attempt_responses": ["a", "b", "c"],
            "per_attempt_feedback": ["far off", "close", "right"],
            "per_attempt_retrieved": [[], [{"task_id": "q7", "attempt": 0, "reward": 0,
                "reflection": "I named the land.", "timestamp": "2026-03-01T09:00:00Z"}],
                [{"attempt": 4, "task_id": "q2", "_similarity": 0.25, "reflection": "Look twice."}]],
            "per_attempt_tokens": [20, 30, 40]})
    }

    fn rules(value: &Value) -> Vec<String> {
        let findings = parse(value, &Context::default()).findings;
        findings
            .into_iter()
            .map(|f| format!("{} {}", f.rule, f.pointer.unwrap_or_default()))
            .collect()
    }

    #[test]
    fn items_of_the_lists_are_attempts() {
        let value = study();
        assert!(fits(&value, &Context::default()));
        let parsed = parse(&value, &Context::default());
        assert!(parsed.findings.is_empty(), "{:?}", parsed.findings);
        let run = &parsed.runs[0];
        assert_eq!((run.about.outcome, run.about.counter), (Some(Outcome::Success), Some(3)));
        let names: Vec<_> = run.about.texts.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["domain", "backend"]);
        let outcomes: Vec<_> = run.steps.iter().filter_map(|s| s.outcome).collect();
        assert_eq!(outcomes, [Outcome::Failure, Outcome::Partial, Outcome::Success]);
        let errors: Vec<_> = run.steps.iter().map(|s| s.errors.len()).collect();
        assert_eq!(errors, [1, 1, 0]);
        assert_eq!(run.steps[1].errors[0].message, "close");
        let texts: Vec<_> = run.steps[2].texts.iter().map(|t| t.text.as_str()).collect();
        assert_eq!(texts, ["exact_match", "right"]);
        assert_eq!(run.steps[0].retrieved.as_deref(), Some(&[][..]));
        assert_eq!(run.steps[2].retrieved.as_ref().map(|r| r[0].number), Some(4));
        assert_eq!(run.steps[0].time.as_deref(), Some("2026-03-01T09:00:00Z"));
        assert_eq!((run.steps[1].time.as_deref(), run.steps[1].reflections.len()), (None, 0));
    }

    #[test]
    fn a_log_that_contradicts_itself() {
        let mut value = study();
        value["per_attempt_tokens"] = json!([20, 30, 41]);
        value["final_reward"] = json!(0.5);
        value["success"] = json!(false);
        value["reflections"] = json!(["I named the land.", "x"]);
        assert_eq!(
            rules(&value),
            [
                "study/lengths /reflections",
                "study/final /final_reward",
                "study/final /success",
                "study/tokens /total_tokens"
            ]
        );
    }

    #[test]
    fn lists_alone_are_enough() {
        let value = json!({"per_attempt_rewards": [0.5, -1]});
        assert_eq!(rules(&value), ["reward/out-of-range /per_attempt_rewards/1"]);
        let steps = &parse(&value, &Context::default()).runs[0].steps;
        assert_eq!((steps.len(), steps[0].retrieved.is_none()), (2, true));
        assert_eq!(steps[1].outcome, None);
    }
}
