//! The search that goes on between other messages.

use hindscope::{Hit, Query, RecordId, RunId, Search, SearchOptions, Span};

use super::no_answer::NoAnswer;
use super::session::Session;
use crate::protocol::{FoundHit, Page, Rows, SearchBody, SearchRow, SearchSpec, count};

/// Hits that are kept for the list; all are counted.
const HITS: usize = 200_000;

/// The search that was asked for last.
#[derive(Default)]
pub(crate) struct Searches(Option<Going>);

struct Going {
    spec: SearchSpec,
    search: Search,
    hits: Vec<Hit>,
    rows: Vec<Row>,
    /// The row of the last head.
    head: usize,
    is_cancelled: bool,
}

enum Row {
    /// The first of its hits.
    Head {
        first: u32,
        hits: u32,
    },
    Hit(u32),
}

impl Searches {
    /// Begins a search, unless it is the same as the last one.
    pub(crate) fn begin(
        &mut self,
        session: &mut Session,
        spec: &SearchSpec,
    ) -> Result<(), NoAnswer> {
        if self.0.as_ref().is_some_and(|going| going.spec == *spec) {
            return Ok(());
        }
        self.0 = None;
        let query = Query::parse(&spec.text).map_err(|error| NoAnswer::from(error.message))?;
        let run = spec.run.as_ref().map(|address| session.run_of(address)).transpose()?;
        let options = SearchOptions { parts: spec.parts.clone(), run };
        self.0 = Some(Going {
            spec: spec.clone(),
            search: session.history.search(query, options)?,
            hits: Vec::new(),
            rows: Vec::new(),
            head: 0,
            is_cancelled: false,
        });
        Ok(())
    }

    /// Whether there is more to do.
    pub(crate) fn is_going(&self) -> bool {
        self.0.as_ref().is_some_and(|going| !going.is_cancelled && !going.search.progress().is_done)
    }

    /// Looks at a little more.
    pub(crate) fn step(&mut self, session: &Session) {
        let Some(going) = self.0.as_mut() else { return };
        for (source, start, end) in going.search.needs() {
            let place = Span {
                record: RecordId(0),
                source,
                path: String::new(),
                start,
                end,
                line: 1,
                column: 1,
            };
            let supplied = match session.files.read(&place) {
                Ok(bytes) => {
                    session.history.supply_search(&mut going.search, source, start, &bytes).is_ok()
                }
                Err(_) => false,
            };
            if !supplied {
                going.search.pass_over(source, start);
            }
        }
        match session.history.hits(&mut going.search) {
            Ok(found) => found.into_iter().flatten().for_each(|hit| going.take(hit)),
            Err(_) => going.is_cancelled = true,
        }
    }

    /// Ends it; what was found stays.
    pub(crate) fn cancel(&mut self) {
        if let Some(going) = &mut self.0 {
            going.is_cancelled = true;
        }
    }

    /// Forgets it: the history is another one now.
    pub(crate) fn forget(&mut self) {
        self.0 = None;
    }

    pub(crate) fn body(&self, session: &mut Session, rows: Rows) -> SearchBody {
        let Some(going) = &self.0 else { return SearchBody::default() };
        let shown = rows.within(count(going.rows.len()));
        let total = count(going.rows.len());
        let of_row = |at: u32| going.row(session, at);
        SearchBody {
            text: going.spec.text.clone(),
            progress: going.search.progress(),
            is_cancelled: going.is_cancelled,
            kept: count(going.hits.len()),
            page: Page {
                all: total,
                total,
                first: shown.start,
                rows: shown.filter_map(of_row).collect(),
            },
        }
    }

    /// One hit, by its position.
    pub(crate) fn hit(&self, session: &mut Session, at: u32) -> Option<FoundHit> {
        let going = self.0.as_ref()?;
        let row = going.rows.partition_point(|row| match row {
            Row::Head { first, .. } => *first <= at,
            Row::Hit(hit) => *hit < at,
        });
        going.found(session, at, count(row))
    }
}

impl Going {
    fn take(&mut self, hit: Hit) {
        if self.hits.len() >= HITS {
            return;
        }
        let at = count(self.hits.len());
        let is_same =
            |last: &Hit| last.run == hit.run && (hit.run.is_some() || last.source == hit.source);
        if !self.hits.last().is_some_and(is_same) {
            self.head = self.rows.len();
            self.rows.push(Row::Head { first: at, hits: 0 });
        }
        if let Some(Row::Head { hits, .. }) = self.rows.get_mut(self.head) {
            *hits += 1;
        }
        self.hits.push(hit);
        self.rows.push(Row::Hit(at));
    }

    fn row(&self, session: &mut Session, at: u32) -> Option<SearchRow> {
        Some(match self.rows.get(at as usize)? {
            Row::Head { first, hits } => {
                let hit = self.hits.get(*first as usize)?;
                let run = hit.run.and_then(|run: RunId| session.rows(&[run]).pop());
                let name = match &run {
                    Some(run) => run.address.name(),
                    None => session.path(hit.source).unwrap_or_default(),
                };
                SearchRow::Head { run: run.map(|run| run.address), name, hits: *hits }
            }
            Row::Hit(hit) => SearchRow::Hit(Box::new(self.found(session, *hit, at)?)),
        })
    }

    fn found(&self, session: &mut Session, at: u32, row: u32) -> Option<FoundHit> {
        let hit = self.hits.get(at as usize)?.clone();
        let run = hit.run.and_then(|run| session.rows(&[run]).pop()).map(|run| run.address);
        let path = session.path(hit.source).unwrap_or_default();
        Some(FoundHit { at, row, run, path, hit })
    }
}
