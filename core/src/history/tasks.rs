//! Programming logs to runs: one task, its attempts and what was learned between them.

use crate::model::view::BaseProvenance;
use std::collections::BTreeMap;

use super::accuracy::{self, AccuracyRow, Verdicts};
use super::columns::{Attempt, RunRow, Series};
use super::grouping::{GroupBuilder, by_key};
use super::single_file;
use crate::format::programming_log::{Making, Strategy, WHOLE, making_of};
use crate::format::tree_search_log::PLACEHOLDER;
use crate::model::finding::{Finding, Severity};
use crate::model::id::RecordId;
use crate::model::outcome::Outcome;
use crate::model::reward::{self, Origin, rounded};
use crate::text::{counted, whole};

/// Groups the rows of one file.
pub(crate) fn group(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    let table = builder.table;
    // So does one that an export has by its fields.
    let is_search = |row: &usize| {
        let facts = &table.rows[*row];
        facts.format.is_search() || !table.parsed_runs(facts).is_empty()
    };
    let (searches, chains): (Vec<_>, Vec<_>) = rows.iter().copied().partition(is_search);
    let derived = running_accuracy(builder, rows);
    placeholders(builder, &searches);
    self::chains(builder, &chains);
    self::searches(builder, &searches, &derived);
}

/// Rows of tree searches: each describes its run by itself.
fn searches(builder: &mut GroupBuilder<'_>, rows: &[usize], derived: &BTreeMap<usize, bool>) {
    let table = builder.table;
    for (key, rows) in by_key(rows, |i| table.key(&table.rows[i]).unwrap_or_default().to_owned()) {
        let Some((&last, before)) = rows.split_last() else { continue };
        repeated(builder, &key, last, before);
        let id = builder.next_run();
        single_file::run(
            builder,
            key,
            &table.parsed_runs(&table.rows[last]).iter().collect::<Vec<_>>(),
        );
        let Some(run) = builder.out.runs.last() else { continue };
        if !table.rows[last].format.is_search() {
            // Such a log says nothing of errors, whatever the outcome.
            builder.out.columns.errors[run.first..run.first + run.len].fill(f64::NAN);
        }
        let outcomes = &mut builder.out.columns.outcomes[run.first..run.first + run.len];
        if let Some(outcome) = outcomes.last_mut().filter(|one| **one == Outcome::Unknown) {
            let derived = derived.get(&last).map(|&solved| Outcome::of_verdict(solved));
            let row = &table.rows[last];
            // An export may hold some rows only. It says what followed from all of them.
            *outcome = if row.had_others { row.outcome } else { derived.unwrap_or(*outcome) };
        }
        if before.is_empty() {
            continue;
        }
        for at in run.first..run.first + run.len {
            let records = rows.iter().map(|&row| RecordId::at(row)).collect();
            builder.out.columns.merged.insert(at, records);
        }
        for &row in before {
            builder.out.run_of[row] = Some(id);
        }
    }
}

/// `prog/placeholder`.
fn placeholders(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    let has_it = |row: &usize| {
        let mut parsed_runs = builder.table.parsed_runs(&builder.table.rows[*row]).iter();
        parsed_runs.any(|run| run.has_placeholder)
    };
    let mut with = rows.iter().copied().filter(has_it);
    let Some(first) = with.next() else { return };
    let message = format!(
        "In {}, the list of reflections contains the text `{PLACEHOLDER}`. The program of the search adds it; no model wrote it.",
        counted(with.count() + 1, "row")
    );
    builder.find_in_file(
        first,
        Finding::new("prog/placeholder", Severity::Info, message)
            .hint("It does not count as a reflection."),
    );
}

/// `prog/duplicate-task`.
fn repeated(builder: &mut GroupBuilder<'_>, key: &str, last: usize, before: &[usize]) {
    let Some(&first) = before.first() else { return };
    let id = builder.next_run();
    let line = builder.table.rows[first].line;
    let message = format!(
        "Task {key} occurs {} times in this file, first in line {line}. The last one is used.",
        before.len() + 1
    );
    builder.find(
        last,
        Finding::new("prog/duplicate-task", Severity::Warning, message)
            .hint("Resumed logs append rows again.")
            .of_run(id, None),
    );
}

