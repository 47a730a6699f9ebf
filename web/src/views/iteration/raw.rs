//! The exact text of the records behind an iteration.

use leptos::prelude::*;

use crate::components::{CopyButton, Fold, RecordText};
use crate::format;
use crate::protocol::{Answer, Query, RawText, RecordBody};
use crate::state::App;

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
            {records.clone().into_iter().map(|record| view! { <RawRecord record/> }).collect::<Vec<_>>()}
        </Fold>
    }
}

#[component]
fn RawRecord(record: RecordBody) -> impl IntoView {
    let app = App::get();
    let text = RwSignal::new(record.raw.unwrap_or_default());
    let place = record.span.as_ref().map(|span| {
        format!(
            "{} · line {}, column {} · bytes {}\u{2013}{}",
            span.path, span.line, span.column, span.start, span.end
        )
    });
    let id = record.span.as_ref().map(|span| span.record);
    let hidden = Memo::new(move |_| text.with(|text| text.hidden));
    let all = move |_| {
        if let Some(record) = id {
            app.ask(Query::Raw { record }, move |answer| {
                if let Answer::Raw(whole) = answer {
                    let _ = text.try_set(whole);
                }
            });
        }
    };
    view! {
        <div class="raw">
            <div class="raw-head">
                <span class="place">{place.map(|place| view! { <RecordText text=place/> })}</span>
                <CopyButton text=move |()| text.with_untracked(written) what="raw record"/>
            </div>
            <div class="text code raw-text" dir="ltr" tabindex="0" role="group" aria-label="Raw record">
                {move || text.with(|text| view! { <RecordText text=text.head.clone()/> })}
            </div>
            <Show when=move || hidden.get() != 0>
                <p class="quiet gap">
                    {move || format!("{} are not shown here.", format::bytes(f64::from(hidden.get())))}
                    " "
                    <Show when=move || text.with(|text| text.tail.is_empty())>
                        <button class="small" on:click=all>"Show all"</button>
                    </Show>
                </p>
                <Show when=move || text.with(|text| !text.tail.is_empty())>
                    <div class="text code raw-text" dir="ltr">
                        {move || text.with(|text| view! { <RecordText text=text.tail.clone()/> })}
                    </div>
                </Show>
            </Show>
        </div>
    }
}

fn written(text: &RawText) -> String {
    if text.hidden == 0 { text.head.clone() } else { format!("{}\n…\n{}", text.head, text.tail) }
}
