//! Cases for the machine itself: replies to steps, one after the other. The format stands in
//! `tests/fixtures/loop/README.md`.

use hindscope::{Host, Loop, LoopError, Reply, Step};
use serde_json::{Value, json};

use super::{matches, state_of};

/// Runs a case as it stands, and again with a snapshot and a restore before every reply: both must
/// go as expected and end alike.
///
/// # Errors
///
/// The first difference from what the case expects.
pub fn check_steps(case: &Value) -> Result<(), String> {
    let straight = Player { case, has_snapshots: false }.play()?;
    if case.get("is_timed").is_some() {
        return Ok(());
    }
    let restored = Player { case, has_snapshots: true }.play()?;
    if straight == restored {
        Ok(())
    } else {
        Err(format!("with snapshots it goes differently: {straight} {restored}"))
    }
}

struct Player<'a> {
    case: &'a Value,
    has_snapshots: bool,
}

impl Player<'_> {
    fn start(&self) -> Result<Loop, LoopError> {
        let now = self.case.get("now").and_then(Value::as_f64);
        let host = self.host()?;
        match self.case.get("op").and_then(Value::as_str) {
            Some("evaluate") => {
                Ok(Loop::evaluate(&self.case["params"], &self.case["state"], &host, now))
            }
            Some("correct") => {
                Ok(Loop::correct(&self.case["params"], &self.case["state"], &host, now))
            }
            _ => Loop::start(&self.case["config"], &host, now),
        }
    }

    fn host(&self) -> Result<Host, LoopError> {
        self.case.get("host").map_or_else(|| Ok(Host::any()), Host::from_value)
    }

    fn play(&self) -> Result<Value, String> {
        let mut run = match self.start() {
            Ok(run) => run,
            Err(error) => {
                let expected = self.case.get("error").unwrap_or(&Value::Null);
                matches(expected, &error.to_value(), "error")?;
                return Ok(error.to_value());
            }
        };
        if let Some(expected) = self.case.get("error") {
            return Err(format!("it starts, in place of {expected}"));
        }
        let mut events = Vec::new();
        for (number, play) in self.case["steps"].as_array().into_iter().flatten().enumerate() {
            for _ in 0..play.get("times").and_then(Value::as_u64).unwrap_or(1) {
                run = self.again(run)?;
                step(&mut run, play, &format!("step {number}"))?;
                events.extend(run.events());
            }
        }
        events.extend(run.events());
        let events: Vec<Value> = events.iter().map(hindscope::reflect::Event::to_value).collect();
        for (number, event) in events.iter().enumerate() {
            if event["seq"] != number + 1 {
                return Err(format!("event {event} is not number {}", number + 1));
            }
        }
        if let Some(expected) = self.case.get("events") {
            matches(expected, &json!(events), "events")?;
        }
        if let Some(expected) = self.case.get("types") {
            let types: Value = events.iter().map(|event| event["type"].clone()).collect();
            matches(expected, &types, "types")?;
        }
        let last: Vec<Value> = run.steps().iter().map(Step::to_value).collect();
        if let Some(end) = self.case.get("end") {
            let [last] = last.as_slice() else {
                return Err(format!("it has not ended: {last:?}"));
            };
            matches(end, last, "end")?;
            for key in self.case["absent"].as_array().into_iter().flatten() {
                let key = key.as_str().unwrap_or_default();
                if last["result"].get(key).is_some() {
                    return Err(format!("{key} is there"));
                }
            }
        } else {
            let pending = self.case.get("pending").cloned().unwrap_or_else(|| json!([]));
            matches(&pending, &json!(last), "pending")?;
        }
        Ok(json!({ "end": last, "events": events }))
    }

    /// The same loop, from its bytes.
    fn again(&self, run: Loop) -> Result<Loop, String> {
        if !self.has_snapshots {
            return Ok(run);
        }
        let config = match self.case.get("op").and_then(Value::as_str) {
            Some(op @ ("evaluate" | "correct")) => json!({
                "op": op,
                "params": self.case["params"],
                "state": self.case.get("state").unwrap_or(&Value::Null),
            }),
            _ => self.case["config"].clone(),
        };
        let restored = self
            .host()
            .and_then(|host| Loop::restore(&config, &host, &run.snapshot()))
            .map_err(|error| format!("it is not restored: {error}"))?;
        for (one, other) in run.steps().iter().zip(restored.steps()) {
            if one.to_value() != other.to_value()
                || run.state_json(one.id) != restored.state_json(other.id)
            {
                return Err(format!("step {} is another one when it is restored", one.id));
            }
        }
        Ok(restored)
    }
}

fn step(run: &mut Loop, play: &Value, place: &str) -> Result<(), String> {
    if let Some(reason) = play.get("abort") {
        run.abort(reason.as_str().unwrap_or_default());
        return Ok(());
    }
    if let Some(id) = play.get("late").and_then(Value::as_u64) {
        return late(run, play, u32::try_from(id).unwrap_or(0), place);
    }
    let wanted = play.get("candidate").and_then(Value::as_u64);
    let steps = run.steps();
    let step = steps
        .iter()
        .filter(|step| !step.is_end())
        .find(|step| wanted.is_none_or(|wanted| step.candidate.map(u64::from) == Some(wanted)))
        .ok_or_else(|| format!("{place}: no such step is pending: {steps:?}"))?;
    if let Some(expected) = play.get("expect") {
        matches(expected, &step.to_value(), place)?;
    }
    if let Some(expected) = play.get("state") {
        let state = state_of(run, step.id);
        matches(expected, &state, &format!("{place} state"))?;
    }
    for key in play["state_lacks"].as_array().into_iter().flatten() {
        let state = state_of(run, step.id);
        if state.get(key.as_str().unwrap_or_default()).is_some() {
            return Err(format!("{place}: the state has {key}"));
        }
    }
    if let Some(expected) = play.get("pending").and_then(Value::as_u64)
        && steps.len() as u64 != expected
    {
        return Err(format!("{place}: {} steps are pending", steps.len()));
    }
    let reply = Reply::from_value(reply(play)).map_err(|error| format!("{place}: {error}"))?;
    run.resume(step.id, reply).map_err(|error| format!("{place}: {error}"))?;
    Ok(())
}

/// A reply to a step that is not pending: `code` is the error, nothing if it is ignored.
fn late(run: &mut Loop, play: &Value, id: u32, place: &str) -> Result<(), String> {
    let before = run.snapshot();
    let reply = Reply::from_value(reply(play)).map_err(|error| format!("{place}: {error}"))?;
    let outcome = run.resume(id, reply);
    let code = outcome.as_ref().err().map(|error| error.code().as_str());
    if code != play.get("code").and_then(Value::as_str) {
        return Err(format!("{place}: {outcome:?}"));
    }
    if run.snapshot() != before {
        return Err(format!("{place}: the loop is not as it was"));
    }
    Ok(())
}

/// `reply` in full, or one of the short forms `value` and `error`, with whatever else stands there.
fn reply(play: &Value) -> Value {
    let mut reply = play.get("reply").cloned().unwrap_or_else(|| json!({}));
    let Value::Object(members) = &mut reply else { return reply };
    if let Some(value) = play.get("value") {
        members.insert("type".to_owned(), "value".into());
        members.insert("value".to_owned(), value.clone());
    }
    if let Some(message) = play.get("error") {
        members.insert("type".to_owned(), "error".into());
        members.insert("message".to_owned(), message.clone());
    }
    reply
}
