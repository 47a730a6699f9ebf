//! What grouping is made of: sources as it sees them, runs and groups while they are collected, and
//! all of them when they are done.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::columns::{Columns, RunRow};
use super::finding_groups::Subject;
use super::finding_order::Order;
use super::loops::path::Named;
use super::row::Table;
use crate::format::FormatId;
use crate::model::finding::Finding;
use crate::model::id::{GroupId, RecordId, RunId, SourceId};
use crate::model::natural::natural;
use crate::model::reward::count;
use crate::sort::StableSort as _;

/// What grouping needs of a source.
#[derive(Clone, Debug)]
pub(crate) struct Origin<'a> {
    pub(crate) path: &'a str,
    pub(crate) named: Named<'a>,
    /// What it holds, once it was read to its end.
    pub(crate) identity: Option<Identity>,
    pub(crate) has_records: bool,
}

/// What is equal where two sources are copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Identity {
    pub(crate) digest: u64,
    pub(crate) format: FormatId,
    /// Paths and limits may make different records of the same bytes.
    pub(crate) kept: u32,
}

/// Everything that grouping says. Made anew when records have come; a pure function of them.
#[derive(Debug, Default)]
pub(crate) struct Grouping {
    pub(crate) groups: Vec<GroupRow>,
    pub(crate) runs: Vec<RunRow>,
    pub(crate) columns: Columns,
    /// Findings about runs and how records were grouped, sorted by source.
    pub(crate) findings: Vec<Finding>,
    /// Run of each record; the first, if it describes several.
    pub(crate) run_of: Vec<Option<RunId>>,
    /// The others of those that describe several.
    more_runs: BTreeMap<usize, Vec<RunId>>,
    /// Records of copies, and the records that count instead of them.
    counting: BTreeMap<usize, usize>,
    /// Records of each run, made when someone asks.
    members: OnceCell<Members>,
    pub(super) findings_of: FindingCounts,
    /// Where all findings stand, made when someone asks.
    pub(super) order: OnceCell<Order>,
}

impl Grouping {
    /// Of so many records, which are in no run yet.
    pub(super) fn new(records: usize) -> Self {
        Self { run_of: vec![None; records], ..Self::default() }
    }

    /// The record that counts instead of one that stands in a copy; any other counts itself.
    pub(crate) fn counting(&self, record: RecordId) -> RecordId {
        self.counting.get(&record.index()).map_or(record, |row| RecordId::at(*row))
    }

    /// Lets a record that was left out belong to the runs of another, which counts.
    pub(crate) fn stand_for(&mut self, counting: usize, left_out: usize) {
        self.counting.insert(left_out, counting);
        let run = self.run_of.get(counting).copied().flatten();
        if let Some(place) = self.run_of.get_mut(left_out) {
            *place = run;
        }
        if let Some(others) = self.more_runs.get(&counting).cloned() {
            self.more_runs.insert(left_out, others);
        }
    }

    /// Whether an iteration or a reflection is this part of a record.
    pub(crate) fn has_part(&self, record: RecordId, part: u32) -> bool {
        let record = self.counting(record);
        self.runs_of(record).any(|run| self.run_has_part(run, record, part))
    }

    fn run_has_part(&self, run: RunId, record: RecordId, part: u32) -> bool {
        let Some(run) = self.runs.get(run.index()) else { return false };
        let iterations = run.first..run.first + run.len;
        let columns = &self.columns;
        let of_run = columns.reflections(run.first, run.len).iter().chain(&run.earlier);
        of_run.map(|r| (r.record, r.part)).any(|at| at == (record, part))
            || iterations
                .clone()
                .any(|i| (columns.records[i], columns.parts[i]) == (record, part))
            // A part that does not lead may still describe an attempt together with others.
            || columns.joined.range(iterations).any(|(_, parts)| parts.contains(&(record, part)))
    }

    /// Every record of a run, in the order of opening.
    pub(crate) fn records_of(&self, run: RunId) -> &[RecordId] {
        let members = self.members.get_or_init(|| Members::of(self));
        let at = |i: usize| members.ends.get(i).copied().unwrap_or(members.records.len());
        let start = run.index().checked_sub(1).map_or(0, at);
        members.records.get(start..at(run.index())).unwrap_or_default()
    }

    /// Every run that a record describes.
    pub(crate) fn runs_of(&self, record: RecordId) -> impl Iterator<Item = RunId> {
        let first = self.run_of.get(record.index()).copied().flatten();
        let others = self.more_runs.get(&record.index()).into_iter().flatten().copied();
        first.into_iter().chain(others)
    }

    /// Counts the findings of records, and its own, by run.
    pub(crate) fn count(
        &mut self,
        of_records: impl Iterator<Item = (Subject, usize)>,
        table: &Table,
    ) {
        let mut counts: Vec<FindingCount> = Vec::new();
        let mut add = |(subject, times): (Subject, usize)| {
            let of_record = || self.run_of.get(subject.record?.index()).copied().flatten();
            let Some(run) = subject.run.or_else(of_record) else { return };
            // A finding about a run stands at a record, but is not about the iteration of that record.
            let number = || match subject.run {
                Some(_) => None,
                None => table.rows.get(subject.record?.index())?.number(),
            };
            let number = subject.iteration.or_else(number).unwrap_or(NO_NUMBER);
            match counts.last_mut() {
                // Findings of one record come one after another.
                Some(last) if (last.run, last.number) == (run, number) => {
                    last.times += count(times);
                }
                _ => counts.push(FindingCount { run, number, times: count(times) }),
            }
        };
        of_records.for_each(&mut add);
        self.findings.iter().map(|finding| (Subject::of(finding), 1)).for_each(&mut add);
        counts.stable_sort_by_key(|count| count.run);
        self.findings_of = FindingCounts(counts);
    }
}

