//! What the reader chose for all histories. It is kept in the browser, and can be forgotten.

use leptos::prelude::*;

use super::app::App;
use super::live::REMEMBERS;
use super::time_zone::Clock;
use crate::format;
use crate::platform::{self, Theme};

const KEYS: &str = "hindscope.keys";
const UNIT: &str = "hindscope.unit";
const DENSITY: &str = "hindscope.density";

/// Names of everything that may be kept, and what each of them is.
const KEPT: [(&str, &str); 9] = [
    ("hindscope.theme", "theme"),
    (KEYS, "single-key shortcuts are off"),
    (UNIT, "rewards in points"),
    ("hindscope.clock", "zone of times"),
    (DENSITY, "density"),
    ("hindscope.share", "place of the divider"),
    ("hindscope.columns", "columns of the list of runs"),
    ("hindscope.recent", "names of files opened last"),
    (REMEMBERS, "handles of the files opened last"),
];

/// Choices that hold in every view. A copy of it is a few ids.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// Keys without Ctrl or Cmd do something.
    pub(crate) single_keys: RwSignal<bool>,
    /// Rewards are points from 0 to 100.
    pub(crate) points: RwSignal<bool>,
    pub(crate) clock: RwSignal<Clock>,
    /// Lines have less room.
    pub(crate) is_compact: RwSignal<bool>,
}

impl Settings {
    /// Reads what is kept, and keeps what changes from now on.
    pub(crate) fn provide() -> Self {
        let is = |name, value: &str| platform::stored(name).is_some_and(|kept| kept == value);
        let settings = Self {
            single_keys: RwSignal::new(!is(KEYS, "off")),
            points: RwSignal::new(is(UNIT, "points")),
            clock: RwSignal::new(Clock::kept()),
            is_compact: RwSignal::new(is(DENSITY, "compact")),
        };
        provide_context(settings);
        format::write_points(settings.points.get_untracked());
        Effect::new(move |_| {
            platform::store(KEYS, (!settings.single_keys.get()).then_some("off"));
        });
        Effect::new(move |_| {
            let word = settings.is_compact.get().then_some("compact");
            platform::store(DENSITY, word);
            platform::apply_density(word);
        });
        settings
    }

    /// The settings of the page.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Writes rewards as points, or from 0 to 1.
    pub(crate) fn write_points(self, is_on: bool) {
        format::write_points(is_on);
        platform::store(UNIT, is_on.then_some("points"));
        self.points.set(is_on);
    }

    /// Shows times in a zone.
    pub(crate) fn show_clock(self, clock: Clock) {
        clock.keep();
        self.clock.set(clock);
    }

    /// Forgets everything that is kept, and is as on the first visit.
    pub(crate) fn forget(self, app: App) {
        self.single_keys.set(true);
        self.write_points(false);
        self.show_clock(Clock::default());
        self.is_compact.set(false);
        app.theme.set(Theme::default());
        platform::forget_everything();
        app.live().forget();
        app.say("Everything is forgotten.");
    }
}

/// What is kept now, in words.
pub(crate) fn stored_labels() -> Vec<String> {
    platform::stored_names().iter().map(|name| word(name)).collect()
}

fn word(name: &str) -> String {
    let known = KEPT.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| name.to_owned(), |(_, word)| (*word).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_kept_has_words() {
        assert_eq!(word("hindscope.unit"), "rewards in points");
        assert_eq!(word("hindscope.other"), "hindscope.other");
        assert!(KEPT.iter().all(|(name, _)| name.starts_with("hindscope.")));
    }
}
