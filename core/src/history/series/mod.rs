//! Checks over the records of one run (docs/spec/rules.md, "Series checks").

mod steps;
#[cfg(test)]
mod tests;

use crate::model::view::BaseProvenance;
use std::collections::{BTreeMap, BTreeSet};

use crate::format::FormatId;
use crate::format::traits::Role;
use crate::history::columns::{Columns, RunRow, known};
use crate::history::grouping::GroupBuilder;
use crate::history::loops::base::Base;
use crate::history::loops::path::is_alone;
use crate::history::paths::folder_of;
use crate::model::delta;
use crate::model::finding::{Evidence, Finding, Severity};
use crate::model::id::RecordId;
use crate::model::reward::Origin;
use crate::validate::labels::cut;
use steps::Numbered;

/// Which of two records with one number counts.
pub(crate) const LATER: &str = "The later of the two is used.";

/// `series/duplicate-iteration`: two records of one format with one number. `used` is a sentence that
/// says which of them counts.
pub(crate) fn duplicate(
    builder: &mut GroupBuilder<'_>,
    number: i64,
    [earlier, later]: [usize; 2],
    used: &str,
) {
    let run = builder.next_run();
    let place = &builder.table.rows[earlier];
    let (path, line) = (builder.path(earlier).to_owned(), place.line);
    builder.find(
        later,
        Finding::new(
            "series/duplicate-iteration",
            Severity::Warning,
            format!("Iteration {number} occurs here and also in {path}, line {line}. {used}"),
        )
        .hint("The iteration counts once. Both records are kept.")
        .of_run(run, Some(number)),
    );
}

/// Everything else that a series can say. `lead` are the rows that count, in order.
pub(crate) fn check(builder: &mut GroupBuilder<'_>, run: &RunRow, lead: &[usize], base: Base) {
    let id = builder.next_run();
    if let Some(&first) = lead.first() {
        base_of_numbering(builder, first, id, base);
    }
    for (k, &row) in lead.iter().enumerate().take(run.len) {
        let at = run.first + k;
        let columns = &builder.out.columns;
        let number = columns.numbers[at];
        let mut findings = Vec::new();
        let is_shaped = builder.table.rows[row].format.is_validated();
        findings.extend(stored(columns, run, k).into_iter().map(|mut finding| {
            // Other formats keep their deltas elsewhere.
            finding.pointer = finding.pointer.filter(|_| is_shaped);
            finding
        }));
        findings.extend(of_record(builder, row, number, base));
        if k > 0 {
            // A state is saved now and then: the attempts before a version of it need no records of their own.
            let facts = &builder.table.rows[row];
            let is_version =
                facts.format.role() == Role::State && builder.table.steps(facts).is_empty();
            let gap = gap(run.format, columns.numbers[at - 1], number).filter(|_| !is_version);
            findings.extend(gap.map(|f| f.evidence(pair(columns, at))));
            findings.extend(order(columns, at));
        }
        for finding in findings {
            builder.find(row, finding.of_run(id, Some(number)));
        }
    }
    let table = builder.table;
    let numbers =
        builder.out.columns.numbers.get(run.first..run.first + run.len).unwrap_or_default();
    let records: Vec<Numbered<'_>> = numbers
        .iter()
        .zip(lead)
        .zip(builder.out.columns.outcomes.get(run.first..).unwrap_or_default())
        .map(|((&number, &row), &outcome)| Numbered {
            number,
            outcome,
            id: RecordId::at(row),
            row: &table.rows[row],
        })
        .collect();
    for (k, finding) in steps::check(table, &records) {
        builder.find(lead[k], finding.of_run(id, Some(records[k].number)));
    }
}

/// `series/loop-id-mixed`: records of several loops in a folder that belongs to one.
pub(crate) fn loop_ids(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    let table = builder.table;
    // The ids of each folder, and where the second one was met.
    let mut folders: BTreeMap<&str, (BTreeSet<&str>, usize)> = BTreeMap::new();
    for &row in rows {
        if let (Some(key), Some(_)) = (table.key(&table.rows[row]), builder.named(row).id) {
            let folder = folder_of(builder.path(row));
            let (keys, place) = folders.entry(folder).or_default();
            if keys.insert(key) && keys.len() <= 2 {
                *place = row;
            }
        }
    }
    for (folder, (keys, row)) in folders {
        if keys.len() > 1 {
            let listed: Vec<_> = keys.into_iter().collect();
            builder.find(
                row,
                Finding::new(
                    "series/loop-id-mixed",
                    Severity::Warning,
                    format!("Records of {} loops are in the folder {folder}.", listed.len()),
                )
                .pointer("/loop_id")
                .contrast("one loop id in a folder", listed.join(", "))
                .hint("Each id makes a run of its own."),
            );
        }
    }
}

