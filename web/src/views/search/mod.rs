//! Text and fields over everything that is open.

use leptos::prelude::*;

use crate::app::HEADING;

/// Text and fields over everything that is open.
#[component]
pub(crate) fn Search() -> impl IntoView {
    view! { <h1 id=HEADING tabindex="-1">"Search"</h1> }
}
