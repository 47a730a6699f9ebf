//! Records that each hold one iteration of a loop to runs: reflection memory and hook files
//! (formats.md, 4.1, 4.2, 11).

use std::collections::BTreeMap;

use super::columns::{Attempt, RunRow, Series, Stored};
use super::group::{Bin, by_key, stem_of};
use super::id::RecordId;
use super::outcome::Outcome;
use super::reward::Origin;
use super::row::Row;
use crate::format::FormatId;
use crate::validate::finding::{Finding, Severity};
use crate::validate::series;

/// Groups the records below one dropped folder.
pub(crate) fn group(bin: &mut Bin<'_>, rows: &[usize]) {
    let table = bin.table;
    let only = only_key(bin, rows);
    series::loop_ids(bin, rows);
    let keys = rows.iter().map(|&i| key_of(bin, i, only.as_deref())).collect::<Vec<_>>();
    let place: BTreeMap<usize, usize> = rows.iter().enumerate().map(|(p, &r)| (r, p)).collect();
    for (key, rows) in by_key(rows, |i| place.get(&i).map(|&p| keys[p].clone()).unwrap_or_default())
    {
        let numbered = numbered(bin, &rows);
        let base = base(bin, &numbered);
        let merged = merge(bin, &numbered);
        let lead: Vec<usize> = merged.iter().map(|m| m.lead).collect();
        let series = choose(&lead.iter().map(|&i| &table.rows[i]).collect::<Vec<_>>());
        let attempts: Vec<_> = merged.iter().map(|m| attempt(bin, m, series)).collect();
        let (first, len) = bin.out.columns.append(attempts);
        let run = RunRow {
            group: bin.group,
            key,
            task: rows.iter().find_map(|&i| table.rows[i].task),
            format: lead.first().map_or(FormatId::ReflectionMemory, |&i| table.rows[i].format),
            base: base.value,
            base_provenance: base.provenance,
            series,
            earlier: Vec::new(),
            tellings: Vec::new(),
            outcome: None,
            first,
            len,
        };
        series::check(bin, &run, &lead, &base);
        bin.run(run, &rows);
    }
}

/// The only loop id that occurs below the root, for records that carry none.
fn only_key(bin: &Bin<'_>, rows: &[usize]) -> Option<String> {
    let table = bin.table;
    let mut keys = rows.iter().filter_map(|&i| table.key(&table.rows[i]));
    let first = keys.next()?;
    keys.all(|k| k == first).then(|| first.to_owned())
}

/// The record's own id; else the one in its path; else the only one there is; else the folder or
/// file name (formats.md, 11.1).
fn key_of(bin: &Bin<'_>, row: usize, only: Option<&str>) -> String {
    let table = bin.table;
    if let Some(key) = table.key(&table.rows[row]) {
        return key.to_owned();
    }
    let path = bin.path(row);
    if let Some(id) = id_in_path(path) {
        return id.to_owned();
    }
    if let Some(only) = only {
        return only.to_owned();
    }
    let folder = path.rsplit('/').nth(1);
    folder.unwrap_or_else(|| stem_of(path)).to_owned()
}

/// Ids that folders name, longest pattern first.
pub(crate) fn id_in_path(path: &str) -> Option<&str> {
    let parts: Vec<&str> = path.split('/').collect();
    let folders = parts.get(..parts.len() - 1)?;
    let after = |names: &[&str]| {
        let at = folders.windows(names.len()).rposition(|w| w == names)?;
        folders.get(at + names.len()).copied()
    };
    after(&["reflections", "loops"])
        .or_else(|| after(&["reflections"]).filter(|id| *id != "loops" && *id != "patterns"))
        .or_else(|| after(&["loops"]))
        .or_else(|| after(&["archive"]))
        .or_else(|| after(&["tasks"]))
}

