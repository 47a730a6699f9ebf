//! The bar at the top, and the one at the bottom of narrow screens.

use leptos::prelude::*;

use super::{MenuButton, SearchField, ThemeButton};
use crate::format::counted;
use crate::platform;
use crate::protocol::count;
use crate::route::{self, Place, View, run_place};
use crate::state::{App, Following, KEYS_DIALOG, compare_href};

/// Name, views, search, theme, keys and menu.
#[component]
pub(crate) fn Bar() -> impl IntoView {
    let app = App::get();
    let has_open = Memo::new(move |_| app.summary.with(|summary| summary.sources > 0));
    view! {
        <header class="bar">
            <a class="brand" href="#/" aria-label="hindscope, open files">
                <svg class="logo" viewBox="0 0 20 20" aria-hidden="true">
                    <path class="logo-past" d="M2 4h3v12H2z"></path>
                    <path class="logo-held" d="M7 4h3v12H7zM12 4h3v12h-3z"></path>
                    <path class="logo-frame" d="M6 2h10.5v16H6"></path>
                </svg>
                <span>"hindscope"</span>
            </a>
            <Show when=move || !app.is_narrow.get() && has_open.get()>
                <Views/>
            </Show>
            <div class="bar-end">
                <Followed/>
                <Show when=move || has_open.get() && app.is_narrow.get()>
                    // Leads to the search, and stands where its field is.
                    <a class="bar-search" href="#/search">
                        <span>"Search"</span>
                        <kbd aria-hidden="true">"/"</kbd>
                    </a>
                </Show>
                <Show when=move || !app.is_narrow.get()>
                    <SearchField/>
                    <ThemeButton/>
                    <button
                        class="small keys-button"
                        on:click=move |_| platform::open_dialog(KEYS_DIALOG)
                    >
                        "Help"
                    </button>
                </Show>
                <MenuButton name="Menu" class="small menu-button"/>
            </div>
        </header>
    }
}

/// What is followed and when that changed last; a press ends it.
#[component]
fn Followed() -> impl IntoView {
    let app = App::get();
    let says = move |following: Following| {
        app.opened.track();
        let files = counted(app.followed(), "file");
        let changed = match following.changed {
            Some(time) => format!("last change {time}"),
            None => "no change yet".to_owned(),
        };
        view! {
            <button class="small followed" title="Press to end it" on:click=move |_| app.toggle_follow()>
                <span class="followed-files">{format!("Following: {files}, ")}</span>
                {changed}
            </button>
        }
    };
    move || app.live().following.get().map(says)
}

/// The views, where there is no room for them at the top.
#[component]
pub(crate) fn BottomBar() -> impl IntoView {
    let app = App::get();
    let has_open = Memo::new(move |_| app.summary.with(|summary| summary.sources > 0));
    view! {
        <Show when=move || app.is_narrow.get() && has_open.get()>
            <div class="bottom-bar"><NarrowViews/></div>
        </Show>
    }
}

/// Links to the views that have something to show.
#[component]
fn Views() -> impl IntoView {
    let app = App::get();
    let runs = move || app.summary.with(|summary| summary.runs);
    let files = move || app.summary.with(|summary| summary.sources);
    let is_runs = |view: &View| *view == View::Runs || view.run_key().is_some();
    view! {
        <nav class="views" aria-label="Views">
            <ViewLink href="#/runs" name="Runs" count=Signal::derive(runs) is=is_runs/>
            <FindingsAndCompare/>
            <ViewLink href="#/search" name="Search" is=|view| *view == View::Search/>
            <ViewLink
                href="#/"
                name="Files"
                count=Signal::derive(files)
                is=|view| *view == View::Open
            />
        </nav>
    }
}

/// The same with the run that was seen last, as far as there is room; the menu has the rest.
#[component]
fn NarrowViews() -> impl IntoView {
    let app = App::get();
    let runs = move || app.summary.with(|summary| summary.runs);
    let last = RwSignal::new(None::<Place>);
    Effect::new(move |before: Option<u32>| {
        let version = app.summary.with(|summary| summary.version);
        let only = app.summary.with(|summary| summary.only_run.clone());
        let here = app.place.with(|place| place.view.run_key().map(|_| place.clone()));
        if here.is_some() {
            last.set(here);
        } else if before != Some(version) {
            last.set(only.map(|run| run_place(&run, None)));
        }
        version
    });
    let run = move || match last.get() {
        Some(place) => view! {
            <ViewLink href=route::write(&place) name="Run" is=|view| view.run_key().is_some()/>
        }
        .into_any(),
        None => view! {
            <a class="view-link" role="link" aria-disabled="true">"Run"</a>
        }
        .into_any(),
    };
    view! {
        <nav class="views" aria-label="Views">
            <ViewLink
                href="#/runs"
                name="Runs"
                count=Signal::derive(runs)
                is=|view| *view == View::Runs
            />
            {run}
            <FindingsAndCompare/>
            <MenuButton name="More" class="view-link more-button"/>
        </nav>
    }
}

/// The links that stand next to each other in both bars.
#[component]
fn FindingsAndCompare() -> impl IntoView {
    let app = App::get();
    let marks = move || app.marks.with(|marks| count(marks.len()));
    view! {
        <ViewLink
            href="#/findings"
            name="Findings"
            is=|view| *view == View::Findings
        />
        <ViewLink
            href=Signal::derive(move || app.marks.with(|marks| compare_href(marks)))
            name="Compare"
            count=Signal::derive(marks)
            is=|view| *view == View::Compare
        />
    }
}

#[component]
fn ViewLink(
    #[prop(into)] href: Signal<String>,
    name: &'static str,
    /// How many things are there.
    #[prop(optional)]
    count: Option<Signal<u32>>,
    /// Whether a view belongs to this link.
    is: fn(&View) -> bool,
) -> impl IntoView {
    let app = App::get();
    let current = move || app.place.with(|place| is(&place.view)).then_some("page");
    view! {
        <a class="view-link" href=move || href.get() aria-current=current>
            {name}
            // A zero counts nothing.
            {count.map(|count| move || {
                let text = Some(count.get()).filter(|count| *count > 0).map(platform::whole);
                text.map(|text| view! { <span class="count">{text}</span> })
            })}
        </a>
    }
}
