//! A loop as bytes, to go on elsewhere or later (docs/spec/loop.md, 15.13).

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::error::LoopError;
use super::error_code::LoopErrorCode;
use super::host::Host;
use super::machine::Loop;
use super::run::{Pending, Purpose, Run};
use super::state::StateView;
use super::step::StepKind;

/// Of the form below; another one is not read.
const VERSION: u64 = 1;

impl Loop {
    /// Everything that is needed to go on elsewhere, outputs and prompts included:
    /// keep it as carefully as those.
    pub fn snapshot(&self) -> Vec<u8> {
        let state = serde_json::to_value(&self.run).unwrap_or_default();
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
            Some(operation @ ("evaluate" | "correct")) => {
                Self::prepare_single(operation, part("params"), part("state"), host, now)
            }
            _ => Self::prepare(config, host, now)?,
        };
        if whole["config"] != format!("{:016x}", this.fingerprint) {
            let message = "The snapshot was made with another configuration.";
            return Err(LoopError::usage(LoopErrorCode::SnapshotMismatch, message));
        }
        let run = Run::deserialize(&whole["state"]).map_err(|error| invalid(&error.to_string()))?;
        this.fill(run).ok_or_else(|| invalid("it contradicts itself"))?;
        this.supply(false).map_err(|problem| invalid(&problem.message))?;
        Ok(this)
    }

    /// Puts together what stands in a snapshot once.
    fn fill(&mut self, mut run: Run) -> Option<()> {
        if run.feedback_last.iter().chain(&run.feedback_best).any(|one| *one >= run.history.len()) {
            return None;
        }
        if let Some(vars) = &mut Arc::make_mut(&mut run.state).vars {
            vars.history = run.history.clone();
        }
        run.memories = run.memories.with(self.config.memory.as_ref());
        self.run = run;
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
        let shown = step.candidate.and_then(|candidate| self.shown_candidate(candidate));
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
    LoopError::usage(LoopErrorCode::SnapshotInvalid, format!("The snapshot is not valid: {why}."))
}
