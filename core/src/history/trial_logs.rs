//! Console logs of trials: what they add to the results of the same trials, and
//! what they make of trials without results.

use crate::sort::StableSort as _;
use std::collections::{BTreeMap, BTreeSet};

use super::columns::Attempt;
use super::grouping::GroupBuilder;
use super::parsed_rows::ParsedStepRow;
use super::row::Table;
use crate::format::FormatId;
use crate::format::beyond::number_in_path_beyond;
use crate::format::env_results::trial_of;
use crate::format::traits::Role;
use crate::history::series;
use crate::json::numeric::is_beyond;
use crate::model::finding::{Finding, Severity};
use crate::model::id::RecordId;
use crate::model::outcome::Outcome;

/// One environment in one trial, as a log prints it.
#[derive(Clone, Copy)]
struct Printed<'a> {
    number: i64,
    row: usize,
    format: FormatId,
    /// Nothing where it was solved before and is only repeated.
    step: Option<&'a ParsedStepRow>,
}

impl Printed<'_> {
    fn outcome(&self) -> Outcome {
        self.step.map_or(Outcome::Success, |step| step.outcome)
    }
}

/// All logs of one folder, by environment.
pub(crate) struct Logs<'a> {
    of: BTreeMap<String, Vec<Printed<'a>>>,
}

impl<'a> Logs<'a> {
    pub(crate) fn of(builder: &mut GroupBuilder<'a>, rows: &[usize]) -> Self {
        let table = builder.table;
        let numbers = numbers(builder, rows);
        let mut of: BTreeMap<String, Vec<Printed<'a>>> = BTreeMap::new();
        for &row in rows {
            let facts = &table.rows[row];
            let Some(parsed_run) = table.parsed_runs(facts).first() else { continue };
            let step = table.parsed.steps_of(parsed_run).first();
            let inside = step.and_then(|step| step.number);
            let number = inside.or_else(|| numbers.get(&facts.source).copied());
            let (Some(number), Some(key)) = (number, table.key(facts)) else { continue };
            let printed = Printed { number, row, format: facts.format, step };
            of.entry(key.to_owned()).or_default().push(printed);
        }
        for printed in of.values_mut() {
            // The log of a trial says more than that of the world.
            printed.stable_sort_by_key(|p| (p.number, p.format.traits().rank));
        }
        Self { of }
    }

    /// `log/tail`: solved tasks of each trial against those that its results have.
    pub(crate) fn compare(&self, builder: &mut GroupBuilder<'_>, solved: &BTreeMap<i64, usize>) {
        let mut counts: BTreeMap<(u32, i64), (usize, usize)> = BTreeMap::new();
        for printed in self.of.values().flatten() {
            let source = builder.table.rows[printed.row].source;
            let (count, first) = counts.entry((source, printed.number)).or_insert((0, printed.row));
            *count += usize::from(printed.outcome() == Outcome::Success);
            *first = (*first).min(printed.row);
        }
        for ((_, number), (count, row)) in counts {
            let Some(known) = solved.get(&number).filter(|known| **known != count) else {
                continue;
            };
            let message = format!(
                "After trial {number}, the number of solved environments is {count} in the log, but {known} in the results file."
            );
            let finding = Finding::new("log/tail", Severity::Warning, message);
            builder.find_in_file(row, finding.hint("The results file is used."));
        }
    }

    /// Adds what the logs print of one environment. `seen` are the trials whose results are open:
    /// they say which attempts there are.
    pub(crate) fn join(
        &self,
        builder: &mut GroupBuilder<'_>,
        key: &str,
        seen: &BTreeSet<i64>,
        attempts: &mut Vec<Attempt>,
    ) {
        let mut before: Option<Printed<'_>> = None;
        for now in self.of.get(key).into_iter().flatten() {
            let record = RecordId::at(now.row);
            let is_same = |p: &Printed<'_>| (p.number, p.format) == (now.number, now.format);
            if let Some(before) = before.replace(*now).filter(is_same) {
                let used = "The first source that states an outcome is used.";
                series::duplicate(builder, now.number, [before.row, now.row], used);
            }
            match attempts.iter_mut().find(|attempt| attempt.number == now.number) {
                Some(attempt) => {
                    if attempt.merged.is_empty() {
                        attempt.merged.push(attempt.record);
                    }
                    attempt.merged.push(record);
                    if let Some(step) = now.step {
                        if attempt.joined.is_empty() {
                            attempt.joined.push((attempt.record, attempt.part));
                        }
                        attempt.joined.push((record, step.part));
                    }
                    match now.step {
                        // The first source that has a value gives it.
                        Some(step) if attempt.outcome == Outcome::Unknown => {
                            attempt.outcome = step.outcome;
                            attempt.detail = step.detail;
                            attempt.reward = step.reward.map(|r| r.value);
                        }
                        _ => conflict(builder, now, attempt.outcome),
                    }
                }
                None if seen.contains(&now.number) => conflict(builder, now, Outcome::Success),
                None => {
                    let is_solved = |a: &Attempt| a.outcome == Outcome::Success;
                    let mut earlier = attempts.iter().filter(|a| a.number < now.number);
                    if let Some(step) = now.step
                        && !earlier.any(is_solved)
                    {
                        attempts.push(attempt(builder.table, now.number, step));
                        attempts.stable_sort_by_key(|attempt| attempt.number);
                    }
                }
            }
        }
    }
}

