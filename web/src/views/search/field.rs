//! What is asked for: the field, and what is searched.

use hindscope::SearchPart;
use leptos::prelude::*;

use crate::components::{Mistake, RecordText, Underline, message};
use crate::platform;
use crate::state::{App, QUERY, named_parts, parts, searched_run, step};

/// The query; what is wrong in it is underlined.
#[component]
pub(super) fn QueryField() -> impl IntoView {
    let app = App::get();
    let text = Memo::new(move |_| app.place.with(|p| p.query.text.clone().unwrap_or_default()));
    let mistake = Memo::new(move |_| {
        text.with(|text| Some(Mistake::new(text, hindscope::Query::parse(text).err()?)))
    });
    let run = move || app.place.with(|place| Some(searched_run(&place.query)?.name()));
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
                            step(app, !event.shift_key());
                        }
                    }
                />
            </div>
            {move || run().map(|text| view! {
                <span class="chip">
                    "run: "<RecordText text/>
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
    let parts = Memo::new(move |_| app.place.with(|place| parts(&place.query)));
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
                                query.parts = named_parts(&next);
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
