//! `analytics-csv`: one attempt a row.

use crate::sort::StableSort as _;
use std::ops::Range;

use csv_core::ReadRecordResult;
use serde_json::{Map, Value};

use super::measured::{self, SCORE};
use super::parsed_record::{Context, Cut, Cuts, ParsedRecord};
use super::traits::{Role, Traits};
use super::{Format, Reading};
use crate::model::details::{Details, NamedText};
use crate::model::finding::{Finding, Severity};
use crate::source::framing::Framing;

pub(crate) const FORMAT: Format = Format {
    id: "analytics-csv",
    title: "CSV of iteration analytics",
    gives: "iterations with quality scores and usage",
    known_by: "the exact header line",
    found_at: "any name, *.csv",
    fits,
    traits: Traits { rank: 11, role: Role::Table, ..Traits::USUAL },
    reading: Reading::Text { framing: Framing::Csv, cut, parse },
};

/// Columns, as the header names them, and the members that they are elsewhere.
const COLUMNS: [(&str, &str); 8] = [
    ("iteration", "iteration_number"),
    ("timestamp", "timestamp"),
    (SCORE, SCORE),
    ("quality_delta", "quality_delta"),
    ("tokens_used", "tokens_used"),
    ("cost_usd", "token_cost_usd"),
    ("execution_time_ms", "execution_time_ms"),
    ("verification_status", "verification_status"),
];

/// Whether a record is of this format: the first line is the header, and nothing else.
fn fits(value: &Value, _context: &Context) -> bool {
    let first = value.as_str().and_then(|text| text.trim_start().lines().next());
    first.is_some_and(|line| line.trim_end().split(',').eq(COLUMNS.map(|(name, _)| name)))
}

/// A row, and where it stands.
struct Row {
    range: Range<usize>,
    cells: Vec<String>,
}

/// Rows that are not blank. A quoted cell may hold line breaks.
fn rows(text: &str) -> Vec<Row> {
    let mut reader = csv_core::Reader::new();
    let mut cells = vec![0; text.len()];
    let mut ends = vec![0; text.len() + 1];
    let (mut at, mut start, mut len, mut count) = (0, 0, 0, 0);
    let mut rows = Vec::new();
    loop {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        let (Some(free), Some(free_ends)) = (cells.get_mut(len..), ends.get_mut(count..)) else {
            break;
        };
        let (result, read, written, ended) = reader.read_record(rest, free, free_ends);
        at += read;
        len += written;
        count += ended;
        match result {
            // Asked again with nothing more, it ends the last row.
            ReadRecordResult::InputEmpty => {}
            ReadRecordResult::Record => {
                let ends = ends.get(..count).unwrap_or_default();
                rows.extend(row(text, start..at, &cells, ends));
                (start, len, count) = (at, 0, 0);
            }
            ReadRecordResult::OutputFull
            | ReadRecordResult::OutputEndsFull
            | ReadRecordResult::End => break,
        }
    }
    rows
}

fn row(text: &str, range: Range<usize>, cells: &[u8], ends: &[usize]) -> Option<Row> {
    let raw = text.get(range.clone())?;
    let inner = raw.trim_matches(['\r', '\n']);
    if inner.trim().is_empty() {
        return None;
    }
    let start = range.start + (raw.len() - raw.trim_start_matches(['\r', '\n']).len());
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let cell = |(from, to): (usize, &usize)| cells.get(from..*to).unwrap_or_default();
    Some(Row {
        range: start..start + inner.len(),
        cells: starts
            .zip(ends)
            .map(|at| String::from_utf8_lossy(cell(at)).trim().to_owned())
            .collect(),
    })
}

/// Every row behind the header.
fn cut(text: &str) -> Cuts {
    let mut cuts = Cuts::default();
    let mut scores = Vec::new();
    for (number, row) in rows(text).into_iter().skip(1).enumerate() {
        if row.cells.len() != COLUMNS.len() {
            cuts.skipped += 1;
            let finding = columns(row.cells.len()).pointer(format!("/{number}"));
            cuts.findings.push((row.range.start, finding));
            continue;
        }
        if let Some(score) = item(&row.cells).remove(SCORE) {
            scores.push((format!("/{number}/{SCORE}"), row.range.start, score));
        }
        cuts.records.push(Cut { range: row.range, context: Context::default() });
    }
    // Findings about a single row are made when that row is read.
    let judged = measured::judge(scores.iter().map(|(pointer, _, score)| (pointer.clone(), score)));
    for finding in judged.into_iter().filter(|f| f.rule == "reward/scale-suspect") {
        let of =
            |(pointer, ..): &&(String, usize, Value)| Some(pointer) == finding.pointer.as_ref();
        let at = scores.iter().find(of).map_or(0, |(_, at, _)| *at);
        cuts.findings.push((at, finding));
    }
    cuts.findings.stable_sort_by_key(|(at, _)| *at);
    cuts
}

/// `csv/columns`.
fn columns(found: usize) -> Finding {
    let expected = COLUMNS.len();
    Finding::new(
        "csv/columns",
        Severity::Error,
        format!(
            "The row has {found} cells, but the header has {expected}. The row is kept as text."
        ),
    )
    .contrast(format!("{expected} cells"), format!("{found} cells"))
    .hint("Put quotes around cells that contain commas or line breaks.")
}

