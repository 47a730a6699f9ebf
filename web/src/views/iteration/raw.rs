//! The exact text of the records behind an iteration.

use leptos::prelude::*;

use crate::components::{Fold, RawRecord};
use crate::protocol::{RawPart, RecordBody};

/// The exact text of each record, with its place.
#[component]
pub(crate) fn Raw(records: Vec<RecordBody>) -> impl IntoView {
    let note = records
        .first()
        .and_then(|record| record.span.as_ref())
        .map(|span| format!("{}:{}:{}", span.path, span.line, span.column))
        .unwrap_or_default();
    let count = records.len();
    view! {
        <Fold title="Raw" note is_closed=true>
            {(count > 1)
                .then(|| view! {
                    <p class="quiet">
                        {format!("{count} records speak of this iteration; the first one leads.")}
                    </p>
                })}
            {records
                .iter()
                .filter_map(|record| {
                    let (span, text) = (record.span.clone()?, record.raw.clone()?);
                    let part = RawPart { span, end: record.end, text };
                    Some(view! { <RawRecord part/> })
                })
                .collect::<Vec<_>>()}
        </Fold>
    }
}
