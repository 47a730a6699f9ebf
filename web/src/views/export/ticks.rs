//! What goes into an export and what does not.

use leptos::prelude::*;

use crate::format;
use crate::protocol::{Include, Weights};

/// Below the forms: a tick for each thing that may be left out.
#[component]
pub(super) fn Ticks(
    include: RwSignal<Include>,
    weights: RwSignal<Option<Weights>>,
) -> impl IntoView {
    let records = Signal::derive(move || {
        let size = weights.with(|weights| {
            let weights = weights.as_ref()?;
            Some(measured(weights, weights.records))
        });
        size.into_iter().chain(["with all above".to_owned()]).collect::<Vec<_>>().join(", ")
    });
    view! {
        <fieldset class="export-ticks">
            <legend class="quiet">"What goes in"</legend>
            <Tick include name="Output of tools" what="history, JSON" of=|it| &mut it.outputs is_in_records=true/>
            <Tick include name="Tasks and prompts" what="history, JSON, reports" of=|it| &mut it.prompts is_in_records=true/>
            <Tick include name="Absolute paths" what="else \u{2026}/name" of=|it| &mut it.paths is_in_records=true/>
            <Tick include name="Records as written" what=records of=|it| &mut it.originals/>
            <Tick include name="Texts of reflections" what="HTML report" of=|it| &mut it.reflections/>
        </fieldset>
    }
}

/// Something that may be left out.
#[component]
fn Tick(
    include: RwSignal<Include>,
    name: &'static str,
    /// The forms that it is about, or what it means.
    #[prop(into)]
    what: Signal<String>,
    of: fn(&mut Include) -> &mut bool,
    /// Where records go in as they were written, it cannot be left out.
    #[prop(optional)]
    is_in_records: bool,
) -> impl IntoView {
    // The same place is read and written.
    let is_on = move || {
        let mut shown = include.get().whole();
        *of(&mut shown)
    };
    view! {
        <label class="tick">
            <input
                type="checkbox"
                prop:checked=is_on
                disabled=move || is_in_records && include.get().originals
                on:change=move |_| include.update(|include| {
                    let is_on = of(include);
                    *is_on = !*is_on;
                })
            />
            <span class="export-name">{name}</span>
            <span class="quiet export-what">{move || what.get()}</span>
        </label>
    }
}

/// A number of bytes, with `≈` before it where it is estimated from some of the runs.
pub(super) fn measured(weights: &Weights, bytes: f64) -> String {
    let sign = if weights.is_exact { "" } else { "\u{2248} " };
    format!("{sign}{}", format::bytes(bytes))
}
