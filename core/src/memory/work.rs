//! Actions of an attempt, as they are made.

use serde_json::Value;

use super::cache::{Cache, Stop};
use super::derive;
use super::line::record_of;
use super::records::{Document, Found, Members as _, Notes, line_text};
use super::store::MemoryFound;
use super::task::{attempts, check_there, no_such_attempt};
use super::{ActionAnswer, LogAction, MemoryAnswer, MemoryDone, MemoryWrite, Record, clock, names};
use crate::error::{Error, ErrorCode};
use crate::text::did_you_mean;
use crate::validate::labels::shown;
use crate::validate::schema::Schema;

/// Bytes at the end of a log that are looked at first: whether its last line is whole, and its time.
const TAIL_LEN: u64 = 64 << 10;
/// Factor by which the tail grows while it contains no whole action.
const TAIL_GROWTH: u64 = 4;

/// Kinds of actions that the schema knows.
pub(super) const KINDS: [&str; 7] = ["read", "write", "bash", "grep", "glob", "task", "edit"];

/// `log_action`. The new line holds all; the counters of `attempt.json` follow from it.
pub(super) fn log_action(request: &LogAction, cache: &Cache) -> Result<MemoryDone, Stop> {
    let mut notes = Notes::default();
    clock::check("now", &request.now)?;
    let id = &request.task;
    names::check_name(names::Named::Task, id)?;
    let mut action = checked(&request.action)?;
    let folder = names::attempts(id);
    cache.want_folder(&folder);
    cache.settle()?;
    let all = attempts(cache, &folder)?;
    let chosen = match request.attempt {
        Some(number) => all.into_iter().find(|(n, _)| *n == number),
        None => all.into_iter().next_back(),
    };
    let Some((number, folder)) = chosen else {
        return Err(missing(request, cache)?.into());
    };
    let path = |file: &str| names::of_attempt(id, &folder, file);
    let [log, attempt, ending] = ["actions.jsonl", "attempt.json", "outcome.json"].map(path);
    cache.want_tail(&log, TAIL_LEN);
    cache.want_file(&attempt);
    cache.want_file(&ending);
    cache.settle()?;
    let mut record =
        Document::read(&attempt, cache.file(&attempt)?, Some(Schema::Attempt), &mut notes);
    let ending = Document::read(&ending, cache.file(&ending)?, None, &mut notes);
    if ending.is_ending() {
        let message = format!("Attempt {number} of task {id} has ended. Start another one.");
        return Err(Error::new(ErrorCode::AttemptComplete, message).into());
    }
    let tail = Tail::read(cache, &log, &mut notes)?;
    let known = [record.record.text_at("started"), tail.time.as_deref()];
    let time = clock::monotone(&request.now, known, &log, &mut notes)?;
    action.put("timestamp", Some(time.as_str()));
    let line = line_text(&log, &action, Some(Schema::Action))?;
    let mut writes =
        vec![MemoryWrite::append(&log, tail.len_bytes, format!("{}{line}", tail.lead))];
    record.record.edit("execution", |execution| derive::count(execution, &action));
    let execution = record.record.object_at("execution");
    let actions = execution.and_then(|e| e.count_at("actions_performed")).unwrap_or(1);
    if record.found == Found::Whole {
        writes.push(record.write(None)?);
    }
    let answer = ActionAnswer { task: id.clone(), attempt: number, actions, time };
    Ok(MemoryDone { answer: MemoryAnswer::Action(answer), findings: notes.0, writes })
}

/// The error for an attempt that is not there: the folder of the task shows if the task is missing, too.
fn missing(request: &LogAction, cache: &Cache) -> Result<Error, Stop> {
    cache.want_folder(&names::task(&request.task));
    cache.settle()?;
    check_there(cache, &request.task)?;
    Ok(no_such_attempt(&request.task, request.attempt))
}

