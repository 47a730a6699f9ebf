//! The files that are open: what each was recognised as, and what was kept of it.

use hindscope::{Encoding, SourceId, SourceState, SourceView};
use leptos::prelude::*;

use crate::components::{
    FindingItem, ReadText, RecordText, VirtualList, VisibleRange, rows_around,
};
use crate::format::{self, counted, noun};
use crate::platform;
use crate::protocol::{Answer, Page, Query, RawText, Rows, SourceRow, count, float};
use crate::route::{self, Place, View};
use crate::state::{App, Asked, asked};
use crate::views::open::formats::Ticked;

/// Rules whose finding only repeats the reason of a source.
const SAME_AS_REASON: [&str; 3] = ["source/unknown", "source/refused", "source/unreadable"];
/// Lists up to this length show all that is known of each file; longer ones a line or two.
const FEW: u32 = 40;
/// Height of a row of a long list.
const ROW: f64 = 46.0;

/// The files, in the order of opening, and before them the one that the address names.
#[component]
pub(crate) fn Sources() -> impl IntoView {
    let app = App::get();
    let has_few = Memo::new(move |_| app.summary.with(|summary| summary.sources <= FEW));
    view! {
        <ChosenSource/>
        <Show when=move || has_few.get() fallback=|| view! { <ManySources/> }>
            <FewSources/>
        </Show>
    }
}

/// The file that the address names, with all that is known of it.
#[component]
fn ChosenSource() -> impl IntoView {
    let app = App::get();
    let path = Memo::new(move |_| app.place.with(|place| place.query.source.clone()));
    let source = asked(
        move || Some(Query::Source { path: path.get()? }),
        |answer| answer.try_as_source().map(|row| *row),
    );
    let close = move |_| app.choose(|query| query.source = None);
    view! {
        {move || {
            path.get()?;
            let problem = source.problem.get().map(|text| {
                view! { <p class="advice"><RecordText text/></p> }
            });
            let row = source.answer.get().map(|source| view! { <ul class="sources">{row(source)}</ul> });
            Some(view! {
                <section class="source-card" aria-label="Chosen file">
                    {problem}
                    {row}
                    <button class="small" on:click=close>"Hide"</button>
                </section>
            })
        }}
    }
}

/// All of them, each with its findings.
#[component]
fn FewSources() -> impl IntoView {
    let sources = pages(Memo::new(|_| Rows { first: 0, count: FEW }));
    let rows = move || {
        sources.answer.with(|page| {
            page.as_ref().map(|page| page.rows.iter().cloned().map(row).collect::<Vec<_>>())
        })
    };
    view! { <ul class="sources">{rows}</ul> }
}

/// Those in sight, two lines each; a click shows the rest.
#[component]
fn ManySources() -> impl IntoView {
    let app = App::get();
    let visible_range = RwSignal::new(VisibleRange::default());
    let total = Memo::new(move |_| app.summary.with(|summary| summary.sources));
    let sources = pages(Memo::new(move |_| rows_around(&visible_range.get(), total.get())));
    let row = move |index: u32| {
        let data =
            Memo::new(move |_| sources.answer.with(|page| page.as_ref()?.get(index).cloned()));
        view! { {move || data.get().map(|source| short_row(app, index, source))} }.into_any()
    };
    let active = Signal::derive(|| None);
    view! {
        <div class="grid sources long" role="grid" aria-label="Files" aria-rowcount=move || total.get().to_string()>
            <VirtualList total row_height=ROW visible_range active restarts=0u32 row/>
        </div>
    }
}

fn pages(rows: Memo<Rows>) -> Asked<Page<SourceRow>> {
    asked(move || Some(Query::Sources(rows.get())), Answer::try_as_sources)
}

/// A file in two lines.
fn short_row(app: App, index: u32, source: SourceRow) -> impl IntoView {
    let SourceRow { view, worst, findings, .. } = source;
    let (tone, word) = state(&view);
    let path = view.path.clone();
    let is_chosen =
        move || app.place.with(|place| place.query.source.as_deref() == Some(path.as_str()));
    let place = Place::of_source(View::Open, &view.path);
    let says = view.reason.clone().or_else(|| worst.first().map(|finding| finding.message.clone()));
    let says = says.or_else(|| view.why.as_deref().map(because)).unwrap_or_default();
    let more = (findings > 0).then(|| counted(findings, "finding"));
    view! {
        <div class="source short" role="row" class:chosen=is_chosen aria-rowindex=(index + 1).to_string()>
            <div class="source-head" role="gridcell">
                <span class=format!("state {tone}")>{word}</span>
                <a class="source-path" href=route::write(&place)><RecordText text=view.path.clone()/></a>
                <span class="source-facts">{facts(&view)}</span>
            </div>
            <div class="source-says" role="gridcell">
                <span class="says"><RecordText text=says/></span>
                <span class="quiet">{more}</span>
            </div>
        </div>
    }
}

