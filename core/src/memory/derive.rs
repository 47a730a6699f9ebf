//! What follows from the records that claim something: counts, rows, summaries. Every function sets
//! what it knows and leaves the other members as they are.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::records::Members as _;
use super::{AttemptOutcome, Plan, Record, TaskStatus};
use crate::model::reward::{self, rounded};

/// The rows of a trajectory.
pub(super) fn rows(trajectory: &Record) -> impl Iterator<Item = &Record> {
    let rows = trajectory.get("attempts").and_then(Value::as_array);
    rows.into_iter().flatten().filter_map(Value::as_object)
}

/// Who works on an attempt, as its `attempt.json` says.
pub(super) fn agent_of(attempt: &Record) -> Option<&str> {
    attempt.object_at("execution")?.text_at("agent")
}

/// One attempt, as its folder describes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttemptFacts<'a> {
    pub(super) number: u32,
    /// `attempt.json`.
    pub(super) record: &'a Record,
    /// `outcome.json`, if it says how the attempt ended.
    pub(super) ending: Option<&'a Record>,
}

impl AttemptFacts<'_> {
    /// How it ended, as its `outcome.json` says, else its `attempt.json`.
    pub(super) fn outcome(&self) -> Option<AttemptOutcome> {
        let word = match self.ending {
            Some(ending) => ending.text_at("status"),
            None => self.record.object_at("outcome").and_then(|o| o.text_at("status")),
        };
        word.and_then(AttemptOutcome::named)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ending.is_some() || self.outcome().is_some()
    }
}

/// Rated iterations that an attempt lists while it goes on: its file is written with every action, and
/// must not grow with them. Further ones stand in the log alone until the attempt ends.
pub(super) const MOST_RATED: usize = 256;

/// Counts one more action in the `execution` of an attempt that goes on.
pub(super) fn count(execution: &mut Record, action: &Record) {
    tally(execution, std::slice::from_ref(action));
    if rating(action).is_some() {
        let mut rated = execution.take_list("quality_history");
        rate(&mut rated, std::slice::from_ref(action), MOST_RATED);
        execution.put("quality_history", Some(rated));
    }
}

fn tally(execution: &mut Record, actions: &[Record]) {
    let before = execution.count_at("actions_performed").unwrap_or(0);
    let more = reward::count(actions.len());
    execution.put("actions_performed", Some(before.saturating_add(more)));
    let highest = execution.get("iterations").and_then(Value::as_i64);
    execution.put("iterations", actions.iter().filter_map(iteration).chain(highest).max());
}

fn iteration(record: &Record) -> Option<i64> {
    record.get("iteration").and_then(Value::as_i64)
}

/// The iteration that an action rates, and how.
fn rating(action: &Record) -> Option<(i64, f64)> {
    iteration(action).zip(action.number_at("quality"))
}

/// Adds the ratings of actions to a list while it has fewer than `most`. If an iteration is rated more
/// than once, its last rating counts.
fn rate(rated: &mut Vec<Value>, actions: &[Record], most: usize) {
    let mut places = BTreeMap::new();
    for (at, rating) in rated.iter().enumerate() {
        if let Some(iteration) = rating.as_object().and_then(iteration) {
            places.entry(iteration).or_insert(at);
        }
    }
    for (iteration, quality) in actions.iter().filter_map(rating) {
        let at = *places.entry(iteration).or_insert(rated.len());
        match rated.get_mut(at) {
            Some(Value::Object(rating)) => rating.put("quality", Some(quality)),
            _ if at >= most => drop(places.remove(&iteration)),
            _ => rated.push(json!({"iteration": iteration, "quality": quality})),
        }
    }
    put_deltas(rated);
}

/// By how much each quality differs from the one before.
fn put_deltas(rated: &mut [Value]) {
    let mut before: Option<f64> = None;
    for rating in rated {
        let Value::Object(rating) = rating else { continue };
        let quality = rating.number_at("quality");
        if let Some((quality, before)) = quality.zip(before) {
            rating.put("delta", Some(rounded(quality - before)));
        }
        before = quality.or(before);
    }
}

