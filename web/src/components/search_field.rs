//! The search field in the bar of wide screens.

use leptos::prelude::*;

use crate::platform;
use crate::route::{Place, View};
use crate::state::{App, BAR_FIELD};

/// The field in the bar of wide screens: Enter searches.
#[component]
pub(crate) fn SearchField() -> impl IntoView {
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
