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
    let is_whole = Signal::derive(move || include.get().originals);
    let never = Signal::derive(|| false);
    let of = move |pick: fn(Include) -> bool| Signal::derive(move || pick(include.get().whole()));
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
            <Tick
                name="Output of tools"
                what="bundle, JSON"
                is_on=of(|it| it.outputs)
                is_fixed=is_whole
                turn=move |()| include.update(|it| it.outputs = !it.outputs)
            />
            <Tick
                name="Tasks and prompts"
                what="bundle, JSON, reports"
                is_on=of(|it| it.prompts)
                is_fixed=is_whole
                turn=move |()| include.update(|it| it.prompts = !it.prompts)
            />
            <Tick
                name="Absolute paths"
                what="else \u{2026}/name"
                is_on=of(|it| it.paths)
                is_fixed=is_whole
                turn=move |()| include.update(|it| it.paths = !it.paths)
            />
            <Tick
                name="Records as written"
                what=records
                is_on=of(|it| it.originals)
                is_fixed=never
                turn=move |()| include.update(|it| it.originals = !it.originals)
            />
            <Tick
                name="Texts of reflections"
                what="HTML report"
                is_on=of(|it| it.reflections)
                is_fixed=never
                turn=move |()| include.update(|it| it.reflections = !it.reflections)
            />
        </fieldset>
    }
}

/// Something that may be left out.
#[component]
fn Tick(
    name: &'static str,
    /// The forms that it is about, or what it means.
    #[prop(into)]
    what: Signal<String>,
    is_on: Signal<bool>,
    /// Something else says that it goes in.
    is_fixed: Signal<bool>,
    #[prop(into)] turn: Callback<()>,
) -> impl IntoView {
    view! {
        <label class="tick">
            <input
                type="checkbox"
                prop:checked=move || is_on.get()
                disabled=move || is_fixed.get()
                on:change=move |_| turn.run(())
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
