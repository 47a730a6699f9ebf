//! Printing: what is folded is opened, what is virtual is written out, and then the browser prints.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::app::App;
use crate::platform;

/// The dialog that asks how much is printed.
pub(crate) const PRINT_DIALOG: &str = "print";
/// Rows of a list that are written out without asking.
pub(crate) const PRINTED: u32 = 200;
/// How long the page waits for what it asked of the worker, in steps.
const STEP: Duration = Duration::from_millis(80);
const STEPS: u32 = 120;

/// Follows the browser's own printing. Lasts as long as the page.
pub(crate) fn follow_print(app: App) {
    let follow = move |is_print: bool| {
        if is_print && app.print.rows.get_untracked().is_none() {
            begin(app, PRINTED);
        } else if !is_print {
            end(app);
        }
    };
    platform::on_print(follow);
    StoredValue::new_local(platform::media("print", follow));
}

fn begin(app: App, rows: u32) {
    platform::mark_print(true);
    app.print.rows.set(Some(rows));
    app.palette.update(|n| *n += 1);
}

fn end(app: App) {
    if app.print.rows.get_untracked().is_some() {
        platform::mark_print(false);
        app.print.rows.set(None);
        app.palette.update(|n| *n += 1);
    }
}

/// Prints what is shown; asks before it prints very long lists.
pub(crate) fn print_page(app: App) {
    if app.print.longest() > PRINTED {
        platform::open_dialog(PRINT_DIALOG);
    } else {
        print(app, PRINTED);
    }
}

/// Prints so many rows of each list.
pub(crate) fn print(app: App, rows: u32) {
    begin(app, rows);
    app.say("Preparing to print.");
    spawn_local(async move {
        for _ in 0..STEPS {
            platform::pause_for(STEP).await;
            if !app.is_waiting() {
                break;
            }
        }
        // What came last is drawn by the next step.
        platform::pause_for(STEP).await;
        platform::print();
        end(app);
    });
}
