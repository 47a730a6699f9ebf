//! Parts of what a run teaches, as the page draws them.

use hindscope::{
    ErrorRow, Explanation, Finding, IterationView, LessonLifecycle, LessonState, RunId,
    StableSort as _, lesson_lifecycles, lessons_between,
};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::explain::explain;
use super::no_answer::NoAnswer;
use super::run_insight::RunInsight;
use super::session::Session;
use crate::protocol::{
    ErrorLine, ErrorSort, Errors, LearnBody, LearnOf, Learnt, LessonLine, Lessons, Overview, Page,
    Patterns, Quality, Reach, ReflectionLine, Rows, Step, SurePair, Warning, count,
};

/// Reflections, pairs, patterns and uptakes that one card lists.
const LISTED: usize = 200;
/// Lessons that returned in one reflection, as far as they are listed.
const RETURNED: usize = 3;
/// Places of the evidence of one finding.
const PLACES: usize = 24;
/// Areas of rules whose findings are warnings about a run.
const AREAS: [&str; 8] =
    ["stuck/", "oscillation/", "regression/", "budget/", "drift/", "plateau/", "stop/", "best/"];

pub(crate) fn learn(
    session: &mut Session,
    run: RunId,
    of: &LearnOf,
) -> Result<LearnBody, NoAnswer> {
    let body = explain(session, run)?;
    let iterations = session.iterations(run)?;
    let explanation = &body.explanation;
    let part = match of {
        LearnOf::Overview => Learnt::Overview(Box::new(overview(session, &body, &iterations))),
        LearnOf::Step(number) => Learnt::Step(step(session, &body, &iterations, *number)),
        LearnOf::Errors { sort, is_open_only, within, rows } => {
            let which = Which { is_open_only: *is_open_only, within: *within };
            Learnt::Errors(errors(&explanation.errors, &iterations, *sort, which, *rows))
        }
        LearnOf::Lessons { from, to } => Learnt::Lessons(Lessons {
            changes: lessons_between(&explanation.lessons, *from, *to),
            was: lessons_of(explanation, *from),
            is: lessons_of(explanation, *to),
        }),
        LearnOf::Lifecycles(rows) => {
            Learnt::Lifecycles(lifecycles(explanation, &iterations, *rows))
        }
        LearnOf::Patterns => Learnt::Patterns(patterns(explanation)),
        LearnOf::Reflections(rows) => Learnt::Reflections(Page::of(&body.news, *rows, |news| {
            let own = explanation.lessons.iter().filter(|row| row.number == news.number);
            let returned = own.filter(|row| row.state == LessonState::Returned);
            let returned = returned.take(RETURNED).map(|row| row.text.clone()).collect();
            ReflectionLine { news: news.clone(), returned }
        })),
    };
    let reach = Reach {
        unread: body.unread,
        missing: count(explanation.missing.len()),
        left_out: explanation.left_out.clone(),
        problem: body.problem.clone(),
    };
    Ok(LearnBody { run, reach, part })
}

/// Lessons as an iteration has them.
fn lessons_of(explanation: &Explanation, number: i64) -> Vec<String> {
    let own = explanation.lessons.iter().filter(|row| row.number == number);
    own.filter(|row| row.state != LessonState::Dropped).map(|row| row.text.clone()).collect()
}

fn overview(session: &Session, body: &RunInsight, iterations: &[IterationView]) -> Overview {
    let explanation = &body.explanation;
    let is_warning =
        |rule: &str| AREAS.iter().any(|area| rule.starts_with(area)) || rule == "error/came-back";
    Overview {
        trajectory: explanation.trajectory.clone(),
        warnings: explanation
            .findings
            .iter()
            .filter(|finding| is_warning(&finding.rule))
            .take(LISTED)
            .map(|finding| Warning { finding: finding.clone(), places: places(session, finding) })
            .collect(),
        quality: quality(explanation, iterations),
        totals: body.totals.clone(),
    }
}

/// Where the first pieces of its evidence stand.
fn places(session: &Session, finding: &Finding) -> Vec<String> {
    let place = |evidence: &hindscope::Evidence| {
        session
            .history
            .locate(evidence.record)
            .map_or_else(|_| String::new(), |span| format!("{}:{}", span.path, span.line))
    };
    finding.evidence.iter().take(PLACES).map(place).collect()
}

