//! Places that lead nowhere, each with a way on.

use leptos::prelude::*;

use crate::components::OpenAgain;
use crate::components::{RecordText, needs, what};
use crate::platform;
use crate::route;
use crate::state::{App, HEADING};

/// An address that means nothing here.
#[component]
pub(crate) fn MissingPlace() -> impl IntoView {
    let app = App::get();
    platform::set_title("Not found - hindscope");
    let address = app.place.with_untracked(route::write);
    view! {
        <div class="page message">
            <h1 id=HEADING tabindex="-1">"Nothing is at this address"</h1>
            <p><code><RecordText text=address/></code></p>
            <p>"It may have been made by a newer version, or cut off when it was copied."</p>
            <p><a class="button" href="#/">"Open files"</a></p>
        </div>
    }
}

/// A run that no open file has.
#[component]
pub(crate) fn MissingRun(key: String, problem: String) -> impl IntoView {
    let app = App::get();
    app.has_heading();
    let has_open = app.summary.with_untracked(|summary| summary.sources > 0);
    view! {
        <div class="page message">
            <h1 id=HEADING tabindex="-1"><RecordText text=key.clone()/></h1>
            {if has_open {
                view! {
                    <p><RecordText text=problem/></p>
                    <p>"Open the file that has it, or choose another run."</p>
                    <p><a class="button" href="#/runs">"All runs"</a></p>
                }
                    .into_any()
            } else {
                let src = app.place.with_untracked(|place| place.query.src.clone());
                let sentence = match src {
                    Some(src) => {
                        let what = app.place.with_untracked(|place| what(&place.view));
                        view! { <RecordText text=needs(&src, &what)/> }.into_any()
                    }
                    None => view! {
                        "This link needs the file that has the run "
                        <strong><RecordText text=key/></strong>
                        ". Drop it here: the link then shows what its sender saw."
                    }
                        .into_any(),
                };
                let is_link = move || app.live().lost.with(Option::is_none);
                view! {
                    <p hidden=move || !is_link()>{sentence}</p>
                    <OpenAgain/>
                    <p><a class="button" href="#/">"Choose files"</a></p>
                }
                    .into_any()
            }}
        </div>
    }
}
