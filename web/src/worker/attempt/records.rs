//! The records of an attempt: those that describe it, and the lines of its log.

use hindscope::{LoadedRun, RecordId, RunId, SourceView, is_action_log};

use super::super::no_answer::NoAnswer;
use super::super::run_reader::RunReader;
use super::super::session::Session;

fn is_log(source: &SourceView) -> bool {
    source.format.as_deref().is_some_and(is_action_log)
}

/// Whether actions of a run stand in logs of their own.
pub(crate) fn has_log(session: &mut Session, run: RunId) -> Result<bool, NoAnswer> {
    let sources = session.sources();
    // Most histories have no such file.
    let is_log = |at: usize| sources.get(at).is_some_and(is_log);
    if !(0..sources.len()).any(is_log) {
        return Ok(false);
    }
    let records = session.history.run(run)?.records();
    let source = |id: &RecordId| Some(session.history.source_of(*id).ok()?.0 as usize);
    Ok(records.iter().filter_map(source).any(is_log))
}

/// The records of an attempt, each with the part of it that speaks of the attempt: those that are
/// no lines of a log, and those that are.
pub(super) struct Parts {
    described: Vec<(RecordId, u32)>,
    pub(super) log: Vec<(RecordId, u32)>,
}

fn parts(session: &mut Session, loaded_run: &LoadedRun, number: i64) -> Result<Parts, NoAnswer> {
    let sources = session.sources();
    let is_log = |(id, _): &(RecordId, u32)| {
        let source = session.history.source_of(*id).ok().map(|source| source.0 as usize);
        let source = source.and_then(|at| sources.get(at));
        source.is_some_and(is_log)
    };
    let (log, described) = loaded_run.parts_of(number)?.into_iter().partition(is_log);
    Ok(Parts { described, log })
}

/// Reads the records of an attempt, those of its log excepted.
pub(super) fn read(
    session: &mut Session,
    reader: &mut RunReader,
    number: i64,
) -> Result<Parts, NoAnswer> {
    let parts = parts(session, &reader.loaded_run, number)?;
    reader.read(session.records(), parts.described.iter().map(|(id, _)| *id));
    Ok(parts)
}
