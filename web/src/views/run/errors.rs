//! Which errors came, stayed, went and came back.

use hindscope::RunId;
use leptos::prelude::*;

use crate::protocol::Columns;

/// Which errors came, stayed, went and came back.
#[component]
pub(crate) fn ErrorsTab(
    id: Memo<Option<RunId>>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    let _ = (id, columns, at, select);
    view! { <p class="empty">"Errors"</p> }
}
