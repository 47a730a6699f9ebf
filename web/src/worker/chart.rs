//! What the chart of a run asks for beside the columns.

use std::collections::BTreeSet;

use hindscope::{LoadedRun, NamedSeries, RunId, WindowRule};

use super::no_answer::NoAnswer;
use super::run_reader::{ReadLimit, StepReader};
use super::session::Session;
use crate::protocol::{HeldBody, SeriesBody, SeriesColumns};

/// Records that are looked at for the names of series.
const SAMPLE: usize = 12;
/// Bytes of a record that is read for the spelling of its reward: a step through a run is fast.
const SPELLED: u64 = 1 << 20;

/// Series beside the one that a run has: of a few records if only the names are asked for.
pub(crate) fn series(
    session: &mut Session,
    run: RunId,
    name: Option<String>,
) -> Result<SeriesBody, NoAnswer> {
    let Some(name) = name else {
        let (names, unread) = (names(session, run)?, 0);
        return Ok(SeriesBody { run: Some(run), names, chosen: None, unread });
    };
    let (all, unread) = read(session, run)?;
    let names = all.iter().map(|series| series.name.clone()).collect();
    let chosen = all.into_iter().find(|series| series.name == name);
    let chosen = chosen.map(|NamedSeries { name, origin, rule, rewards }| SeriesColumns {
        name,
        origin,
        rule,
        rewards: rewards.into_iter().collect(),
    });
    Ok(SeriesBody { run: Some(run), names, chosen, unread })
}

/// Names of series, by a few iterations evenly over the run.
fn names(session: &mut Session, run: RunId) -> Result<Vec<String>, NoAnswer> {
    let view = session.history.run(run)?.view();
    let iterations = session.iterations(run)?;
    let step = iterations.len().div_ceil(SAMPLE).max(1);
    let mut names = BTreeSet::new();
    for iteration in iterations.iter().step_by(step) {
        let span = session.history.locate(iteration.record)?;
        if let Ok(bytes) = session.files.read(&span) {
            let details = session.history.inspect(iteration.record, iteration.part, &bytes)?;
            names.extend(NamedSeries::names_in(&details, &view));
        }
    }
    Ok(names.into_iter().collect())
}

/// The series of a run, as far as its records are read; and how many were not.
fn read(session: &Session, run: RunId) -> Result<(Vec<NamedSeries>, u32), NoAnswer> {
    let history = &session.history;
    let view = history.run(run)?.view();
    let mut reading = StepReader::begin(history, run, LoadedRun::needs, ReadLimit::ONE_RUN)?;
    while reading.step(history, |span| session.files.read(span))? {}
    Ok((reading.loaded_run.series(&view), reading.unread + reading.failed))
}

/// Ordinals of the iterations that wrote what is in the window, and the reward as it is written.
pub(crate) fn in_window(
    session: &mut Session,
    run: RunId,
    at: i64,
    omega: Option<u8>,
) -> Result<HeldBody, NoAnswer> {
    let rule = WindowRule { omega, ..WindowRule::default() };
    let window = session.history.run(run)?.window(at, rule)?.view();
    let mut ordinals: Vec<u32> = window.held.iter().map(|held| held.ordinal).collect();
    ordinals.sort_unstable();
    ordinals.dedup();
    let written = written(session, run, at)?;
    Ok(HeldBody { at, ordinals, written })
}

/// How the record of an iteration spells its reward in the series of the run.
fn written(session: &mut Session, run: RunId, at: i64) -> Result<Option<String>, NoAnswer> {
    let origin = session.history.run(run)?.view().reward_origin;
    let iterations = session.iterations(run)?;
    let Some(iteration) = iterations.iter().find(|one| one.number == at) else { return Ok(None) };
    let span = session.history.locate(iteration.record)?;
    if iteration.reward.is_none() || span.end - span.start > SPELLED {
        return Ok(None);
    }
    let Ok(bytes) = session.files.read(&span) else { return Ok(None) };
    let details = session.history.inspect(iteration.record, iteration.part, &bytes)?;
    Ok(details.reward.filter(|own| own.origin == origin).and_then(|own| own.written()))
}
