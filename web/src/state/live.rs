//! What of the open files can be read again, and is followed.

use leptos::prelude::*;

use crate::platform::KeptFiles;

/// The setting that keeps handles for the next visit.
pub(super) const REMEMBERS: &str = "hindscope.files";

/// What can be read again, and what is followed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Live {
    /// Something that is open can be read again.
    pub(crate) can_reread: RwSignal<bool>,
    pub(crate) following: RwSignal<Option<Following>>,
    /// What can be opened again, as the start page names it.
    pub(crate) kept: RwSignal<Option<String>>,
    /// The same, where it is kept for this visit only.
    pub(super) once: StoredValue<Option<KeptFiles>, LocalStorage>,
    /// What was open before the page was loaded again after a bug, and cannot be opened again by it.
    pub(crate) lost: RwSignal<Option<String>>,
    /// Handles are kept for the next visit.
    pub(crate) remembers: RwSignal<bool>,
    /// The worker reads what is to take the place of what is shown.
    pub(super) is_renewing: StoredValue<bool>,
    /// Grows each time that following begins.
    pub(super) turn: StoredValue<u32>,
    /// The files are being looked at.
    pub(super) is_looking: StoredValue<bool>,
}

/// Files that are followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Following {
    /// The time of day at which they changed last.
    pub(crate) changed: Option<String>,
}

impl Live {
    /// Nothing is kept any more.
    pub(crate) fn forget(self) {
        self.kept.set(None);
        self.once.set_value(None);
        self.lost.set(None);
        self.remembers.set(false);
    }
}
