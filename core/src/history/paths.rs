//! What the path of a source says of its place: folder, name, and the experiment that it is part of.

use crate::format::Family;
use crate::sort::StableSort as _;

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
    let common = |one: usize, other: usize| {
        folders(one).iter().zip(folders(other)).take_while(|(one, other)| one == other).count()
    };
    // Of sorted paths, neighbours have the most folders in common, the first and the last the fewest.
    let mut sorted: Vec<usize> = (0..parts.len()).collect();
    sorted.stable_sort_by(|one, other| folders(*one).cmp(folders(*other)));
    let shared = sorted.first().zip(sorted.last()).map_or(0, |(one, other)| common(*one, *other));
    let mut needed = vec![shared; parts.len()];
    for pair in sorted.windows(2) {
        let &[one, other] = pair else { continue };
        let name = usize::from(folders(one) == folders(other));
        for at in [one, other] {
            let len = folders(at).len().min(common(one, other) + 1) + name;
            if let Some(needed) = needed.get_mut(at) {
                *needed = len.max(*needed);
            }
        }
    }
    let own = parts.iter().zip(needed).map(|(parts, needed)| parts.get(shared..needed));
    own.map(|own| own.unwrap_or_default().join("/")).collect()
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
