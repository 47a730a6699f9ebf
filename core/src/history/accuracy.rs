//! What a running accuracy says of the rows that it counts (`prog/acc`).

use std::collections::BTreeMap;

/// More counts than this that would all fit: then the accuracy is too coarse to say anything.
const MOST_COUNTS: usize = 256;

/// Beyond one, the count begins again once in so many rows at most: with more, anything could be explained.
const ROWS_PER_RESTART: usize = 50;

/// An accuracy is written with two decimals.
const ROUNDING: f64 = 0.005 + 1e-9;

/// One row: the share of tasks solved so far, and whether its own task was.
#[derive(Clone, Copy, Debug)]
pub(super) struct AccuracyRow {
    pub(super) share: Option<f64>,
    pub(super) solved: Option<bool>,
}

/// What follows for all rows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Verdicts {
    /// Whether each row's task was solved; none where both are possible.
    pub(super) solved: Vec<Option<bool>>,
    /// The rows with which the count begins again.
    pub(super) restarts: Vec<usize>,
}

/// Tasks and how many of them were solved, since the count began.
type Count = (u32, u32);

/// The verdicts that explain every share with the fewest restarts; none if nothing does.
pub(super) fn verdicts(rows: &[AccuracyRow]) -> Option<Verdicts> {
    // The fewest restarts with which each count can be reached, before the first row and after each.
    let mut reached = vec![BTreeMap::from([((0, 0), 0_usize)])];
    let most = 1 + rows.len() / ROWS_PER_RESTART;
    for row in rows {
        let mut after: BTreeMap<Count, usize> = BTreeMap::new();
        for (&before, &restarts) in reached.last()? {
            for step in steps(*row, before) {
                let restarts = restarts + usize::from(step.is_restart);
                if restarts > most {
                    continue;
                }
                let known = after.entry(step.to).or_insert(restarts);
                *known = restarts.min(*known);
            }
        }
        if after.is_empty() {
            return None;
        }
        if after.len() > MOST_COUNTS {
            return Some(Verdicts { solved: vec![None; rows.len()], restarts: Vec::new() });
        }
        reached.push(after);
    }
    let last = reached.last()?;
    let fewest = last.values().min()?;
    // Back from the ends with the fewest: what was on any of these ways.
    let mut ends: Vec<Count> =
        last.iter().filter(|(_, restarts)| *restarts == fewest).map(|(end, _)| *end).collect();
    let mut solved = vec![None; rows.len()];
    let mut restarts = Vec::new();
    for (at, row) in rows.iter().enumerate().rev() {
        let mut on_the_way = Vec::new();
        let mut kinds = Vec::new();
        for (&before, &count) in &reached[at] {
            for step in steps(*row, before) {
                let total = count + usize::from(step.is_restart);
                if ends.contains(&step.to) && reached[at + 1].get(&step.to) == Some(&total) {
                    on_the_way.push(before);
                    kinds.push((step.solved, step.is_restart));
                }
            }
        }
        let (first, is_restart) = *kinds.first()?;
        solved[at] = kinds.iter().all(|(solved, _)| *solved == first).then_some(first);
        if is_restart && kinds.iter().all(|(_, is_restart)| *is_restart) {
            restarts.push(at);
        }
        ends = on_the_way;
    }
    restarts.reverse();
    Some(Verdicts { solved, restarts })
}

struct Step {
    to: Count,
    solved: bool,
    is_restart: bool,
}

/// How a row may go on from a count, by what it says.
fn steps(row: AccuracyRow, (tasks, solved): Count) -> impl Iterator<Item = Step> {
    let fits = move |&Step { to: (tasks, solved), .. }: &Step| {
        let share = f64::from(solved) / f64::from(tasks);
        row.share.is_none_or(|said| (said - share).abs() <= ROUNDING)
    };
    [false, true]
        .into_iter()
        .filter(move |verdict| row.solved.is_none_or(|said| said == *verdict))
        .flat_map(move |verdict| {
            let one = u32::from(verdict);
            let on = Step { to: (tasks + 1, solved + one), solved: verdict, is_restart: false };
            let again = Step { to: (1, one), solved: verdict, is_restart: true };
            // The first row begins the count.
            if tasks == 0 { vec![on] } else { vec![on, again] }
        })
        .filter(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(all: &[(f64, Option<bool>)]) -> Vec<AccuracyRow> {
        all.iter().map(|&(share, solved)| AccuracyRow { share: Some(share), solved }).collect()
    }

    #[test]
    fn what_is_missing_follows_from_the_share() {
        let found = verdicts(&rows(&[(1.0, None), (0.5, Some(false)), (0.67, None), (0.5, None)]));
        let solved = vec![Some(true), Some(false), Some(true), Some(false)];
        assert_eq!(found, Some(Verdicts { solved, restarts: Vec::new() }));
    }

    #[test]
    fn a_program_that_was_started_again_counts_again() {
        // 2 of 2 could not become 1 of 2.
        let found =
            verdicts(&rows(&[(1.0, None), (1.0, None), (0.5, None)])).expect("it begins again");
        assert_eq!(found.restarts, [1]);
        assert_eq!(found.solved, [Some(true), Some(true), Some(false)]);
    }

    #[test]
    fn what_begins_again_all_the_time_explains_nothing() {
        let all = [1.0, 0.5, 1.0, 0.5, 1.0, 0.5].map(|share| (share, None));
        assert_eq!(verdicts(&rows(&all)), None);
    }

    #[test]
    fn what_nothing_explains_says_nothing() {
        assert_eq!(verdicts(&rows(&[(0.5, None)])), None);
        assert_eq!(verdicts(&rows(&[(1.0, Some(false))])), None);
    }

    #[test]
    fn a_row_that_may_be_either_stays_open() {
        // In the 401st row, 200 and 201 solved tasks are the same two decimals.
        let mut all = Vec::new();
        let mut solved = 0;
        for n in 1..=400 {
            let is_solved = n % 2 == 0;
            solved += i32::from(is_solved);
            let share = f64::from(solved) / f64::from(n);
            all.push(((share * 100.0).round() / 100.0, Some(is_solved)));
        }
        all.push((0.5, None));
        let found = verdicts(&rows(&all)).expect("both fit");
        assert_eq!(found.solved.last(), Some(&None));
        assert!(found.restarts.is_empty());
    }
}