/// Checks an action, and puts its members in the order of the schema. Adds an empty `timestamp`, missing
/// `params`, and a missing `type` if the tool is called like one. A `type` that the schema does not know is
/// `other`, and its word the name of the tool; if the tool has a name, it is kept as `kind`.
fn checked(action: &Record) -> Result<Record, Error> {
    let invalid = |message: &str| Error::new(ErrorCode::InvalidRequest, message.to_owned());
    let mut known = Schema::Action.members();
    known.push("quality");
    if let Some(name) = action.keys().find(|name| !known.contains(&name.as_str())) {
        let mut hint = did_you_mean(name, &known);
        if hint.is_empty() {
            let known = known.join("`, `");
            hint =
                format!(" It can have `{known}`. What else the tool was given goes into `params`.");
        }
        return Err(invalid(&format!("Unexpected property {name:?} of an action.{hint}")));
    }
    // The schema refuses values that are not texts.
    let as_given = |name: &str| {
        action.get(name).filter(|value| !value.is_null() && !value.is_string()).cloned()
    };
    let (said, tool) = (action.text_at("type"), action.text_at("tool"));
    if said.or(tool).is_none() && as_given("type").or(as_given("tool")).is_none() {
        return Err(invalid("An action needs a `type` or a `tool`."));
    }
    // A tool that is called like a kind is of that kind.
    let kind = said
        .or(tool)
        .and_then(|word| KINDS.into_iter().find(|kind| kind.eq_ignore_ascii_case(word)));
    let own_kind = said.filter(|word| kind.is_none() && !word.eq_ignore_ascii_case("other"));
    let kind = kind.or(said.map(|_| "other"));
    let is_quality = |value: &Value| value.as_f64().is_some_and(|q| (0.0..=1.0).contains(&q));
    if let Some(found) = action.get("quality").filter(|value| !is_quality(value)) {
        let found = shown(found);
        return Err(invalid(&format!("`quality` must be a number from 0 to 1, found {found}.")));
    }
    let mut record = Record::new();
    record.put("timestamp", Some(""));
    record.put("iteration", action.get("iteration").cloned());
    record.put("type", as_given("type").or(kind.map(Value::from)));
    record.put("tool", as_given("tool").or(tool.or(own_kind).map(Value::from)));
    record.put("kind", own_kind.filter(|_| tool.is_some()));
    record
        .put("params", Some(action.get("params").cloned().unwrap_or_else(|| Record::new().into())));
    for (name, value) in action {
        if !matches!(name.as_str(), "timestamp" | "type" | "tool") {
            record.put(name, Some(value.clone()));
        }
    }
    Ok(record)
}

/// The end of a log.
struct Tail {
    /// Bytes of the log; absent: there is none.
    len_bytes: Option<u64>,
    /// What has to stand before the next line.
    lead: &'static str,
    /// Time of the last action that can be read.
    time: Option<String>,
}

impl Tail {
    fn read(cache: &Cache, path: &str, notes: &mut Notes) -> Result<Self, Stop> {
        let mut asked = TAIL_LEN;
        while let MemoryFound::Tail { bytes, len_bytes } = cache.at(path)
            && asked < *len_bytes
            // An action cannot be read if its line begins before the tail.
            && !bytes.split(|b| *b == b'\n').rev().any(|line| record_of(line).is_some())
        {
            asked = asked.saturating_mul(TAIL_GROWTH);
            cache.want_tail(path, asked);
            cache.settle()?;
        }
        let (bytes, len_bytes) = match cache.at(path) {
            MemoryFound::Tail { bytes, len_bytes } => (bytes.as_slice(), Some(*len_bytes)),
            // Fails if the host did.
            _ => (cache.file(path)?.unwrap_or_default(), None),
        };
        let mut lines = bytes.split(|b| *b == b'\n').rev();
        let last = lines.next().unwrap_or_default();
        let is_ended = last.trim_ascii().is_empty();
        let unended = Some(last).filter(|_| !is_ended);
        let time = unended
            .into_iter()
            .chain(lines)
            .find_map(|line| record_of(line)?.text_at("timestamp").map(str::to_owned));
        if unended.is_some_and(|line| record_of(line).is_none()) {
            let message = "The last line is incomplete: its writer was interrupted.";
            notes.warn(path, "memory/torn-line", message);
        }
        Ok(Self { len_bytes, lead: if is_ended { "" } else { "\n" }, time })
    }
}
