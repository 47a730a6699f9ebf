//! Records to runs: which belong together, and in what order
//! (docs/spec/formats.md, "Grouping records into runs").

use crate::sort::StableSort as _;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::columns::{Columns, RunRow};
use super::findings::Order;
use super::loops::path::Named;
use super::row::Table;
use super::source::Identity;
use super::totals::{self, Point};
use super::{bundle, loops, questions, single_file, tasks, trials};
use crate::format::{Family, FormatId};
use crate::model::finding::Finding;
use crate::model::id::{GroupId, RecordId, RunId, SourceId};
use crate::model::natural::natural;
use crate::source::conflict::Side;

/// What grouping needs of a source.
#[derive(Clone, Debug)]
pub(crate) struct Origin<'a> {
    pub(crate) path: &'a str,
    pub(crate) named: Named<'a>,
    /// What it holds, once it was read to its end.
    pub(crate) identity: Option<Identity>,
    pub(crate) has_records: bool,
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
    /// For each run, the iteration of every finding about it.
    pub(crate) findings_of: Vec<Vec<Option<i64>>>,
    /// Where all findings stand, made when someone asks.
    pub(super) order: OnceCell<Order>,
}

impl Grouping {
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
            // A part that leads nowhere still describes its attempt, beside others.
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
        let mut findings_of = vec![Vec::new(); self.runs.len()];
        let mut add = |(subject, times): (Subject, usize)| {
            let of_record = || self.run_of.get(subject.record?.index()).copied().flatten();
            let Some(run) = subject.run.or_else(of_record) else { return };
            // One about the run stands at a record all the same, and is not about that.
            let number = || match subject.run {
                Some(_) => None,
                None => table.rows.get(subject.record?.index())?.number(),
            };
            if let Some(list) = findings_of.get_mut(run.index()) {
                list.extend(std::iter::repeat_n(subject.iteration.or_else(number), times));
            }
        };
        of_records.for_each(&mut add);
        self.findings.iter().map(|finding| (Subject::of(finding), 1)).for_each(&mut add);
        self.findings_of = findings_of;
    }
}

/// What a finding is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    pub(crate) record: Option<RecordId>,
    pub(crate) run: Option<RunId>,
    pub(crate) iteration: Option<i64>,
    pub(super) source: Option<SourceId>,
    pub(super) offset: Option<u64>,
}

