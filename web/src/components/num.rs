//! Numbers that are written short, with the whole of them on hover; and heads of columns of them.

use leptos::prelude::*;

use crate::format;

/// A reward as the reader wants it.
#[component]
pub(crate) fn Reward(value: f64) -> impl IntoView {
    view! { <span class="number-text" title=format::exact(value)>{format::reward(value)}</span> }
}

/// A change of reward, with its sign.
#[component]
pub(crate) fn Delta(value: f64) -> impl IntoView {
    view! { <span class="number-text" title=format::exact(value)>{format::delta(value)}</span> }
}

/// Heads of columns of numbers.
pub(crate) fn number_heads<const N: usize>(names: [&'static str; N]) -> impl IntoView {
    names.map(|name| view! { <th scope="col" class="num">{name}</th> }).collect_view()
}
