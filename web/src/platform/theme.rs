//! Light, dark, or as the system has it; kept in the browser.

use gloo_storage::{LocalStorage, Storage};

const STORED_AS: &str = "hindscope.theme";

/// Which of the two palettes is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// The theme of the last visit.
pub(crate) fn saved_theme() -> Theme {
    let saved = LocalStorage::get::<String>(STORED_AS).unwrap_or_default();
    Theme::ALL.into_iter().find(|theme| theme.word() == saved).unwrap_or_default()
}

/// Shows a theme and keeps it. Where storage is refused, it lasts for this visit.
pub(crate) fn apply_theme(theme: Theme) {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.document_element());
    if let Some(root) = root {
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            Theme::Light | Theme::Dark => root.set_attribute("data-theme", theme.word()),
        };
    }
    if theme == Theme::System {
        LocalStorage::delete(STORED_AS);
    } else {
        let _ = LocalStorage::set(STORED_AS, theme.word());
    }
}