/// Counts the `execution` of an attempt again from all of its actions. If any of them has a `quality`,
/// all ratings are replaced by those of the actions; further members of a rating stay. None is added to
/// a list that has `most`.
pub(super) fn recount(execution: &mut Record, actions: &[Record], most: usize) {
    execution.shift_remove("actions_performed");
    if actions.iter().any(|action| action.contains_key("iteration")) {
        execution.shift_remove("iterations");
    }
    if !actions.iter().any(|action| action.contains_key("quality")) {
        return tally(execution, actions);
    }
    let mut rated = execution.take_list("quality_history");
    execution.shift_remove("quality_history");
    for rating in rated.iter_mut().filter_map(Value::as_object_mut) {
        rating.shift_remove("quality");
        rating.shift_remove("delta");
    }
    rate(&mut rated, actions, most);
    rated.retain(|rating| {
        rating.as_object().is_none_or(|rating| rating.keys().any(|name| name != "iteration"))
    });
    tally(execution, actions);
    execution.put("quality_history", Some(rated).filter(|rated| !rated.is_empty()));
}

/// What `outcome.json` adds to `attempt.json`.
pub(super) fn end_attempt(record: &mut Record, ending: &Record) {
    record.put("ended", ending.text_at("ended"));
    record.edit("outcome", |outcome| {
        for name in ["status", "reason", "final_quality", "completion_percent"] {
            outcome.put(name, ending.get(name).cloned());
        }
    });
    for name in ["what_worked", "what_didnt_work", "suggestions_for_next_time", "quality_scale"] {
        record.put(name, ending.get(name).cloned());
    }
}

