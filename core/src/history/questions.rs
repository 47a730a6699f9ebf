//! Trials of question answering to runs.
//!
//! A record lists the reflections that could be seen during its trial. What it lists beyond the
//! record of the trial before was written because of that trial, and belongs to its attempt. A
//! question that was answered before is repeated in every trial: carried, no attempt.

use crate::sort::StableSort as _;
use std::collections::{BTreeMap, BTreeSet};

use super::columns::{Attempt, RunRow, Series};
use super::grouping::{GroupBuilder, by_key};
use super::loops::unplaced;
use super::parsed_rows::ParsedStepRow;
use super::paths::stem_of;
use crate::format::lines::leading_number;
use crate::format::qa_trials::LISTED;
use crate::model::finding::{Finding, Severity};
use crate::model::id::RecordId;
use crate::model::outcome::Outcome;
use crate::model::reward::Origin;
use crate::model::view::{BaseProvenance, ReflectionRef};
use crate::text::counted;

/// One question in one trial.
struct Asked<'a> {
    number: i64,
    row: usize,
    attempt: &'a ParsedStepRow,
    /// First part of the list, and a hash of each text in it.
    first_part: u32,
    listed: &'a [u64],
}

/// How the list of one trial follows from that of the trial before.
#[derive(Debug, Default, PartialEq, Eq)]
struct Growth {
    /// Positions in the new list of what was written in between.
    new: Vec<usize>,
    /// How many entries stand in both lists, with another text in the later one.
    edited: usize,
    /// The list changed in another way than by edits and one new entry at its end, or one entry that takes
    /// the place of the only other.
    is_unexpected: bool,
}

/// Groups the records of one file.
pub(crate) fn group(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    let table = builder.table;
    let Some(&first) = rows.first() else { return };
    let key = |row: usize| table.key(&table.rows[row]).unwrap_or_default().to_owned();
    let questions: Vec<_> =
        by_key(rows, key).into_iter().map(|(key, rows)| (key, asked(builder, &rows))).collect();
    let numbers: BTreeSet<i64> =
        questions.iter().flat_map(|(_, asked)| asked.iter().map(|a| a.number)).collect();
    promised(builder, first, &numbers);
    let keeps_one = keeps_one(questions.iter().flat_map(|(_, asked)| asked.windows(2)));
    let mut vanished = Vanished::default();
    for (key, asked) in questions {
        vanished.look(&asked, &numbers);
        let rows: Vec<usize> = asked.iter().map(|a| a.row).collect();
        let asked = once_a_trial(builder, asked);
        run(builder, key, &asked, keeps_one, &rows);
    }
    vanished.say(builder);
}

/// The records of one question, by trial. Trials are numbered from 1; a file without headers is one. Where
/// other records have a trial, one without a number belongs to none.
fn asked<'a>(builder: &mut GroupBuilder<'a>, rows: &[usize]) -> Vec<Asked<'a>> {
    let table = builder.table;
    let number = |row: usize| {
        let parsed_run = table.parsed_runs(&table.rows[row]).first()?;
        table.parsed.steps_of(parsed_run).first()?.number
    };
    let has_numbers = rows.iter().any(|&row| number(row).is_some());
    let (rows, unnumbered): (Vec<usize>, Vec<usize>) =
        rows.iter().partition(|&&row| !has_numbers || number(row).is_some());
    for row in unnumbered {
        unplaced(builder, row);
    }
    let mut asked: Vec<Asked<'a>> = rows
        .iter()
        .filter_map(|&row| {
            let facts = &table.rows[row];
            let steps = table.parsed.steps_of(table.parsed_runs(facts).first()?);
            let attempt = steps.first()?;
            let (first_part, len) = steps.get(LISTED).map_or((0, 0), |s| (s.part, s.reflections));
            let start = first_part as usize;
            let listed = table.hashes(facts).get(start..start + len as usize).unwrap_or_default();
            Some(Asked { number: attempt.number.unwrap_or(1), row, attempt, first_part, listed })
        })
        .collect();
    asked.stable_sort_by_key(|a| a.number);
    asked
}

/// `qa/duplicate-question`: the later record counts.
fn once_a_trial<'a>(builder: &mut GroupBuilder<'_>, asked: Vec<Asked<'a>>) -> Vec<Asked<'a>> {
    let id = builder.next_run();
    let mut once: Vec<Asked<'a>> = Vec::new();
    for now in asked {
        if once.last().is_some_and(|last| last.number == now.number)
            && let Some(last) = once.pop()
        {
            let line = builder.table.rows[last.row].line;
            builder.find(
                now.row,
                Finding::new(
                    "qa/duplicate-question",
                    Severity::Warning,
                    format!("Trial {} lists the question twice, first in line {line}. This one is used.", now.number),
                )
                .of_run(id, Some(now.number)),
            );
        }
        once.push(now);
    }
    once
}

