//! Which run a record belongs to: its own word, its path, its neighbours.

use crate::sort::StableSort as _;
use std::collections::{BTreeMap, BTreeSet};

use super::path::Named;
use crate::format::FormatId;
use crate::format::traits::Role;
use crate::history::grouping::GroupBuilder;
use crate::history::parsed_rows::ParsedRunRow;
use crate::history::paths::{folder_of, prefixes, stem_of};
use crate::history::row::Row;
use crate::model::finding::{Finding, Severity};
use crate::model::natural::natural;
use crate::text::{hash_of, norm};

/// What one record says of one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a> {
    pub(super) row: usize,
    /// None for records that were read along a shape: they are an attempt themselves.
    pub(super) parsed_run: Option<&'a ParsedRunRow>,
}

/// Claims of one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Cluster<'a> {
    pub(super) key: String,
    pub(super) aliases: Vec<String>,
    /// In order of the sources.
    pub(super) claims: Vec<Claim<'a>>,
}

/// Seconds that two starts of one run may lie apart.
const SAME_START_S: f64 = 60.0;

impl<'a> Claim<'a> {
    /// Every claim of some records.
    pub(super) fn of_rows(builder: &GroupBuilder<'a>, rows: &[usize]) -> Vec<Self> {
        let mut claims = Vec::new();
        for &row in rows {
            let parsed_runs = builder.table.parsed_runs(&builder.table.rows[row]);
            let format = builder.table.rows[row].format;
            if format.is_shape() || (format.is_plain() && parsed_runs.is_empty()) {
                claims.push(Self { row, parsed_run: None });
            }
            claims.extend(
                parsed_runs.iter().map(|parsed_run| Self { row, parsed_run: Some(parsed_run) }),
            );
        }
        claims
    }

    pub(super) fn facts(self, builder: &GroupBuilder<'a>) -> &'a Row {
        &builder.table.rows[self.row]
    }

    pub(super) fn format(self, builder: &GroupBuilder<'a>) -> FormatId {
        self.facts(builder).format
    }

    fn stated_key(self, builder: &GroupBuilder<'a>) -> Option<&'a str> {
        match self.parsed_run {
            None => builder.table.key(self.facts(builder)),
            Some(parsed_run) => parsed_run.key.map(|key| builder.table.texts.text(key)),
        }
    }

    pub(super) fn task(self, builder: &GroupBuilder<'a>) -> Option<u32> {
        match self.parsed_run {
            None => self.facts(builder).task(),
            Some(parsed_run) => parsed_run.task,
        }
    }

    /// Whether its record is a report on a whole loop. One on an iteration, by its name, is a part.
    fn is_report(self, builder: &GroupBuilder<'a>) -> bool {
        self.format(builder).role() == Role::Report && builder.named(self.row).number.is_none()
    }

    /// Whether its record only describes a run that other records make.
    fn is_description(self, builder: &GroupBuilder<'a>) -> bool {
        self.format(builder).role().is_description()
    }
}

/// Folders that directly hold the state of a loop or of a task: records below belong to it.
struct Roots<'a>(BTreeSet<&'a str>);

impl<'a> Roots<'a> {
    fn of(builder: &GroupBuilder<'a>, rows: &[usize]) -> Self {
        let is_root = |&&row: &&usize| builder.table.rows[row].format.role().is_root();
        Self(rows.iter().filter(is_root).map(|&row| folder_of(builder.path(row))).collect())
    }

    /// The nearest of these folders that a path lies in; "" if it lies in none.
    fn above(&self, path: &str) -> &'a str {
        let mut folder = folder_of(path);
        loop {
            if let Some(root) = self.0.get(folder) {
                return root;
            }
            match folder.rsplit_once('/') {
                Some((above, _)) => folder = above,
                None => return "",
            }
        }
    }
}

