//! What the path of a source says of its place: folder, name, and the experiment that it is part of.

use std::collections::BTreeMap;

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

/// For each of several paths, the folders that tell its file from the others: without those that all of
/// them share, and no more than are needed. The name of the file is among them where folders are not enough.
pub(crate) fn prefixes<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    let parts: Vec<Vec<&str>> = paths.map(|path| path.split('/').collect()).collect();
    let folders = |at: usize| parts.get(at).and_then(|p| p.split_last()).map_or(&[][..], |p| p.1);
    let is_shared = |depth: &usize| {
        let of_first = folders(0).get(*depth);
        of_first.is_some() && (0..parts.len()).all(|at| folders(at).get(*depth) == of_first)
    };
    let shared = (0..folders(0).len()).take_while(is_shared).count();
    let own = |at: usize| folders(at).get(shared..).unwrap_or_default();
    let mut found = vec![String::new(); parts.len()];
    let mut open: Vec<usize> = (0..parts.len()).collect();
    let mut len = 0;
    while !open.is_empty() {
        // Of each beginning: how many paths have it, and how many have nothing behind it.
        let mut counts: BTreeMap<&[&str], (usize, usize)> = BTreeMap::new();
        let beginning = |at: usize| own(at).get(..len).unwrap_or_default();
        for &at in &open {
            let (all, ended) = counts.entry(beginning(at)).or_default();
            *all += 1;
            *ended += usize::from(own(at).len() == len);
        }
        open.retain(|&at| {
            let (all, ended) = counts.get(beginning(at)).copied().unwrap_or_default();
            let has_ended = own(at).len() == len;
            let is_told = all == 1 || has_ended;
            if let Some(found) = found.get_mut(at).filter(|_| is_told) {
                let name = parts.get(at).and_then(|parts| parts.last());
                let name = name.filter(|_| has_ended && ended > 1);
                *found = beginning(at).iter().chain(name).copied().collect::<Vec<_>>().join("/");
            }
            !is_told
        });
        len += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_tell_files_apart_as_far_as_needed() {
        for (paths, expected) in [
            (&["w/a/.aiwg/ralph/x.json", "w/b/.aiwg/ralph/x.json"][..], &["a", "b"][..]),
            (&["x/a/s.json", "x/b/s.json", "y/s.json"], &["x/a", "x/b", "y"]),
            (&["w/s.json", "w/old/s.json"], &["", "old"]),
            (&["w/a/s.json", "w/a/b/s.json", "w/c/s.json"], &["a", "a/b", "c"]),
            (&["w/s.json", "w/s.md"], &["s.json", "s.md"]),
            (&["s.json"], &[""]),
        ] {
            assert_eq!(prefixes(paths.iter().copied()), expected, "{paths:?}");
        }
    }
}