impl Subject {
    pub(crate) fn of(finding: &Finding) -> Self {
        let Finding { record, run, iteration, source, offset, .. } = *finding;
        Self { record, run, iteration, source, offset }
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
type Rows = Vec<usize>;

/// What rows of one place have in common: source, family, and whether they are theirs of a conflict.
type Kin = (u32, Family, bool);

/// Groups all records but those of the sources that `is_left_out` names.
pub(crate) fn group(
    table: &Table,
    origins: &[Origin<'_>],
    is_left_out: impl Fn(usize) -> bool,
) -> Grouping {
    let mut order: Vec<usize> = (0..origins.len()).collect();
    order.stable_sort_by(|&a, &b| natural(origins[a].path, origins[b].path).then(a.cmp(&b)));
    let mut rank = vec![0; origins.len()];
    for (place, &source) in order.iter().enumerate() {
        rank[source] = place;
    }
    // Runs of a bundle stay by themselves, in the groups that they came from.
    let mut bins: BTreeMap<(Label, Family, Option<u32>), usize> = BTreeMap::new();
    let mut rows_of: Vec<Rows> = Vec::new();
    let mut place = |label: &str, family: Family, carrier: Option<u32>, rows_of: &mut Vec<Rows>| {
        *bins.entry((Label(label.to_owned()), family, carrier)).or_insert_with(|| {
            rows_of.push(Rows::new());
            rows_of.len() - 1
        })
    };
    let mut seen = bundle::Seen::default();
    // Rows of a source stand together, so the place of the last one serves again.
    let mut last: Option<(Kin, usize)> = None;
    for (i, row) in table.rows.iter().enumerate() {
        if is_left_out(row.source as usize) {
            continue;
        }
        if let Some(run) = table.carried.runs.get(&i) {
            let at = place(run.label(table), run.family(), Some(row.source), &mut rows_of);
            rows_of[at].push(i);
            continue;
        }
        let family = row.format.family();
        let is_theirs = row.side == Some(Side::Theirs);
        let of_row: Kin = (row.source, family, is_theirs);
        let at = last.filter(|(of, _)| *of == of_row).map_or_else(
            || {
                let label = family_label(origins[row.source as usize].path, family);
                let theirs = match label {
                    _ if !is_theirs => Cow::Borrowed(label),
                    "" => Cow::Borrowed("theirs"),
                    label => Cow::Owned(format!("{label} (theirs)")),
                };
                place(&theirs, family, None, &mut rows_of)
            },
            |(_, at)| at,
        );
        last = Some((of_row, at));
        rows_of[at].push(i);
    }
    let mut grouping = Grouping { run_of: vec![None; table.rows.len()], ..Grouping::default() };
    for ((label, family, carrier), at) in bins {
        let mut rows = std::mem::take(&mut rows_of[at]);
        rows.sort_by_key(|&i| (rank[table.rows[i].source as usize], table.rows[i].index));
        let mut builder = GroupBuilder {
            table,
            origins,
            group: GroupId::at(grouping.groups.len()),
            label: &label.0,
            out: &mut grouping,
        };
        let first = builder.out.runs.len();
        let mut curve = Vec::new();
        match family {
            _ if carrier.is_some() => bundle::group(&mut builder, &rows, &mut seen),
            Family::Loops => loops::group(&mut builder, &rows),
            Family::Trials => trials::group(&mut builder, &rows),
            Family::Tasks => tasks::group(&mut builder, &rows),
            Family::Files | Family::Bundle => single_file::group(&mut builder, &rows),
            Family::Questions => questions::group(&mut builder, &rows),
            Family::Totals => curve = totals::group(&mut builder, &rows),
        }
        let end = grouping.runs.len();
        let carried = rows.first().and_then(|i| table.carried.runs.get(i));
        let format = carried
            .map(|run| run.group_format.unwrap_or(run.format))
            .or_else(|| {
                let runs = grouping.runs[first..end].iter();
                most(runs.filter(|r| r.len > 0).map(|r| r.format))
            })
            .or_else(|| rows.first().map(|&i| table.rows[i].format))
            .unwrap_or_default();
        grouping.groups.push(GroupRow { label: label.0, format, runs: first..end, curve });
    }
    grouping
}

/// The format that occurs most often, the first one of the table on ties.
fn most(formats: impl Iterator<Item = FormatId>) -> Option<FormatId> {
    let mut counts = BTreeMap::<FormatId, usize>::new();
    formats.for_each(|format| *counts.entry(format).or_default() += 1);
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(format, _)| format)
}

/// A label in natural order.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Label(String);

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Label {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        natural(&self.0, &other.0)
    }
}

/// Folder of a path, "" for a file dropped by itself.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Name of a file without folders and without its last ending.
pub(crate) fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// An experiment is a folder for trials, a file for tasks; chains belong to what was dropped.
/// Files dropped side by side share one root, so that a run spread over them stays one run.
pub(crate) fn family_label(path: &str, family: Family) -> &str {
    match family {
        Family::Loops if is_memory_itself(path) => "",
        Family::Loops => path.split_once('/').map_or("", |(root, _)| root),
        Family::Trials => folder_of(path),
        Family::Tasks | Family::Questions | Family::Files | Family::Totals | Family::Bundle => path,
    }
}

/// Whether a path begins inside of an episodic memory: its tasks and its index are one experiment, by
/// whatever folder they were opened.
fn is_memory_itself(path: &str) -> bool {
    let mut parts = path.split('/');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("tasks"), Some(_), Some(_)) => true,
        (Some("index"), Some(name), None) => {
            name.strip_prefix("by-").and_then(|rest| rest.strip_suffix(".json")).is_some()
        }
        _ => false,
    }
}

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
    use crate::model::id::SourceId;
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
    let mut bins: BTreeMap<String, Rows> = BTreeMap::new();
    for &row in rows {
        bins.entry(key(row)).or_default().push(row);
    }
    let mut bins: Vec<_> = bins.into_iter().collect();
    bins.stable_sort_by(|a, b| natural(&a.0, &b.0));
    bins
}