/// The trial that the name of a record's file says.
pub(super) fn named_trial(builder: &mut GroupBuilder<'_>, row: usize) -> Option<i64> {
    let path = builder.path(row);
    let number = trial_of(path)?;
    if is_beyond(number) {
        builder.find_in_file(row, number_in_path_beyond(path));
        return None;
    }
    Some(number)
}

/// The trial of each log, by source, as its file name says. If no name says it, the logs are numbered in
/// the order of how many of their environments were solved in earlier trials.
fn numbers(builder: &mut GroupBuilder<'_>, rows: &[usize]) -> BTreeMap<u32, i64> {
    let table = builder.table;
    let mut files: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &row in rows.iter().filter(|&&row| table.rows[row].format.role() == Role::TrialLog) {
        files.entry(table.rows[row].source).or_default().push(row);
    }
    let named = |(source, rows): (&u32, &Vec<usize>)| {
        Some((*source, named_trial(builder, *rows.first()?)?))
    };
    let known: BTreeMap<u32, i64> = files.iter().filter_map(named).collect();
    if !known.is_empty() || files.len() < 2 {
        let lone = files.keys().filter(|_| known.is_empty()).map(|source| (*source, 0));
        return known.iter().map(|(source, number)| (*source, *number)).chain(lone).collect();
    }
    let carried = |rows: &[usize]| {
        let has_step = |row: &&usize| {
            let parsed_run = table.parsed_runs(&table.rows[**row]).first();
            parsed_run.is_some_and(|parsed_run| !table.parsed.steps_of(parsed_run).is_empty())
        };
        rows.len() - rows.iter().filter(has_step).count()
    };
    let mut files: Vec<_> = files.into_iter().collect();
    files.stable_sort_by_key(|(_, rows)| carried(rows));
    if let Some(&row) = files.first().and_then(|(_, rows)| rows.first()) {
        builder.find_in_file(
            row,
            Finding::new(
                "env/order-inferred",
                Severity::Warning,
                "No log has a trial number in its file name. The logs are ordered by the number of their environments that were solved in earlier trials.",
            )
            .hint("Name the logs trial_0.log, trial_1.log and so on."),
        );
    }
    files.into_iter().zip(0..).map(|((source, _), number)| (source, number)).collect()
}

/// `merge/conflict`: the results lead.
fn conflict(builder: &mut GroupBuilder<'_>, printed: &Printed<'_>, known: Outcome) {
    let said = printed.outcome();
    if said == known || said == Outcome::Unknown {
        return;
    }
    let id = builder.next_run();
    let message = format!(
        "The outcome of trial {} is {} in this log, but {} in the source that is used.",
        printed.number,
        said.as_str(),
        known.as_str()
    );
    builder.find(
        printed.row,
        Finding::new("merge/conflict", Severity::Warning, message)
            .hint("The results file is used first, then the log of the trial, then the log of all trials.")
            .contrast(known.as_str(), said.as_str())
            .of_run(id, Some(printed.number)),
    );
}

fn attempt(table: &Table, number: i64, step: &ParsedStepRow) -> Attempt {
    Attempt {
        detail: step.detail,
        reward: step.reward.map(|r| r.value),
        assumed_omega: table.rows[step.row].format.assumed_omega(None),
        ..Attempt::bare(number, step.outcome, (RecordId::at(step.row), step.part))
    }
}
