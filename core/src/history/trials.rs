//! `env_results_trial_N.json` files to runs, together with the logs of the same trials.
//!
//! A file is written when trial N is over: the lesson of trial N stands in it already, and what
//! the actor could know during trial N stands in file N-1. A task that was solved in file N-1 is
//! carried: no attempt, nothing plotted.

use crate::sort::StableSort as _;
use std::collections::BTreeMap;

use super::columns::{Attempt, RunRow, Series};
use super::grouping::{GroupBuilder, by_key};
use super::row::Table;
use super::trial_logs::{Logs, named_trial};
use crate::format::traits::Role;
use crate::model::finding::{Finding, Severity};
use crate::model::id::RecordId;
use crate::model::outcome::Outcome;
use crate::model::reward::{Origin, count};
use crate::model::view::{BaseProvenance, ReflectionRef};
use crate::text::counted;

/// One file of the experiment.
struct Trial {
    number: i64,
    rows: Vec<usize>,
}

/// One task in one file.
#[derive(Clone, Copy)]
struct Seen {
    /// Position of its file.
    file: usize,
    row: usize,
}

/// Groups the files of one folder.
pub(crate) fn group(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    let is_result = |row: &usize| builder.table.rows[*row].format.role() == Role::Attempt;
    let (results, printed): (Vec<_>, Vec<_>) = rows.iter().copied().partition(is_result);
    let trials = trials(builder, &results);
    say_of_files(builder, &trials);
    let logs = Logs::of(builder, &printed);
    let solved = |trial: &Trial| {
        let is_solved = |row: &&usize| builder.table.rows[**row].outcome == Outcome::Success;
        (trial.number, trial.rows.iter().filter(is_solved).count())
    };
    let solved: BTreeMap<i64, usize> = trials.iter().map(solved).collect();
    logs.compare(builder, &solved);
    let mut file_of = BTreeMap::new();
    for (file, trial) in trials.iter().enumerate() {
        for &row in &trial.rows {
            file_of.insert(row, file);
        }
    }
    let table = builder.table;
    let mut growth = Growth::default();
    for (key, rows) in by_key(rows, |i| table.key(&table.rows[i]).unwrap_or_default().to_owned()) {
        let mut seen: Vec<Seen> =
            rows.iter().filter_map(|&row| Some(Seen { file: *file_of.get(&row)?, row })).collect();
        seen.stable_sort_by_key(|s| (s.file, table.rows[s.row].index));
        once_a_file(builder, &trials, &mut seen);
        let (mut attempts, earlier) = attempts(builder, &trials, &seen, &mut growth);
        let of_file = |seen: &Seen| trials.get(seen.file).map(|trial| trial.number);
        logs.join(builder, &key, &seen.iter().filter_map(of_file).collect(), &mut attempts);
        let (first, len) = builder.out.columns.append(attempts);
        let lead = seen.first().map_or(rows[0], |seen| seen.row);
        let format = table.rows[lead].format;
        let run = RunRow {
            group: builder.group,
            key,
            task: None,
            format,
            base: 0,
            base_provenance: BaseProvenance::Declared,
            series: Series { origin: Origin::Derived, rule: Some("reward/derive-verdict") },
            earlier,
            parsed_runs: Vec::new(),
            facts: None,
            first,
            len,
        };
        builder.run(run, &rows);
    }
    growth.say(builder, &trials);
}

/// A task that stands twice in one file counts once, and the later one counts.
fn once_a_file(builder: &mut GroupBuilder<'_>, trials: &[Trial], seen: &mut Vec<Seen>) {
    let id = builder.next_run();
    for pair in seen.windows(2).filter(|pair| pair[0].file == pair[1].file) {
        let line = builder.table.rows[pair[0].row].line;
        let number = trials.get(pair[1].file).map(|trial| trial.number);
        builder.find(
            pair[1].row,
            Finding::new(
                "series/duplicate-iteration",
                Severity::Warning,
                format!(
                    "The task also occurs in line {line} of this file. The last occurrence is used."
                ),
            )
            .of_run(id, number),
        );
    }
    seen.reverse();
    seen.dedup_by_key(|s| s.file);
    seen.reverse();
}

