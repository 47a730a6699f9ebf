//! Everything that can be done with a key: one table, from which the bindings, the list of keys,
//! the palette and the menu come.
//!
//! What belongs to a view is done by that view: it listens with `use_keys`, and a command that is
//! chosen elsewhere is offered to it as its key.

pub(crate) mod find;
mod table;

use std::cell::Cell;

use crate::platform::{self, Key};
use crate::route::{RunTab, View};
use crate::state::{App, Settings};

pub(crate) use table::COMMANDS;

/// The second key of a chord follows within this time.
const CHORD_MS: f64 = 800.0;
/// The key that begins a chord.
const PREFIX: &str = "g";

/// Something that can be done.
pub(crate) struct Command {
    /// Its name in tests, and of its entry in lists.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// As `KeyboardEvent.key` has them; two with a space between follow each other, and `Mod` is
    /// Ctrl or Cmd.
    pub(crate) keys: &'static [&'static str],
    pub(crate) part: Part,
    /// Holding its key down does it again and again.
    pub(crate) repeats: bool,
    /// Where it means something.
    pub(crate) when: fn(&Here) -> bool,
    pub(crate) act: Act,
}

/// Under which heading a command stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Everywhere,
    Lists,
    Run,
}

impl Part {
    pub(crate) const ALL: [Self; 3] = [Self::Everywhere, Self::Lists, Self::Run];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Lists => "Lists, iterations, actions",
            Self::Run => "In a run",
        }
    }
}

/// Who does it.
pub(crate) enum Act {
    /// The page.
    Page(fn(App)),
    /// The view that is shown, by this key.
    View(&'static str),
    /// The page, before any view.
    First(fn(App)),
    /// The view if it can, or else the page.
    Either(&'static str, fn(App)),
    /// The browser has the key; the page does it when it is chosen from a list.
    Browser(fn(App)),
}

/// Where the reader is, as far as commands depend on it.
pub(crate) struct Here {
    pub(crate) view: View,
    /// Something is open.
    pub(crate) has_open: bool,
    /// Something was open before.
    pub(crate) can_undo: bool,
    /// Files that are open can be read again.
    pub(crate) can_reread: bool,
}

impl Here {
    pub(crate) fn of(app: App) -> Self {
        use leptos::prelude::*;
        Self {
            view: app.place.with(|place| place.view.clone()),
            has_open: app.summary.with(|summary| summary.sources > 0),
            can_undo: app.undo.change.with(Option::is_some),
            can_reread: app.live().can_reread.get(),
        }
    }

    /// The tab, in a run.
    pub(crate) fn tab(&self) -> Option<RunTab> {
        self.view.tab()
    }
}

/// Does it, and says aloud if there is nothing to do.
pub(crate) fn run(app: App, command: &Command) -> bool {
    let offer = |key: &str| app.press(&Key { name: key.to_owned(), is_repeated: false });
    let done = match command.act {
        Act::Page(act) | Act::First(act) | Act::Browser(act) => {
            act(app);
            true
        }
        Act::View(key) => offer(key),
        Act::Either(key, act) => {
            if !offer(key) {
                act(app);
            }
            true
        }
    };
    if !done {
        app.say(format!("{}: there is nothing to do here.", command.title));
    }
    done
}

/// Whether a key with Ctrl or Cmd is one of the table.
pub(crate) fn is_listed(key: &str) -> bool {
    COMMANDS.iter().any(|command| command.keys.contains(&key))
}

fn of_key(key: &str, here: &Here) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.keys.contains(&key) && (command.when)(here))
}

/// Does what keys mean, and remembers when the first key of a chord was pressed.
pub(crate) struct Keyboard {
    app: App,
    settings: Settings,
    begun: Cell<f64>,
}

impl Keyboard {
    pub(crate) fn new(app: App, settings: Settings) -> Self {
        Self { app, settings, begun: Cell::new(f64::NEG_INFINITY) }
    }

    /// Does what a key means, and says whether it means anything.
    pub(crate) fn press(&self, key: &Key) -> bool {
        use leptos::prelude::*;
        let is_character = key.name.chars().count() == 1;
        if is_character && !self.settings.single_keys.get_untracked() {
            return false;
        }
        let here = untrack(|| Here::of(self.app));
        let is_second = platform::now() - self.begun.replace(f64::NEG_INFINITY) < CHORD_MS;
        if is_second && !key.is_repeated {
            let chord = format!("{PREFIX} {}", key.name);
            if let Some(command) = of_key(&chord, &here) {
                return run(self.app, command);
            }
        }
        if key.name == PREFIX {
            if !key.is_repeated {
                self.begun.set(platform::now());
            }
            return true;
        }
        let command = of_key(&key.name, &here);
        if key.is_repeated && command.is_some_and(|command| !command.repeats) {
            return false;
        }
        if let Some(Act::First(act)) = command.map(|command| &command.act) {
            act(self.app);
            return true;
        }
        if self.app.press(key) {
            return true;
        }
        match command.map(|command| &command.act) {
            Some(Act::Page(act) | Act::Either(_, act)) => {
                act(self.app);
                true
            }
            // The view has it under another key only.
            Some(Act::View(own)) if *own != key.name => {
                self.app.press(&Key { name: (*own).to_owned(), is_repeated: key.is_repeated })
            }
            Some(Act::View(_) | Act::First(_) | Act::Browser(_)) | None => false,
        }
    }
}

/// A key as its cap has it.
pub(crate) fn cap(key: &str) -> String {
    if let Some(key) = key.strip_prefix("Mod+") {
        let key = key.to_uppercase();
        return if platform::has_cmd() { format!("\u{2318}{key}") } else { format!("Ctrl {key}") };
    }
    match key {
        "ArrowDown" => "\u{2193}".to_owned(),
        "ArrowUp" => "\u{2191}".to_owned(),
        "Alt+ArrowLeft" => "Alt \u{2190}".to_owned(),
        "Escape" => "Esc".to_owned(),
        " " => "Space".to_owned(),
        "-" => "\u{2212}".to_owned(),
        _ => key.to_owned(),
    }
}
