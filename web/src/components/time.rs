//! Times of records, and the switch of their zone.

use leptos::prelude::*;
use strum::VariantArray as _;

use super::RecordText;
use crate::state::{Clock, Settings, shown_time};

/// A time as the reader wants it, with what is to be known of its zone.
#[component]
pub(crate) fn TimeText(#[prop(into)] text: String) -> impl IntoView {
    let clock = Settings::get().clock;
    move || {
        let (shown, note) = shown_time(&text, clock.get());
        let note =
            (!note.is_empty()).then(|| view! { <span class="quiet">{format!(" ({note})")}</span> });
        view! { <span class="time"><RecordText text=shown/>{note}</span> }
    }
}

/// Recorded, local or UTC.
#[component]
pub(crate) fn ClockSwitch() -> impl IntoView {
    let settings = Settings::get();
    let part = |choice: Clock| {
        view! {
            <button
                class="small switch-part"
                aria-pressed=move || (settings.clock.get() == choice).to_string()
                on:click=move |_| settings.show_clock(choice)
            >
                {choice.into_str()}
            </button>
        }
    };
    view! {
        <span class="times" role="group" aria-label="Zone of times">
            <span class="quiet" aria-hidden="true">"times "</span>
            <span class="switch">{Clock::VARIANTS.iter().copied().map(part).collect_view()}</span>
        </span>
    }
}
