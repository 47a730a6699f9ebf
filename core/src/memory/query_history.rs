//! What a task remembers (`query_history`).

use serde_json::Value;

use super::cache::{Cache, Stop};
use super::records::{Lines, Notes, bytes_at};
use super::task::{Attempt, Task};
use super::{
    AttemptHistory, MemoryAnswer, MemoryDone, QueryHistory, Record, TaskHistory, clock, names,
    results,
};
use crate::error::Error;
use crate::model::datetime;
use crate::model::reward::count;

/// `query_history`. A file that cannot be read is reported, and the others are read.
pub(super) fn query_history(request: &QueryHistory, cache: &Cache) -> Result<MemoryDone, Stop> {
    let mut notes = Notes::default();
    let filter = Filter::new(request)?;
    let task = Task::load(cache, &request.task, &mut notes)?;
    if request.attempt.is_some() {
        task.attempt(request.attempt)?;
    }
    let is_asked = |number: u32| request.attempt.is_none_or(|asked| asked == number);
    let asked: Vec<_> = task.attempts.iter().filter(|(number, _)| is_asked(*number)).collect();
    let has_attempts = !request.reflections_only;
    if has_attempts || request.outcome.is_some() {
        for (_, folder) in &asked {
            Attempt::want(cache, &task.id, folder);
            for file in ["plan.md", "actions.jsonl"].into_iter().filter(|_| has_attempts) {
                cache.want_file(&names::of_attempt(&task.id, folder, file));
            }
            if has_attempts {
                results::want(cache, &task.id, folder);
            }
        }
    }
    cache.settle()?;
    if has_attempts {
        let folders = asked.iter().map(|(_, folder)| folder);
        results::want_files(cache, &task.id, &folders, request.results)?;
    }
    let mut attempts = Vec::new();
    let mut fitting = Vec::new();
    for (number, folder) in &asked {
        let attempt = Attempt::load(cache, &task.id, (*number, folder), &mut notes)?;
        let outcome = attempt.facts().outcome();
        if request.outcome.is_some() && outcome != request.outcome {
            continue;
        }
        fitting.push(*number);
        if has_attempts {
            let history = attempt_history(cache, &task.id, folder, attempt, &mut notes);
            let history = AttemptHistory { outcome, ..history };
            attempts.extend(filter.attempt(history).map(|history| {
                let all = results::results(cache, &task.id, folder, request.results, &mut notes);
                AttemptHistory { results: all, ..history }
            }));
        }
    }
    let of_attempt = |reflection: &Record| {
        let number = reflection.get("attempt_id").and_then(Value::as_u64);
        let is_fitting = |n: u64| fitting.iter().any(|fit| u64::from(*fit) == n);
        // Without a filter of attempts all reflections count, whatever they belong to.
        (request.attempt.is_none() && request.outcome.is_none()) || number.is_some_and(is_fitting)
    };
    let mut reflections = task.reflections.records;
    reflections.retain(|reflection| of_attempt(reflection) && filter.fits(reflection));
    let mut history = TaskHistory {
        task: task.id,
        metadata: Some(task.metadata.record).filter(|r| !r.is_empty()),
        summary: Some(task.summary.record).filter(|r| !r.is_empty()),
        attempts,
        reflections,
        ..TaskHistory::default()
    };
    if let Some(limit) = request.limit {
        keep_latest(&mut history, usize::try_from(limit).unwrap_or(usize::MAX));
    }
    let answer = MemoryAnswer::History(Box::new(history));
    Ok(MemoryDone { answer, findings: notes.0, writes: Vec::new() })
}

/// Everything that stands in the folder of an attempt.
fn attempt_history(
    cache: &Cache,
    task: &str,
    folder: &str,
    attempt: Attempt,
    notes: &mut Notes,
) -> AttemptHistory {
    let path = |file: &str| names::of_attempt(task, folder, file);
    let (plan, log) = (path("plan.md"), path("actions.jsonl"));
    let plan =
        bytes_at(cache, &plan, notes).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let bytes = bytes_at(cache, &log, notes);
    let actions = Lines::actions(&log, bytes, notes);
    AttemptHistory {
        attempt: attempt.number,
        outcome: None,
        record: Some(attempt.record.record).filter(|r| !r.is_empty()),
        ending: Some(attempt.ending.record).filter(|r| !r.is_empty()),
        plan,
        action_count: count(actions.len()),
        actions,
        results: Vec::new(),
    }
}

