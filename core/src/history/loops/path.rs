//! What paths say: ids in the names of folders, numbers in the names of files.

use crate::history::paths::stem_of;
use crate::history::row::Table;
use crate::json::numeric;

/// What the path of a source says of its records, read once for all of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Named<'a> {
    /// The run, by a folder or the name of the file: see [`id_in_path`].
    pub(crate) id: Option<&'a str>,
    /// The folder of the loop: see [`loop_folder`].
    pub(super) folder: Option<&'a str>,
    /// The number of the attempt, by its folder.
    pub(crate) attempt: Option<i64>,
    /// The number of the only attempt in the file, by its name.
    pub(crate) number: Option<i64>,
    /// `NNN.json`: nothing but digits before the ending.
    pub(crate) is_plain: bool,
    /// The file that this one is a copy of, by its name.
    pub(super) copied: Option<&'a str>,
    /// The file whose useless parts this one keeps, as the doctor of a memory names it.
    pub(super) kept_of: Option<&'a str>,
}

impl<'a> Named<'a> {
    pub(crate) fn by(path: &'a str) -> Self {
        let stem = stem_of(path);
        Self {
            id: id_in_path(path),
            folder: loop_folder(path),
            attempt: attempt_folder(path),
            number: number_of_file(path),
            is_plain: !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_digit()),
            copied: [".bak", ".tmp"].into_iter().find_map(|ending| path.strip_suffix(ending)),
            kept_of: crate::model::kept::kept_of(path).map(|(file, _)| file),
        }
    }
}

/// The folders of a path, the innermost first.
fn folders(path: &str) -> impl Iterator<Item = &str> + Clone {
    path.rsplit('/').skip(1)
}

/// The folder behind a run of others, which are named from the inside; the last one if there are several.
fn behind<'a>(path: &'a str, names: &[&str]) -> Option<&'a str> {
    let mut inner = None;
    let mut folders = folders(path);
    loop {
        let mut outwards = folders.clone();
        if names.iter().all(|name| outwards.next() == Some(name)) {
            return inner;
        }
        inner = Some(folders.next()?);
    }
}

/// Ids that folders and files name, longest pattern first.
fn id_in_path(path: &str) -> Option<&str> {
    behind(path, &["loops", "reflections"])
        .or_else(|| {
            behind(path, &["reflections"]).filter(|id| !matches!(*id, "loops" | "patterns"))
        })
        .or_else(|| behind(path, &["loops"]))
        .or_else(|| behind(path, &["archive"]))
        .or_else(|| behind(path, &["tasks"]))
        .or_else(|| {
            let is_analytics = folders(path).next() == Some("analytics");
            let stem = stem_of(path);
            let stem = stem.strip_suffix("-report").unwrap_or(stem);
            (is_analytics && !matches!(stem, "analytics" | "report")).then_some(stem)
        })
}

/// The folder of one loop: a record below it that declares another id means the same run
/// (docs/spec/formats.md, "Grouping records into runs").
fn loop_folder(path: &str) -> Option<&str> {
    let mut inner = None;
    let mut folders = folders(path);
    loop {
        match folders.next()? {
            "loops" | "archive" if folders.next() == Some("reflections") => return None,
            "loops" | "archive" => return inner,
            folder => inner = Some(folder),
        }
    }
}

/// The number in the name of an attempt's folder: `tasks/{task}/attempts/003/outcome.json` → 3.
fn attempt_folder(path: &str) -> Option<i64> {
    let name = behind(path, &["attempts"])?;
    let is_number = !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    if is_number { numeric::digits(name) } else { None }
}

/// The number that a path gives the only attempt in a file: `007.json`, `iteration-7.yaml`,
/// `007-analysis.json` → 7.
fn number_of_file(path: &str) -> Option<i64> {
    let stem = stem_of(path);
    let stem = stem.strip_suffix("-analysis").unwrap_or(stem);
    let stem = match stem.strip_prefix("iteration-") {
        Some(rest) => rest.strip_suffix("-checkpoint").unwrap_or(rest),
        None => stem,
    };
    let stem = stem.strip_suffix("-verification").unwrap_or(stem);
    let digits = stem.trim_start_matches(|c: char| !c.is_ascii_digit());
    let is_named = stem.len() == digits.len()
        || stem.starts_with("iteration")
        || stem.starts_with("reflection");
    if is_named { numeric::digits(digits) } else { None }
}

/// Whether a record's file holds nothing else, so that its name may speak for it.
pub(crate) fn is_alone(table: &Table, row: usize) -> bool {
    let rows = &table.rows;
    let source = rows[row].source;
    let is_same =
        |i: Option<usize>| i.and_then(|i| rows.get(i)).is_some_and(|r| r.source == source);
    !is_same(row.checked_sub(1)) && !is_same(Some(row + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_ids() {
        assert_eq!(
            id_in_path("x/.aiwg/ralph/reflections/loops/ralph-a/iteration-1.yaml"),
            Some("ralph-a")
        );
        assert_eq!(id_in_path(".aiwg/ralph/reflections/ralph-b/001.json"), Some("ralph-b"));
        assert_eq!(id_in_path("loops/c/state.json"), Some("c"));
        assert_eq!(id_in_path("x/analytics/ralph-d.json"), Some("ralph-d"));
        assert_eq!(id_in_path("x/analytics/ralph-d-report.md"), Some("ralph-d"));
        assert_eq!(id_in_path("loops/e/analytics/analytics.json"), Some("e"));
        assert_eq!(id_in_path("a/b.json"), None);
        assert_eq!(loop_folder("x/loops/e/analytics/analytics.json"), Some("e"));
        assert_eq!(loop_folder("reflections/loops/e/iteration-1.yaml"), None);
    }

    #[test]
    fn folders_name_numbers() {
        assert_eq!(attempt_folder("a/tasks/t/attempts/003/outcome.json"), Some(3));
        assert_eq!(attempt_folder("attempts/010/results/iter-001/log.txt"), Some(10));
        for path in ["tasks/t/metadata.json", "attempts/003", "attempts/x/plan.md", ""] {
            assert_eq!(attempt_folder(path), None, "{path}");
        }
    }

    #[test]
    fn files_name_numbers() {
        for (path, number) in [
            ("a/iteration-007.yaml", Some(7)),
            ("012.json", Some(12)),
            ("004-analysis.json", Some(4)),
            ("iteration-005-checkpoint.md", Some(5)),
            ("reflection-3.json", Some(3)),
            ("run2.json", None),
        ] {
            assert_eq!(number_of_file(path), number, "{path}");
        }
    }
}
