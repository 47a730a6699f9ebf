//! Questions of the page, answered from the history.

use super::no_answer::NoAnswer;
use hindscope::RunId;

use super::attempt;
use super::chart;
use super::compare;
use super::comparing;
use super::damage;
use super::difference;
use super::export_size;
use super::findings;
use super::findings_page;
use super::inspect;
use super::iteration_body;
use super::learn;
use super::link_check;
use super::provenance;
use super::run_list;
use super::run_reader::ReadLimit;
use super::session::Session;
use super::summary;
use super::window;
use crate::protocol::{
    Answer, Choice, Exported, Page, Query, Rows, RunAddress, RunBody, SourceRow, count,
};

/// Answers one question.
pub(crate) fn answer(session: &mut Session, query: Query) -> Result<Answer, NoAnswer> {
    Ok(match query {
        Query::Sources(rows) => Answer::Sources(sources(session, rows)),
        Query::Source { path } => Answer::Source(Box::new(source(session, &path)?)),
        Query::Groups => Answer::Groups(summary::largest(&session.groups())),
        Query::Runs { choice, rows, looked, .. } => {
            Answer::Runs(run_list::lines(session, &choice, rows, looked.is_some()))
        }
        Query::Summary { choice, .. } => {
            Answer::Summary(Box::new(summary::summary(session, &choice)))
        }
        Query::Categories { choice, from } => {
            Answer::Categories(summary::categories(session, &choice, from)?)
        }
        Query::Addresses { choice } => {
            Answer::Addresses(run_list::addresses(session, &choice, compare::MOST))
        }
        Query::Compare { runs, align } => {
            Answer::Compare(Box::new(compare::compare(session, &runs, align)))
        }
        Query::ErrorsAndLessons { run } => {
            Answer::ErrorsAndLessons(Box::new(compare::errors_and_lessons(session, run)?))
        }
        Query::Difference { runs, align, from } => {
            Answer::Difference(difference::difference(session, runs, align, from)?)
        }
        Query::Experiments { labels, attempts } => {
            Answer::Experiments(Box::new(compare::experiments(session, &labels, attempts)))
        }
        Query::Run { address, choice } => Answer::Run(Box::new(run(session, &address, &choice)?)),
        Query::Iteration { run, ordinal } => Answer::Iteration(Box::new(
            iteration_body::iteration(session, run, ordinal, iteration_body::TEXT_MOST)?,
        )),
        Query::Whole { run, ordinal } => Answer::Iteration(Box::new(iteration_body::iteration(
            session,
            run,
            ordinal,
            iteration_body::WHOLE_MOST,
        )?)),
        Query::Notes { run, number } => {
            Answer::Notes(Box::new(inspect::notes(session, run, number)?))
        }
        Query::Records { run, rows, place, number } => {
            let chosen = inspect::chosen(session, run, place.as_deref(), number)?;
            Answer::Records(inspect::records(session, run, rows)?, chosen)
        }
        Query::Record { record } => Answer::Record(Box::new(inspect::record(session, record)?)),
        Query::Verdict { record } => Answer::Verdict(inspect::verdict(session, record)?),
        Query::Save { record } => Answer::Export(inspect::save(session, record)?),
        Query::Attempt(ask) => Answer::Attempt(Box::new(attempt::attempt(session, ask)?)),
        Query::Learn { run, of } => Answer::Learn(Box::new(learn::learn(session, run, &of)?)),
        Query::About { run } => Answer::About(Box::new(provenance::about(session, run)?)),
        Query::Raw { record } => Answer::Raw(iteration_body::whole_text(session, record)?),
        Query::Text { source } => Answer::Raw(iteration_body::file_text(session, source)?),
        Query::Window { run, at, choice } => {
            Answer::Window(Box::new(window::window(session, run, at, &choice)?))
        }
        Query::Findings { choice, rows, .. } => {
            Answer::Findings(Box::new(findings_page::page(session, &choice, rows)))
        }
        Query::Damage(rows) => Answer::Damage(damage::sources(session, rows)),
        Query::DamageOf { source, rows } => Answer::DamageOf(damage::parts(session, source, rows)?),
        Query::Bytes { source, start, end } => {
            Answer::Bytes(damage::bytes(session, source, start, end)?)
        }
        Query::SaveBytes { source, start, end, name } => {
            let file = session.files.stretch(source, &name, start, end)?;
            Answer::Export(Exported { name, file })
        }
        Query::LinkOf { run } => Answer::LinkOf(link_check::link_of(session, run.as_ref())),
        Query::Linked { run, src } => {
            Answer::Linked(link_check::linked(session, run.as_ref(), &src))
        }
        Query::Export { .. } | Query::SaveFindings { .. } => {
            return Err(NoAnswer::from("Exports are written in steps.".to_owned()));
        }
        Query::Weigh { runs, include } => {
            Answer::Weights(export_size::weigh(session, &runs, include)?)
        }
        Query::Series { run, name } => Answer::Series(Box::new(chart::series(session, run, name)?)),
        Query::InWindow { run, at, omega } => {
            Answer::InWindow(chart::in_window(session, run, at, omega)?)
        }
        Query::Search { .. } | Query::SearchHit { .. } => {
            return Err(NoAnswer::from("Searches are made in steps.".to_owned()));
        }
    })
}

fn sources(session: &mut Session, rows: Rows) -> Page<SourceRow> {
    let sources = session.sources();
    Page::of(&sources, rows, |view| findings::of_source(session, view))
}

fn source(session: &mut Session, path: &str) -> Result<SourceRow, NoAnswer> {
    let sources = session.sources();
    let view = sources.iter().find(|view| view.path == path);
    let none = || NoAnswer::from(format!("No open file has the path \u{201c}{path}\u{201d}."));
    Ok(findings::of_source(session, view.ok_or_else(none)?))
}

fn run(session: &mut Session, address: &RunAddress, choice: &Choice) -> Result<RunBody, NoAnswer> {
    let id = session.run_of(address)?;
    let Some(row) = session.rows(&[id]).pop() else {
        return Err(NoAnswer::from("This run is gone.".to_owned()));
    };
    let columns = iteration_body::columns(session, id)?;
    let has_log = attempt::has_log(session, id)?;
    let first = session.history.run(id)?.records().first().copied();
    let begins = first.and_then(|record| session.history.locate(record).ok());
    let source = begins.and_then(|span| session.history.source(span.source).ok());
    let (path, digest) = source.map(|source| (source.path, source.digest)).unwrap_or_default();
    // What cannot be read is not compared, and the verdict says so.
    let stuck = comparing::compare(session, id, ReadLimit::BESIDE_OTHERS).ok().flatten();
    session.cache.repetition.replace(id, stuck);
    let verdict = session.history.verdict(&session.history.loaded_run(id)?)?;
    let order = run_list::runs(session, choice);
    let at = order.iter().position(|other| *other == id);
    let mut neighbour = |at: Option<usize>| {
        let other: RunId = *order.get(at?)?;
        session.rows(&[other]).pop().map(|row| row.address)
    };
    Ok(RunBody {
        previous: neighbour(at.and_then(|at| at.checked_sub(1))),
        next: neighbour(at.map(|at| at + 1)),
        position: at.map(|at| (count(at) + 1, count(order.len()))),
        row,
        columns,
        verdict,
        has_log,
        path,
        digest,
    })
}
