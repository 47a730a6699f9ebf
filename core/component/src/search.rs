//! The interface `search`.

use std::cell::RefCell;
use std::rc::Rc;

use hindscope::{Query, SourceId, Target};

use crate::Component;
use crate::cross::{Cross, Over, labels, options, or_default, rows};
use crate::histories::History;
use crate::misuse;
use crate::wit::search::{
    self, Guest, GuestSearch, HistoryBorrow, Hit, Mark, QueryError, QueryErrorCode, QueryList,
    SearchOptions, SearchPart, SearchProgress, Stretch,
};
use crate::wit::types::Error;

labels!(SearchPart => hindscope::SearchPart {
    Task, Reflection, Lessons, Actions, Errors, Output, Raw, Text
});
labels!(hindscope::SearchPart => SearchPart {
    Task, Reflection, Lessons, Actions, Errors, Output, Raw, Text
});
labels!(QueryList => Target { Search, Runs, Findings });
// A mistake that this list lacks crosses as the last word.
labels!(hindscope::QueryErrorCode => QueryErrorCode {
    UnknownField, UnclosedQuote, MissingValue, BadNumber, EmptyRange, NotANumber, UnknownValue;
    else NotHere
});

rows! {
    Hit {
        run, source, record, ordinal, number, part, name, index, line, count, excerpt, marks,
        has_before, has_after,
    }
    Mark { start, end }
    QueryError { code, message, start, end, start_byte, end_byte }
    SearchProgress { bytes, total, hits, runs, unread, is_done }
    Stretch { source, path, start, end }
}

options! { SearchOptions { parts, run } }

fn query(text: &str, target: Target) -> Result<Query, Error> {
    let invalid = |error: hindscope::QueryError| hindscope::Error::invalid_option(error.message);
    Query::parse_for(text, target).map_err(|error| misuse::about(&invalid(error), &[]))
}

impl Guest for Component {
    type Search = Search;

    fn check(query: String, list: QueryList) -> Result<(), QueryError> {
        Query::parse_for(&query, list.cross()).map(drop).map_err(Cross::cross)
    }

    fn asks_insight(text: String) -> Result<bool, Error> {
        Ok(query(&text, Target::Search)?.asks_insight())
    }

    fn find_runs(history: HistoryBorrow<'_>, text: String) -> Result<Vec<u32>, Error> {
        let query = query(&text, Target::Runs)?;
        Ok(history.get::<History>().shared().borrow().find_runs(&query).cross())
    }
}

/// A search, and the history that is searched.
pub(crate) struct Search {
    history: Rc<RefCell<hindscope::History>>,
    search: RefCell<hindscope::Search>,
}

impl GuestSearch for Search {
    fn start(
        history: HistoryBorrow<'_>,
        text: String,
        options: Option<SearchOptions>,
    ) -> Result<search::Search, Error> {
        let history = history.get::<History>().shared();
        let run = options.as_ref().and_then(|options| options.run);
        let run: Vec<_> = run.map(|run| ("run", f64::from(run))).into_iter().collect();
        let query = query(&text, Target::Search)?;
        let search = history.borrow().search(query, or_default(options));
        let search = search.map_err(|error| misuse::about(&error, &run))?;
        Ok(search::Search::new(Self { history, search: RefCell::new(search) }))
    }

    fn needs(&self) -> Vec<Stretch> {
        self.history.borrow().needs_of_search(&self.search.borrow()).cross()
    }

    fn supply(&self, source: u32, start: u64, bytes: Vec<u8>) -> Result<(), Error> {
        let mut search = self.search.borrow_mut();
        let history = self.history.borrow();
        let supplied = history.supply_search(&mut search, SourceId(source), start, &bytes);
        supplied.map_err(misuse::one("source", source))
    }

    fn pass_over(&self, source: u32, start: u64) {
        self.search.borrow_mut().pass_over(SourceId(source), start);
    }

    fn hits(&self) -> Result<Option<Vec<Hit>>, Error> {
        let hits = self.history.borrow().hits(&mut self.search.borrow_mut());
        hits.map(Cross::cross).map_err(misuse::plain())
    }

    fn progress(&self) -> SearchProgress {
        self.search.borrow().progress().cross()
    }
}
