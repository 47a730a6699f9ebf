//! Text and fields over everything that is open.

mod field;
mod list;

use leptos::prelude::*;

use crate::components::{RecordText, VisibleRange, rows_around};
use crate::format::{bytes, counted};
use crate::platform;
use crate::protocol::{Answer, Query, SearchBody, count, float};
use crate::state::{App, HEADING, asked, parts, searched_run, spec, step};
use field::{Parts, QueryField};
use list::HitList;

/// Text and fields over everything that is open.
#[component]
pub(crate) fn Search() -> impl IntoView {
    let app = App::get();
    platform::set_title("Search - hindscope");
    let state = app.search();
    let visible_range = RwSignal::new(VisibleRange::default());
    let total = RwSignal::new(0u32);
    let is_empty = Memo::new(move |_| {
        app.place.with(|place| place.query.text.as_ref().is_none_or(|text| text.trim().is_empty()))
    });
    // With a mistake in the query, what was found before stays.
    Effect::new(move |_| {
        let Some(spec) = app.place.with(|place| spec(&place.query)) else {
            if is_empty.get() {
                state.spec.set(None);
            }
            return;
        };
        let is_other = state.spec.with_untracked(|now| now.as_ref() != Some(&spec));
        let hit = app.place.with_untracked(|place| place.query.hit);
        if is_other {
            state.at.set(hit.map(|hit| hit - 1));
            state.spec.set(Some(spec));
        }
    });
    let found = asked(
        move || {
            let rows = rows_around(&visible_range.get(), total.get());
            let beat = state.beat.get();
            let is_open = app.summary.with(|summary| summary.sources > 0);
            state.spec.get().filter(|_| is_open).map(|spec| Query::Search { spec, rows, beat })
        },
        Answer::try_as_search,
    );
    Effect::new(move |before: Option<bool>| {
        found.answer.with(|body| {
            let body = body.as_ref();
            total.set(body.map_or(0, |body| body.page.total));
            state.kept.set(body.map_or(0, |body| body.kept));
            let is_done = body.is_some_and(|body| body.progress.is_done);
            if let Some(body) = body.filter(|_| is_done && before == Some(false)) {
                app.say(format!("{}.", counts(body)));
            }
            is_done
        })
    });
    view! {
        <div class="page search">
        <h1 id=HEADING tabindex="-1">"Search"</h1>
        <div class="search-head" role="search">
            <QueryField/>
            <Parts/>
            <Status found=found.answer is_empty/>
        </div>
        {move || found.problem.get().map(|text| view! { <p class="advice" role="alert">{text}</p> })}
        <Show when=move || is_empty.get()>
            <Help/>
        </Show>
        <Show when=move || {
            found.answer.with(|body| {
                body.as_ref().is_some_and(|body| body.progress.is_done && body.progress.hits == 0)
            })
        }>
            <NoMatch/>
        </Show>
        <HitList found=found.answer total visible_range/>
        </div>
    }
}

/// How much was found, in words.
fn counts(body: &SearchBody) -> String {
    let progress = &body.progress;
    let hits = count(progress.hits);
    let matches = if hits == 1 { "match" } else { "matches" };
    format!("{} {matches} in {}", platform::whole(hits), counted(progress.runs, "run"))
}

/// How far the search is, in words.
fn progress(body: &SearchBody) -> String {
    let progress = &body.progress;
    let (done, all) = (bytes(float(progress.bytes)), bytes(float(progress.total)));
    let state = match (progress.is_done, body.is_cancelled) {
        (true, _) => "finished",
        (false, true) => "cancelled",
        (false, false) => "searching",
    };
    format!("{done} of {all} searched, {state}")
}

