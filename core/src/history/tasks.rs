//! Programming logs to runs: one task, its attempts and what was learned between them.

use super::columns::{Attempt, RunFacts, RunRow, Series, Stored};
use super::group::{Bin, by_key};
use super::told;
use crate::format::programming_log::{Making, Strategy, WHOLE, making_by_content, making_of};
use crate::format::traits::Role;
use crate::model::finding::{Finding, Severity};
use crate::model::id::RecordId;
use crate::model::outcome::Outcome;
use crate::model::reward::{self, Origin, rounded};

/// Groups the rows of one file.
pub(crate) fn group(bin: &mut Bin<'_>, rows: &[usize]) {
    let is_search = |row: &usize| bin.table.rows[*row].format.role() == Role::Search;
    let (searches, chains): (Vec<_>, Vec<_>) = rows.iter().copied().partition(is_search);
    running_accuracy(bin, rows);
    self::chains(bin, &chains);
    self::searches(bin, &searches);
}

/// Rows of tree searches: each tells its run by itself.
fn searches(bin: &mut Bin<'_>, rows: &[usize]) {
    let table = bin.table;
    for (key, rows) in by_key(rows, |i| table.key(&table.rows[i]).unwrap_or_default().to_owned()) {
        let Some((&last, before)) = rows.split_last() else { continue };
        repeated(bin, &key, last, before);
        let id = bin.next_run();
        told::run(bin, key, &table.tellings(&table.rows[last]).iter().collect::<Vec<_>>());
        let Some(run) = bin.out.runs.last().filter(|_| !before.is_empty()) else { continue };
        for at in run.first..run.first + run.len {
            let records = rows.iter().map(|&row| RecordId::at(row)).collect();
            bin.out.columns.merged.insert(at, records);
        }
        for &row in before {
            bin.out.run_of[row] = Some(id);
        }
    }
}

/// `prog/duplicate-task`.
fn repeated(bin: &mut Bin<'_>, key: &str, last: usize, before: &[usize]) {
    let Some(&first) = before.first() else { return };
    let id = bin.next_run();
    let line = bin.table.rows[first].line;
    let message = format!(
        "Task {key} occurs {} times in this file, first in line {line}. The last one is used.",
        before.len() + 1
    );
    bin.find(
        last,
        Finding::new("prog/duplicate-task", Severity::Warning, message)
            .hint("Resumed logs append rows again.")
            .of_run(id, None),
    );
}

/// `prog/acc`: whether the running accuracy can be the share of tasks solved so far. Rows without
/// a verdict may be either.
fn running_accuracy(bin: &mut Bin<'_>, rows: &[usize]) {
    let table = bin.table;
    let (mut solved, mut unknown, mut all) = (0_u32, 0_u32, 0_u32);
    let mut odd: Vec<(usize, f64, u32, u32)> = Vec::new();
    for &row in rows {
        let facts = &table.rows[row];
        let telling = table.tellings(facts).last();
        let last = telling.and_then(|telling| table.told.steps_of(telling).last());
        all += 1;
        match verdict(last.map_or(facts.outcome, |step| step.outcome)) {
            Some(true) => solved += 1,
            Some(false) => {}
            None => unknown += 1,
        }
        let Some(said) = telling.map_or(facts.reward(), |telling| telling.accuracy) else {
            continue;
        };
        let share = |count: u32| (f64::from(count) / f64::from(all) * 100.0).round() / 100.0;
        // Both are rounded to two places: a hundredth apart is no difference.
        let is_off = said < share(solved) - 0.010_001 || said > share(solved + unknown) + 0.010_001;
        if is_off {
            odd.push((row, said, solved, all));
        }
    }
    let Some(&(row, said, solved, all)) = odd.first() else { return };
    let message = format!(
        "In {} of {} rows `acc` is not the share of tasks solved so far. First here: it is {said}, but {solved} of {all} are solved.",
        odd.len(),
        rows.len()
    );
    bin.find_in_file(
        row,
        Finding::new("prog/acc", Severity::Info, message)
            .hint("`acc` does not show which task was solved. `is_solved` is used."),
    );
}

/// Rows of everything but tree searches.
fn chains(bin: &mut Bin<'_>, rows: &[usize]) {
    let table = bin.table;
    let counts: Vec<_> = rows
        .iter()
        .map(|&i| (table.rows[i].reflections.len(), verdict(table.rows[i].outcome)))
        .collect();
    let making = making_of(bin.label).unwrap_or_else(|| making_by_content(&counts));
    say_of_file(bin, rows, &counts, &making);
    for (key, rows) in by_key(rows, |i| table.key(&table.rows[i]).unwrap_or_default().to_owned()) {
        let Some((&last, before)) = rows.split_last() else { continue };
        repeated(bin, &key, last, before);
        let attempts = attempts(bin, last, &making, &rows);
        let has_reward = attempts.iter().any(|a| a.reward.is_some());
        let has_feedback = table.shares(&table.rows[last]).iter().any(Option::is_some);
        let rule = if has_feedback { "reward/derive-feedback" } else { "reward/derive-verdict" };
        let (first, len) = bin.out.columns.append(attempts);
        let run = RunRow {
            group: bin.group,
            key,
            task: None,
            format: table.rows[last].format,
            base: 0,
            base_provenance: "declared",
            series: if has_reward {
                Series { origin: Origin::Derived, rule: Some(rule) }
            } else {
                Series { origin: Origin::None, rule: None }
            },
            earlier: Vec::new(),
            tellings: Vec::new(),
            facts: RunFacts::default(),
            first,
            len,
        };
        bin.run(run, &rows);
    }
}