/// The row by the names of other formats; an empty cell is absent.
fn item(cells: &[String]) -> Map<String, Value> {
    let named = COLUMNS.into_iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
    named.map(|((_, name), cell)| (name.to_owned(), Value::String(cell.clone()))).collect()
}

/// One row. Whether another stands before it, only its number says.
fn parse(text: &str, _context: &Context) -> ParsedRecord {
    let cells = rows(text).into_iter().next().map(|row| row.cells).unwrap_or_default();
    let item = Value::Object(item(&cells));
    let is_first = measured::step(&item, false).number == Some(1);
    let step = Details { texts: unread(&cells, &item), ..measured::step(&item, is_first) };
    let score = item.get(SCORE).map(|score| (format!("/{SCORE}"), score));
    let judged = measured::judge(score.into_iter());
    let findings = judged.into_iter().filter(|f| f.rule != "reward/scale-suspect").collect();
    ParsedRecord { findings, ..ParsedRecord::of_step(step) }
}

/// Cells that should be numbers and are none.
fn unread(cells: &[String], item: &Value) -> Vec<NamedText> {
    let is_text = |name| matches!(name, "timestamp" | "verification_status");
    let numbers = COLUMNS.into_iter().zip(cells).filter(|((name, _), _)| !is_text(*name));
    numbers
        .filter(|((_, member), _)| {
            item.get(*member).is_some_and(|cell| super::read::number(cell).is_none())
        })
        .map(|((name, _), cell)| NamedText { name: name.to_owned(), text: cell.clone() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::outcome::Outcome;

    const HEADER: &str = "iteration,timestamp,quality_score,quality_delta,tokens_used,cost_usd,execution_time_ms,verification_status";

    fn texts(body: &str) -> (Vec<String>, Cuts) {
        let text = format!("{HEADER}\n{body}");
        assert!(fits(&Value::String(text.clone()), &Context::default()));
        let cuts = cut(&text);
        (cuts.records.iter().map(|r| text[r.range.clone()].to_owned()).collect(), cuts)
    }

    fn step(row: &str) -> Details {
        parse(row, &Context::default()).runs.remove(0).steps.remove(0)
    }

    #[test]
    fn rows_are_records_without_their_breaks() {
        let (rows, cuts) = texts("1,t,62,,9,0.1,4,failed\r\n\n2,\"a\nb\",81,19,9,0.1,4,passed");
        assert_eq!(rows, ["1,t,62,,9,0.1,4,failed", "2,\"a\nb\",81,19,9,0.1,4,passed"]);
        assert!(cuts.findings.is_empty());
        assert_eq!(step(&rows[1]).time.as_deref(), Some("a\nb"));
    }

    #[test]
    fn an_empty_cell_is_absent() {
        let first = step("1,2026-03-08T12:00:00Z,62,,900,,40000,failed");
        assert_eq!((first.number, first.stored.is_none()), (Some(1), true));
        assert_eq!(first.reward.map(|r| (r.value, r.raw)), Some((0.62, Some("62".to_owned()))));
        assert_eq!(first.usage.and_then(|u| u.cost_usd), None);
        let second = step("2,,81,19,x,,,skipped");
        assert_eq!(second.stored.and_then(|s| s.reward_change), Some(0.19));
        assert_eq!((second.time, second.outcome), (None, Some(Outcome::Unknown)));
        assert_eq!(
            second.texts,
            [NamedText { name: "tokens_used".to_owned(), text: "x".to_owned() }]
        );
    }

    #[test]
    fn a_row_of_another_width_is_kept_as_text() {
        let (rows, cuts) = texts("1,t,62,,9,0.1,4\n2,t,81,19,9,0.1,4,passed");
        assert_eq!((rows.len(), cuts.skipped), (1, 1));
        let [(at, finding)] = &cuts.findings[..] else { panic!("there is one") };
        assert_eq!((*at, finding.rule.as_ref()), (HEADER.len() + 1, "csv/columns"));
        assert_eq!(finding.pointer.as_deref(), Some("/0"));
    }

    #[test]
    fn another_header_is_another_thing() {
        for text in [format!("{HEADER},more\n"), HEADER.replace("cost_usd", "cost"), String::new()]
        {
            assert!(!fits(&Value::String(text), &Context::default()));
        }
        assert!(fits(&Value::String(format!("  {HEADER} \r\n")), &Context::default()));
    }

    #[test]
    fn scores_of_another_scale_are_said_once() {
        let (rows, cuts) = texts("1,t,0.4,,,,,failed\n2,t,0.9,,,,,passed");
        let rules: Vec<_> = cuts.findings.iter().map(|(_, f)| f.rule.as_ref()).collect();
        assert_eq!(rules, ["reward/scale-suspect"]);
        assert!(parse(&rows[0], &Context::default()).findings.is_empty());
        let outside = parse("1,t,140,,,,,failed", &Context::default());
        assert_eq!(outside.findings[0].pointer.as_deref(), Some("/quality_score"));
    }
}
