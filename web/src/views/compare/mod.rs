//! Several runs side by side.

pub(crate) mod marks;

use leptos::prelude::*;

use crate::app::HEADING;

/// Several runs side by side.
#[component]
pub(crate) fn Compare() -> impl IntoView {
    view! { <h1 id=HEADING tabindex="-1">"Compare"</h1> }
}
