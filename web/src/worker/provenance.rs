//! Where a run comes from, and what its records say of it as a whole.

use std::collections::BTreeMap;

use hindscope::{RunDetails, RunId, SourceId, Span};

use super::no_answer::NoAnswer;
use super::session::Session;
use crate::protocol::{AboutBody, FilePlaces, RecordPlace as Place, Said, count};

/// Files that are listed, and places in each of them.
const FILES: usize = 60;
const PLACES: usize = 24;
/// Records that are read for what they say; a run may have a hundred thousand.
const READ: usize = 400;
/// A text above this comes without its end; the raw record has it.
const TEXT_MOST: usize = 64 << 10;

pub(crate) fn about(session: &Session, id: RunId) -> Result<AboutBody, NoAnswer> {
    let records = session.history.run(id)?.records();
    let mut files: BTreeMap<SourceId, FilePlaces> = BTreeMap::new();
    for span in records.iter().filter_map(|record| session.history.locate(*record).ok()) {
        let Span { record, source, path, line, .. } = span;
        let of_file = || FilePlaces { path, records: 0, places: Vec::new() };
        let file = files.entry(source).or_insert_with(of_file);
        file.records += 1;
        if file.places.len() < PLACES {
            file.places.push(Place { record, line });
        }
    }
    let mut body = AboutBody {
        run: id,
        records: count(records.len()),
        all_files: count(files.len()),
        files: files.into_values().take(FILES).collect(),
        said: Vec::new(),
        unread: 0,
        problem: None,
    };
    listen(session, id, &mut body)?;
    Ok(body)
}

/// Reads what says something of the run as a whole.
fn listen(session: &Session, id: RunId, body: &mut AboutBody) -> Result<(), NoAnswer> {
    let mut loaded_run = session.history.loaded_run(id)?;
    let needs = loaded_run.needs_about();
    body.unread = count(needs.len().saturating_sub(READ));
    for record in needs.into_iter().take(READ) {
        let span = session.history.locate(record)?;
        let loaded = session.files.read(&span).and_then(|bytes| {
            session.history.load(&mut loaded_run, record, &bytes).map_err(|error| error.to_string())
        });
        if let Err(reason) = loaded {
            body.problem.get_or_insert(format!("{}: {reason}", span.path));
        }
    }
    for (record, says) in loaded_run.about() {
        if is_key_only(says) {
            continue;
        }
        if let Some(same) = body.said.iter_mut().find(|said| said.says == *says) {
            same.records += 1;
            continue;
        }
        let span = session.history.locate(record)?;
        let place = format!("{}:{}", span.path, span.line);
        body.said.push(Said { place, records: 1, says: says.clone() });
    }
    body.said.iter_mut().for_each(|said| shorten(&mut said.says));
    Ok(())
}

/// Whether a record says no more than whose it is.
fn is_key_only(says: &RunDetails) -> bool {
    let key = says.key.clone();
    *says == RunDetails { key, base: says.base, ..RunDetails::default() }
}

fn shorten(says: &mut RunDetails) {
    let named = says.texts.iter_mut().map(|named| &mut named.text);
    let lists = says.criteria.iter_mut().chain(&mut says.lessons).chain(&mut says.task);
    for text in named.chain(lists).filter(|text| text.len() > TEXT_MOST) {
        text.truncate(text.floor_char_boundary(TEXT_MOST));
        text.push('\u{2026}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_no_statement() {
        let key = RunDetails { key: Some("a".into()), base: Some(1), ..RunDetails::default() };
        assert!(is_key_only(&key));
        assert!(!is_key_only(&RunDetails { status: Some("done".into()), ..key }));
    }
}
