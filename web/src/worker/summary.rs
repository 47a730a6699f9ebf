//! What the runs shown come to together (`aggregate/*`, `retry/improvement`, `evaluator/trust`).

use hindscope::{GroupView, LoadedRun, StableSort as _, failure_categories};

use super::no_answer::NoAnswer;
use super::run_list;
use super::run_reader::{ReadLimit, StepReader};
use super::session::Session;
use crate::browser;
use crate::protocol::{CategoriesBody, Choice, Page, SummaryBody, count};

/// The page hears of categories this often, and may then ask for more.
const SLICE_MS: f64 = 40.0;
/// A run whose records are longer together is left out: it would keep the page waiting.
const RUN_LIMIT: ReadLimit = ReadLimit { records: usize::MAX, bytes: 16 << 20 };
/// Groups whose trust is shown.
const TRUSTS: usize = 20;

/// Groups that are shown: each dropped file may be one.
const GROUPS: usize = 100;

/// The groups with most runs, as many as a page can show at once.
pub(crate) fn largest(groups: &[GroupView]) -> Page<GroupView> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.stable_sort_by_key(|at| std::cmp::Reverse(groups[*at].runs));
    order.truncate(GROUPS);
    order.sort_unstable();
    let all = count(groups.len());
    let rows = order.into_iter().map(|at| groups[at].clone()).collect();
    Page { all, total: all, first: 0, rows }
}

/// What the runs shown come to together.
pub(crate) fn summary(session: &mut Session, choice: &Choice) -> SummaryBody {
    let order = run_list::runs(session, choice);
    let groups = if choice.is_filtered() {
        largest(&session.history.groups_of(&order))
    } else {
        largest(&session.groups())
    };
    let trusts = groups.rows.iter().filter_map(|group| {
        let trust = session.history.trust(group.id)?;
        Some((group.label.clone(), trust))
    });
    let trusts = trusts.take(TRUSTS).collect();
    let stuck = |run| session.cache.repetition.stuck(run).map(|attempts| attempts > 0);
    let mut headline = session.history.headline_of(&order, stuck);
    if !choice.is_filtered()
        && let Some(mut compared) = session.compared()
    {
        // Sums over both experiments say little. Who got stuck is said after the comparison.
        for part in headline.parts.into_iter().filter(|part| part.rule == "headline/stuck") {
            compared.push(part);
        }
        headline = compared;
    }
    SummaryBody { attempts: session.history.aggregate_of(&order), headline, trusts, groups }
}

/// Failure categories of the runs shown from a position on, for as long as a slice lasts.
pub(crate) fn categories(
    session: &mut Session,
    choice: &Choice,
    from: u32,
) -> Result<CategoriesBody, NoAnswer> {
    let order = run_list::runs(session, choice);
    let options = super::categories::options();
    let needs = |run: &LoadedRun| run.needs_for(&options);
    let begun = browser::now();
    let mut body = CategoriesBody { total: count(order.len()), ..CategoriesBody::default() };
    let mut explanations = Vec::new();
    for &id in order.iter().skip(from as usize) {
        let mut reading = StepReader::begin(&session.history, id, needs, RUN_LIMIT)?;
        body.looked += 1;
        if reading.unread > 0 {
            body.unread += reading.unread + count(reading.spans.len());
        } else {
            while reading.step(&session.history, |span| session.files.read(span))? {}
            body.unread += reading.failed;
            explanations.push(reading.loaded_run.explain(&options));
        }
        if browser::now() - begun > SLICE_MS {
            break;
        }
    }
    body.counts = failure_categories(&explanations);
    Ok(body)
}
