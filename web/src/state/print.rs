//! The page while it is printed.

use leptos::prelude::*;

/// The page while it is printed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Print {
    /// Rows that lists write out; none while the page is on a screen.
    pub(crate) rows: RwSignal<Option<u32>>,
    lists: StoredValue<Vec<(u32, Signal<u32>)>>,
}

impl Print {
    /// Counts the rows of a list for as long as the current component is shown.
    pub(crate) fn counts(self, total: Signal<u32>) {
        let id = self.lists.with_value(|lists| lists.last().map_or(0, |(id, _)| id + 1));
        self.lists.update_value(|lists| lists.push((id, total)));
        on_cleanup(move || {
            let _ = self.lists.try_update_value(|lists| lists.retain(|(other, _)| *other != id));
        });
    }

    /// Rows of the longest list that is shown.
    pub(crate) fn longest(self) -> u32 {
        let totals = self.lists.with_value(|lists| {
            lists.iter().filter_map(|(_, total)| total.try_get_untracked()).max()
        });
        totals.unwrap_or_default()
    }
}
