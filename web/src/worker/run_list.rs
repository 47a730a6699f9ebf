//! Lines of the list of runs: rows with what only the list shows, and headings between them.

use std::collections::BTreeSet;
use std::rc::Rc;

use hindscope::{Outcome, Query, Run, RunId, RunView, Severity, Target};

use super::finding_index::Brief;
use super::run_sort::{RunSorter, SortedRuns, selected, times};
use super::session::{Session, group_label};
use crate::browser;
use crate::protocol::{
    Choice, FindingIs, GroupBy, Line, Page, Rows, RunMore, RunRow, RunsBody, count,
};

/// Values that a cell has room for.
const SPARK: usize = 48;
/// A run whose newest time is longer ago does not run any more.
const STALE_MS: f64 = 24.0 * 3600.0 * 1000.0;

/// The lines that were asked for. Where failure categories matter, runs among them are looked at
/// first.
pub(crate) fn lines(
    session: &mut Session,
    choice: &Choice,
    rows: Rows,
    has_categories: bool,
) -> RunsBody {
    let order = sorted(session, choice);
    let all = count(session.history.run_count());
    let shown = count(order.runs.len());
    let places = places(&order, &choice.closed);
    let categories = has_categories.then(|| session.cache.categories.progress(all as usize));
    let is_by_category = choice.by == Some(GroupBy::Category) || choice.filters_category();
    let is_so_far = is_by_category && categories.is_some_and(|judged| !judged.is_complete());
    let total = places.last().map_or(shown, |place| place.line + 1 + place.runs);
    let range = rows.within(total);
    let mut lines = Vec::with_capacity(range.len());
    let mut ids = Vec::new();
    for line in range.clone() {
        match what(&places, line) {
            What::Heading(at) => {
                let mut heading = order.headings[at].1.clone();
                heading.is_closed = places[at].runs == 0;
                heading.is_so_far = is_so_far;
                lines.push(Some(Line::Heading(heading)));
            }
            What::Run(at) => {
                ids.extend(order.runs.get(at as usize));
                lines.push(None);
            }
        }
    }
    if has_categories {
        session.cache.categories.put_first(&ids);
    }
    let mut rows = session.rows(&ids).into_iter();
    let now = browser::date_ms();
    let lines = lines.into_iter().filter_map(|line| {
        line.or_else(|| {
            let mut row = rows.next()?;
            row.more = more(session, &row, now);
            Some(Line::Run(Box::new(row)))
        })
    });
    let lines = Page { all: total, total, first: range.start, rows: lines.collect() };
    RunsBody { all, shown, lines, categories }
}

/// Where a heading stands among the lines, and how many runs stand below it.
struct Place {
    line: u32,
    first: u32,
    runs: u32,
}

enum What {
    Heading(usize),
    Run(u32),
}

fn places(order: &SortedRuns, closed: &[String]) -> Vec<Place> {
    let mut line = 0;
    let place = |(first, heading): &(u32, crate::protocol::Heading)| {
        let runs = if closed.contains(&heading.title) { 0 } else { heading.runs };
        let place = Place { line, first: *first, runs };
        line += 1 + runs;
        place
    };
    order.headings.iter().map(place).collect()
}

fn what(places: &[Place], line: u32) -> What {
    let Some(at) = places.partition_point(|place| place.line <= line).checked_sub(1) else {
        return What::Run(line);
    };
    let place = &places[at];
    match line - place.line {
        0 => What::Heading(at),
        below => What::Run(place.first + below - 1),
    }
}

/// What the list shows beyond a run's own view.
pub(crate) fn more(session: &Session, row: &RunRow, now_ms: f64) -> RunMore {
    let Ok(run) = session.history.run(row.view.id) else { return RunMore::default() };
    let (start_ms, end_ms) = times(&row.view, Some(&run));
    let first = run.records().first().copied();
    RunMore {
        spark: spark(run.rewards()).into_iter().collect(),
        trajectory: run.trajectory(),
        selected: selected(&run),
        start_ms,
        end_ms,
        usage: run.usage(),
        category: session.cache.categories.of(row.view.id),
        is_stale: is_stale(&row.view, newest(&row.view, &run), now_ms),
        verdict: session.history.verdicts(&[row.view.id]).pop(),
        path: first
            .and_then(|id| session.history.locate(id).ok())
            .map_or_else(String::new, |s| s.path),
    }
}

fn newest(view: &RunView, run: &Run<'_>) -> Option<f64> {
    let own = run.columns().times_ms.iter().copied().filter(|time| !time.is_nan());
    own.chain(view.start_ms).chain(view.end_ms).reduce(f64::max)
}

fn is_stale(view: &RunView, newest: Option<f64>, now_ms: f64) -> bool {
    view.outcome == Outcome::Running && newest.is_some_and(|newest| now_ms - newest > STALE_MS)
}

/// Rewards for a cell: as they are, or least and greatest of each stretch in the order they came.
fn spark(rewards: &[f64]) -> Vec<Option<f64>> {
    if rewards.len() <= SPARK {
        return rewards.iter().map(|reward| Some(*reward).filter(|r| !r.is_nan())).collect();
    }
    let stretch = rewards.len().div_ceil(SPARK / 2);
    let mut spark = Vec::with_capacity(SPARK);
    for part in rewards.chunks(stretch) {
        let known = || part.iter().enumerate().filter(|(_, reward)| !reward.is_nan());
        let least = known().min_by(|a, b| a.1.total_cmp(b.1));
        let most = known().max_by(|a, b| a.1.total_cmp(b.1));
        let pair = match (least, most) {
            (Some((at, low)), Some((to, high))) if at <= to => [Some(*low), Some(*high)],
            (Some((_, low)), Some((_, high))) => [Some(*high), Some(*low)],
            _ => [None, None],
        };
        spark.extend(pair);
    }
    spark
}

