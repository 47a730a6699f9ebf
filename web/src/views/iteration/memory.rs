//! What an agent could read when an attempt began, beside the attempt.

use std::sync::Arc;

use hindscope::{LinkKind, RunId};
use leptos::prelude::*;

use crate::components::{Fold, RecordText};
use crate::format::{self, counted, omega_text};
use crate::platform;
use crate::protocol::{IterationBody, NotesBody, Query, WindowBody, count};
use crate::route::RunTab;
use crate::state::{App, asked};
use crate::views::window::choice;
use crate::views::window::summary::link;
use crate::views::window::texts::held as held_text;

/// Title of the section, which is read only while it is open.
const TITLE: &str = "In memory when it began";

/// The reflections in reach when this attempt began, in full.
#[component]
pub(crate) fn Memory(id: Memo<Option<RunId>>, number: i64) -> impl IntoView {
    let app = App::get();
    let memory = asked(
        move || {
            let is_open = app.is_open(TITLE, false);
            let choice = app.place.with(|place| choice(&place.query));
            is_open.then_some(Query::Window { run: id.get()?, at: number, choice })
        },
        |answer| answer.try_as_window().map(|body| *body),
    );
    view! {
        <Fold title=TITLE is_closed=true>
            {move || memory.problem.get().map(|text| view! { <p class="advice"><RecordText text/></p> })}
            {move || memory.answer.with(|memory| memory.as_ref().map(inside))}
        </Fold>
    }
}

fn inside(memory: &WindowBody) -> AnyView {
    let note = format!(
        "{}, window {} {}, {}",
        counted(count(memory.view.held.len()), "reflection"),
        omega_text(memory.view.omega),
        memory.view.omega_provenance,
        memory.view.policy,
    );
    let left_out = (memory.left_out > 0)
        .then(|| format!("{} older ones are not shown.", platform::whole(memory.left_out)));
    view! {
        <p class="quiet">{note}</p>
        {left_out.map(|text| view! { <p class="quiet">{text}</p> })}
        {memory.held.clone().into_iter().map(held_text).collect::<Vec<_>>()}
    }
    .into_any()
}

/// What could be read when this attempt began, and what the record says of it.
#[component]
pub(crate) fn Seen(body: Arc<IterationBody>, notes: Memo<Option<NotesBody>>) -> impl IntoView {
    let app = App::get();
    let recorded = body.records.first().and_then(|record| record.details.as_ref()?.window.clone());
    let used = recorded.as_ref().and_then(|window| window.injected.clone());
    let improved = improved(body.view.is_improvement);
    let window = body.window.clone().map(|window| {
        let held: Vec<i64> = window.held.iter().map(|reference| reference.number).collect();
        let evicted = window.evicted.len();
        let out =
            (evicted > 0).then(|| format!("; {} pushed out", counted(count(evicted), "older one")));
        let href = move || app.place.with(|place| place.href_at(RunTab::Window, Some(window.at)));
        view! {
            <p class="seen">
                <strong>"Could have seen "</strong>
                {numbers(&held, "nothing yet")}
                <span class="quiet">{out}</span>
                " "
                <a href=href>"Window"</a>
            </p>
        }
    });
    let related = move || {
        let list: Vec<i64> = notes.with(|notes| {
            let links = notes.as_ref().map(|notes| notes.links.as_slice()).unwrap_or_default();
            links.iter().filter(|it| it.kind == LinkKind::Related).map(|it| it.to).collect()
        });
        (!list.is_empty()).then(|| view! {
            <p class="seen"><strong>"Related, as the reflection says "</strong>{numbers(&list, "")}</p>
        })
    };
    view! {
        {window}
        {used.clone().map(|used| {
            let has = !used.is_empty();
            view! {
                <p class="seen used">
                    <strong>"Used, as the record says "</strong>
                    {numbers(&used, "none")}
                    {has.then(|| view! { <span class="quiet">"; this attempt improved: "</span><b class="improved-word">{improved}</b> })}
                </p>
            }
        })}
        {related}
    }
}

/// Whether the attempt improved (`delta/is-improvement`).
fn improved(is_improvement: Option<bool>) -> &'static str {
    match is_improvement {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    }
}

/// Numbers of iterations, each leading there; of many only the newest.
fn numbers(list: &[i64], none: &'static str) -> AnyView {
    const MOST: usize = 12;
    if list.is_empty() {
        return view! { <span class="seen-list">{none}</span> }.into_any();
    }
    let older = &list[..list.len().saturating_sub(MOST)];
    let links = list[older.len()..].iter().copied().map(link).collect_view();
    let older = (!older.is_empty()).then(|| format!("{}, ", format::numbers(older)));
    view! { <span class="seen-list">{older}{links}</span> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_the_first_one_improved_is_unknown() {
        assert_eq!(
            (improved(None), improved(Some(true)), improved(Some(false))),
            ("unknown", "yes", "no")
        );
    }
}
