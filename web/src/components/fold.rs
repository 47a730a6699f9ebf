//! A section that opens and closes, and stays so from one iteration to the next.

use leptos::prelude::*;

use super::RecordText;
use crate::state::App;

/// A titled section. Which ones are open is remembered by title while the page lives.
#[component]
pub(crate) fn Fold(
    title: &'static str,
    /// A few words beside the title: a count, a place.
    #[prop(optional, into)]
    note: String,
    /// Closed until the reader opens it.
    #[prop(optional)]
    is_closed: bool,
    children: ChildrenFn,
) -> impl IntoView {
    let app = App::get();
    // On paper nothing can be opened.
    let is_open =
        Memo::new(move |_| app.print.rows.with(Option::is_some) || app.is_open(title, !is_closed));
    view! {
        <section class="fold" class:closed=move || !is_open.get() data-section=title>
            <h3>
                <FoldButton section=title is_open>
                    <span class="fold-title">{title}</span>
                    <span class="fold-note"><RecordText text=note/></span>
                </FoldButton>
            </h3>
            <Show when=move || is_open.get()>
                <div class="fold-body">{children()}</div>
            </Show>
        </section>
    }
}

/// Opens or closes the section that `App::folds` knows by this name.
#[component]
pub(crate) fn FoldButton(
    section: &'static str,
    is_open: Memo<bool>,
    children: Children,
) -> impl IntoView {
    let app = App::get();
    let click = move |_| {
        app.folds.update(|folds| {
            folds.insert(section, !is_open.get_untracked());
        });
    };
    view! {
        <button
            class="fold-button"
            aria-expanded=move || is_open.get().to_string()
            on:click=click
        >
            <Chevron/>
            {children()}
        </button>
    }
}

/// The mark of what opens and closes.
#[component]
pub(crate) fn Chevron() -> impl IntoView {
    view! {
        <svg class="chevron" viewBox="0 0 12 12" aria-hidden="true">
            <path d="M4 2.5 8 6 4 9.5"></path>
        </svg>
    }
}
