//! A search through everything that is open, while it goes on.
//!
//! Columns say which iterations can match at all. Records of those are read in batches; what their
//! bytes rule out is not parsed. Whoever has the bytes hands them over, as for an
//! [`Export`](crate::Export).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Serialize;

use super::hit::{Hit, SearchProgress, Stretch};
use super::matching::FoundFindings;
use super::plan::{RecordPart, Unit, units};
use super::scan::Scan;
use super::sieve::Sieve;
use super::texts::SearchPart;
use super::{Query, Term};
use crate::error::{Error, ErrorCode};
use crate::history::{History, Opened};
use crate::model::id::{RecordId, RunId, SourceId};
use crate::model::reward;
use crate::model::view::SourceState;

/// Bytes of records that are asked for at a time, and of files without a history.
const BATCH: u64 = 1 << 20;
/// Bytes of records that one step looks through after parsing them.
pub(super) const STEP: u64 = 256 << 10;
/// Iterations that one step looks at.
pub(super) const UNITS: usize = 512;

/// What is searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchOptions {
    /// Which parts of records.
    pub parts: Vec<SearchPart>,
    /// The run to which the search is limited; absent: all are searched.
    pub run: Option<RunId>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { parts: SearchPart::DEFAULT.to_vec(), run: None }
    }
}

/// A search while it goes on.
///
/// [`Search::needs`] names the stretches that are needed next, [`History::supply_search`] takes
/// their bytes, and [`History::hits`] gives what was found; nothing once all is searched.
pub struct Search {
    pub(super) query: Query,
    options: SearchOptions,
    pub(super) sieve: Sieve,
    findings: FoundFindings,
    /// Records that the history had, so that a history that grew is known.
    record_count: usize,
    next: Next,
    /// Units of the current run that are in no batch yet.
    planned: VecDeque<Unit>,
    /// The batch.
    pub(super) batch: VecDeque<Unit>,
    pub(super) wanted: BTreeMap<RecordId, Option<Wanted>>,
    /// Records that were not read yet, by source and first byte: their last byte, and their ids.
    unread: BTreeMap<(SourceId, u64), (u64, Vec<RecordId>)>,
    pub(super) opened: BTreeMap<RecordId, Option<Opened>>,
    scan: Option<Scan>,
    pub(super) found: Vec<Hit>,
    /// Records that are counted already.
    counted: BTreeSet<RecordId>,
    last_run: Option<RunId>,
    pub(super) progress: SearchProgress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Run(usize),
    Loose(usize),
    File(usize),
    Done,
}

/// A record of a batch that was read: words that may be in it, and its bytes if any is.
type Wanted = (u64, Vec<u8>);

impl std::fmt::Debug for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search")
            .field("query", &self.query)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

impl Search {
    /// How far it has come.
    pub fn progress(&self) -> SearchProgress {
        self.progress
    }

    /// What is looked for.
    pub fn query(&self) -> &Query {
        &self.query
    }

    pub(super) fn has(&self, part: SearchPart) -> bool {
        self.options.parts.contains(&part)
    }

    /// Whether the texts of records decide anything.
    pub(super) fn reads_records(&self) -> bool {
        self.query.terms.iter().any(|term| term.test.is_of_text())
    }

    /// Counts the bytes of a record, the first time.
    fn count(&mut self, record: RecordId, (_, start, end): (SourceId, u64, u64)) {
        if self.counted.insert(record) {
            let progress = &mut self.progress;
            progress.bytes = progress.total.min(progress.bytes + (end - start));
        }
    }

    fn is_waiting(&self) -> bool {
        !self.unread.is_empty() || (self.batch.is_empty() && self.scan.is_some())
    }

    /// Stretches of files that are still needed before [`History::hits`] goes on, in order.
    pub fn needs(&self) -> Vec<(SourceId, u64, u64)> {
        if let Some(scan) = self.scan.as_ref().filter(|_| self.batch.is_empty()) {
            return vec![(scan.source, scan.at, scan.end.min(scan.at + BATCH))];
        }
        self.unread.iter().map(|((source, start), (end, _))| (*source, *start, *end)).collect()
    }

    /// Says that a stretch cannot be read any more: the search goes on without it.
    pub fn pass_over(&mut self, source: SourceId, start: u64) {
        let is_scanned = |scan: &mut Scan| scan.source == source && scan.at == start;
        if let Some(scan) = self.scan.take_if(is_scanned) {
            self.progress.unread += 1;
            self.progress.bytes += scan.end - scan.at;
            return;
        }
        let lost = self.unread.remove(&(source, start)).unwrap_or_default();
        self.progress.unread += reward::count(lost.1.len());
    }
}

