//! Search against a plain look at everything, over all fixtures.

use std::collections::{BTreeMap, BTreeSet};

use hindscope::{Details, History, Hit, Query, RecordId, SearchOptions, SearchPart, SourceState};
use hindscope_tests::{Fixture, Input, fixtures, open};

type Place = (u32, Option<u32>, &'static str, String);

/// Source, line or record, and field.
type Field<'a> = (u32, Option<u32>, &'a str);

fn bytes_of(files: &[Input], source: u32, start: u64, end: u64) -> &[u8] {
    let at = |n: u64| usize::try_from(n).expect("small");
    &files[source as usize].bytes[at(start)..at(end)]
}

fn search(history: &History, files: &[Input], query: &str, parts: &[SearchPart]) -> Vec<Hit> {
    let options = SearchOptions { parts: parts.to_vec(), run: None };
    let query = Query::parse(query).expect("a query");
    let mut search = history.search(query, options).expect("a search");
    let mut found = Vec::new();
    while let Some(hits) = history.hits(&mut search).expect("all was supplied") {
        found.extend(hits);
        for (source, start, end) in search.needs() {
            let bytes = bytes_of(files, source.0, start, end);
            history.supply_search(&mut search, source, start, bytes).expect("its bytes");
        }
    }
    assert_eq!(search.progress().unread, 0);
    found
}

/// Texts of one attempt that are searched whatever a record is about, by a plain look.
fn texts(details: &Details) -> Vec<(&'static str, &str)> {
    let mut all = Vec::new();
    for action in &details.actions {
        all.push(("actions", action.description.as_str()));
        all.extend(action.path.iter().map(|text| ("actions", text.as_str())));
        all.extend(action.command.iter().map(|text| ("actions", text.as_str())));
        all.extend(action.output.iter().map(|text| ("output", text.as_str())));
    }
    for error in &details.errors {
        all.push(("errors", error.message.as_str()));
        all.extend(error.stack.iter().map(|text| ("errors", text.as_str())));
    }
    for check in &details.checks {
        all.extend(check.stdout.iter().map(|text| ("output", text.as_str())));
        all.extend(check.stderr.iter().map(|text| ("output", text.as_str())));
    }
    all.extend(details.strategy.iter().map(|text| ("reflection", text.as_str())));
    all.extend(details.texts.iter().map(|text| ("output", text.text.as_str())));
    all
}

/// Every text of every iteration, read one by one.
fn look(history: &History, files: &[Input]) -> Vec<Place> {
    let mut all = Vec::new();
    let read = |id: RecordId, part: u32| -> Details {
        let span = history.locate(id).expect("a record");
        let bytes = bytes_of(files, span.source.0, span.start, span.end);
        history.inspect(id, part, bytes).expect("it can be read again")
    };
    for run in history.runs() {
        let of_run = history.run(run.id).expect("listed");
        for iteration in of_run.iterations() {
            let place = |part: &'static str, text: &str| {
                (run.id.0, Some(iteration.ordinal), part, text.to_owned())
            };
            let details = read(iteration.record, iteration.part);
            all.extend(texts(&details).into_iter().map(|(part, text)| place(part, text)));
            for at in &iteration.reflections {
                let details = read(at.record, at.part);
                let own = details.reflections.iter().find(|r| r.part == at.part);
                let own = own.expect("the reflection is where it was said to be");
                all.push(place("reflection", &own.text));
                all.extend(own.lessons.iter().map(|lesson| place("lessons", lesson)));
            }
        }
    }
    all
}

/// Some words of a text that a query can ask for as they are.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().count() > 2).take(6).map(str::to_lowercase)
}

fn all() -> Vec<Fixture> {
    fixtures().expect("fixtures can be read")
}

#[test]
fn finds_what_a_plain_look_finds() {
    let parts = SearchPart::ALL;
    let mut asked = 0;
    for fixture in all() {
        let history = open(&fixture.files, 1 << 20);
        let texts = look(&history, &fixture.files);
        let mut by_word: BTreeMap<String, BTreeSet<Field<'_>>> = BTreeMap::new();
        for (run, ordinal, part, text) in &texts {
            for word in words(text) {
                by_word.entry(word).or_default().insert((*run, *ordinal, part));
            }
        }
        let step = by_word.len() / 60 + 1;
        for word in by_word.keys().step_by(step) {
            let wanted: BTreeSet<_> = texts
                .iter()
                .filter(|(.., text)| text.to_lowercase().contains(word.as_str()))
                .map(|(run, ordinal, part, _)| (*run, *ordinal, *part))
                .collect();
            let query = format!("\"{word}\"");
            let found: BTreeSet<_> = search(&history, &fixture.files, &query, &parts)
                .iter()
                .filter_map(|hit| Some((hit.run?.0, hit.ordinal, hit.part?.as_str())))
                .collect();
            let missing: Vec<_> = wanted.difference(&found).collect();
            assert!(missing.is_empty(), "{}: {word}: {missing:?}", fixture.name);
            asked += 1;
        }
    }
    assert!(asked > 500, "{asked}");
}

/// What is found says where: the excerpt is in the text of the record, and its marks are the word.
#[test]
fn what_is_found_is_there() {
    let (mut hits_seen, mut raw_seen) = (0, 0);
    for fixture in all() {
        let history = open(&fixture.files, 1 << 20);
        for word in ["the", "retry", "Test"] {
            for hit in search(&history, &fixture.files, word, &SearchPart::ALL) {
                let matching: Vec<_> =
                    hit.pieces().into_iter().filter(|piece| piece.1).map(|piece| piece.0).collect();
                assert!(!matching.is_empty() && hit.count as usize >= matching.len());
                for text in matching {
                    let is_word = text.to_lowercase().replace(&word.to_lowercase(), "").is_empty();
                    assert!(is_word, "{}: {text}", fixture.name);
                }
                if hit.part == Some(SearchPart::Raw) {
                    let span = history.locate(hit.record.expect("raw text is of a record"));
                    let span = span.expect("a record");
                    let bytes = bytes_of(&fixture.files, span.source.0, span.start, span.end);
                    let raw = history.raw_text(span.record, bytes).expect("its bytes");
                    assert!(raw.contains(&hit.excerpt), "{}", fixture.name);
                    raw_seen += 1;
                }
                hits_seen += 1;
            }
        }
    }
    assert!(hits_seen > 200 && raw_seen > 50, "{hits_seen} {raw_seen}");
}

/// Every record of every file is looked at: a sign that stands in each of them is found in each.
#[test]
fn every_record_and_file_is_searched() {
    for fixture in all() {
        let history = open(&fixture.files, 1 << 20);
        let parts = [SearchPart::Raw, SearchPart::Text];
        let records: BTreeSet<_> = ["e", "a", "0", "1"]
            .into_iter()
            .flat_map(|sign| search(&history, &fixture.files, sign, &parts))
            .filter_map(|hit| hit.record)
            .collect();
        assert_eq!(records.len(), history.record_count(), "{}", fixture.name);
        let raw =
            history.sources().into_iter().filter(|s| s.state == SourceState::Raw && s.bytes > 9);
        for source in raw {
            let found = search(&history, &fixture.files, "e", &parts);
            assert!(found.iter().any(|hit| hit.source == source.id), "{}", source.path);
        }
    }
}