/// Whether one root lies inside the other.
fn are_related(a: &str, b: &str) -> bool {
    let is_inside = |inner: &str, outer: &str| {
        outer.is_empty()
            || inner == outer
            || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    is_inside(a, b) || is_inside(b, a)
}

/// A cluster while it is gathered.
struct Draft<'a> {
    cluster: Cluster<'a>,
    /// Most have one.
    roots: Vec<&'a str>,
    /// Position of the next one with the same key.
    next: Option<usize>,
}

impl<'a> Draft<'a> {
    fn new(key: &str, claims: Vec<Claim<'a>>, root: &'a str) -> Self {
        let cluster = Cluster { key: key.to_owned(), claims, ..Cluster::default() };
        Self { cluster, roots: vec![root], next: None }
    }

    fn task_and_start(&self, builder: &GroupBuilder<'a>) -> Option<(String, f64)> {
        let claims = &self.cluster.claims;
        let task = claims.iter().find_map(|claim| claim.task(builder))?;
        let start_ms = claims.iter().find_map(|claim| claim.parsed_run?.start_ms)?;
        Some((norm(builder.table.texts.text(task)), start_ms))
    }

    fn is_related(&self, other: &Self) -> bool {
        self.roots.iter().any(|one| other.roots.iter().any(|other| are_related(one, other)))
    }
}

/// Puts the claims of one folder together to runs, in natural order of their keys.
pub(super) fn clusters<'a>(builder: &mut GroupBuilder<'a>, rows: &[usize]) -> Vec<Cluster<'a>> {
    let rows = without_copies(builder, rows);
    let roots = Roots::of(builder, &rows);
    let mut drafts = Drafts::default();
    let mut nameless = Vec::new();
    // Records of a source stand together, so what was found for the last one serves again.
    let mut last: Option<(u32, &str)> = None;
    let mut joined: Option<(u32, &'a str, usize)> = None;
    for claim in Claim::of_rows(builder, &rows) {
        let source = claim.facts(builder).source;
        let root = match last {
            Some((of, root)) if of == source => root,
            _ => roots.above(builder.path(claim.row)),
        };
        last = Some((source, root));
        let named = builder.named(claim.row);
        match (key_of(builder, claim, named), joined) {
            (Some((key, None)), Some((of, same, at))) if (of, same) == (source, key) => {
                drafts.all[at].cluster.claims.push(claim);
            }
            (Some((key, alias)), _) => {
                let (at, is_new) = drafts.add(key, root, claim, alias);
                joined = Some((source, key, at));
                if let Some(alias) = alias.filter(|_| is_new) {
                    say_alias(builder, claim.row, "is stored in the folder", [key, alias]);
                }
            }
            (None, _) => nameless.push(claim),
        }
    }
    let mut drafts = drafts.all;
    // What speaks of all runs of a folder makes none.
    let (configs, nameless): (Vec<_>, Vec<_>) =
        nameless.into_iter().partition(|claim| claim.format(builder).role().is_of_folder());
    let (reports, nameless): (Vec<_>, Vec<_>) =
        nameless.into_iter().partition(|claim| claim.is_report(builder));
    let (states, others): (Vec<_>, Vec<_>) =
        nameless.into_iter().partition(|claim| claim.format(builder).role() == Role::State);
    drafts.extend(nameless_states(builder, &roots, states));
    join_others(builder, &roots, &mut drafts, others);
    nameless_reports(builder, &roots, &mut drafts, reports);
    join_descriptions(builder, &mut drafts);
    for claim in configs {
        let root = roots.above(builder.path(claim.row));
        for draft in drafts.iter_mut().filter(|d| d.roots.contains(&root)) {
            draft.cluster.claims.push(claim);
        }
    }
    let mut clusters: Vec<Cluster<'a>> = drafts.into_iter().map(|d| d.cluster).collect();
    tell_apart(builder, &mut clusters);
    clusters.stable_sort_by(|a, b| natural(&a.key, &b.key));
    clusters
}

/// Clusters by their keys; one key may stand in roots that have nothing to do with each other.
#[derive(Default)]
struct Drafts<'a> {
    all: Vec<Draft<'a>>,
    /// The first of each key, by its hash, since a tree compares keys again and again.
    by_key: BTreeMap<(u64, &'a str), usize>,
}

