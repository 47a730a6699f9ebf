//! What was found: runs and files, each followed by its hits.

use leptos::prelude::*;

use crate::components::{RecordText, VirtualList, VisibleRange};
use crate::platform;
use crate::protocol::{Answer, FoundHit, Query, SearchBody, SearchRow};
use crate::route::{self, Place, View, run_place};
use crate::state::{App, place_of, words};

/// Height of a row where excerpts have room beside their place, and where they do not.
const ROW: f64 = 27.0;
const NARROW_ROW: f64 = 48.0;

#[component]
pub(super) fn HitList(
    found: RwSignal<Option<SearchBody>>,
    #[prop(into)] total: Signal<u32>,
    visible_range: RwSignal<VisibleRange>,
) -> impl IntoView {
    let app = App::get();
    let active = RwSignal::new(None::<u32>);
    let restarts = RwSignal::new(0u32);
    Effect::new(move |before: Option<bool>| {
        app.search().spec.track();
        if before.is_some() {
            restarts.update(|restarts| *restarts += 1);
        }
        true
    });
    // The row of the hit that the reader stands at is known to the worker.
    Effect::new(move |_| {
        let (at, spec) = (app.search().at.get(), app.search().spec.get_untracked());
        let has_rows = total.get() > 0;
        match (at, spec) {
            (Some(at), Some(spec)) if has_rows => {
                app.ask(Query::SearchHit { spec, at }, move |answer| {
                    if let Answer::SearchHit(Some(found)) = answer {
                        active.set(Some(found.row));
                    }
                });
            }
            _ => active.set(None),
        }
    });
    let row_height = Signal::derive(move || if app.is_narrow.get() { NARROW_ROW } else { ROW });
    let row = move |index: u32| {
        let content = Memo::new(move |_| {
            found.with(|body| body.as_ref().and_then(|body| body.page.get(index).cloned()))
        });
        view! { {move || content.get().map(|row| draw(app, row))} }.into_any()
    };
    view! {
        <div class="hits">
            <VirtualList total row_height visible_range active restarts items="Matches" row/>
        </div>
    }
}

fn draw(app: App, row: SearchRow) -> AnyView {
    match row {
        SearchRow::Head { run, name, hits } => {
            let matches = if hits == 1 { "match" } else { "matches" };
            let place = match run {
                Some(run) => run_place(&run, None),
                None => Place::of_source(View::Open, &name),
            };
            view! {
                <h2 class="hit-head">
                    <a href=route::write(&place)><RecordText text=name/></a>
                    <span class="count">{format!("{} {matches}", platform::whole(hits))}</span>
                </h2>
            }
            .into_any()
        }
        SearchRow::Hit(found) => hit(app, &found),
    }
}

fn hit(app: App, found: &FoundHit) -> AnyView {
    let text = app
        .search()
        .spec
        .with_untracked(|spec| spec.as_ref().map(|spec| spec.text.clone()).unwrap_or_default());
    let href = route::write(&place_of(found, &text));
    let at = found.at;
    let is_here = move || (app.search().at.get() == Some(at)).then_some("true");
    let number = found.hit.number.map(|number| number.to_string()).unwrap_or_default();
    view! {
        <a
            class="hit"
            href=href
            aria-current=is_here
            on:click=move |_| app.search().at.set(Some(at))
        >
            <span class="hit-number">{number}</span>
            <span class="hit-place">{words(found)}</span>
            <span class="hit-text" dir="auto">{excerpt(found, app.is_narrow.get_untracked())}</span>
        </a>
    }
    .into_any()
}

/// Characters before the first match where a row has little room.
const NARROW_BEFORE: usize = 14;

/// The end of a text, and whether some of it was cut off.
fn end_of(text: &str, most: usize) -> (&str, bool) {
    let cut = text.char_indices().rev().nth(most.saturating_sub(1)).map_or(0, |(at, _)| at);
    (&text[cut..], cut > 0)
}

/// The text around the first match, in one line.
fn excerpt(found: &FoundHit, is_narrow: bool) -> Vec<AnyView> {
    let dots = |is_cut: bool| is_cut.then(|| "\u{2026}".into_any());
    let mut pieces = found.hit.pieces();
    let mut has_before = found.hit.has_before;
    if let Some((text, false)) = pieces.first_mut()
        && is_narrow
    {
        let (end, is_cut) = end_of(text, NARROW_BEFORE);
        *text = end;
        has_before |= is_cut;
    }
    let pieces = pieces.into_iter().map(|(text, is_match)| {
        let text = one_line(text);
        if is_match {
            view! { <mark><RecordText text/></mark> }.into_any()
        } else {
            view! { <RecordText text/> }.into_any()
        }
    });
    let ends = (dots(has_before), dots(found.hit.has_after));
    ends.0.into_iter().chain(pieces).chain(ends.1).collect()
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_text_is_cut_between_characters() {
        assert_eq!(end_of("ab\u{e9}d", 2), ("\u{e9}d", true));
        assert_eq!(end_of("abc", 3), ("abc", false));
        assert_eq!(end_of("", 3), ("", false));
    }
}
