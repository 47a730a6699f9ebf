//! Makes runs of the records of loops. A record may hold one attempt or a whole run, and one folder may
//! hold both kinds.

pub(crate) mod base;
mod claim;
pub(crate) mod path;
pub(crate) mod step;
#[cfg(test)]
mod tests;
mod tree;

use crate::sort::StableSort as _;
use std::collections::{BTreeMap, BTreeSet};

use super::columns::{Attempt, RunFacts, RunRow, Series};
use super::grouping::GroupBuilder;
use super::parsed_rows::{ParsedRunRow, StepReward};
use super::row::Table;
use crate::format::beyond::number_in_path_beyond;
use crate::format::traits::{NumberedBy, Role};
use crate::history::series;
use crate::model::finding::{Finding, Severity};
use crate::model::id::RecordId;
use crate::model::natural::natural;
use crate::model::outcome::Outcome;
use crate::model::reward::Origin;
use crate::text::counted;
use base::base;
use claim::{Claim, Cluster, clusters};
use path::is_alone;
use step::{Merged, Step, choose};

/// Groups the records below one dropped folder.
pub(crate) fn group(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    series::loop_ids(builder, rows);
    let mut copies = Copies::new();
    for cluster in clusters(builder, rows) {
        run(builder, cluster, &mut copies);
    }
    say_copies(builder, copies);
    indexes(builder, rows);
}

/// Compares the statuses in an index of tasks with those in the tasks themselves.
fn indexes(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    let table = builder.table;
    let statuses = |role: Role| {
        let of_role = rows.iter().filter(move |&&row| table.rows[row].format.role() == role);
        of_role
            .flat_map(move |&row| table.parsed_runs(&table.rows[row]))
            .filter_map(move |t| Some((table.texts.text(t.key?), table.texts.text(t.status?))))
    };
    let index: Vec<_> = statuses(Role::TaskIndex).collect();
    let is_index = |&&row: &&usize| table.rows[row].format.role() == Role::TaskIndex;
    let Some(&row) = rows.iter().find(is_index).filter(|_| !index.is_empty()) else { return };
    let tasks: Vec<_> = statuses(Role::Task).collect();
    for finding in tree::index_mismatch(&index, &tasks) {
        builder.find_in_file(row, finding);
    }
}

/// Records of one source that others have, too.
struct Copy {
    row: usize,
    /// The record of another source that is the same as the first of them.
    other: usize,
    count: usize,
    /// Whether more than one other source has some of them.
    is_in_several: bool,
}

/// By source.
type Copies = BTreeMap<u32, Copy>;

fn say_copies(builder: &mut GroupBuilder<'_>, copies: Copies) {
    for Copy { row, other, count, is_in_several } in copies.into_values() {
        let path = builder.path(other).to_owned();
        let others = if is_in_several { " and other files" } else { "" };
        let (are, they_are) = if count == 1 { ("is", "It is") } else { ("are", "They are") };
        let records = counted(count, "record");
        let message = format!(
            "{records} of this file {are} also in {path}{others}. {they_are} counted once."
        );
        builder.find_in_file(row, Finding::new("source/duplicate", Severity::Info, message));
    }
}

/// One run of its claims.
fn run<'a>(builder: &mut GroupBuilder<'a>, cluster: Cluster<'a>, copies: &mut Copies) {
    let table = builder.table;
    let parsed_runs = by_weight(builder, &cluster.claims);
    let mut numbered = numbered(builder, &cluster.claims, &parsed_runs);
    Step::one_scale(&mut numbered);
    let declared = parsed_runs.iter().find_map(|t| t.base);
    let base = base(builder, &numbered, declared);
    let merged = Merged::of(table, &numbered);
    // A run of many iterations holds its steps once.
    drop(numbered);
    for one in &merged {
        for &(other, row) in one.same() {
            let source = |row: usize| table.rows[row].source;
            let none = Copy { row, other, count: 0, is_in_several: false };
            let copy = copies.entry(source(row)).or_insert(none);
            copy.count += 1;
            copy.is_in_several |= source(copy.other) != source(other);
        }
        for &(earlier, later) in one.replaced() {
            series::duplicate(builder, one.number, [earlier, later], series::LATER);
        }
    }
    let series = choose(&merged);
    let (series, versions) = versions(table, &parsed_runs, series);
    let omega = parsed_runs.iter().find_map(|t| t.omega);
    let mut facts = facts(&parsed_runs);
    let mut attempts: Vec<_> = merged.iter().map(|m| m.attempt(table, series, omega)).collect();
    // The parts of an episodic attempt cannot say that it is still running; only its task does.
    let open = attempts.last_mut().filter(|attempt| attempt.outcome == Outcome::Unknown);
    if let (Some(attempt), Some((Outcome::Running, detail))) = (open, facts.outcome)
        && merged.last().is_some_and(Merged::is_begun)
    {
        (attempt.outcome, attempt.detail) = (Outcome::Running, detail);
    }
    add_versions(&mut attempts, versions);
    let id = builder.next_run();
    for one in &merged {
        if let Some(conflict) = one.conflict(series) {
            builder.find(one.lead().row, conflict.of_run(id, Some(one.number)));
        }
    }
    let lead: Vec<usize> = attempts.iter().map(|attempt| attempt.record.index()).collect();
    let (first, len) = builder.out.columns.append(attempts);
    let of_rows = || cluster.claims.iter().find_map(|claim| table.rows[claim.row].task());
    let format = merged.first().map(|m| m.lead().format);
    let format = format.or_else(|| parsed_runs.first().map(|t| table.rows[t.row].format));
    facts.aliases = cluster.aliases;
    let run = RunRow {
        group: builder.group,
        key: cluster.key,
        task: parsed_runs.iter().find_map(|t| t.task).or_else(of_rows),
        format: format.unwrap_or_default(),
        base: base.value,
        base_provenance: base.provenance,
        series,
        earlier: Vec::new(),
        parsed_runs: parsed_runs.iter().map(|t| (RecordId::at(t.row), t.part)).collect(),
        facts: facts.kept(),
        first,
        len,
    };
    series::check(builder, &run, &lead, base);
    attempt_count(builder, &parsed_runs, len);
    let mut rows: Vec<usize> = cluster.claims.iter().map(|claim| claim.row).collect();
    rows.dedup();
    builder.run(run, &rows);
}

