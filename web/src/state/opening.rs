//! Opens what comes in, once everything is asked that has to be known before.
//!
//! Every way in ends here: drops, pickers, pastes, samples, files that the system or another page
//! hands over. Nothing has been read while something is asked.

use leptos::prelude::*;

use super::app::{App, Phase};
use super::intake::{Incoming, OfferShown, Question, What};
use super::message::{Message, offered};
use super::openings::Opening;
use super::size::Prediction;
use crate::platform::{self, Found, HandedOver, Pasted};
use crate::protocol::{Limits, Mode, TAB_HOLDS};
use crate::{route, samples};

impl App {
    /// Takes what came in, asks what has to be asked, and opens it.
    pub(crate) fn take(self, incoming: impl Into<Incoming>) {
        let mut incoming = incoming.into();
        let intake = self.intake();
        if let What::Files(found) = &mut incoming.what {
            if found.items.is_empty() {
                self.stop_listing();
                let text = "There is no file in what was dropped.";
                intake.message.set(Some(Message::new("no-files", text)));
                return;
            }
            // Another drop while something is asked joins what is asked about.
            if let Some(Incoming { what: What::Files(mut waiting), .. }) = intake.take_waiting() {
                waiting.items.append(&mut found.items);
                waiting.is_cut |= found.is_cut;
                // Only what can be read again as a whole is.
                let both = [&waiting.roots, &found.roots].map(|roots| roots.iter().cloned());
                let is_whole = !waiting.roots.is_empty() && !found.roots.is_empty();
                waiting.roots = both.into_iter().flatten().filter(|_| is_whole).collect();
                *found = waiting;
            }
        }
        intake.waiting.set_value(Some(incoming));
        self.settle();
    }

    /// Asks the next thing that is not settled, or opens what waits.
    fn settle(self) {
        let intake = self.intake();
        let Some(mut incoming) = intake.take_waiting() else { return };
        let has_open = self.summary.with_untracked(|summary| summary.sources > 0);
        let is_reading = self.phase.with_untracked(|phase| *phase == Phase::Reading);
        if incoming.mode.is_none() {
            incoming.mode = if has_open || is_reading {
                intake.remembered.get_untracked()
            } else {
                Some(Mode::Replace)
            };
        }
        let Some(mode) = incoming.mode else {
            let files = incoming.what.files();
            intake.waiting.set_value(Some(incoming));
            return intake.question.set(Some(Question::Mode { files }));
        };
        let holds = platform::memory_wanted().unwrap_or(TAB_HOLDS);
        if incoming.limits.is_none()
            && let What::Files(found) = &incoming.what
            && let Some(prediction) = Prediction::of(&found.items, holds)
        {
            intake.waiting.set_value(Some(incoming));
            return intake.question.set(Some(Question::TooBig(prediction)));
        }
        intake.question.set(None);
        let limits = Limits { memory: holds, ..incoming.limits.unwrap_or_default() };
        self.begin_opening(incoming.what, mode, limits, incoming.at);
    }

    fn begin_opening(self, what: What, mode: Mode, limits: Limits, at: Option<String>) {
        self.intake().message.set(None);
        if let Some(at) = at {
            self.await_place(route::read(&at));
        }
        match what {
            What::Sample(name) => {
                let opening = Opening::new(samples::files(&name), [].into(), limits);
                self.open_beside(Opening { sample: Some(name), ..opening }, mode);
            }
            What::Files(found) => {
                platform::add_recent(names(&found));
                if found.is_cut {
                    let most = platform::whole(platform::MOST_FILES);
                    let text = format!(
                        "The folder has more than {most} files: the first {most} are opened."
                    );
                    self.intake().message.set(Some(Message::new("too-many-files", text)));
                }
                self.open_beside(Opening::new(found.items, found.roots, limits), mode);
            }
        }
    }

    /// The answer to whether what is open stays.
    pub(crate) fn answer_mode(self, mode: Mode, is_for_all: bool) {
        if is_for_all {
            self.intake().remembered.set(Some(mode));
        }
        self.change_waiting(|incoming| incoming.mode = Some(mode));
    }

    /// The answer to how much is opened: so many records, some runs, or as much as there is memory
    /// for.
    pub(crate) fn answer_size(self, limits: Limits) {
        self.change_waiting(|incoming| incoming.limits = Some(limits));
    }

    fn change_waiting(self, change: impl FnOnce(&mut Incoming)) {
        self.intake().waiting.update_value(|waiting| {
            if let Some(incoming) = waiting {
                change(incoming);
            }
        });
        self.settle();
    }

    /// Nothing of what waits is opened.
    pub(crate) fn forget_waiting(self) {
        self.intake().question.set(None);
        if self.intake().take_waiting().is_some() {
            self.stop_listing();
            self.say("Nothing was opened.");
        }
    }

    /// Opens what was pasted.
    pub(crate) fn paste(self, pasted: Pasted) {
        match pasted {
            Pasted::Files(found) => self.take(What::Files(found)),
            Pasted::Text(text) => {
                self.intake().pasted.update_value(|count| *count += 1);
                let name = format!("pasted {}", self.intake().pasted.get_value());
                self.take(What::Files(Found::of_text(&name, &text)));
            }
        }
    }

    /// Shows what another page offers, unless an offer is waiting already.
    pub(crate) fn show_offer(self, offer: HandedOver) {
        let intake = self.intake();
        if intake.offered.get_value().is_some() {
            return offer.refuse("busy");
        }
        let text = offered(&offer.origin, &offer.found);
        intake.offer.set(Some(OfferShown { text: text.clone(), title: offer.title.clone() }));
        intake.offered.set_value(Some(offer));
        self.say(text);
    }

    /// The answer to an offer.
    pub(crate) fn answer_offer(self, is_wanted: bool) {
        let intake = self.intake();
        intake.offer.set(None);
        let Some(offer) = intake.offered.get_value() else { return };
        intake.offered.set_value(None);
        if is_wanted {
            offer.accept();
            let at = offer.at;
            self.take(Incoming { at, ..What::Files(offer.found).into() });
        } else {
            offer.refuse("declined");
        }
    }
}

/// Names of files and folders as they were dropped.
fn names(found: &Found) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for item in &found.items {
        let name = item.path.split('/').next().unwrap_or_default();
        if names.last().is_none_or(|last| last != name) {
            names.push(name.to_owned());
        }
    }
    names
}
