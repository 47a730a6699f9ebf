//! An attempt as a record of reflection memory.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::LoopError;
use super::error_code::LoopErrorCode;
use super::problem::Problem;
use crate::format::extracted::Verification;
use crate::format::reflection_memory::FAILURE_CATEGORIES;
use crate::model::datetime::is_date_time;
use crate::model::omega::Policy;
use crate::model::reward::rounded;
use crate::validate::schema::is_loop_id;

/// What a record says that its entry does not know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordContext {
    /// Must match `^ralph-[a-z0-9-]+$`.
    pub loop_id: String,
    /// Date and time at which the attempt was complete, RFC 3339.
    pub at: String,
    /// The task.
    pub task_description: Option<String>,
    /// The generator's configuration (`{action}`, `{run, language}`), or null for a callback.
    pub generator: Value,
    /// The corrector's, as `generator`.
    pub corrector: Value,
    /// Each evaluator's configuration: `type`, `name`, `verification_type`.
    pub evaluators: Vec<Value>,
    /// The entry before, for the delta.
    pub previous: Option<Value>,
    /// A corrector's context was in the state that the generator saw: strategy `regenerated with
    /// context`.
    pub has_context: bool,
    /// Ω, 1 to 10.
    pub omega: Option<u8>,
    /// `fifo`, `recency` or `relevance_weighted`.
    pub policy: Option<String>,
    /// Iterations, from 0, of the reflections in the window after this record was taken in.
    pub reflections_in_context: Vec<i64>,
    /// Reflections so far, this one included.
    pub total_reflections: Option<u64>,
    /// Feedback or memory was not empty in the step.
    pub context_injected: bool,
    /// Iterations, from 0, that the feedback window held.
    pub previous_reflections_used: Vec<i64>,
    /// On the last record: the stop reason.
    pub notes: Option<String>,
}

impl RecordContext {
    /// Reads the JSON form; unknown keys are ignored.
    ///
    /// # Errors
    ///
    /// Type `config`, code `config_value`, for what is no object and for members of another type.
    pub fn from_value(value: Value) -> Result<Self, LoopError> {
        let refused = |why: &str| {
            let message = format!("The context of the record is not valid: {why}.");
            LoopError::from(Problem::new(LoopErrorCode::ConfigValue, "", message))
        };
        // Its serde form would also take a list of its members.
        if !value.is_object() {
            return Err(refused("it must be an object"));
        }
        Self::deserialize(value).map_err(|error| refused(&error.to_string()))
    }
}

/// The `loop_id` of a loop's memory: as given, or made of its name, and then the suffix that the host
/// gave this loop, if any.
///
/// # Errors
///
/// `config_loop_id` for one that the schema of records refuses, or if there is neither.
pub(crate) fn loop_id(
    id: Option<&str>,
    name: Option<&str>,
    suffix: &str,
) -> Result<String, Problem> {
    let problem =
        |field: &str, message: &str| Problem::new(LoopErrorCode::ConfigLoopId, field, message);
    let mut loop_id = match (id, name) {
        (Some(id), _) if is_loop_id(id) => Ok(id.to_owned()),
        (Some(id), _) => {
            let message = format!(
                "`loop_id` must be `ralph-` followed by letters a to z, digits and hyphens, found \
                 {id:?}."
            );
            Err(problem("/loop_id", &message))
        }
        (None, Some(name)) if !name.trim().is_empty() => Ok(format!("ralph-{}", slug(name))),
        (None, Some(_)) => Err(problem("/name", "`name` must not be blank.")),
        (None, None) => Err(problem("", "`memory` needs a `loop_id` or a `name`.")),
    }?;
    if !suffix.is_empty() {
        loop_id.extend(["-", suffix]);
    }
    Ok(loop_id)
}

/// Letters and digits of ASCII in lower case, with one hyphen for everything between; a name that
/// has none of them is distinguished by its hash.
fn slug(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-");
    if slug.is_empty() {
        format!("{:x}", xxhash_rust::xxh3::xxh3_64(name.as_bytes()))
    } else {
        slug
    }
}

/// Turns an entry of a loop's history into a record of reflection memory (docs/spec/loop.md, 16).
///
/// `None` without a `loop_id` and a date and time that the schema of records accepts. Every record
/// made so is valid under [`Profile::Strict`](crate::Profile).
pub fn to_record(entry: &Value, context: &RecordContext) -> Option<Value> {
    let number = entry.get("iteration")?.as_u64()?.checked_sub(1)?;
    if !is_loop_id(&context.loop_id) || !is_date_time(&context.at) {
        return None;
    }
    let used = &context.previous_reflections_used;
    Some(present(json!({
        "loop_id": context.loop_id,
        "iteration": number,
        "timestamp": context.at,
        "task_description": context.task_description,
        "actor_output": actor(entry, context, number),
        "evaluator_output": evaluation(entry, context),
        "self_reflection": reflection(entry),
        "memory_metadata": memory(context),
        "context_injected": context.context_injected,
        "previous_reflections_used": (!used.is_empty()).then_some(used),
        "performance_delta": context.previous.as_ref().map(|previous| delta(entry, previous)),
        "notes": context.notes,
    })))
}