/// The versions of a loop's state by their counters. Their rewards are a series if the attempts have no
/// rewards and there are several counters. Of two versions with one counter the newer one counts.
fn versions<'a>(
    table: &Table,
    parsed_runs: &[&'a ParsedRunRow],
    series: Series,
) -> (Series, BTreeMap<i64, &'a ParsedRunRow>) {
    let mut versions = BTreeMap::new();
    let mut of_versions = series;
    if series.origin == Origin::None {
        let is_state = |t: &&&ParsedRunRow| table.rows[t.row].format.role() == Role::State;
        for &state in parsed_runs.iter().filter(is_state) {
            let (Some(counter), Some(reward)) = (state.counter, state.reward) else { continue };
            let own = Series { origin: reward.origin, rule: reward.rule };
            if versions.is_empty() {
                of_versions = own;
            }
            if own == of_versions {
                versions.entry(counter).or_insert(state);
            }
        }
    }
    if versions.len() < 2 { (series, BTreeMap::new()) } else { (of_versions, versions) }
}

/// Gives attempts the rewards that versions of the state have for them, in the columns only: their own records
/// state none, so their details have none. A version that lists no attempts is one itself, if no record has
/// its number.
fn add_versions(attempts: &mut Vec<Attempt>, versions: BTreeMap<i64, &ParsedRunRow>) {
    for (number, version) in versions {
        let reward = version.reward.map(|reward| reward.value);
        let at = attempts.partition_point(|attempt| attempt.number < number);
        match attempts.get_mut(at).filter(|attempt| attempt.number == number) {
            Some(attempt) => attempt.reward = reward,
            None if version.steps.is_empty() => {
                let record = (RecordId::at(version.row), 0);
                let time_ms = version.updated_ms.or(version.end_ms);
                let bare = Attempt::bare(number, Outcome::Unknown, record);
                attempts.insert(at, Attempt { time_ms, reward, ..bare });
            }
            None => {}
        }
    }
}