/// Leaves the latest actions and reflections, as they stand in their files.
fn keep_latest(history: &mut TaskHistory, limit: usize) {
    let all: usize = history.attempts.iter().map(|attempt| attempt.actions.len()).sum();
    let mut out = all.saturating_sub(limit);
    history.actions_left_out = count(out);
    for attempt in &mut history.attempts {
        let n = out.min(attempt.actions.len());
        attempt.actions.drain(..n);
        out -= n;
    }
    let out = history.reflections.len().saturating_sub(limit);
    history.reflections.drain(..out);
    history.reflections_left_out = count(out);
}

/// What a request asks of actions, reflections and attempts.
struct Filter {
    since_ms: Option<f64>,
    until_ms: Option<f64>,
    /// In lower case.
    text: Option<String>,
}

impl Filter {
    fn new(request: &QueryHistory) -> Result<Self, Error> {
        let time = |name: &str, text: &Option<String>| {
            text.as_deref().map(|text| clock::check(name, text)).transpose()
        };
        Ok(Self {
            since_ms: time("since", &request.since)?,
            until_ms: time("until", &request.until)?,
            text: request.text.as_ref().map(|text| text.to_lowercase()).filter(|t| !t.is_empty()),
        })
    }

    fn is_open(&self) -> bool {
        self.since_ms.is_none() && self.until_ms.is_none() && self.text.is_none()
    }

    /// Whether the time of a record is in range, and one of its texts contains `text`. If a range is given,
    /// a record without a time does not fit.
    fn fits(&self, record: &Record) -> bool {
        self.is_in_time(record.get("timestamp")) && self.says(record.values())
    }

    /// Whether a record can contain `text`, judged by its line: most lines then need not be parsed.
    fn may_fit(&self, line: &str) -> bool {
        let is_said = |text: &String| line.contains('\\') || line.to_lowercase().contains(text);
        self.text.as_ref().is_none_or(is_said)
    }

    fn is_in_time(&self, time: Option<&Value>) -> bool {
        if self.since_ms.is_none() && self.until_ms.is_none() {
            return true;
        }
        time.and_then(Value::as_str).and_then(datetime::read).is_some_and(|time| {
            self.since_ms.is_none_or(|since| since <= time.ms)
                && self.until_ms.is_none_or(|until| time.ms < until)
        })
    }

    fn says<'a>(&self, mut values: impl Iterator<Item = &'a Value>) -> bool {
        self.text.as_ref().is_none_or(|text| values.any(|value| says(value, text)))
    }

    /// The attempt with the actions that fit, if it or any of them does.
    fn attempt(&self, mut attempt: AttemptHistory) -> Option<AttemptHistory> {
        if self.is_open() {
            return Some(attempt);
        }
        attempt.actions.retain(|action| self.may_fit(action.text()) && self.fits(&action.record()));
        let record = attempt.record.as_ref();
        let times = ["started", "ended"].map(|name| record.and_then(|record| record.get(name)));
        let is_in_time = times.into_iter().any(|time| self.is_in_time(time));
        let of_plan =
            |plan: &String| self.text.as_ref().is_none_or(|t| plan.to_lowercase().contains(t));
        let values = record.into_iter().chain(attempt.ending.as_ref()).flat_map(Record::values);
        let is_said = self.says(values) || attempt.plan.as_ref().is_some_and(of_plan);
        (!attempt.actions.is_empty() || (is_in_time && is_said)).then_some(attempt)
    }
}

/// Whether any text of a value has another in it, which is in lower case.
fn says(value: &Value, text: &str) -> bool {
    match value {
        Value::String(own) => own.to_lowercase().contains(text),
        Value::Array(items) => items.iter().any(|item| says(item, text)),
        Value::Object(members) => members.values().any(|member| says(member, text)),
        _ => false,
    }
}