fn verdict(outcome: Outcome) -> Option<bool> {
    match outcome {
        Outcome::Success => Some(true),
        Outcome::Failure => Some(false),
        Outcome::Partial
        | Outcome::Running
        | Outcome::Aborted
        | Outcome::Void
        | Outcome::Unknown => None,
    }
}

fn attempts(bin: &Bin<'_>, row: usize, making: &Making, merged: &[usize]) -> Vec<Attempt> {
    let facts = &bin.table.rows[row];
    let shares = bin.table.shares(facts);
    let reflections = facts.reflections.len();
    let has_passes = making.pass_at.is_some_and(|k| k > 1);
    let is_chain = !has_passes
        && match making.strategy {
            Strategy::Reflexion | Strategy::ImmediateReflexion => true,
            // Feedback stands once for each attempt.
            Strategy::Unknown => !shares.is_empty() && shares.len() == reflections as usize + 1,
            Strategy::Simple | Strategy::ImmediateRefinement | Strategy::ReflexionUcs => false,
        };
    let record = RecordId::at(row);
    let attempt = |part: u32, outcome, detail, reward, reflections| Attempt {
        number: i64::from(if part == WHOLE { 0 } else { part }),
        outcome,
        detail,
        time_ms: None,
        reward,
        errors: None,
        omega: None,
        assumed_omega: Some(1),
        stored: Stored::default(),
        record,
        part,
        merged: merged.iter().map(|&i| RecordId::at(i)).collect(),
        joined: Vec::new(),
        reflections,
    };
    let solved = verdict(facts.outcome).map(|s| f64::from(u8::from(s)));
    if !is_chain {
        let detail = match making.strategy {
            Strategy::ReflexionUcs => Some("search"),
            Strategy::ImmediateRefinement => Some("attempts-unknown"),
            _ => (reflections > 0).then_some("attempts-unknown"),
        };
        let all = (0..reflections).map(|part| (record, part)).collect();
        let part = if reflections > 0 { WHOLE } else { 0 };
        return vec![attempt(part, facts.outcome, detail, solved, all)];
    }
    let never = making.strategy == Strategy::Reflexion
        && reflections > 0
        && making.max_iterations == Some(reflections + 1);
    (0..=reflections)
        .map(|part| {
            let share = shares.get(part as usize).copied().flatten().map(rounded);
            if part < reflections {
                let (outcome, detail) = if making.strategy == Strategy::ImmediateReflexion {
                    (Outcome::Unknown, None)
                } else {
                    (Outcome::Failure, Some("internal-tests"))
                };
                attempt(part, outcome, detail, share, vec![(record, part)])
            } else {
                let detail = never.then_some("internal-tests-never-passed");
                let reward = if shares.is_empty() { solved } else { share };
                attempt(part, facts.outcome, detail, reward, Vec::new())
            }
        })
        .collect()
}

/// What is odd about the file as a whole.
fn say_of_file(bin: &mut Bin<'_>, rows: &[usize], counts: &[(u32, Option<bool>)], making: &Making) {
    let Some(&first) = rows.first() else { return };
    if making.strategy == Strategy::Reflexion {
        lengths(bin, rows);
    }
    let solved = counts.iter().filter(|c| c.1 == Some(true)).count();
    if making.strategy == Strategy::ReflexionUcs && solved > 0 {
        bin.find_in_file(
            first,
            Finding::new(
                "prog/ucs-solution",
                Severity::Info,
                "`solution` is the first attempt of each search, even if another branch solved the task. The displayed code may fail.",
            ),
        );
    }
    if rows.len() >= 20 && solved == rows.len() {
        bin.find_in_file(
            first,
            Finding::new(
                "prog/all-solved",
                Severity::Info,
                format!("All {solved} tasks are solved; the evaluator may be broken."),
            ),
        );
    }
    let has_passes = making.pass_at.is_some_and(|k| k > 1);
    if let (Strategy::Reflexion, Some(limit), false) =
        (making.strategy, making.max_iterations, has_passes)
    {
        let never = limit.saturating_sub(1);
        let late = counts.iter().filter(|c| c.0 == never && c.1 == Some(true)).count();
        if never > 0 && late > 0 {
            let noun = if late == 1 { "task" } else { "tasks" };
            let assumed = if making.is_assumed {
                " The strategy reflexion was inferred from the content."
            } else {
                ""
            };
            bin.find_in_file(
                first,
                Finding::new(
                    "prog/last-bin",
                    Severity::Info,
                    format!("{late} solved {noun} used all {never} reflections: the internal tests never passed, but the hidden tests did.{assumed}"),
                )
                .hint("They may have been solved before the last attempt."),
            );
        }
    }
}

/// `prog/feedback-length`: one text more than reflections, wherever there are any.
fn lengths(bin: &mut Bin<'_>, rows: &[usize]) {
    for &row in rows {
        let facts = &bin.table.rows[row];
        let attempts = facts.reflections.len().saturating_add(1);
        let texts = reward::count(bin.table.shares(facts).len());
        let lists = [
            ("implementations", facts.more().implementations),
            ("test_feedback", (texts > 0).then_some(texts)),
        ];
        let odd = lists
            .into_iter()
            .find_map(|(name, len)| Some((name, len.filter(|len| *len != attempts)?)));
        if let Some((name, len)) = odd {
            let message =
                format!("`{name}` has {len} entries, but there are {} reflections.", attempts - 1);
            bin.find(
                row,
                Finding::new("prog/feedback-length", Severity::Warning, message)
                    .hint("The strategy of the file writes one entry more than reflections.")
                    .contrast(format!("{attempts} entries"), format!("{len} entries"))
                    .pointer(format!("/{name}")),
            );
        }
    }
}
