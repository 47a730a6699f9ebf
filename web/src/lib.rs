//! The hindscope page: opens histories of agent loops in the browser, charts how the reward
//! moved, and shows what the agent had in memory each time it moved.
//!
//! Two programs are built from this library: the page, which only shows, and the worker, which
//! owns the files and the history. They speak through `protocol`.

#![expect(
    unreachable_pub,
    reason = "the component macro writes `pub` before the properties of private components"
)]
#![expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]

mod app;
mod browser;
mod chart;
mod commands;
mod components;
mod diff;
mod format;
mod json_layout;
mod platform;
mod protocol;
mod route;
mod samples;
mod state;
mod views;
mod visible_text;
mod worker;

/// Shows the page.
pub fn start() {
    platform::show_panics();
    platform::ignore_own_events();
    leptos::mount::mount_to_body(app::Page);
    platform::forget_boot_screen();
}

/// Turns the current context into the worker of the page.
pub fn serve() {
    worker::serve::register();
}
