//! What happens to what is opened, how to see that it is true, and what is kept.

use leptos::prelude::*;

use crate::components::RecordText;
use crate::platform;
use crate::state::App;

/// The promise, and how to check it.
#[component]
pub(crate) fn Safety() -> impl IntoView {
    let watched = if platform::served().is_some() {
        "Watch the network panel of the browser: it shows only how the page asks the `hindscope view` on this computer for the files."
    } else {
        "Watch the network panel of the browser while you open a file: it stays empty."
    };
    view! {
        <details class="safety">
            <summary>
                <strong>"Nothing you open leaves this browser."</strong>
                <span>"How to check that"</span>
            </summary>
            <ul>
                <li>{watched}</li>
                <li>
                    "Read the policy in the page's source: it allows connections to the place the page came from, and to no other."
                </li>
                <li>"Switch the network off. Everything still works."</li>
                <li>
                    "This browser keeps the theme, other settings and the app's own files. If you switch it on here, it also keeps names of files, or handles with which they can be read again. After a bug it keeps handles until the page is loaded again. It never keeps content."
                </li>
            </ul>
            <Kept/>
        </details>
    }
}

/// Names of files that were opened, and a way to forget all that is kept.
#[component]
fn Kept() -> impl IntoView {
    let app = App::get();
    let names = RwSignal::new(platform::recent_names());
    // Opening something adds to them.
    Effect::new(move |_| {
        app.summary.track();
        names.set(platform::recent_names());
    });
    let remembers = app.live().remembers;
    let remember = move |_| app.remember_files(!remembers.get_untracked());
    let switch = move |_| {
        platform::remember_recent(names.with_untracked(Option::is_none));
        names.set(platform::recent_names());
    };
    let forget = move |_| {
        platform::forget_everything();
        app.live().forget();
        app.theme.set(platform::saved_theme());
        names.set(platform::recent_names());
        app.say("Everything that was kept is forgotten.");
    };
    let list = move || {
        let names = names.get().filter(|names| !names.is_empty())?;
        let items = names.into_iter().map(|text| view! { <li><RecordText text/></li> });
        Some(view! {
            <p>"Opened last; drop them again to open them:"</p>
            <ul class="recent">{items.collect::<Vec<_>>()}</ul>
        })
    };
    view! {
        <div class="kept">
            <label class="tick">
                <input
                    type="checkbox"
                    prop:checked=move || names.with(Option::is_some)
                    on:change=switch
                />
                "Remember the names of files I open"
            </label>
            {list}
            {platform::may_keep_files().then(|| view! {
                <label class="tick">
                    <input type="checkbox" prop:checked=move || remembers.get() on:change=remember/>
                    "Remember the files in this browser, to open them again with one press"
                </label>
            })}
            <button class="small" on:click=forget>"Forget everything"</button>
        </div>
    }
}
