//! Filters over the list of runs, and how many runs they leave.

use hindscope::Target;
use leptos::prelude::*;
use strum::VariantArray as _;

use crate::components::{QueryFilter, menu_options};
use crate::format::counted;
use crate::platform;
use crate::protocol::{
    Answer, Choice, FindingChoice, GroupBy, Judged, OUTCOMES, Query, RewardIs, Rows, RuleCount,
};
use crate::route;
use crate::state::{App, asked};
use crate::views::runs::category;
use crate::views::runs::choice::clear;

/// Id of the filter field.
const FILTER: &str = "filter";
/// Files that a list offers.
const FILES: u32 = 200;

/// How many runs there are, and how many are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) all: u32,
    pub(crate) shown: u32,
    /// How far runs were looked at for their failure categories, where these matter.
    pub(crate) categories: Option<Judged>,
    /// Runs are hidden by them.
    pub(crate) is_by_category: bool,
}

impl Counts {
    /// What is shown, and what is hidden.
    pub(crate) fn sentence(self) -> String {
        let all = counted(self.all, "run");
        if self.all == self.shown {
            return format!("All {all}");
        }
        let is_complete = self.categories.is_none_or(|judged| judged.is_complete());
        let so_far = if self.is_by_category && !is_complete { " so far" } else { "" };
        let (shown, hidden) =
            (platform::whole(self.shown), platform::whole(self.all.saturating_sub(self.shown)));
        format!("Showing {shown} of {all}{so_far}; {hidden} hidden by filters")
    }

    /// What is known of failure categories, where they matter and are not all known.
    fn looked(self) -> Option<String> {
        category::progress(&self.categories?)
    }
}

/// One choice of several, kept in the address.
#[component]
fn Pick(
    label: &'static str,
    /// What stands for no choice.
    any: &'static str,
    /// Values and names.
    options: Signal<Vec<(String, String)>>,
    value: Signal<String>,
    put: fn(&mut route::Query, Option<String>),
) -> impl IntoView {
    let app = App::get();
    view! {
        <select
            class="field pick"
            class:chosen=move || !value.get().is_empty()
            aria-label=label
            on:change=move |event| {
                let word = platform::value_of(&event);
                app.choose(|query| put(query, Some(word).filter(|word| !word.is_empty())));
            }
        >
            <option value="" selected=move || value.get().is_empty()>{any}</option>
            {move || menu_options(options.get(), Some(&value.get()))}
        </select>
    }
}

/// Filters, and how many runs they leave.
#[component]
pub(crate) fn Filters(choice: Memo<Choice>, counts: RwSignal<Counts>) -> impl IntoView {
    let app = App::get();
    let is_filtered = Memo::new(move |_| choice.with(Choice::is_filtered));
    let of = move |part: fn(&route::Query) -> &Option<String>| {
        Signal::derive(move || {
            app.place.with(|place| part(&place.query).clone().unwrap_or_default())
        })
    };
    let fixed = |list: Vec<(&'static str, &'static str)>| {
        let list = list.into_iter().map(|(value, name)| (value.to_owned(), name.to_owned()));
        let list: Vec<(String, String)> = list.collect();
        Signal::derive(move || list.clone())
    };
    let outcomes = fixed(OUTCOMES.map(|one| (one.as_str(), one.as_str())).to_vec());
    let rewards =
        fixed(RewardIs::VARIANTS.iter().map(|one| (one.into_str(), one.title())).collect());
    let divisions =
        fixed(GroupBy::VARIANTS.iter().map(|one| (one.into_str(), one.title())).collect());
    let (sources, findings) = (sources(), findings());
    let has_sources = Memo::new(move |_| sources.with(|list| list.len() > 1));
    view! {
        <div class="filters" role="search">
            <QueryFilter
                id=FILTER
                target=Target::RunsWithCategory
                label="Filter runs by name, task or group"
                text=Signal::derive(move || choice.with(|choice| choice.text.clone()))
            />
            <Pick label="Outcome" any="any outcome" options=outcomes
                value=of(|query| &query.outcome) put=|query, value| query.outcome = value/>
            <Show when=move || has_sources.get()>
                <Pick label="Source" any="any source" options=sources
                    value=of(|query| &query.source) put=|query, value| query.source = value/>
            </Show>
            <Pick label="Reward" any="any reward" options=rewards
                value=of(|query| &query.reward) put=|query, value| query.reward = value/>
            <Pick label="Finding" any="any or no finding" options=findings
                value=of(|query| &query.finding) put=|query, value| query.finding = value/>
            <Pick label="Group by" any="not grouped" options=divisions
                value=of(|query| &query.by)
                put=|query, value| {
                    query.by = value;
                    query.lists.closed.clear();
                }/>
            <span class="count-line" role="status">{move || counts.get().sentence()}</span>
            {move || counts.get().looked().map(|text| view! { <span class="quiet looked">{text}</span> })}
            <Show when=move || is_filtered.get()>
                <button class="small" on:click=move |_| app.choose(clear)>"Clear"</button>
            </Show>
        </div>
    }
}

