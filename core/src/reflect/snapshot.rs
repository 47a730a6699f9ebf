//! A loop as bytes, to go on elsewhere or later (docs/spec/loop.md, 15.13).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::attempt::Attempt;
use super::budget::{Clock, StopReason};
use super::entry::Entry;
use super::error::LoopError;
use super::events::{Event, EventKind};
use super::feedback::{Feedback, Numbered};
use super::history::History;
use super::host::Host;
use super::machine::Loop;
use super::run::{Best, Pending, Phase, Purpose, Run, Waiting};
use super::stall::{Failures, Rounds};
use super::state::{State, StateView};
use super::step::{Step, StepKind};
use super::usage::{Tokens, Usage};

/// Of the form below; another one is not read.
const VERSION: u64 = 1;

/// The changing part of a loop, each thing once.
#[derive(Serialize, Deserialize)]
struct Kept {
    phase: Phase,
    iteration: u32,
    last_id: u32,
    pending: Vec<Pending>,
    cancelled: BTreeSet<u32>,
    end: Option<Step>,
    state: State,
    history: Vec<Arc<Entry>>,
    attempts: Vec<Attempt>,
    cut: Option<StopReason>,
    waiting: Option<Waiting>,
    correction_tokens: Tokens,
    best: Option<Best>,
    #[serde(with = "super::maybe")]
    last_output: Option<Arc<Value>>,
    clock: Clock,
    at: Option<String>,
    usage: Usage,
    is_usage_unknown: bool,
    failures: Failures,
    rounds: Rounds,
    /// Numbers in the history.
    feedback_last: Vec<usize>,
    feedback_best: Vec<usize>,
    warnings: Vec<Value>,
    events: Vec<Value>,
    last_seq: u32,
    memories: Value,
    documents: Vec<(String, Value)>,
}

impl Loop {
    /// Everything that is needed to go on elsewhere, outputs and prompts included:
    /// keep it as carefully as those.
    pub fn snapshot(&self) -> Vec<u8> {
        let run = &self.run;
        let numbers = |entries: &mut dyn Iterator<Item = &Numbered>| -> Vec<usize> {
            entries.map(|one| one.number).collect()
        };
        let kept = Kept {
            phase: run.phase,
            iteration: run.iteration,
            last_id: run.last_id,
            pending: run.pending.clone(),
            cancelled: run.cancelled.clone(),
            end: run.end.clone(),
            state: (*run.state).clone(),
            history: run.history.oldest_first().into_iter().cloned().collect(),
            attempts: run.attempts.clone(),
            cut: run.cut,
            waiting: run.waiting.clone(),
            correction_tokens: run.correction_tokens,
            best: run.best.clone(),
            last_output: run.last_output.clone(),
            clock: run.clock.clone(),
            at: run.at.clone(),
            usage: run.usage.clone(),
            is_usage_unknown: run.is_usage_unknown,
            failures: run.failures.clone(),
            rounds: run.rounds.clone(),
            feedback_last: numbers(&mut run.feedback.last.iter()),
            feedback_best: numbers(&mut run.feedback.best.iter()),
            warnings: run.warnings.clone(),
            events: run.events.iter().map(Event::to_value).collect(),
            last_seq: run.last_seq,
            memories: run.memories.to_value(),
            documents: run.documents.clone(),
        };
        let state = serde_json::to_value(kept).unwrap_or_default();
        let checksum = checksum(&state);
        let whole = json!({
            "hindscope_loop": VERSION,
            "config": format!("{:016x}", self.fingerprint),
            "checksum": checksum,
            "state": state,
        });
        whole.to_string().into_bytes()
    }

    /// A loop as it was when [`Loop::snapshot`] was asked: the same pending steps with the same
    /// ids. For the single forms `config` is `{op: "evaluate" or "correct", params, state}`.
    ///
    /// # Errors
    ///
    /// `snapshot_invalid` for damaged bytes, `snapshot_mismatch` for another configuration, and
    /// type `config` as in [`Loop::start`].
    pub fn restore(config: &Value, host: &Host, snapshot: &[u8]) -> Result<Self, LoopError> {
        let whole = read(snapshot).ok_or_else(|| invalid("it is damaged, or not a snapshot"))?;
        // Limits of time were accepted with the first `now`; any moment stands for it here.
        let now = host.clock.then_some(0.0);
        let part = |key: &str| config.get(key).unwrap_or(&Value::Null);
        let mut this = match config.get("op").and_then(Value::as_str) {
            Some("evaluate") => Self::prepare_evaluation(part("params"), part("state"), host, now),
            Some("correct") => Self::prepare_correction(part("params"), part("state"), host, now),
            _ => Self::prepare(config, host, now)?,
        };
        if whole["config"] != format!("{:016x}", this.fingerprint) {
            let message = "The snapshot was made with another configuration.";
            return Err(LoopError::usage("snapshot_mismatch", message));
        }
        let kept =
            Kept::deserialize(&whole["state"]).map_err(|error| invalid(&error.to_string()))?;
        this.fill(kept).ok_or_else(|| invalid("it contradicts itself"))?;
        this.supply_again().map_err(|problem| invalid(&problem.message))?;
        Ok(this)
    }