/// Whether prompts show the last reflection only, so that a list of one is replaced by another list of one:
/// more often than a list grows.
fn keeps_one<'a>(pairs: impl Iterator<Item = &'a [Asked<'a>]>) -> bool {
    let (mut replaced, mut grown) = (0_usize, 0_usize);
    for pair in pairs {
        let [before, now] = pair else { continue };
        match (before.listed, now.listed) {
            ([before], [now]) => replaced += usize::from(before != now),
            ([], _) => {}
            (before, now) => grown += usize::from(before != now && now.starts_with(before)),
        }
    }
    replaced > grown
}

fn growth(before: &[u64], now: &[u64], keeps_one: bool) -> Growth {
    if let Some(more) = now.strip_prefix(before) {
        let new = (before.len()..now.len()).collect();
        return Growth { new, is_unexpected: more.len() > 1, ..Growth::default() };
    }
    let has_common = before.iter().any(|hash| now.contains(hash));
    let is_one = before.len() == 1 && now.len() <= 2;
    if keeps_one || !(has_common || is_one) {
        let new: Vec<_> =
            (0..now.len()).filter(|at| now.get(*at).is_some_and(|h| !before.contains(h))).collect();
        let is_unexpected = !(keeps_one && before.len() == 1 && now.len() == 1);
        return Growth { new, is_unexpected, ..Growth::default() };
    }
    // Between unchanged entries, new texts are edits of the entries that are gone.
    let mut growth = Growth::default();
    let mut open: Vec<usize> = Vec::new();
    let mut rest = before;
    for (at, hash) in now.iter().enumerate() {
        if let Some(gone) = rest.iter().position(|known| known == hash) {
            growth.close(&mut open, gone);
            rest = rest.get(gone + 1..).unwrap_or_default();
        } else {
            open.push(at);
        }
    }
    growth.close(&mut open, rest.len());
    let at_end: &[usize] = &[now.len().saturating_sub(1)];
    growth.is_unexpected |= !(growth.new.is_empty() || growth.new == at_end);
    growth
}

impl Growth {
    /// Counts entries in the place of others that are gone as edits, and the rest of them as new.
    fn close(&mut self, open: &mut Vec<usize>, gone: usize) {
        self.edited += open.len().min(gone);
        self.is_unexpected |= gone > open.len();
        self.new.extend(open.drain(..).skip(gone));
    }
}

