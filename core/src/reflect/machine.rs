//! The step machine: what is asked of the host next, and what its answer does.

use serde_json::Value;

use super::error::LoopError;
use super::events::Event;
use super::host::Host;
use super::reply::Reply;
use super::step::Step;

/// A loop on its way: it says what it needs ([`Step`]), is told what came of it ([`Reply`]), and
/// ends with a result or an error.
///
/// Normally one step is pending; with several candidates there are several. A loop does nothing by
/// itself: it reads no clock, waits for nothing and calls nobody.
#[derive(Debug)]
pub struct Loop {
    pending: Vec<Step>,
}

impl Loop {
    /// Checks a configuration (section 2) and makes the first steps: [`Loop::steps`].
    ///
    /// `now` is the host's clock in milliseconds from any origin; it is needed for `budget.ms`,
    /// `deadline_ms` and `call_timeout_ms`.
    ///
    /// # Errors
    ///
    /// Type `config`: nothing was called. All problems are in `details.problems`.
    pub fn start(config: &Value, host: &Host, now: Option<f64>) -> Result<Self, LoopError> {
        let _ = (config, host, now);
        Ok(Self { pending: Vec::new() })
    }

    /// The machine for one evaluation (section 12). `params` is `{data?, evaluator_type?, schema?,
    /// prompt?, model?, examples?, run?, language?, callback?, …}`, `state` an object or null.
    ///
    /// It ends with `done`, whose `result` is `{valid, score, errors, suggestions, feedback,
    /// coercions, output, usage, success}`, also where the request itself is wrong.
    pub fn evaluate(params: &Value, state: &Value, host: &Host, now: Option<f64>) -> Self {
        let _ = (params, state, host, now);
        Self { pending: Vec::new() }
    }

    /// The machine for one correction (section 12). `params` is `{data?, errors?,
    /// corrector_action?, run?, language?, prompt?, callback?, …}`, `state` an object or null.
    ///
    /// It ends with `done`, whose `result` is `{corrected_output, success, …}`, also where the
    /// request itself is wrong.
    pub fn correct(params: &Value, state: &Value, host: &Host, now: Option<f64>) -> Self {
        let _ = (params, state, host, now);
        Self { pending: Vec::new() }
    }

    /// The oldest step that wants a reply; `None` once the loop has ended.
    #[expect(clippy::should_implement_trait, reason = "the name of the specification")]
    pub fn next(&mut self) -> Option<Step> {
        self.pending.iter().find(|step| !step.is_end()).cloned()
    }

    /// Takes the reply to a step, and answers with the steps that are new. The last of a loop is
    /// `done` or `failed`; it wants no reply. A reply to a step that was cancelled is ignored.
    ///
    /// # Errors
    ///
    /// Type `usage`: `unknown_step`, `loop_finished`, `reply_invalid`. The loop is as it was.
    pub fn resume(&mut self, id: u32, reply: Reply) -> Result<Vec<Step>, LoopError> {
        let _ = (id, reply);
        Ok(Vec::new())
    }

    /// The steps that want a reply, oldest first; after the end the one that says how it ended.
    pub fn steps(&self) -> &[Step] {
        &self.pending
    }

    /// Whether the loop has ended.
    pub fn is_finished(&self) -> bool {
        self.pending.iter().any(Step::is_end)
    }

    /// The result, or why there is none; `None` before the end.
    pub fn outcome(&self) -> Option<Result<&Value, &LoopError>> {
        None
    }

    /// What happened since this was last asked.
    pub fn events(&mut self) -> Vec<Event> {
        Vec::new()
    }

    /// The state that a pending step sees, as an object; `None` for other ids and for steps without
    /// a state.
    pub fn state(&self, id: u32) -> Option<Value> {
        self.pending.iter().find(|step| step.id == id).and_then(Step::state)
    }

    /// Ends the loop with what it has (section 15.14): pending steps are cancelled. Answers with
    /// the last step; after the end with nothing.
    pub fn abort(&mut self, reason: impl Into<String>) -> Vec<Step> {
        let _ = reason.into();
        Vec::new()
    }

    /// Everything that is needed to go on elsewhere (section 15.13), outputs and prompts included:
    /// keep it as carefully as those.
    pub fn snapshot(&self) -> Vec<u8> {
        Vec::new()
    }

    /// A loop as it was when [`Loop::snapshot`] was asked: the same pending steps with the same
    /// ids. For the single forms `config` is `{op: "evaluate" or "correct", params, state}`.
    ///
    /// # Errors
    ///
    /// `snapshot_invalid` for damaged bytes, `snapshot_mismatch` for another configuration, and
    /// type `config` as in [`Loop::start`].
    pub fn restore(config: &Value, host: &Host, snapshot: &[u8]) -> Result<Self, LoopError> {
        let _ = snapshot;
        Self::start(config, host, None)
    }
}