impl History {
    /// Begins a search.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRun`].
    ///
    /// # Example: what is found, and where
    ///
    /// ```
    /// use hindscope::{History, Profile, Query, SearchOptions};
    ///
    /// let lines = br#"{"trial_number":1,"loop_id":"a","outcome":"failure","reflection":"Add a null check."}"#;
    /// let mut history = History::new(Profile::Lenient);
    /// let source = history.open("loop.jsonl");
    /// history.push(source, lines)?;
    /// history.finish(source)?;
    /// let query = Query::parse("\"null check\"").expect("a phrase");
    /// let mut search = history.search(query, SearchOptions::default())?;
    /// let mut found = Vec::new();
    /// while let Some(hits) = history.hits(&mut search)? {
    ///     found.extend(hits);
    ///     for (source, start, end) in search.needs() {
    ///         let bytes = &lines[start as usize..end as usize];
    ///         history.supply_search(&mut search, source, start, bytes)?;
    ///     }
    /// }
    /// assert_eq!((found.len(), found[0].number), (1, Some(1)));
    /// assert_eq!(found[0].pieces(), [("Add a ", false), ("null check", true), (".", false)]);
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn search(&self, query: Query, options: SearchOptions) -> Result<Search, Error> {
        let total = match options.run {
            None => {
                let all = self.sources();
                let read = all.iter().filter(|source| source.state != SourceState::Refused);
                read.map(|source| source.bytes).sum()
            }
            Some(run) => {
                let spans =
                    self.run(run)?.records().into_iter().filter_map(|r| self.locate(r).ok());
                spans.map(|span| span.end - span.start).sum()
            }
        };
        Ok(Search {
            sieve: Sieve::of(&query),
            findings: FoundFindings::of(self, &query),
            query,
            record_count: self.record_count(),
            next: Next::Run(options.run.map_or(0, RunId::index)),
            options,
            planned: VecDeque::new(),
            batch: VecDeque::new(),
            wanted: BTreeMap::new(),
            unread: BTreeMap::new(),
            opened: BTreeMap::new(),
            scan: None,
            found: Vec::new(),
            counted: BTreeSet::new(),
            last_run: None,
            progress: SearchProgress { total, ..SearchProgress::default() },
        })
    }

    /// What a search needs next, with paths.
    pub fn needs_of_search(&self, search: &Search) -> Vec<Stretch> {
        let path = |source| self.path_of(source).unwrap_or_default();
        let stretch = |(source, start, end)| Stretch { source, path: path(source), start, end };
        search.needs().into_iter().map(stretch).collect()
    }

    /// Hands over a stretch that a search needs, by its source and first byte. A stretch that it
    /// does not need changes nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::StaleExport`] if more was opened since; [`ErrorCode::WrongBytes`] if their number
    /// is not that of the stretch.
    pub fn supply_search(
        &self,
        search: &mut Search,
        source: SourceId,
        start: u64,
        bytes: &[u8],
    ) -> Result<(), Error> {
        self.check_search(search)?;
        let scanned = search.scan.as_ref().filter(|_| search.batch.is_empty());
        let end = match scanned.filter(|scan| (scan.source, scan.at) == (source, start)) {
            Some(scan) => scan.end.min(scan.at + BATCH),
            None => match search.unread.get(&(source, start)) {
                Some((end, _)) => *end,
                None => return Ok(()),
            },
        };
        if bytes.len() as u64 != end - start {
            let len = bytes.len();
            let message =
                format!("the requested part has {} bytes, but {len} were supplied", end - start);
            return Err(Error::new(ErrorCode::WrongBytes, message));
        }
        if let Some(scan) = search.scan.as_mut().filter(|_| search.batch.is_empty()) {
            scan.push(bytes, &search.query, &search.sieve, &mut search.found);
            search.progress.bytes += end - start;
            search.scan.take_if(|scan| scan.at >= scan.end);
            return Ok(());
        }
        let is_verbatim = self.is_verbatim(source);
        // What must not occur may stand in a record that has none of the words.
        let keeps_all =
            search.sieve.all() == 0 || search.query.terms.iter().any(Term::is_forbidden);
        for record in search.unread.remove(&(source, start)).unwrap_or_default().1 {
            // Another record may begin at the same byte and be longer.
            let own = self.place_of(record).and_then(|place| usize::try_from(place.2 - start).ok());
            let bytes = own.and_then(|len| bytes.get(..len)).unwrap_or(bytes);
            let bits = search.sieve.sift(bytes, is_verbatim && self.keeps_verbatim(record));
            let is_kept = bits != 0 || keeps_all;
            let kept = if is_kept { bytes.to_vec() } else { Vec::new() };
            search.wanted.insert(record, Some((bits, kept)));
        }
        Ok(())
    }

    fn check_search(&self, search: &Search) -> Result<(), Error> {
        if search.record_count == self.record_count() {
            return Ok(());
        }
        Err(Error::new(
            ErrorCode::StaleExport,
            "More files were opened since this search started. Start a new search.",
        ))
    }

