//! What is asked for: the field, and what is searched.

use hindscope::SearchPart;
use leptos::prelude::*;

use super::state::{self, BAR_FIELD, QUERY};
use crate::components::{Mistake, RecordText, Underline, message};
use crate::platform;
use crate::route::{Place, View};
use crate::state::App;

/// The query; what is wrong in it is underlined.
#[component]
pub(super) fn QueryField() -> impl IntoView {
    let app = App::get();
    let text = Memo::new(move |_| app.place.with(|p| p.query.text.clone().unwrap_or_default()));
    let mistake = Memo::new(move |_| {
        text.with(|text| Some(Mistake::new(text, hindscope::Query::parse(text).err()?)))
    });
    let run = move || app.place.with(|place| place.query.run.clone());
    view! {
        <div class="query-line">
            <div class="query-box">
                <Underline mistake/>
                <input
                    id=QUERY
                    class="field query-field"
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder="Words, \"a phrase\", -not, outcome:failure, reward<0.5"
                    aria-label="Search everything that is open"
                    aria-invalid=move || mistake.with(Option::is_some).to_string()
                    aria-describedby="query-error"
                    prop:value=move || text.get()
                    on:input=move |event| {
                        let text = platform::value_of(&event);
                        app.choose(|query| {
                            query.text = Some(text).filter(|text| !text.is_empty());
                            query.hit = None;
                        });
                    }
                    on:keydown=move |event| {
                        if event.key() == "Enter" && !event.is_composing() {
                            state::step(app, !event.shift_key());
                        }
                    }
                />
            </div>
            {move || run().map(|key| view! {
                <span class="chip">
                    "run: "<RecordText text=key/>
                    <button
                        class="chip-close"
                        aria-label="Search all runs"
                        on:click=move |_| app.choose(|query| {
                            query.run = None;
                            query.group = None;
                            query.hit = None;
                        })
                    >
                        "\u{d7}"
                    </button>
                </span>
            })}
        </div>
        <p id="query-error" class="query-error" role="status">
            {move || message(mistake)}
        </p>
    }
}

/// What is searched.
#[component]
pub(super) fn Parts() -> impl IntoView {
    let app = App::get();
    let parts = Memo::new(move |_| app.place.with(|place| state::parts(&place.query)));
    let boxes: Vec<_> = SearchPart::ALL
        .into_iter()
        .map(|part| {
            let name = match part {
                SearchPart::Text => "other files",
                part => part.as_str(),
            };
            view! {
                <label class="tick">
                    <input
                        type="checkbox"
                        prop:checked=move || parts.with(|parts| parts.contains(&part))
                        on:change=move |_| {
                            let now = parts.get_untracked();
                            let is_in = |one: &SearchPart| now.contains(one) != (*one == part);
                            let next: Vec<_> = SearchPart::ALL.into_iter().filter(is_in).collect();
                            app.choose(|query| {
                                query.parts = state::named(&next);
                                query.hit = None;
                            });
                        }
                    />
                    {name}
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="search-parts">
            <legend>"In"</legend>
            {boxes}
        </fieldset>
    }
}

/// The field in the bar of wide screens: Enter searches.
#[component]
pub(crate) fn BarField() -> impl IntoView {
    let app = App::get();
    let text = RwSignal::new(String::new());
    let has_open = Memo::new(move |_| app.summary.with(|summary| summary.sources > 0));
    let is_here = Memo::new(move |_| app.place.with(|place| place.view == View::Search));
    view! {
        <Show when=move || has_open.get() && !is_here.get() && app.is_wide.get()>
            <input
                id=BAR_FIELD
                class="field bar-search"
                type="text"
                placeholder="/ search"
                aria-label="Search everything that is open"
                prop:value=move || text.get()
                on:input=move |event| text.set(platform::value_of(&event))
                on:keydown=move |event| {
                    if event.key() == "Enter" && !event.is_composing() {
                        let mut place = Place::of(View::Search);
                        place.query.text = Some(text.get_untracked()).filter(|text| !text.is_empty());
                        text.set(String::new());
                        app.go(place, false);
                    }
                }
            />
        </Show>
    }
}
