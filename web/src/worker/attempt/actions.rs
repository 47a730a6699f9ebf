//! Questions about the actions of an attempt.

use hindscope::{LogEntry, RunId};

use super::super::iteration_body::{TEXT_MOST, cut_end, shorten_action};
use super::super::no_answer::NoAnswer;
use super::super::session::Session;
use super::log::Log;
use super::records;
use crate::browser;
use crate::protocol::{ActionBody, ActionsBody, Rows, count};

/// Records are read for this long before the page hears of it.
const SLICE_MS: f64 = 30.0;
/// Rows that are asked for at once, at most.
const ROWS: u32 = 1024;

/// Takes the log of an attempt, read so far or new. Whoever takes it gives it back.
fn take(session: &mut Session, run: RunId, number: i64) -> Result<Log, NoAnswer> {
    if let Some(log) = session.cache.log.take().filter(|log| log.is_of(run, number)) {
        return Ok(log);
    }
    let mut reader = session.take_reader(run)?;
    let (outline, lines) = records::read(session, &mut reader, number)?;
    session.give_reader(reader);
    Ok(Log::new(run, number, outline, lines))
}

/// Some actions, and what is known of all that were read.
pub(super) fn actions(
    session: &mut Session,
    run: RunId,
    number: i64,
    rows: Rows,
) -> Result<ActionsBody, NoAnswer> {
    let mut log = take(session, run, number)?;
    let total = log.total();
    log.read_to(session.records(), total, browser::now() + SLICE_MS);
    let mut body = log.body();
    let first = (rows.first as usize).min(total);
    let end = total.min(first + rows.count.min(ROWS) as usize);
    body.first = count(first);
    body.rows = (first..end).map(|at| log.row(session.records(), at)).collect();
    session.cache.log = Some(log);
    Ok(body)
}

/// One action in full, and the state after it.
pub(super) fn action(
    session: &mut Session,
    run: RunId,
    number: i64,
    at: u32,
) -> Result<ActionBody, NoAnswer> {
    let mut log = take(session, run, number)?;
    let (total, place_of) = (log.total(), at as usize);
    if place_of >= total {
        session.cache.log = Some(log);
        let message = format!("Attempt {number} has no action {}.", u64::from(at) + 1);
        return Err(message.into());
    }
    // The state rests on all actions before this one.
    log.read_to(session.records(), place_of + 1, f64::INFINITY);
    let entry = log.entry(session.records(), place_of);
    let span = log.record(place_of).and_then(|id| session.history.locate(id).ok());
    let place = span.map(|span| format!("{}:{}:{}", span.path, span.line, span.column));
    let state = log.state(place_of);
    let step = log.step(place_of);
    session.cache.log = Some(log);
    let LogEntry { mut action, mut error, iteration, mut texts, .. } = entry?;
    let others = error.iter_mut().chain(texts.iter_mut().map(|text| &mut text.text));
    let others: usize = others.map(|text| cut_end(text, TEXT_MOST)).sum();
    let shortened = count(shorten_action(&mut action, TEXT_MOST) + others);
    let total = count(total);
    Ok(ActionBody {
        number,
        at,
        total,
        action,
        error,
        iteration,
        step,
        texts,
        place,
        state,
        shortened,
    })
}
