//! Text from records. It reaches the document as text nodes only.

use leptos::prelude::*;

use crate::format;
use crate::platform;
use crate::text::{DiffLine, Piece, diff_line, fold, visible};

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
            Piece::Text(text) => match marks.as_ref().and_then(Option::as_ref) {
                Some(query) => marked(query, text),
                None => text.to_owned().into_any(),
            },
            Piece::Label(label) => view! { <span class="ctl">{label}</span> }.into_any(),
        })
        .collect::<Vec<_>>()
}

/// What was looked for, where text below shows it.
#[derive(Clone, Copy)]
pub(crate) struct Wanted(pub(crate) Memo<Option<hindscope::Query>>);

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

/// Record text that may be long: its beginning, and a button for the rest.
#[component]
pub(crate) fn LongText(
    #[prop(into)] text: String,
    /// Program output and code: spaces count.
    #[prop(optional)]
    is_code: bool,
) -> impl IntoView {
    let folded = fold(&text, LINES, BYTES);
    let (lines, bytes) = (folded.hidden_lines, folded.hidden_bytes);
    let class = if is_code { "text code" } else { "text" };
    if bytes == 0 {
        return view! { <div class=class dir="auto"><RecordText text/></div> }.into_any();
    }
    let is_whole = RwSignal::new(false);
    let beginning = folded.shown.to_owned();
    let more = format!(
        "Show all: {} more {}, {}",
        platform::whole(u32::try_from(lines).unwrap_or(u32::MAX)),
        format::noun(lines as u64, "line"),
        length(bytes),
    );
    view! {
        <div class=class dir="auto">
            {move || {
                let shown = if is_whole.get() { text.clone() } else { beginning.clone() };
                view! { <RecordText text=shown/> }
            }}
        </div>
        <button
            class="more"
            aria-expanded=move || is_whole.get().to_string()
            on:click=move |_| is_whole.update(|whole| *whole = !*whole)
        >
            {move || if is_whole.get() { "Show less".to_owned() } else { more.clone() }}
        </button>
    }
    .into_any()
}

/// A length in bytes.
#[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
pub(crate) fn length(bytes: usize) -> String {
    format::bytes(bytes as f64)
}

/// A unified diff. Lines keep their plus and minus; colour only repeats them.
#[component]
pub(crate) fn Diff(#[prop(into)] text: String) -> impl IntoView {
    let folded = fold(&text, LINES * 5, BYTES * 4);
    let (lines, bytes) = (folded.hidden_lines, folded.hidden_bytes);
    let is_whole = RwSignal::new(bytes == 0);
    let beginning = folded.shown.to_owned();
    let more = format!("Show all: {lines} more lines, {}", length(bytes));
    view! {
        <div class="diff" dir="ltr" tabindex="0" role="group" aria-label="Diff">
            {move || {
                let shown = if is_whole.get() { text.clone() } else { beginning.clone() };
                shown.lines().map(line).collect::<Vec<_>>()
            }}
        </div>
        <Show when=move || !is_whole.get()>
            <button class="more" on:click=move |_| is_whole.set(true)>
                {more.clone()}
            </button>
        </Show>
    }
}

fn line(line: &str) -> impl IntoView + use<> {
    let class = match diff_line(line) {
        DiffLine::Added => "line added",
        DiffLine::Removed => "line removed",
        DiffLine::Place => "line place",
        DiffLine::Header => "line header",
        DiffLine::Context => "line",
    };
    // An empty line must keep its height.
    let text = if line.is_empty() { " ".to_owned() } else { line.to_owned() };
    view! { <div class=class><RecordText text/></div> }
}