/// The runs that a choice lets through, in order, with the headings above them.
pub(crate) fn sorted(session: &mut Session, choice: &Choice) -> Rc<SortedRuns> {
    // What is folded away is still in the list.
    let choice = Choice { closed: Vec::new(), ..choice.clone() };
    if let Some(runs) = session.sorted_runs(&choice) {
        return runs;
    }
    let groups = session.groups();
    let among = among(session, &choice);
    let mut sorter =
        RunSorter::new(&choice, among, &session.cache.categories, &session.cache.repetition);
    let is_needed = choice.sort.is_some() || choice.by.is_some();
    session.each_run(|view| {
        let run = is_needed.then(|| session.history.run(view.id).ok()).flatten();
        sorter.offer(view, group_label(&groups, view), run.as_ref());
    });
    let runs = Rc::new(sorter.finish());
    session.cache_sorted_runs(choice, Rc::clone(&runs));
    runs
}

/// The same, without headings.
pub(crate) fn runs(session: &mut Session, choice: &Choice) -> Rc<[RunId]> {
    Rc::clone(&sorted(session, choice).runs)
}

/// Runs that the source, the finding and the text of a choice let through; `None` if it has none of these.
fn among(session: &mut Session, choice: &Choice) -> Option<BTreeSet<RunId>> {
    let by_source = choice.source.as_ref().map(|path| of_source(session, path));
    let by_finding = choice.finding.as_ref().map(|wanted| of_finding(session, wanted));
    // A text that is not a query lets all through: the page says what is wrong in it.
    let query = Query::parse_for(&choice.text, Target::RunsWithCategory);
    let by_text = query.ok().filter(|query| !query.is_empty()).map(|query| {
        let category = |run| session.cache.categories.name(run);
        session.history.find_runs_with(&query, category).into_iter().collect()
    });
    let all: [Option<BTreeSet<RunId>>; 3] = [by_source, by_finding, by_text];
    all.into_iter().flatten().reduce(|a, b| a.intersection(&b).copied().collect())
}

fn every(session: &Session) -> impl Iterator<Item = RunId> + use<> {
    (0..count(session.history.run_count())).map(RunId)
}

fn of_source(session: &Session, path: &str) -> BTreeSet<RunId> {
    let is_of = |id: &RunId| {
        let records = session.history.run(*id).map(|run| run.records()).unwrap_or_default();
        records.iter().any(|record| session.history.locate(*record).is_ok_and(|s| s.path == path))
    };
    every(session).filter(is_of).collect()
}

fn of_finding(session: &mut Session, wanted: &FindingIs) -> BTreeSet<RunId> {
    let index = session.findings();
    let is_wanted = |brief: &&Brief| match wanted {
        FindingIs::Any | FindingIs::None => true,
        FindingIs::Errors => brief.severity == Severity::Error,
        FindingIs::Warnings => brief.severity == Severity::Warning,
        FindingIs::Rule(rule) => *index.rule(brief) == *rule,
    };
    let found: BTreeSet<RunId> =
        index.briefs.iter().filter(is_wanted).filter_map(|brief| brief.run).collect();
    if *wanted == FindingIs::None {
        return every(session).filter(|id| !found.contains(id)).collect();
    }
    found
}

/// Addresses of the first runs shown.
pub(crate) fn addresses(
    session: &mut Session,
    choice: &Choice,
    most: u32,
) -> Vec<crate::protocol::RunAddress> {
    let runs = runs(session, choice);
    let first = runs.len().min(most as usize);
    session.rows(&runs[..first]).into_iter().map(|row| row.address).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Heading;

    fn heading(title: &str, runs: u32) -> Heading {
        Heading { title: title.to_owned(), runs, ..Heading::default() }
    }

    #[test]
    fn lines_are_headings_and_the_runs_below_them() {
        let order = SortedRuns {
            runs: (0..5).map(RunId).collect(),
            headings: vec![(0, heading("a", 2)), (2, heading("b", 2)), (4, heading("", 1))],
        };
        let shown = |closed: &[String]| {
            let places = places(&order, closed);
            let total = places.last().map_or(5, |place| place.line + 1 + place.runs);
            (0..total)
                .map(|line| match what(&places, line) {
                    What::Heading(at) => format!("#{}", order.headings[at].1.title),
                    What::Run(at) => at.to_string(),
                })
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(shown(&[]), "#a 0 1 #b 2 3 # 4");
        assert_eq!(shown(&["b".to_owned(), String::new()]), "#a 0 1 #b #");
        let flat = SortedRuns { runs: order.runs.clone(), headings: Vec::new() };
        assert!(matches!(what(&places(&flat, &[]), 3), What::Run(3)));
    }

    #[test]
    fn cells_keep_extremes_and_gaps() {
        assert_eq!(spark(&[0.5, f64::NAN, 1.0]), [Some(0.5), None, Some(1.0)]);
        let mut many: Vec<f64> = vec![0.5; 1000];
        many[700] = 0.0;
        many[701] = 1.0;
        let cell = spark(&many);
        assert!(cell.len() <= SPARK);
        let dip = cell.iter().position(|value| *value == Some(0.0)).expect("the dip is kept");
        assert_eq!(cell.get(dip + 1), Some(&Some(1.0)), "in the order they came");
        assert!(spark(&[f64::NAN; 100]).iter().all(Option::is_none));
    }
}