/// An object without the members that are null.
fn present(mut object: Value) -> Value {
    if let Value::Object(members) = &mut object {
        members.retain(|_, value| !value.is_null());
    }
    object
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str().filter(|text| !text.trim().is_empty())
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn is_valid(entry: &Value) -> bool {
    entry.get("valid").and_then(Value::as_bool).unwrap_or(false)
}

fn actor(entry: &Value, context: &RecordContext, number: u64) -> Value {
    let is_corrected = text(entry, "origin") == Some("corrected");
    let called = if is_corrected { &context.corrector } else { &context.generator };
    let language = text(called, "language").unwrap_or("python");
    let (kind, what) = match (text(called, "action"), text(called, "run")) {
        (Some(action), _) => ("api_call", format!("Called {action}")),
        (None, Some(_)) => ("command_execution", format!("Ran {language} code")),
        (None, None) if text(called, "prompt").is_some() => {
            ("api_call", "Sent a prompt to a model".to_owned())
        }
        (None, None) => ("other", "Called back".to_owned()),
    };
    let whom = if is_corrected { "to correct an output" } else { "to generate an output" };
    let tries = entry.get("tries").and_then(Value::as_u64).unwrap_or(1).max(1);
    let round = number + 1;
    let (strategy, done) = match (is_corrected, context.has_context) {
        (true, _) => {
            ("corrected", "judged what the corrector made of an output of the round before")
        }
        (false, true) => (
            "regenerated with context",
            "generated a new output with the context that the corrector added",
        ),
        (false, false) => ("generated", "generated an output"),
    };
    let of_output = entry.get("output").and_then(|output| text(output, "rationale"));
    let rationale = of_output.map_or_else(|| format!("Round {round} {done}."), str::to_owned);
    let description = format!("{what} {whom}: round {round}, try {tries}.");
    // The code itself stays in the configuration.
    let command = (kind == "command_execution").then_some(language);
    json!({
        "actions": [present(json!({"type": kind, "description": description, "command": command}))],
        "rationale": rationale,
        "strategy": strategy,
    })
}

fn evaluation(entry: &Value, context: &RecordContext) -> Value {
    let kind = text(entry, "kind").unwrap_or_default();
    let passed = is_valid(entry);
    let errors: Vec<Value> = list(entry, "errors").iter().map(|item| error(item, passed)).collect();
    let score = entry.get("score").and_then(Value::as_f64).filter(|score| score.is_finite());
    let score = score.filter(|_| !matches!(kind, "generator" | "unevaluated"));
    present(json!({
        "passed": passed,
        "verification_type": verification(context),
        "results": results(entry, context, kind),
        "errors": errors,
        "reward_signal": score.map(|score| score.clamp(0.0, 1.0)),
    }))
}

fn verification(context: &RecordContext) -> &str {
    let [only] = context.evaluators.as_slice() else {
        return if context.evaluators.is_empty() { "heuristic" } else { "combined" };
    };
    match text(only, "verification_type").and_then(Verification::named) {
        Some(kind) => kind.as_str(),
        None if matches!(text(only, "type"), None | Some("schema")) => "type_check",
        None => "heuristic",
    }
}

fn results(entry: &Value, context: &RecordContext, kind: &str) -> Value {
    let rows = list(entry, "evaluators");
    let is_single = context.evaluators.len() == 1;
    let result = |(i, evaluator): (usize, &Value)| {
        let row = if is_single { Some(entry) } else { rows.get(i) };
        let has_run = row.is_some() && (!is_single || matches!(kind, "evaluation" | "evaluator"));
        let has_crashed = row.is_some_and(|row| list(row, "errors").iter().any(is_crash));
        let status = match (has_run, has_crashed, row.is_some_and(is_valid)) {
            (false, ..) => "skip",
            (true, true, _) => "error",
            (true, false, true) => "pass",
            (true, false, false) => "fail",
        };
        let tool = text(evaluator, "name").or_else(|| text(evaluator, "type")).unwrap_or("schema");
        // The time of an entry with one evaluator is that of the whole round.
        let ms = row.filter(|_| has_run && !is_single).and_then(|row| row.get("ms")?.as_f64());
        #[expect(clippy::cast_possible_truncation, reason = "saturates; no call takes that long")]
        let duration_ms = ms.map(|ms| ms.round() as i64);
        present(json!({"tool": tool, "status": status, "duration_ms": duration_ms}))
    };
    let all = context.evaluators.iter().enumerate().map(result);
    // What was tolerated is a warning among the errors: a failed check would contradict the verdict.
    let is_tolerated =
        |row: &Value| is_valid(entry) && matches!(text(row, "status"), Some("fail" | "error"));
    all.filter(|row| !is_tolerated(row)).collect()
}

fn is_crash(item: &Value) -> bool {
    matches!(text(item, "code"), Some("evaluator_failed" | "unavailable" | "timeout"))
}

fn error(item: &Value, passed: bool) -> Value {
    let code = text(item, "code");
    let kind = match (text(item, "keyword"), code) {
        (_, Some("parse_failed" | "cut_off")) => "syntax_error",
        (_, Some("timeout")) => "timeout",
        (
            _,
            Some(
                "generator_failed" | "evaluator_failed" | "corrector_failed" | "unavailable"
                | "refused",
            ),
        ) => "runtime_error",
        (Some("type"), Some("schema")) => "type_error",
        (_, Some("schema" | "too_deep" | "stopped")) => "other",
        // What a judge or a callback says, with or without codes of its own.
        _ => "logic_error",
    };
    present(json!({
        "type": kind,
        "message": said(item),
        "severity": if passed { "warning" } else { "error" },
        "rule": text(item, "keyword").or(code),
    }))
}

/// What an item says, as text.
fn said(item: &Value) -> String {
    match item {
        Value::String(text) => text.clone(),
        _ => item
            .get("message")
            .and_then(Value::as_str)
            .map_or_else(|| item.to_string(), str::to_owned),
    }
}

fn reflection(entry: &Value) -> Value {
    // The corrector's words: a text, or an object with what it said besides.
    let of_corrector = entry.get("reflection").unwrap_or(&Value::Null);
    let remark = |key: &str| of_corrector.get(key).or_else(|| entry.get(key));
    let written = of_corrector.as_str().or_else(|| text(of_corrector, "reflection"));
    // A success teaches nothing that the next attempt lacks: without a text it takes no place in a
    // window.
    let written = if is_valid(entry) {
        Some("")
    } else {
        written.filter(|text| !text.trim().is_empty()).or_else(|| text(entry, "feedback"))
    };
    let errors = list(entry, "errors");
    let lines = || {
        let line = |item: &Value| match text(item, "path") {
            Some(path) => format!("- {path}: {}", said(item)),
            None => format!("- {}", said(item)),
        };
        errors.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let reflection_text = match written {
        Some(written) => written.to_owned(),
        None if errors.is_empty() => {
            "The output was not accepted; the evaluator gave no reason.".to_owned()
        }
        None => lines(),
    };
    let insights = match remark("insights") {
        Some(Value::Array(items)) => items.as_slice(),
        Some(one @ Value::String(_)) => std::slice::from_ref(one),
        _ => &[],
    };
    let insights: Vec<Value> =
        list(entry, "suggestions").iter().chain(insights).map(|item| said(item).into()).collect();
    let category = remark("failure_category").and_then(Value::as_str);
    let first = errors.first().filter(|_| !is_valid(entry));
    let credit = present(json!({
        "failing_action_indices": (!is_valid(entry)).then_some([0]),
        "root_cause": first.map(said),
        "failure_category": category.filter(|word| FAILURE_CATEGORIES.contains(word)),
    }));
    let confidence = remark("confidence")
        .filter(|given| given.as_f64().is_some_and(|confidence| (0.0..=1.0).contains(&confidence)));
    present(json!({
        "reflection_text": reflection_text,
        "actionable_insights": (!insights.is_empty()).then_some(insights),
        "credit_assignment": (credit != json!({})).then_some(credit),
        "confidence": confidence,
    }))
}

fn memory(context: &RecordContext) -> Value {
    let policy = context.policy.as_deref().and_then(|word| Policy::parse(word).ok());
    present(json!({
        "omega_capacity": context.omega.unwrap_or(3).clamp(1, 10),
        "current_memory_size": context.reflections_in_context.len(),
        "reflections_in_context": context.reflections_in_context,
        "window_policy": policy.unwrap_or_default().as_str(),
        "total_reflections_generated": context.total_reflections,
    }))
}

fn delta(entry: &Value, previous: &Value) -> Value {
    let score = |entry: &Value| entry.get("score").and_then(Value::as_f64).unwrap_or_default();
    // What an accepted attempt lists are warnings.
    let errors = |entry| if is_valid(entry) { 0 } else { list(entry, "errors").len() };
    let count = |entry| i64::try_from(errors(entry)).unwrap_or(i64::MAX);
    let change = rounded(score(entry) - score(previous));
    json!({
        "reward_change": change,
        "error_count_change": count(entry) - count(previous),
        "is_improvement": change > 0.0,
    })
}

#[cfg(test)]
mod tests;
