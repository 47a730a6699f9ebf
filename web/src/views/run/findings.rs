//! What is odd about a run: findings of reading, and those of the rules that judge it.

use hindscope::RunId;
use leptos::prelude::*;

use crate::protocol::Columns;
use crate::state::App;
use crate::views::findings::{FindingsPanel, choice};

/// What is odd about a run.
#[component]
pub(crate) fn FindingsTab(
    id: Memo<Option<RunId>>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    // Which run it is, the address says; findings of all its iterations are listed.
    let _ = (id, columns, at, select);
    let app = App::get();
    let choice = Memo::new(move |_| app.place.with(choice));
    view! {
        <div class="page findings run-findings" data-scroller="">
            <h2 class="spoken">"Findings of this run"</h2>
            <FindingsPanel choice/>
        </div>
    }
}
