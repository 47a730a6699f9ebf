//! Looking at what the columns did not rule out.

use super::excerpt::{excerpt, merged};
use super::fields::{Field, Test};
use super::fold::fold;
use super::hit::Hit;
use super::plan::{RecordPart, Unit};
use super::search::{STEP, Search, UNITS};
use super::texts::{SearchPart, TextPart, TextParts};
use crate::history::History;
use crate::model::details::Details;
use crate::model::id::{RecordId, SourceId};
use crate::model::run_details::RunDetails;

impl History {
    /// Looks at some units of the batch.
    pub(super) fn look(&self, search: &mut Search) {
        let (mut bytes, mut units) = (0, 0);
        while bytes < STEP && units < UNITS {
            let Some(unit) = search.batch.pop_front() else { return };
            units += 1;
            bytes += self.look_at(search, &unit);
        }
    }

    /// Looks at one unit, and gives the bytes of records that were opened for it.
    fn look_at(&self, search: &mut Search, unit: &Unit) -> u64 {
        if !search.reads_records() {
            // Columns have decided.
            self.find_iteration(search, unit);
            return 0;
        }
        let records = unit.records();
        let mut bits = 0;
        for record in &records {
            if let Some(Some((own, _))) = search.wanted.get(record) {
                bits |= own;
            }
        }
        let task = self.task_of(unit);
        if let Some((key, task)) = task.as_ref().filter(|_| unit.has_task) {
            bits |= search.sieve.sift(key.as_bytes(), true);
            bits |= search.sieve.sift(task.as_deref().unwrap_or_default().as_bytes(), true);
        }
        if bits != search.sieve.all() {
            return 0;
        }
        let bytes = records.iter().map(|record| self.open_for(search, *record)).sum();
        let parsed = self.parsed(search, unit);
        let raw = self.raw_of(search, unit);
        self.compare_texts(search, unit, task.as_ref(), &parsed, &raw);
        bytes
    }

    /// Finds an iteration as such: no word says where in it.
    fn find_iteration(&self, search: &mut Search, unit: &Unit) {
        let lead = unit.record_parts.first().map(|piece| piece.0);
        let (Some(_), Some(record)) = (unit.ordinal, lead) else { return };
        search.found.push(Hit {
            run: unit.run,
            source: self.source_of(record).unwrap_or(SourceId(0)),
            record: Some(record),
            ordinal: unit.ordinal,
            number: unit.number,
            ..Hit::nowhere("iteration")
        });
    }

    /// Opens a record of the batch, once.
    fn open_for(&self, search: &mut Search, record: RecordId) -> u64 {
        if search.opened.contains_key(&record) {
            return 0;
        }
        let Some(Some((_, bytes))) = search.wanted.get(&record) else {
            return 0;
        };
        if bytes.is_empty() {
            return 0;
        }
        let opened = self.opened(record, bytes).ok();
        // A file that was rewritten meanwhile.
        search.progress.unread += u32::from(opened.is_none());
        search.opened.insert(record, opened);
        bytes.len() as u64
    }

    /// Key and task of the run.
    fn task_of(&self, unit: &Unit) -> Option<(String, Option<String>)> {
        let run = self.run(unit.run?).ok()?;
        let (key, task, _) = run.names();
        Some((key.to_owned(), task.map(str::to_owned)))
    }

    /// What the records of a unit say.
    fn parsed(&self, search: &Search, unit: &Unit) -> Vec<(RecordId, Parsed)> {
        let mut parsed = Vec::new();
        for &(record, piece) in &unit.record_parts {
            let Some(Some(opened)) = search.opened.get(&record) else { continue };
            match piece {
                RecordPart::Attempt(part) => {
                    let Ok(mut details) = self.details_of(record, part, opened) else { continue };
                    details.reflections.retain(|r| unit.own.contains(&(record, r.part)));
                    parsed.push((record, Parsed::Attempt(Box::new(details))));
                }
                RecordPart::Reflection(part) => {
                    let Ok(mut details) = self.details_of(record, part, opened) else { continue };
                    details.reflections.retain(|reflection| reflection.part == part);
                    parsed.push((record, Parsed::Reflections(Box::new(details))));
                }
                RecordPart::Run(of) => {
                    let Ok(about) = Self::about_of(record, of, opened) else { continue };
                    parsed.push((record, Parsed::Run(Box::new(about))));
                }
                RecordPart::Whole => {
                    if let Ok(details) = self.details_of(record, 0, opened) {
                        parsed.push((record, Parsed::Attempt(Box::new(details))));
                    }
                    let runs = if unit.run.is_none() { 0..u32::MAX } else { 0..0 };
                    let about = runs.map_while(|of| Self::about_of(record, of, opened).ok());
                    parsed.extend(about.map(|about| (record, Parsed::Run(Box::new(about)))));
                }
            }
        }
        parsed
    }

