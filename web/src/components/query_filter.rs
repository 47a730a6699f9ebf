//! A field that filters a list by the query language.

use hindscope::{Query, Target};
use leptos::prelude::*;

use crate::platform;
use crate::state::App;

/// Filters what `target` lists. While something in it is wrong, the list stays as it was and a
/// sentence says what is.
#[component]
pub(crate) fn QueryFilter(
    id: &'static str,
    target: Target,
    label: &'static str,
    #[prop(into)] text: Signal<String>,
) -> impl IntoView {
    let app = App::get();
    let typed = RwSignal::new(None::<String>);
    let mistake = move || {
        let text = typed.get().unwrap_or_else(|| text.get());
        Query::parse_for(&text, target).err().map(|error| error.message)
    };
    let says = Memo::new(move |_| mistake());
    view! {
        <span class="list-query">
            <input
                id=id
                class="field"
                type="search"
                placeholder=label
                aria-label=label
                aria-invalid=move || says.with(Option::is_some).to_string()
                prop:value=move || text.get()
                on:input=move |event| {
                    let text = platform::value_of(&event);
                    let is_query = Query::parse_for(&text, target).is_ok();
                    typed.set((!is_query).then(|| text.clone()));
                    if is_query {
                        app.choose(|query| query.text = Some(text).filter(|text| !text.is_empty()));
                    }
                }
            />
            <span class="query-error" role="status">{move || says.get()}</span>
        </span>
    }
}
