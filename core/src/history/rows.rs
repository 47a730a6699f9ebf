//! The rows of a history, in chunks: one list that doubles its room takes three times what it holds
//! for a moment, and a tree of ten million actions has not that much memory.

use std::ops::Index;

use super::row::Row;

/// Rows of a chunk.
const CHUNK: usize = 1 << 14;

/// Rows by their positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// All full but the last.
    chunks: Vec<Vec<Row>>,
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    pub(crate) fn push(&mut self, row: Row) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(row),
            // Most histories are short; of a long one each further chunk will be full.
            None => self.chunks.push(vec![row]),
            Some(_) => {
                let mut chunk = Vec::with_capacity(CHUNK);
                chunk.push(row);
                self.chunks.push(chunk);
            }
        }
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Row> {
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Row> {
        self.chunks.last_mut()?.last_mut()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Row> {
        self.chunks.iter().flatten()
    }
}

impl Index<usize> for Rows {
    type Output = Row;

    fn index(&self, at: usize) -> &Row {
        &self.chunks[at / CHUNK][at % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::FormatId;
    use crate::format::extracted::Extracted;
    use crate::history::row::Table;
    use crate::source::position::Position;

    #[test]
    fn positions_go_through_all_chunks() {
        let mut table = Table::default();
        let count = 2 * CHUNK + 3;
        for at in 0..count {
            assert_eq!(table.rows.len(), at);
            let index = u32::try_from(at).expect("few");
            let facts = Extracted::default();
            table.push(0, index, FormatId::EpisodicActions, &facts, Position::START, 0);
            assert_eq!(table.rows.last_mut().map(|row| row.index), Some(index));
        }
        for at in [0, 1, CHUNK - 1, CHUNK, 2 * CHUNK, count - 1] {
            assert_eq!(table.rows[at].index as usize, at);
            assert_eq!(table.rows.get(at).map(|row| row.index as usize), Some(at));
        }
        assert!(table.rows.get(count).is_none() && table.rows.get(usize::MAX).is_none());
        assert!(table.rows.iter().map(|row| row.index as usize).eq(0..count));
        assert!(Rows::default().get(0).is_none() && Rows::default().last_mut().is_none());
    }
}
