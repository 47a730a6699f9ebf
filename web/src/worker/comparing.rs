//! Comparing the reflections of runs, one run after another, between other messages.

use hindscope::{LoadedRun, RunId};

use super::no_answer::NoAnswer;
use super::run_reader::{ReadLimit, StepReader};
use super::session::Session;
use crate::protocol::count;

/// Compares the reflections of the next run; whether there was one.
pub(crate) fn compare_next(session: &mut Session) -> bool {
    let runs = session.history.run_count();
    let Some(run) = session.cache.repetition.next(runs) else { return false };
    let stuck = compare(session, run, ReadLimit::BESIDE_OTHERS).ok().flatten();
    session.cache.repetition.keep(stuck);
    true
}

/// Reads and compares the reflections of a run; in how many of its attempts it was stuck, if they could be
/// compared.
pub(crate) fn compare(
    session: &mut Session,
    run: RunId,
    limit: ReadLimit,
) -> Result<Option<u32>, NoAnswer> {
    let mut reading = StepReader::begin(&session.history, run, LoadedRun::needs_sketches, limit)?;
    if reading.unread == 0 {
        while reading.step(&session.history, |span| session.files.read(span))? {}
        session.history.keep_sketches(&mut reading.loaded_run);
    }
    let verdict = session.history.verdict(&reading.loaded_run)?;
    let numbers = session.history.run(run)?.numbers();
    let is_in = |n: &&i64| verdict.stuck.iter().any(|s| (s.from..=s.to).contains(*n));
    Ok(verdict.is_stuck().map(|_| count(numbers.iter().filter(is_in).count())))
}
