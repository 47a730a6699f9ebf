//! Records that tell of runs with accounts to runs: those of one file, by keys and
//! numbers.

use crate::order::Order as _;
use std::collections::BTreeMap;

use super::columns::{Attempt, RunRow, Series, Stored};
use super::group::{Bin, by_key, stem_of};
use super::loops;
use super::study;
use super::submissions;
use super::telling::{StepReward, StepRow, Telling, rank_of_rule};
use crate::format::FormatId;
use crate::history::series;
use crate::model::id::RecordId;
use crate::model::reward::Origin;

/// Groups the records of one file: one run a key.
pub(crate) fn group(bin: &mut Bin<'_>, rows: &[usize]) {
    let table = bin.table;
    let tellings: Vec<&Telling> =
        rows.iter().flat_map(|&row| table.tellings(&table.rows[row])).collect();
    let keys: Vec<String> = tellings.iter().map(|t| key_of(bin, t, rows.len() > 1)).collect();
    let all: Vec<usize> = (0..tellings.len()).collect();
    for (key, members) in by_key(&all, |i| keys[i].clone()) {
        let of_key: Vec<&Telling> = members.iter().map(|&i| tellings[i]).collect();
        run(bin, key, &of_key);
    }
    study::check(bin, rows);
}

/// The record's own key; else the file's name, with the line where the file has several.
fn key_of(bin: &Bin<'_>, telling: &Telling, has_others: bool) -> String {
    let row = &bin.table.rows[telling.row];
    match telling.key {
        Some(key) => bin.table.words.word(key).to_owned(),
        None if has_others => {
            let stem = stem_of(bin.path(telling.row));
            let is_first_of_line =
                row.index == 0
                    || telling.row.checked_sub(1).and_then(|i| bin.table.rows.get(i)).is_none_or(
                        |before| (before.source, before.line) != (row.source, row.line),
                    );
            if is_first_of_line {
                format!("{stem}:{}", row.line)
            } else {
                format!("{stem}:{}:{}", row.line, row.column)
            }
        }
        None => stem_of(bin.path(telling.row)).to_owned(),
    }
}

/// One run of its tellings.
pub(crate) fn run(bin: &mut Bin<'_>, key: String, tellings: &[&Telling]) {
    let Some(first) = tellings.first() else { return };
    let table = bin.table;
    let format = table.rows[first.row].format;
    let base = first.base.or(format.row().base).unwrap_or(1);
    let steps: Vec<&StepRow> = tellings.iter().flat_map(|t| table.told.steps_of(t)).collect();
    let numbered = numbered(bin, &steps, base);
    let mut merged: Vec<(i64, Vec<&StepRow>)> = Vec::new();
    for (number, step) in numbered {
        match merged.last_mut() {
            Some((last, steps)) if *last == number => {
                series::duplicate(bin, number, steps[0].row, step.row);
                steps.insert(0, step);
            }
            _ => merged.push((number, vec![step])),
        }
    }
    let lead = || merged.iter().map(|(_, steps)| steps[0]);
    let series = submissions::series(format, lead()).unwrap_or_else(|| choose(lead()));
    let attempts = merged.iter().map(|(number, steps)| attempt(*number, steps, series, format));
    let (first_column, len) = bin.out.columns.append(attempts.collect());
    let mut rows: Vec<usize> = tellings.iter().map(|t| t.row).collect();
    rows.dedup();
    let run = RunRow {
        group: bin.group,
        key,
        task: tellings.iter().find_map(|t| t.task),
        format,
        base,
        base_provenance: "declared",
        series,
        earlier: Vec::new(),
        tellings: tellings.iter().map(|t| (RecordId::at(t.row), t.part)).collect(),
        facts: loops::facts(tellings),
        first: first_column,
        len,
    };
    bin.run(run, &rows);
}

/// Steps by number, then in the order of the file. Where none has a number, positions count.
fn numbered<'a>(bin: &mut Bin<'_>, steps: &[&'a StepRow], base: u8) -> Vec<(i64, &'a StepRow)> {
    let has_numbers = steps.iter().any(|s| s.number.is_some());
    let mut numbered: Vec<(i64, &StepRow)> = Vec::with_capacity(steps.len());
    for (step, at) in steps.iter().zip(i64::from(base)..) {
        match step.number {
            Some(number) => numbered.push((number, *step)),
            None if !has_numbers => numbered.push((at, *step)),
            None => loops::unplaced(bin, step.row),
        }
    }
    numbered.order_by_key(|(number, _)| *number);
    numbered
}

/// `reward/series`: the reported reward if two attempts have one, else a derivation, in the order
/// of the rules; else whatever one attempt has.
pub(crate) fn choose<'a>(steps: impl Iterator<Item = &'a StepRow>) -> Series {
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
pub(crate) fn reward_in(step: &StepRow, series: Series) -> Option<StepReward> {
    let of_series = |r: &StepReward| r.origin == series.origin && r.rule == series.rule;
    step.reward.filter(of_series).or_else(|| step.derived.filter(of_series))
}

fn attempt(number: i64, steps: &[&StepRow], series: Series, format: FormatId) -> Attempt {
    let lead = steps[0];
    let reflections = steps.iter().flat_map(|s| {
        (s.part..s.part.saturating_add(s.reflections)).map(|part| (RecordId::at(s.row), part))
    });
    Attempt {
        number,
        outcome: lead.outcome,
        detail: lead.detail,
        time_ms: lead.time_ms,
        reward: reward_in(lead, series).map(|r| r.value),
        errors: lead.errors,
        omega: lead.omega,
        assumed_omega: format.assumed_omega(None),
        stored: Stored {
            reward: lead.stored_reward,
            errors: lead.stored_errors,
            improvement: lead.stored_improvement,
            is_taught: lead.is_taught,
        },
        record: RecordId::at(lead.row),
        part: lead.part,
        merged: steps.iter().map(|s| RecordId::at(s.row)).collect(),
        joined: Vec::new(),
        reflections: reflections.collect(),
    }
}
