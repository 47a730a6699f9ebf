//! What an agent could read when an attempt began, beside the attempt.

use leptos::prelude::*;

use crate::components::Fold;
use crate::format::{self, noun};
use crate::platform;
use crate::protocol::{IterationBody, WindowBody};
use crate::route::{self, RunTab, View};
use crate::state::App;
use crate::views::run::facts::omega as omega_word;
use crate::views::window::held as held_text;

/// The reflections in reach when this attempt began, in full.
#[component]
pub(crate) fn Memory(number: i64, memory: RwSignal<Option<WindowBody>>) -> impl IntoView {
    move || {
        memory.with(|memory| {
            // The answer of the iteration before may still be there.
            let memory = memory.as_ref().filter(|memory| memory.view.at == number)?;
            let held = memory.held.clone();
            let count = held.len();
            let note = format!(
                "{} {}, window {} {}",
                platform::whole(u32::try_from(count).unwrap_or(u32::MAX)),
                noun(count as u64, "reflection"),
                omega_word(memory.view.omega),
                memory.view.omega_provenance,
            );
            (count > 0).then(|| {
                view! {
                    <Fold title="In memory when it began" note>
                        {held.clone().into_iter().map(held_text).collect::<Vec<_>>()}
                    </Fold>
                }
            })
        })
    }
}

/// What could be read when this attempt began, and what the record says of it.
#[component]
pub(crate) fn Seen(body: IterationBody) -> impl IntoView {
    let app = App::get();
    let recorded = body.records.first().and_then(|record| record.details.as_ref()?.window.clone());
    let used = recorded.as_ref().and_then(|window| window.injected.clone());
    let window = body.window.map(|window| {
        let held: Vec<i64> = window.held.iter().map(|reference| reference.number).collect();
        let (held, evicted) = (format::numbers(&held), window.evicted.len());
        let out = (evicted > 0).then(|| format!("; {evicted} pushed out"));
        let href = move || {
            app.place.with(|place| {
                let key = place.view.run_key().unwrap_or_default().to_owned();
                route::write(&place.with_view(View::Run {
                    key,
                    tab: RunTab::Window,
                    number: Some(window.at),
                }))
            })
        };
        let seen = if held.is_empty() { "nothing yet".to_owned() } else { held };
        view! {
            <p class="seen">
                <strong>"Could have seen "</strong>
                <span class="seen-list">{seen}</span>
                <span class="quiet">{out}</span>
                " "
                <a href=href>"Window"</a>
            </p>
        }
    });
    view! {
        {window}
        {used.map(|used| {
            let used = if used.is_empty() { "none".to_owned() } else { format::numbers(&used) };
            view! {
                <p class="seen">
                    <strong>"Used, as the record says "</strong><span class="seen-list">{used}</span>
                </p>
            }
        })}
    }
}
