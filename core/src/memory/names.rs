//! Names that every system can store, and the paths made of them.

use unicode_normalization::UnicodeNormalization;

use super::FolderNames;
use crate::error::{Error, ErrorCode};
use crate::model::kept::kept_of;

/// Bytes of UTF-8 that an id may have: with endings and `.broken-N` it still fits into 255.
const LONGEST: usize = 120;

/// Names that Windows gives to devices, whatever their ending.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Whose name a host gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Task,
    RelatedTask,
    Loop,
    Result,
}

impl Named {
    /// How hosts know the name, what it is the name of, and an example.
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Task => ("the id of a task", "folder", "task-001"),
            Self::RelatedTask => ("the id of a related task", "folder", "task-001"),
            Self::Loop => ("the id of a loop", "folder", "ralph-001"),
            Self::Result => ("the `name` of a result", "file", "report.json"),
        }
    }
}

/// Accepts a name of a file or a folder.
pub(super) fn check_name(of: Named, name: &str) -> Result<(), Error> {
    why_not(name).map_or(Ok(()), |why| {
        let mut shown: String = name.chars().take(60).collect();
        if shown.len() < name.len() {
            shown.push('…');
        }
        let (what, is, example) = of.words();
        Err(Error::new(
            ErrorCode::PathRefused,
            format!(
                "{shown:?} cannot be {what}: it {why}. It is the name of a {is}, so it has 1 to {LONGEST} \
                 bytes in UTF-8, no / \\ < > : \" | ? *, no control or invisible character, no dot or \
                 space at its beginning or end, and is not the name of a Windows device such as con: for example {example}."
            ),
        ))
    })
}

/// Refuses a new name if another one differs from it only in letter case, or in how its characters are composed: some
/// file systems keep one folder for both.
pub(super) fn check_new(of: Named, id: &str, folder: Option<&FolderNames>) -> Result<(), Error> {
    // Upper case first: ſ and s, ß and ss, ς and σ are one name where letter case does not count.
    let alike = |name: &str| {
        let upper: String = name.nfc().flat_map(char::to_uppercase).collect();
        upper.chars().flat_map(char::to_lowercase).nfc().collect::<String>()
    };
    let own = alike(id);
    let mut others = folder.into_iter().flat_map(FolderNames::all);
    others.find(|name| *name != id && alike(name) == own).map_or(Ok(()), |other| {
        let (what, is, _) = of.words();
        let message = format!(
            "{id:?} cannot be {what}: it differs from {other:?}, which is there, only in letter case or in how its characters are composed. Some file systems keep one {is} for both: use that one, or choose another one."
        );
        Err(Error::new(ErrorCode::MemoryConflict, message))
    })
}

/// Why a name is refused.
pub(super) fn why_not(name: &str) -> Option<&'static str> {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = port.is_some_and(|rest| {
        matches!(rest, "¹" | "²" | "³") || (rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    });
    Some(if name.is_empty() {
        "is empty"
    } else if name.len() > LONGEST {
        "is longer than 120 bytes"
    } else if name.contains(['/', '\\']) {
        "contains a slash or backslash"
    } else if name.starts_with('.') {
        "starts with a dot"
    } else if name.contains(|c: char| c.is_control()) {
        "contains a control character"
    } else if name.contains(is_invisible) {
        "contains an invisible character"
    } else if name.contains(['<', '>', ':', '"', '|', '?', '*']) {
        "contains one of < > : \" | ? *"
    } else if name.ends_with(['.', ' ']) || name.starts_with(' ') {
        "starts with a space, or ends with a dot or a space"
    } else if DEVICES.contains(&stem.as_str()) || is_port {
        "is a device name on Windows"
    } else {
        return None;
    })
}

/// Marks of direction, joiners, and the like: two names that look the same would be two folders.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

pub(super) const TASKS: &str = "tasks";
pub(super) const LOOPS: &str = "reflections/loops";
pub(super) const PATTERNS: &str = "reflections/patterns";
pub(super) const INDEX: &str = "index";
pub(super) const BY_STATUS: &str = "index/by-status.json";
pub(super) const BY_AGENT: &str = "index/by-agent.json";

/// The folder of a task.
pub(super) fn task(id: &str) -> String {
    format!("{TASKS}/{id}")
}

/// A file in the folder of a task.
pub(super) fn of_task(id: &str, file: &str) -> String {
    format!("{TASKS}/{id}/{file}")
}

/// The folder with the attempts of a task.
pub(super) fn attempts(id: &str) -> String {
    of_task(id, "attempts")
}

/// The folder of an attempt.
pub(super) fn attempt(id: &str, folder: &str) -> String {
    format!("{TASKS}/{id}/attempts/{folder}")
}

/// A file in the folder of an attempt.
pub(super) fn of_attempt(id: &str, folder: &str, file: &str) -> String {
    format!("{}/{file}", attempt(id, folder))
}

/// The folder of a new attempt.
pub(super) fn attempt_folder(number: u32) -> String {
    format!("{number:03}")
}

/// The highest number that is read from a name. The number after it still fits into a `u32`.
pub(super) const HIGHEST: u32 = 999_999_999;

fn number(digits: &str) -> Option<u32> {
    let is_number = digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|n| is_number && *n <= HIGHEST)
}

/// The number of an attempt's folder: digits alone.
pub(super) fn attempt_number(folder: &str) -> Option<u32> {
    number(folder).filter(|n| *n > 0)
}

/// The number of `iter-NNN`.
pub(super) fn result_number(folder: &str) -> Option<u32> {
    number(folder.strip_prefix("iter-")?).filter(|n| *n > 0)
}

