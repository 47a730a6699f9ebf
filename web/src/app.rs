//! The page: what is around the views, and which of them is shown.

use std::cell::Cell;

use leptos::prelude::*;

use crate::components::{
    Bar, BottomBar, DropOverlay, KEYS_DIALOG, KeysDialog, LinkNotice, Notices, ProgressStrip,
    next_theme,
};
use crate::platform::{self, Key};
use crate::route::{Place, View};
use crate::samples::SAMPLES;
use crate::state::{App, Phase};
use crate::views::open::{ask::IntakeDialog, intake::What, said::Said};
use crate::views::search;
use crate::views::{Compare, Findings, MissingPlace, Open, RunPage, Runs, Search};

/// The heading of each view has this id, and receives the focus when the view is entered.
pub(crate) const HEADING: &str = "heading";

/// The second key of a chord follows within this time.
const CHORD_MS: f64 = 800.0;

/// The whole page.
#[component]
pub(crate) fn Page() -> impl IntoView {
    let app = App::provide();
    listen(app);
    app.start_worker();
    if let Some(found) = platform::carried() {
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
    Effect::new(move |before: Option<String>| {
        let page = page.get();
        if before.is_some_and(|before| before != page) {
            app.focus_heading();
        }
        page
    });

    view! {
        <button
            class="skip"
            on:click=move |_| {
                platform::focus_id(HEADING);
            }
        >
            "Skip to content"
        </button>
        <div class="app">
            <Bar/>
            <ProgressStrip/>
            <Said/>
            <Notices/>
            <LinkNotice/>
            <main class="main" data-scroller="">
                {move || {
                    page.track();
                    match app.place.with_untracked(|place| place.view.clone()) {
                        View::Open => view! { <Open/> }.into_any(),
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
    }
}

fn listen(app: App) {
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
    let first_g = Cell::new(f64::NEG_INFINITY);
    platform::on_keys(move |key| {
        if key.name == "/" && search::focus_field(app) {
            return true;
        }
        if key.name == "g" && !key.is_repeated {
            // Twice in a row means the beginning; once means nothing.
            let is_second = platform::now() - first_g.get() < CHORD_MS;
            first_g.set(if is_second { f64::NEG_INFINITY } else { platform::now() });
            let home = Key { name: "Home".to_owned(), is_repeated: false };
            return is_second && app.press(&home);
        }
        app.press(&key) || press(app, &key)
    });
    platform::on_find(&search::FIELDS, move || search::find_in_view(app));
    let watches = [
        platform::media("(min-width: 1024px)", move |is| app.is_wide.set(is)),
        platform::media("(max-width: 639.98px)", move |is| app.is_narrow.set(is)),
        platform::media("(prefers-color-scheme: dark)", move |_| app.palette.update(|n| *n += 1)),
        platform::media("(forced-colors: active)", move |_| app.palette.update(|n| *n += 1)),
    ];
    StoredValue::new_local(watches);
    Effect::new(move |_| {
        platform::apply_theme(app.theme.get());
        app.palette.update(|n| *n += 1);
    });
    let _ = set_interval_with_handle(move || app.check_worker(), std::time::Duration::from_secs(5));
}

/// Keys that mean the same in every view.
fn press(app: App, key: &Key) -> bool {
    if key.is_repeated {
        return false;
    }
    let go = |view| {
        app.go(Place::of(view), false);
        true
    };
    let has_open = app.summary.with_untracked(|summary| summary.sources > 0);
    match key.name.as_str() {
        "?" => platform::open_dialog(KEYS_DIALOG),
        "t" => next_theme(app),
        "y" => app.copy_link(),
        "o" => return go(View::Open),
        "r" if has_open => return go(View::Runs),
        "f" if has_open => return go(View::Findings),
        "n" => return search::step(app, true),
        "N" => return search::step(app, false),
        _ => return false,
    }
    true
}
