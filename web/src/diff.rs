//! Differences: of a unified diff that a record holds, and of two texts.
//!
//! Lines keep their signs, so that a diff is read without any colour; inside of changed lines the
//! words that changed are known too.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Changed lines are compared word by word only up to this length in bytes, and only this many pairs.
const LINE_MOST: usize = 600;
const PAIRS_MOST: usize = 400;
/// If one of two texts has more lines than this, or a replaced stretch more words, all of it is shown as
/// replaced: finding what the two share takes too long.
const WORDS_MOST: usize = 3000;

/// What a line of a unified diff is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Added,
    Removed,
    Place,
    Header,
    Context,
}

/// A line of a unified diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) kind: Kind,
    /// With its sign.
    pub(crate) text: &'a str,
    /// Number in the file as it was, where the diff has it.
    pub(crate) old: Option<u32>,
    /// Number in the file as it became.
    pub(crate) new: Option<u32>,
    /// Bytes of `text` that differ from the line of the other side.
    pub(crate) marks: Vec<Range<usize>>,
}

/// The lines of a unified diff. Inside of a hunk its head counts them, so that a removed `-- x`
/// is no file name.
pub(crate) fn lines(diff: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let (mut old, mut new, mut left) = (0, 0, (0, 0));
    for text in diff.lines() {
        let is_inside = left != (0, 0);
        let kind = kind(text, is_inside);
        let mut line = Line { kind, text, old: None, new: None, marks: Vec::new() };
        match kind {
            Kind::Place => {
                if let Some((from, to)) = hunk(text) {
                    (old, new, left) = (from.0, to.0, (from.1, to.1));
                }
            }
            Kind::Removed | Kind::Added | Kind::Context if is_inside && !text.starts_with('\\') => {
                if kind != Kind::Added {
                    line.old = Some(old);
                    old = old.saturating_add(1);
                    left.0 = left.0.saturating_sub(1);
                }
                if kind != Kind::Removed {
                    line.new = Some(new);
                    new = new.saturating_add(1);
                    left.1 = left.1.saturating_sub(1);
                }
            }
            _ => {}
        }
        lines.push(line);
    }
    mark(&mut lines);
    lines
}

fn kind(line: &str, is_inside: bool) -> Kind {
    let is_header = ["+++ ", "--- ", "diff ", "index ", "new file ", "deleted file ", "rename "]
        .iter()
        .any(|start| line.starts_with(start));
    if is_header && !is_inside {
        Kind::Header
    } else if line.starts_with("@@") {
        Kind::Place
    } else if line.starts_with('+') {
        Kind::Added
    } else if line.starts_with('-') {
        Kind::Removed
    } else {
        Kind::Context
    }
}

/// First line and length.
type Stretch = (u32, u32);

/// `@@ -1,2 +3,4 @@` as both stretches; a length that is left out is 1.
fn hunk(line: &str) -> Option<(Stretch, Stretch)> {
    let mut parts = line.strip_prefix("@@ ")?.split(' ');
    let mut stretch = |sign| {
        let part = parts.next()?.strip_prefix(sign)?;
        let (first, length) = part.split_once(',').unwrap_or((part, "1"));
        Some((first.parse().ok()?, length.parse().ok()?))
    };
    Some((stretch('-')?, stretch('+')?))
}

/// Runs of removed lines, each with the added lines that follow it.
fn runs(lines: &[Line<'_>]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let until = |from: usize, kind| {
            lines[from..]
                .iter()
                .position(|line| line.kind != kind)
                .map_or(lines.len(), |n| from + n)
        };
        let removed = at..until(at, Kind::Removed);
        let added = removed.end..until(removed.end, Kind::Added);
        at = added.end.max(at + 1);
        if !removed.is_empty() || !added.is_empty() {
            runs.push((removed, added));
        }
    }
    runs
}

