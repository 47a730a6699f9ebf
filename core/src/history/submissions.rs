//! Submissions to a judge: which question each answers, and which of their rewards make a series.

use std::collections::BTreeMap;

use super::columns::Series;
use super::parsed_rows::{ParsedRunRow, ParsedStepRow};
use super::row::Table;
use crate::format::FormatId;
use crate::format::submission_log::DENSE;
use crate::format::traits::Role;
use crate::model::reward::Origin;

/// Questions by the functions that they ask for, interned; nothing where several ask for one of that name.
pub(crate) struct Functions(BTreeMap<u32, Option<u32>>);

impl Functions {
    pub(crate) fn of(table: &Table, parsed_runs: &[&ParsedRunRow]) -> Self {
        let mut questions = BTreeMap::new();
        for parsed_run in parsed_runs.iter().filter(|run| is_submission(table, run)) {
            let Some((function, key)) = parsed_run.task.zip(parsed_run.key) else { continue };
            let known = questions.entry(function).or_insert(Some(key));
            *known = known.filter(|known| *known == key);
        }
        Self(questions)
    }

    /// What a submission that names no question answers, by its function: the only question that asks for it,
    /// or else one that is called like the function.
    pub(crate) fn question(&self, table: &Table, parsed_run: &ParsedRunRow) -> Option<u32> {
        let function = parsed_run.task.filter(|_| is_submission(table, parsed_run))?;
        Some(self.0.get(&function).copied().flatten().unwrap_or(function))
    }
}

fn is_submission(table: &Table, parsed_run: &ParsedRunRow) -> bool {
    table.rows[parsed_run.row].format.role() == Role::Submission
}

/// The series of the shares of passed tests, if any submission has such a share. The log's own verdicts
/// only replace missing shares; even two of them must not make a series instead.
pub(crate) fn series<'a>(
    format: FormatId,
    mut steps: impl Iterator<Item = &'a ParsedStepRow>,
) -> Option<Series> {
    let is_dense = |step: &ParsedStepRow| step.reward.is_some_and(|r| r.rule == Some(DENSE));
    (format.role() == Role::Submission && steps.any(is_dense))
        .then_some(Series { origin: Origin::Derived, rule: Some(DENSE) })
}
