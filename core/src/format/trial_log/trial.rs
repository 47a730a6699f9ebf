//! The blocks of `trial_N.log`.

use super::environment::{Said, header, said};
use super::stray;
use super::tail::{Sums, Tail};
use crate::format::account::{Context, Cut, Cuts};
use crate::format::lines::{Line, lines};
use crate::history::outcome::Outcome;

/// The line around each block.
pub(super) const MARK: &str = "#####";

pub(super) fn cut(text: &str) -> Cuts {
    let lines: Vec<Line<'_>> = lines(text).filter(|line| !line.is_blank()).collect();
    let is_mark = |at: usize| lines.get(at).is_some_and(|line| line.text == MARK);
    // A prompt may hold anything; a block begins where a mark and a header stand together.
    let is_start = |at: &usize| {
        let before = at.checked_sub(1);
        lines.get(*at).is_some_and(|line| header(line.text).is_some())
            && before.is_some_and(is_mark)
    };
    let starts: Vec<usize> = (0..lines.len()).filter(is_start).collect();
    let mut cuts = Cuts::default();
    let mut sums = Sums::default();
    let mut tail = Tail::default();
    for (i, &start) in starts.iter().enumerate() {
        let next = starts.get(i + 1).map_or(lines.len(), |next| next - 1);
        let closing = (start..next).rev().find(|at| is_mark(*at)).unwrap_or(next);
        let block = lines.get(start..closing).unwrap_or_default();
        let (Some(first), Some(last)) = (block.first(), block.last()) else { continue };
        let range = first.start..last.end();
        if let Some(Said { outcome, is_carried, .. }) = text.get(range.clone()).and_then(said) {
            sums.add(outcome == Outcome::Success, is_carried);
        }
        cuts.records.push(Cut { range, context: Context::default() });
        outside(lines.get(closing + 1..next).unwrap_or_default(), &mut tail, &mut cuts);
    }
    // What stands before the first block.
    let first = starts.first().map_or(lines.len(), |start| start.saturating_sub(1));
    outside(lines.get(..first).unwrap_or_default(), &mut tail, &mut cuts);
    cuts.findings.extend(tail.check(sums, true));
    cuts.findings.sort_by_key(|(at, _)| *at);
    cuts
}

/// Lines that stand in no block: the tail, or a stretch that nobody knows.
fn outside(lines: &[Line<'_>], tail: &mut Tail, cuts: &mut Cuts) {
    let unknown: Vec<_> = lines.iter().filter(|line| !tail.take(line)).collect();
    if let Some(first) = unknown.first() {
        cuts.skipped += 1;
        cuts.findings.push((first.start, stray()));
    }
}
