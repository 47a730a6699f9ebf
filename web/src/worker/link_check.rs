//! Links to what others are to open: by the names of files, for people, and by their digests, for the page.

use std::collections::BTreeSet;

use hindscope::{RunId, SourceId, SourceState, SourceView};

use super::session::Session;
use crate::protocol::{Linked, RunAddress};

/// Sources that a link names: one is enough for a run, and a link stays short.
const SOURCES: usize = 8;
/// Records of a run whose sources are looked at.
const ITERATIONS: usize = 10_000;

/// How a link names a source: its name, and its digest, or its length where none was computed.
fn key(view: &SourceView) -> String {
    let content = view.digest.clone().unwrap_or_else(|| view.bytes.to_string());
    format!("{}:{content}", name(view))
}

fn name(view: &SourceView) -> String {
    view.path.rsplit('/').next().unwrap_or_default().replace(',', " ")
}

/// Whether a key means a source: that with its digest, whatever its name is now.
fn means(wanted: &str, view: &SourceView) -> bool {
    let (named, content) = wanted.rsplit_once(':').unwrap_or(("", wanted));
    match &view.digest {
        Some(digest) => digest == content,
        None => named == name(view) && content == view.bytes.to_string(),
    }
}

/// What a link that is copied says of its sources.
pub(crate) fn link_of(session: &mut Session, run: Option<&RunAddress>) -> Option<String> {
    if let Some(address) = run {
        let leading = session.find(address).and_then(|run| leading(session, run))?;
        return session.history.source(leading).ok().map(|view| key(&view));
    }
    let sources = session.sources();
    let read = sources.iter().filter(|view| view.state == SourceState::Read);
    let keys: Vec<String> = read.take(SOURCES).map(key).collect();
    (!keys.is_empty()).then(|| keys.join(","))
}

/// The source of the run's first iteration.
fn leading(session: &mut Session, run: RunId) -> Option<SourceId> {
    let record = session.iterations(run).ok()?.first()?.record;
    session.history.locate(record).ok().map(|span| span.source)
}

/// Whether what is open is what a link means.
pub(crate) fn linked(session: &mut Session, run: Option<&RunAddress>, src: &str) -> Linked {
    let sources = session.sources();
    let wanted: Vec<&str> = src.split(',').filter(|key| !key.is_empty()).collect();
    let is_open = |wanted: &str| sources.iter().any(|view| means(wanted, view));
    let missing: Vec<String> =
        wanted.iter().filter(|key| !is_open(key)).map(|key| (*key).to_owned()).collect();
    let has_name = |key: &String| {
        sources.iter().any(|view| key.rsplit_once(':').is_some_and(|k| k.0 == name(view)))
    };
    let is_changed = missing.iter().any(has_name);
    let found = run.and_then(|address| session.find(address));
    let mut linked = Linked { missing, is_changed, has_run: found.is_some(), ..Linked::default() };
    let (Some(address), Some(found)) = (run, found) else { return linked };
    let meant: BTreeSet<SourceId> = sources
        .iter()
        .filter(|view| wanted.iter().any(|key| means(key, view)))
        .map(|view| view.id)
        .collect();
    linked.is_of_run = is_of(session, found, &meant);
    if !linked.is_of_run && !meant.is_empty() {
        linked.better = better(session, address, found, &meant);
    }
    linked
}

fn is_of(session: &Session, run: RunId, sources: &BTreeSet<SourceId>) -> bool {
    let Ok(run) = session.history.run(run) else { return false };
    run.records()
        .into_iter()
        .take(ITERATIONS)
        .filter_map(|record| session.history.locate(record).ok())
        .any(|span| sources.contains(&span.source))
}

/// Another run of that key, which is of one of these sources.
fn better(
    session: &mut Session,
    address: &RunAddress,
    found: RunId,
    sources: &BTreeSet<SourceId>,
) -> Option<RunAddress> {
    let same: Vec<RunId> = session
        .history
        .runs()
        .iter()
        .filter(|view| view.key == address.key && view.id != found)
        .map(|view| view.id)
        .take(SOURCES * SOURCES)
        .collect();
    let run = same.into_iter().find(|run| is_of(session, *run, sources))?;
    session.rows(&[run]).pop().map(|row| row.address)
}