/// The number of `task-NNN`.
pub(super) fn task_number(id: &str) -> Option<u32> {
    number(id.strip_prefix("task-")?)
}

/// The folder with the iterations of a loop.
pub(super) fn loop_folder(id: &str) -> String {
    format!("{LOOPS}/{id}")
}

/// The number of `iteration-N.yaml`; `.yml` and `.json` are read, too.
pub(super) fn iteration_number(file: &str) -> Option<u32> {
    let stem = file.strip_prefix("iteration-")?;
    number([".yaml", ".yml", ".json"].into_iter().find_map(|end| stem.strip_suffix(end))?)
}

/// The loop and the number of an iteration, of the path of its file.
pub(super) fn iteration_of(path: &str) -> Option<(&str, u32)> {
    let (loop_id, file) = path.strip_prefix(LOOPS)?.strip_prefix('/')?.split_once('/')?;
    Some((loop_id, iteration_number(file)?))
}

/// A name for what is kept aside of a file: `FILE.broken-N`, with a number that is still free.
pub(super) fn next_aside(folder: Option<&FolderNames>, file: &str) -> String {
    let taken = folder.into_iter().flat_map(FolderNames::all).filter_map(|name| kept_of(name));
    let numbers = taken.filter(|(of, _)| *of == file).filter_map(|(_, n)| n.parse::<u32>().ok());
    format!("{file}.broken-{}", numbers.max().unwrap_or(0).saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_names_that_every_system_can_store() {
        for id in ["task-001", "Größe", "a b", "a.b", "com", "com10", "console", "ralph-x_1", "x'y"]
        {
            assert_eq!(why_not(id), None, "{id}");
        }
        let long = "é".repeat(61);
        for id in [
            "",
            ".",
            "..",
            "../x",
            "a/../b",
            "/etc",
            "a\\b",
            "C:\\x",
            "c:",
            "a\0b",
            "a\nb",
            "a\u{7f}",
            "a\u{202e}b",
            "a\u{200b}",
            "con",
            "CON",
            "Nul.txt",
            "aux.",
            "com1",
            "LPT9.log",
            "com¹",
            "conin$",
            "con ",
            "a.",
            "a ",
            " a",
            "a?",
            "a*b",
            "a|b",
            "\"",
            "<",
            ".hidden",
            &long,
        ] {
            let error = check_name(Named::Task, id).expect_err(id);
            assert_eq!(error.code(), ErrorCode::PathRefused, "{id}");
        }
    }

    #[test]
    fn what_is_refused_says_what_was_given_and_what_is_expected() {
        let rest = "so it has 1 to 120 bytes in UTF-8, no / \\ < > : \" | ? *, no control or invisible \
                    character, no dot or space at its beginning or end, and is not the name of a Windows device such as con";
        let says = |of, name: &str| check_name(of, name).expect_err(name).to_string();
        assert_eq!(
            says(Named::Result, "../b"),
            format!(
                "\"../b\" cannot be the `name` of a result: it contains a slash or backslash. It is the name of a file, {rest}: for example report.json."
            )
        );
        assert_eq!(
            says(Named::Loop, &"x".repeat(121)),
            format!(
                "\"{}…\" cannot be the id of a loop: it is longer than 120 bytes. It is the name of a folder, {rest}: for example ralph-001.",
                "x".repeat(60)
            )
        );
        assert!(
            says(Named::RelatedTask, "")
                .starts_with("\"\" cannot be the id of a related task: it is empty.")
        );
    }

    #[test]
    fn a_new_id_differs_from_others_on_every_file_system() {
        let folders = ["Alpha", "gr\u{f6}\u{df}e", "b"].map(str::to_owned).to_vec();
        let folder = FolderNames { folders, ..FolderNames::default() };
        for id in ["alpha", "ALPHA", "gro\u{308}\u{df}e", "Gr\u{f6}\u{df}e", "B"] {
            let error = check_new(Named::Task, id, Some(&folder)).expect_err(id);
            assert_eq!(error.code(), ErrorCode::MemoryConflict, "{id}");
        }
        for id in ["Alpha", "alphb", "grosse", "c"] {
            assert!(check_new(Named::Task, id, Some(&folder)).is_ok(), "{id}");
        }
        assert!(check_new(Named::Task, "a", None).is_ok());
    }

    #[test]
    fn names_hold_numbers() {
        assert_eq!(attempt_folder(7), "007");
        assert_eq!((attempt_number("012"), attempt_number("1234")), (Some(12), Some(1234)));
        assert_eq!(
            (attempt_number("000"), attempt_number("+1"), attempt_number("")),
            (None, None, None)
        );
        assert_eq!(
            (task_number("task-009"), task_number("task-+9"), task_number("t")),
            (Some(9), None, None)
        );
        assert_eq!(iteration_number("iteration-12.yml"), Some(12));
        assert_eq!((task_number("task-4294967295"), attempt_number("4294967295")), (None, None));
        assert_eq!(
            (iteration_number("iteration-1.txt"), iteration_number("iteration-x.yaml")),
            (None, None)
        );
    }

    #[test]
    fn what_is_kept_aside_has_a_name_of_its_own() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let folder = FolderNames {
            files: names(&["a.broken-2", "b.broken-9", "a.broken-x"]),
            folders: names(&["a.broken-3"]),
            others: names(&["a.broken-4"]),
        };
        assert_eq!(next_aside(Some(&folder), "a"), "a.broken-5");
        assert_eq!(next_aside(None, "a"), "a.broken-1");
    }
}