    fn fill(&mut self, kept: Kept) -> Option<()> {
        let mut history = History::default();
        for entry in &kept.history {
            history.push(Arc::clone(entry));
        }
        let numbered = |numbers: Vec<usize>| -> Option<Vec<Numbered>> {
            let one = |number: usize| {
                let entry = Arc::clone(kept.history.get(number)?);
                Some(Numbered { number, entry })
            };
            numbers.into_iter().map(one).collect()
        };
        let feedback = Feedback {
            last: numbered(kept.feedback_last)?.into(),
            best: numbered(kept.feedback_best)?,
        };
        let mut state = kept.state;
        if let Some(vars) = &mut state.vars {
            vars.history = history.clone();
        }
        let mut memories = super::memory::Memories::new(self.config.memory.as_ref());
        memories.fill(&kept.memories)?;
        self.run = Run {
            phase: kept.phase,
            iteration: kept.iteration,
            last_id: kept.last_id,
            pending: kept.pending,
            cancelled: kept.cancelled,
            fresh: Vec::new(),
            end: kept.end,
            state: Arc::new(state),
            history,
            attempts: kept.attempts,
            cut: kept.cut,
            waiting: kept.waiting,
            correction_tokens: kept.correction_tokens,
            best: kept.best,
            last_output: kept.last_output,
            clock: kept.clock,
            at: kept.at,
            usage: kept.usage,
            is_usage_unknown: kept.is_usage_unknown,
            failures: kept.failures,
            rounds: kept.rounds,
            feedback,
            warnings: kept.warnings,
            events: kept.events.into_iter().map(restored).collect::<Option<_>>()?,
            last_seq: kept.last_seq,
            memories,
            documents: kept.documents,
        };
        let mut pending = std::mem::take(&mut self.run.pending);
        for one in &mut pending {
            self.give_view(one)?;
        }
        self.run.pending = pending;
        Some(())
    }

    /// The state that a pending step sees: the loop's own, and what its candidate has.
    fn give_view(&self, pending: &mut Pending) -> Option<()> {
        let Pending { step, purpose } = pending;
        if let Purpose::Wait(call) = purpose {
            return self.give_view(call);
        }
        let is_single = self.form.is_single();
        let shown = step.candidate.filter(|_| !is_single && self.config.options.candidates > 1);
        let mut view = StateView::of(&self.run.state, shown);
        step.view = match (&step.kind, &purpose) {
            (StepKind::Generate { .. } | StepKind::Correct { .. }, _) => Some(view),
            (StepKind::EvaluateCustom { .. }, Purpose::Evaluate(number)) => {
                view.output = Some(self.run.attempts.get(*number)?.output.clone()?);
                view.has_output_key = true;
                Some(view)
            }
            _ => None,
        };
        Some(())
    }
}

fn restored(event: Value) -> Option<Event> {
    let Value::Object(members) = event else { return None };
    let number = |key: &str| members.get(key)?.as_u64().and_then(|n| u32::try_from(n).ok());
    Some(Event {
        seq: number("seq")?,
        iteration: number("iteration")?,
        candidate: number("candidate"),
        kind: EventKind::Restored(members),
    })
}

/// The parsed bytes, if they are a snapshot of this version and whole.
fn read(snapshot: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(snapshot).ok()?;
    // Outputs have up to 128 levels, and what holds them a few more.
    if super::depth::of_text(text) > super::depth::MAX_DEPTH + 32 {
        return None;
    }
    let whole = super::depth::parse(text).ok()?;
    let is_one =
        whole["hindscope_loop"] == VERSION && whole["checksum"] == checksum(&whole["state"]);
    is_one.then_some(whole)
}

fn checksum(state: &Value) -> String {
    format!("{:016x}", xxh3_64(state.to_string().as_bytes()))
}

fn invalid(why: &str) -> LoopError {
    LoopError::usage("snapshot_invalid", format!("The snapshot is not valid: {why}."))
}
