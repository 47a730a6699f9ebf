//! The findings about a run: those of reading it, and those of the rules that judge it.

use leptos::prelude::*;

use crate::state::App;
use crate::views::findings::{FindingsPanel, choice};

/// The findings about a run.
#[component]
pub(crate) fn FindingsTab() -> impl IntoView {
    let app = App::get();
    // Which run it is, the address says; findings of all its iterations are listed.
    let choice = Memo::new(move |_| app.place.with(choice));
    view! {
        <div class="page findings run-findings" data-scroller="">
            <h2 class="spoken">"Findings of this run"</h2>
            <FindingsPanel choice/>
        </div>
    }
}