/// Paths of the files that are open.
fn sources() -> Signal<Vec<(String, String)>> {
    let app = App::get();
    let page =
        asked(|| Some(Query::Sources(Rows { first: 0, count: FILES })), Answer::try_as_sources);
    Signal::derive(move || {
        let chosen = app.place.with(|place| place.query.source.clone());
        let mut paths: Vec<String> = page.answer.with(|page| {
            let rows = page.iter().flat_map(|page| &page.rows);
            rows.filter(|row| row.view.kept > 0).map(|row| row.view.path.clone()).collect()
        });
        // A long list is cut; what is chosen is in it all the same.
        paths.extend(chosen.filter(|chosen| !paths.contains(chosen)));
        paths.into_iter().map(|path| (path.clone(), path)).collect()
    })
}

/// Words for findings, and the rules that spoke.
fn findings() -> Signal<Vec<(String, String)>> {
    let page = asked(
        || {
            let rows = Rows { first: 0, count: 0 };
            Some(Query::Findings { choice: FindingChoice::default(), rows, judged: 0 })
        },
        Answer::try_as_findings,
    );
    Signal::derive(move || {
        let words = [
            ("any", "some finding"),
            ("none", "no finding"),
            ("error", "an error"),
            ("warning", "a warning"),
        ];
        let words = words.map(|(value, name)| (value.to_owned(), name.to_owned()));
        let rule = |rule: &RuleCount| (rule.rule.clone(), rule.rule.clone());
        let rules: Vec<_> =
            page.answer.with(|body| body.iter().flat_map(|body| &body.rules).map(rule).collect());
        words.into_iter().chain(rules).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_always_counted() {
        assert_eq!(
            Counts { all: 12, shown: 5, ..Counts::default() }.sentence(),
            "Showing 5 of 12 runs; 7 hidden by filters"
        );
        assert_eq!(Counts { all: 1, shown: 1, ..Counts::default() }.sentence(), "All 1 run");
    }

    #[test]
    fn what_may_still_change_is_counted_so_far() {
        let at = |done, is_by_category| Counts {
            all: 12,
            shown: 5,
            categories: Some(Judged { done, total: 12, left: 1 }),
            is_by_category,
        };
        let so_far = "Showing 5 of 12 runs so far; 7 hidden by filters";
        assert_eq!(at(10, true).sentence(), so_far);
        assert_eq!(at(11, true).sentence(), "Showing 5 of 12 runs; 7 hidden by filters");
        assert_eq!(at(10, false).sentence(), "Showing 5 of 12 runs; 7 hidden by filters");
        assert_eq!(
            at(10, false).looked().as_deref(),
            Some("Failure categories of 10 of 12 runs so far.")
        );
    }
}
