//! Where the items of lists stand, so that each can be a record of its own.

use std::collections::BTreeMap;
use std::ops::Range;

/// Lists whose items may be records.
#[derive(Default)]
pub(super) struct Items {
    pub(super) open: Vec<OpenList>,
    pub(super) done: BTreeMap<String, Vec<Range<usize>>>,
}

/// A list while its items are read.
pub(super) struct OpenList {
    /// Offset of the first dash, or of the bracket.
    pub(super) start: usize,
    pub(super) column: usize,
    pub(super) is_flow: bool,
    /// Where items begin, and where they end if they say so.
    pub(super) items: Vec<Range<usize>>,
}

impl OpenList {
    /// Where the line of an item's dash begins.
    fn line_of(&self, text: &str, item: usize) -> Option<usize> {
        let mut end = item;
        loop {
            let head = text.get(..end)?;
            let line_at = head.rfind(['\n', '\r']).map_or(0, |at| at + 1);
            let line = text.get(line_at..)?;
            let (indent, rest) = line.split_at_checked(self.column)?;
            if rest.starts_with('-') && indent.bytes().all(|b| b == b' ') {
                return Some(line_at);
            }
            // The dash stands on a line before, behind which there are comments at most.
            end = line_at.checked_sub(1).filter(|at| *at > self.start)?;
        }
    }

    pub(super) fn broken(&self, text: &str) -> Option<usize> {
        let last = self.items.last().filter(|_| !self.is_flow)?;
        self.line_of(text, last.start)
    }

    /// Stretches of the items; none if one of them cannot be found.
    pub(super) fn stretches(&self, text: &str, end: usize) -> Option<Vec<Range<usize>>> {
        if self.is_flow {
            return Some(self.items.clone());
        }
        let starts: Vec<_> =
            self.items.iter().map(|item| self.line_of(text, item.start)).collect::<Option<_>>()?;
        // What follows the list begins a line of its own.
        let head = text.get(..end)?;
        let line_at = head.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let is_mid_line = head.get(line_at..).is_some_and(|l| l.bytes().all(|b| b == b' '));
        let end = if is_mid_line { line_at } else { end };
        let ends = starts.iter().copied().skip(1).chain([end]);
        Some(starts.iter().copied().zip(ends).map(|(from, to)| from..to.max(from)).collect())
    }
}

/// Where the line of the next item of a list begins, as the line at `item` does.
pub(crate) fn next_item(text: &str, item: usize) -> Option<usize> {
    let rest = text.get(item..)?;
    let lead = rest.get(..=rest.find('-')?)?;
    let next = [format!("\n{lead}"), format!("\r{lead}")];
    let next = next.iter().filter_map(|lead| rest.find(lead.as_str())).min()?;
    Some(item + next + 1)
}
