//! Attempts so far, shared by every step that sees them.
//!
//! A list that grows at one end: a step keeps its end, and what is appended later does not change
//! it. So a step costs the same in round 1000 as in round 1.

use std::sync::Arc;

use serde_json::Value;

use super::entry::Entry;
use super::wire::Audience;

/// Entries, the newest on top.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    top: Option<Arc<Node>>,
    len: usize,
}

#[derive(Debug)]
struct Node {
    entry: Arc<Entry>,
    below: Option<Arc<Node>>,
}

impl Drop for Node {
    /// One after the other: the list may be longer than a stack is deep.
    fn drop(&mut self) {
        let mut below = self.below.take();
        while let Some(mut node) = below.and_then(Arc::into_inner) {
            below = node.below.take();
        }
    }
}

impl History {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn push(&mut self, entry: Arc<Entry>) {
        self.top = Some(Arc::new(Node { entry, below: self.top.take() }));
        self.len += 1;
    }

    /// Newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &Arc<Entry>> {
        std::iter::successors(self.top.as_deref(), |node| node.below.as_deref())
            .map(|node| &node.entry)
    }

    /// Oldest first.
    pub(crate) fn oldest_first(&self) -> Vec<&Arc<Entry>> {
        let mut entries: Vec<_> = self.newest_first().collect();
        entries.reverse();
        entries
    }

    /// Puts another entry in the place of number `index`, from 0. Costs what lies above it.
    pub(crate) fn replace(&mut self, index: usize, change: impl FnOnce(&Entry) -> Entry) {
        let Some(above) = self.len.checked_sub(index + 1) else { return };
        let mut kept: Vec<Arc<Entry>> = Vec::with_capacity(above);
        let mut node = self.top.as_ref();
        for _ in 0..above {
            let Some(this) = node else { return };
            kept.push(Arc::clone(&this.entry));
            node = this.below.as_ref();
        }
        let Some(this) = node else { return };
        let changed = Arc::new(change(&this.entry));
        self.top = Some(Arc::new(Node { entry: changed, below: this.below.clone() }));
        for entry in kept.into_iter().rev() {
            self.top = Some(Arc::new(Node { entry, below: self.top.take() }));
        }
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Arc<Entry>> {
        self.newest_first().nth(self.len.checked_sub(index + 1)?)
    }

    /// How many of the oldest entries are those of an earlier history, and all after them, oldest
    /// first. Costs what is new or was replaced, not what is old.
    pub(crate) fn since(&self, earlier: &Self) -> (usize, Vec<&Arc<Entry>>) {
        let mut kept = self.len.min(earlier.len);
        let mut entries: Vec<_> = self.newest_first().take(self.len - kept).collect();
        let mut here = self.node(self.len - kept);
        let mut there = earlier.node(earlier.len - kept);
        while let (Some(one), Some(other)) = (here, there)
            && !Arc::ptr_eq(one, other)
        {
            entries.push(&one.entry);
            kept -= 1;
            (here, there) = (one.below.as_ref(), other.below.as_ref());
        }
        entries.reverse();
        (kept, entries)
    }

    /// The node below so many.
    fn node(&self, above: usize) -> Option<&Arc<Node>> {
        std::iter::successors(self.top.as_ref(), |node| node.below.as_ref()).nth(above)
    }

    pub(crate) fn to_value(&self) -> Value {
        self.oldest_first().into_iter().map(|entry| entry.to_value()).collect()
    }

    /// The same as text, behind what is there.
    pub(crate) fn write(&self, audience: Audience, out: &mut String) {
        out.push('[');
        for (number, entry) in self.oldest_first().into_iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            out.push_str(&entry.to_text(audience));
        }
        out.push(']');
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{EntryKind, Origin};
    use super::*;

    fn entry(iteration: u32) -> Entry {
        Entry {
            iteration,
            candidate: None,
            output: Arc::new(iteration.into()),
            score: 0.0,
            valid: false,
            errors: Arc::default(),
            suggestions: Arc::default(),
            feedback: "".into(),
            kind: EntryKind::Evaluation,
            origin: Origin::Generated,
            coercions: Vec::new(),
            usage: Arc::default(),
            raw_output: None,
            evaluators: Vec::new(),
            tries: None,
            ms: None,
            output_omitted: false,
            more: serde_json::Map::new(),
            text: super::super::entry::Text::default(),
        }
    }

    #[test]
    fn what_was_shared_stays_as_it_was() {
        let mut history = History::default();
        for iteration in 1..=3 {
            history.push(Arc::new(entry(iteration)));
        }
        let before = history.clone();
        history.replace(1, Entry::omitted);
        history.push(Arc::new(entry(4)));
        let iterations = |history: &History| -> Vec<u32> {
            history.oldest_first().iter().map(|entry| entry.iteration).collect()
        };
        assert_eq!(iterations(&before), [1, 2, 3]);
        assert_eq!(iterations(&history), [1, 2, 3, 4]);
        let is_omitted = |history: &History| history.get(1).map(|entry| entry.output_omitted);
        assert_eq!((is_omitted(&history), is_omitted(&before)), (Some(true), Some(false)));
    }

    #[test]
    fn only_what_is_new_or_replaced_is_sent_again() {
        let mut history = History::default();
        let sent = |history: &History, earlier: &History| {
            let (kept, entries) = history.since(earlier);
            (kept, entries.iter().map(|entry| entry.iteration).collect::<Vec<_>>())
        };
        for iteration in 1..=3 {
            history.push(Arc::new(entry(iteration)));
        }
        let before = history.clone();
        assert_eq!(sent(&before, &History::default()), (0, vec![1, 2, 3]));
        assert_eq!(sent(&history, &before), (3, vec![]));
        history.push(Arc::new(entry(4)));
        assert_eq!(sent(&history, &before), (3, vec![4]));
        history.replace(1, Entry::omitted);
        assert_eq!(sent(&history, &before), (1, vec![2, 3, 4]));
        assert_eq!(sent(&before, &history), (1, vec![2, 3]));
        assert_eq!(sent(&History::default(), &history), (0, vec![]));
    }

    #[test]
    fn a_long_history_is_dropped_without_a_deep_stack() {
        let mut history = History::default();
        let one = Arc::new(entry(1));
        for _ in 0..1_000_000 {
            history.push(Arc::clone(&one));
        }
        assert_eq!(history.len(), 1_000_000);
        drop(history);
    }
}
