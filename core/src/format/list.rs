//! Lists that are filled record after record.

/// A list that a record may have. What was allocated for it serves the next record.
#[derive(Clone, Debug)]
pub(crate) struct List<T> {
    items: Vec<T>,
    is_there: bool,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { items: Vec::new(), is_there: false }
    }
}

impl<T> List<T> {
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.is_there = false;
    }

    pub(crate) fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// The list ended. So the record has it, even if it is empty.
    pub(crate) fn end(&mut self) {
        self.is_there = true;
    }

    pub(crate) fn get(&self) -> Option<&[T]> {
        self.is_there.then_some(&*self.items)
    }
}
