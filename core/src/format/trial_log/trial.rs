//! The blocks of `trial_N.log`.

use super::environment::{Said, header, said};
use super::stray;
use super::tail::{Sums, Tail};
use crate::format::lines::{Line, lines};
use crate::format::parsed_record::{Context, Cut, Cuts};
use crate::model::outcome::Outcome;
use crate::sort::StableSort as _;

/// The line around each block.
pub(super) const MARK: &str = "#####";

pub(super) fn cut(text: &str) -> Cuts {
    let lines: Vec<Line<'_>> = lines(text).filter(|line| !line.is_blank()).collect();
    let last = lines.len().saturating_sub(1);
    // The last mark may be cut off.
    let is_mark = |at: usize| {
        let is_whole = |text: &str| text == MARK || (at == last && MARK.starts_with(text));
        lines.get(at).is_some_and(|line| is_whole(line.text))
    };
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
        let is_last = |at: &usize| lines.get(*at).is_some_and(|line| ends_block(line.text));
        let end = (start..next).rev().find(is_last).map(|at| at + 1);
        let closing = (start..next).rev().find(|at| is_mark(*at)).unwrap_or(next);
        let end = end.unwrap_or(closing);
        let block = lines.get(start..end).unwrap_or_default();
        let (Some(first), Some(last)) = (block.first(), block.last()) else { continue };
        let range = first.start..last.end();
        if let Some(Said { outcome, is_carried, .. }) = text.get(range.clone()).and_then(said) {
            sums.add(outcome == Outcome::Success, is_carried);
        }
        cuts.records.push(Cut { range, context: Context::default() });
        outside(lines.get(end..next).unwrap_or_default(), &mut tail, &mut cuts);
    }
    // What stands before the first block.
    let first = starts.first().map_or(lines.len(), |start| start.saturating_sub(1));
    outside(lines.get(..first).unwrap_or_default(), &mut tail, &mut cuts);
    cuts.findings.extend(tail.check(sums, true));
    cuts.findings.stable_sort_by_key(|(at, _)| *at);
    cuts
}

/// The line that a block ends with, whatever was cut off behind it.
fn ends_block(line: &str) -> bool {
    matches!(line, "STATUS: OK" | "STATUS: FAIL")
        || header(line).is_some_and(|(_, rest)| rest == "Success")
}

/// Lines that stand in no block: the tail, or a stretch that nobody knows.
fn outside(lines: &[Line<'_>], tail: &mut Tail, cuts: &mut Cuts) {
    let unknown: Vec<_> =
        lines.iter().filter(|line| line.text != MARK && !tail.take(line)).collect();
    if let Some(first) = unknown.first() {
        cuts.skipped += 1;
        cuts.findings.push((first.start, stray()));
    }
}
