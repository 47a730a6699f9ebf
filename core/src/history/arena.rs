//! What many rows share: stretches of lists, and texts that are kept once.

use std::collections::BTreeMap;

use crate::model::reward::count;
use crate::text::{hash_of, same};

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
    texts: Vec<Box<str>>,
    /// Ids by the hashes of their texts, which are compared faster than texts.
    ids: BTreeMap<u64, u32>,
    /// Ids of texts whose hash another text has.
    others: BTreeMap<Box<str>, u32>,
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
        let hash = hash_of(text);
        let of_hash = self.ids.get(&hash).copied();
        let known = of_hash.filter(is_text).or_else(|| self.others.get(text).copied());
        let id = known.unwrap_or_else(|| {
            let id = count(self.texts.len());
            self.bytes += text.len();
            self.texts.push(text.into());
            if of_hash.is_none() {
                self.ids.insert(hash, id);
            } else {
                self.others.insert(text.into(), id);
            }
            id
        });
        self.recent = [self.recent[1], id];
        id
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The memory that it takes: each text has a place in a list and in a tree.
    pub(super) fn held(&self) -> usize {
        const EACH: usize = size_of::<Box<str>>() + size_of::<(u64, u32)>();
        self.bytes + EACH * self.texts.len()
    }

    pub(crate) fn text(&self, id: u32) -> &str {
        self.texts.get(id as usize).map_or("", |text| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes are those of trimmed texts, so these share some.
    #[test]
    fn each_text_is_kept_once_whatever_its_hash() {
        const TEXTS: [&str; 6] = ["a", " a", "a ", "", " ", "b"];
        let mut interner = Interner::default();
        let ids = TEXTS.map(|text| interner.intern(text));
        assert_eq!(ids.map(|id| interner.text(id)), TEXTS);
        assert_eq!(TEXTS.map(|text| interner.intern(text)), ids);
        assert_eq!(interner.len(), TEXTS.len());
    }
}
