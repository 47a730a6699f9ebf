//! What paths say: ids in the names of folders, numbers in the names of files.

use crate::history::paths::stem_of;
use crate::history::row::Table;
use crate::json::numeric;

/// What the path of a source says of its records, read once for all of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Named<'a> {
    /// The run, by a folder or the name of the file: see [`id_of_folder`].
    pub(crate) id: Option<&'a str>,
    /// The run, by a folder alone.
    folder_id: Option<&'a str>,
    /// The folder of the loop: see [`loop_folder`].
    pub(super) folder: Option<&'a str>,
    /// The number of the attempt, by its folder.
    pub(crate) attempt: Option<i64>,
    /// The number of the only attempt in the file, by its name.
    pub(crate) number: Option<i64>,
    /// The folder or the name has such a number, but it is too large (`number/beyond`).
    pub(super) is_attempt_beyond: bool,
    pub(super) is_number_beyond: bool,
    /// `NNN.json`: nothing but digits before the ending.
    pub(crate) is_plain: bool,
    /// The file that this one is a copy of, by its name.
    pub(super) copied: Option<&'a str>,
    /// The file whose useless parts this one keeps, as the doctor of a memory names it.
    pub(super) kept_of: Option<&'a str>,
}

impl<'a> Named<'a> {
    pub(crate) fn by(path: &'a str) -> Self {
        let folders: Vec<&str> = folders(path).collect();
        let attempt = attempt_folder(&folders);
        Self {
            folder_id: id_of_folder(&folders),
            folder: loop_folder(&folders),
            attempt: attempt.filter(|number| !numeric::is_beyond(*number)),
            is_attempt_beyond: attempt.is_some_and(numeric::is_beyond),
            ..Self::default()
        }
        .with_name(path)
    }

    /// The same of a file that lies in the same folder.
    pub(crate) fn beside(self, path: &'a str) -> Self {
        let Self { folder_id, folder, attempt, is_attempt_beyond, .. } = self;
        Self { folder_id, folder, attempt, is_attempt_beyond, ..Self::default() }.with_name(path)
    }

    /// Adds what the name of the file says.
    fn with_name(self, path: &'a str) -> Self {
        let stem = stem_of(path);
        let number = number_of_file(path);
        Self {
            id: self.folder_id.or_else(|| id_of_file(path, stem)),
            number: number.filter(|number| !numeric::is_beyond(*number)),
            is_number_beyond: number.is_some_and(numeric::is_beyond),
            is_plain: !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_digit()),
            copied: [".bak", ".tmp"].into_iter().find_map(|ending| path.strip_suffix(ending)),
            kept_of: crate::model::kept::kept_of(path).map(|(file, _)| file),
            ..self
        }
    }
}

/// The folders of a path, the innermost first.
fn folders(path: &str) -> impl Iterator<Item = &str> + Clone {
    path.rsplit('/').skip(1)
}

/// The folder directly inside a chain of folders. `names` lists the chain from the innermost folder
/// outwards. Of several such chains the innermost counts.
fn behind<'a>(folders: &[&'a str], names: &[&str]) -> Option<&'a str> {
    let at = folders.windows(names.len()).position(|window| window == names)?;
    folders.get(at.checked_sub(1)?).copied()
}

/// Ids that folders name, longest pattern first.
fn id_of_folder<'a>(folders: &[&'a str]) -> Option<&'a str> {
    behind(folders, &["loops", "reflections"])
        .or_else(|| {
            behind(folders, &["reflections"]).filter(|id| !matches!(*id, "loops" | "patterns"))
        })
        .or_else(|| behind(folders, &["loops"]))
        .or_else(|| behind(folders, &["archive"]))
        .or_else(|| behind(folders, &["tasks"]))
}

/// The id that the name of a file is, where no folder names one.
fn id_of_file<'a>(path: &str, stem: &'a str) -> Option<&'a str> {
    let is_analytics = folders(path).next() == Some("analytics");
    let stem = stem.strip_suffix("-report").unwrap_or(stem);
    (is_analytics && !matches!(stem, "analytics" | "report")).then_some(stem)
}

/// The folder of one loop: a record below it that declares another id means the same run
/// (docs/spec/formats.md, "Grouping records into runs").
fn loop_folder<'a>(folders: &[&'a str]) -> Option<&'a str> {
    let at = folders.iter().position(|folder| matches!(*folder, "loops" | "archive"))?;
    let is_of_reflections = folders.get(at + 1) == Some(&"reflections");
    folders.get(at.checked_sub(1)?).copied().filter(|_| !is_of_reflections)
}

/// The number in the name of an attempt's folder: `tasks/{task}/attempts/003/outcome.json` → 3.
fn attempt_folder(folders: &[&str]) -> Option<i64> {
    numeric::iteration_of_digits(behind(folders, &["attempts"])?)
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
    if is_named { numeric::iteration_of_digits(digits) } else { None }
}

/// Whether a record's file holds nothing else, so that its name may speak for it.
pub(crate) fn is_alone(table: &Table, row: usize) -> bool {
    let rows = &table.rows;
    let source = rows[row].source;
    let is_same =
        |i: Option<usize>| i.and_then(|i| rows.get(i)).is_some_and(|r| r.source == source);
    !rows[row].had_others && !is_same(row.checked_sub(1)) && !is_same(Some(row + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_ids() {
        assert_eq!(
            Named::by("x/.aiwg/ralph/reflections/loops/ralph-a/iteration-1.yaml").id,
            Some("ralph-a")
        );
        assert_eq!(Named::by(".aiwg/ralph/reflections/ralph-b/001.json").id, Some("ralph-b"));
        assert_eq!(Named::by("loops/c/state.json").id, Some("c"));
        assert_eq!(Named::by("x/analytics/ralph-d.json").id, Some("ralph-d"));
        assert_eq!(Named::by("x/analytics/ralph-d-report.md").id, Some("ralph-d"));
        assert_eq!(Named::by("loops/e/analytics/analytics.json").id, Some("e"));
        assert_eq!(Named::by("a/b.json").id, None);
        assert_eq!(Named::by("x/loops/e/analytics/analytics.json").folder, Some("e"));
        assert_eq!(Named::by("reflections/loops/e/iteration-1.yaml").folder, None);
    }

    #[test]
    fn folders_name_numbers() {
        assert_eq!(Named::by("a/tasks/t/attempts/003/outcome.json").attempt, Some(3));
        assert_eq!(Named::by("attempts/010/results/iter-001/log.txt").attempt, Some(10));
        for path in ["tasks/t/metadata.json", "attempts/003", "attempts/x/plan.md", ""] {
            assert_eq!(Named::by(path).attempt, None, "{path}");
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
