//! The menu: what can be done everywhere, for those who press no keys.

use leptos::prelude::*;

use super::Caps;
use crate::commands::{Act, COMMANDS, Here, Part, run};
use crate::platform::{self, Key};
use crate::state::{App, use_keys};

const MENU: &str = "menu";

/// Opens the menu.
#[component]
pub(crate) fn MenuButton(
    /// What the button says.
    name: &'static str,
    class: &'static str,
) -> impl IntoView {
    view! {
        <button class=class aria-haspopup="dialog" on:click=move |_| platform::open_dialog(MENU)>
            <svg class="menu-lines" viewBox="0 0 16 16" aria-hidden="true">
                <path d="M2 4h12M2 8h12M2 12h12"></path>
            </svg>
            {name}
        </button>
    }
}

/// Closes what a button opened: by Escape, which gives the focus back to the button, and when anything
/// outside of the element around both is pressed or receives the focus.
pub(crate) fn close_by_itself(is_open: RwSignal<bool>, around: &'static str, button: &'static str) {
    use_keys(move |key: &Key| {
        let closes = key.name == "Escape" && is_open.get_untracked();
        if closes {
            is_open.set(false);
            platform::focus_id(button);
        }
        closes
    });
    let outside = platform::on_outside(around, move || {
        if is_open.try_get_untracked() == Some(true) {
            is_open.set(false);
        }
    });
    StoredValue::new_local(outside);
}

/// The dialog with its entries.
#[component]
pub(crate) fn Menu() -> impl IntoView {
    let app = App::get();
    let entries = move || {
        let here = Here::of(app);
        COMMANDS
            .iter()
            .filter(|command| command.part == Part::Everywhere && (command.when)(&here))
            .filter(|command| !matches!(command.act, Act::View("Escape")))
            .map(|command| {
                let choose = move |_| {
                    platform::close_dialog(MENU);
                    run(app, command);
                };
                view! {
                    <li>
                        <button class="sheet-entry" data-command=command.id on:click=choose>
                            <span>{command.title}</span>
                            <span class="option-keys" aria-hidden="true"><Caps command/></span>
                        </button>
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <dialog id=MENU class="dialog sheet" aria-labelledby="menu-title">
            <header>
                <h2 id="menu-title">"Menu"</h2>
                <button class="small" on:click=move |_| platform::close_dialog(MENU)>"Close"</button>
            </header>
            <ul class="sheet-list">{entries}</ul>
        </dialog>
    }
}
