//! What many rows share: stretches of lists, and texts that are kept once.

use crate::model::reward::count;
use crate::text::same;

/// A stretch of an arena; an empty one stands nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    start: u32,
    len: u32,
}

impl Range {
    pub(super) const NONE: Self = Self { start: 0, len: 0 };

    pub(super) fn between(start: usize, end: usize) -> Self {
        if start == end {
            Self::default()
        } else {
            Self { start: count(start), len: count(end - start) }
        }
    }

    pub(crate) fn len(self) -> u32 {
        self.len
    }

    /// Where one of its items stands in the arena.
    pub(super) fn place(self, item: u32) -> Option<usize> {
        (item < self.len).then(|| self.start as usize + item as usize)
    }

    pub(crate) fn of<T>(self, arena: &[T]) -> &[T] {
        let start = self.start as usize;
        arena.get(start..start + self.len as usize).unwrap_or_default()
    }
}

pub(super) fn keep<T: Clone>(arena: &mut Vec<T>, items: &[T]) -> Range {
    let start = arena.len();
    arena.extend_from_slice(items);
    Range::between(start, arena.len())
}

/// Texts that occur again and again, each kept once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interner {
    texts: Vec<String>,
    ids: std::collections::BTreeMap<String, u32>,
    /// The two that were asked for last: records of one run stand together, and have its key and its task.
    recent: [u32; 2],
    /// Bytes of the texts.
    bytes: usize,
}

impl Interner {
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        let is_text =
            |id: &u32| self.texts.get(*id as usize).is_some_and(|known| same(known, text));
        if let Some(id) = self.recent.into_iter().find(is_text) {
            return id;
        }
        let id = self.ids.get(text).copied().unwrap_or_else(|| {
            let id = count(self.texts.len());
            self.bytes += text.len();
            self.texts.push(text.to_owned());
            self.ids.insert(text.to_owned(), id);
            id
        });
        self.recent = [self.recent[1], id];
        id
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The memory that it takes: each text is there twice, and has a place in a list and in a tree.
    pub(super) fn held(&self) -> usize {
        const EACH: usize = 2 * size_of::<String>() + size_of::<u32>();
        2 * self.bytes + EACH * self.texts.len()
    }

    pub(crate) fn text(&self, id: u32) -> &str {
        self.texts.get(id as usize).map_or("", String::as_str)
    }
}
