//! Queries and searches.

use hindscope::{Query, RunId, SearchOptions, SearchPart, SourceId, Target};
use wasm_bindgen::prelude::*;

use crate::encode;
use crate::history::History;
use crate::wire::Misuse;

/// What is wrong with a query; nothing if it can be asked.
///
/// # Errors
///
/// `invalid-option`.
#[wasm_bindgen(js_name = queryError)]
pub fn query_error(text: &str, list: &str) -> Result<JsValue, Misuse> {
    let target = target(list).ok_or_else(|| {
        hindscope::Error::invalid_option(format!(
            "`list` must be search, runs or findings, found {list:?}."
        ))
    })?;
    Ok(hindscope::Query::parse_for(text, target)
        .err()
        .map_or(JsValue::UNDEFINED, |error| encode(&error)))
}

/// A search while it goes on.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Search(hindscope::Search);

pub(crate) fn target(word: &str) -> Option<Target> {
    match word {
        "search" => Some(Target::Search),
        "runs" => Some(Target::Runs),
        "findings" => Some(Target::Findings),
        _ => None,
    }
}

fn query(text: &str, target: Target) -> Result<Query, hindscope::Error> {
    Query::parse_for(text, target).map_err(|error| hindscope::Error::invalid_option(error.message))
}

#[wasm_bindgen]
impl History {
    /// Begins a search.
    ///
    /// # Errors
    ///
    /// `invalid-option`, `no-such-run`.
    pub fn search(
        &self,
        text: &str,
        parts: Option<Vec<String>>,
        run: Option<u32>,
    ) -> Result<Search, Misuse> {
        let unknown = |word: &str| {
            hindscope::Error::invalid_option(format!("`parts` has an unknown value: {word:?}."))
        };
        let named = |word: &String| SearchPart::named(word).ok_or_else(|| unknown(word));
        let mut options = SearchOptions { run: run.map(RunId), ..SearchOptions::default() };
        if let Some(parts) = parts {
            options.parts = parts.iter().map(named).collect::<Result<_, _>>()?;
        }
        Ok(Search(self.inner().search(query(text, Target::Search)?, options)?))
    }

    /// Hands over a stretch that a search needs.
    ///
    /// # Errors
    ///
    /// `wrong-bytes`, `stale-export`.
    #[wasm_bindgen(js_name = supplySearch)]
    pub fn supply_search(
        &self,
        search: &mut Search,
        source: u32,
        start: f64,
        bytes: &[u8],
    ) -> Result<(), Misuse> {
        let start = byte(start);
        Ok(self.inner().supply_search(&mut search.0, SourceId(source), start, bytes)?)
    }

    /// What was found since the last call; nothing once all is searched.
    ///
    /// # Errors
    ///
    /// `unread-record`, `stale-export`.
    pub fn hits(&self, search: &mut Search) -> Result<JsValue, Misuse> {
        let hits = self.inner().hits(&mut search.0)?;
        Ok(hits.map_or(JsValue::UNDEFINED, |hits| encode(&hits)))
    }

    /// What a search needs next.
    #[wasm_bindgen(js_name = needsOfSearch)]
    pub fn needs_of_search(&self, search: &Search) -> JsValue {
        encode(&self.inner().needs_of_search(&search.0))
    }

    /// Ids of the runs that a query lets through.
    ///
    /// # Errors
    ///
    /// `invalid-option`.
    #[wasm_bindgen(js_name = findRuns)]
    pub fn find_runs(&self, text: &str) -> Result<Vec<u32>, Misuse> {
        let found = self.inner().find_runs(&query(text, Target::Runs)?);
        Ok(found.into_iter().map(|run| run.0).collect())
    }

    /// Whether a query asks for findings that compare reflections.
    ///
    /// # Errors
    ///
    /// `invalid-option`.
    #[wasm_bindgen(js_name = asksInsight)]
    pub fn asks_insight(&self, text: &str) -> Result<bool, Misuse> {
        Ok(query(text, Target::Search)?.asks_insight())
    }
}

#[wasm_bindgen]
impl Search {
    /// How far it has come.
    pub fn progress(&self) -> JsValue {
        encode(&self.0.progress())
    }

    /// Says that a stretch cannot be read.
    #[wasm_bindgen(js_name = passOver)]
    pub fn pass_over(&mut self, source: u32, start: f64) {
        self.0.pass_over(SourceId(source), byte(start));
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "given out as such")]
fn byte(number: f64) -> u64 {
    number as u64
}