    fn raw_of(&self, search: &Search, unit: &Unit) -> Vec<(RecordId, String)> {
        if !search.has(SearchPart::Raw) {
            return Vec::new();
        }
        let text = |&record: &RecordId| {
            let (_, bytes) = search.wanted.get(&record)?.as_ref()?;
            Some((record, self.raw_text(record, bytes).ok()?))
        };
        unit.raw.iter().filter_map(text).collect()
    }

    /// Looks for every word in everything that a unit says.
    fn compare_texts(
        &self,
        search: &mut Search,
        unit: &Unit,
        task: Option<&(String, Option<String>)>,
        parsed: &[(RecordId, Parsed)],
        raw: &[(RecordId, String)],
    ) {
        let known = task.and_then(|(_, task)| task.as_deref());
        let mut all: Vec<(Option<RecordId>, TextPart<'_>)> = Vec::new();
        if let Some((key, task)) = task.filter(|_| unit.has_task) {
            let part = SearchPart::Task;
            all.push((None, TextPart { part, name: "run", index: None, text: key }));
            if let Some(text) = task {
                all.push((None, TextPart { part, name: "task", index: None, text }));
            }
        }
        for (record, parsed) in parsed {
            let mut text_parts = TextParts::default();
            parsed.text_parts(known, &mut text_parts);
            all.extend(text_parts.0.into_iter().map(|text_part| (Some(*record), text_part)));
        }
        for (record, text) in raw {
            let part = SearchPart::Raw;
            all.push((Some(*record), TextPart { part, name: "raw", index: None, text }));
        }
        let mut places: Vec<Vec<(usize, usize)>> = vec![Vec::new(); all.len()];
        let folded: Vec<_> = all.iter().map(|(_, text_part)| fold(text_part.text)).collect();
        for term in &search.query.terms {
            let (Some(needle), true) = (&term.needle, term.test.is_of_text()) else { continue };
            let mut is_found = false;
            for ((at, (_, text_part)), folded) in all.iter().enumerate().zip(&folded) {
                if !is_looked_at(search, &term.test, text_part) {
                    continue;
                }
                let own = needle.places(folded);
                is_found |= !own.is_empty();
                if let Some(places) = places.get_mut(at).filter(|_| !term.is_negated) {
                    places.extend(own);
                }
            }
            if is_found == term.is_negated {
                return;
            }
        }
        if search.sieve.all() == 0 {
            return self.find_iteration(search, unit);
        }
        for ((record, text_part), places) in all.iter().zip(places) {
            let places = merged(places);
            if places.is_empty() {
                continue;
            }
            let cut = excerpt(text_part.text, &places);
            let of = record.or_else(|| self.run(unit.run?).ok()?.records().first().copied());
            let source = of.and_then(|record| self.source_of(record).ok());
            search.found.push(Hit {
                run: unit.run,
                source: source.unwrap_or(SourceId(0)),
                record: *record,
                ordinal: unit.ordinal,
                number: unit.number,
                index: text_part.index,
                ..Hit::of(text_part.part, text_part.name, places.len(), cut)
            });
        }
    }
}

/// Whether a text is among those that a part of the query looks at.
fn is_looked_at(search: &Search, test: &Test, text_part: &TextPart<'_>) -> bool {
    match test {
        Test::Holds(Field::Error, _) => {
            text_part.part == SearchPart::Errors && text_part.name != "stack"
        }
        Test::Holds(..) => text_part.name == "category",
        _ => search.has(text_part.part),
    }
}

/// What one record says of a unit.
enum Parsed {
    Attempt(Box<Details>),
    Reflections(Box<Details>),
    Run(Box<RunDetails>),
}

impl Parsed {
    fn text_parts<'a>(&'a self, task: Option<&str>, all: &mut TextParts<'a>) {
        match self {
            Self::Attempt(details) => {
                details.reflections.iter().for_each(|reflection| all.reflection(reflection));
                all.attempt(details, task);
            }
            Self::Reflections(details) => {
                details.reflections.iter().for_each(|reflection| all.reflection(reflection));
            }
            Self::Run(about) => all.run(about, task),
        }
    }
}
