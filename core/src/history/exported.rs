//! What exports ask of a history beyond what everybody may.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::History;
use super::row::{Row, Table};
use super::run::Run;
use super::source::Source;
use crate::format::{Family, FormatId};
use crate::json::tree::Tree;
use crate::model::finding::Finding;
use crate::model::id::{GroupId, RecordId, RunId, SourceId};
use crate::model::outcome::Outcome;
use crate::source::encoding::decode_all;
use crate::source::yaml;
use crate::validate::Profile;

impl History {
    pub(crate) fn profile(&self) -> Profile {
        self.profile
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Number of sources that the host opened.
    pub(crate) fn opened_count(&self) -> usize {
        self.sources.len()
    }

    /// Whether a source is a bundle by itself.
    pub(crate) fn is_bundle(&self, id: SourceId) -> bool {
        self.table.carried.bundles.contains_key(&id.0)
    }

    /// Every finding, each with those of its members that are not known.
    pub(crate) fn carried_findings(&self) -> Vec<(Finding, &str)> {
        let grouping = self.grouping();
        let of_sources = self.sources.iter().flat_map(|source| {
            let findings = source.findings().into_iter().enumerate();
            findings.map(|(at, finding)| (finding, source.more(at)))
        });
        let of_grouping = grouping.findings.iter().map(|finding| (finding.clone(), ""));
        let all = of_sources.chain(of_grouping);
        all.map(|(finding, more)| (self.with_run(finding), more)).collect()
    }

    /// Label and format of a group.
    pub(crate) fn group_facts(&self, id: GroupId) -> Option<(&str, FormatId)> {
        let row = self.grouping().groups.get(id.0 as usize)?;
        Some((&row.label, row.format))
    }

    /// The decoded text of a stretch of a source; nothing if some of it is no text.
    pub(crate) fn text_of(&self, id: SourceId, bytes: &[u8]) -> Option<String> {
        let encoding = self.sources.get(id.index()).map(Source::encoding)?;
        String::from_utf8(decode_all(bytes, encoding)).ok()
    }

    /// Whether the records of a source are JSON.
    pub(crate) fn holds_json(&self, id: SourceId) -> bool {
        self.sources.get(id.index()).is_some_and(|s| !s.is_yaml() && !s.is_text())
    }

    /// Every run that a record describes.
    pub(crate) fn runs_of(&self, record: RecordId) -> impl Iterator<Item = RunId> {
        self.grouping().runs_of(record)
    }

    /// A record as it is read, and where in it the values at some pointers stand. Values whose
    /// bytes cannot be separated from what is around them are left out.
    pub(crate) fn stretches(
        &self,
        record: RecordId,
        bytes: &[u8],
        pointers: &BTreeSet<&str>,
    ) -> (Vec<u8>, BTreeMap<String, Range<usize>>) {
        let none = || (Vec::new(), BTreeMap::new());
        let Some(row) = self.table.rows.get(record.index()) else { return none() };
        let Some(source) = self.sources.get(row.source as usize) else { return none() };
        if row.format.is_text() || source.is_item(row) {
            return none();
        }
        let decoded = decode_all(bytes, source.encoding());
        let written = String::from_utf8_lossy(&decoded).into_owned();
        let text = source.text_of(row, written.clone());
        let mut places: BTreeMap<String, Range<usize>> = if source.is_yaml() {
            yaml::places(&text, pointers)
        } else {
            let Ok(tree) = Tree::read(&text, true) else { return none() };
            let nodes = tree.nodes_at(pointers).into_iter();
            nodes.map(|(at, node)| (at.to_owned(), node.start..node.end)).collect()
        };
        if text != written {
            return (text.into_bytes(), places);
        }
        // What is no text was read as U+FFFD, and that is longer or shorter.
        let chunks = Chunks::of(&decoded);
        for place in places.values_mut() {
            *place = chunks.stored(place.start)..chunks.stored(place.end);
        }
        (decoded, places)
    }

    /// Where a record stands in the document that its source is, as a JSON pointer.
    pub(crate) fn pointer_of(&self, row: &Row) -> Option<String> {
        let source = self.sources.get(row.source as usize)?;
        if source.is_wrapped() {
            return None;
        }
        let view = source.view();
        match view.framing.as_deref()? {
            "jsonl" | "yaml" => Some(String::new()),
            "json" if view.kept == 1 => Some(String::new()),
            "json-array" if view.skipped == 0 => Some(format!("/{}", row.index)),
            _ => None,
        }
    }
}

/// Where valid stretches of a text begin as they are read, and as they are stored.
struct Chunks(Vec<(usize, usize)>);

impl Chunks {
    fn of(bytes: &[u8]) -> Self {
        let (mut read, mut stored) = (0, 0);
        let starts = bytes.utf8_chunks().map(|chunk| {
            let start = (read, stored);
            let is_broken = !chunk.invalid().is_empty();
            read += chunk.valid().len()
                + usize::from(is_broken) * char::REPLACEMENT_CHARACTER.len_utf8();
            stored += chunk.valid().len() + chunk.invalid().len();
            start
        });
        Self(starts.collect())
    }

    fn stored(&self, at: usize) -> usize {
        let chunk = self.0.partition_point(|(read, _)| *read <= at).checked_sub(1);
        let chunk = chunk.and_then(|i| self.0.get(i)).copied().unwrap_or_default();
        chunk.1 + (at - chunk.0)
    }
}

impl Run<'_> {
    /// How it ended, if a record says so of the run as a whole.
    pub(crate) fn stated_outcome(&self) -> Option<Outcome> {
        self.row.facts.outcome.map(|(outcome, _)| outcome)
    }

    pub(crate) fn run_format(&self) -> FormatId {
        self.row.format
    }

    pub(crate) fn family(&self) -> Family {
        self.row.format.family()
    }

    /// Ω of an iteration as its columns have it: recorded, and assumed.
    pub(crate) fn omegas(&self, ordinal: usize) -> (Option<u8>, Option<u8>) {
        let at = self.row.first + ordinal;
        let of = |column: &[Option<u8>]| column.get(at).copied().flatten();
        let columns = &self.grouping.columns;
        (of(&columns.omegas), of(&columns.assumed_omegas))
    }

    /// The record of a bundle that it stands in.
    pub(crate) fn bundle_record(&self) -> Option<RecordId> {
        let (record, _) = self.row.parsed_runs.first().copied()?;
        let row = self.table.rows.get(record.index())?;
        row.format.is_bundle().then_some(record)
    }
}

/// Ids of runs, in the order of the history.
pub(crate) fn all_runs(history: &History) -> Vec<RunId> {
    (0..history.run_count()).map(RunId::at).collect()
}