/// `prog/acc`: what the running accuracy says of rows that have no verdict, and whether it can be the
/// share of tasks solved so far. Gives whether each row's task was solved, where only that says it.
fn running_accuracy(builder: &mut GroupBuilder<'_>, rows: &[usize]) -> BTreeMap<usize, bool> {
    let table = builder.table;
    let said = |&row: &usize| {
        let facts = &table.rows[row];
        let parsed_run = table.parsed_runs(facts).last();
        let last = parsed_run.and_then(|parsed_run| table.parsed.steps_of(parsed_run).last());
        AccuracyRow {
            share: parsed_run.map_or(facts.reward(), |parsed_run| parsed_run.accuracy),
            solved: verdict(last.map_or(facts.outcome, |step| step.outcome)),
        }
    };
    let all: Vec<AccuracyRow> = rows.iter().map(said).collect();
    let Some(first) = all.iter().position(|row| row.share.is_some()) else {
        return BTreeMap::new();
    };
    let Some(Verdicts { solved, restarts }) = accuracy::verdicts(&all) else {
        let message = "`acc` does not follow from the rows as the share of tasks solved so far: rows are missing, or it counts something else.".to_owned();
        let finding = Finding::new("prog/acc", Severity::Info, message);
        builder.find_in_file(rows[first], finding.hint("Verdicts are read from `is_solved` only."));
        return BTreeMap::new();
    };
    let is_derived = |at: &usize| {
        all[*at].solved.is_none() && !table.parsed_runs(&table.rows[rows[*at]]).is_empty()
    };
    let derived: BTreeMap<usize, bool> =
        (0..rows.len()).filter(is_derived).filter_map(|at| Some((rows[at], solved[at]?))).collect();
    let line = |at: usize| table.rows[rows[at]].line;
    let again = match restarts.as_slice() {
        [] => None,
        [at] => Some((*at, format!("in line {}", line(*at)))),
        [at, ..] => {
            Some((*at, format!("{} times, first in line {}", whole(restarts.len()), line(*at))))
        }
    };
    if !derived.is_empty() {
        let solved = derived.values().filter(|solved| **solved).count();
        let message = format!(
            "In {} of {} rows `is_solved` is missing. The verdict follows from `acc`, the share of tasks solved so far: {} solved, {} not solved.",
            whole(derived.len()),
            whole(rows.len()),
            whole(solved),
            whole(derived.len() - solved)
        );
        let row = derived.keys().next().copied().unwrap_or(rows[first]);
        builder.find_in_file(row, Finding::new("prog/acc", Severity::Info, message));
    }
    if let Some((at, places)) = again {
        let message = format!("`acc`, the share of tasks solved so far, begins again {places}.");
        let hint = "The program was started again there, or rows were copied.";
        builder
            .find_in_file(rows[at], Finding::new("prog/acc", Severity::Info, message).hint(hint));
    }
    derived
}

/// Rows of everything but tree searches.
fn chains(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    let table = builder.table;
    let counts: Vec<_> = rows
        .iter()
        .map(|&i| (table.rows[i].reflections.len(), verdict(table.rows[i].outcome)))
        .collect();
    let making = Making::of(builder.label, &counts);
    named_otherwise(builder, rows, &counts);
    say_of_file(builder, rows, &counts, &making);
    for (key, rows) in by_key(rows, |i| table.key(&table.rows[i]).unwrap_or_default().to_owned()) {
        let Some((&last, before)) = rows.split_last() else { continue };
        repeated(builder, &key, last, before);
        let attempts = attempts(builder, last, &making, &rows);
        let has_reward = attempts.iter().any(|a| a.reward.is_some());
        let has_feedback = table.shares(&table.rows[last]).iter().any(Option::is_some);
        let rule = if has_feedback { "reward/derive-feedback" } else { "reward/derive-verdict" };
        let (first, len) = builder.out.columns.append(attempts);
        let run = RunRow {
            group: builder.group,
            key,
            task: None,
            format: table.rows[last].format,
            base: 0,
            base_provenance: BaseProvenance::Declared,
            series: if has_reward {
                Series { origin: Origin::Derived, rule: Some(rule) }
            } else {
                Series { origin: Origin::None, rule: None }
            },
            earlier: Vec::new(),
            parsed_runs: Vec::new(),
            facts: None,
            first,
            len,
        };
        builder.run(run, &rows);
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

fn attempts(
    builder: &GroupBuilder<'_>,
    row: usize,
    making: &Making,
    merged: &[usize],
) -> Vec<Attempt> {
    let facts = &builder.table.rows[row];
    let shares = builder.table.shares(facts);
    let reflections = facts.reflections.len();
    let has_passes = making.pass_at.is_some_and(|k| k > 1);
    let is_chain = !has_passes
        && match making.strategy {
            Strategy::Reflexion | Strategy::ImmediateReflexion => true,
            // In a chain, each attempt has a feedback text, and each but the last has a reflection. Such rows
            // count, whatever the name of their file says.
            Strategy::Unknown | Strategy::Simple | Strategy::ImmediateRefinement => {
                !shares.is_empty() && shares.len() == reflections as usize + 1
            }
            Strategy::ReflexionUcs => false,
        };
    let record = RecordId::at(row);
    let attempt = |part: u32, outcome, detail, reward, reflections| {
        let number = i64::from(if part == WHOLE { 0 } else { part });
        Attempt {
            detail,
            reward,
            assumed_omega: facts.format.assumed_omega(None),
            merged: merged.iter().map(|&i| RecordId::at(i)).collect(),
            reflections,
            ..Attempt::bare(number, outcome, (record, part))
        }
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
                    (Outcome::Failure, Some("own tests failed"))
                };
                attempt(part, outcome, detail, share, vec![(record, part)])
            } else {
                let detail = never.then_some("own tests unknown");
                let reward = if shares.is_empty() { solved } else { share };
                attempt(part, facts.outcome, detail, reward, Vec::new())
            }
        })
        .collect()
}