/// Checks of one record that need its path, or the base of the numbering.
fn of_record(builder: &GroupBuilder<'_>, row: usize, number: i64, base: Base) -> Vec<Finding> {
    let (table, facts) = (builder.table, &builder.table.rows[row]);
    let mut findings = Vec::new();
    if !facts.format.is_validated() {
        return findings;
    }
    let warning = |rule, message: String, pointer, [expected, found]: [String; 2]| {
        Finding::new(rule, Severity::Warning, message).contrast(expected, found).pointer(pointer)
    };
    let attempts = number.saturating_add(1 - i64::from(base.value));
    if let Some(total) = table.more(facts).window_total.filter(|t| *t > attempts) {
        findings.push(warning(
            "rm/total-large",
            format!("The stated number of generated reflections is {total}, but the number of attempts up to this iteration is only {attempts}."),
            "/memory_metadata/total_reflections_generated",
            [format!("at most {attempts}"), total.to_string()],
        ));
    }
    let claims_change = table.more(facts).stored.reward.is_some_and(|w| w.value != 0.0)
        || table.more(facts).stored.errors.is_some_and(|errors| errors != 0);
    if number == i64::from(base.value) && (table.more(facts).has_past || claims_change) {
        findings.push(warning(
            "rm/first-has-past",
            format!("Iteration {number} is the first attempt, but its record refers to an earlier attempt."),
            if table.more(facts).has_past {
                "/previous_reflections_used"
            } else {
                "/performance_delta"
            },
            [
                "nothing before the first attempt",
                if table.more(facts).has_past { "reflections" } else { "a change" },
            ]
            .map(str::to_owned),
        ));
    }
    let named = builder.named(row);
    if let (Some(key), Some(folder)) = (table.key(facts), named.id)
        && key != folder
    {
        findings.push(warning(
            "rm/loop-folder",
            format!("The record belongs to {key}, but it is in the folder of {folder}."),
            "/loop_id",
            [cut(folder), cut(key)],
        ));
    }
    if let Some(file) = named.number
        && named.is_plain
        && is_alone(table, row)
        && file != number
        && file != number.saturating_add(1)
    {
        findings.push(warning(
            "rm/number-file",
            format!("The record has number {number}, but its file name has number {file}."),
            "/iteration",
            [
                format!("{file}, or {} if the first iteration is 0", file.saturating_sub(1)),
                number.to_string(),
            ],
        ));
    }
    findings
}

fn base_of_numbering(
    builder: &mut GroupBuilder<'_>,
    first: usize,
    id: crate::model::id::RunId,
    base: Base,
) {
    if base.provenance != BaseProvenance::Assumed {
        return;
    }
    let (rule, severity, message) = if base.is_mixed {
        (
            "series/base-mixed",
            Severity::Warning,
            "The file names suggest that the first attempt is number 1, but the contents of the records suggest number 0. 0 is assumed.",
        )
    } else {
        (
            "series/base-assumed",
            Severity::Info,
            match base.value {
                0 => {
                    "The records do not show whether the first attempt is number 0 or 1. 0 is assumed."
                }
                _ => {
                    "The records do not show whether the first attempt is number 0 or 1. 1 is assumed."
                }
            },
        )
    };
    builder.find(
        first,
        Finding::new(rule, severity, message)
            .hint("The numbers of the iterations are used as they are.")
            .of_run(id, None),
    );
}

/// Numbers that are missing in a run whose attempts are all of one file. `lead` are the rows that count.
pub(crate) fn gaps(builder: &mut GroupBuilder<'_>, run: &RunRow, lead: &[usize]) {
    let id = builder.next_run();
    // Where the format says at which number runs begin, those before the first may be missing as well.
    let mut before = run.format.traits().base.map(|base| i64::from(base) - 1);
    for (at, &row) in (run.first..).zip(lead) {
        let columns = &builder.out.columns;
        let number = columns.numbers[at];
        if let Some(gap) = before.and_then(|before| gap(run.format, before, number)) {
            let known = if at == run.first { Vec::new() } else { pair(columns, at) };
            builder.find(row, gap.evidence(known).of_run(id, Some(number)));
        }
        before = Some(number);
    }
}

