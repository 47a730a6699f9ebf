//! Sums over tasks to a curve.
//!
//! Files of totals only grow: each save appends the whole list so far, and a run that was resumed
//! appends only its own trials. A save replaces all earlier rows from its first trial on.

use std::collections::BTreeSet;

use super::grouping::{GroupBuilder, GroupRow, Point};
use super::parsed_rows::Totals;
use crate::model::finding::{Finding, Severity};
use crate::model::id::GroupId;
use crate::model::view::GroupView;
use crate::sort::StableSort as _;

/// A row of the file, on its way to the curve.
#[derive(Clone, Copy, Debug)]
struct Said {
    row: usize,
    number: i64,
    totals: Totals,
}

/// The curve of one file.
pub(crate) fn group(builder: &mut GroupBuilder<'_>, rows: &[usize]) -> Vec<Point> {
    let table = builder.table;
    let said: Vec<Said> = rows
        .iter()
        .filter_map(|&row| {
            let [parsed_run] = table.parsed_runs(&table.rows[row]) else { return None };
            Some(Said { row, number: table.rows[row].number()?, totals: parsed_run.totals? })
        })
        .collect();
    let (curve, replaced) = last_words(&said);
    if let Some(first) = replaced.first() {
        let numbers: BTreeSet<i64> = replaced.iter().map(|said| said.number).collect();
        let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
        builder.find(
            first.row,
            Finding::new(
                "results/appended",
                Severity::Info,
                format!(
                    "Lists that were saved later in this file replace {} of its {} rows ({} {}). No trial is counted twice.",
                    replaced.len(),
                    said.len(),
                    if numbers.len() == 1 { "trial" } else { "trials" },
                    numbers.join(", ")
                ),
            ),
        );
    }
    let mut solved_before = 0;
    curve
        .iter()
        .map(|said| {
            let attempted = said.totals.all.saturating_sub(solved_before);
            solved_before = said.totals.correct;
            Point { number: said.number, solved: said.totals.correct, attempted }
        })
        .collect()
}

/// The rows that make the curve, and those that later ones replace, in the order of the file.
fn last_words(said: &[Said]) -> (Vec<Said>, Vec<Said>) {
    let mut curve: Vec<Said> = Vec::new();
    let mut replaced: Vec<Said> = Vec::new();
    for part in said.chunk_by(|a, b| b.number > a.number) {
        let Some(first) = part.first() else { continue };
        // One that starts at 1 is the whole list again.
        let keep = if first.number == 1 {
            0
        } else {
            curve.iter().take_while(|said| said.number < first.number).count()
        };
        replaced.extend(curve.drain(keep..));
        curve.extend(part);
    }
    replaced.stable_sort_by_key(|said| said.row);
    (curve, replaced)
}

/// A group that is a curve and has no runs.
pub(super) fn view(id: GroupId, group: &GroupRow) -> GroupView {
    let points = &group.curve;
    GroupView {
        id,
        label: group.label.clone(),
        format: group.format.as_str().to_owned(),
        runs: 0,
        judged: 0,
        reflections: 0,
        numbers: points.iter().map(|p| p.number).collect(),
        solved_after: points.iter().map(|p| p.solved).collect(),
        attempted: points.iter().map(|p| p.attempted).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_on_each_trial_counts() {
        let said = |numbers: &[i64]| -> Vec<Said> {
            let totals = Totals { correct: 0, all: 1 };
            let rows = numbers.iter().enumerate();
            rows.map(|(row, &number)| Said { row, number, totals }).collect()
        };
        let curve = |numbers: &[i64]| {
            let (curve, replaced) = last_words(&said(numbers));
            let rows = |said: &[Said]| said.iter().map(|s| s.row).collect::<Vec<_>>();
            (rows(&curve), rows(&replaced))
        };
        // The example of docs/spec/formats.md, `trial-results`: 1 | 1 2 | 1 2 3 | 3 4.
        assert_eq!(curve(&[1, 1, 2, 1, 2, 3, 3, 4]), (vec![3, 4, 6, 7], vec![0, 1, 2, 5]));
        assert_eq!(curve(&[1, 2, 3]), (vec![0, 1, 2], vec![]));
        assert_eq!(curve(&[6, 7, 7]), (vec![0, 2], vec![1]));
    }
}