impl<'a> Drafts<'a> {
    /// Adds a claim; gives its draft, and true if its alias was not known.
    fn add(
        &mut self,
        key: &'a str,
        root: &'a str,
        claim: Claim<'a>,
        alias: Option<&str>,
    ) -> (usize, bool) {
        let end = self.all.len();
        let mut at = *self.by_key.entry((hash_of(key), key)).or_insert(end);
        while let Some(draft) = self.all.get_mut(at)
            && !draft.roots.iter().all(|r| are_related(r, root))
        {
            at = *draft.next.get_or_insert(end);
        }
        if at == end {
            self.all.push(Draft::new(key, Vec::new(), root));
        }
        let draft = &mut self.all[at];
        if !draft.roots.contains(&root) {
            draft.roots.push(root);
        }
        draft.cluster.claims.push(claim);
        let Some(alias) = alias else { return (at, false) };
        let is_new = !draft.cluster.aliases.iter().any(|a| a == alias);
        if is_new {
            draft.cluster.aliases.push(alias.to_owned());
        }
        (at, is_new)
    }
}

/// Copies that writers leave beside a file speak only where the file itself says nothing.
fn without_copies(builder: &mut GroupBuilder<'_>, rows: &[usize]) -> Vec<usize> {
    let has_copies = rows.iter().any(|&row| builder.named(row).copied.is_some());
    // Records of a source stand together.
    let mut paths: BTreeSet<&str> = BTreeSet::new();
    let mut last = None;
    for &row in rows.iter().filter(|_| has_copies) {
        let source = Some(builder.table.rows[row].source);
        if last != source {
            paths.insert(builder.path(row));
            last = source;
        }
    }
    // What was put aside speaks nowhere: what of it could be read went into the file itself.
    let (aside, rows): (Vec<usize>, Vec<usize>) =
        rows.iter().partition(|&&row| builder.named(row).kept_of.is_some());
    let files: BTreeMap<u32, usize> =
        aside.iter().rev().map(|&row| (builder.table.rows[row].source, row)).collect();
    for row in files.into_values() {
        let main = builder.named(row).kept_of.unwrap_or_default();
        let message = format!(
            "By its name, this file is a copy of {main}, or of damaged lines of it, that was kept when {main} was repaired or rewritten. It is not counted."
        );
        builder.find_in_file(row, Finding::new("source/kept-aside", Severity::Info, message));
    }
    let (kept, copies): (Vec<_>, Vec<_>) = rows
        .iter()
        .partition(|&&row| builder.named(row).copied.is_none_or(|main| !paths.contains(main)));
    for &row in &copies {
        let main = builder.named(row).copied.unwrap_or_default().to_owned();
        builder.find_in_file(
            row,
            Finding::new(
                "source/duplicate",
                Severity::Info,
                format!("By its name, this file is a copy of {main}. Only {main} is counted."),
            ),
        );
    }
    kept
}

/// The folder of a loop, else the record's own word, else what the path names; and the other name
/// that the record has for it.
fn key_of<'a>(
    builder: &GroupBuilder<'a>,
    claim: Claim<'a>,
    named: &Named<'a>,
) -> Option<(&'a str, Option<&'a str>)> {
    let stated = claim.stated_key(builder).filter(|key| !key.trim().is_empty());
    match (named.folder, stated) {
        (Some(folder), Some(stated)) if !claim.is_description(builder) => {
            Some((folder, Some(stated).filter(|stated| *stated != folder)))
        }
        (_, Some(stated)) => Some((stated, None)),
        (folder, None) => Some((folder.or(named.id)?, None)),
    }
}

fn say_alias(builder: &mut GroupBuilder<'_>, row: usize, but: &str, [key, alias]: [&str; 2]) {
    builder.find(
        row,
        Finding::new(
            "group/alias",
            Severity::Info,
            format!("The record has the id {alias}, but {but} {key}. Both are treated as one run."),
        )
        .contrast(key, alias),
    );
}