/// The plan as one text: its approach, then its steps as a numbered list.
pub(super) fn plan_text(plan: &Plan) -> Option<String> {
    let steps = (1..).zip(&plan.steps).map(|(n, step)| format!("{n}. {step}"));
    let lines: Vec<_> = plan.approach.clone().into_iter().chain(steps).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The plan of `attempt.json`.
pub(super) fn plan_of(record: &Record) -> Plan {
    let plan = record.object_at("plan");
    Plan {
        approach: plan.and_then(|plan| plan.text_at("approach")).map(str::to_owned),
        steps: plan.map(|plan| plan.texts_at("steps")).unwrap_or_default(),
        estimated_iterations: plan.and_then(|p| p.get("estimated_iterations")?.as_i64()),
    }
}

/// The row of an attempt in `trajectory.json`.
pub(super) fn put_row(trajectory: &mut Record, task: &str, attempt: &AttemptFacts<'_>) {
    if trajectory.text_at("task_id").is_none() {
        trajectory.put("task_id", Some(task));
    }
    let mut rows = trajectory.take_list("attempts");
    let number = |row: &Value| row.get("attempt_id").and_then(Value::as_u64);
    let at = rows.iter().position(|row| number(row) == Some(u64::from(attempt.number)));
    let mut row = match at.and_then(|at| rows.get_mut(at)) {
        Some(Value::Object(row)) => std::mem::take(row),
        _ => Record::new(),
    };
    fill_row(&mut row, attempt);
    if row.contains_key("quality_scale") {
        trajectory.put("quality_scale", row.shift_remove("quality_scale"));
    }
    if let Some(place) = at.and_then(|at| rows.get_mut(at)) {
        *place = Value::Object(row);
    } else {
        let is_later = |row: &Value| number(row).is_some_and(|n| n > attempt.number.into());
        let at = rows.iter().position(is_later).unwrap_or(rows.len());
        rows.insert(at, Value::Object(row));
    }
    trajectory.put("attempts", Some(rows));
}

fn fill_row(row: &mut Record, attempt: &AttemptFacts<'_>) {
    let record = attempt.record;
    let milestones = attempt.ending.and_then(|ending| ending.get("milestones")).cloned();
    // What a row says in words of its own stays.
    for (name, value) in [
        ("attempt_id", Some(Value::from(attempt.number))),
        ("started", record.text_at("started").map(Value::from)),
        ("plan", plan_text(&plan_of(record)).map(Value::from)),
        ("learned_from", record.get("learned_from").cloned()),
        ("milestones", milestones),
    ] {
        row.put(name, value.filter(|_| !row.contains_key(name)));
    }
    let none = Record::new();
    let inner = record.object_at("outcome").unwrap_or(&none);
    let ending = attempt.ending.unwrap_or(inner);
    row.put("ended", ending.text_at("ended").or(record.text_at("ended")));
    row.put("outcome", attempt.outcome().map(AttemptOutcome::as_str));
    let execution = record.object_at("execution").unwrap_or(&none);
    // While an attempt goes on, its own file counts.
    if attempt.has_ended() {
        row.put("actions", execution.count_at("actions_performed"));
        row.put("iterations", execution.get("iterations").filter(|n| n.is_i64()).cloned());
    }
    row.put("final_quality", ending.get("final_quality").cloned());
    row.put("completion_percent", ending.get("completion_percent").cloned());
    row.put("quality_scale", ending.get("quality_scale").cloned());
}

/// Sets the counters of `metadata.json`. The number of ended attempts is one of them, because it shows
/// whether an interrupted call came as far as this file.
pub(super) fn put_counts(metadata: &mut Record, id: &str, numbers: &BTreeSet<u32>, ended: usize) {
    if metadata.text_at("id").is_none() {
        metadata.put("id", Some(id));
    }
    metadata.put("current_attempt", Some(numbers.last().copied().unwrap_or(0)));
    metadata.put("total_attempts", Some(numbers.len()));
    metadata.put("ended_attempts", Some(ended));
}

/// Says whose attempt it is, where nothing does.
pub(super) fn identify(record: &mut Record, task: &str, number: u32) {
    if record.get("id").and_then(Value::as_i64).is_none() {
        record.put("id", Some(number));
    }
    if record.text_at("task_id").is_none() {
        record.put("task_id", Some(task));
    }
}

/// The status of a task, and since when it is over.
pub(super) fn put_status(metadata: &mut Record, status: TaskStatus, time: &str) {
    metadata.put("status", Some(status.as_str()));
    metadata.put("updated", Some(time));
    if status.is_over() {
        metadata.put("completed", Some(time));
    } else {
        metadata.shift_remove("completed");
    }
}

/// What is stored of the status; a task that says nothing is running.
pub(super) fn status_of(metadata: &Record) -> TaskStatus {
    metadata.text_at("status").and_then(TaskStatus::named).unwrap_or(TaskStatus::Running)
}

/// `summary.json`: the task in numbers, from its metadata and its trajectory.
pub(super) fn put_summary(
    summary: &mut Record,
    metadata: &Record,
    trajectory: &Record,
    reflections: usize,
) {
    summary.put("task_id", metadata.text_at("id"));
    summary.put("status", metadata.text_at("status"));
    summary.put("total_attempts", metadata.get("total_attempts").cloned());
    let rows: Vec<&Record> = rows(trajectory).collect();
    let outcome = |row: &Record| row.text_at("outcome").and_then(AttemptOutcome::named);
    summary.edit("outcomes", |outcomes| {
        for known in AttemptOutcome::ALL {
            let n = rows.iter().filter(|row| outcome(row) == Some(known)).count();
            outcomes.put(known.as_str(), Some(n));
        }
    });
    let first = rows.iter().find(|row| outcome(row) == Some(AttemptOutcome::Success));
    summary.put("first_success", first.and_then(|row| row.count_at("attempt_id")));
    let quality =
        |row: &&Record| Some((row.count_at("attempt_id")?, row.number_at("final_quality")?));
    let qualities: Vec<(u32, f64)> = rows.iter().filter_map(quality).collect();
    summary.put("final_quality", qualities.last().map(|(_, quality)| *quality));
    // The earliest of equal ones is the best.
    let best = qualities.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
    summary.put("best_quality", best.map(|(_, quality)| *quality));
    summary.put("best_attempt", best.map(|(number, _)| *number));
    let sum =
        |name: &str| rows.iter().filter_map(|row| row.count_at(name)).map(u64::from).sum::<u64>();
    summary.put("total_actions", Some(sum("actions")));
    summary.put("total_iterations", Some(sum("iterations")));
    summary.put("reflections", Some(reflections));
    summary.put("updated", metadata.text_at("updated"));
}

#[cfg(test)]
mod tests {
    use super::super::line::object as record;
    use super::*;

    #[test]
    fn actions_are_counted_one_by_one_as_all_at_once() {
        let actions = [
            record(json!({"type": "bash", "iteration": 1, "quality": 0.4})),
            record(json!({"type": "read"})),
            record(json!({"type": "bash", "iteration": 2, "quality": 0.5})),
            record(json!({"type": "edit", "iteration": 1, "quality": 0.3})),
        ];
        let mut one_by_one = record(json!({"agent": "coder"}));
        for action in &actions {
            count(&mut one_by_one, action);
        }
        let ratings = json!([{"iteration": 1, "quality": 0.3}, {"iteration": 2, "quality": 0.5, "delta": 0.2}]);
        assert_eq!(one_by_one["quality_history"], ratings);
        assert_eq!(
            (&one_by_one["actions_performed"], &one_by_one["iterations"]),
            (&json!(4), &json!(2))
        );
        let mut again = one_by_one.clone();
        again.put("actions_performed", Some(9));
        recount(&mut again, &actions, MOST_RATED);
        assert_eq!(again, one_by_one);
        let mut foreign = record(json!({"iterations": 7, "quality_history": [1]}));
        recount(&mut foreign, &actions[1..2], MOST_RATED);
        assert_eq!(
            Value::Object(foreign),
            json!({"iterations": 7, "quality_history": [1], "actions_performed": 1})
        );
        let mut foreign = record(json!({"quality_history": [
            {"iteration": 2, "quality": 0.9, "note": "x"}, 1, {"iteration": 8, "quality": 0.9}]}));
        recount(&mut foreign, &actions, MOST_RATED);
        assert_eq!(
            foreign["quality_history"],
            json!([{"iteration": 2, "note": "x", "quality": 0.5}, 1,
                {"iteration": 1, "quality": 0.3, "delta": -0.2}])
        );
    }

    /// Each on its own: were one sought among all before it, this would take minutes.
    #[test]
    fn many_ratings_are_counted() {
        let action = |n: u32| record(json!({"iteration": n, "quality": f64::from(n % 2)}));
        let actions: Vec<_> = (0..50_000).map(action).collect();
        let mut execution = Record::new();
        recount(&mut execution, &actions, usize::MAX);
        let history = execution["quality_history"].as_array().expect("a list");
        assert_eq!((history.len(), &execution["iterations"]), (50_000, &json!(49_999)));
        assert_eq!(history[49_999], json!({"iteration": 49_999, "quality": 1.0, "delta": 1.0}));
    }

    #[test]
    fn rows_stand_in_order_and_keep_what_is_theirs() {
        let mut trajectory =
            record(json!({"attempts": [{"attempt_id": 3, "mood": "calm"}], "own": 1}));
        let attempt =
            record(json!({"started": "a", "plan": {"approach": "Look.", "steps": ["x"]}}));
        let ending =
            record(json!({"status": "timeout", "final_quality": 0.5, "quality_scale": "unit"}));
        for number in [3, 1] {
            let ending = (number == 3).then_some(&ending);
            put_row(&mut trajectory, "t", &AttemptFacts { number, record: &attempt, ending });
        }
        assert_eq!(
            Value::Object(trajectory),
            json!({"own": 1, "task_id": "t", "quality_scale": "unit", "attempts": [
                {"attempt_id": 1, "started": "a", "plan": "Look.\n1. x"},
                {"attempt_id": 3, "mood": "calm", "started": "a", "outcome": "timeout",
                 "plan": "Look.\n1. x", "final_quality": 0.5}]})
        );
    }

    #[test]
    fn a_summary_is_the_task_in_numbers() {
        let metadata = record(json!({"id": "t", "status": "completed", "total_attempts": 3}));
        let trajectory = record(json!({"attempts": [
            {"attempt_id": 1, "outcome": "failure", "final_quality": 0.9, "actions": 2},
            {"attempt_id": 2, "outcome": "success", "final_quality": 0.9, "actions": 3, "iterations": 2},
            {"attempt_id": 3, "outcome": "success", "final_quality": 0.4}]}));
        let mut summary = record(json!({"own": true}));
        put_summary(&mut summary, &metadata, &trajectory, 4);
        assert_eq!(
            Value::Object(summary),
            json!({"own": true, "task_id": "t", "status": "completed", "total_attempts": 3,
                "outcomes": {"success": 2, "failure": 1, "timeout": 0}, "first_success": 2,
                "final_quality": 0.4, "best_quality": 0.9, "best_attempt": 1, "total_actions": 5,
                "total_iterations": 2, "reflections": 4})
        );
    }
}
