//! A loop for hosts that answer at once.

use serde_json::Value;

use super::error::LoopError;
use super::host::Host;
use super::machine::Loop;
use super::reply::Reply;
use super::step::Step;

/// Runs a loop to its end, one step after the other.
///
/// # Errors
///
/// Type `config` for a configuration that cannot be run, and whatever else `failed` says.
pub fn drive(
    config: &Value,
    host: &Host,
    answer: impl FnMut(&Step) -> Reply,
) -> Result<Value, LoopError> {
    drive_on(Loop::start(config, host, None)?, answer)
}

/// Runs a loop that was started, restored, or is a single form.
///
/// # Errors
///
/// As [`drive`], and `reply_invalid`.
pub fn drive_on(mut run: Loop, mut answer: impl FnMut(&Step) -> Reply) -> Result<Value, LoopError> {
    while let Some(step) = run.next() {
        let reply = answer(&step);
        let id = step.id;
        drop(step);
        run.resume(id, reply)?;
    }
    match run.outcome() {
        Some(Ok(result)) => Ok(result.clone()),
        Some(Err(error)) => Err(error),
        None => Err(LoopError::usage("loop_finished", "the loop has no step and no end")),
    }
}