/// States without an id: those of one task and one start are snapshots of one run.
fn nameless_states<'a>(
    builder: &GroupBuilder<'a>,
    roots: &Roots<'a>,
    states: Vec<Claim<'a>>,
) -> Vec<Draft<'a>> {
    let mut groups: BTreeMap<(&str, String, u64, &str), Vec<Claim<'a>>> = BTreeMap::new();
    let mut of_root: BTreeMap<&str, usize> = BTreeMap::new();
    for claim in states {
        let path = builder.path(claim.row);
        let root = roots.above(path);
        let task =
            claim.task(builder).map(|t| norm(builder.table.texts.text(t))).unwrap_or_default();
        let start = claim.parsed_run.and_then(|t| t.start_ms).map(f64::to_bits);
        // A state without task or start is no snapshot of a state in another file.
        let own = if task.is_empty() || start.is_none() { path } else { "" };
        let of_key = groups.entry((root, task, start.unwrap_or(0), own)).or_default();
        *of_root.entry(root).or_default() += usize::from(of_key.is_empty());
        of_key.push(claim);
    }
    let mut used = BTreeSet::new();
    let mut drafts = Vec::new();
    for (&(root, ..), claims) in &groups {
        let path = claims.last().map_or("", |claim| builder.path(claim.row));
        let folder = root.rsplit('/').next().unwrap_or(root);
        let stem = stem_of(path);
        let mut key =
            if of_root.get(root) == Some(&1) && !folder.is_empty() { folder } else { stem }
                .to_owned();
        if let Some(line) = claims.last().map(|c| c.facts(builder).line)
            && !used.insert((root, key.clone()))
        {
            key = format!("{key}:{line}");
        }
        drafts.push(Draft::new(&key, claims.clone(), root));
    }
    drafts
}

/// Puts folders before keys that several runs of one group have, as many as tell them apart: of the same
/// loops below `a/.aiwg` and `b/.aiwg`, one is `a/ralph` and the other `b/ralph`.
fn tell_apart(builder: &GroupBuilder<'_>, clusters: &mut [Cluster<'_>]) {
    let keys = clusters.iter().enumerate();
    let mut keys: Vec<(u64, &str, usize)> =
        keys.map(|(at, cluster)| (hash_of(&cluster.key), cluster.key.as_str(), at)).collect();
    keys.sort_unstable();
    let path = |(.., at): &(u64, &str, usize)| {
        let first = clusters.get(*at).and_then(|cluster| cluster.claims.first());
        first.map_or("", |claim| builder.path(claim.row))
    };
    let mut before = Vec::new();
    let same = keys.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|same| same.len() > 1);
    for same in same {
        before.extend(same.iter().map(|(.., at)| *at).zip(prefixes(same.iter().map(path))));
    }
    for (at, folders) in before {
        if let Some(cluster) = clusters.get_mut(at).filter(|_| !folders.is_empty()) {
            cluster.key = format!("{folders}/{}", cluster.key);
        }
    }
}

/// Reports without an id: each is of a loop of its own, unless task and start agree with another.
fn nameless_reports<'a>(
    builder: &GroupBuilder<'a>,
    roots: &Roots<'a>,
    drafts: &mut Vec<Draft<'a>>,
    reports: Vec<Claim<'a>>,
) {
    if reports.is_empty() {
        return;
    }
    let mut starts = Starts::of(builder, drafts);
    for claim in reports {
        let path = builder.path(claim.row);
        let draft = Draft::new(stem_of(path), vec![claim], roots.above(path));
        if let Some(twin) = starts.twin(builder, &draft, drafts) {
            twin.cluster.claims.push(claim);
        } else {
            starts.add(builder, &draft, drafts.len());
            drafts.push(draft);
        }
    }
}

/// Starts in milliseconds and places of drafts, by their tasks: these tell whether records without a common
/// id are of one loop.
#[derive(Default)]
struct Starts(BTreeMap<String, Vec<(f64, usize)>>);

