//! Lines of the list of runs: rows with what only the list shows, and headings between them.

use std::collections::BTreeSet;

use hindscope::{Outcome, Query, Run, RunId, RunView, Severity, Target};

use super::answer::part;
use super::desk::Desk;
use super::life::count;
use super::rows::{Ordered, selected, times};
use crate::platform;
use crate::protocol::{Choice, FindingIs, GroupBy, Line, Page, Rows, RunMore, RunRow, RunsBody};

/// Values that a cell has room for.
const SPARK: usize = 48;
/// A run whose newest time is longer ago does not run any more.
const STALE_MS: f64 = 24.0 * 3600.0 * 1000.0;

/// The lines that were asked for. Where failure categories matter, runs among them are looked at
/// first.
pub(crate) fn lines(
    desk: &mut Desk,
    choice: &Choice,
    rows: Rows,
    has_categories: bool,
) -> RunsBody {
    let order = desk.ordered(choice);
    let all = count(desk.history.run_count());
    let shown = count(order.runs.len());
    let places = places(&order, &choice.closed);
    let categories = has_categories.then(|| desk.categories().progress(all as usize));
    let is_by_category = choice.by == Some(GroupBy::Category) || choice.filters_category();
    let is_so_far = is_by_category && categories.is_some_and(|judged| !judged.is_complete());
    let total = places.last().map_or(shown, |place| place.line + 1 + place.runs);
    let range = part_of(total, rows);
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
        desk.categories_mut().put_first(&ids);
    }
    let mut rows = desk.rows(&ids).into_iter();
    let now = platform::date_ms();
    let lines = lines.into_iter().filter_map(|line| {
        line.or_else(|| {
            let mut row = rows.next()?;
            row.more = more(desk, &row, now);
            Some(Line::Run(Box::new(row)))
        })
    });
    let lines = Page { all: total, total, first: range.start, rows: lines.collect() };
    RunsBody { all, shown, lines, categories }
}

fn part_of(total: u32, rows: Rows) -> std::ops::Range<u32> {
    let first = rows.first.min(total);
    first..first.saturating_add(rows.count).min(total)
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

fn places(order: &Ordered, closed: &[String]) -> Vec<Place> {
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
pub(crate) fn more(desk: &Desk, row: &RunRow, now_ms: f64) -> RunMore {
    let Ok(run) = desk.history.run(row.view.id) else { return RunMore::default() };
    let (start_ms, end_ms) = times(&row.view, Some(&run));
    let first_success = row.view.first_success;
    let first = run.records().first().copied();
    RunMore {
        spark: spark(run.rewards()).into_iter().collect(),
        trajectory: run.trajectory(),
        selected: selected(&run),
        first_success: first_success.and_then(|at| run.numbers().get(at as usize).copied()),
        start_ms,
        end_ms,
        usage: run.usage(),
        category: desk.categories().of(row.view.id),
        is_stale: is_stale(&row.view, newest(&row.view, &run), now_ms),
        path: first
            .and_then(|id| desk.history.locate(id).ok())
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

/// Runs that the source and the finding of a choice leave; none where neither is chosen.
pub(crate) fn among(desk: &mut Desk, choice: &Choice) -> Option<BTreeSet<RunId>> {
    let by_source = choice.source.as_ref().map(|path| of_source(desk, path));
    let by_finding = choice.finding.as_ref().map(|wanted| of_finding(desk, wanted));
    // What is no query lets all through: the page says what is wrong in it.
    let query = Query::parse_for(&choice.text, Target::RunsWithCategory);
    let by_text = query.ok().filter(|query| !query.is_empty()).map(|query| {
        let category = |run| desk.categories().name(run);
        desk.history.find_runs_with(&query, category).into_iter().collect()
    });
    let all: [Option<BTreeSet<RunId>>; 3] = [by_source, by_finding, by_text];
    all.into_iter().flatten().reduce(|a, b| a.intersection(&b).copied().collect())
}

fn every(desk: &Desk) -> impl Iterator<Item = RunId> + use<> {
    (0..count(desk.history.run_count())).map(RunId)
}

fn of_source(desk: &Desk, path: &str) -> BTreeSet<RunId> {
    let is_of = |id: &RunId| {
        let records = desk.history.run(*id).map(|run| run.records()).unwrap_or_default();
        records.iter().any(|record| desk.history.locate(*record).is_ok_and(|s| s.path == path))
    };
    every(desk).filter(is_of).collect()
}

fn of_finding(desk: &mut Desk, wanted: &FindingIs) -> BTreeSet<RunId> {
    let is_wanted = |finding: &&hindscope::Finding| match wanted {
        FindingIs::Any | FindingIs::None => true,
        FindingIs::Errors => finding.severity == Severity::Error,
        FindingIs::Warnings => finding.severity == Severity::Warning,
        FindingIs::Rule(rule) => finding.rule == *rule,
    };
    let findings = desk.findings();
    let found: BTreeSet<RunId> =
        findings.iter().filter(is_wanted).filter_map(|finding| finding.run).collect();
    if *wanted == FindingIs::None {
        return every(desk).filter(|id| !found.contains(id)).collect();
    }
    found
}

/// Addresses of the first runs shown.
pub(crate) fn addresses(
    desk: &mut Desk,
    choice: &Choice,
    most: u32,
) -> Vec<crate::protocol::RunAddress> {
    let order = desk.order(choice);
    let first = part(&order, Rows { first: 0, count: most });
    let ids = &order[first.start as usize..first.end as usize];
    desk.rows(ids).into_iter().map(|row| row.address).collect()
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
        let order = Ordered {
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
        let flat = Ordered { runs: order.runs.clone(), headings: Vec::new() };
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
