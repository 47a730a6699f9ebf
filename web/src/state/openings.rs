//! What is open: the files of each opening, kept as handles so that nothing is copied; and what was open.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use leptos::prelude::*;

use crate::format::counted;
use crate::platform::Root;
use crate::protocol::{FileItem, Limits, Mode, count};
use crate::route::Place;

/// Steps back that are kept: pasted texts stay in memory with them.
const STEPS: usize = 20;

/// Files that were opened together.
#[derive(Clone)]
pub(super) struct Opening {
    pub(super) items: Rc<[FileItem]>,
    pub(super) limits: Limits,
    /// The files and folders that the items are in, to be read again; empty where that is not possible.
    pub(super) roots: Rc<[Root]>,
    /// Paths in it that were closed.
    pub(super) closed: Rc<[String]>,
    /// The name of the sample that it is.
    pub(super) sample: Option<String>,
}

/// What was open before a change.
#[derive(Clone)]
pub(super) struct Before {
    /// What the change was.
    pub(super) says: String,
    pub(super) open: Vec<Opening>,
    /// Where the reader was, if the change closed what he saw.
    pub(super) place: Option<Place>,
}

/// What is open, and what was.
#[derive(Clone, Default)]
pub(super) struct Openings {
    pub(super) open: Vec<Opening>,
    pub(super) before: VecDeque<Before>,
}

/// Openings on their way to the worker.
#[derive(Default)]
pub(super) struct Outbox {
    pub(super) waiting: VecDeque<(Opening, Mode)>,
    /// Grows when what is on its way is no longer wanted.
    pub(super) turn: u32,
    /// The turn of what is being sent.
    pub(super) sending: Option<u32>,
    /// The offer that was sent last.
    pub(super) sent: u32,
    /// The offer that the worker had read last.
    pub(super) read: u32,
}

impl Outbox {
    /// Nothing of what is on its way is wanted.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.turn += 1;
    }

    /// The same where the worker is gone: it will read nothing of what it was sent.
    pub(super) fn restart(&mut self) {
        self.clear();
        self.read = self.sent;
    }

    /// Whether the worker has read everything that is wanted.
    pub(super) fn is_read(&self) -> bool {
        let is_sending = self.sending == Some(self.turn);
        !is_sending && self.waiting.is_empty() && self.sent == self.read
    }
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
    /// Makes a change, and keeps what was open before it. Before the first one nothing was.
    pub(super) fn change(&mut self, says: String, open: Vec<Opening>, place: Option<Place>) {
        let before = std::mem::replace(&mut self.open, open);
        if !before.is_empty() || !self.before.is_empty() {
            self.before.push_back(Before { says, open: before, place });
        }
        if self.before.len() > STEPS {
            self.before.pop_front();
        }
    }

    pub(super) fn names(&self) -> String {
        named(self.items())
    }

    /// The sample that is open, if all of it is open and nothing else.
    pub(super) fn only_sample(&self) -> Option<&str> {
        match self.open.as_slice() {
            [one] if one.closed.is_empty() => one.sample.as_deref(),
            _ => None,
        }
    }

    fn items(&self) -> impl Iterator<Item = &FileItem> {
        self.open.iter().flat_map(|opening| opening.items.iter())
    }

    /// Puts what was found anew in place of what was found before, also where it can be gone back to.
    pub(super) fn renew(&mut self, roots: &Rc<[Root]>, items: &[FileItem]) {
        let before = self.before.iter_mut().flat_map(|before| before.open.iter_mut());
        for opening in self.open.iter_mut().chain(before) {
            if Rc::ptr_eq(&opening.roots, roots) {
                opening.items = opening.left(items.to_vec()).into();
            }
        }
    }

    /// What is open without the file at a position, and its path.
    pub(super) fn without(&self, position: u32) -> Option<(String, Vec<Opening>)> {
        let path = self.items().nth(position as usize)?.path.clone();
        let mut at = 0..;
        let rest = self.open.iter().map(|opening| {
            let (gone, rest): (Vec<_>, Vec<_>) =
                opening.items.iter().cloned().partition(|_| at.next() == Some(position));
            let gone = gone.into_iter().map(|item| item.path);
            let closed = opening.closed.iter().cloned().chain(gone).collect();
            Opening { items: rest.into(), closed, ..opening.clone() }
        });
        Some((path, rest.filter(|opening| !opening.items.is_empty()).collect()))
    }
}

impl Opening {
    pub(super) fn new(items: Vec<FileItem>, roots: Rc<[Root]>, limits: Limits) -> Self {
        Self { items: items.into(), limits, roots, closed: [].into(), sample: None }
    }

    /// What of it is still open, of all that was found in its place.
    pub(super) fn left(&self, found: Vec<FileItem>) -> Vec<FileItem> {
        found.into_iter().filter(|item| !self.closed.contains(&item.path)).collect()
    }
}

