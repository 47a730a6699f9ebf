//! Makes the page ready before its first files come.
//!
//! Browsers compile a function when it is called for the first time: without this the first rows of
//! the first files wait for all that the list of runs needs.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::platform;
use crate::protocol::SoFar;
use crate::state::{App, Phase};
use crate::views::Runs;

/// Answers come after one pause, and what follows from them after another.
const PAUSES: u32 = 3;

/// Shows a sample in the list of runs once, where nobody sees it.
pub(crate) fn follow(app: App) {
    Effect::new(move |_| {
        let (Some(sample), Some(owner)) = (app.sample.get(), Owner::current()) else { return };
        app.sample.set(None);
        platform::when_idle(move || {
            // Whoever opens something already is not made to wait.
            if app.phase.get_untracked() == Phase::Empty {
                owner.with(|| draw_once(app, sample));
            }
        });
    });
}

fn draw_once(app: App, sample: SoFar) {
    let Some(stage) = platform::stage() else { return };
    let title = platform::title();
    let list = leptos::mount::mount_to(stage, move || {
        provide_context(app.with_sample(sample));
        view! { <Runs/> }
    });
    platform::set_title(&title);
    spawn_local(async move {
        // Until its rows are there.
        for _ in 0..PAUSES {
            platform::pause().await;
        }
        drop(list);
    });
}
