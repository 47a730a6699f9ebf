//! What is odd about a run.

use hindscope::RunId;
use leptos::prelude::*;

use crate::protocol::Columns;

/// What is odd about a run.
#[component]
pub(crate) fn FindingsTab(
    id: Memo<Option<RunId>>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    let _ = (id, columns, at, select);
    view! { <p class="empty">"Findings"</p> }
}
