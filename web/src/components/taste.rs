//! How the reader likes to see records. It stays from one iteration and one tab to the next.

use leptos::prelude::*;

/// Switches of a run's page.
#[derive(Clone, Copy)]
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
    pub(crate) fn provide() -> Self {
        let off = || RwSignal::new(false);
        let taste = Self { is_pretty: off(), is_beside: off(), has_codes: off(), has_empty: off() };
        provide_context(taste);
        taste
    }

    /// That of the page around, or one of the component's own.
    pub(crate) fn get() -> Self {
        use_context().unwrap_or_else(Self::provide)
    }
}
