//! What waits to be opened, and what has to be asked before it is.

use leptos::prelude::*;

use super::live::Live;
use super::message::Message;
use super::size::Prediction;
use crate::platform::{Found, HandedOver};
use crate::protocol::{Limits, Mode};

/// What is to be opened.
#[derive(Clone)]
pub(crate) enum What {
    Files(Found),
    Sample(String),
}

/// What came in, and what is settled about it.
#[derive(Clone)]
pub(crate) struct Incoming {
    pub(crate) what: What,
    /// Beside or instead of what is open, once that was asked.
    pub(crate) mode: Option<Mode>,
    /// How much of it, once its size was looked at.
    pub(crate) limits: Option<Limits>,
    /// Where to go when it is open.
    pub(crate) at: Option<String>,
}

impl From<What> for Incoming {
    fn from(what: What) -> Self {
        Self { what, mode: None, limits: None, at: None }
    }
}

/// What is asked before anything is read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Question {
    /// Beside what is open, or instead of it?
    Mode { files: usize },
    /// All of it may not fit: how much?
    TooBig(Prediction),
}

/// What is waiting, and what is said about opening.
#[derive(Clone, Copy, Default)]
pub(crate) struct Intake {
    pub(crate) question: RwSignal<Option<Question>>,
    /// The answer to all further questions of this tab.
    pub(crate) remembered: RwSignal<Option<Mode>>,
    pub(crate) message: RwSignal<Option<Message>>,
    /// What another page offers: who, and how much.
    pub(crate) offer: RwSignal<Option<OfferShown>>,
    /// A newer version of the app lies ready.
    pub(crate) is_newer: RwSignal<bool>,
    /// Files that are read again, and those that are kept for the next visit.
    pub(super) live: Live,
    pub(super) waiting: StoredValue<Option<Incoming>, LocalStorage>,
    pub(super) offered: StoredValue<Option<HandedOver>, LocalStorage>,
    pub(super) pasted: StoredValue<u32>,
}

/// An offer of another page, as the bar shows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OfferShown {
    pub(crate) text: String,
    pub(crate) title: Option<String>,
}

impl Intake {
    /// Takes out what waits. It may be many files, of which no copy is made.
    pub(super) fn take_waiting(self) -> Option<Incoming> {
        self.waiting.try_update_value(Option::take).flatten()
    }
}

impl What {
    pub(super) fn files(&self) -> usize {
        match self {
            Self::Files(found) => found.items.len(),
            Self::Sample(_) => 1,
        }
    }
}
