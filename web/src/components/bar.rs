//! The bar at the top, and the one at the bottom of narrow screens.

use leptos::prelude::*;

use super::KEYS_DIALOG;
use crate::platform::{self, Theme};
use crate::route::View;
use crate::state::App;
use crate::views::compare::marks::compare_href;
use crate::views::search::BarField;

/// Name, views, theme and keys.
#[component]
pub(crate) fn Bar() -> impl IntoView {
    let app = App::get();
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
            <Show when=move || !app.is_narrow.get()>
                <Views/>
            </Show>
            <div class="bar-end">
                <BarField/>
                <ThemeButton/>
                <button
                    class="small keys-button"
                    on:click=move |_| platform::open_dialog(KEYS_DIALOG)
                >
                    "Keys"
                </button>
            </div>
        </header>
    }
}

/// The views, where there is no room for them at the top.
#[component]
pub(crate) fn BottomBar() -> impl IntoView {
    let app = App::get();
    view! {
        <Show when=move || app.is_narrow.get()>
            <div class="bottom-bar"><Views/></div>
        </Show>
    }
}

/// Links to the views that have something to show.
#[component]
fn Views() -> impl IntoView {
    let app = App::get();
    let has_open = Memo::new(move |_| app.summary.with(|summary| summary.sources > 0));
    let runs = move || app.summary.with(|summary| summary.runs);
    let findings = move || app.summary.with(|summary| summary.findings);
    let marks = move || app.marks.with(|marks| u32::try_from(marks.len()).unwrap_or(u32::MAX));
    let files = move || app.summary.with(|summary| summary.sources);
    view! {
        <Show when=move || has_open.get()>
            <nav class="views" aria-label="Views">
                <ViewLink href="#/" name="Files" count=Signal::derive(files) is=|view| *view == View::Open/>
                <ViewLink
                    href="#/runs"
                    name="Runs"
                    count=Signal::derive(runs)
                    is=|view| *view == View::Runs || view.run_key().is_some()
                />
                <ViewLink
                    href="#/findings"
                    name="Findings"
                    count=Signal::derive(findings)
                    is=|view| *view == View::Findings
                />
                <ViewLink
                    href=Signal::derive(move || app.marks.with(|marks| compare_href(marks)))
                    name="Compare"
                    count=Signal::derive(marks)
                    is=|view| *view == View::Compare
                />
                <SearchLink/>
            </nav>
        </Show>
    }
}

/// The search; it has no number of its own.
#[component]
fn SearchLink() -> impl IntoView {
    let app = App::get();
    let current = move || app.place.with(|place| place.view == View::Search).then_some("page");
    view! { <a class="view-link" href="#/search" aria-current=current>"Search"</a> }
}

#[component]
fn ViewLink(
    #[prop(into)] href: Signal<String>,
    name: &'static str,
    count: Signal<u32>,
    /// Whether a view belongs to this link.
    is: fn(&View) -> bool,
) -> impl IntoView {
    let app = App::get();
    let current = move || app.place.with(|place| is(&place.view)).then_some("page");
    view! {
        <a class="view-link" href=move || href.get() aria-current=current>
            {name}
            <span class="count">{move || platform::whole(count.get())}</span>
        </a>
    }
}

/// Steps through the three themes.
#[component]
fn ThemeButton() -> impl IntoView {
    let app = App::get();
    let icon = move || match app.theme.get() {
        Theme::System => "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11zM8 4a4 4 0 0 1 0 8z",
        Theme::Light => {
            "M8 5a3 3 0 1 0 0 6a3 3 0 0 0 0-6zM7.3 1h1.4v2.4H7.3zM7.3 12.6h1.4V15H7.3zM1 7.3h2.4v1.4H1zM12.6 7.3H15v1.4h-2.4z"
        }
        Theme::Dark => "M9.5 2a6 6 0 1 0 4.5 8.5A5 5 0 0 1 9.5 2z",
    };
    view! {
        <button
            class="small theme-button"
            aria-label=move || format!("Theme: {}", app.theme.get().word())
            on:click=move |_| next_theme(app)
        >
            <svg viewBox="0 0 16 16" aria-hidden="true">
                <path fill-rule="evenodd" d=icon></path>
            </svg>
            <span class="theme-word">{move || app.theme.get().word()}</span>
        </button>
    }
}

/// System, light, dark, and round again.
pub(crate) fn next_theme(app: App) {
    let theme = match app.theme.get_untracked() {
        Theme::System => Theme::Light,
        Theme::Light => Theme::Dark,
        Theme::Dark => Theme::System,
    };
    app.theme.set(theme);
    app.say(format!("Theme: {}.", theme.word()));
}
