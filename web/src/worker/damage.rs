//! The damage report: what of each source was skipped, repaired or refused, and the bytes there.

use hindscope::{Finding, Skipped, SourceId, SourceState, SourceView, StableSort as _};

use super::finding_index::Brief;
use super::no_answer::NoAnswer;
use super::session::{Session, is_damaged};
use crate::protocol::{BytesBody, DamageKind, DamagePart, DamageRow, Page, Rows, count};

/// Bytes that are shown at once.
const BYTES: u64 = 4096;

/// Areas of the rules that tolerate something.
const TOLERANT: [&str; 6] = ["json/", "jsonl/", "text/", "yaml/", "csv/", "md/"];

/// Sources that lost records, or could not be used at all.
pub(crate) fn sources(session: &mut Session, rows: Rows) -> Page<DamageRow> {
    let sources = session.sources();
    let damaged: Vec<_> = sources.iter().filter(|source| is_damaged(source)).collect();
    let row = |view: &&SourceView| DamageRow {
        is_refused: view.state == SourceState::Refused,
        view: (*view).clone(),
    };
    Page { all: count(sources.len()), ..Page::of(&damaged, rows, row) }
}

/// Parts of a source that were skipped, repaired or refused, in the order of the source.
pub(crate) fn parts(
    session: &mut Session,
    source: SourceId,
    rows: Rows,
) -> Result<Page<DamagePart>, NoAnswer> {
    let view = session.history.source(source)?;
    let skipped = session.history.skipped(source)?.to_vec();
    let index = session.findings();
    // Findings about a whole record say nothing of what was lost, unless something was tolerated in it.
    let speaks = |brief: &&Brief| brief.record.is_none() || is_tolerance(index.rule(brief));
    let own = index.of_source(source).filter(speaks);
    let own: Vec<Finding> = own.filter_map(|brief| session.finding(brief.at)).collect();
    let own: Vec<&Finding> = own.iter().collect();
    let parts = if view.state == SourceState::Refused {
        vec![refused(&own, view.bytes, view.reason)]
    } else {
        all(&skipped, &own, view.skipped)
    };
    Ok(Page::of(&parts, rows, DamagePart::clone))
}

fn is_tolerance(rule: &str) -> bool {
    TOLERANT.iter().any(|area| rule.starts_with(area))
}

fn refused(own: &[&Finding], bytes: u64, reason: Option<String>) -> DamagePart {
    let says = own.first();
    DamagePart {
        kind: DamageKind::Refused,
        stretch: (bytes > 0).then_some((0, bytes)),
        line: says.and_then(|finding| finding.line),
        column: says.and_then(|finding| finding.column),
        offset: Some(0),
        rule: says.map(|finding| finding.rule.to_string()),
        reason: reason.unwrap_or_else(|| "It could not be read.".to_owned()),
    }
}

/// Stretches that were skipped, and what was tolerated elsewhere.
fn all(skipped: &[Skipped], own: &[&Finding], count_skipped: u32) -> Vec<DamagePart> {
    let is_in = |skip: &Skipped, finding: &Finding| {
        finding.offset.is_some_and(|at| at >= skip.start && at < skip.end.max(skip.start + 1))
    };
    let of_loss = |finding: &&&Finding| finding.record.is_none();
    let mut parts: Vec<DamagePart> = skipped
        .iter()
        .map(|skip| {
            let reason = own.iter().filter(of_loss).find(|finding| is_in(skip, finding)).copied();
            DamagePart {
                kind: DamageKind::Skipped,
                stretch: Some((skip.start, skip.end)),
                line: reason.map_or(Some(skip.line), |finding| finding.line),
                column: reason.map_or(Some(skip.column), |finding| finding.column),
                offset: reason.and_then(|finding| finding.offset),
                rule: reason.map(|finding| finding.rule.to_string()),
                reason: reason.map_or_else(
                    || "No format fits this record.".to_owned(),
                    |finding| finding.message.clone(),
                ),
            }
        })
        .collect();
    let has_more = count_skipped as usize > skipped.len();
    for finding in own {
        let kind = match finding.record {
            Some(_) => DamageKind::Repaired,
            None if has_more => DamageKind::Skipped,
            None => continue,
        };
        if !is_tolerance(&finding.rule) || skipped.iter().any(|skip| is_in(skip, finding)) {
            continue;
        }
        parts.push(DamagePart {
            kind,
            stretch: None,
            line: finding.line,
            column: finding.column,
            offset: finding.offset,
            rule: Some(finding.rule.to_string()),
            reason: finding.message.clone(),
        });
    }
    parts.stable_sort_by_key(|part| part.offset.or(part.stretch.map(|(start, _)| start)));
    parts
}

/// Some bytes of a source, as it is stored.
pub(crate) fn bytes(
    session: &Session,
    source: SourceId,
    start: u64,
    end: u64,
) -> Result<BytesBody, NoAnswer> {
    let size = session.files.size(source);
    let start = start.min(size);
    let end = end.clamp(start, size).min(start + BYTES);
    let file = session.files.stretch(source, "bytes", start, end)?;
    Ok(BytesBody { start, bytes: file.read(0, end - start)?, size })
}

#[cfg(test)]
mod tests {
    use hindscope::{History, Profile};

    use super::*;

    type Entry = (DamageKind, Option<(u64, u64)>, Option<String>);

    fn damage_of(path: &str, text: &str) -> Vec<Entry> {
        let mut history = History::new(Profile::Lenient);
        let source = history.open(path);
        history.push(source, text.as_bytes()).expect("open");
        history.finish(source).expect("open");
        let findings = history.findings();
        let own: Vec<&Finding> = findings.iter().collect();
        let skipped = history.skipped(source).expect("open");
        let view = history.source(source).expect("open");
        let parts = all(skipped, &own, view.skipped);
        parts.into_iter().map(|part| (part.kind, part.stretch, part.rule)).collect()
    }

    const RECORD: &str = r#"{"loop_id": "ralph-a", "iteration": 1, "self_reflection": {"reflection_text": "Once more."}}"#;

    #[test]
    fn what_was_skipped_has_its_stretch_and_its_reason() {
        let text = format!("{RECORD}\n{{\"loop_id\": nope}}\n{RECORD}\n");
        let start = RECORD.len() as u64 + 1;
        assert_eq!(
            damage_of("a.jsonl", &text),
            [(DamageKind::Skipped, Some((start, start + 17)), Some("jsonl/bad-line".to_owned()))]
        );
    }

    #[test]
    fn what_was_repaired_stands_where_it_was_tolerated() {
        let text = RECORD.replace("\"}}", "\",}}");
        assert_eq!(
            damage_of("a.json", &text),
            [(DamageKind::Repaired, None, Some("json/trailing-comma".to_owned()))]
        );
        assert_eq!(damage_of("a.json", RECORD), []);
    }
}
