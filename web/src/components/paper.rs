//! Printing: what is folded is opened, what is virtual is written out, and then the browser prints.

use std::time::Duration;

use leptos::prelude::*;

use crate::format::noun;
use crate::platform;
use crate::state::App;

const PRINT_DIALOG: &str = "print";
/// Rows of a list that are written out without asking.
pub(crate) const PRINTED: u32 = 200;
/// How long the page waits for what it asked of the worker, in steps.
const STEP: Duration = Duration::from_millis(80);
const STEPS: u32 = 120;

/// The page as it is on paper.
#[derive(Clone, Copy)]
pub(crate) struct Paper {
    /// Rows that lists write out; none while the page is on a screen.
    pub(crate) rows: RwSignal<Option<u32>>,
    lists: StoredValue<Vec<(u32, Signal<u32>)>>,
}

impl Default for Paper {
    fn default() -> Self {
        Self { rows: RwSignal::new(None), lists: StoredValue::new(Vec::new()) }
    }
}

impl Paper {
    /// Counts the rows of a list for as long as the current component is shown.
    pub(crate) fn counts(self, total: Signal<u32>) {
        let id = self.lists.with_value(|lists| lists.last().map_or(0, |(id, _)| id + 1));
        self.lists.update_value(|lists| lists.push((id, total)));
        on_cleanup(move || {
            let _ = self.lists.try_update_value(|lists| lists.retain(|(other, _)| *other != id));
        });
    }

    /// Rows of the longest list that is shown.
    fn longest(self) -> u32 {
        let totals = self.lists.with_value(|lists| {
            lists.iter().filter_map(|(_, total)| total.try_get_untracked()).max()
        });
        totals.unwrap_or_default()
    }
}

/// Follows the browser's own printing. Lasts as long as the page.
pub(crate) fn follow_print(app: App) {
    let follow = move |is_print: bool| {
        if is_print && app.paper.rows.get_untracked().is_none() {
            begin(app, PRINTED);
        } else if !is_print {
            end(app);
        }
    };
    platform::on_print(follow);
    StoredValue::new_local(platform::media("print", follow));
}

fn begin(app: App, rows: u32) {
    platform::mark_paper(true);
    app.paper.rows.set(Some(rows));
    app.palette.update(|n| *n += 1);
}

fn end(app: App) {
    if app.paper.rows.get_untracked().is_some() {
        platform::mark_paper(false);
        app.paper.rows.set(None);
        app.palette.update(|n| *n += 1);
    }
}

/// Prints what is shown; asks before it prints very long lists.
pub(crate) fn print_page(app: App) {
    if app.paper.longest() > PRINTED {
        platform::open_dialog(PRINT_DIALOG);
    } else {
        print(app, PRINTED);
    }
}

fn print(app: App, rows: u32) {
    begin(app, rows);
    app.say("Preparing to print.");
    when_drawn(STEPS, app);
}

fn when_drawn(steps: u32, app: App) {
    let next = move || {
        if app.is_waiting() && steps > 0 {
            when_drawn(steps - 1, app);
        } else {
            // What came last is drawn by the next step.
            set_timeout(
                move || {
                    platform::print();
                    end(app);
                },
                STEP,
            );
        }
    };
    set_timeout(next, STEP);
}

/// Asks how much of a long list goes on paper.
#[component]
pub(crate) fn PrintDialog() -> impl IntoView {
    let app = App::get();
    let longest = RwSignal::new(0u32);
    let choose = move |rows: u32| {
        platform::close_dialog(PRINT_DIALOG);
        print(app, rows);
    };
    view! {
        <dialog
            id=PRINT_DIALOG
            class="dialog"
            aria-labelledby="print-title"
            on:toggle=move |_| longest.set(app.paper.longest())
        >
            <header>
                <h2 id="print-title">"Print"</h2>
                <button class="small" on:click=move |_| platform::close_dialog(PRINT_DIALOG)>
                    "Cancel"
                </button>
            </header>
            <p>
                {move || {
                    let all = longest.get();
                    let rows = noun(u64::from(all), "row");
                    format!("The list has {} {rows}. How many of them?", platform::whole(all))
                }}
            </p>
            <p class="toolbar">
                <button class="primary" on:click=move |_| choose(PRINTED)>
                    {format!("The first {PRINTED}")}
                </button>
                <button on:click=move |_| choose(longest.get_untracked())>
                    {move || format!("All {}", platform::whole(longest.get()))}
                </button>
            </p>
        </dialog>
    }
}
