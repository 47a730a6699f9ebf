//! Text from records. It reaches the document as text nodes only.

use leptos::prelude::*;

use super::{CopyButton, Taste, Toggle};
use crate::format::{self, noun};
use crate::platform;
use crate::protocol::count;
use crate::state::App;
use crate::visible_text::{VisibleChunk, fold, visible, without_terminal_codes};

/// Lines of a long text that are shown at first.
const LINES: usize = 40;
/// Bytes of a long text that are shown at first.
const BYTES: usize = 64 << 10;

/// Record text, with names in place of characters that cannot be seen.
#[component]
pub(crate) fn RecordText(#[prop(into)] text: String) -> impl IntoView {
    // Text of a run that the reader came to from a search shows what was looked for.
    let marks = use_context::<Wanted>().map(|wanted| wanted.0.get_untracked());
    visible(&text)
        .into_iter()
        .map(|piece| match piece {
            VisibleChunk::Text(text) => match marks.as_ref().and_then(Option::as_ref) {
                Some(query) => marked(query, &text),
                None => text.into_owned().into_any(),
            },
            VisibleChunk::Label(label) => view! { <span class="ctl">{label}</span> }.into_any(),
        })
        .collect::<Vec<_>>()
}

/// What was looked for, where text below shows it.
#[derive(Clone, Copy)]
pub(crate) struct Wanted(pub(crate) Memo<Option<hindscope::Query>>);

impl Wanted {
    /// Gives it to all components below: in a run, the words of the search that led to it.
    pub(crate) fn provide(app: App) {
        provide_context(Self(Memo::new(move |_| {
            let text = app.place.with(|place| {
                place.query.text.clone().filter(|_| place.view.run_key().is_some())
            })?;
            hindscope::Query::parse(&text).ok()
        })));
    }
}

/// A text with what was looked for in it.
fn marked(query: &hindscope::Query, text: &str) -> AnyView {
    let mut pieces = Vec::new();
    let mut at = 0;
    for (start, end) in query.marks(text) {
        pieces.push(text[at..start].to_owned().into_any());
        let found = text[start..end].to_owned();
        pieces.push(view! { <mark>{found}</mark> }.into_any());
        at = end;
    }
    pieces.push(text[at..].to_owned().into_any());
    pieces.into_any()
}

/// Record text that may be long: its beginning, and a button for more. Of very long texts the
/// first press shows 64 KB, and the second all.
#[component]
pub(crate) fn LongText(
    #[prop(into)] text: String,
    /// Program output and code: spaces count.
    #[prop(optional)]
    is_code: bool,
) -> impl IntoView {
    let class = if is_code { "text code" } else { "text" };
    let first = fold(&text, LINES, BYTES);
    if first.hidden_bytes == 0 {
        return view! { <div class=class dir="auto"><RecordText text/></div> }.into_any();
    }
    // Where each step ends; the last one shows all.
    let mut steps = vec![first.shown.len()];
    if text.len() > BYTES && first.shown.len() < BYTES / 2 {
        steps.push(text.floor_char_boundary(BYTES));
    }
    steps.push(text.len());
    let step = RwSignal::new(0_usize);
    let text = StoredValue::new(text);
    let last = steps.len() - 1;
    let steps = StoredValue::new(steps);
    let end = move || steps.with_value(|steps| steps.get(step.get()).copied().unwrap_or_default());
    let more = move || {
        if step.get() == last {
            return "Show less".to_owned();
        }
        let hidden = text.with_value(|text| {
            let rest = &text[end()..];
            let lines = rest.trim_start_matches('\n').lines().count();
            let lines_word = noun(lines as u64, "line");
            format!("{} more {lines_word}, {}", whole(lines), length(rest.len()))
        });
        if step.get() + 1 == last {
            format!("Show all: {hidden}")
        } else {
            format!("Show the first 64 KB: {hidden}")
        }
    };
    view! {
        <div class=class dir="auto">
            {move || text.with_value(|text| view! { <RecordText text=text[..end()].to_owned()/> })}
        </div>
        <button
            class="more"
            aria-expanded=move || (step.get() > 0).to_string()
            on:click=move |_| step.update(|step| *step = if *step == last { 0 } else { *step + 1 })
        >
            {more}
        </button>
    }
    .into_any()
}

fn whole(number: usize) -> String {
    platform::whole(count(number))
}

/// A length in bytes.
#[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
pub(crate) fn length(bytes: usize) -> String {
    format::bytes(bytes as f64)
}

/// What a program wrote: without its terminal codes, unless the reader wants to see them.
#[component]
pub(crate) fn Output(#[prop(into)] name: String, #[prop(into)] text: String) -> impl IntoView {
    let taste = Taste::get();
    let lines = text.lines().count();
    let (plain, codes) = without_terminal_codes(&text);
    let (plain, size) = (plain.into_owned(), length(text.len()));
    let copied = text.clone();
    let what = name.clone();
    let shown = Memo::new(move |_| codes == 0 || taste.has_codes.get());
    view! {
        <div class="output">
            <div class="output-head">
                <span class="output-name"><RecordText text=name/></span>
                <span class="quiet">
                    {format!("{size}, {} {}", whole(lines), noun(lines as u64, "line"))}
                </span>
                {(codes > 0).then(|| view! {
                    <Toggle is_on=taste.has_codes>
                        {format!("{} terminal {}", whole(codes), noun(codes as u64, "code"))}
                    </Toggle>
                })}
                <CopyButton text=move |()| copied.clone() what/>
            </div>
            {move || {
                let text = if shown.get() { text.clone() } else { plain.clone() };
                view! { <LongText text is_code=true/> }
            }}
        </div>
    }
}