/// The files in order of their trials.
fn trials(builder: &mut GroupBuilder<'_>, rows: &[usize]) -> Vec<Trial> {
    let table = builder.table;
    let mut files: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &row in rows {
        files.entry(table.rows[row].source).or_default().push(row);
    }
    let files: Vec<(Option<i64>, Vec<usize>)> = files
        .into_values()
        .map(|rows| (rows.first().and_then(|&row| named_trial(builder, row)), rows))
        .collect();
    if files.len() > 1 && files.iter().all(|(number, _)| number.is_none()) {
        return inferred(builder, files);
    }
    let is_lone = files.len() == 1;
    let mut trials: Vec<Trial> = Vec::new();
    for (number, rows) in files {
        let Some(&first) = rows.first() else { continue };
        let Some(number) = number.or(is_lone.then_some(0)) else {
            builder.find_in_file(
                first,
                Finding::new(
                    "env/order-inferred",
                    Severity::Warning,
                    "The file name contains no trial number, but the name of another file does. The file is ignored.",
                )
                .hint("Name it env_results_trial_N.json with the number of its trial."),
            );
            continue;
        };
        match trials.iter().position(|t| t.number == number) {
            Some(at) => same_trial(builder, &mut trials[at], rows, first),
            None => trials.push(Trial { number, rows }),
        }
    }
    trials.stable_sort_by_key(|t| t.number);
    trials
}

/// Two files of one trial: the same bytes count once, of different ones the later counts.
fn same_trial(builder: &mut GroupBuilder<'_>, trial: &mut Trial, rows: Vec<usize>, first: usize) {
    let path = trial.rows.first().map(|&r| builder.path(r).to_owned()).unwrap_or_default();
    if is_same(builder.table, &trial.rows, &rows) {
        builder.find_in_file(
            first,
            Finding::new(
                "source/duplicate",
                Severity::Info,
                format!("The file has the same content as {path}. It is counted once."),
            ),
        );
        return;
    }
    builder.find_in_file(
        first,
        Finding::new(
            "series/duplicate-iteration",
            Severity::Warning,
            format!("Trial {} is in this file and in {path}. This file is used.", trial.number),
        ),
    );
    trial.rows = rows;
}

/// Files without numbers, ordered by how much they remember, then by solved tasks.
fn inferred(
    builder: &mut GroupBuilder<'_>,
    mut files: Vec<(Option<i64>, Vec<usize>)>,
) -> Vec<Trial> {
    let table = builder.table;
    files.stable_sort_by_key(|(_, rows)| {
        let entries: u32 = rows.iter().map(|&r| table.rows[r].reflections.len()).sum();
        let solved = rows.iter().filter(|&&r| table.rows[r].outcome == Outcome::Success).count();
        (entries, solved)
    });
    if let Some(&row) = files.first().and_then(|t| t.1.first()) {
        builder.find_in_file(
            row,
            Finding::new(
                "env/order-inferred",
                Severity::Warning,
                "No file name contains a trial number. The files are ordered by the size of their memory, then by the number of solved tasks.",
            )
            .hint("Name the files env_results_trial_0.json, env_results_trial_1.json and so on."),
        );
    }
    (0..).zip(files).map(|(number, (_, rows))| Trial { number, rows }).collect()
}

/// Whether two files say the same of every task, byte for byte as far as rows can tell.
fn is_same(table: &Table, before: &[usize], after: &[usize]) -> bool {
    let is_same = |(a, b): (&usize, &usize)| {
        let (a, b) = (&table.rows[*a], &table.rows[*b]);
        (a.start, a.end, a.key(), a.outcome) == (b.start, b.end, b.key(), b.outcome)
            && table.hashes(a) == table.hashes(b)
    };
    before.len() == after.len() && before.iter().zip(after).all(is_same)
}

/// What the memory of a lone file says of other trials.
const EARLIER: &str = " Reflections of earlier trials are taken from the memory in this file. It does not contain the outcomes of those trials.";

