//! Where the reader is in a run, and the steps to the iterations beside the selected one.

use hindscope::RunId;
use leptos::prelude::*;

use crate::format;
use crate::protocol::Columns;

/// The run that is shown, and where the reader is among its iterations.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    pub(crate) id: Memo<Option<RunId>>,
    pub(crate) columns: Memo<Columns>,
    /// Position of the selected iteration.
    pub(crate) at: Memo<Option<usize>>,
    pub(crate) select: Callback<usize>,
}

impl Steps {
    /// Number of the selected iteration.
    pub(crate) fn number(self) -> Option<i64> {
        self.columns.with(|columns| columns.number(self.at.get()?))
    }

    /// The neighbour on one side.
    fn neighbour(self, is_forward: bool) -> Option<usize> {
        let at = self.at.get()?;
        if is_forward {
            Some(at + 1).filter(|next| *next < self.columns.with(Columns::len))
        } else {
            at.checked_sub(1)
        }
    }

    /// Goes to a neighbour, if there is one.
    pub(crate) fn go(self, is_forward: bool) {
        if let Some(to) = untrack(|| self.neighbour(is_forward)) {
            self.select.run(to);
        }
    }
}

/// The selected iteration, and which it is of how many.
#[component]
pub(crate) fn StepTitle(
    steps: Steps,
    /// What it is called.
    name: &'static str,
) -> impl IntoView {
    move || {
        let at = steps.at.get()?;
        steps.columns.with(|columns| {
            let number = columns.number(at)?;
            Some(view! {
                <h2>{format!("{name} {number}")}</h2>
                <span class="quiet">{format!("{} of {}", format::ordinal(at + 1), columns.len())}</span>
            })
        })
    }
}

/// Buttons for both steps.
#[component]
pub(crate) fn StepButtons(
    steps: Steps,
    /// What is stepped through.
    what: &'static str,
    /// The key of the step back, and that of the step forth.
    back: &'static str,
    forth: &'static str,
) -> impl IntoView {
    let button = move |is_forward: bool, label: &str, key: &'static str, sign: &'static str| {
        view! {
            <button
                class="small"
                disabled=move || steps.neighbour(is_forward).is_none()
                on:click=move |_| steps.go(is_forward)
            >
                <span class="spoken">{format!("{label} {what}")}</span>
                <kbd aria-hidden="true">{key}</kbd>
                <span aria-hidden="true">{sign}</span>
            </button>
        }
    };
    view! { {button(false, "Previous", back, "\u{2191}")}{button(true, "Next", forth, "\u{2193}")} }
}
