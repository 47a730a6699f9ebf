//! The actions of an attempt, one row each.

use leptos::prelude::*;

use super::labels;
use super::replay::Replay;
use crate::components::{RecordText, VirtualList, or_none};
use crate::platform;
use crate::protocol::ActionRow;
use crate::route;
use crate::state::App;

/// Three lines: what, why, expected beside actual.
const ROW: f64 = 66.0;

/// A list that follows the replay, and leads it.
#[component]
pub(super) fn ActionList(replay: Replay) -> impl IntoView {
    let Replay { list, total, at, visible_range, .. } = replay;
    let row = move |index: u32| draw(replay, index);
    // A new list has its full height only one frame later, so scrolling to the action waits for that.
    let active = RwSignal::new(None);
    Effect::new(move |before: Option<u32>| {
        let (at, total) = (at.get(), total.get());
        if before == Some(total) {
            active.set(at);
        } else {
            platform::next_frame(move || {
                platform::next_frame(move || {
                    // The view may be gone by then.
                    if let Some(at) = replay.at.try_get_untracked() {
                        let _ = active.try_set(at);
                    }
                });
            });
        }
        total
    });
    let is_empty =
        move || list.answer.with(|list| list.as_ref().is_some_and(|list| list.total == 0));
    view! {
        {move || list.problem.get().map(|text| view! { <p class="advice"><RecordText text/></p> })}
        {move || list.answer.with(|list| list.as_ref()?.problem.clone())
            .map(|text| view! { <p class="advice"><RecordText text/></p> })}
        <Show when=is_empty>
            <p class="advice">"No action of this attempt is recorded."</p>
        </Show>
        <div class="acts" class:none-here=move || total.get() == 0 data-scroller="">
            <VirtualList total row_height=ROW visible_range active restarts=0u32 items="Actions" row/>
        </div>
    }
}

fn draw(replay: Replay, index: u32) -> AnyView {
    let app = App::get();
    let is_here = Memo::new(move |_| replay.at.get() == Some(index));
    let row =
        Memo::new(move |_| replay.list.answer.with(|list| list.as_ref()?.get(index).cloned()));
    let href = move || {
        app.place.with(|place| {
            let mut to = place.clone();
            to.query.lists.action = Some(index + 1);
            route::write(&to)
        })
    };
    view! {
        <a
            class="act"
            href=href
            aria-current=move || is_here.get().then_some("true")
            tabindex=move || if is_here.get() { "0" } else { "-1" }
            on:click=move |event| {
                event.prevent_default();
                replay.go(index);
            }
        >
            {move || row.get().map(|row| cells(index, row))}
        </a>
    }
    .into_any()
}

fn cells(index: u32, row: ActionRow) -> impl IntoView {
    let (tone, mark, word) = labels::said(row.success);
    let is_trouble = row.success == Some(false) || row.has_error || row.is_credited;
    let tool = row.tool.map(|tool| view! { <span class="quiet"><RecordText text=tool/></span> });
    view! {
        <span class="act-head" class:trouble=is_trouble>
            <span class="act-number">{index + 1}</span>
            <span class="act-time">{row.offset.map(labels::offset)}</span>
            <b class=format!("act-said {tone}")>{word}</b>
            {row.has_error.then(|| view! { <b class="fail">"error"</b> })}
            {row.is_credited.then(|| view! { <b class="fail">"failing"</b> })}
            <code class="kind"><RecordText text=row.kind/></code>
            {tool}
            <code class="act-target"><RecordText text=row.target/></code>
        </span>
        <span class="act-why" dir="auto"><RecordText text=row.reasoning/></span>
        <span class="act-pair">
            <span class="act-cell" dir="auto">
                <span class="spoken">"Expected: "</span>
                {text(row.expected, "no expectation")}
            </span>
            <b class=format!("act-mark {tone}") title=format!("As recorded: {word}") aria-hidden="true">{mark}</b>
            <span class="act-cell" dir="auto">
                <span class="spoken">"Actual: "</span>
                {text(row.actual, "no output")}
            </span>
        </span>
    }
}

/// A text of the record, or what is said where there is none.
fn text(text: Option<String>, none: &'static str) -> AnyView {
    or_none(text.filter(|text| !text.is_empty()).map(|text| view! { <RecordText text/> }), none)
}
