//! Attempts so far, shared by every step that sees them.
//!
//! A step keeps the list as it was when the step was made: what is appended or changed later does not
//! change it.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::audience::Audience;
use super::entry::Entry;

/// Entries, oldest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct History(Arc<Vec<Arc<Entry>>>);

impl Deref for History {
    type Target = [Arc<Entry>];

    fn deref(&self) -> &[Arc<Entry>] {
        &self.0
    }
}

impl History {
    pub(crate) fn push(&mut self, entry: Arc<Entry>) {
        Arc::make_mut(&mut self.0).push(entry);
    }

    /// Puts a changed entry in the place of number `index`, from 0.
    pub(crate) fn change(&mut self, index: usize, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = Arc::make_mut(&mut self.0).get_mut(index) {
            // A clone, because it does not have the cached JSON texts, which are about to be outdated.
            let mut changed = Entry::clone(entry);
            change(&mut changed);
            *entry = Arc::new(changed);
        }
    }

    /// How many of the oldest entries are those of an earlier history, and all after them.
    pub(crate) fn since(&self, earlier: &Self) -> (usize, &[Arc<Entry>]) {
        let both = self.iter().zip(earlier.iter());
        let kept = both.take_while(|(one, other)| Arc::ptr_eq(one, other)).count();
        (kept, self.get(kept..).unwrap_or_default())
    }

    /// The list as JSON text, behind what is there.
    pub(crate) fn write(&self, audience: Audience, out: &mut String) {
        out.push('[');
        for (number, entry) in self.iter().enumerate() {
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
    use super::*;

    fn entry(iteration: u32) -> Entry {
        Entry { iteration, ..Entry::default() }
    }

    #[test]
    fn what_was_shared_stays_as_it_was() {
        let mut history = History::default();
        for iteration in 1..=3 {
            history.push(Arc::new(entry(iteration)));
        }
        let before = history.clone();
        history.change(1, Entry::omit);
        history.push(Arc::new(entry(4)));
        let iterations = |history: &History| -> Vec<u32> {
            history.iter().map(|entry| entry.iteration).collect()
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
        history.change(1, Entry::omit);
        assert_eq!(sent(&history, &before), (1, vec![2, 3, 4]));
        assert_eq!(sent(&before, &history), (1, vec![2, 3]));
        assert_eq!(sent(&History::default(), &history), (0, vec![]));
    }
}