fn say_of_files(builder: &mut GroupBuilder<'_>, trials: &[Trial]) {
    let table = builder.table;
    if let [only] = trials
        && let Some(&row) = only.rows.first()
    {
        builder.find_in_file(
            row,
            Finding::new(
                "env/single-file",
                Severity::Info,
                format!(
                    "Only the results of trial {} were opened.{}",
                    only.number,
                    if only.number > 0 { EARLIER } else { "" }
                ),
            )
            .hint("Open the whole folder to see every trial."),
        );
    }
    for pair in trials.windows(2) {
        let [before, after] = pair else { continue };
        let Some(&row) = after.rows.first() else { continue };
        if after.number > before.number + 1 {
            builder.find_in_file(
                row,
                Finding::new(
                    "env/trial-gap",
                    Severity::Warning,
                    missing(before.number + 1, after.number - 1, after.number),
                ),
            );
        }
        if before.rows.len() != after.rows.len() {
            builder.find_in_file(
                row,
                Finding::new(
                    "env/name-position",
                    Severity::Warning,
                    format!(
                        "Trial {} has {}, but trial {} has {}.",
                        before.number,
                        counted(before.rows.len(), "task"),
                        after.number,
                        counted(after.rows.len(), "task")
                    ),
                ),
            );
        }
        if is_same(table, &before.rows, &after.rows) {
            builder.find_in_file(
                row,
                Finding::new(
                    "env/identical",
                    Severity::Info,
                    format!(
                        "Trials {} and {} have the same content for every task.",
                        before.number, after.number
                    ),
                ),
            );
        }
    }
    for trial in trials {
        let misplaced = trial.rows.iter().copied().find(|&r| {
            let row = &table.rows[r];
            table
                .key(row)
                .and_then(|k| k.strip_prefix("env_"))
                .is_some_and(|n| n.parse() != Ok(row.index))
        });
        if let Some(row) = misplaced {
            let name = table.key(&table.rows[row]).unwrap_or_default().to_owned();
            let index = table.rows[row].index;
            builder.find_in_file(
                row,
                Finding::new(
                    "env/name-position",
                    Severity::Warning,
                    format!(
                        "The task has the name {name}, but its position in the file, counted from 0, is {index}."
                    ),
                )
                .hint("Tasks are identified by their names."),
            );
        }
    }
}

/// How often memory did not grow as it should, by file.
#[derive(Default)]
struct Growth {
    attempted: BTreeMap<usize, u32>,
    /// Rows, and how many entries their memory should have.
    unexpected: BTreeMap<usize, Vec<(usize, usize)>>,
}

impl Growth {
    /// For each trial: one warning if it concerns more than a tenth of the attempted tasks, else an info
    /// for each task.
    fn say(self, builder: &mut GroupBuilder<'_>, trials: &[Trial]) {
        for (file, rows) in self.unexpected {
            let (Some(trial), Some(&(first, _))) = (trials.get(file), rows.first()) else {
                continue;
            };
            let attempted = self.attempted.get(&file).copied().unwrap_or(0);
            let is_many = rows.len() * 10 > attempted as usize;
            let number = trial.number;
            if is_many {
                let these = if rows.len() == 1 { "this task was" } else { "these tasks were" };
                let tasks = counted(attempted as usize, "attempted task");
                builder.find_in_file(
                    first,
                    Finding::new(
                        "env/memory-growth",
                        Severity::Warning,
                        format!("In trial {number}, the memory of {} of {tasks} did not grow by one entry per trial, although {these} not solved.", rows.len()),
                    )
                    .hint("Each trial should add one entry for each task that it does not solve: later trials learn from it. Check the settings of the run."),
                );
                continue;
            }
            for (row, expected) in rows {
                let found = builder.table.hashes(&builder.table.rows[row]).len();
                let run = builder.out.run_of.get(row).copied().flatten();
                let mut finding = Finding::new(
                    "env/memory-growth",
                    Severity::Info,
                    format!(
                        "The task was not solved in trial {number}. The number of entries in its memory should be {expected}, but it is {found}."
                    ),
                );
                finding.run = run;
                finding.iteration = Some(number);
                builder.find(row, finding);
            }
        }
    }
}

