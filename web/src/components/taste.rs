//! How the reader likes to see records. It stays from one iteration and one tab to the next.

use leptos::prelude::*;

/// Switches of a run's page.
#[derive(Clone, Copy, Default)]
pub(crate) struct Taste {
    /// Raw records laid out for reading, and not as they are written.
    pub(crate) is_pretty: RwSignal<bool>,
    /// Diffs with both files beside each other.
    pub(crate) is_beside: RwSignal<bool>,
    /// Terminal codes of output are shown.
    pub(crate) has_codes: RwSignal<bool>,
    /// Fields without a value are listed.
    pub(crate) has_empty: RwSignal<bool>,
}

impl Taste {
    /// Gives it to all components below.
    pub(crate) fn provide() {
        provide_context(Self::default());
    }

    /// That of the page.
    pub(crate) fn get() -> Self {
        expect_context()
    }
}
