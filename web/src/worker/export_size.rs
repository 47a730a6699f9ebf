//! How large exports become, found by writing some of the runs and keeping nothing of it.

use std::collections::BTreeSet;

use hindscope::{RecordId, RunId};

use super::export::{self, options};
use super::no_answer::NoAnswer;
use super::session::Session;
use crate::protocol::{ExportForm, ExportOf, Include, Weights, count, float};

/// Runs that are written at most, and bytes that their records may have.
const RUNS: usize = 64;
const BYTES: u64 = 1 << 20;
/// If a history has more records, nothing is written: the parts of an export outside its runs would take
/// long by themselves.
const RECORDS: usize = 100_000;

/// Sizes of all forms; none of those that cannot be known without writing much.
pub(crate) fn weigh(
    session: &mut Session,
    of: &ExportOf,
    include: Include,
) -> Result<Weights, NoAnswer> {
    let runs = export::runs(session, of)?;
    let mut chosen = spread(&runs);
    let mut bytes = records(session, &chosen)?;
    while bytes > BYTES && chosen.len() > 1 {
        chosen = chosen.into_iter().step_by(2).collect();
        bytes = records(session, &chosen)?;
    }
    let (part, all) = (count(chosen.len()), count(runs.len()));
    let share = f64::from(all) / f64::from(part.max(1));
    let mut weights =
        Weights { is_exact: part == all, records: float(bytes) * share, forms: Vec::new() };
    if bytes > BYTES || session.history.record_count() > RECORDS {
        return Ok(weights);
    }
    for form in ExportForm::WRITTEN {
        // Some are for one run only.
        if let Ok(length) = written(session, &chosen, (form, include)) {
            weights.forms.push((form, float(length) * share));
        }
    }
    Ok(weights)
}

/// At most `RUNS` of these runs, spread evenly over all of them.
fn spread(runs: &[RunId]) -> Vec<RunId> {
    runs.iter().copied().step_by(runs.len().div_ceil(RUNS).max(1)).collect()
}

/// Bytes of the records of some runs. One that several of them share counts once.
fn records(session: &Session, runs: &[RunId]) -> Result<u64, NoAnswer> {
    let mut all: BTreeSet<RecordId> = BTreeSet::new();
    for run in runs {
        all.extend(session.history.run(*run)?.records());
    }
    let spans = all.into_iter().filter_map(|record| session.history.locate(record).ok());
    Ok(spans.map(|span| span.end - span.start).sum())
}

fn written(
    session: &Session,
    runs: &[RunId],
    what: (ExportForm, Include),
) -> Result<u64, NoAnswer> {
    let mut export = session.history.export(Some(runs), options(what))?;
    let mut bytes = 0;
    while let Some(piece) = export::next(session, &mut export)? {
        bytes += piece.len() as u64;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_come_from_everywhere() {
        let of = |count: u32| spread(&(0..count).map(RunId).collect::<Vec<_>>());
        assert_eq!(of(0), []);
        assert_eq!(of(64).len(), 64);
        let many = of(1000);
        assert!(many.len() <= RUNS && many.len() > RUNS / 2, "{}", many.len());
        assert!(many.last().is_some_and(|last| last.0 > 950));
    }
}
