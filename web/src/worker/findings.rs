//! Findings as the page shows them: with names in place of ids.

use hindscope::{Finding, SourceView, Span};

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

/// Those of all findings that are wanted.
pub(crate) fn rows(session: &mut Session, is_it: impl Fn(&Finding) -> bool) -> Vec<FindingRow> {
    let findings = session.findings();
    let wanted = findings.iter().filter(|finding| is_it(finding));
    wanted.map(|finding| row(session, finding)).collect()
}

/// Whether a finding is about a record: it names the record, or stands inside of it.
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
