//! Runs of bundles, grouped as they were stored.

use std::collections::BTreeMap;

use crate::format::extracted::Verification;
use crate::format::{Family, FormatId};
use crate::history::carried::CarriedRun;
use crate::history::columns::{Attempt, RunRow, Series};
use crate::history::grouping::GroupBuilder;
use crate::history::loops;
use crate::history::parsed_rows::{ParsedStepRow, Stored};
use crate::history::paths::family_label;
use crate::history::row::Table;
use crate::model::finding::{Finding, Severity};
use crate::model::id::{RecordId, RunId};
use crate::model::reward::Origin;
use crate::model::view::ReflectionRef;

impl CarriedRun {
    /// The label of its group.
    pub(in crate::history) fn label<'a>(&'a self, table: &'a Table) -> &'a str {
        let of_source = || {
            let source = table.carried.get(self.lead?)?;
            Some(family_label(&source.view.path, self.family()))
        };
        self.group.as_deref().or_else(of_source).unwrap_or("")
    }

    pub(in crate::history) fn family(&self) -> Family {
        self.format.family()
    }
}

/// The window that is assumed of an attempt: by its kind of verification, else by its format.
pub(crate) fn assumed_omega(format: FormatId, verification: Option<&str>) -> Option<u8> {
    format.assumed_omega(verification.and_then(Verification::named))
}

/// Runs that were seen so far, so that what two bundles share counts once.
#[derive(Debug, Default)]
pub(in crate::history) struct Seen(BTreeMap<(String, String), Vec<(usize, RunId)>>);

/// Groups the runs of one bundle that belong to one group, in their order.
pub(in crate::history) fn group(builder: &mut GroupBuilder<'_>, rows: &[usize], seen: &mut Seen) {
    for &row in rows {
        let table = builder.table;
        let Some(carried) = table.carried.runs.get(&row) else { continue };
        let key = table.parsed_runs(&table.rows[row]).first().and_then(|t| t.key);
        let key = key.map_or_else(|| carried.name.clone(), |key| table.texts.text(key).to_owned());
        let place = (builder.label.to_owned(), key.clone());
        let before = seen
            .0
            .get(&place)
            .and_then(|rows| rows.iter().find(|(before, _)| is_same(table, *before, row)).copied());
        if let Some((before, run)) = before {
            builder.out.run_of[row] = Some(run);
            let finding = Finding::new(
                "source/duplicate",
                Severity::Info,
                format!(
                    "Run {key} is also in {}, made from the same sources. It is counted once.",
                    builder.path(before)
                ),
            );
            builder.find_in_file(row, finding);
            continue;
        }
        seen.0.entry(place).or_default().push((row, builder.next_run()));
        run(builder, row, key, carried);
    }
}

/// Whether two bundles have a run of the same sources, with the same numbers.
fn is_same(table: &Table, before: usize, row: usize) -> bool {
    let numbers = |row: usize| -> Vec<Option<i64>> {
        let parsed_runs = table.parsed_runs(&table.rows[row]);
        parsed_runs.iter().flat_map(|t| table.parsed.steps_of(t)).map(|s| s.number).collect()
    };
    let (Some(a), Some(b)) = (table.carried.runs.get(&before), table.carried.runs.get(&row)) else {
        return false;
    };
    table.rows[before].source != table.rows[row].source
        && a.sources.len() == b.sources.len()
        && !a.sources.is_empty()
        && a.sources.iter().zip(&b.sources).all(|(a, b)| table.carried.is_same(*a, *b))
        && numbers(before) == numbers(row)
}

fn run(builder: &mut GroupBuilder<'_>, row: usize, key: String, carried: &CarriedRun) {
    let table = builder.table;
    let parsed_runs = table.parsed_runs(&table.rows[row]);
    let Some(parsed_run) = parsed_runs.first() else { return };
    let steps = table.parsed.steps_of(parsed_run);
    let base = parsed_run.base.unwrap_or(1);
    let record = RecordId::at(row);
    let attempts = steps.iter().enumerate().map(|(k, step)| {
        let place = i64::try_from(k).unwrap_or(i64::MAX);
        attempt(step, carried, k, step.number.unwrap_or_else(|| place.saturating_add(base.into())))
    });
    let series = steps.iter().find_map(|step| step.reward).map_or(
        Series { origin: Origin::None, rule: None },
        |reward| Series { origin: reward.origin, rule: reward.rule },
    );
    let (first, len) = builder.out.columns.append(attempts.collect());
    let before = parsed_runs.get(1).and_then(|t| table.parsed.steps_of(t).first());
    let earlier = before.map_or_else(Vec::new, |step| {
        let parts = step.part..step.part.saturating_add(step.reflections);
        let refs = parts.zip(&carried.earlier);
        refs.map(|(part, &number)| ReflectionRef { number, ordinal: 0, record, part }).collect()
    });
    let run = RunRow {
        group: builder.group,
        key,
        task: parsed_run.task,
        format: carried.format,
        base,
        base_provenance: carried.base_provenance,
        series,
        earlier,
        parsed_runs: vec![(record, 0)],
        facts: loops::facts(&[parsed_run]),
        first,
        len,
    };
    builder.run(run, &[row]);
}

fn attempt(step: &ParsedStepRow, carried: &CarriedRun, place: usize, number: i64) -> Attempt {
    let columns = carried.steps.get(place).cloned().unwrap_or_default();
    let record = RecordId::at(step.row);
    let format = columns.format.unwrap_or(carried.format);
    let assumed = assumed_omega(format, columns.verification.as_deref());
    let parts = (step.part..step.part.saturating_add(step.reflections)).zip(0_u32..);
    let is_seen = |at: &u32| !columns.unseen.contains(at);
    Attempt {
        detail: step.detail,
        time_ms: columns.time_ms.unwrap_or(step.time_ms),
        reward: step.reward.map(|r| r.value),
        errors: columns.errors.unwrap_or(step.errors),
        omega: columns.omega.unwrap_or(step.omega),
        assumed_omega: columns.assumed_omega.unwrap_or(assumed),
        stored: Stored {
            // As for records opened by themselves: formats read along a shape have nothing in this column.
            has_injected: step.stored.has_injected.filter(|_| !format.is_shape()),
            ..step.stored
        },
        reflections: parts.filter(|(_, at)| is_seen(at)).map(|(part, _)| (record, part)).collect(),
        ..Attempt::bare(number, step.outcome, (record, step.part))
    }
}
