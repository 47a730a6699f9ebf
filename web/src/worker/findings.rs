//! Findings as the page shows them: with names in place of ids.

use std::collections::{BTreeMap, BTreeSet};

use hindscope::{Finding, RecordId, SourceId, SourceView, Span};

use super::finding_index::Brief;
use super::session::Session;
use crate::protocol::{FindingRow, SourceRow, count};

/// Iterations that a finding is linked to.
const EVIDENCE: usize = 200;

/// A source with the worst that is known of it.
pub(crate) fn of_source(session: &mut Session, view: &SourceView) -> SourceRow {
    let index = session.findings();
    let own = index.of_source(view.id);
    let findings = count(own.len());
    let file = session.files.origin(view.id);
    SourceRow { view: view.clone(), file, worst: rows(session, own.take(3)), findings }
}

/// Those that these briefs are of.
pub(crate) fn rows<'a>(
    session: &mut Session,
    briefs: impl Iterator<Item = &'a Brief>,
) -> Vec<FindingRow> {
    let made = briefs.filter_map(|brief| {
        let finding = session.finding(brief.at)?;
        Some(row(session, &finding))
    });
    made.collect()
}

/// The findings about each of these records, by their positions in the list: those that name the record, and
/// those that stand inside of it.
pub(crate) fn about(session: &mut Session, spans: &[Span]) -> Vec<(usize, Brief)> {
    let by_record: BTreeMap<RecordId, usize> =
        spans.iter().enumerate().map(|(at, span)| (span.record, at)).collect();
    let sources: BTreeSet<SourceId> = spans.iter().map(|span| span.source).collect();
    let index = session.findings();
    let of = |brief: &Brief| {
        if let Some(record) = brief.record {
            return by_record.get(&record).copied();
        }
        let source = brief.source.filter(|source| sources.contains(source))?;
        let offset = brief.offset?;
        spans
            .iter()
            .position(|span| span.source == source && (span.start..span.end).contains(&offset))
    };
    index.briefs.iter().filter_map(|brief| Some((of(brief)?, *brief))).collect()
}

pub(crate) fn row(session: &mut Session, finding: &Finding) -> FindingRow {
    let evidence = finding.evidence.iter().take(EVIDENCE).map(|evidence| evidence.number);
    FindingRow {
        rule: finding.rule.to_string(),
        level: finding.severity,
        source: finding.source,
        path: finding.source.and_then(|source| session.path(source)),
        line: finding.line,
        column: finding.column,
        offset: finding.offset,
        pointer: finding.pointer.clone(),
        run: finding.run.and_then(|run| session.rows(&[run]).pop()).map(|row| row.address),
        iteration: finding.iteration,
        expected: finding.expected.clone(),
        found: finding.found.clone(),
        evidence: evidence.collect(),
        evidence_count: count(finding.evidence.len()),
        message: finding.message.clone(),
        hint: finding.hint.as_deref().map(str::to_owned),
    }
}
