//! What stays in the browser: settings, and names of files where that was asked for. Nothing of any
//! record is ever among them.

use gloo_storage::{LocalStorage, Storage};

use super::kept_files::forget_files;
use super::offline::forget_offline;

/// Everything that is stored has a name that begins so.
const OURS: &str = "hindscope.";
const RECENT: &str = "hindscope.recent";
/// Names of files that are remembered.
const MOST: usize = 10;

/// A setting of an earlier visit.
#[cfg(target_arch = "wasm32")]
pub(crate) fn stored(name: &str) -> Option<String> {
    LocalStorage::get::<String>(name).ok()
}

/// No setting: tests have no browser.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn stored(_: &str) -> Option<String> {
    None
}

/// Stores a setting, or forgets it. Where storage is refused, it lasts for this visit.
pub(crate) fn store(name: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = LocalStorage::set(name, value);
    } else {
        LocalStorage::delete(name);
    }
}

/// Names of everything that is stored.
pub(crate) fn stored_names() -> Vec<String> {
    let storage = LocalStorage::raw();
    let names = (0..storage.length().unwrap_or(0)).filter_map(|at| storage.key(at).ok().flatten());
    let mut ours: Vec<String> = names.filter(|name| name.starts_with(OURS)).collect();
    ours.sort();
    ours
}

/// Names of what was opened last, newest first; nothing where remembering them is off.
pub(crate) fn recent_names() -> Option<Vec<String>> {
    LocalStorage::get(RECENT).ok()
}

/// Remembers names from now on, or forgets them.
pub(crate) fn remember_recent(is_on: bool) {
    if is_on {
        let _ = LocalStorage::set(RECENT, Vec::<String>::new());
    } else {
        LocalStorage::delete(RECENT);
    }
}

/// Puts names before those that are stored, if names are remembered at all.
pub(crate) fn add_recent(names: Vec<String>) {
    if let Some(before) = recent_names() {
        let _ = LocalStorage::set(RECENT, newest(names, before));
    }
}

fn newest(names: Vec<String>, before: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in names.into_iter().chain(before) {
        if kept.len() < MOST && !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

/// Takes out all of it, the files for days without a network included.
pub(crate) fn forget_everything() {
    for name in stored_names() {
        LocalStorage::delete(name);
    }
    forget_offline();
    wasm_bindgen_futures::spawn_local(forget_files());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_names_are_kept_once() {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let kept = newest(names(&["b", "a"]), names(&["a", "c"]));
        assert_eq!(kept, names(&["b", "a", "c"]));
        let many: Vec<String> = (0..20).map(|n| n.to_string()).collect();
        assert_eq!(newest(many, Vec::new()).len(), MOST);
    }
}
