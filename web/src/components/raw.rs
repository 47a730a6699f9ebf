//! The exact text of a record with its place; or laid out for reading, and judged by its schema.

use leptos::prelude::*;

use super::copy::copy_text;
use super::verdict::Verdict;
use super::{LongText, RecordText, Taste, Toggle};
use crate::format;
use crate::json_layout::pretty;
use crate::protocol::{Answer, Query, RawPart, RawText};
use crate::state::App;

/// A record as it is written.
#[component]
pub(crate) fn RawRecord(part: RawPart) -> impl IntoView {
    let taste = Taste::get();
    let record = part.span.record;
    let place = place(&part);
    let text = RwSignal::new(part.text);
    let can_be_pretty = text.with_untracked(|text| pretty(&text.head).is_some());
    let is_pretty = Memo::new(move |_| can_be_pretty && taste.is_pretty.get());
    let hidden = Memo::new(move |_| text.with(|text| text.hidden));
    view! {
        <div class="raw">
            <div class="raw-head">
                <span class="place"><RecordText text=place/></span>
                <span class="raw-buttons">
                    {can_be_pretty.then(|| view! { <Toggle is_on=taste.is_pretty>"Pretty"</Toggle> })}
                    <CopyRaw record text is_pretty/>
                    <SaveRaw record/>
                    <Verdict record/>
                </span>
            </div>
            {move || is_pretty.get().then(|| view! {
                <p class="quiet">"Laid out for reading: spaces and line breaks are not those of the file."</p>
            })}
            <div class="text code raw-text" dir="ltr" tabindex="0" role="group" aria-label="Raw record">
                {move || text.with(|text| view! { <RecordText text=laid_out(&text.head, is_pretty.get())/> })}
            </div>
            <Show when=move || hidden.get() != 0>
                <Rest record text hidden/>
            </Show>
        </div>
    }
}

fn laid_out(text: &str, is_pretty: bool) -> String {
    let pretty = is_pretty.then(|| pretty(text)).flatten();
    pretty.unwrap_or_else(|| text.to_owned())
}

/// `path  4:1 to 9:2  bytes 12-90`
fn place(part: &RawPart) -> String {
    let span = &part.span;
    let end = part.end.map(|(line, column)| format!(" to {line}:{column}")).unwrap_or_default();
    let bytes = span.end - span.start;
    format!(
        "{}  {}:{}{end}  bytes {}\u{2013}{} ({})",
        span.path,
        span.line,
        span.column,
        span.start,
        span.end,
        super::length(usize::try_from(bytes).unwrap_or(usize::MAX)),
    )
}

/// What is not shown yet, or stands between the two ends.
#[component]
fn Rest(record: hindscope::RecordId, text: RwSignal<RawText>, hidden: Memo<u32>) -> impl IntoView {
    let app = App::get();
    let all = move |_| {
        app.ask(Query::Raw { record }, move |answer| match answer {
            Answer::Raw(whole) => {
                text.set(whole);
            }
            Answer::Failed(reason) => app.notice.set(Some(reason)),
            _ => {}
        });
    };
    let has_tail = move || text.with(|text| !text.tail.is_empty());
    view! {
        <p class="quiet gap">
            {move || {
                let size = format::bytes(f64::from(hidden.get()));
                if has_tail() {
                    format!("{size} between the two ends are not shown; Save has them.")
                } else {
                    format!("{size} are not shown here.")
                }
            }}
            " "
            <Show when=move || !has_tail()>
                <button class="small" on:click=all>"Show all"</button>
            </Show>
        </p>
        <Show when=has_tail>
            <div class="text code raw-text" dir="ltr" tabindex="0" role="group" aria-label="End of the raw record">
                {move || text.with(|text| view! { <RecordText text=text.tail.clone()/> })}
            </div>
        </Show>
    }
}

/// A text that was read, without what is too long of it.
#[component]
pub(crate) fn ReadText(text: RawText) -> impl IntoView {
    let hidden = (text.hidden > 0)
        .then(|| format!("{} are not shown here.", format::bytes(f64::from(text.hidden))));
    view! {
        <LongText text=text.head is_code=true/>
        {hidden.map(|hidden| view! {
            <p class="quiet">{hidden}</p>
            <LongText text=text.tail is_code=true/>
        })}
    }
}

/// Copies the record, read again if not all of it is here. Above 4 MiB only a file has it whole.
#[component]
fn CopyRaw(
    record: hindscope::RecordId,
    text: RwSignal<RawText>,
    is_pretty: Memo<bool>,
) -> impl IntoView {
    let app = App::get();
    let done = RwSignal::new(None::<&'static str>);
    let copy = move |whole: &RawText| {
        if whole.hidden > 0 {
            done.set(Some("Too long: Save it"));
            app.say("The record is too long to be copied. Save it.");
            return;
        }
        copy_text(app, laid_out(&whole.head, is_pretty.get_untracked()), done);
    };
    let press = move |_| {
        if text.with_untracked(|text| text.hidden == 0) {
            text.with_untracked(copy);
            return;
        }
        app.ask(Query::Raw { record }, move |answer| {
            if let Answer::Raw(whole) = answer {
                copy(&whole);
            }
        });
    };
    view! {
        <button
            class="small"
            aria-label="Copy raw record"
            on:click=press
            on:blur=move |_| done.set(None)
        >
            {move || done.get().unwrap_or("Copy")}
        </button>
    }
}

/// Saves the exact bytes.
#[component]
fn SaveRaw(record: hindscope::RecordId) -> impl IntoView {
    let app = App::get();
    let press = move |_| app.save_answer(Query::Save { record });
    view! { <button class="small" aria-label="Save the bytes of this record" on:click=press>"Save"</button> }
}

#[cfg(test)]
mod tests {
    use hindscope::{RecordId, SourceId, Span};

    use super::*;

    #[test]
    fn places_have_both_ends() {
        let span = Span {
            record: RecordId(0),
            source: SourceId(0),
            path: "b.zip/it-9.json".to_owned(),
            start: 0,
            end: 4812,
            line: 1,
            column: 1,
        };
        let part = RawPart { span, end: Some((64, 2)), text: RawText::default() };
        assert_eq!(place(&part), "b.zip/it-9.json  1:1 to 64:2  bytes 0\u{2013}4812 (4.8 KB)");
    }
}