/// The attempts of one task, and what it remembers from trials that are not open.
fn attempts(
    builder: &mut GroupBuilder<'_>,
    trials: &[Trial],
    seen: &[Seen],
    growth: &mut Growth,
) -> (Vec<Attempt>, Vec<ReflectionRef>) {
    let table = builder.table;
    let id = builder.next_run();
    let mut attempts: Vec<Attempt> = Vec::new();
    let mut earlier = Vec::new();
    let mut before: Option<Seen> = None;
    for now in seen {
        let row = &table.rows[now.row];
        let number = trials.get(now.file).map_or(0, |t| t.number);
        let solved = row.outcome == Outcome::Success;
        let entries = table.hashes(row);
        let record = RecordId::at(now.row);
        let warning = |rule, message: String| {
            Finding::new(rule, Severity::Warning, message).of_run(id, Some(number))
        };
        let last = before.and_then(|before: Seen| trials.get(before.file)).map(|t| t.number);
        let prior = last.unwrap_or(0);
        let trials_since = last.map_or(1, |last| number.saturating_sub(last));
        let trials_since = usize::try_from(trials_since).unwrap_or(usize::MAX);
        let (was_solved, known) = match before {
            Some(before) => {
                let past = &table.rows[before.row];
                let known = table.hashes(past);
                let was_solved = past.outcome == Outcome::Success;
                if !entries.starts_with(known) {
                    builder.find(
                        now.row,
                        warning(
                            "env/memory-not-prefix",
                            format!("The memory does not start with the memory of trial {prior}."),
                        ),
                    );
                }
                if was_solved && !solved {
                    builder.find(
                        now.row,
                        warning(
                            "env/success-regressed",
                            format!(
                                "The task was solved in trial {prior}, but not in trial {number}."
                            ),
                        ),
                    );
                }
                // It may grow in trials before the one that solves the task, whose files are missing.
                let unsolved = if was_solved { 0 } else { trials_since.saturating_sub(1) };
                if solved && entries.len() > known.len().saturating_add(unsolved) {
                    builder.find(
                        now.row,
                        warning(
                            "env/solved-grew",
                            "The memory grew in the trial that solved the task, or after it."
                                .to_owned(),
                        ),
                    );
                }
                (was_solved, known.len())
            }
            // The first file that is open: entries before its own are from trials that are not open.
            None if number > 0 => {
                let own = usize::from(!solved && !entries.is_empty());
                (false, entries.len() - own)
            }
            None => (false, 0),
        };
        if before.is_none() {
            earlier = (0..u32::try_from(known).unwrap_or(0))
                .map(|part| ReflectionRef { number: i64::from(part), ordinal: 0, record, part })
                .collect();
        }
        before = Some(*now);
        if was_solved {
            continue;
        }
        *growth.attempted.entry(now.file).or_default() += 1;
        let is_first_known = attempts.is_empty() && number > 0;
        // One new entry is expected for each trial since the last file, whether its file is open or not.
        let expected = known.saturating_add(trials_since);
        if !solved && !is_first_known && entries.len() != expected {
            growth.unexpected.entry(now.file).or_default().push((now.row, expected));
        }
        attempts.push(Attempt {
            reward: Some(f64::from(u8::from(solved))),
            assumed_omega: row.format.assumed_omega(None),
            reflections: (count(known)..count(entries.len())).map(|p| (record, p)).collect(),
            ..Attempt::bare(number, row.outcome, (record, count(known)))
        });
    }
    (attempts, earlier)
}

/// Which trials are not open, and the next one that is.
fn missing(first: i64, last: i64, next: i64) -> String {
    let (trials, their) = if first == last {
        (format!("trial {first}"), "Its")
    } else {
        (format!("trials {first} to {last}"), "Their")
    };
    format!("The results of {trials} are missing. {their} changes are assigned to trial {next}.")
}
