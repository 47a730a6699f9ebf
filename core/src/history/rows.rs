//! Lists in chunks, for the rows of a history. A single list that grows by doubling needs three times its
//! size for a moment, and that is too much memory for a tree of ten million actions.

use std::ops::Index;

/// Items of a chunk.
const CHUNK: usize = 1 << 14;

/// Items by their positions.
#[derive(Clone, Debug)]
pub(crate) struct Chunks<T> {
    /// All full but the last.
    chunks: Vec<Vec<T>>,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T> Chunks<T> {
    pub(crate) fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    pub(crate) fn push(&mut self, item: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(item),
            // Most histories are short; of a long one each further chunk will be full.
            None => self.chunks.push(vec![item]),
            Some(_) => {
                let mut chunk = Vec::with_capacity(CHUNK);
                chunk.push(item);
                self.chunks.push(chunk);
            }
        }
    }

    /// Gives back what was allocated ahead.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.chunks.iter_mut().for_each(Vec::shrink_to_fit);
        self.chunks.shrink_to_fit();
    }

    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.chunks.get_mut(at / CHUNK)?.get_mut(at % CHUNK)
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        self.chunks.last_mut()?.last_mut()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flatten()
    }
}

impl<T> Index<usize> for Chunks<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.chunks[at / CHUNK][at % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::FormatId;
    use crate::format::extracted::Extracted;
    use crate::history::row::{Row, Table};
    use crate::source::position::Position;

    #[test]
    fn positions_go_through_all_chunks() {
        let mut table = Table::default();
        let count = 2 * CHUNK + 3;
        for at in 0..count {
            assert_eq!(table.rows.len(), at);
            let index = u32::try_from(at).expect("few");
            let extracted = Extracted::default();
            table.push(0, index, FormatId::EpisodicActions, &extracted, Position::START, 0);
            assert_eq!(table.rows.last_mut().map(|row| row.index), Some(index));
        }
        for at in [0, 1, CHUNK - 1, CHUNK, 2 * CHUNK, count - 1] {
            assert_eq!(table.rows[at].index as usize, at);
            assert_eq!(table.rows.get(at).map(|row| row.index as usize), Some(at));
        }
        assert!(table.rows.get(count).is_none() && table.rows.get(usize::MAX).is_none());
        assert!(table.rows.iter().map(|row| row.index as usize).eq(0..count));
        assert!(
            Chunks::<Row>::default().get(0).is_none()
                && Chunks::<Row>::default().last_mut().is_none()
        );
    }
}
