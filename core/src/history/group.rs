//! Records to runs: which belong together, and in what order
//! (docs/spec/formats.md, "Grouping records into runs").

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::grouping::{GroupBuilder, GroupRow, Grouping, Origin, Rows};
use super::paths::family_label;
use super::row::Table;
use super::{loops, questions, single_file, tasks, totals, trials};
use crate::format::{Family, FormatId};
use crate::model::id::GroupId;
use crate::model::natural::natural;
use crate::sort::StableSort as _;
use crate::source::conflict::Side;

/// The key of a group: source, family, and whether it is the second side of a conflict.
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
    let mut groups: BTreeMap<(Label, Family), usize> = BTreeMap::new();
    let mut rows_of: Vec<Rows> = Vec::new();
    let mut place = |label: &str, family: Family, rows_of: &mut Vec<Rows>| {
        *groups.entry((Label(label.to_owned()), family)).or_insert_with(|| {
            rows_of.push(Rows::new());
            rows_of.len() - 1
        })
    };
    // Rows of a source stand together, so the place of the last one serves again.
    let mut last: Option<(Kin, usize)> = None;
    // Files of one folder often follow each other, so its place serves again, too.
    let mut beside: Option<((&str, Family, bool), usize)> = None;
    for (i, row) in table.rows.iter().enumerate() {
        if is_left_out(row.source as usize) {
            continue;
        }
        let family = row.format.family();
        let is_theirs = row.side == Some(Side::Theirs);
        let of_row: Kin = (row.source, family, is_theirs);
        let at = last.filter(|(of, _)| *of == of_row).map_or_else(
            || {
                let label = family_label(origins[row.source as usize].path, family);
                let of_folder = (label, family, is_theirs);
                if let Some((_, at)) = beside.filter(|(of, _)| *of == of_folder) {
                    return at;
                }
                let theirs = match label {
                    _ if !is_theirs => Cow::Borrowed(label),
                    "" => Cow::Borrowed("theirs"),
                    label => Cow::Owned(format!("{label} (theirs)")),
                };
                let at = place(&theirs, family, &mut rows_of);
                beside = Some((of_folder, at));
                at
            },
            |(_, at)| at,
        );
        last = Some((of_row, at));
        rows_of[at].push(i);
    }
    let mut grouping = Grouping::new(table.rows.len());
    for ((label, family), at) in groups {
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
            Family::Loops => loops::group(&mut builder, &rows),
            Family::Trials => trials::group(&mut builder, &rows),
            Family::Tasks => tasks::group(&mut builder, &rows),
            Family::Files => single_file::group(&mut builder, &rows),
            Family::Questions => questions::group(&mut builder, &rows),
            Family::Totals => curve = totals::group(&mut builder, &rows),
        }
        let end = grouping.runs.len();
        let runs = grouping.runs[first..end].iter();
        let format = most(runs.filter(|r| r.len > 0).map(|r| r.format))
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
