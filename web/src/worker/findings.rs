//! Findings as the page shows them: filtered, counted, with names in place of ids.

use std::collections::BTreeMap;

use hindscope::{Finding, RunId, Severity, SourceView, Span};

use super::answer::part;
use super::desk::{Desk, is_damaged};
use super::life::count;
use super::rows::{has_words, words};
use crate::protocol::{
    FindingChoice, FindingRow, FindingsBody, Level, Page, Rows, RuleCount, SourceRow,
};

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Info => Self::Info,
        }
    }
}

/// One page of the findings that a choice lets through.
pub(crate) fn page(desk: &mut Desk, choice: &FindingChoice, rows: Rows) -> FindingsBody {
    let findings = desk.findings();
    let run = choice.run.as_ref().map(|address| desk.find(address));
    let words = words(&choice.text);
    let mut body = FindingsBody::default();
    let mut rules: BTreeMap<(Level, &str), u32> = BTreeMap::new();
    let mut chosen = Vec::new();
    for finding in findings.iter() {
        let level = Level::from(finding.severity);
        let path = finding.source.and_then(|source| desk.path(source));
        let fits = run.is_none_or(|run| run.is_some() && finding.run == run)
            && choice.source.as_ref().is_none_or(|source| path.as_ref() == Some(source))
            && has_words(
                &words,
                &[&finding.message, &finding.rule, path.as_deref().unwrap_or_default()],
            );
        if !fits {
            continue;
        }
        let by_level = choice.level.is_none_or(|wanted| wanted == level);
        let by_rule = choice.rule.as_ref().is_none_or(|rule| *rule == finding.rule);
        if by_rule {
            body.levels[level as usize] += 1;
        }
        if by_level {
            *rules.entry((level, &finding.rule)).or_default() += 1;
        }
        if by_level && by_rule {
            chosen.push(finding);
        }
    }
    body.rules = rules
        .into_iter()
        .map(|((level, rule), count)| RuleCount { rule: rule.to_owned(), level, count })
        .collect();
    let shown = part(&chosen, rows);
    body.page = Page {
        all: count(findings.len()),
        total: count(chosen.len()),
        first: shown.start,
        rows: chosen[shown.start as usize..shown.end as usize]
            .iter()
            .map(|finding| row(desk, finding))
            .collect(),
    };
    body.damage = desk.sources().iter().filter(|source| is_damaged(source)).cloned().collect();
    body
}

/// A source with the worst that is known of it.
pub(crate) fn of_source(desk: &mut Desk, view: &SourceView) -> SourceRow {
    let findings = desk.findings();
    let own = desk.findings_of(view.id);
    let worst = own.iter().take(3).filter_map(|at| findings.get(*at as usize));
    let worst = worst.map(|finding| row(desk, finding)).collect();
    SourceRow { view: view.clone(), worst, findings: count(own.len()) }
}

/// Findings about one iteration of a run.
pub(crate) fn of_iteration(desk: &mut Desk, run: RunId, number: i64) -> Vec<FindingRow> {
    desk.findings()
        .iter()
        .filter(|finding| finding.run == Some(run) && finding.iteration == Some(number))
        .map(|finding| row(desk, finding))
        .collect()
}

/// Findings about one record: those that name it, and those that stand inside of it.
pub(crate) fn of_record(desk: &mut Desk, span: &Span) -> Vec<FindingRow> {
    desk.findings()
        .iter()
        .filter(|finding| is_about(finding, span))
        .map(|finding| row(desk, finding))
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

#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
pub(crate) fn row(desk: &mut Desk, finding: &Finding) -> FindingRow {
    FindingRow {
        rule: finding.rule.to_string(),
        level: finding.severity.into(),
        path: finding.source.and_then(|source| desk.path(source)),
        line: finding.line,
        column: finding.column,
        offset: finding.offset.map(|offset| offset as f64),
        pointer: finding.pointer.clone(),
        run: finding.run.and_then(|run| desk.rows(&[run]).pop()).map(|row| row.address),
        iteration: finding.iteration,
        message: finding.message.clone(),
        hint: finding.hint.as_deref().map(str::to_owned),
    }
}
