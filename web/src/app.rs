//! The page: what is around the views, and which of them is shown.

use leptos::prelude::*;

use crate::commands::{self, Keyboard};
use crate::components::{
    Bar, BottomBar, DropOverlay, KeysDialog, LinkNotice, Menu, Notices, Palette, PrintDialog,
    ProgressStrip, SettingsDialog, Taste, Wanted,
};
use crate::platform;
use crate::route::View;
use crate::samples::SAMPLES;
use crate::state::{App, FIELDS, HEADING, Phase, Settings, What, find_in_view, follow_print};
use crate::views::open::{intake_dialog::IntakeDialog, said::Said};
use crate::views::{Compare, Findings, MissingPlace, Open, RunPage, Runs, Search};

/// The whole page.
#[component]
pub(crate) fn Page() -> impl IntoView {
    let app = App::provide();
    let settings = Settings::provide();
    // Here, because what a view provides may outlive what is in it.
    Wanted::provide(app);
    Taste::provide();
    listen(app, settings);
    app.start_worker();
    app.find_kept();
    if let Some(roots) = platform::served() {
        app.follow_served(roots);
    } else if let Some(found) = platform::carried() {
        app.take(What::Files(found));
    } else if let Some(sample) = platform::sample_wanted() {
        if SAMPLES.iter().any(|known| known.name == sample) {
            app.take(What::Sample(sample));
        } else {
            let names: Vec<&str> = SAMPLES.iter().map(|known| known.name).collect();
            let text = format!("There is no such sample. There are: {}.", names.join(", "));
            app.notice.set(Some(text));
        }
    }

    // One page stays mounted while only the iteration changes.
    let page = Memo::new(move |_| app.place.with(|place| place.view.page()));
    Effect::new(move |before: Option<View>| {
        let page = page.get();
        if before.is_some_and(|before| before != page) {
            app.focus_heading();
        }
        page
    });

    let is_empty = Memo::new(move |_| app.phase.with(|phase| *phase == Phase::Empty));

    view! {
        <button
            class="skip"
            on:click=move |_| {
                platform::focus_id(HEADING);
            }
        >
            "Skip to content"
        </button>
        <div class="app" data-opened=move || app.opened.get().to_string()>
            <Bar/>
            <ProgressStrip/>
            <Said/>
            <Notices/>
            <LinkNotice/>
            <main class="main" data-scroller="">
                {move || {
                    // Numbers are written anew.
                    settings.points.track();
                    match page.get() {
                        View::Open => view! { <Open/> }.into_any(),
                        View::Runs | View::Findings if is_empty.get() => view! { <Open/> }.into_any(),
                        View::Runs => view! { <Runs/> }.into_any(),
                        View::Run { .. } => view! { <RunPage/> }.into_any(),
                        View::Findings => view! { <Findings/> }.into_any(),
                        View::Compare => view! { <Compare/> }.into_any(),
                        View::Search => view! { <Search/> }.into_any(),
                        View::Unknown(_) => view! { <MissingPlace/> }.into_any(),
                    }
                }}
            </main>
            <BottomBar/>
        </div>
        <p class="spoken" role="status" aria-live="polite">{move || app.spoken.get()}</p>
        <DropOverlay/>
        <KeysDialog/>
        <IntakeDialog/>
        <SettingsDialog/>
        <Palette/>
        <Menu/>
        <PrintDialog/>
    }
}

fn listen(app: App, settings: Settings) {
    platform::on_address(move || app.follow());
    platform::on_drops(
        move |is_dragged| {
            if app.is_dragged.get_untracked() != is_dragged {
                app.is_dragged.set(is_dragged);
            }
        },
        move |listed| app.phase.set(Phase::Listing(listed)),
        move |found| app.take(What::Files(found)),
    );
    platform::on_paste(move |pasted| app.paste(pasted));
    platform::on_launch(move |found| app.take(What::Files(found)));
    platform::on_handover(env!("CARGO_PKG_VERSION"), move |offer| app.show_offer(offer));
    platform::keep_offline(move || app.intake().is_newer.set(true));
    let keyboard = Keyboard::new(app, settings);
    platform::on_keys(commands::is_listed, move |key| keyboard.press(&key));
    platform::on_find(&FIELDS, move || find_in_view(app));
    follow_print(app);
    platform::watch_presses();
    platform::on_other_theme(move |theme| app.theme.set(theme));
    let repaint = move |_| app.palette.update(|n| *n += 1);
    let watches = [
        platform::media("(min-width: 1024px)", move |is| app.is_wide.set(is)),
        platform::media("(max-width: 639.98px)", move |is| app.is_narrow.set(is)),
        platform::media("(prefers-color-scheme: dark)", repaint),
        platform::media("(forced-colors: active)", repaint),
        // A screen with larger or smaller pixels needs another canvas.
        platform::media("(resolution: 1dppx)", repaint),
    ];
    StoredValue::new_local(watches);
    Effect::new(move |_| {
        platform::apply_theme(app.theme.get());
        app.palette.update(|n| *n += 1);
    });
    let _ = set_interval(move || app.check_worker(), std::time::Duration::from_secs(5));
}