/// Numbers missing between two neighbours. Formats that write every attempt make it a warning.
fn gap(format: FormatId, before: i64, after: i64) -> Option<Finding> {
    let missing = after.saturating_sub(before).saturating_sub(1);
    let severity = format.traits().gap?;
    if missing <= 0 {
        return None;
    }
    let which = if missing == 1 {
        format!("Iteration {} is missing.", before + 1)
    } else {
        format!("Iterations {} to {} are missing.", before + 1, after - 1)
    };
    Some(
        Finding::new("series/gap", severity, which)
            .hint("Nothing takes the place of missing iterations. If they are in other files, open these, too."),
    )
}

/// The iteration at a position of the columns, and the one before it.
fn pair(columns: &Columns, at: usize) -> Vec<Evidence> {
    [at - 1, at].map(|i| Evidence { record: columns.records[i], number: columns.numbers[i] }).into()
}

fn order(columns: &Columns, at: usize) -> Option<Finding> {
    let (before, now) = (known(columns.times_ms[at - 1])?, known(columns.times_ms[at])?);
    (now < before).then(|| {
        Finding::new(
            "series/out-of-order",
            Severity::Warning,
            format!(
                "Iteration {} is older than iteration {}.",
                columns.numbers[at],
                columns.numbers[at - 1]
            ),
        )
        .hint("Iterations are ordered by number, not by time.")
        .evidence(pair(columns, at))
    })
}

/// Stored deltas against recomputed ones.
fn stored(columns: &Columns, run: &RunRow, k: usize) -> Vec<Finding> {
    let at = run.first + k;
    let stored = columns.stored(at);
    let mut findings = Vec::new();
    let past = k.checked_sub(1).map(|_| columns.numbers[at - 1]);
    let is_neighbour = past.is_some_and(|p| p + 1 == columns.numbers[at]);
    if k == 0 {
        let claims = stored
            .reward
            .filter(|w| w.value != 0.0)
            .map(|w| format!("a reward change of {}", w.value));
        let claims = claims.or_else(|| {
            let errors = stored.errors.filter(|e| *e != 0);
            errors.map(|e| format!("a change of {e} in the number of errors"))
        });
        if let Some(claims) = claims {
            findings.push(
                Finding::new(
                    "series/unseen-predecessor",
                    Severity::Info,
                    format!("The first opened record of the run states {claims}, but no record of an earlier attempt is in the opened files."),
                )
                .pointer("/performance_delta"),
            );
        }
        return findings;
    }
    if let (Some(written), Some(change)) = (stored.reward, known(columns.deltas[at]))
        && run.series.origin == Origin::Reported
        && columns.gaps[at] == 0
        && is_neighbour
        && !delta::agrees(written.value, written.decimals, change)
    {
        findings.push(
            Finding::new(
                "series/reward-change-mismatch",
                Severity::Warning,
                format!(
                    "The record states a reward change of {}, but the rewards give {change}.",
                    written.value
                ),
            )
            .hint("The computed change is used.")
            .contrast(change.to_string(), written.value.to_string())
            .evidence(pair(columns, at))
            .pointer("/performance_delta/reward_change"),
        );
    }
    if let (Some(written), Some(change)) = (stored.errors, columns.error_delta(run, at))
        && is_neighbour
        && written != change
    {
        findings.push(
            Finding::new(
                "series/error-change-mismatch",
                Severity::Warning,
                format!(
                    "The record states a change of {written} in the number of errors, but the lists of errors give {change}."
                ),
            )
            .hint("The computed change is used.")
            .contrast(change.to_string(), written.to_string())
            .evidence(pair(columns, at))
            .pointer("/performance_delta/error_count_change"),
        );
    }
    if let (Some(written), Some(is_improvement)) =
        (stored.improvement, columns.is_improvement(run, at))
        && is_neighbour
        && written != is_improvement
    {
        findings.push(
            Finding::new(
                "series/improvement-mismatch",
                Severity::Warning,
                format!(
                    "The record states {}, but reward and errors show {}.",
                    if written { "an improvement" } else { "no improvement" },
                    if is_improvement { "one" } else { "none" }
                ),
            )
            .contrast(is_improvement.to_string(), written.to_string())
            .evidence(pair(columns, at))
            .pointer("/performance_delta/is_improvement"),
        );
    }
    findings
}
