//! What a search looks at, one iteration after the other, and which records that takes.

use std::collections::BTreeSet;

use super::matching::{FoundFindings, iteration_fits, run_fits};
use super::{Query, Term};
use crate::history::History;
use crate::history::run::Run;
use crate::model::id::{RecordId, RunId};

/// What of a record is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordPart {
    /// An attempt, with only those of its reflections that were written in it.
    Attempt(u32),
    /// One reflection.
    Reflection(u32),
    /// What it says of its run as a whole.
    Run(u32),
    /// A record beside the one that leads, or without a run: all that it says.
    Whole,
}

/// Something that matches or does not as a whole: an iteration, a run apart from its iterations, or
/// a record without a run.
#[derive(Debug, Default)]
pub(super) struct Unit {
    pub(super) run: Option<RunId>,
    pub(super) ordinal: Option<u32>,
    pub(super) number: Option<i64>,
    pub(super) record_parts: Vec<(RecordId, RecordPart)>,
    /// The reflections that were written in it: record, and position among the reflections of it.
    pub(super) own: Vec<(RecordId, u32)>,
    /// Records whose raw text belongs to it.
    pub(super) raw: Vec<RecordId>,
    /// Key and task of the run are looked at.
    pub(super) has_task: bool,
}

impl Unit {
    /// Records that it is made of, each once.
    pub(super) fn records(&self) -> Vec<RecordId> {
        let record_parts = self.record_parts.iter().map(|(record, _)| *record);
        let mut records: Vec<_> = record_parts.chain(self.raw.iter().copied()).collect();
        records.sort_unstable();
        records.dedup();
        records
    }
}

/// The units of one run that its columns do not rule out, the run itself first.
pub(super) fn units(
    history: &History,
    query: &Query,
    findings: &FoundFindings,
    run: &Run<'_>,
    has_raw: bool,
) -> Vec<Unit> {
    if !run_fits(query, history, run) {
        return Vec::new();
    }
    let id = run.id();
    let mut units = Vec::new();
    // Raw text of a record belongs to the first iteration that it describes.
    let mut first = BTreeSet::new();
    let mut iterations = Vec::new();
    let joins = run.joins();
    for iteration in run.iterations() {
        let mut unit = Unit {
            run: Some(id),
            ordinal: Some(iteration.ordinal),
            number: Some(iteration.number),
            own: iteration.reflections.iter().map(|r| (r.record, r.part)).collect(),
            ..Unit::default()
        };
        let lead = [(iteration.record, iteration.part)];
        let parts = joins.get(&(iteration.ordinal as usize)).map_or(&lead[..], Vec::as_slice);
        let attempts = parts.iter().map(|(id, part)| (*id, RecordPart::Attempt(*part)));
        unit.record_parts.extend(attempts);
        for &merged in &iteration.merged {
            if unit.record_parts.iter().all(|(own, _)| *own != merged) {
                unit.record_parts.push((merged, RecordPart::Whole));
            }
        }
        for &(record, part) in &unit.own {
            if !is_attempt(&unit.record_parts, record) {
                unit.record_parts.push((record, RecordPart::Reflection(part)));
            }
        }
        for record in unit.records() {
            if first.insert(record) && has_raw {
                unit.raw.push(record);
            }
        }
        if iteration_fits(query, id, &iteration, findings) {
            iterations.push(unit);
        }
    }
    if !query.terms.iter().any(Term::is_of_column) {
        let mut whole = Unit { run: Some(id), has_task: true, ..Unit::default() };
        whole.record_parts =
            run.parsed_runs().iter().map(|(id, of)| (*id, RecordPart::Run(*of))).collect();
        let others = run.records().into_iter();
        whole.raw = others.filter(|record| has_raw && !first.contains(record)).collect();
        units.push(whole);
        for earlier in run.earlier() {
            let number = Some(earlier.number);
            let record_parts = vec![(earlier.record, RecordPart::Reflection(earlier.part))];
            units.push(Unit { run: Some(id), number, record_parts, ..Unit::default() });
        }
    }
    units.append(&mut iterations);
    units
}

fn is_attempt(record_parts: &[(RecordId, RecordPart)], record: RecordId) -> bool {
    record_parts.iter().any(|(id, piece)| *id == record && matches!(piece, RecordPart::Attempt(_)))
}
