//! Every record of a run, with its place.

use hindscope::RunId;
use leptos::prelude::*;

use crate::protocol::Columns;

/// Every record of a run, with its place.
#[component]
pub(crate) fn DataTab(
    id: Memo<Option<RunId>>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    let _ = (id, columns, at, select);
    view! { <p class="empty">"Data"</p> }
}