fn run(
    builder: &mut GroupBuilder<'_>,
    key: String,
    asked: &[Asked<'_>],
    keeps_one: bool,
    rows: &[usize],
) {
    let omega = keeps_one.then_some(1);
    let Some(first) = asked.first() else { return };
    let table = builder.table;
    let id = builder.next_run();
    let mut attempts: Vec<Attempt> = Vec::new();
    let mut is_solved = false;
    for (at, now) in asked.iter().enumerate() {
        if let Some(before) = at.checked_sub(1).and_then(|at| asked.get(at)) {
            let growth = growth(before.listed, now.listed, keeps_one);
            if growth.is_unexpected {
                builder.find(now.row, shift(before, now).of_run(id, Some(now.number)));
            }
            if growth.edited > 0 {
                let finding = edited(growth.edited, before, now);
                builder.find(now.row, finding.of_run(id, Some(now.number)));
            }
            if let Some(writer) = attempts.last_mut() {
                let part = |at: usize| now.first_part + u32::try_from(at).unwrap_or(0);
                let record = RecordId::at(now.row);
                writer.reflections.extend(growth.new.iter().map(|&at| (record, part(at))));
            }
        }
        let outcome = now.attempt.outcome;
        // A success after a success only repeats it. Any other outcome is an attempt of its own.
        if is_solved && outcome == Outcome::Success {
            continue;
        }
        is_solved |= outcome == Outcome::Success;
        attempts.push(attempt(now, omega));
    }
    // What the first open trial lists was written in earlier trials, which are not open.
    let earlier = (0..first.listed.len()).filter_map(|at| {
        let age = i64::try_from(first.listed.len() - at).ok()?;
        Some(ReflectionRef {
            number: first.number.saturating_sub(age),
            ordinal: 0,
            record: RecordId::at(first.row),
            part: first.first_part + u32::try_from(at).ok()?,
        })
    });
    let (first_column, len) = builder.out.columns.append(attempts);
    let run = RunRow {
        group: builder.group,
        key,
        task: table.rows[first.row].task(),
        format: table.rows[first.row].format,
        base: 1,
        base_provenance: BaseProvenance::Declared,
        series: Series { origin: Origin::Derived, rule: Some("reward/derive-verdict") },
        earlier: earlier.collect(),
        parsed_runs: Vec::new(),
        facts: None,
        first: first_column,
        len,
    };
    builder.run(run, rows);
}

fn attempt(asked: &Asked<'_>, omega: Option<u8>) -> Attempt {
    let step = asked.attempt;
    Attempt {
        detail: step.detail,
        reward: step.reward.map(|r| r.value),
        assumed_omega: omega,
        ..Attempt::bare(asked.number, step.outcome, (RecordId::at(asked.row), step.part))
    }
}

fn shift(before: &Asked<'_>, now: &Asked<'_>) -> Finding {
    Finding::new(
        "qa/reflection-shift",
        Severity::Warning,
        format!(
            "Trial {} lists {} reflections and trial {} lists {}. Expected the same list, or the same list with one more reflection at its end.",
            before.number,
            before.listed.len(),
            now.number,
            now.listed.len()
        ),
    )
    .hint("New reflections are assigned to the trial before.")
}

fn edited(count: usize, before: &Asked<'_>, now: &Asked<'_>) -> Finding {
    let was = if count == 1 { "was" } else { "were" };
    let message = format!(
        "{} of trial {} {was} edited before trial {}.",
        counted(count, "reflection"),
        before.number,
        now.number
    );
    Finding::new("qa/reflection-edited", Severity::Info, message)
        .hint("An edited reflection counts once, with its first text.")
}

/// Questions that a trial does not list although an earlier one does.
#[derive(Default)]
struct Vanished {
    /// For each trial: a record of each question that it lacks.
    missing: BTreeMap<i64, Vec<usize>>,
    /// Questions that were listed before each trial.
    known: BTreeMap<i64, usize>,
}

impl Vanished {
    fn look(&mut self, asked: &[Asked<'_>], numbers: &BTreeSet<i64>) {
        let Some(first) = asked.first() else { return };
        for &number in numbers.range(first.number..).skip(1) {
            *self.known.entry(number).or_default() += 1;
            let before = asked.iter().rfind(|a| a.number < number).unwrap_or(first);
            if asked.iter().all(|a| a.number != number) {
                self.missing.entry(number).or_default().push(before.row);
            }
        }
    }

    /// One finding for each missing question. A trial that lacks several questions, and more than a tenth
    /// of those that were known before, gets a single finding instead.
    fn say(self, builder: &mut GroupBuilder<'_>) {
        for (number, rows) in self.missing {
            let known = self.known.get(&number).copied().unwrap_or(0);
            let new = |message: String| Finding::new("qa/vanished", Severity::Warning, message);
            if rows.len() > 1 && rows.len() * 10 > known {
                let message = format!(
                    "Trial {number} does not list {} of {known} questions of earlier trials.",
                    rows.len()
                );
                if let Some(&row) = rows.first() {
                    let finding = new(message).hint("The file may be incomplete.");
                    builder.find_in_file(row, finding);
                }
                continue;
            }
            for row in rows {
                let mut finding = new(format!(
                    "Trial {number} does not list the question, but earlier trials do."
                ));
                finding.run = builder.out.run_of.get(row).copied().flatten();
                finding.iteration = Some(number);
                builder.find(row, finding);
            }
        }
    }
}

/// `qa/trials-name`: the name promises another number of trials.
fn promised(builder: &mut GroupBuilder<'_>, row: usize, numbers: &BTreeSet<i64>) {
    let stem = stem_of(builder.path(row));
    let before = stem.split("_trials").next().filter(|before| before.len() < stem.len());
    let digits = |text: &str| text.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    let promised = before.and_then(|text| leading_number(text.get(digits(text)..)?));
    let Some((promised, _)) = promised else { return };
    if i64::try_from(numbers.len()) != Ok(promised) {
        let message = format!(
            "The file name states {promised} trials, but the file contains {}.",
            numbers.len()
        );
        builder.find_in_file(row, Finding::new("qa/trials-name", Severity::Info, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(before: &[u64], now: &[u64]) -> (Vec<usize>, usize, bool) {
        let Growth { new, edited, is_unexpected } = growth(before, now, false);
        (new, edited, is_unexpected)
    }

    #[test]
    fn what_is_new_was_written_in_between() {
        assert_eq!(new(&[], &[]), (vec![], 0, false));
        assert_eq!(new(&[7], &[7, 8]), (vec![1], 0, false));
        assert_eq!(new(&[], &[7, 8]), (vec![0, 1], 0, true));
        assert_eq!(new(&[7, 8], &[7, 9, 8]), (vec![1], 0, true));
        assert_eq!(new(&[7, 8], &[7]), (vec![], 0, true));
        assert_eq!(new(&[7, 8], &[8, 9]), (vec![1], 0, true), "the oldest is gone");
        let last = |before: &[u64], now: &[u64]| {
            let Growth { new, edited, is_unexpected } = growth(before, now, true);
            (new, edited, is_unexpected)
        };
        assert_eq!(last(&[7], &[8]), (vec![0], 0, false), "only the last one is shown");
        assert_eq!(last(&[7], &[8, 9]), (vec![0, 1], 0, true));
    }

    #[test]
    fn an_edited_entry_is_the_same_reflection() {
        assert_eq!(new(&[7], &[8]), (vec![], 1, false));
        assert_eq!(new(&[7], &[6, 8]), (vec![1], 1, false));
        assert_eq!(new(&[7, 8], &[6, 8, 9]), (vec![2], 1, false));
        assert_eq!(new(&[7, 8], &[7, 6, 9]), (vec![2], 1, false));
        assert_eq!(new(&[7, 8, 9], &[6, 8, 5, 4]), (vec![3], 2, false));
        assert_eq!(
            new(&[7, 8], &[5, 6]),
            (vec![0, 1], 0, true),
            "nothing shows that they are edits"
        );
    }
}