/// Colour and word of how far reading has come.
fn state(view: &SourceView) -> (&'static str, &'static str) {
    match view.state {
        SourceState::Reading => ("muted", "reading"),
        SourceState::Read => ("pass", "read"),
        SourceState::Raw => ("partial", "raw"),
        SourceState::Refused => ("fail", "refused"),
    }
}

/// Why a file was taken for its format, as a sentence.
fn because(why: &str) -> String {
    format!("Taken for that because {why}.")
}

fn row(row: SourceRow) -> impl IntoView {
    let SourceRow { view, file, worst, findings } = row;
    let app = App::get();
    let state = state(&view);
    let close = file.map(|(position, path)| {
        let title =
            if path == view.path { "Close this file".to_owned() } else { format!("Close {path}") };
        let close = move |_| {
            app.choose(|query| query.source = None);
            app.close_file(position);
        };
        view! { <button class="small" on:click=close><RecordText text=title/></button> }
    });
    let more = findings.saturating_sub(count(worst.len()));
    let all = Place::of_source(View::Findings, &view.path);
    view! {
        <li class="source">
            <div class="source-head">
                <span class=format!("state {}", state.0)>{state.1}</span>
                <span class="source-path"><RecordText text=view.path.clone()/></span>
                <span class="source-facts">{facts(&view)}</span>
                {close}
            </div>
            {view.reason.clone().map(|reason| view! { <p class="reason"><RecordText text=reason/></p> })}
            {view.why.as_deref().map(|why| view! { <p class="why"><Ticked text=because(why)/></p> })}
            {(view.state == SourceState::Raw).then(|| view! { <FileText source=view.id/> })}
            {worst
                .into_iter()
                // The reason has said it already.
                .filter(|finding| view.reason.is_none() || !SAME_AS_REASON.contains(&finding.rule.as_str()))
                .map(|finding| view! { <FindingItem finding is_here=true/> })
                .collect::<Vec<_>>()}
            {(more > 0)
                .then(|| {
                    view! {
                        <a href=route::write(&all)>
                            {format!(
                                "{} more {}",
                                platform::whole(more),
                                noun(u64::from(more), "finding"),
                            )}
                        </a>
                    }
                })}
        </li>
    }
}

/// The text of a file that is no history, when it is asked for.
#[component]
fn FileText(source: SourceId) -> impl IntoView {
    let app = App::get();
    let text = RwSignal::new(None::<RawText>);
    let show = move |_| {
        if text.with_untracked(Option::is_some) {
            text.set(None);
            return;
        }
        app.ask(Query::Text { source }, move |answer| {
            let read = match answer {
                Answer::Raw(read) => read,
                Answer::Failed(reason) => RawText { head: reason, ..RawText::default() },
                _ => return,
            };
            text.set(Some(read));
        });
    };
    view! {
        <div class="file-text">
            <button
                class="small"
                aria-expanded=move || text.with(Option::is_some).to_string()
                on:click=show
            >
                {move || if text.with(Option::is_some) { "Hide text" } else { "Show text" }}
            </button>
            {move || text.get().map(|text| view! { <ReadText text/> })}
        </div>
    }
}

/// Format, size and counts, with what applies.
fn facts(view: &SourceView) -> String {
    let mut facts = Vec::new();
    if let Some(format) = &view.format {
        let title = hindscope::formats().iter().find(|info| info.id == *format);
        facts.push(title.map_or_else(|| format.clone(), |info| info.title.to_owned()));
    }
    facts.extend(view.framing.map(|framing| framing.as_str().to_owned()));
    if view.encoding != Encoding::Utf8 {
        facts.push(view.encoding.as_str().to_owned());
    }
    facts.push(format::bytes(float(view.bytes)));
    for (count, word) in
        [(view.kept, "kept"), (view.repaired, "repaired"), (view.skipped, "skipped")]
    {
        if count > 0 && view.state != SourceState::Raw {
            facts.push(format!("{} {word}", platform::whole(count)));
        }
    }
    facts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_leave_out_what_is_nothing() {
        let view = SourceView {
            id: SourceId(0),
            path: "a.bin".to_owned(),
            format: None,
            why: None,
            framing: None,
            encoding: Encoding::Utf8,
            bytes: 1,
            digest: None,
            state: SourceState::Refused,
            reason: None,
            kept: 0,
            repaired: 0,
            skipped: 3,
        };
        assert_eq!(facts(&view), "1 byte · 3 skipped");
    }
}
