//! What exports ask of a history beyond what everybody may.

use super::History;
use super::id::{GroupId, RecordId, RunId, SourceId};
use super::outcome::Outcome;
use super::row::{Row, Table};
use super::run::Run;
use super::source::Source;
use crate::format::{Family, FormatId};
use crate::source::encoding::decode_all;
use crate::validate::Profile;
use crate::validate::finding::Finding;

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
            let findings = source.findings().iter().enumerate();
            findings.map(|(at, finding)| (finding.clone(), source.more(at)))
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

    /// Where a record stands in the document that its source is, as a JSON pointer.
    pub(crate) fn pointer_of(&self, row: &Row) -> Option<String> {
        let source = self.sources.get(row.source as usize)?;
        if source.findings().iter().any(|f| f.rule == "sniff/wrapped") {
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

impl Run<'_> {
    /// How it ended, if a record says so of the run as a whole.
    pub(crate) fn told_outcome(&self) -> Option<Outcome> {
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
        let (record, _) = self.row.tellings.first().copied()?;
        let row = self.table.rows.get(record.index())?;
        (row.format == FormatId::HindscopeBundle).then_some(record)
    }
}

/// Ids of runs, in the order of the history.
pub(crate) fn all_runs(history: &History) -> Vec<RunId> {
    (0..history.run_count()).map(RunId::at).collect()
}
