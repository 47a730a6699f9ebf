//! Where the reader stands in what a search found.

use hindscope::SearchPart;
use leptos::prelude::*;

use crate::platform;
use crate::protocol::{FoundHit, RunAddress, SearchSpec};
use crate::route;

/// Ids of the fields for queries: in the search view, in the bar, and the filter above a list.
pub(crate) const QUERY: &str = "search-query";
pub(crate) const BAR_FIELD: &str = "search-bar";
pub(crate) const FIELDS: [&str; 3] = [QUERY, BAR_FIELD, "filter"];

/// What the page remembers of the search.
#[derive(Clone, Copy, Default)]
pub(crate) struct SearchState {
    /// Grows whenever the worker has searched more.
    pub(crate) beat: RwSignal<u32>,
    /// The last query without a mistake.
    pub(crate) spec: RwSignal<Option<SearchSpec>>,
    /// Hits of it that the worker keeps.
    pub(crate) kept: RwSignal<u32>,
    /// The hit that the reader stands at, from 0.
    pub(crate) at: RwSignal<Option<u32>>,
    /// The view is entered to write a query: its field receives the focus, not its heading.
    pub(crate) awaits_query: RwSignal<bool>,
}

/// The position after or before another, of so many.
pub(super) fn stepped(at: Option<u32>, is_forward: bool, all: u32) -> Option<u32> {
    let next = match (at, is_forward) {
        (None, true) => 0,
        (None, false) => all.checked_sub(1)?,
        (Some(at), true) => at + 1,
        (Some(at), false) => at.checked_sub(1)?,
    };
    (next < all).then_some(next)
}

/// Where in an iteration or a file a hit is, in words.
pub(crate) fn words(found: &FoundHit) -> String {
    let hit = &found.hit;
    let name = match (hit.part, hit.index) {
        (Some(SearchPart::Actions), Some(at)) => format!("action {}, {}", at + 1, hit.name),
        (Some(SearchPart::Errors), Some(at)) => format!("error {}, {}", at + 1, hit.name),
        (_, Some(at)) => format!("{} {}", hit.name, at + 1),
        (_, None) => hit.name.clone(),
    };
    match (hit.line, hit.count) {
        (Some(line), _) => format!("line {}", platform::whole(line)),
        (None, count) if count > 1 => format!("{name}, {} times", platform::whole(count)),
        (None, _) => name,
    }
}

/// Which parts an address asks for.
pub(crate) fn parts(query: &route::Query) -> Vec<SearchPart> {
    match &query.parts {
        None => SearchPart::DEFAULT.to_vec(),
        Some(names) => names.split(',').filter_map(SearchPart::named).collect(),
    }
}

/// How an address names parts; nothing for those that are searched anyway.
pub(crate) fn named_parts(parts: &[SearchPart]) -> Option<String> {
    let names: Vec<_> = parts.iter().map(|part| part.as_str()).collect();
    (parts != SearchPart::DEFAULT).then(|| names.join(","))
}

/// What an address asks for; nothing if its query is empty or has a mistake.
pub(crate) fn spec(query: &route::Query) -> Option<SearchSpec> {
    let text = query.text.clone().filter(|text| !text.trim().is_empty())?;
    hindscope::Query::parse(&text).ok()?;
    Some(SearchSpec { text, parts: parts(query), run: searched_run(query) })
}

/// The only run that is searched, if it is one.
pub(crate) fn searched_run(query: &route::Query) -> Option<RunAddress> {
    Some(RunAddress::new(query.run.clone()?, query.group.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_at_both_ends() {
        assert_eq!(stepped(None, true, 3), Some(0));
        assert_eq!(stepped(None, false, 3), Some(2));
        assert_eq!(stepped(Some(2), true, 3), None);
        assert_eq!(stepped(Some(0), false, 3), None);
        assert_eq!(stepped(None, true, 0), None);
        assert_eq!(stepped(None, false, 0), None);
    }

    #[test]
    fn addresses_say_what_is_searched() {
        let of = |hash: &str| spec(&route::read(hash).query);
        assert_eq!(of("#/search"), None);
        assert_eq!(of("#/search?q=reward%3Chalf"), None, "a mistake");
        let got = of("#/search?q=timeout&in=raw,lessons,x&run=a&g=b").expect("a query");
        assert_eq!(got.parts, [SearchPart::Raw, SearchPart::Lessons]);
        assert_eq!(got.run, Some(RunAddress::new("a", Some("b".into()))));
        assert_eq!(named_parts(&SearchPart::DEFAULT), None);
        assert_eq!(parts(&route::Query { parts: named_parts(&[]), ..route::Query::default() }), []);
    }
}
