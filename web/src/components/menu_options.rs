//! Options of menus.

use leptos::prelude::*;

/// Options by their values and names; the one with the chosen value is selected.
pub(crate) fn menu_options(
    all: Vec<(String, String)>,
    chosen: Option<&str>,
) -> impl IntoView + use<> {
    let option = |(value, name): (String, String)| {
        let is_chosen = chosen == Some(value.as_str());
        view! { <option value=value selected=is_chosen>{name}</option> }
    };
    all.into_iter().map(option).collect::<Vec<_>>()
}
