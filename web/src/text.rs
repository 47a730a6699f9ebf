//! Record text, made fit to be looked at.
//!
//! Text from a file is hostile: it may hold terminal codes, or characters that turn the reading
//! direction. Nothing here changes what a record says; it only decides how it is shown, and every
//! piece becomes a text node.

use std::borrow::Cow;

/// A stretch of record text, or the name of a character that cannot be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Shown as it is.
    Text(&'a str),
    /// Shown as a label.
    Label(Cow<'static, str>),
}

/// Splits `text` so that characters without a shape of their own become labels.
pub(crate) fn visible(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let Some(label) = label(c) else { continue };
        // A carriage return before a line feed is how some systems end a line.
        if c == '\r' && text[at + 1..].starts_with('\n') {
            push_text(&mut pieces, &text[from..at]);
            from = at + 1;
            continue;
        }
        push_text(&mut pieces, &text[from..at]);
        pieces.push(Piece::Label(label));
        from = at + c.len_utf8();
    }
    push_text(&mut pieces, &text[from..]);
    pieces
}

fn push_text<'a>(pieces: &mut Vec<Piece<'a>>, text: &'a str) {
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
}

fn label(c: char) -> Option<Cow<'static, str>> {
    const C0: [&str; 32] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF",
        "CR", "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM",
        "SUB", "ESC", "FS", "GS", "RS", "US",
    ];
    match c {
        '\n' | '\t' => None,
        '\u{0}'..='\u{1f}' => Some(Cow::Borrowed(C0[c as usize])),
        // Delete and the second control block, directions, invisible spaces, odd line ends.
        '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => Some(Cow::Owned(format!("U+{:04X}", c as u32))),
        _ => None,
    }
}

/// Takes terminal codes (`ESC [ … letter`) out, and says how many there were.
pub(crate) fn without_terminal_codes(text: &str) -> (Cow<'_, str>, usize) {
    if !text.contains("\u{1b}[") {
        return (Cow::Borrowed(text), 0);
    }
    let mut plain = String::with_capacity(text.len());
    let mut removed = 0;
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        plain.push_str(&rest[..at]);
        let code = &rest[at + 2..];
        let length = code.find(|c: char| !matches!(c, '0'..='9' | ';' | ':' | '?' | ' '));
        if let Some((end, 'A'..='Z' | 'a'..='z')) =
            length.and_then(|end| Some((end, code[end..].chars().next()?)))
        {
            removed += 1;
            rest = &code[end + 1..];
        } else {
            plain.push_str("\u{1b}[");
            rest = code;
        }
    }
    plain.push_str(rest);
    (Cow::Owned(plain), removed)
}

/// The beginning of a long text, and what was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fold<'a> {
    pub(crate) shown: &'a str,
    pub(crate) hidden_lines: usize,
    pub(crate) hidden_bytes: usize,
}

/// Cuts `text` after `lines` lines or about `bytes` bytes, whichever comes first.
pub(crate) fn fold(text: &str, lines: usize, bytes: usize) -> Fold<'_> {
    let by_lines =
        text.match_indices('\n').nth(lines.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let mut end = by_lines.min(bytes.min(text.len()));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let hidden = &text[end..];
    Fold {
        shown: &text[..end],
        hidden_lines: hidden.trim_start_matches('\n').lines().count(),
        hidden_bytes: hidden.len(),
    }
}

/// What a line of a unified diff is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiffLine {
    Added,
    Removed,
    Place,
    Header,
    Context,
}

/// Judges a line by its first characters, as `patch` does.
pub(crate) fn diff_line(line: &str) -> DiffLine {
    if line.starts_with("+++ ") || line.starts_with("--- ") || line.starts_with("diff ") {
        DiffLine::Header
    } else if line.starts_with("@@") {
        DiffLine::Place
    } else if line.starts_with('+') {
        DiffLine::Added
    } else if line.starts_with('-') {
        DiffLine::Removed
    } else {
        DiffLine::Context
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(text: &str) -> String {
        visible(text)
            .into_iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.to_owned(),
                Piece::Label(label) => format!("<{label}>"),
            })
            .collect()
    }

    #[test]
    fn names_what_cannot_be_seen() {
        assert_eq!(flat("plain ✓ text\n\ttab"), "plain ✓ text\n\ttab");
        assert_eq!(flat("a\u{202e}b\u{0}c\u{feff}"), "a<U+202E>b<NUL>c<U+FEFF>");
        assert_eq!(flat("one\r\ntwo\rthree"), "one\ntwo<CR>three");
        assert_eq!(flat("\u{1b}[31mred"), "<ESC>[31mred");
        assert_eq!(flat("👩\u{200d}💻"), "👩\u{200d}💻", "joined emoji stay whole");
    }

    #[test]
    fn removes_terminal_codes_and_counts_them() {
        let (plain, removed) = without_terminal_codes("\u{1b}[1;31mFAILED\u{1b}[0m 3 tests");
        assert_eq!((plain.as_ref(), removed), ("FAILED 3 tests", 2));
        let (plain, removed) = without_terminal_codes("\u{1b}[31\u{1b}[é");
        assert_eq!((plain.as_ref(), removed), ("\u{1b}[31\u{1b}[é", 0));
        assert_eq!(without_terminal_codes("none").1, 0);
    }

    #[test]
    fn folds_by_lines_and_by_bytes() {
        let four = "a\nb\nc\nd";
        assert_eq!(fold(four, 2, 100).shown, "a\nb");
        assert_eq!(fold(four, 2, 100).hidden_lines, 2);
        assert_eq!(fold(four, 4, 100), Fold { shown: four, hidden_lines: 0, hidden_bytes: 0 });
        assert_eq!(fold("héllo", 9, 2).shown, "h", "never inside a character");
        assert_eq!(fold("héllo", 9, 2).hidden_bytes, 5);
    }

    #[test]
    fn reads_diff_lines() {
        assert_eq!(diff_line("+let x = 1;"), DiffLine::Added);
        assert_eq!(diff_line("-let x = 0;"), DiffLine::Removed);
        assert_eq!(diff_line("--- a/src/lib.rs"), DiffLine::Header);
        assert_eq!(diff_line("@@ -1,2 +1,2 @@"), DiffLine::Place);
        assert_eq!(diff_line(" same"), DiffLine::Context);
    }
}
