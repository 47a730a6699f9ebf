//! Light, dark, or as the system has it, and how a view is divided: all that is kept in the browser.

use gloo_storage::{LocalStorage, Storage};

use super::dom::mark_root;
use super::{keep, kept};

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
    let saved = kept(STORED_AS).unwrap_or_default();
    Theme::ALL.into_iter().find(|theme| theme.word() == saved).unwrap_or_default()
}

/// Shows a theme and keeps it.
pub(crate) fn apply_theme(theme: Theme) {
    let word = (theme != Theme::System).then(|| theme.word());
    mark_root("data-theme", word);
    keep(STORED_AS, word);
}

/// How much room lines have: `compact`, or nothing for the usual.
pub(crate) fn apply_density(word: Option<&str>) {
    mark_root("data-density", word);
}

const SHARE_STORED_AS: &str = "hindscope.share";

/// The share of the width that the left side had at the last visit, in per cent.
pub(crate) fn saved_share() -> Option<f64> {
    LocalStorage::get::<f64>(SHARE_STORED_AS).ok()
}

/// Keeps it; nothing forgets it.
pub(crate) fn save_share(share: Option<f64>) {
    match share {
        Some(share) => {
            let _ = LocalStorage::set(SHARE_STORED_AS, share);
        }
        None => LocalStorage::delete(SHARE_STORED_AS),
    }
}