#[component]
fn Status(found: RwSignal<Option<SearchBody>>, is_empty: Memo<bool>) -> impl IntoView {
    let app = App::get();
    let text = move |of: fn(&SearchBody) -> String| {
        found.with(|body| body.as_ref().map(of).unwrap_or_default())
    };
    let is_going = move || {
        found.with(|body| {
            body.as_ref().is_some_and(|body| !body.progress.is_done && !body.is_cancelled)
        })
    };
    let unread = move || {
        let unread = found.with(|body| body.as_ref().map_or(0, |body| body.progress.unread));
        (unread > 0).then(|| format!("{} could not be read again", counted(unread, "record")))
    };
    let more = move || {
        let hidden = found.with(|body| {
            body.as_ref().map_or(0, |body| body.progress.hits.saturating_sub(u64::from(body.kept)))
        });
        (hidden > 0).then(|| {
            let hidden = count(hidden);
            format!("{} more are counted and not listed", platform::whole(hidden))
        })
    };
    let has_hits = move || app.search().kept.get() > 0;
    let at = move || app.search().at.get().map(|at| format!("at {}", platform::whole(at + 1)));
    view! {
        <div
            class="search-status"
            class:hidden=move || is_empty.get()
            data-text=move || text(|body| body.text.clone())
        >
            <strong class="search-counts">{move || text(counts)}</strong>
            <span class="search-progress">{move || text(progress)}</span>
            <span class="quiet">{unread}</span>
            <span class="quiet">{more}</span>
            <Show when=is_going>
                <button
                    class="small"
                    on:click=move |_| {
                        app.end_search();
                        app.search().beat.update(|beat| *beat += 1);
                    }
                >
                    "Cancel"
                </button>
            </Show>
            <span class="search-steps">
                <span class="quiet">{at}</span>
                <button class="small" disabled=move || !has_hits() on:click=move |_| {
                    step(app, false);
                }>
                    <kbd>"N"</kbd>" Previous"
                </button>
                <button class="small" disabled=move || !has_hits() on:click=move |_| {
                    step(app, true);
                }>
                    <kbd>"n"</kbd>" Next"
                </button>
            </span>
        </div>
    }
}

/// What can be written, where nothing is.
#[component]
fn Help() -> impl IntoView {
    const ROWS: [(&str, &str); 8] = [
        ("timeout retry", "both words, in any order, in one iteration"),
        ("\"null check\"", "the phrase"),
        ("-flaky", "not where this occurs"),
        ("outcome:failure  reward<0.5  delta<0", "how the iteration ended"),
        ("iter:3..9  has:reward  -has:error", "which iterations"),
        ("run:payments  source:b.zip", "where"),
        ("error:timeout  category:logic", "in errors, in failure categories"),
        ("finding:stuck", "iterations that a rule speaks of"),
    ];
    let rows: Vec<_> = ROWS
        .into_iter()
        .map(|(query, means)| view! { <div><dt><code>{query}</code></dt><dd>{means}</dd></div> })
        .collect();
    view! {
        <dl class="search-help">{rows}</dl>
        <p class="quiet">"Upper and lower case are the same, and so are spaces and line breaks."</p>
    }
}

/// What to do when there is no match.
#[component]
fn NoMatch() -> impl IntoView {
    let app = App::get();
    let unticked = move || {
        let parts = app.place.with(|place| parts(&place.query));
        let all = hindscope::SearchPart::ALL.into_iter().filter(|part| !parts.contains(part));
        all.map(hindscope::SearchPart::as_str).collect::<Vec<_>>().join(", ")
    };
    let run = move || app.place.with(|place| Some(searched_run(&place.query)?.name()));
    view! {
        <div class="advice no-match">
            <p>"No match."</p>
            {move || {
                let names = unticked();
                (!names.is_empty()).then(|| view! { <p>"Not searched: " {names} "."</p> })
            }}
            {move || run().map(|text| view! {
                <p>"Only the run "<RecordText text/>" was searched."</p>
            })}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use hindscope::SearchProgress;

    use super::*;

    #[test]
    fn says_what_was_found_and_how_far_it_is() {
        let half = SearchProgress {
            hits: 1,
            runs: 1,
            bytes: 1_000_000,
            total: 2_000_000,
            ..Default::default()
        };
        let body = SearchBody { progress: half, ..SearchBody::default() };
        assert_eq!(counts(&body), "1 match in 1 run");
        assert_eq!(progress(&body), "1.0 MB of 2.0 MB searched, searching");
        let body = SearchBody { is_cancelled: true, ..body };
        assert!(progress(&body).ends_with("cancelled"));
    }
}
