//! Bars above the view: what is said about opening, offers of other pages, newer versions.

use leptos::prelude::*;

use crate::components::{CopyButton, RecordText};
use crate::platform;
use crate::state::{App, Message, Phase, lost};

/// All of them, the most pressing first.
#[component]
pub(crate) fn Said() -> impl IntoView {
    let app = App::get();
    let intake = app.intake();
    view! {
        {move || match app.phase.get() {
            Phase::Lost(reason) => {
                let message = lost(&reason, &app.progress.get_untracked());
                Some(view! {
                    <div class="notice bad" role="alert">
                        <p><RecordText text=message.text.clone()/></p>
                        <Restart/>
                        <Details message/>
                    </div>
                })
            }
            _ => None,
        }}
        <Show when=move || app.is_silent.get()>
            <div class="notice warn" role="status">
                <p>
                    "The reader has not answered for 20 seconds. It may be busy with something large, or the browser has ended it."
                </p>
                <Restart/>
            </div>
        </Show>
        {move || intake.offer.get().map(|offer| view! {
            <div class="notice offer" role="group" aria-label="Files from another page">
                <p>
                    <RecordText text=offer.text/>
                    {offer.title.map(|text| view! { <span class="quiet">" Title: "<RecordText text/></span> })}
                </p>
                <button class="primary small" on:click=move |_| app.answer_offer(true)>"Open"</button>
                <button class="small" on:click=move |_| app.answer_offer(false)>"Refuse"</button>
            </div>
        })}
        {move || intake.message.get().map(|message| view! {
            <div class="notice">
                <p><RecordText text=message.text.clone()/></p>
                <button class="small" on:click=move |_| intake.message.set(None)>"Dismiss"</button>
                <Details message/>
            </div>
        })}
        <Show when=move || intake.is_newer.get()>
            <div class="notice">
                <p>"A newer version of hindscope is ready. Loading it closes what is open here."</p>
                <button class="small" on:click=move |_| platform::use_newer()>"Load it"</button>
                <button class="small" on:click=move |_| intake.is_newer.set(false)>"Later"</button>
            </div>
        </Show>
    }
}

/// Copies code, version and place.
#[component]
fn Details(message: Message) -> impl IntoView {
    view! { <CopyButton text=move |()| message.details() what="details" title="Copy details"/> }
}

/// Starts the worker anew: with the files that were open, or with none.
#[component]
fn Restart() -> impl IntoView {
    let app = App::get();
    let again = move |_| {
        app.start_worker();
        app.open_again();
    };
    let empty = move |_| {
        app.start_worker();
        app.close_all();
    };
    view! {
        <button class="small" on:click=again>"Start again with the same files"</button>
        <button class="small" on:click=empty>"Start empty"</button>
    }
}
