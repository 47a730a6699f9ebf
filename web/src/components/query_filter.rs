//! Fields for the query language: what is wrong in a text is underlined.

use hindscope::{Query, QueryError, Target};
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
    let mistake = Memo::new(move |_| {
        let text = typed.get().unwrap_or_else(|| text.get());
        let error = Query::parse_for(&text, target).err()?;
        Some(Mistake::new(&text, error))
    });
    view! {
        <span class="list-query">
            <span class="query-box">
                <Underline mistake/>
                <input
                    id=id
                    class="field"
                    type="search"
                    placeholder=label
                    aria-label=label
                    aria-invalid=move || mistake.with(Option::is_some).to_string()
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
            </span>
            <span class="query-error" role="status">{move || message(mistake)}</span>
        </span>
    }
}

/// What is wrong in a query: the text before it, the wrong part, and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mistake {
    before: String,
    wrong: String,
    message: String,
}

impl Mistake {
    pub(crate) fn new(text: &str, error: QueryError) -> Self {
        let part = |start: u32, end: u32| {
            text.get(start as usize..end as usize).unwrap_or_default().to_owned()
        };
        let (start, end) = (error.start_byte, error.end_byte);
        Self { before: part(0, start), wrong: part(start, end), message: error.message }
    }
}

/// The sentence that says what is wrong.
pub(crate) fn message(mistake: Memo<Option<Mistake>>) -> Option<String> {
    mistake.with(|mistake| mistake.as_ref().map(|mistake| mistake.message.clone()))
}

/// Lies over a field with the same text, and underlines the wrong part of it.
#[component]
pub(crate) fn Underline(mistake: Memo<Option<Mistake>>) -> impl IntoView {
    let parts = move || {
        let Mistake { before, wrong, .. } = mistake.get()?;
        Some(view! { <span>{before}</span><span class="wrong">{wrong}</span> })
    };
    view! { <span class="query-mirror" aria-hidden="true">{parts}</span> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_cut_out_of_its_text() {
        let text = "é rewrd<0.5 x";
        let mistake = Mistake::new(text, Query::parse(text).expect_err("no such field"));
        assert_eq!((mistake.before.as_str(), mistake.wrong.as_str()), ("é ", "rewrd"));
        assert!(mistake.message.contains("rewrd"), "{}", mistake.message);
    }
}