/// Rows with their numbers, in order: number, time, source order. Where no record has a number,
/// positions count; where others have one, a record without is listed and not placed.
fn numbered(bin: &mut Bin<'_>, rows: &[usize]) -> Vec<(i64, usize)> {
    let table = bin.table;
    let told = |bin: &Bin<'_>, i: usize| {
        let of_file = || number_of_file(bin.path(i)).filter(|_| is_alone(bin, i));
        table.rows[i].number.or_else(of_file)
    };
    let has_numbers = rows.iter().any(|&i| told(bin, i).is_some());
    let mut numbered = Vec::with_capacity(rows.len());
    for (position, &i) in (0..).zip(rows) {
        match told(bin, i) {
            Some(number) => numbered.push((number, i)),
            None if !has_numbers => numbered.push((position, i)),
            None => {
                let id = bin.next_run();
                bin.find(
                    i,
                    Finding::new(
                        "lenient/missing",
                        Severity::Warning,
                        "The record has no number that can be read, and others of its run have one: it is listed and not plotted.",
                    )
                    .contrast("a number", "none that can be read")
                    .of_run(id, None),
                );
            }
        }
    }
    numbered.sort_by(|a, b| {
        let time = |i: usize| table.rows[i].time_ms.unwrap_or(f64::NEG_INFINITY);
        a.0.cmp(&b.0).then(time(a.1).total_cmp(&time(b.1)))
    });
    numbered
}

/// Whether a record's file holds nothing else, so that its name may speak for it.
pub(crate) fn is_alone(bin: &Bin<'_>, row: usize) -> bool {
    let rows = &bin.table.rows;
    let source = rows[row].source;
    let is_same =
        |i: Option<usize>| i.and_then(|i| rows.get(i)).is_some_and(|r| r.source == source);
    !is_same(row.checked_sub(1)) && !is_same(Some(row + 1))
}

/// `007.json` → 7, `iteration-7.yaml` → 7.
pub(crate) fn number_of_file(path: &str) -> Option<i64> {
    let stem = stem_of(path);
    let digits = stem.trim_start_matches(|c: char| !c.is_ascii_digit());
    let is_named = stem.len() == digits.len()
        || stem.starts_with("iteration")
        || stem.starts_with("reflection");
    if is_named { digits.parse().ok() } else { None }
}

/// Records of one number.
pub(crate) struct Merged {
    number: i64,
    /// Row that counts.
    lead: usize,
    all: Vec<usize>,
}

/// One iteration a number: reflection memory before hook files; of one format the later one
/// counts, and that is said.
fn merge(bin: &mut Bin<'_>, numbered: &[(i64, usize)]) -> Vec<Merged> {
    let table = bin.table;
    let mut merged: Vec<Merged> = Vec::new();
    for &(number, row) in numbered {
        match merged.last_mut() {
            Some(last) if last.number == number => {
                let lead = table.rows[last.lead].format;
                let is_twice =
                    last.all.iter().any(|&i| table.rows[i].format == table.rows[row].format);
                if is_twice {
                    series::duplicate(bin, number, last.lead, row);
                }
                if table.rows[row].format <= lead {
                    last.lead = row;
                }
                last.all.push(row);
            }
            _ => merged.push(Merged { number, lead: row, all: vec![row] }),
        }
    }
    merged
}

/// `reward/series` for these formats: the reported signal, else a derivation, else the verdict.
fn choose(rows: &[&Row]) -> Series {
    let count = |test: &dyn Fn(&Row) -> bool| rows.iter().filter(|r| test(r)).count();
    let reported = count(&|r| r.reward.is_some());
    let by_rule = |rule: &str| count(&|r| r.derived.is_some_and(|d| d.1 == rule));
    let rules = ["reward/derive-guide", "reward/derive-tests"];
    let derived = |rule| Series { origin: Origin::Derived, rule: Some(rule) };
    for enough in [2, 1] {
        if reported >= enough {
            return Series { origin: Origin::Reported, rule: None };
        }
        if let Some(rule) = rules.into_iter().find(|rule| by_rule(rule) >= enough) {
            return derived(rule);
        }
    }
    let has_verdict = |r: &Row| {
        r.format == FormatId::ReflectionMemory
            && matches!(r.outcome, Outcome::Success | Outcome::Failure)
    };
    if count(&has_verdict) > 0 {
        derived("reward/derive-verdict")
    } else {
        Series { origin: Origin::None, rule: None }
    }
}

