//! Choices that are kept in the browser: of how things look, never of content.

use gloo_storage::{LocalStorage, Storage};

/// What was kept under a name; none where nothing was, or where storage is refused.
pub(crate) fn kept(name: &str) -> Option<String> {
    LocalStorage::get(format!("hindscope.{name}")).ok()
}

/// Keeps a choice, or forgets it. Where storage is refused, it lasts for this visit.
pub(crate) fn keep(name: &str, value: Option<&str>) {
    let name = format!("hindscope.{name}");
    match value {
        Some(value) => {
            let _ = LocalStorage::set(name, value);
        }
        None => LocalStorage::delete(name),
    }
}
