//! Findings as the page shows them: with names in place of ids.

use hindscope::{Finding, RunId, SourceView, Span};

use super::session::Session;
use crate::protocol::{FindingRow, SourceRow, count};

/// Iterations that a finding is linked to.
const EVIDENCE: usize = 200;

/// A source with the worst that is known of it.
pub(crate) fn of_source(session: &mut Session, view: &SourceView) -> SourceRow {
    let findings = session.findings();
    let own = session.findings_of(view.id);
    let worst = own.iter().take(3).filter_map(|at| findings.get(*at as usize));
    let worst = worst.map(|finding| row(session, finding)).collect();
    SourceRow { view: view.clone(), worst, findings: count(own.len()) }
}

/// Findings about one iteration of a run.
pub(crate) fn of_iteration(session: &mut Session, run: RunId, number: i64) -> Vec<FindingRow> {
    session
        .findings()
        .iter()
        .filter(|finding| finding.run == Some(run) && finding.iteration == Some(number))
        .map(|finding| row(session, finding))
        .collect()
}

/// Findings about one record: those that name it, and those that stand inside of it.
pub(crate) fn of_record(session: &mut Session, span: &Span) -> Vec<FindingRow> {
    session
        .findings()
        .iter()
        .filter(|finding| is_about(finding, span))
        .map(|finding| row(session, finding))
        .collect()
}

/// Whether a finding is about a record.
pub(crate) fn is_about(finding: &Finding, span: &Span) -> bool {
    match finding.record {
        Some(record) => record == span.record,
        None => {
            finding.source == Some(span.source)
                && finding.offset.is_some_and(|at| (span.start..span.end).contains(&at))
        }
    }
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
