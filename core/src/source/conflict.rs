//! Files that were committed with conflict markers in them (`text/conflict-marker`).
//!
//! Git leaves both sides of a conflict between lines of seven `<`, `=` and `>`; with diff3 style
//! also what both sides came from, behind seven `|`. Each side is a file by itself.

use std::ops::Range;

use super::rebuilt::Rebuilt;

/// Whose lines of a conflict a record was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    Ours,
    Theirs,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Ours, Self::Theirs];
}

/// What a marker line opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    /// `<<<<<<< name`: lines of ours.
    Ours,
    /// `||||||| name`: what both came from.
    Base,
    /// `=======`: lines of theirs.
    Theirs,
    /// `>>>>>>> name`: lines of both.
    End,
}

/// Bytes of a marker that begins a line with a name behind it.
pub(crate) const OPENING: &[u8] = b"<<<<<<< ";

/// Reads a line, with or without its line break, as a marker.
pub(crate) fn marker(line: &[u8]) -> Option<Marker> {
    let line = line.trim_ascii_end();
    match line.get(..7)? {
        b"=======" if line.len() == 7 => Some(Marker::Theirs),
        b"<<<<<<<" if is_named(line) => Some(Marker::Ours),
        b"|||||||" if is_named(line) => Some(Marker::Base),
        b">>>>>>>" if is_named(line) => Some(Marker::End),
        _ => None,
    }
}

fn is_named(line: &[u8]) -> bool {
    matches!(line.get(7), None | Some(b' '))
}

/// Offsets of all marker lines.
pub(crate) fn markers(text: &str) -> Vec<(usize, Marker)> {
    lines(text).filter_map(|(at, line)| Some((at, marker(line.as_bytes())?))).collect()
}

/// Where each conflict of a text of this length begins and ends, of its markers.
pub(crate) fn hunks(markers: &[(usize, Marker)], len: usize) -> Vec<Range<usize>> {
    let (mut open, mut hunks) = (None, Vec::new());
    for &(at, marker) in markers {
        match marker {
            Marker::Ours => open = open.or(Some(at)),
            Marker::End => hunks.extend(open.take().map(|from| from..at)),
            Marker::Base | Marker::Theirs => {}
        }
    }
    hunks.extend(open.map(|from| from..len));
    hunks
}

/// Whether these are the markers of a conflict of which both sides are there.
pub(crate) fn has_both(markers: &[(usize, Marker)]) -> bool {
    let mut markers = markers.iter().map(|(_, marker)| *marker);
    markers.any(|m| m == Marker::Ours) && markers.any(|m| m == Marker::Theirs)
}

/// Whether a text holds a conflict. Most do not, and most of those are known at once.
pub(crate) fn is_in(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), OPENING).is_some() && has_both(&markers(text))
}

/// The text as one side has it. A stretch of a file may begin inside a conflict, as its first marker
/// shows; then it begins with a line of this side.
pub(crate) fn rebuild(text: &str, side: Side) -> Rebuilt {
    let first = lines(text).find_map(|(_, line)| marker(line.as_bytes()));
    let mut of = first.filter(|marker| *marker != Marker::Ours).map(|_| side);
    let mut is_base = false;
    let mut out = Rebuilt::default();
    for (at, line) in lines(text) {
        match marker(line.as_bytes()) {
            Some(Marker::Ours) => (of, is_base) = (Some(Side::Ours), false),
            Some(Marker::Base) => is_base = true,
            Some(Marker::Theirs) if of.is_some() => (of, is_base) = (Some(Side::Theirs), false),
            Some(Marker::End) => (of, is_base) = (None, false),
            // A rule of equals signs outside of any conflict.
            Some(Marker::Theirs) | None if !is_base && of.is_none_or(|of| of == side) => {
                out.push(line, at);
            }
            Some(Marker::Theirs) | None => {}
        }
    }
    out
}

/// Lines with their line breaks, and where each begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    // A lone CR ends a line, too; the LF of a CRLF then counts as a line that is empty.
    text.split_inclusive(['\n', '\r']).map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\n<<<<<<< HEAD\nb\n||||||| base\nc\n=======\nd\n>>>>>>> other\ne\n";

    #[test]
    fn each_side_has_its_lines() {
        assert_eq!(rebuild(TEXT, Side::Ours).text, "a\nb\ne\n");
        assert_eq!(rebuild(TEXT, Side::Theirs).text, "a\nd\ne\n");
        assert_eq!(markers(TEXT).len(), 4);
        assert!(is_in(TEXT));
        for text in ["Title\n=======\ntext\n", "a <<<<<<< b\n=======\n", "<<<<<<< a\nb\n"] {
            assert!(!is_in(text), "{text}");
        }
    }

    #[test]
    fn a_stretch_may_begin_inside_of_a_conflict() {
        let from_ours = &TEXT[TEXT.find("b\n").expect("there")..];
        assert_eq!(rebuild(from_ours, Side::Ours).text, "b\ne\n");
        let from_theirs = &TEXT[TEXT.find("d\n").expect("there")..];
        assert_eq!(rebuild(from_theirs, Side::Theirs).text, "d\ne\n");
        assert_eq!(rebuild("plain", Side::Theirs).text, "plain");
    }

    #[test]
    fn places_are_those_of_the_file() {
        let theirs = rebuild(TEXT, Side::Theirs);
        assert_eq!(theirs.written_at(2), TEXT.find("d\n").expect("there"));
        assert_eq!(theirs.written_at(4), TEXT.rfind("e\n").expect("there"));
        // The end of a stretch lies behind its last byte, not at the next piece.
        assert_eq!(theirs.written_end(4), TEXT.find("d\n").expect("there") + 2);
    }
}
