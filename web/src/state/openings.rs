//! What is open: the files of each opening, kept as handles so that nothing is copied; and what was open.

use std::collections::VecDeque;
use std::rc::Rc;

use leptos::prelude::*;

use crate::format::counted;
use crate::protocol::{FileItem, Limits, count};

/// Steps back that are kept: pasted texts stay in memory with them.
const STEPS: usize = 20;

/// Files that were opened together.
#[derive(Clone)]
pub(super) struct Opening {
    pub(super) items: Rc<[FileItem]>,
    pub(super) limits: Limits,
}

/// What is open, and what was.
#[derive(Clone, Default)]
pub(super) struct Openings {
    pub(super) open: Vec<Opening>,
    /// What was open before each change, and what the change was.
    pub(super) before: VecDeque<(String, Vec<Opening>)>,
    /// What is still to be read of what is opened again.
    pub(super) waiting: VecDeque<Opening>,
}

/// What can be undone, as the page shows it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Undo {
    /// What the last change was.
    pub(crate) change: RwSignal<Option<String>>,
    /// It was made just now, so that the page offers to undo it.
    pub(crate) is_new: RwSignal<bool>,
}

impl Openings {
    /// Makes a change, and keeps what was open before it.
    pub(super) fn change(&mut self, says: String, open: Vec<Opening>) {
        let before = std::mem::replace(&mut self.open, open);
        self.waiting.clear();
        if !before.is_empty() {
            self.before.push_back((says, before));
        }
        if self.before.len() > STEPS {
            self.before.pop_front();
        }
    }

    pub(super) fn names(&self) -> String {
        named(self.open.iter().flat_map(|opening| opening.items.iter()))
    }

    /// The file that was opened for a source: the source itself, or the archive that it is in.
    pub(super) fn file_of(&self, path: &str) -> Option<&FileItem> {
        let items = self.open.iter().flat_map(|opening| opening.items.iter());
        items.into_iter().find(|item| has(item, path))
    }
}

/// Whether a source comes from a file: it is the file itself or an entry of it.
fn has(item: &FileItem, path: &str) -> bool {
    path.strip_prefix(item.path.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Files in a few words: the name of the only one, else their number.
pub(super) fn named<'a>(items: impl IntoIterator<Item = &'a FileItem>) -> String {
    let mut items = items.into_iter();
    match (items.next(), items.count()) {
        (Some(one), 0) => one.path.clone(),
        (None, _) => counted(0, "file"),
        (Some(_), others) => counted(count(others + 1), "file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(path: &str) -> FileItem {
        FileItem::unreadable(path.to_owned(), "a test".to_owned())
    }

    fn opening(paths: &[&str]) -> Opening {
        Opening { items: paths.iter().map(|path| item(path)).collect(), limits: Limits::default() }
    }

    #[test]
    fn a_source_belongs_to_its_file_or_its_archive() {
        let archive = item("logs.zip");
        assert!(has(&archive, "logs.zip") && has(&archive, "logs.zip/a.jsonl"));
        assert!(!has(&archive, "logs.zip.jsonl") && !has(&archive, "log"));
    }

    #[test]
    fn files_are_named_or_counted() {
        assert_eq!(named(&[item("a.jsonl")]), "a.jsonl");
        assert_eq!(named(&[item("a"), item("b")]), "2 files");
    }

    #[test]
    fn what_was_open_is_kept_and_nothing_is_not() {
        let mut openings = Openings::default();
        openings.change("Added a.".to_owned(), vec![opening(&["a"])]);
        assert!(openings.before.is_empty(), "nothing was open");
        for at in 0..STEPS + 5 {
            openings.change(format!("Added {at}."), vec![opening(&["a", "b"])]);
        }
        assert_eq!(openings.before.len(), STEPS);
        assert_eq!(openings.before.back().map(|one| one.0.as_str()), Some("Added 24."));
        assert_eq!(openings.file_of("b").map(|item| item.path.as_str()), Some("b"));
        assert_eq!(openings.names(), "2 files");
    }
}
