//! What the path of a source says of its place: folder, name, and the experiment that it is part of.

use crate::format::Family;

/// Folder of a path, "" for a file dropped by itself.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Name of a file without folders and without its last ending.
pub(crate) fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// An experiment is a folder for trials, a file for tasks; chains belong to what was dropped.
/// Files dropped side by side share one root, so that a run spread over them stays one run.
pub(crate) fn family_label(path: &str, family: Family) -> &str {
    match family {
        Family::Loops if is_memory_itself(path) => "",
        Family::Loops => path.split_once('/').map_or("", |(root, _)| root),
        Family::Trials => folder_of(path),
        Family::Tasks | Family::Questions | Family::Files | Family::Totals => path,
    }
}

/// Whether a path begins inside of an episodic memory: its tasks and its index are one experiment, by
/// whatever folder they were opened.
fn is_memory_itself(path: &str) -> bool {
    let mut parts = path.split('/');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("tasks"), Some(_), Some(_)) => true,
        (Some("index"), Some(name), None) => {
            name.strip_prefix("by-").and_then(|rest| rest.strip_suffix(".json")).is_some()
        }
        _ => false,
    }
}
