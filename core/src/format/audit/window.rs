//! The window as recorded, and the credit that is assigned.

use super::Audit;
use super::checks::{Fired, numbers, repeated};
use crate::format::extracted::Extracted;
use crate::json::double::Shown;

impl Audit {
    pub(super) fn window(extracted: &Extracted, fired: &mut Fired) {
        const AT: &str = "/memory_metadata";
        if let Some(window) = extracted.window.get() {
            Self::listed(extracted, window, fired);
        }
        let len = extracted.window.get().map(<[_]>::len).and_then(|n| i64::try_from(n).ok());
        let held = len.max(extracted.said.window_size);
        #[expect(clippy::cast_precision_loss, reason = "lengths of lists")]
        if let (Some(held), Some(omega)) = (held, extracted.said.omega)
            && held as f64 > omega
        {
            let omega = Shown(omega);
            fired.warn(
                "rm/window-over-omega",
                format!("{AT}/omega_capacity"),
                [format!("{held} or more"), omega.to_string()],
                format!("The window contains {held} reflections, but its capacity (Ω) is {omega}."),
            );
        }
        if let (Some(total), Some(size)) = (extracted.said.window_total, extracted.said.window_size)
            && total < size
        {
            fired.warn(
                "rm/total-small",
                format!("{AT}/total_reflections_generated"),
                [format!("{size} or more"), total.to_string()],
                format!("{size} reflections are in the window, but only {total} were generated in total."),
            );
        }
    }

    fn listed(extracted: &Extracted, window: &[i64], fired: &mut Fired) {
        const AT: &str = "/memory_metadata/reflections_in_context";
        let len = i64::try_from(window.len()).unwrap_or(i64::MAX);
        if let Some(size) = extracted.said.window_size.filter(|s| *s != len) {
            fired.warn(
                "rm/window-size",
                "/memory_metadata/current_memory_size",
                [len.to_string(), size.to_string()],
                format!("The stated size of the window is {size}, but it has {len} entries."),
            );
        }
        let shown = || numbers(window);
        if let Some(number) = extracted.said.number {
            // The hash of a blank text is 0: without a text there is nothing that a window could hold.
            let has_text = extracted.reflections.iter().any(|hash| *hash != 0);
            if has_text && !window.contains(&number) {
                fired.report(
                    "rm/window-self",
                    AT,
                    [format!("{number} among them"), shown()],
                    format!(
                        "The window contains {}, but not the record's own number {number}.",
                        shown()
                    ),
                );
            }
            if let Some(future) = window.iter().find(|n| **n > number) {
                fired.warn(
                    "rm/window-future",
                    AT,
                    [format!("numbers up to {number}"), future.to_string()],
                    format!(
                        "The window of iteration {number} contains the later iteration {future}."
                    ),
                );
            }
        }
        if !window.is_sorted() {
            fired.report(
                "rm/window-order",
                AT,
                ["ascending numbers".to_owned(), shown()],
                format!("The window contains {}, which is not in ascending order.", shown()),
            );
        }
        if let Some(twice) = repeated(window) {
            fired.warn(
                "rm/window-duplicate",
                AT,
                ["each number once".to_owned(), format!("{twice} twice")],
                format!("The window contains iteration {twice} twice."),
            );
        }
    }

    pub(super) fn credit(&self, fired: &mut Fired) {
        const AT: &str = "/self_reflection/credit_assignment";
        let indices = || format!("{AT}/failing_action_indices");
        let last = self.actions.last().map(|action| i64::from(action.place));
        let is_outside = |i: &&i64| **i < 0 || last.is_none_or(|last| **i > last);
        if last.is_none() && (self.said.has_cause || !self.credited.is_empty()) {
            fired.report(
                "rm/credit-empty-actions",
                AT,
                ["at least one action".to_owned(), "no actions".to_owned()],
                "The reflection names a failing action, a root cause or a failure category, but the record has no actions.",
            );
        } else if let (Some(last), Some(index)) = (last, self.credited.iter().find(is_outside)) {
            fired.warn(
                "rm/credit-range",
                indices(),
                [format!("0 to {last}"), index.to_string()],
                format!("Action {index} is named as failing, but the actions are 0 to {last}."),
            );
        }
        if let Some(twice) = repeated(&self.credited) {
            fired.report(
                "rm/credit-duplicate",
                indices(),
                ["each action once".to_owned(), format!("{twice} twice")],
                format!("Action {twice} is named twice as failing."),
            );
        }
    }
}
