//! What the inspector asks beside the iteration: rules, records, verdicts, files of exact bytes.

use std::collections::{BTreeMap, BTreeSet};

use hindscope::{
    Framing, Profile, RecordId, RunId, SourceView, error_signature, schema_of, validate_as,
};

use super::explain;
use super::findings;
use super::iteration_body;
use super::no_answer::NoAnswer;
use super::session::Session;
use crate::protocol::{Exported, NotesBody, Page, RecordRow, RecordText, Rows, VerdictBody, count};

/// Findings of a verdict that are listed.
const FINDINGS: usize = 200;

/// What the rules say of one iteration.
pub(crate) fn notes(session: &mut Session, run: RunId, number: i64) -> Result<NotesBody, NoAnswer> {
    let explained = explain::explain(session, run)?;
    let mut reader = session.take_reader(run)?;
    reader.read_attempt(session.records(), number);
    let details = reader.loaded_run.attempt(number)?;
    let errors = details.map(|details| details.errors.as_slice()).unwrap_or_default();
    let signatures: BTreeSet<String> = errors.iter().map(error_signature).collect();
    session.give_reader(reader);
    let all = &explained.explanation;
    Ok(NotesBody {
        run,
        number,
        credits: all.credits.iter().filter(|credit| credit.number == number).cloned().collect(),
        links: all.links.iter().filter(|link| link.number == number).copied().collect(),
        uptakes: all.uptakes.iter().filter(|uptake| uptake.number == number).cloned().collect(),
        errors: all
            .errors
            .iter()
            .filter(|row| signatures.contains(&row.signature))
            .cloned()
            .collect(),
        reflections: all.reflections.iter().filter(|row| row.number == number).cloned().collect(),
        unread: explained.unread,
    })
}

/// Position and id of the record that an address means: the one at `place`, else the leading record of
/// iteration `number`, else the first record of the run.
pub(crate) fn chosen(
    session: &mut Session,
    run: RunId,
    place: Option<&str>,
    number: Option<i64>,
) -> Result<Option<(u32, RecordId)>, NoAnswer> {
    let all = session.history.run(run)?.records();
    let nth = |at: usize| all.get(at).map(|record| (count(at), *record));
    if let Some(place) = place {
        let is_it = |id: &RecordId| {
            let span = session.history.locate(*id);
            span.is_ok_and(|it| format!("{}:{}:{}", it.path, it.line, it.column) == place)
        };
        if let Some(at) = all.iter().position(is_it) {
            return Ok(nth(at));
        }
    }
    let iterations = session.iterations(run)?;
    let leading = iterations.iter().find(|it| Some(it.number) == number).map(|it| it.record);
    let at = all.iter().position(|record| Some(*record) == leading).unwrap_or(0);
    Ok(nth(at))
}

/// Some of the records of a run, in the order in which it is made of them.
pub(crate) fn records(
    session: &mut Session,
    run: RunId,
    rows: Rows,
) -> Result<Page<RecordRow>, NoAnswer> {
    let all = session.history.run(run)?.records();
    let iterations = session.iterations(run)?;
    let sources = session.sources();
    let shown = rows.within(count(all.len()));
    let ids = &all[shown.start as usize..shown.end as usize];
    let mut list: Vec<RecordRow> = ids
        .iter()
        .filter_map(|id| session.history.locate(*id).ok())
        .map(|span| {
            let format = sources
                .get(span.source.0 as usize)
                .and_then(|source: &SourceView| source.format.clone());
            RecordRow { span, format, numbers: Vec::new(), findings: 0 }
        })
        .collect();
    let at: BTreeMap<RecordId, usize> =
        list.iter().enumerate().map(|(at, row)| (row.span.record, at)).collect();
    for iteration in iterations.iter() {
        let reflected = iteration.reflections.iter().map(|reflection| reflection.record);
        let own = std::iter::once(iteration.record).chain(iteration.merged.iter().copied());
        for record in own.chain(reflected) {
            if let Some(row) = at.get(&record).map(|at| &mut list[*at])
                && !row.numbers.contains(&iteration.number)
            {
                row.numbers.push(iteration.number);
            }
        }
    }
    let spans: Vec<_> = list.iter().map(|row| row.span.clone()).collect();
    for (own, _) in findings::about(session, &spans) {
        list[own].findings += 1;
    }
    let total = count(all.len());
    Ok(Page { all: total, total, first: shown.start, rows: list })
}

/// One record as it is written, with its findings.
pub(crate) fn record(session: &mut Session, id: RecordId) -> Result<RecordText, NoAnswer> {
    let part = iteration_body::raw_part(session, id)?;
    let about = findings::about(session, std::slice::from_ref(&part.span));
    let findings = findings::rows(session, about.iter().map(|(_, brief)| brief));
    Ok(RecordText { part, findings })
}

/// Whether a record is valid by its schema.
pub(crate) fn verdict(session: &mut Session, id: RecordId) -> Result<VerdictBody, NoAnswer> {
    let span = session.history.locate(id)?;
    let source = session.sources().get(span.source.0 as usize).cloned();
    let schema = source.as_ref().and_then(|source| schema_of(source.format.as_deref()?));
    let is_json = source.and_then(|source| source.framing).is_some_and(|framing| {
        matches!(framing, Framing::Json | Framing::JsonArray | Framing::Jsonl)
    });
    let Some(schema) = schema.filter(|_| is_json) else {
        let none = VerdictBody {
            record: id,
            schema: None,
            is_valid: false,
            findings: Vec::new(),
            more: 0,
        };
        return Ok(none);
    };
    let bytes = session.files.read(&span)?;
    let text = session.history.raw_text(id, &bytes)?;
    let answer = validate_as(text.as_bytes(), schema, Profile::Strict);
    let shown = answer.findings.iter().take(FINDINGS);
    Ok(VerdictBody {
        record: id,
        schema: Some(schema.as_str().to_owned()),
        is_valid: answer.valid,
        findings: shown.map(|finding| findings::row(session, finding)).collect(),
        more: count(answer.findings.len().saturating_sub(FINDINGS)),
    })
}

/// The exact bytes of a record as a file.
pub(crate) fn save(session: &Session, id: RecordId) -> Result<Exported, NoAnswer> {
    let span = session.history.locate(id)?;
    let name = file_name(&span.path, span.line);
    let file = session.files.stretch(span.source, &name, span.start, span.end)?;
    Ok(Exported { name, file })
}

/// The name of a record's file: that of its source with the line, in letters that every system
/// takes.
fn file_name(path: &str, line: u32) -> String {
    let name = path.rsplit('/').next().unwrap_or_default();
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '_' })
        .take(80)
        .collect();
    let plain = plain.trim_start_matches('.');
    match plain.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => format!("{stem}-{line}.{extension}"),
        _ if plain.is_empty() => format!("record-{line}"),
        _ => format!("{plain}-{line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(file_name("b.zip/it-9.json", 3), "it-9-3.json");
        assert_eq!(file_name("x/<b>\u{202e}gpj.exe/../..", 1), "record-1");
        assert_eq!(file_name("a/<img src=x>.jsonl", 7), "_img_src_x_-7.jsonl");
        assert_eq!(file_name("LOG", 2), "LOG-2");
    }
}
