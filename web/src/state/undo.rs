//! Files are added, replaced and closed, and each of that is undone: what was open before is read again.

use std::rc::Rc;

use leptos::prelude::*;

use super::app::App;
use super::openings::{Opening, Openings, named};
use crate::protocol::{Ended, FileItem, Limits, Mode, Summary};
use crate::route::View;

impl App {
    /// Opens files beside or instead of what is open.
    pub(super) fn open_beside(self, items: Vec<FileItem>, mode: Mode, limits: Limits) {
        let opening = Opening { items: items.into(), limits };
        self.change_open(|openings| {
            let new = named(&*opening.items);
            let (says, mut open) = match mode {
                Mode::Add => (format!("Added {new}."), openings.open.clone()),
                Mode::Replace => (format!("Closed {} for {new}.", openings.names()), Vec::new()),
            };
            open.push(opening.clone());
            openings.change(says, open);
        });
        self.open_files(opening.items, mode, opening.limits);
    }

    /// The path of the file that was opened for a source: its own, or that of the archive that it is in.
    pub(crate) fn file_of(self, path: &str) -> Option<String> {
        self.openings.with_value(|openings| openings.file_of(path).map(|item| item.path.clone()))
    }

    /// Closes the files of a path; all others are read again.
    pub(crate) fn close_file(self, path: &str) {
        self.change_open(|openings| {
            let rest = openings.open.iter().filter_map(|opening| {
                let stays = |item: &&FileItem| item.path != path;
                let items: Rc<[FileItem]> = opening.items.iter().filter(stays).cloned().collect();
                (!items.is_empty()).then(|| Opening { items, limits: opening.limits.clone() })
            });
            let rest = rest.collect();
            openings.change(format!("Closed {path}."), rest);
        });
        self.open_again();
    }

    /// Closes everything.
    pub(crate) fn close_all(self) {
        self.change_open(|openings| {
            openings.change(format!("Closed {}.", openings.names()), Vec::new());
        });
        self.open_again();
    }

    /// Opens what was open before the last change.
    pub(crate) fn undo(self) {
        let undone = self.openings.try_update_value(|openings| {
            let (says, before) = openings.before.pop_back()?;
            openings.open = before;
            Some(says)
        });
        if let Some(Some(says)) = undone {
            self.show_undo(false);
            self.open_again();
            self.say(format!("Undone: {says}"));
        }
    }

    /// Reads again everything that is open. The reader of the page stays where he is.
    pub(crate) fn open_again(self) {
        let first = self.openings.try_update_value(|openings| {
            openings.waiting = openings.open.iter().cloned().collect();
            openings.waiting.pop_front()
        });
        let is_start = self.place.with_untracked(|place| place.view == View::Open)
            && self.summary.with_untracked(|summary| summary.sources == 0);
        self.awaits.update_value(|awaits| awaits.stays = !is_start);
        match first.flatten() {
            Some(Opening { items, limits }) => self.open_files(items, Mode::Replace, limits),
            None => self.open_files(Rc::new([]), Mode::Replace, Limits::default()),
        }
    }

    /// Goes on with what is opened again. False: there is no more of it.
    pub(super) fn open_next(self, read: &Summary) -> bool {
        let is_ended = matches!(read.ended, Some(Ended::Cancelled | Ended::Memory));
        let next = self.openings.try_update_value(|openings| {
            if is_ended {
                openings.waiting.clear();
            }
            openings.waiting.pop_front()
        });
        let Some(Some(Opening { items, limits })) = next else { return false };
        self.open_files(items, Mode::Add, limits);
        true
    }

    fn change_open(self, change: impl FnOnce(&mut Openings)) {
        self.openings.update_value(change);
        self.show_undo(true);
    }

    fn show_undo(self, is_new: bool) {
        let last =
            self.openings.with_value(|openings| openings.before.back().map(|one| one.0.clone()));
        self.undo.is_new.set(is_new && last.is_some());
        self.undo.change.set(last);
    }
}