/// `prog/name`: the name of the file promises fewer attempts than its rows have.
fn named_otherwise(builder: &mut GroupBuilder<'_>, rows: &[usize], counts: &[(u32, Option<bool>)]) {
    let Some(named) = making_of(builder.label).filter(|named| named.pass_at.is_none_or(|k| k < 2))
    else {
        return;
    };
    let allowed = match named.strategy {
        // They make one attempt, without a reflection.
        Strategy::Simple | Strategy::ImmediateRefinement => 0,
        Strategy::Reflexion | Strategy::ImmediateReflexion => {
            named.max_iterations.unwrap_or(u32::MAX).saturating_sub(1)
        }
        _ => return,
    };
    let longer = rows.iter().zip(counts).filter(|(_, count)| count.0 > allowed);
    let Some((&row, _)) = longer.clone().next() else { return };
    let most = longer.clone().map(|(_, count)| count.0).max().unwrap_or(0);
    let longer = longer.count();
    let message = format!(
        "By its name, the file allows {} for each task, but {} {} more: up to {most}. First here.",
        counted(allowed as usize, "reflection"),
        counted(longer, "task"),
        if longer == 1 { "has" } else { "have" }
    );
    let finding = Finding::new("prog/name", Severity::Info, message)
        .hint("The content is used. The name may be that of another file.");
    builder.find_in_file(row, finding);
}

/// Problems of the file as a whole.
fn say_of_file(
    builder: &mut GroupBuilder<'_>,
    rows: &[usize],
    counts: &[(u32, Option<bool>)],
    making: &Making,
) {
    let Some(&first) = rows.first() else { return };
    if making.strategy == Strategy::Reflexion {
        lengths(builder, rows);
    }
    let solved = counts.iter().filter(|c| c.1 == Some(true)).count();
    if making.strategy == Strategy::ReflexionUcs && solved > 0 {
        builder.find_in_file(
            first,
            Finding::new(
                "prog/ucs-solution",
                Severity::Info,
                "`solution` is the first attempt of each search, even if another branch solved the task. This code may fail.",
            ),
        );
    }
    if rows.len() >= 20 && solved == rows.len() {
        builder.find_in_file(
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
        let late = rows.iter().zip(counts).filter(|(_, c)| **c == (never, Some(true)));
        let first_late = late.clone().next().map(|(row, _)| *row).filter(|_| never > 0);
        if let Some(row) = first_late {
            let late = late.count();
            let their = if late == 1 { "its" } else { "their" };
            let tasks = counted(late, "solved task");
            let all = match never {
                1 => "the only reflection".to_owned(),
                _ => format!("all {never} reflections"),
            };
            let assumed = if making.is_assumed {
                " The strategy reflexion was inferred from the content."
            } else {
                ""
            };
            let first = if late == 1 { "" } else { " First here." };
            builder.find_in_file(
                row,
                Finding::new(
                    "prog/last-bin",
                    Severity::Info,
                    format!("{tasks} used {all}, so {their} internal tests passed at the last attempt or never. The hidden tests passed.{first}{assumed}"),
                )
                .hint("An earlier attempt may already have been correct, and rejected only because its internal tests were wrong."),
            );
        }
    }
}

/// `prog/feedback-length`: one text more than reflections, wherever there are any.
fn lengths(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    for &row in rows {
        let facts = &builder.table.rows[row];
        let attempts = facts.reflections.len().saturating_add(1);
        let texts = reward::count(builder.table.shares(facts).len());
        let lists = [
            ("implementations", builder.table.more(facts).implementations),
            ("test_feedback", (texts > 0).then_some(texts)),
        ];
        let unexpected = lists
            .into_iter()
            .find_map(|(name, len)| Some((name, len.filter(|len| *len != attempts)?)));
        if let Some((name, len)) = unexpected {
            let message =
                format!("`{name}` has {len} entries, but there are {} reflections.", attempts - 1);
            builder.find(
                row,
                Finding::new("prog/feedback-length", Severity::Warning, message)
                    .hint(
                        "The strategy of this file writes one entry more than it has reflections.",
                    )
                    .contrast(format!("{attempts} entries"), format!("{len} entries"))
                    .pointer(format!("/{name}")),
            );
        }
    }
}
