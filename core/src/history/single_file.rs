//! Groups parsed records into runs: those of one file, by keys and numbers.

use crate::model::view::BaseProvenance;
use crate::sort::StableSort as _;
use std::collections::BTreeMap;

use super::columns::{Attempt, RunRow, Series};
use super::grouping::{GroupBuilder, by_key};
use super::loops;
use super::parsed_rows::{ParsedRunRow, ParsedStepRow, StepReward, rank_of_rule};
use super::paths::stem_of;
use super::study;
use super::submissions::{self, Functions};
use crate::format::FormatId;
use crate::format::traits::Role;
use crate::history::series;
use crate::model::id::RecordId;
use crate::model::reward::Origin;

/// Groups the records of one file: one run a key.
pub(crate) fn group(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    let table = builder.table;
    let parsed_runs: Vec<&ParsedRunRow> =
        rows.iter().flat_map(|&row| table.parsed_runs(&table.rows[row])).collect();
    let functions = Functions::of(table, &parsed_runs);
    let has_others = has_others(builder, rows);
    let keys: Vec<String> = parsed_runs
        .iter()
        .map(|t| match t.key.or_else(|| functions.question(table, t)) {
            Some(key) => table.texts.text(key).to_owned(),
            None => key_of(builder, t, has_others),
        })
        .collect();
    let all: Vec<usize> = (0..parsed_runs.len()).collect();
    for (key, members) in by_key(&all, |i| keys[i].clone()) {
        let of_key: Vec<&ParsedRunRow> = members.iter().map(|&i| parsed_runs[i]).collect();
        run(builder, key, &of_key);
    }
    study::check(builder, rows);
}

/// Whether the file has several records, or had when they were exported.
fn has_others(builder: &GroupBuilder<'_>, rows: &[usize]) -> bool {
    rows.len() > 1 || rows.iter().any(|&row| builder.table.rows[row].had_others)
}

/// A key for a record that has none: the file's name, with the line where the file has several.
fn key_of(builder: &GroupBuilder<'_>, parsed_run: &ParsedRunRow, has_others: bool) -> String {
    let row = &builder.table.rows[parsed_run.row];
    let stem = stem_of(builder.path(parsed_run.row));
    if !has_others {
        return stem.to_owned();
    }
    let is_first_of_line = row.index == 0
        || parsed_run
            .row
            .checked_sub(1)
            .and_then(|i| builder.table.rows.get(i))
            .is_none_or(|before| (before.source, before.line) != (row.source, row.line));
    if is_first_of_line {
        format!("{stem}:{}", row.line)
    } else {
        format!("{stem}:{}:{}", row.line, row.column)
    }
}

/// One run from the parsed runs of its key.
pub(crate) fn run(builder: &mut GroupBuilder<'_>, key: String, parsed_runs: &[&ParsedRunRow]) {
    let Some(first) = parsed_runs.first() else { return };
    let table = builder.table;
    let format = table.rows[first.row].format;
    let base = first.base.or(format.traits().base).unwrap_or(1);
    let steps: Vec<&ParsedStepRow> =
        parsed_runs.iter().flat_map(|t| table.parsed.steps_of(t)).collect();
    let numbered = numbered(builder, &steps, base);
    let mut merged: Vec<(i64, Vec<&ParsedStepRow>)> = Vec::new();
    for (number, step) in numbered {
        match merged.last_mut() {
            Some((last, steps)) if *last == number => {
                series::duplicate(builder, number, [steps[0].row, step.row], series::LATER);
                steps.insert(0, step);
            }
            _ => merged.push((number, vec![step])),
        }
    }
    let lead = || merged.iter().map(|(_, steps)| steps[0]);
    let series = submissions::series(format, lead()).unwrap_or_else(|| choose(lead()));
    let attempts = merged.iter().map(|(number, steps)| attempt(*number, steps, series, format));
    let (first_column, len) = builder.out.columns.append(attempts.collect());
    let lead: Vec<usize> = lead().map(|step| step.row).collect();
    let mut rows: Vec<usize> = parsed_runs.iter().map(|t| t.row).collect();
    rows.dedup();
    let run = RunRow {
        group: builder.group,
        key,
        task: parsed_runs.iter().find_map(|t| t.task),
        format,
        base,
        base_provenance: BaseProvenance::Declared,
        series,
        earlier: Vec::new(),
        parsed_runs: parsed_runs.iter().map(|t| (RecordId::at(t.row), t.part)).collect(),
        facts: loops::facts(parsed_runs).kept(),
        first: first_column,
        len,
    };
    if format.role() != Role::State {
        series::gaps(builder, &run, &lead);
    }
    builder.run(run, &rows);
}

/// Steps by number, then in the order of the file. Where none has a number, positions count.
fn numbered<'a>(
    builder: &mut GroupBuilder<'_>,
    steps: &[&'a ParsedStepRow],
    base: u8,
) -> Vec<(i64, &'a ParsedStepRow)> {
    let has_numbers = steps.iter().any(|s| s.number.is_some());
    let mut numbered: Vec<(i64, &ParsedStepRow)> = Vec::with_capacity(steps.len());
    for (step, at) in steps.iter().zip(i64::from(base)..) {
        match step.number {
            Some(number) => numbered.push((number, *step)),
            None if !has_numbers => numbered.push((at, *step)),
            None => loops::unplaced(builder, step.row),
        }
    }
    numbered.stable_sort_by_key(|(number, _)| *number);
    numbered
}

/// `reward/series`: the reported reward if two attempts have one, else a derivation, in the order
/// of the rules; else whatever one attempt has.
pub(crate) fn choose<'a>(steps: impl Iterator<Item = &'a ParsedStepRow>) -> Series {
    let mut counts: BTreeMap<(Origin, usize), (usize, Option<&'static str>)> = BTreeMap::new();
    for step in steps {
        let mut own = vec![step.reward, step.derived];
        own.dedup();
        for reward in own.into_iter().flatten() {
            let entry = counts
                .entry((reward.origin, rank_of_rule(reward.rule)))
                .or_insert((0, reward.rule));
            entry.0 += 1;
        }
    }
    for enough in [2, 1] {
        if let Some(((origin, _), (_, rule))) = counts.iter().find(|(_, (n, _))| *n >= enough) {
            return Series { origin: *origin, rule: *rule };
        }
    }
    Series { origin: Origin::None, rule: None }
}

/// The reward that a step has in a series.
pub(crate) fn reward_in(step: &ParsedStepRow, series: Series) -> Option<StepReward> {
    let of_series = |r: &StepReward| r.origin == series.origin && r.rule == series.rule;
    step.reward.filter(of_series).or_else(|| step.derived.filter(of_series))
}

fn attempt(number: i64, steps: &[&ParsedStepRow], series: Series, format: FormatId) -> Attempt {
    let lead = steps[0];
    let reflections = steps.iter().flat_map(|s| {
        (s.part..s.part.saturating_add(s.reflections)).map(|part| (RecordId::at(s.row), part))
    });
    Attempt {
        detail: lead.detail,
        time_ms: lead.time_ms,
        reward: reward_in(lead, series).map(|r| r.value),
        errors: lead.errors,
        omega: lead.omega,
        assumed_omega: format.assumed_omega(None),
        stored: lead.stored,
        merged: steps.iter().map(|s| RecordId::at(s.row)).collect(),
        reflections: reflections.collect(),
        ..Attempt::bare(number, lead.outcome, (RecordId::at(lead.row), lead.part))
    }
}