/// Finds the words that changed between a removed line and the added line in its place.
fn mark(lines: &mut [Line<'_>]) {
    let mut pairs = 0;
    for (removed, added) in runs(lines) {
        if removed.len() != added.len() {
            continue;
        }
        for (a, b) in removed.zip(added) {
            pairs += 1;
            let (old, new) = (&lines[a].text[1..], &lines[b].text[1..]);
            if pairs > PAIRS_MOST || old.len() > LINE_MOST || new.len() > LINE_MOST {
                continue;
            }
            let parts = words(old, new);
            let shared: usize =
                parts.iter().filter_map(|part| Some(part.same()?.trim().len())).sum();
            // Lines that share little are new ones: marking all of them says nothing.
            if shared * 3 < old.trim().len().max(new.trim().len()) {
                continue;
            }
            let (mut from_a, mut from_b) = (1, 1);
            for part in parts {
                match part {
                    Part::Same(text) => {
                        from_a += text.len();
                        from_b += text.len();
                    }
                    Part::Removed(text) => {
                        lines[a].marks.push(from_a..from_a + text.len());
                        from_a += text.len();
                    }
                    Part::Added(text) => {
                        lines[b].marks.push(from_b..from_b + text.len());
                        from_b += text.len();
                    }
                }
            }
        }
    }
}

/// Lines beside each other: positions on the left and on the right. Removed and added lines that
/// follow each other stand in one row; heads stand on both sides.
pub(crate) fn beside(lines: &[Line<'_>]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut rows = Vec::new();
    let mut runs = runs(lines).into_iter().peekable();
    let mut at = 0;
    while at < lines.len() {
        let next = runs.next_if(|(removed, _)| removed.start == at);
        let Some((removed, added)) = next else {
            rows.push((Some(at), Some(at)));
            at += 1;
            continue;
        };
        at = added.end;
        for n in 0..removed.len().max(added.len()) {
            let nth = |range: &Range<usize>| range.clone().nth(n);
            rows.push((nth(&removed), nth(&added)));
        }
    }
    rows
}

/// A stretch of one text or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    Same(&'a str),
    Removed(&'a str),
    Added(&'a str),
}

impl<'a> Part<'a> {
    fn same(&self) -> Option<&'a str> {
        match self {
            Self::Same(text) => Some(text),
            Self::Removed(_) | Self::Added(_) => None,
        }
    }
}

/// How one text becomes another: by lines first, and by words where lines were replaced.
pub(crate) fn words<'a>(old: &'a str, new: &'a str) -> Vec<Part<'a>> {
    let (a, b) = (pieces(old, Cut::Lines), pieces(new, Cut::Lines));
    let mut parts = Vec::new();
    each(&a, &b, &mut parts, |a, b, parts| {
        let (old, new) = (joined(old, a), joined(new, b));
        let (a, b) = (pieces(old, Cut::Words), pieces(new, Cut::Words));
        each(&a, &b, parts, |a, b, parts| {
            push(parts, Part::Removed(joined(old, a)));
            push(parts, Part::Added(joined(new, b)));
        });
    });
    parts
}

#[derive(Clone, Copy)]
enum Cut {
    Lines,
    Words,
}

fn pieces(text: &str, cut: Cut) -> Vec<&str> {
    match cut {
        Cut::Lines => text.split_inclusive('\n').collect(),
        Cut::Words => {
            let mut words = Vec::new();
            let mut rest = text;
            while let Some(first) = rest.chars().next() {
                let sort = sort(first);
                let is_other = |c| sort == Sort::Sign || self::sort(c) != sort;
                let mut chars = rest.char_indices().skip(1);
                let end = chars.find(|(_, c)| is_other(*c)).map_or(rest.len(), |(at, _)| at);
                words.push(&rest[..end]);
                rest = &rest[end..];
            }
            words
        }
    }
}

#[derive(PartialEq, Eq)]
enum Sort {
    Space,
    Word,
    Sign,
}

fn sort(c: char) -> Sort {
    if c.is_whitespace() {
        Sort::Space
    } else if c.is_alphanumeric() || c == '_' {
        Sort::Word
    } else {
        Sort::Sign
    }
}

/// The stretch of `text` that neighbouring pieces of it cover.
fn joined<'a>(text: &'a str, pieces: &[&'a str]) -> &'a str {
    let at = |piece: &str| piece.as_ptr().addr() - text.as_ptr().addr();
    match (pieces.first(), pieces.last()) {
        (Some(first), Some(last)) => &text[at(first)..at(last) + last.len()],
        _ => "",
    }
}

/// Compares two lists piece by piece. Pieces that replace each other are handed to `replaced`.
fn each<'a>(
    a: &[&'a str],
    b: &[&'a str],
    parts: &mut Vec<Part<'a>>,
    replaced: impl Fn(&[&'a str], &[&'a str], &mut Vec<Part<'a>>),
) {
    if a.len() > WORDS_MOST || b.len() > WORDS_MOST {
        parts.extend(a.iter().copied().map(Part::Removed));
        parts.extend(b.iter().copied().map(Part::Added));
        return;
    }
    for op in capture_diff_slices(Algorithm::Myers, a, b) {
        match op {
            DiffOp::Equal { old_index, len, .. } => {
                parts.extend(a[old_index..old_index + len].iter().copied().map(Part::Same));
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                parts.extend(a[old_index..old_index + old_len].iter().copied().map(Part::Removed));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                parts.extend(b[new_index..new_index + new_len].iter().copied().map(Part::Added));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => replaced(
                &a[old_index..old_index + old_len],
                &b[new_index..new_index + new_len],
                parts,
            ),
        }
    }
}

fn push<'a>(parts: &mut Vec<Part<'a>>, part: Part<'a>) {
    let (Part::Same(text) | Part::Removed(text) | Part::Added(text)) = part;
    if !text.is_empty() {
        parts.push(part);
    }
}

/// Neighbours of one sort as one stretch.
pub(crate) fn stretches<'a>(parts: &[Part<'a>]) -> Vec<(Part<'a>, String)> {
    let mut joined: Vec<(Part<'a>, String)> = Vec::new();
    for part in parts {
        let (Part::Same(text) | Part::Removed(text) | Part::Added(text)) = part;
        match joined.last_mut() {
            Some((last, all)) if std::mem::discriminant(last) == std::mem::discriminant(part) => {
                all.push_str(text);
            }
            _ => joined.push((*part, (*text).to_owned())),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judges_lines_and_numbers_them() {
        use Kind::{Added, Context, Header, Place, Removed};
        let diff =
            "--- a/x.sql\n+++ b/x.sql\n@@ -4,2 +4,2 @@ head\n-- old\n+- new\n same\n--- a/y\n";
        let lines = lines(diff);
        let kinds: Vec<Kind> = lines.iter().map(|line| line.kind).collect();
        assert_eq!(kinds, [Header, Header, Place, Removed, Added, Context, Header]);
        let numbers: Vec<_> = lines[3..6].iter().map(|line| (line.old, line.new)).collect();
        assert_eq!(numbers, [(Some(4), None), (None, Some(4)), (Some(5), Some(5))]);
    }

    #[test]
    fn a_removed_comment_is_no_file_name() {
        let lines = lines("@@ -1 +0,0 @@\n--- gone\n");
        assert_eq!(lines[1].kind, Kind::Removed);
    }

    #[test]
    fn marks_the_words_that_changed() {
        let lines = lines("-    return Ok(());\n+    return Err(Timeout);\n");
        let marked = |at: usize| {
            let Line { text, marks, .. } = &lines[at];
            marks.iter().map(|mark| &text[mark.clone()]).collect::<Vec<_>>()
        };
        assert!(marked(0).iter().any(|mark| mark.starts_with("Ok")), "{lines:?}");
        assert!(marked(1).contains(&"Err") && marked(1).contains(&"Timeout"), "{lines:?}");
        assert!(!marked(0).contains(&"return"));
    }

    #[test]
    fn stands_beside_each_other() {
        let lines = lines("@@ -1,3 +1,2 @@\n-a\n-b\n+c\n same\n+new\n");
        assert_eq!(
            beside(&lines),
            [
                (Some(0), Some(0)),
                (Some(1), Some(3)),
                (Some(2), None),
                (Some(4), Some(4)),
                (None, Some(5)),
            ]
        );
    }

    #[test]
    fn two_texts_are_compared_word_by_word() {
        use Part::{Added, Removed, Same};
        let parts = words("one two three\nsame\n", "one 2 three\nsame\nmore\n");
        let flat: Vec<Part<'_>> =
            parts.into_iter().filter(|part| part.same() != Some(" ")).collect();
        assert_eq!(
            flat,
            [
                Same("one"),
                Removed("two"),
                Added("2"),
                Same("three"),
                Same("\n"),
                Same("same\n"),
                Added("more\n"),
            ]
        );
        let (old, new) = ("x ".repeat(9000), "y ".repeat(9000));
        let parts = words(&old, &new);
        assert!(parts.iter().all(|part| part.same().is_none()), "too long to look for more");
    }
}