/// What records say of the run: by rank of their formats, the newest state first.
fn by_weight<'a>(builder: &GroupBuilder<'a>, claims: &[Claim<'a>]) -> Vec<&'a ParsedRunRow> {
    let table = builder.table;
    // An action says nothing of a run but its key.
    let speaks = |t: &&ParsedRunRow| !table.rows[t.row].format.role().is_action();
    let mut parsed_runs: Vec<&ParsedRunRow> =
        claims.iter().filter_map(|claim| claim.parsed_run).filter(speaks).collect();
    let age = |t: &ParsedRunRow| {
        let time = t.end_ms.into_iter().chain(t.updated_ms).fold(f64::NEG_INFINITY, f64::max);
        (t.counter.unwrap_or(i64::MIN), time)
    };
    parsed_runs.stable_sort_by(|a, b| {
        let rank = |t: &ParsedRunRow| table.rows[t.row].format.traits().rank;
        let ((count_a, time_a), (count_b, time_b)) = (age(a), age(b));
        rank(a)
            .cmp(&rank(b))
            .then(count_b.cmp(&count_a))
            .then(time_b.total_cmp(&time_a))
            .then_with(|| natural(builder.path(b.row), builder.path(a.row)))
    });
    parsed_runs
}

/// The facts of a run: of each the first parsed run that has it.
pub(super) fn facts(parsed_runs: &[&ParsedRunRow]) -> RunFacts {
    let reward: Option<StepReward> = parsed_runs.iter().find_map(|t| t.reward);
    RunFacts {
        outcome: parsed_runs.iter().find_map(|t| t.outcome.filter(|o| o.0 != Outcome::Unknown)),
        status: parsed_runs.iter().find_map(|t| t.status),
        start_ms: parsed_runs.iter().find_map(|t| t.start_ms),
        end_ms: parsed_runs.iter().find_map(|t| t.end_ms),
        counter: parsed_runs.iter().find_map(|t| t.counter),
        max_iterations: parsed_runs.iter().find_map(|t| t.max_iterations),
        lessons: parsed_runs.iter().map(|t| t.lessons).max().unwrap_or(0),
        reward: reward.map(|r| (r.value, Series { origin: r.origin, rule: r.rule })),
        aliases: Vec::new(),
    }
}

/// Steps with their numbers, ordered by number, time and source. If no step has a number, positions
/// count. If only some have one, a step without a number gets a finding and is left out.
fn numbered<'a>(
    builder: &mut GroupBuilder<'a>,
    claims: &[Claim<'a>],
    parsed_runs: &[&ParsedRunRow],
) -> Vec<(i64, Step<'a>)> {
    let table = builder.table;
    // The state that counts; the others are snapshots of it.
    let newest = parsed_runs.iter().find(|t| table.rows[t.row].format.role() == Role::State);
    let mut numbered = Vec::with_capacity(claims.len());
    let mut nameless = Vec::new();
    let mut beyond = BTreeSet::new();
    for claim in claims {
        let named = builder.named(claim.row);
        for mut step in Step::of_claim(table, *claim) {
            step.is_old =
                step.format.role() == Role::State && newest.is_some_and(|t| t.row != step.row);
            if let Some(number) = step.number {
                names(builder, &step, number);
            } else {
                let of_file = || named.number.filter(|_| is_alone(table, step.row));
                step.number = named.attempt.or_else(of_file);
                let is_beyond = named.is_attempt_beyond
                    || (named.is_number_beyond && is_alone(table, step.row));
                let source = table.rows[step.row].source;
                if step.number.is_none() && is_beyond && beyond.insert(source) {
                    let path = builder.path(step.row);
                    builder.find_in_file(step.row, number_in_path_beyond(path));
                }
            }
            match step.number {
                Some(number) => numbered.push((number, step)),
                None => nameless.push(step),
            }
        }
    }
    if numbered.is_empty() {
        let base = nameless.first().and_then(|s| s.format.traits().base).unwrap_or(0);
        numbered = (i64::from(base)..).zip(nameless).collect();
    } else {
        for step in &nameless {
            unplaced(builder, step.row);
        }
    }
    let time = |s: &Step<'_>| s.time_ms.unwrap_or(f64::NEG_INFINITY);
    numbered.stable_sort_by(|a, b| a.0.cmp(&b.0).then(time(&a.1).total_cmp(&time(&b.1))));
    numbered
}

/// The number inside a record against the one in its path.
fn names(builder: &mut GroupBuilder<'_>, step: &Step<'_>, number: i64) {
    let named = builder.named(step.row);
    let finding = match step.format.traits().numbered_by {
        NumberedBy::Nothing => None,
        NumberedBy::Folder => tree::number_vs_folder(number, named.attempt),
        NumberedBy::File => named
            .number
            .filter(|named| *named != number && is_alone(builder.table, step.row))
            .map(|named| {
                let message =
                    format!("The file name says iteration {named}, but the content says {number}.");
                Finding::new("iter/number-vs-name", Severity::Warning, message)
                    .contrast(named.to_string(), number.to_string())
                    .hint("The number in the content is used.")
            }),
    };
    if let Some(finding) = finding {
        let id = builder.next_run();
        builder.find(step.row, finding.of_run(id, Some(number)));
    }
}

/// `tree/attempt-count`, where a task or its summary counts its attempts.
fn attempt_count(builder: &mut GroupBuilder<'_>, parsed_runs: &[&ParsedRunRow], found: usize) {
    let id = builder.next_run();
    let table = builder.table;
    let counts = |t: &&&ParsedRunRow| table.rows[t.row].format.role().counts_attempts();
    for parsed_run in parsed_runs.iter().filter(counts) {
        if let Some(finding) = parsed_run.counter.and_then(|n| tree::attempt_count(n, found)) {
            builder.find(parsed_run.row, finding.of_run(id, None));
        }
    }
}

/// A record without a number, where others of its run have one.
pub(super) fn unplaced(builder: &mut GroupBuilder<'_>, row: usize) {
    let id = builder.next_run();
    builder.find(
        row,
        Finding::new(
            "lenient/missing",
            Severity::Warning,
            "The record has no readable iteration number, but other records of its run have one. It does not count as an iteration.",
        )
        .contrast("an iteration number", "no readable number")
        .of_run(id, None),
    );
}
