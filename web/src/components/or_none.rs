//! What stands where something may be absent.

use leptos::prelude::*;

/// What is there, or a word where nothing is.
pub(crate) fn or_none(value: Option<impl IntoView>, word: &'static str) -> AnyView {
    match value {
        Some(value) => value.into_any(),
        None => view! { <span class="none">{word}</span> }.into_any(),
    }
}
