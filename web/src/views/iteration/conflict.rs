//! What the records of one iteration say differently, side by side.

use leptos::prelude::*;

use crate::components::{LongText, RecordText};
use crate::protocol::Conflict;

/// A row for each member whose values differ (`merge/conflict`).
#[component]
pub(crate) fn Conflicts(conflicts: Vec<Conflict>) -> impl IntoView {
    (!conflicts.is_empty()).then(|| {
        let rows = conflicts.into_iter().map(|conflict| view! { <Row conflict/> }).collect_view();
        view! {
            <section class="conflicts" aria-label="Values that records state differently">
                <h3>"Records of this iteration disagree " <code class="rule">"merge/conflict"</code></h3>
                <dl>{rows}</dl>
                <p class="quiet">"The first one counts wherever one value is needed."</p>
            </section>
        }
    })
}

#[component]
fn Row(conflict: Conflict) -> impl IntoView {
    let values = conflict
        .values
        .into_iter()
        .map(|value| {
            view! {
                <dd class="conflict-value">
                    <span class="place"><RecordText text=value.place/></span>
                    <LongText text=value.text/>
                </dd>
            }
        })
        .collect_view();
    view! { <div><dt>{conflict.name}</dt><div class="conflict-values">{values}</div></div> }
}