/// How many findings there are about runs, run after run.
#[derive(Debug, Default)]
pub(super) struct FindingCounts(Vec<FindingCount>);

/// So many findings about one iteration, by its number, or about the run.
#[derive(Clone, Copy, Debug)]
pub(super) struct FindingCount {
    run: RunId,
    pub(super) times: u32,
    /// Options take twice the room, and there may be a million.
    number: i64,
}

/// No iteration has this number: those that are read are at most 2⁵³.
const NO_NUMBER: i64 = i64::MIN;

impl FindingCount {
    pub(super) fn number(&self) -> Option<i64> {
        Some(self.number).filter(|number| *number != NO_NUMBER)
    }
}

impl FindingCounts {
    /// Those about one run. An iteration may occur several times.
    pub(super) fn of(&self, run: RunId) -> impl Iterator<Item = FindingCount> {
        let start = self.0.partition_point(|count| count.run < run);
        let rest = self.0.get(start..).unwrap_or_default();
        rest.iter().take_while(move |count| count.run == run).copied()
    }
}

/// The records of all runs, run after run.
#[derive(Debug, Default)]
struct Members {
    ends: Vec<usize>,
    records: Vec<RecordId>,
}

impl Members {
    fn of(grouping: &Grouping) -> Self {
        let first =
            grouping.run_of.iter().enumerate().filter_map(|(row, run)| Some(((*run)?, row)));
        let more =
            grouping.more_runs.iter().flat_map(|(row, runs)| runs.iter().map(|r| (*r, *row)));
        let mut pairs: Vec<(RunId, usize)> = first.chain(more).collect();
        pairs.sort_unstable();
        let mut ends = vec![0; grouping.runs.len()];
        for (run, _) in &pairs {
            if let Some(end) = ends.get_mut(run.index()) {
                *end += 1;
            }
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        Self { ends, records: pairs.into_iter().map(|(_, row)| RecordId::at(row)).collect() }
    }
}

/// A trial on the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub(super) number: i64,
    pub(super) solved: u32,
    /// Tasks that were not solved before.
    pub(super) attempted: u32,
}

/// An experiment or folder.
#[derive(Debug)]
pub(crate) struct GroupRow {
    pub(crate) label: String,
    pub(crate) format: FormatId,
    pub(crate) runs: std::ops::Range<usize>,
    /// Its curve, where records state it themselves.
    pub(crate) curve: Vec<Point>,
}

/// Rows of one experiment, by source in natural order and position.
pub(super) type Rows = Vec<usize>;

/// One experiment while it is grouped.
pub(crate) struct GroupBuilder<'a> {
    pub(crate) table: &'a Table,
    pub(crate) origins: &'a [Origin<'a>],
    pub(crate) group: GroupId,
    pub(crate) label: &'a str,
    pub(crate) out: &'a mut Grouping,
}

impl<'a> GroupBuilder<'a> {
    pub(crate) fn path(&self, row: usize) -> &'a str {
        self.origins[self.table.rows[row].source as usize].path
    }

    /// What the path of a record's source says.
    pub(crate) fn named(&self, row: usize) -> &'a Named<'a> {
        &self.origins[self.table.rows[row].source as usize].named
    }

    /// Id that the next run will have.
    pub(crate) fn next_run(&self) -> RunId {
        RunId::at(self.out.runs.len())
    }

    /// Adds a finding at the place of a record.
    pub(crate) fn find(&mut self, row: usize, finding: Finding) {
        let finding = at_row(self.table, row, finding);
        self.out.findings.push(finding);
    }

    /// Adds a finding about a whole file, at the place of one of its records.
    pub(crate) fn find_in_file(&mut self, row: usize, finding: Finding) {
        let finding = at_row(self.table, row, finding);
        self.out.findings.push(Finding { record: None, ..finding });
    }

    /// Adds a run; `rows` are the records that it is made of.
    pub(crate) fn run(&mut self, run: RunRow, rows: &[usize]) {
        let id = self.next_run();
        for &row in rows {
            match self.out.run_of.get_mut(row) {
                Some(place @ None) => *place = Some(id),
                Some(Some(first)) if *first == id => {}
                _ => {
                    let others = self.out.more_runs.entry(row).or_default();
                    if others.last() != Some(&id) {
                        others.push(id);
                    }
                }
            }
        }
        self.out.runs.push(run);
    }
}

/// Writes the place of a record into a finding.
pub(crate) fn at_row(table: &Table, row: usize, mut finding: Finding) -> Finding {
    let facts = &table.rows[row];
    finding.source = Some(SourceId(facts.source));
    finding.record = Some(RecordId::at(row));
    finding.line = Some(facts.line);
    finding.column = Some(facts.column);
    finding.offset = Some(facts.start);
    finding
}

/// Collects rows under their keys, keys in natural order.
pub(crate) fn by_key(rows: &[usize], key: impl Fn(usize) -> String) -> Vec<(String, Rows)> {
    let mut groups: BTreeMap<String, Rows> = BTreeMap::new();
    for &row in rows {
        groups.entry(key(row)).or_default().push(row);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.stable_sort_by(|a, b| natural(&a.0, &b.0));
    groups
}