/// What has become of files since they were found before.
#[derive(Debug, Default, PartialEq)]
pub(super) struct News {
    /// Paths of those that are new or were written since.
    pub(super) changed: BTreeSet<String>,
    /// Paths of those that are not there any more.
    pub(super) gone: Vec<String>,
}

impl News {
    pub(super) fn of(before: &[FileItem], now: &[FileItem]) -> Self {
        let key =
            |item: &FileItem| (item.path.clone(), item.size.to_bits(), item.modified.to_bits());
        let known: BTreeSet<_> = before.iter().map(key).collect();
        let paths: BTreeSet<&str> = now.iter().map(|item| item.path.as_str()).collect();
        let news = now.iter().filter(|item| !known.contains(&key(item)));
        let gone = before.iter().filter(|item| !paths.contains(item.path.as_str()));
        Self {
            changed: news.map(|item| item.path.clone()).collect(),
            gone: gone.map(|item| item.path.clone()).collect(),
        }
    }
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
        let items = paths.iter().map(|path| item(path)).collect();
        Opening::new(items, [].into(), Limits::default())
    }

    #[test]
    fn what_is_not_wanted_is_not_waited_for() {
        let mut outbox = Outbox { sending: Some(0), sent: 1, read: 1, ..Outbox::default() };
        assert!(!outbox.is_read(), "there is more on its way");
        outbox.clear();
        assert!(outbox.is_read(), "it is not wanted any more");
        outbox.sent = 2;
        assert!(!outbox.is_read());
        outbox.restart();
        assert!(outbox.is_read(), "nobody reads it");
    }

    #[test]
    fn files_are_named_or_counted() {
        assert_eq!(named(&[item("a.jsonl")]), "a.jsonl");
        assert_eq!(named(&[item("a"), item("b")]), "2 files");
    }

    #[test]
    fn what_was_open_is_kept_and_nothing_is_not() {
        let mut openings = Openings::default();
        openings.change("Opened a.".to_owned(), vec![opening(&["a"])], None);
        assert!(openings.before.is_empty(), "nothing was open");
        openings.change("Closed a.".to_owned(), Vec::new(), None);
        openings.change("Opened b.".to_owned(), vec![opening(&["b"])], None);
        assert_eq!(openings.before.len(), 2, "later, nothing is a state as any");
        for at in 0..STEPS + 5 {
            openings.change(format!("Added {at}."), vec![opening(&["a", "b"])], None);
        }
        assert_eq!(openings.before.len(), STEPS);
        assert_eq!(openings.before.back().map(|one| one.says.as_str()), Some("Added 24."));
        assert_eq!(openings.names(), "2 files");
    }

    #[test]
    fn a_sample_is_named_while_it_is_open_alone() {
        let sample = Opening { sample: Some("tasks".to_owned()), ..opening(&["a", "b"]) };
        let of = |open| Openings { open, ..Openings::default() };
        let alone = of(vec![sample.clone()]);
        assert_eq!(alone.only_sample(), Some("tasks"));
        assert_eq!(of(vec![sample, opening(&["c"])]).only_sample(), None);
        let (_, rest) = alone.without(0).expect("it is open");
        assert_eq!(of(rest).only_sample(), None);
        assert_eq!(of(vec![opening(&["c"])]).only_sample(), None);
    }

    #[test]
    fn one_of_several_files_of_a_path_is_closed() {
        let openings = Openings {
            open: vec![opening(&["log", "a"]), opening(&["log"])],
            ..Openings::default()
        };
        let rest = |position| {
            let (path, rest) = openings.without(position).expect("it is open");
            let items = rest.iter().flat_map(|opening| opening.items.iter());
            (path, items.map(|item| item.path.clone()).collect::<Vec<_>>(), rest.len())
        };
        assert_eq!(rest(0), ("log".to_owned(), vec!["a".to_owned(), "log".to_owned()], 2));
        assert_eq!(rest(2), ("log".to_owned(), vec!["log".to_owned(), "a".to_owned()], 1));
        assert!(openings.without(3).is_none());
        let (_, rest) = openings.without(1).expect("it is open");
        let found = ["log", "a", "b"].map(item).to_vec();
        let left: Vec<_> = rest[0].left(found).into_iter().map(|item| item.path).collect();
        assert_eq!(left, ["log", "b"], "what was closed does not come back with what is new");
    }

    #[test]
    fn news_are_what_was_written_and_what_is_gone() {
        let of = |path: &str, size, modified| FileItem { size, modified, ..item(path) };
        let before = [of("a", 1.0, 5.0), of("b", 1.0, 5.0), of("c", 1.0, 5.0), of("d", 1.0, 5.0)];
        let now = [of("d", 1.0, 5.0), of("a", 2.0, 5.0), of("b", 1.0, 6.0), of("new", 0.0, 5.0)];
        let news = News::of(&before, &now);
        assert_eq!(news.changed.into_iter().collect::<Vec<_>>(), ["a", "b", "new"]);
        assert_eq!(news.gone, ["c"]);
        assert_eq!(News::of(&before, &before), News::default());
    }
}
