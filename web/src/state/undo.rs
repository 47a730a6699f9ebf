//! Files are added, replaced and closed, and each of that is undone: what was open before is read again.

use leptos::prelude::*;

use super::app::{App, Phase};
use super::openings::{Opening, Openings, named};
use crate::protocol::Mode;
use crate::route::{Place, View};

impl App {
    /// Opens files beside or instead of what is open.
    pub(super) fn open_beside(self, opening: Opening, mode: Mode) {
        let place = self.place_before();
        self.change_open(|openings| {
            let new = named(&*opening.items);
            let (says, open, place) = match mode {
                _ if openings.open.is_empty() => (format!("Opened {new}."), Vec::new(), None),
                Mode::Add => (format!("Added {new}."), openings.open.clone(), None),
                Mode::Replace | Mode::Renew { .. } => {
                    (format!("Closed {} for {new}.", openings.names()), Vec::new(), Some(place))
                }
            };
            openings.change(says, [open, vec![opening.clone()]].concat(), place);
        });
        self.awaits.update_value(|awaits| awaits.stays = false);
        // A reader that is gone has nothing any more that this could stand beside.
        if mode == Mode::Add && matches!(self.phase.get_untracked(), Phase::Lost(_)) {
            self.open_again();
        } else {
            self.hand_over(vec![opening], mode);
        }
    }

    /// Closes the file at a position; all others are read again.
    pub(crate) fn close_file(self, position: u32) {
        let closed = self.openings.with_value(|openings| openings.without(position));
        if let Some((path, rest)) = closed {
            self.change_open(|openings| openings.change(format!("Closed {path}."), rest, None));
            self.open_again();
        }
    }

    /// Closes everything.
    pub(crate) fn close_all(self) {
        let place = self.place_before();
        self.change_open(|openings| {
            openings.change(format!("Closed {}.", openings.names()), Vec::new(), Some(place));
        });
        self.open_again();
    }

    /// Opens what was open before the last change.
    pub(crate) fn undo(self) {
        let undone = self.openings.try_update_value(|openings| {
            let before = openings.before.pop_back()?;
            openings.open = before.open;
            Some((before.says, before.place))
        });
        if let Some(Some((says, place))) = undone {
            self.show_undo(false);
            self.opened_changed();
            if let Some(place) = place {
                self.go(place, false);
            }
            self.open_again();
            self.say(format!("Undone: {says}"));
        }
    }

    /// Reads again everything that is open. The reader of the page stays where he is.
    pub(crate) fn open_again(self) {
        self.intake().message.set(None);
        let open = self.openings.with_value(|openings| openings.open.clone());
        // From the start page it goes to what is opened.
        let is_start = self.place.with_untracked(|place| place.view == View::Open)
            && self.summary.with_untracked(|summary| summary.sources == 0);
        self.awaits.update_value(|awaits| awaits.stays = !open.is_empty() && !is_start);
        self.hand_over(open, Mode::Replace);
    }

    /// Where the reader is, to come back to.
    fn place_before(self) -> Place {
        let place = self.place.get_untracked();
        if place.view == View::Open && !untrack(|| self.has_runs()) {
            Place::of(View::Runs)
        } else {
            place
        }
    }

    fn change_open(self, change: impl FnOnce(&mut Openings)) {
        self.openings.update_value(change);
        self.show_undo(true);
        self.opened_changed();
    }

    fn show_undo(self, is_new: bool) {
        let last = self.openings.with_value(|openings| Some(openings.before.back()?.says.clone()));
        self.undo.is_new.set(is_new && last.is_some());
        self.undo.change.set(last);
    }
}
