//! The records of an attempt: those that describe it, and the lines of its log.

use hindscope::{Outline, RecordId, RunId, SourceView, is_action_log};

use super::super::no_answer::NoAnswer;
use super::super::run_reader::RunReader;
use super::super::session::Session;

fn is_log(source: &SourceView) -> bool {
    source.format.as_deref().is_some_and(is_action_log)
}

/// Whether a record is a line of a log of actions.
fn is_line(session: &Session, sources: &[SourceView], id: RecordId) -> bool {
    let source = session.history.source_of(id).ok();
    source.and_then(|source| sources.get(source.0 as usize)).is_some_and(is_log)
}

/// Whether actions of a run stand in logs of their own.
pub(crate) fn has_log(session: &mut Session, run: RunId) -> Result<bool, NoAnswer> {
    let sources = session.sources();
    // Most histories have no such file.
    if !sources.iter().any(is_log) {
        return Ok(false);
    }
    let records = session.history.run(run)?.records();
    Ok(records.iter().any(|id| is_line(session, &sources, *id)))
}

/// Lines of a log, each with the part of it that speaks of the attempt.
pub(super) type Lines = Vec<(RecordId, u32)>;

/// What the records of an attempt say, those of its log excepted, and the lines of its log.
pub(super) fn read(
    session: &mut Session,
    reader: &mut RunReader,
    number: i64,
) -> Result<(Outline, Lines), NoAnswer> {
    let sources = session.sources();
    let parts = reader.loaded_run.parts_of(number)?.into_iter();
    let (log, described): (Lines, Lines) =
        parts.partition(|(id, _)| is_line(session, &sources, *id));
    reader.read(session.records(), described.iter().map(|(id, _)| *id));
    Ok((Outline::of(&reader.loaded_run.loaded_of(number)?), log))
}
