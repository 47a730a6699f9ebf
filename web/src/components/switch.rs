//! Values of which one is chosen.

use leptos::prelude::*;
use strum::VariantArray;

/// A button for each value of an enum; that of the chosen one is pressed.
pub(crate) fn switch<T: Copy + VariantArray + Send + Sync>(
    label: &'static str,
    title: fn(&T) -> &'static str,
    is_chosen: impl Fn(T) -> bool + Copy + Send + Sync + 'static,
    choose: impl Fn(T) + Copy + 'static,
) -> impl IntoView {
    let part = move |own: T| {
        view! {
            <button
                class="small switch-part"
                aria-pressed=move || is_chosen(own).to_string()
                on:click=move |_| choose(own)
            >
                {title(&own)}
            </button>
        }
    };
    let parts = T::VARIANTS.iter().copied().map(part).collect_view();
    view! { <span class="switch" role="group" aria-label=label>{parts}</span> }
}
