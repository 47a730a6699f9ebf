//! An attempt of a run: what its records tell together, and its actions one by one.

mod facts;
pub(crate) mod log;

use hindscope::{RecordId, RunId, Story};

use super::answer::NoAnswer;
use super::desk::Desk;
use super::tale::Tale;
use crate::protocol::{AttemptAnswer, AttemptAsk};

/// Records of this format are lines of a log: an action each.
const LOG: &str = "episodic-actions";

/// Answers a question about an attempt.
pub(crate) fn attempt(desk: &mut Desk, ask: AttemptAsk) -> Result<AttemptAnswer, NoAnswer> {
    Ok(match ask {
        AttemptAsk::Facts { run, number } => AttemptAnswer::Facts(facts::facts(desk, run, number)?),
        AttemptAsk::Actions { run, number, rows, .. } => {
            AttemptAnswer::Actions(log::actions(desk, run, number, rows)?)
        }
        AttemptAsk::Action { run, number, at } => {
            AttemptAnswer::Action(log::action(desk, run, number, at)?)
        }
    })
}

/// Whether actions of a run stand in logs of their own.
pub(crate) fn has_log(desk: &mut Desk, run: RunId) -> Result<bool, NoAnswer> {
    let sources = desk.sources();
    // Most histories have no such file.
    let is_log = |at: usize| sources.get(at).is_some_and(|s| s.format.as_deref() == Some(LOG));
    if !(0..sources.len()).any(is_log) {
        return Ok(false);
    }
    let records = desk.history.run(run)?.records();
    let source = |id: &RecordId| Some(desk.history.source_of(*id).ok()?.0 as usize);
    Ok(records.iter().filter_map(source).any(is_log))
}

/// The records that tell an attempt, with the part of each that does: those that are no lines of a
/// log, and those that are.
struct Parts {
    told: Vec<(RecordId, u32)>,
    log: Vec<(RecordId, u32)>,
}

fn parts(desk: &mut Desk, story: &Story, number: i64) -> Result<Parts, NoAnswer> {
    let sources = desk.sources();
    let is_log = |(id, _): &(RecordId, u32)| {
        let source = desk.history.source_of(*id).ok().map(|source| source.0 as usize);
        let source = source.and_then(|at| sources.get(at));
        source.is_some_and(|source| source.format.as_deref() == Some(LOG))
    };
    let (log, told) = story.parts_of(number)?.into_iter().partition(is_log);
    Ok(Parts { told, log })
}

/// Reads what an attempt tells beside its log.
fn tell(desk: &mut Desk, tale: &mut Tale, number: i64) -> Result<Parts, NoAnswer> {
    let parts = parts(desk, &tale.story, number)?;
    tale.tell(desk, parts.told.iter().map(|(id, _)| *id));
    Ok(parts)
}