impl Starts {
    fn of<'a>(builder: &GroupBuilder<'a>, drafts: &[Draft<'a>]) -> Self {
        let mut starts = Self::default();
        for (at, draft) in drafts.iter().enumerate() {
            starts.add(builder, draft, at);
        }
        starts
    }

    fn add<'a>(&mut self, builder: &GroupBuilder<'a>, draft: &Draft<'a>, at: usize) {
        if let Some((task, start_ms)) = draft.task_and_start(builder) {
            self.0.entry(task).or_default().push((start_ms, at));
        }
    }

    /// The first draft with the same task and a related root whose start is at most [`SAME_START_S`] away.
    fn twin<'d, 'a>(
        &self,
        builder: &GroupBuilder<'a>,
        draft: &Draft<'a>,
        drafts: &'d mut [Draft<'a>],
    ) -> Option<&'d mut Draft<'a>> {
        let (task, start_ms) = draft.task_and_start(builder)?;
        let is_near = |at: usize| drafts.get(at).is_some_and(|other| other.is_related(draft));
        let is_twin = |(start, at): &&(f64, usize)| {
            (start - start_ms).abs() <= 1000.0 * SAME_START_S && is_near(*at)
        };
        let (_, at) = self.0.get(&task)?.iter().find(is_twin)?;
        drafts.get_mut(*at)
    }
}

/// Records without any id join the only run of their root. Otherwise they make a run that is named after
/// their folder, or after their file if that is a table or lies in no folder.
fn join_others<'a>(
    builder: &GroupBuilder<'a>,
    roots: &Roots<'a>,
    drafts: &mut Vec<Draft<'a>>,
    others: Vec<Claim<'a>>,
) {
    if others.is_empty() {
        return;
    }
    let mut of_root: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for (at, draft) in drafts.iter().enumerate() {
        for root in &draft.roots {
            of_root.entry(root).and_modify(|(_, is_only)| *is_only = false).or_insert((at, true));
        }
    }
    // Folders of several projects may have one name.
    let mut of_folder: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for claim in others {
        let path = builder.path(claim.row);
        let root = roots.above(path);
        let folder = path.rsplit('/').nth(1);
        let is_file = claim.format(builder).role() == Role::Table;
        let key = folder.filter(|_| !is_file).unwrap_or_else(|| stem_of(path));
        let only = of_root.get(root).filter(|(_, is_only)| *is_only).map(|(at, _)| *at);
        let at = only
            .unwrap_or_else(|| *of_folder.entry((folder_of(path), key)).or_insert(drafts.len()));
        match drafts.get_mut(at) {
            Some(draft) => draft.cluster.claims.push(claim),
            None => drafts.push(Draft::new(key, vec![claim], root)),
        }
    }
}

/// A registry's entry under an id that no other record uses describes the run of the same task whose start is
/// at most [`SAME_START_S`] away.
fn join_descriptions<'a>(builder: &mut GroupBuilder<'a>, drafts: &mut Vec<Draft<'a>>) {
    let is_lone =
        |d: &Draft<'a>| d.cluster.claims.iter().all(|claim| claim.is_description(builder));
    if !drafts.iter().any(is_lone) {
        return;
    }
    let (lone, mut rest): (Vec<_>, Vec<_>) = std::mem::take(drafts).into_iter().partition(is_lone);
    // Of runs only: two entries of registries are two loops, however alike.
    let starts = Starts::of(builder, &rest);
    for mut draft in lone {
        let Some(twin) = starts.twin(builder, &draft, &mut rest) else {
            rest.push(draft);
            continue;
        };
        if let Some(first) = draft.cluster.claims.first() {
            const BUT: &str = "the run with the same task and nearly the same start has the id";
            say_alias(builder, first.row, BUT, [&twin.cluster.key, &draft.cluster.key]);
        }
        twin.cluster.aliases.push(draft.cluster.key);
        twin.cluster.claims.append(&mut draft.cluster.claims);
    }
    *drafts = rest;
}
