//! Questions of the page, answered from the history.

use hindscope::Order as _;
use std::fmt;

use hindscope::{GroupView, RunId};

use super::about;
use super::attempt;
use super::bodies;
use super::chart;
use super::compare;
use super::damage;
use super::desk::Desk;
use super::difference;
use super::explain;
use super::findings;
use super::found;
use super::inspect;
use super::learn;
use super::life::count;
use super::linked;
use super::list;
use super::summary;
use super::weigh;
use super::window;
use crate::protocol::{
    Answer, Choice, Exported, Page, Query, Rows, RunAddress, RunBody, SourceRow,
};

/// Groups that are shown: each dropped file may be one.
const GROUPS: usize = 100;

/// Why there is no answer, in words for the reader.
pub(crate) struct NoAnswer(String);

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<hindscope::Error> for NoAnswer {
    fn from(error: hindscope::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<String> for NoAnswer {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}

/// Answers one question.
pub(crate) fn answer(desk: &mut Desk, query: Query) -> Result<Answer, NoAnswer> {
    Ok(match query {
        Query::Sources(rows) => Answer::Sources(sources(desk, rows)),
        Query::Source { path } => Answer::Source(Box::new(source(desk, &path)?)),
        Query::Groups => Answer::Groups(largest(&desk.groups())),
        Query::Runs { choice, rows, looked } => {
            Answer::Runs(list::lines(desk, &choice, rows, looked.is_some()))
        }
        Query::Summary { choice, .. } => Answer::Summary(Box::new(summary::summary(desk, &choice))),
        Query::Categories { choice, from } => {
            Answer::Categories(summary::categories(desk, &choice, from)?)
        }
        Query::Addresses { choice } => {
            Answer::Addresses(list::addresses(desk, &choice, compare::MOST))
        }
        Query::Compare { runs, align } => {
            Answer::Compare(Box::new(compare::compare(desk, &runs, align)))
        }
        Query::Taught { run } => Answer::Taught(Box::new(compare::taught(desk, run)?)),
        Query::Difference { runs, align, from } => {
            Answer::Difference(difference::difference(desk, runs, align, from)?)
        }
        Query::Experiments { labels, at } => {
            Answer::Experiments(compare::experiments(desk, &labels, at)?)
        }
        Query::Run { address, choice } => Answer::Run(Box::new(run(desk, &address, &choice)?)),
        Query::Iteration { run, ordinal } => {
            Answer::Iteration(Box::new(bodies::iteration(desk, run, ordinal, bodies::TEXT_MOST)?))
        }
        Query::Whole { run, ordinal } => {
            Answer::Iteration(Box::new(bodies::iteration(desk, run, ordinal, bodies::WHOLE_MOST)?))
        }
        Query::Notes { run, number } => Answer::Notes(Box::new(inspect::notes(desk, run, number)?)),
        Query::Records { run, rows, place, number } => {
            let chosen = inspect::chosen(desk, run, place.as_deref(), number)?;
            Answer::Records(inspect::records(desk, run, rows)?, chosen)
        }
        Query::Record { record } => Answer::Record(Box::new(inspect::record(desk, record)?)),
        Query::Verdict { record } => Answer::Verdict(inspect::verdict(desk, record)?),
        Query::Save { record } => Answer::Export(inspect::save(desk, record)?),
        Query::Attempt(ask) => Answer::Attempt(Box::new(attempt::attempt(desk, ask)?)),
        Query::Explain { run } => {
            Answer::Explain(Box::new(explain::explain(desk, run)?.as_ref().clone()))
        }
        Query::Learn { run, of } => Answer::Learn(Box::new(learn::learn(desk, run, &of)?)),
        Query::About { run } => Answer::About(Box::new(about::about(desk, run)?)),
        Query::Raw { record } => Answer::Raw(bodies::whole_text(desk, record)?),
        Query::Text { source } => Answer::Raw(bodies::file_text(desk, source)?),
        Query::Window { run, at, choice } => {
            Answer::Window(Box::new(window::window(desk, run, at, &choice)?))
        }
        Query::Findings { choice, rows, .. } => {
            Answer::Findings(Box::new(found::page(desk, &choice, rows)))
        }
        Query::Damage(rows) => Answer::Damage(damage::sources(desk, rows)),
        Query::DamageOf { source, rows } => Answer::DamageOf(damage::parts(desk, source, rows)?),
        Query::Bytes { source, start, end } => {
            Answer::Bytes(damage::bytes(desk, source, start, end)?)
        }
        Query::SaveBytes { source, start, end, name } => {
            let file = desk.stretch(source, &name, start, end)?;
            Answer::Export(Exported { name, file })
        }
        Query::LinkOf { run } => Answer::LinkOf(linked::link_of(desk, run.as_ref())),
        Query::Linked { run, src } => Answer::Linked(linked::linked(desk, run.as_ref(), &src)),
        Query::Export { .. } | Query::SaveFindings { .. } => {
            return Err(NoAnswer("Exports are written in steps.".to_owned()));
        }
        Query::Weigh { runs, include } => Answer::Weights(weigh::weigh(desk, &runs, include)?),
        Query::Series { run, name } => Answer::Series(Box::new(chart::series(desk, run, name)?)),
        Query::InWindow { run, at, omega } => {
            Answer::InWindow(chart::in_window(desk, run, at, omega)?)
        }
        Query::Search { .. } | Query::SearchHit { .. } => {
            return Err(NoAnswer("Searches are made in steps.".to_owned()));
        }
    })
}

/// The groups with most runs, as many as a page can show at once.
pub(crate) fn largest(groups: &[GroupView]) -> Page<GroupView> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.order_by_key(|at| std::cmp::Reverse(groups[*at].runs));
    order.truncate(GROUPS);
    order.sort_unstable();
    let all = count(groups.len());
    let rows = order.into_iter().map(|at| groups[at].clone()).collect();
    Page { all, total: all, first: 0, rows }
}

/// The part of a list that was asked for, as far as the list goes.
pub(crate) fn part<T>(list: &[T], rows: Rows) -> std::ops::Range<u32> {
    let all = count(list.len());
    let first = rows.first.min(all);
    first..first.saturating_add(rows.count).min(all)
}

fn sources(desk: &mut Desk, rows: Rows) -> Page<SourceRow> {
    let sources = desk.sources();
    let shown = part(&sources, rows);
    let rows = sources[shown.start as usize..shown.end as usize]
        .iter()
        .map(|view| findings::of_source(desk, view))
        .collect();
    let all = count(sources.len());
    Page { all, total: all, first: shown.start, rows }
}

fn source(desk: &mut Desk, path: &str) -> Result<SourceRow, NoAnswer> {
    let sources = desk.sources();
    let view = sources.iter().find(|view| view.path == path);
    let none = || NoAnswer(format!("No open file has the path \u{201c}{path}\u{201d}."));
    Ok(findings::of_source(desk, view.ok_or_else(none)?))
}

fn run(desk: &mut Desk, address: &RunAddress, choice: &Choice) -> Result<RunBody, NoAnswer> {
    let Some(id) = desk.find(address) else {
        return Err(NoAnswer(format!("No open file has a run \u{201c}{}\u{201d}.", address.key)));
    };
    let Some(row) = desk.rows(&[id]).pop() else {
        return Err(NoAnswer("This run is gone.".to_owned()));
    };
    let columns = bodies::columns(desk, id)?;
    let has_log = attempt::has_log(desk, id)?;
    let first = desk.history.run(id)?.records().first().copied();
    let begins = first.and_then(|record| desk.history.locate(record).ok());
    let source = begins.and_then(|span| desk.history.source(span.source).ok());
    let (path, digest) = source.map(|source| (source.path, source.digest)).unwrap_or_default();
    let order = desk.order(choice);
    let at = order.iter().position(|other| *other == id);
    let mut neighbour = |at: Option<usize>| {
        let other: RunId = *order.get(at?)?;
        desk.rows(&[other]).pop().map(|row| row.address)
    };
    Ok(RunBody {
        previous: neighbour(at.and_then(|at| at.checked_sub(1))),
        next: neighbour(at.map(|at| at + 1)),
        position: at.map(|at| (count(at) + 1, count(order.len()))),
        row,
        columns,
        has_log,
        path,
        digest,
    })
}
