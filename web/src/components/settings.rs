//! The settings, and what of them is kept in the browser.

use leptos::prelude::*;
use strum::VariantArray as _;

use super::ClockSwitch;
use crate::platform::{self, Theme};
use crate::state::{App, SETTINGS_DIALOG, Settings, stored_labels};

/// A dialog with every choice that holds in all views.
#[component]
pub(crate) fn SettingsDialog() -> impl IntoView {
    let app = App::get();
    let settings = Settings::get();
    let themes = Theme::VARIANTS.iter().map(|&theme| {
        let is = Signal::derive(move || app.theme.get() == theme);
        let choose = Callback::new(move |()| app.theme.set(theme));
        (theme.into_str(), is, choose)
    });
    let themes: Vec<_> = themes.collect();
    let units = [("0 to 1", false), ("points, 0 to 100", true)].map(|(word, points)| {
        let is = Signal::derive(move || settings.points.get() == points);
        (word, is, Callback::new(move |()| settings.write_points(points)))
    });
    let densities = [("usual", false), ("compact", true)].map(|(word, compact)| {
        let is = Signal::derive(move || settings.is_compact.get() == compact);
        (word, is, Callback::new(move |()| settings.is_compact.set(compact)))
    });
    let keys = [("on", true), ("off", false)].map(|(word, on)| {
        let is = Signal::derive(move || settings.single_keys.get() == on);
        (word, is, Callback::new(move |()| settings.single_keys.set(on)))
    });
    view! {
        <dialog id=SETTINGS_DIALOG class="dialog settings" aria-labelledby="settings-title">
            <header>
                <h2 id="settings-title">"Settings"</h2>
                <button class="small" on:click=move |_| platform::close_dialog(SETTINGS_DIALOG)>
                    "Close"
                </button>
            </header>
            <Choices title="Theme" choices=themes/>
            <Choices title="Rewards" choices=units.to_vec()/>
            <fieldset class="choices">
                <legend>"Times"</legend>
                <ClockSwitch/>
            </fieldset>
            <Choices title="Density" choices=densities.to_vec()/>
            <Choices
                title="Single-key shortcuts"
                note="Off: letters, digits and signs alone do nothing. Keys with Ctrl or Cmd, arrows and Esc stay."
                choices=keys.to_vec()
            />
            <Kept/>
        </dialog>
    }
}

/// One choice of several.
#[component]
fn Choices(
    title: &'static str,
    #[prop(optional)] note: &'static str,
    choices: Vec<(&'static str, Signal<bool>, Callback<()>)>,
) -> impl IntoView {
    let choice = |(word, is, choose): (&'static str, Signal<bool>, Callback<()>)| {
        view! {
            <button
                class="small switch-part"
                aria-pressed=move || is.get().to_string()
                on:click=move |_| choose.run(())
            >
                {word}
            </button>
        }
    };
    view! {
        <fieldset class="choices">
            <legend>{title}</legend>
            <span class="switch">{choices.into_iter().map(choice).collect_view()}</span>
            {(!note.is_empty()).then(|| view! { <p class="quiet">{note}</p> })}
        </fieldset>
    }
}

/// What is kept, and the way to forget it.
#[component]
fn Kept() -> impl IntoView {
    let app = App::get();
    let settings = Settings::get();
    let words = RwSignal::new(Vec::<String>::new());
    view! {
        <details class="kept" on:toggle=move |_| words.set(stored_labels())>
            <summary>"What is kept in this browser"</summary>
            <p>
                "Settings that differ from the first visit, under their names; never anything of a file's content. Now: "
                {move || words.with(|words| match words.as_slice() {
                    [] => "nothing".to_owned(),
                    some => some.join(", "),
                })}
                "."
            </p>
            <button
                on:click=move |_| {
                    settings.forget(app);
                    words.set(stored_labels());
                }
            >
                "Forget everything"
            </button>
        </details>
    }
}

/// Steps through the three themes.
#[component]
pub(crate) fn ThemeButton() -> impl IntoView {
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
            aria-label=move || format!("Theme: {}", app.theme.get().into_str())
            on:click=move |_| app.next_theme()
        >
            <svg viewBox="0 0 16 16" aria-hidden="true">
                <path fill-rule="evenodd" d=icon></path>
            </svg>
            <span class="theme-word">{move || app.theme.get().into_str()}</span>
        </button>
    }
}
