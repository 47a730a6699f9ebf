//! Links to what others are to open: by the digests of sources, never by their names alone.

use std::collections::BTreeSet;

use hindscope::{RunId, SourceId, SourceState, SourceView};

use super::desk::Desk;
use super::life::count;
use crate::protocol::{Linked, RunAddress};

/// Sources that a link names: one is enough for a run, and a link stays short.
const SOURCES: usize = 8;
/// Iterations of a run whose sources are looked at.
const ITERATIONS: usize = 10_000;

/// How a link names a source: by its digest, or by name and length where none was computed.
fn key(view: &SourceView) -> String {
    view.digest.clone().unwrap_or_else(|| {
        let name = view.path.rsplit('/').next().unwrap_or_default().replace(',', " ");
        format!("{name}:{}", view.bytes)
    })
}

/// What a link that is copied says of its sources.
pub(crate) fn link_of(desk: &mut Desk, run: Option<&RunAddress>) -> Option<String> {
    if let Some(address) = run {
        let leading = desk.find(address).and_then(|run| leading(desk, run))?;
        return desk.history.source(leading).ok().map(|view| key(&view));
    }
    let sources = desk.sources();
    let read = sources.iter().filter(|view| view.state == SourceState::Read);
    let keys: Vec<String> = read.take(SOURCES).map(key).collect();
    (!keys.is_empty()).then(|| keys.join(","))
}

/// The source of the run's first iteration.
fn leading(desk: &mut Desk, run: RunId) -> Option<SourceId> {
    let record = desk.iterations(run).ok()?.first()?.record;
    desk.history.locate(record).ok().map(|span| span.source)
}

/// Whether what is open is what a link means.
pub(crate) fn linked(desk: &mut Desk, run: Option<&RunAddress>, src: &str) -> Linked {
    let sources = desk.sources();
    let open: BTreeSet<String> = sources.iter().map(key).collect();
    let wanted: Vec<&str> = src.split(',').filter(|key| !key.is_empty()).collect();
    let missing = wanted.iter().filter(|key| !open.contains(**key));
    let missing = missing.map(|key| (*key).to_owned()).collect();
    let found = run.and_then(|address| desk.find(address));
    let mut linked = Linked { missing, has_run: found.is_some(), ..Linked::default() };
    let (Some(address), Some(found)) = (run, found) else { return linked };
    let meant: BTreeSet<SourceId> = sources
        .iter()
        .filter(|view| wanted.contains(&key(view).as_str()))
        .map(|view| view.id)
        .collect();
    linked.is_of_run = is_of(desk, found, &meant);
    if !linked.is_of_run && !meant.is_empty() {
        linked.better = better(desk, address, found, &meant);
    }
    linked
}

fn is_of(desk: &Desk, run: RunId, sources: &BTreeSet<SourceId>) -> bool {
    let Ok(run) = desk.history.run(run) else { return false };
    run.records()
        .into_iter()
        .take(ITERATIONS)
        .filter_map(|record| desk.history.locate(record).ok())
        .any(|span| sources.contains(&span.source))
}

/// Another run of that key, which is of one of these sources.
fn better(
    desk: &mut Desk,
    address: &RunAddress,
    found: RunId,
    sources: &BTreeSet<SourceId>,
) -> Option<RunAddress> {
    let same: Vec<RunId> = desk
        .history
        .runs()
        .iter()
        .filter(|view| view.key == address.key && view.id != found)
        .map(|view| view.id)
        .take(count(SOURCES * SOURCES) as usize)
        .collect();
    let run = same.into_iter().find(|run| is_of(desk, *run, sources))?;
    desk.rows(&[run]).pop().map(|row| row.address)
}
