//! Which lessons came, stayed and went.

use hindscope::RunId;
use leptos::prelude::*;

use crate::protocol::Columns;

/// Which lessons came, stayed and went.
#[component]
pub(crate) fn LessonsTab(
    id: Memo<Option<RunId>>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    let _ = (id, columns, at, select);
    view! { <p class="empty">"Lessons"</p> }
}