fn attempt(bin: &Bin<'_>, merged: &Merged, series: Series) -> Attempt {
    let table = bin.table;
    let row = &table.rows[merged.lead];
    let reward = match (series.origin, series.rule) {
        (Origin::Reported, _) => row.reward,
        (Origin::Derived, Some("reward/derive-verdict")) => match row.outcome {
            Outcome::Success => Some(1.0),
            Outcome::Failure => Some(0.0),
            Outcome::Partial
            | Outcome::Running
            | Outcome::Aborted
            | Outcome::Void
            | Outcome::Unknown => None,
        },
        (Origin::Derived, rule) => row.derived.filter(|d| Some(d.1) == rule).map(|d| d.0),
        (Origin::None, _) => None,
    };
    let mut hashes = Vec::new();
    let mut reflections = Vec::new();
    let others = merged.all.iter().copied().filter(|&i| i != merged.lead);
    for i in std::iter::once(merged.lead).chain(others) {
        for (part, &hash) in (0..).zip(table.hashes(&table.rows[i])) {
            // Blank texts stay out of windows, equal ones count once.
            if hash != 0 && !hashes.contains(&hash) {
                hashes.push(hash);
                reflections.push((RecordId::at(i), part));
            }
        }
    }
    Attempt {
        number: merged.number,
        outcome: row.outcome,
        detail: row.detail,
        time_ms: row.time_ms,
        reward,
        errors: row.errors,
        omega: row.omega,
        assumed_omega: Some(match (row.format, row.verification) {
            (FormatId::HookIteration, _) => 5,
            (_, Some(kind)) => kind.assumed_omega(),
            (_, None) => 3,
        }),
        stored: Stored {
            reward: row.stored_reward,
            errors: row.stored_errors,
            improvement: row.stored_improvement,
        },
        record: RecordId::at(merged.lead),
        part: 0,
        merged: merged.all.iter().map(|&i| RecordId::at(i)).collect(),
        reflections,
    }
}

/// Number of the first attempt, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    pub(crate) value: u8,
    pub(crate) provenance: &'static str,
    pub(crate) is_mixed: bool,
}

/// Declared by hook files; collected as evidence for reflection memory (formats.md, 11.3).
fn base(bin: &Bin<'_>, numbered: &[(i64, usize)]) -> Base {
    let table = bin.table;
    let of = |value, provenance, is_mixed| Base { value, provenance, is_mixed };
    let memory: Vec<_> = numbered
        .iter()
        .filter(|(_, i)| table.rows[*i].format == FormatId::ReflectionMemory)
        .copied()
        .collect();
    if memory.is_empty() {
        return of(1, "declared", false);
    }
    if memory.iter().any(|(n, _)| *n == 0) {
        return of(0, "evidence", false);
    }
    let files: Vec<_> = memory
        .iter()
        .map(|&(n, i)| {
            (n, number_of_file(bin.path(i)).filter(|_| is_alone(bin, i) && is_plain(bin.path(i))))
        })
        .collect();
    let all_files =
        |shift: i64| files.iter().all(|(n, file)| *file == Some(n.saturating_add(shift)));
    let totals: Vec<_> =
        memory.iter().filter_map(|&(n, i)| Some((n, table.rows[i].window_total?))).collect();
    let (smallest, first) = memory[0];
    let claims_past = {
        let row = &table.rows[first];
        row.has_past || row.stored_reward.is_some_and(|w| w.value != 0.0)
    };
    let zero = all_files(1)
        || (!totals.is_empty() && totals.iter().all(|(n, total)| *total == n.saturating_add(1)))
        || (smallest == 1 && claims_past);
    let one = all_files(0);
    match (zero, one) {
        (true, false) => of(0, "evidence", false),
        (false, true) => of(1, "evidence", false),
        (true, true) => of(0, "assumed", true),
        (false, false) => of(0, "assumed", false),
    }
}

/// `NNN.json`: nothing but digits before the ending.
pub(crate) fn is_plain(path: &str) -> bool {
    let stem = stem_of(path);
    !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_ids() {
        assert_eq!(
            id_in_path("x/.aiwg/ralph/reflections/loops/ralph-a/iteration-1.yaml"),
            Some("ralph-a")
        );
        assert_eq!(id_in_path(".aiwg/ralph/reflections/ralph-b/001.json"), Some("ralph-b"));
        assert_eq!(id_in_path("loops/c/state.json"), Some("c"));
        assert_eq!(id_in_path("a/b.json"), None);
        assert_eq!(number_of_file("a/iteration-007.yaml"), Some(7));
        assert_eq!(number_of_file("012.json"), Some(12));
        assert_eq!(number_of_file("run2.json"), None);
    }
}