fn quality(explanation: &Explanation, iterations: &[IterationView]) -> Quality {
    let is_weak = |row: &&hindscope::ReflectionRow| !row.marks.is_empty();
    let mut marks: BTreeMap<&str, u32> = BTreeMap::new();
    for mark in explanation.reflections.iter().flat_map(|row| &row.marks) {
        *marks.entry(mark).or_default() += 1;
    }
    let mut marks: Vec<_> = marks.into_iter().map(|(rule, n)| (rule.to_owned(), n)).collect();
    marks.stable_sort_by_key(|(_, n)| Reverse(*n));
    let at: BTreeMap<i64, usize> =
        iterations.iter().enumerate().map(|(at, i)| (i.number, at)).collect();
    let pair = |row: &hindscope::ReflectionRow| {
        let next = iterations.get(at.get(&row.number)? + 1)?;
        let has_improved = next.is_improvement?;
        Some(SurePair { number: row.number, confidence: row.confidence?, has_improved })
    };
    Quality {
        judged: count(explanation.reflections.len()),
        weak: explanation.reflections.iter().filter(is_weak).take(LISTED).cloned().collect(),
        all_weak: count(explanation.reflections.iter().filter(is_weak).count()),
        marks,
        pairs: explanation.reflections.iter().filter_map(pair).take(LISTED).collect(),
        calibration: explanation.calibration,
    }
}

fn step(
    session: &mut Session,
    body: &RunInsight,
    iterations: &[IterationView],
    number: i64,
) -> Step {
    let explanation = &body.explanation;
    let start = explanation.changes.partition_point(|change| change.number < number);
    let own = explanation.changes[start..].iter().take_while(|change| change.number == number);
    let changes: Vec<_> = own.cloned().collect();
    let at = iterations.iter().position(|iteration| iteration.number == number);
    let iteration = at.and_then(|at| iterations.get(at));
    let gap = iteration.filter(|i| i.delta.is_some()).map_or(0, |i| i.delta_gap);
    let from = at.and_then(|at| iterations.get(at.checked_sub(1 + gap as usize)?));
    let view = session.rows(&[body.run]).pop().map(|row| row.view);
    let stored = iteration.and_then(|iteration| {
        let change = iteration.stored.as_ref()?.reward_change?;
        let index = session.findings();
        let says_other = index.briefs.iter().any(|brief| {
            (brief.run, brief.iteration) == (Some(body.run), Some(number))
                && *index.rule(brief) == "series/reward-change-mismatch"
        });
        says_other.then_some(change)
    });
    Step {
        number,
        from: from.map(|from| from.number),
        delta: iteration.and_then(|iteration| iteration.delta),
        gap,
        origin: view.as_ref().map_or(hindscope::Origin::None, |view| view.reward_origin),
        rule: view.and_then(|view| view.reward_rule),
        stored,
        has_errors: [from, iteration].iter().all(|i| i.is_some_and(|i| i.errors.is_some())),
        changes,
    }
}

/// Which errors are listed.
#[derive(Clone, Copy, Debug)]
struct Which {
    is_open_only: bool,
    /// Only errors of iterations from the first of these numbers to the last.
    within: Option<(i64, i64)>,
}

impl Which {
    fn has(self, row: &ErrorRow) -> bool {
        let is_near = |(first, last)| row.seen.iter().any(|seen| (first..=last).contains(seen));
        (!self.is_open_only || is_open(row)) && self.within.is_none_or(is_near)
    }
}

fn is_open(row: &ErrorRow) -> bool {
    row.seen.last() > row.cleared.last()
}

fn errors(
    all: &[ErrorRow],
    iterations: &[IterationView],
    sort: ErrorSort,
    which: Which,
    rows: Rows,
) -> Errors {
    let seen: BTreeSet<i64> = all.iter().flat_map(|row| row.seen.iter().copied()).collect();
    // The errors of an iteration are known if its record counts them, or if it has any error.
    let known: Vec<(i64, bool)> = iterations
        .iter()
        .map(|i| (i.number, i.errors.is_some() || seen.contains(&i.number)))
        .collect();
    let mut order: Vec<&ErrorRow> = all.iter().filter(|row| which.has(row)).collect();
    match sort {
        ErrorSort::Returned => order.stable_sort_by_key(|row| Reverse(row.came_back.len())),
        ErrorSort::Longest => order.stable_sort_by_key(|row| Reverse(row.seen.len())),
        ErrorSort::Newest => order.stable_sort_by_key(|row| Reverse(row.seen.first().copied())),
    }
    let page = Page::of(&order, rows, |row| line(row, &known, is_open(row)));
    Errors {
        page: Page { all: count(all.len()), ..page },
        returned: count(all.iter().filter(|row| !row.came_back.is_empty()).count()),
        open: count(all.iter().filter(|row| is_open(row)).count()),
        known: count(known.iter().filter(|(_, is_known)| *is_known).count()),
    }
}

