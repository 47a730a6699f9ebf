//! Small settings that stay in the browser. Nothing of any record is ever among them.

use gloo_storage::{LocalStorage, Storage};

/// A setting of an earlier visit.
#[cfg(target_arch = "wasm32")]
pub(crate) fn kept(name: &str) -> Option<String> {
    LocalStorage::get::<String>(name).ok()
}

/// No setting: tests have no browser.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn kept(_: &str) -> Option<String> {
    None
}

/// Keeps a setting, or forgets it. Where storage is refused, it lasts for this visit.
pub(crate) fn keep(name: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = LocalStorage::set(name, value);
    } else {
        LocalStorage::delete(name);
    }
}

/// Everything that is kept has a name that begins so.
const OURS: &str = "hindscope.";

/// Names of everything that is kept.
pub(crate) fn kept_names() -> Vec<String> {
    let storage = LocalStorage::raw();
    let names = (0..storage.length().unwrap_or(0)).filter_map(|at| storage.key(at).ok().flatten());
    let mut ours: Vec<String> = names.filter(|name| name.starts_with(OURS)).collect();
    ours.sort();
    ours
}
