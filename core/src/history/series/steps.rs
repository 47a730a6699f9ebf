//! What should not change from one record of a run to the next, or be known when it does
//! (docs/spec/rules.md, "Series checks").

use std::fmt::Display;

use crate::format::extracted::Verification;
use crate::history::row::{Row, Table};
use crate::model::finding::{Evidence, Finding, Severity};
use crate::model::id::RecordId;
use crate::model::omega::Policy;
use crate::model::outcome::Outcome;
use crate::text::{counted, norm};
use crate::window::check;

/// One record that counts, with the number of its iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbered<'a> {
    pub(super) number: i64,
    pub(super) outcome: Outcome,
    pub(super) id: RecordId,
    pub(super) row: &'a Row,
}

impl Numbered<'_> {
    pub(super) fn evidence(&self) -> Evidence {
        Evidence { record: self.id, number: self.number }
    }
}

/// Everything of this module, over the records of one run in order; each finding with the
/// position of the record that it stands at.
pub(super) fn check(table: &Table, records: &[Numbered<'_>]) -> Vec<(usize, Finding)> {
    let mut found = Vec::new();
    found.extend(after_success(records));
    found.extend(scale_mixed(table, records));
    found.extend(task_changed(table, records));
    found.extend(windows(table, records));
    for (k, pair) in (1..).zip(records.windows(2)) {
        let [before, now] = pair else { continue };
        // Findings are large, and nearly all pairs have none.
        let mut add = |finding: Option<Finding>| found.extend(finding.map(|finding| (k, finding)));
        add(changed(
            (before, now),
            ("series/omega-changed", "/memory_metadata/omega_capacity"),
            "capacity of the window (Ω)",
            |r| r.omega,
        ));
        add(changed(
            (before, now),
            ("series/policy-changed", "/memory_metadata/window_policy"),
            "policy of the window",
            |r| table.more(r).policy.map(Policy::as_str),
        ));
        let verification = changed(
            (before, now),
            ("series/verification-changed", "/evaluator_output/verification_type"),
            "kind of verification",
            |r| r.verification.map(Verification::as_str),
        );
        add(verification.map(|finding| {
            finding.hint("Rewards of different kinds of verification may not be comparable.")
        }));
        add(total_step(table, before, now));
    }
    found
}

/// A fact that both neighbours state, and state differently.
fn changed<T: PartialEq + Display>(
    (before, now): (&Numbered<'_>, &Numbered<'_>),
    (rule, pointer): (&'static str, &'static str),
    what: &str,
    fact: impl Fn(&Row) -> Option<T>,
) -> Option<Finding> {
    let (was, is) = (fact(before.row)?, fact(now.row)?);
    (was != is).then(|| {
        let (from, to) = (before.number, now.number);
        Finding::new(
            rule,
            Severity::Info,
            format!("The {what} changes from {was} in iteration {from} to {is} in iteration {to}."),
        )
        .pointer(pointer)
        .contrast(was.to_string(), is.to_string())
        .evidence(vec![before.evidence(), now.evidence()])
    })
}

/// `series/after-success`: one finding, at the first iteration after the first success.
fn after_success(records: &[Numbered<'_>]) -> Option<(usize, Finding)> {
    let success = records.iter().position(|r| r.outcome == Outcome::Success)?;
    let (solved, after) = records.get(success..)?.split_first()?;
    let next = after.first()?;
    let message = match after.len() {
        1 => {
            format!("Iteration {} follows the success of iteration {}.", next.number, solved.number)
        }
        n => format!("{n} iterations follow the success of iteration {}.", solved.number),
    };
    let finding = Finding::new("series/after-success", Severity::Info, message)
        .hint("A loop usually ends after a success.")
        .evidence(records[success..].iter().map(Numbered::evidence).collect());
    Some((success + 1, finding))
}

/// `series/scale-mixed`. A reward of 0 fits both scales and speaks for neither.
fn scale_mixed(table: &Table, records: &[Numbered<'_>]) -> Option<(usize, Finding)> {
    let is_percent = |r: &&Numbered<'_>| table.more(r.row).is_percent;
    let is_above_0 = |r: &&Numbered<'_>| r.row.reward().is_some_and(|reward| reward > 0.0);
    let percent = records.iter().position(|r| is_percent(&r))?;
    let percents = records.iter().filter(is_percent).count();
    let mut units = records.iter().filter(|r| is_above_0(r) && !is_percent(r));
    let unit = units.next()?;
    let finding = Finding::new(
        "series/scale-mixed",
        Severity::Warning,
        format!(
            "The rewards of the run are on two scales: {} from 0 to 100, and {} from 0 to 1. Rewards of 0 are not counted.",
            counted(percents, "reward"),
            counted(1 + units.count(), "reward")
        ),
    )
    .pointer("/evaluator_output/reward_signal")
    .contrast("one scale for all rewards of a run", "0 to 1 and 0 to 100")
    .hint("Write every reward between 0 and 1.")
    .evidence(vec![unit.evidence(), records[percent].evidence()]);
    Some((percent, finding))
}

/// `series/task-changed`, against the last record that names a task.
fn task_changed(table: &Table, records: &[Numbered<'_>]) -> Vec<(usize, Finding)> {
    let mut found = Vec::new();
    let mut last: Option<(&Numbered<'_>, u32)> = None;
    for (k, now) in records.iter().enumerate() {
        let Some(task) = now.row.task() else { continue };
        if let Some((before, was)) = last
            && was != task
            && norm(table.texts.text(was)) != norm(table.texts.text(task))
        {
            let (from, to) = (before.number, now.number);
            let finding = Finding::new(
                "series/task-changed",
                Severity::Info,
                format!("The task description differs between iterations {from} and {to}."),
            )
            .pointer("/task_description")
            .hint(if table.key(now.row).is_some() {
                "Records with the same loop id become one run, even if their tasks differ."
            } else {
                "The records state no loop id, so they became one run by their folder or file. If they belong to several loops, give each record the id of its loop."
            })
            .evidence(vec![before.evidence(), now.evidence()]);
            found.push((k, finding));
        }
        last = Some((now, task));
    }
    found
}

/// `series/total-step`, where no record is missing between the two.
fn total_step(table: &Table, before: &Numbered<'_>, now: &Numbered<'_>) -> Option<Finding> {
    let (was, is) = (table.more(before.row).window_total?, table.more(now.row).window_total?);
    let is_neighbour = before.number.checked_add(1) == Some(now.number);
    // As windows count: a blank reflection is none.
    let written = table.hashes(now.row).iter().filter(|hash| **hash != 0).count();
    is_neighbour
        .then(|| check::total_step(was, is, written))?
        .map(|finding| finding.evidence(vec![before.evidence(), now.evidence()]))
}

/// What records say of their windows, against fifo windows over what was written.
fn windows(table: &Table, records: &[Numbered<'_>]) -> Vec<(usize, Finding)> {
    // Without a stated window nothing is listed: a record of many attempts would repeat all of its
    // reflections for each attempt.
    let has_stored =
        |r: &Numbered<'_>| table.window(r.row).is_some() || table.injected(r.row).is_some();
    if !records.iter().any(has_stored) {
        return Vec::new();
    }
    let open: Vec<i64> = records.iter().map(|r| r.number).collect();
    let of_record = |r: &Numbered<'_>| {
        table.hashes(r.row).iter().filter(|hash| **hash != 0).map(|_| r.number).collect::<Vec<_>>()
    };
    let written: Vec<i64> = records.iter().flat_map(of_record).collect();
    let mut found = Vec::new();
    for (k, now) in records.iter().enumerate() {
        let is_fifo = table.more(now.row).policy.is_none_or(|policy| policy == Policy::Fifo);
        let (stored, used) = (table.window(now.row), table.injected(now.row));
        // Ω as recorded: against an assumed one every window could be wrong.
        if let (Some(omega), Some(stored), true) = (now.row.omega, stored, is_fifo) {
            let finding = check::stored_window(now.number, &open, &written, omega, stored);
            found.extend(finding.map(|f| (k, f.evidence(vec![now.evidence()]))));
        }
        if let Some(used) = used.filter(|used| !used.is_empty()) {
            let omega = now.row.omega.filter(|_| is_fifo);
            let window = omega.map(|omega| check::around(now.number, &written, omega).0);
            let findings = check::injected(now.number, &open, window.as_deref(), used);
            found.extend(findings.into_iter().map(|f| (k, f.evidence(vec![now.evidence()]))));
        }
    }
    found
}
