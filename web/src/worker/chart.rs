//! What the chart of a run asks for beside the columns.

use std::collections::BTreeSet;

use hindscope::{NamedSeries, RunId, WindowRule};

use super::answer::NoAnswer;
use super::desk::Desk;
use super::life::count;
use crate::protocol::{HeldBody, SeriesBody, SeriesColumns};

/// Records that are read for a series.
const READ: usize = 20_000;
/// Bytes of them at most: the page waits for the answer.
const READ_BYTES: u64 = 64 << 20;
/// Records that are looked at for the names of series.
const SAMPLE: usize = 12;
/// Series beside the one that a run has: of a few records if only the names are asked for.
pub(crate) fn series(
    desk: &mut Desk,
    run: RunId,
    name: Option<String>,
) -> Result<SeriesBody, NoAnswer> {
    let Some(name) = name else {
        let (names, unread) = (names(desk, run)?, 0);
        return Ok(SeriesBody { run: Some(run), names, chosen: None, unread });
    };
    let (all, unread) = read(desk, run)?;
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
fn names(desk: &mut Desk, run: RunId) -> Result<Vec<String>, NoAnswer> {
    let view = desk.history.run(run)?.view();
    let iterations = desk.iterations(run)?;
    let step = iterations.len().div_ceil(SAMPLE).max(1);
    let mut names = BTreeSet::new();
    for iteration in iterations.iter().step_by(step) {
        let span = desk.history.locate(iteration.record)?;
        if let Ok(bytes) = desk.read(&span) {
            let details = desk.history.inspect(iteration.record, iteration.part, &bytes)?;
            names.extend(NamedSeries::names_in(&details, &view));
        }
    }
    Ok(names.into_iter().collect())
}

/// The series of a run, as far as its records are read; and how many were not.
fn read(desk: &Desk, run: RunId) -> Result<(Vec<NamedSeries>, u32), NoAnswer> {
    let view = desk.history.run(run)?.view();
    let mut story = desk.history.story(run)?;
    let spans = desk.history.needs(&story);
    let (mut told, mut bytes_read) = (0, 0);
    for span in spans.iter().take(READ) {
        bytes_read += span.end - span.start;
        if bytes_read > READ_BYTES {
            break;
        }
        if let Ok(bytes) = desk.read(span) {
            desk.history.tell(&mut story, span.record, &bytes)?;
            told += 1;
        }
    }
    Ok((story.series(&view), count(spans.len() - told)))
}

/// Ordinals of the iterations that wrote what is in the window.
pub(crate) fn in_window(
    desk: &Desk,
    run: RunId,
    at: i64,
    omega: Option<u8>,
) -> Result<HeldBody, NoAnswer> {
    let rule = WindowRule { omega, ..WindowRule::default() };
    let window = desk.history.run(run)?.window(at, rule)?.view();
    let mut ordinals: Vec<u32> = window.held.iter().map(|held| held.ordinal).collect();
    ordinals.sort_unstable();
    ordinals.dedup();
    Ok(HeldBody { at, ordinals })
}
