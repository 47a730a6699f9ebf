//! The theme, how much room lines have, and how a view is divided. Theme and division are kept in the
//! browser.

use gloo_storage::{LocalStorage, Storage};
use strum::{EnumString, IntoStaticStr, VariantArray};
use web_sys::StorageEvent;

use super::dom::{listen, mark_root};
use super::{store, stored};

const STORED_AS: &str = "hindscope.theme";

/// Which of the two palettes is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub(crate) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// The theme of the last visit.
pub(crate) fn saved_theme() -> Theme {
    let saved = stored(STORED_AS).unwrap_or_default();
    saved.parse().unwrap_or_default()
}

/// Shows a theme and keeps it.
pub(crate) fn apply_theme(theme: Theme) {
    let word = (theme != Theme::System).then(|| theme.into_str());
    mark_root("data-theme", word);
    store(STORED_AS, word);
}

/// Calls with the theme that another tab has chosen. Lasts as long as the page.
pub(crate) fn on_other_theme(call: impl Fn(Theme) + 'static) {
    listen("storage", move |event: &StorageEvent| {
        // Without a key all of it was forgotten.
        if event.key().is_none_or(|key| key == STORED_AS) {
            call(saved_theme());
        }
    });
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

/// Keeps the share for the next visit; `None` forgets it.
pub(crate) fn save_share(share: Option<f64>) {
    match share {
        Some(share) => {
            let _ = LocalStorage::set(SHARE_STORED_AS, share);
        }
        None => LocalStorage::delete(SHARE_STORED_AS),
    }
}