    /// What was found since the last call, run by run in the order of the history; nothing once all
    /// is searched. A step takes a few milliseconds, and its list may be empty: ask for what
    /// [`Search::needs`], and call again.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::StaleExport`] if more was opened since; [`ErrorCode::UnreadRecord`] if a stretch
    /// was not supplied.
    pub fn hits(&self, search: &mut Search) -> Result<Option<Vec<Hit>>, Error> {
        self.check_search(search)?;
        if search.is_waiting() {
            return Err(Error::new(
                ErrorCode::UnreadRecord,
                "The search needs bytes that were not supplied.",
            ));
        }
        if search.progress.is_done {
            return Ok(None);
        }
        if search.batch.is_empty() {
            search.wanted.clear();
            search.opened.clear();
            self.plan(search);
        } else {
            self.look(search);
        }
        if search.next == Next::Done
            && search.batch.is_empty()
            && search.planned.is_empty()
            && search.scan.is_none()
        {
            search.progress.is_done = true;
            search.progress.bytes = search.progress.total;
        }
        let found = std::mem::take(&mut search.found);
        for hit in &found {
            search.progress.hits += 1;
            if hit.run.is_some() && hit.run != search.last_run {
                search.last_run = hit.run;
                search.progress.runs += 1;
            }
        }
        Ok(Some(found))
    }

    /// Makes the next batch.
    fn plan(&self, search: &mut Search) {
        let (mut bytes, mut looked) = (0, 0);
        loop {
            while let Some(unit) = search.planned.pop_front() {
                looked += 1;
                bytes += self.want(search, &unit);
                search.batch.push_back(unit);
                if bytes >= BATCH {
                    return;
                }
            }
            if looked >= UNITS || !self.plan_more(search) {
                return;
            }
            looked += 1;
        }
    }

    /// Notes the records that a unit needs, and gives the bytes that are new.
    fn want(&self, search: &mut Search, unit: &Unit) -> u64 {
        let mut bytes = 0;
        for record in unit.records() {
            let Some(place) = self.place_of(record) else { continue };
            search.count(record, place);
            if search.reads_records() && !search.wanted.contains_key(&record) {
                bytes += place.2 - place.1;
                search.wanted.insert(record, None);
                let unread = search.unread.entry((place.0, place.1)).or_default();
                unread.0 = unread.0.max(place.2);
                unread.1.push(record);
            }
        }
        bytes
    }

    /// Plans the next run, record or file; whether there may be more of them.
    fn plan_more(&self, search: &mut Search) -> bool {
        match search.next {
            Next::Run(at) if at < self.run_count() => {
                self.plan_run(search, RunId::at(at));
                let is_only = search.options.run.is_some();
                search.next = if is_only { Next::Done } else { Next::Run(at + 1) };
                true
            }
            Next::Run(_) => {
                search.next = Next::Loose(0);
                // What belongs to no run has its text only.
                if !search.reads_records() || search.query.terms.iter().any(Term::is_of_run) {
                    search.next = Next::Done;
                }
                true
            }
            Next::Loose(at) if at < self.record_count() => {
                search.next = Next::Loose(at + 1);
                let record = RecordId::at(at);
                if self.run_of(record).is_none() && self.is_of_source(search, record) {
                    let record_parts = vec![(record, RecordPart::Whole)];
                    let raw = if search.has(SearchPart::Raw) { vec![record] } else { Vec::new() };
                    search.planned.push_back(Unit { record_parts, raw, ..Unit::default() });
                }
                true
            }
            Next::Loose(_) => {
                search.next = if search.has(SearchPart::Text) { Next::File(0) } else { Next::Done };
                true
            }
            Next::File(at) => {
                search.scan = self.scan_of(search, at);
                let has_more = at + 1 < self.source_count();
                search.next = if has_more { Next::File(at + 1) } else { Next::Done };
                has_more && search.scan.is_none()
            }
            Next::Done => false,
        }
    }

    fn scan_of(&self, search: &Search, at: usize) -> Option<Scan> {
        let id = SourceId::at(at);
        let view = self.source(id).ok()?;
        let is_asked = search.query.lets_path(&view.path);
        if view.state != SourceState::Raw || view.bytes == 0 || !is_asked {
            return None;
        }
        Some(Scan::new(id, self.encoding_of(id)?, view.bytes))
    }

    fn is_of_source(&self, search: &Search, record: RecordId) -> bool {
        let path = self.source_of(record).ok().and_then(|source| self.path_of(source));
        search.query.lets_path(&path.unwrap_or_default())
    }

    /// Plans a run, and counts those of its records that columns rule out.
    fn plan_run(&self, search: &mut Search, id: RunId) {
        let Ok(run) = self.run(id) else { return };
        let has_raw = search.has(SearchPart::Raw);
        let units = units(self, &search.query, &search.findings, &run, has_raw);
        let looked: BTreeSet<RecordId> = units.iter().flat_map(Unit::records).collect();
        for record in run.records().into_iter().filter(|record| !looked.contains(record)) {
            if let Some(place) = self.place_of(record) {
                search.count(record, place);
            }
        }
        search.planned = units.into();
    }
}