fn line(row: &ErrorRow, known: &[(i64, bool)], is_open: bool) -> ErrorLine {
    let mut turns: Vec<(i64, bool)> = row.cleared.iter().map(|number| (*number, false)).collect();
    turns.extend(row.came_back.iter().map(|number| (*number, true)));
    turns.sort_unstable();
    let first = row.seen.first().copied().unwrap_or_default();
    let cells = known.iter().map(|(number, is_known)| match (number, is_known) {
        (n, _) if *n == first => 'N',
        (n, _) if row.came_back.binary_search(n).is_ok() => 'R',
        (n, _) if row.seen.binary_search(n).is_ok() => '=',
        (_, false) => '?',
        (n, true) if *n < first => ' ',
        _ => '.',
    });
    ErrorLine {
        signature: row.signature.clone(),
        message: row.message.clone(),
        cells: cells.collect(),
        seen: count(row.seen.len()),
        first,
        turns,
        is_open,
    }
}

fn lifecycles(
    explanation: &Explanation,
    iterations: &[IterationView],
    rows: Rows,
) -> Page<LessonLine> {
    let mut all = lesson_lifecycles(&explanation.lessons);
    // Those that stand in most reflections first.
    all.stable_sort_by_key(|lifecycle| Reverse(there(lifecycle).count()));
    let numbers: Vec<i64> = iterations.iter().map(|iteration| iteration.number).collect();
    let line = |lifecycle: &LessonLifecycle| {
        let mut cells = vec![b' '; numbers.len()];
        for (number, state) in &lifecycle.states {
            if let Ok(at) = numbers.binary_search(number) {
                cells[at] = letter(*state);
            }
        }
        LessonLine {
            text: lifecycle.text.clone(),
            cells: String::from_utf8(cells).unwrap_or_default(),
            first: there(lifecycle).next().unwrap_or_default(),
            last: there(lifecycle).last().unwrap_or_default(),
            seen: count(there(lifecycle).count()),
        }
    };
    Page::of(&all, rows, line)
}

/// Iterations that have a lesson.
fn there(lifecycle: &LessonLifecycle) -> impl Iterator<Item = i64> + '_ {
    lifecycle.states.iter().filter(|(_, state)| *state != LessonState::Dropped).map(|(n, _)| *n)
}

fn letter(state: LessonState) -> u8 {
    match state {
        LessonState::New => b'N',
        LessonState::Kept => b'=',
        LessonState::Reworded => b'~',
        LessonState::Returned => b'R',
        LessonState::Dropped => b'-',
    }
}

fn patterns(explanation: &Explanation) -> Patterns {
    let mut numbers: Vec<i64> = explanation
        .lessons
        .iter()
        .filter(|row| row.state != LessonState::Dropped)
        .map(|row| row.number)
        .collect();
    numbers.dedup();
    let taken = || explanation.uptakes.iter().filter(|uptake| uptake.taken_up.is_some());
    Patterns {
        numbers,
        recurring: explanation.patterns.iter().take(LISTED).cloned().collect(),
        all_recurring: count(explanation.patterns.len()),
        uptakes: taken().take(LISTED).cloned().collect(),
        all_uptakes: count(taken().count()),
        judged: count(explanation.uptakes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seen: &[i64], cleared: &[i64], came_back: &[i64]) -> ErrorRow {
        ErrorRow {
            signature: format!("e|{}", seen[0]),
            message: String::new(),
            seen: seen.to_vec(),
            cleared: cleared.to_vec(),
            came_back: came_back.to_vec(),
        }
    }

    #[test]
    fn cells_say_what_became_of_an_error() {
        let known: Vec<_> = (1..=9).map(|n| (n, n != 3 && n != 6)).collect();
        let row = row(&[2, 4, 7], &[5, 8], &[7]);
        let line = line(&row, &known, false);
        assert_eq!(line.cells, " N?=.?R..");
        assert_eq!(line.turns, [(5, false), (7, true), (8, false)]);
    }

    #[test]
    fn errors_are_ordered_and_those_that_stand_are_found() {
        let all = [row(&[1, 2, 3, 4], &[5], &[]), row(&[2], &[3], &[]), row(&[3, 5], &[4], &[5])];
        let within = |sort, is_open_only, within| {
            let rows = Rows { first: 0, count: 9 };
            let errors = errors(&all, &[], sort, Which { is_open_only, within }, rows);
            let lines = errors.page.rows.into_iter();
            (lines.map(|line| line.first).collect::<Vec<_>>(), errors.returned, errors.open)
        };
        let of = |sort, is_open_only| within(sort, is_open_only, None);
        assert_eq!(of(ErrorSort::Returned, false), (vec![3, 1, 2], 1, 1));
        assert_eq!(of(ErrorSort::Longest, false).0, [1, 3, 2]);
        assert_eq!(of(ErrorSort::Newest, false).0, [3, 2, 1]);
        assert_eq!(of(ErrorSort::Returned, true).0, [3]);
        let part = within(ErrorSort::Newest, false, Some((2, 2)));
        assert_eq!(part, (vec![2, 1], 1, 1), "counts are of the run, lines of the part");
        assert_eq!(within(ErrorSort::Newest, false, Some((4, 9))).0, [3, 1]);
    }
}
