//! Record text, made fit to be looked at.
//!
//! Text from a file is hostile: it may hold terminal codes, or characters that turn the reading
//! direction. Nothing here changes what a record says; it only decides how it is shown, and every
//! piece becomes a text node.

use std::borrow::Cow;

/// A stretch of record text, or the name of a character that cannot be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum VisibleChunk<'a> {
    /// Shown as it is.
    Text(Cow<'a, str>),
    /// Shown as a label.
    Label(Cow<'static, str>),
}

/// The most labels of one text that become elements of their own; further ones are plain words in the
/// text. A text of nothing but control characters must not fill the page.
const LABELS: usize = 500;

/// Splits `text` so that characters without a shape of their own become labels.
pub(crate) fn visible(text: &str) -> Vec<VisibleChunk<'_>> {
    let mut pieces = Vec::new();
    let mut labels = 0;
    let mut from = 0;
    for (at, c) in text.char_indices() {
        if c.is_ascii_graphic() || matches!(c, ' ' | '\n' | '\t') {
            continue;
        }
        // A carriage return before a line feed is how some systems end a line.
        if c == '\r' && text[at + 1..].starts_with('\n') {
            push_text(&mut pieces, &text[from..at]);
            from = at + 1;
            continue;
        }
        let Some(label) = label(c).filter(|_| !joins(text, at, c)) else { continue };
        push_text(&mut pieces, &text[from..at]);
        from = at;
        if labels == LABELS {
            break;
        }
        labels += 1;
        pieces.push(VisibleChunk::Label(label));
        from += c.len_utf8();
    }
    if labels == LABELS {
        push_text(&mut pieces, plain(&text[from..]));
    } else {
        push_text(&mut pieces, &text[from..]);
    }
    pieces
}

/// The same as one string, for places that hold nothing else: titles and names. Lines end.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match label(c) {
            Some(_) if joins(text, at, c) => plain.push(c),
            Some(_) if c == '\r' && text[at + 1..].starts_with('\n') => {}
            Some(label) => {
                plain.push('[');
                plain.push_str(&label);
                plain.push(']');
            }
            None => plain.push(c),
        }
    }
    plain
}

fn push_text<'a>(pieces: &mut Vec<VisibleChunk<'a>>, text: impl Into<Cow<'a, str>>) {
    let text = text.into();
    if !text.is_empty() {
        pieces.push(VisibleChunk::Text(text));
    }
}

/// Whether a joiner stands between characters that it can join: emoji, and scripts that use it.
fn joins(text: &str, at: usize, c: char) -> bool {
    if !matches!(c, '\u{200c}' | '\u{200d}') {
        return false;
    }
    let can = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && label(c).is_none());
    can(text[..at].chars().next_back()) && can(text[at + c.len_utf8()..].chars().next())
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
        '\u{7f}' => Some(Cow::Borrowed("DEL")),
        // The second control block, directions, invisible spaces and fillers, odd line ends, notes
        // between lines, tags, places for private marks.
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Some(Cow::Owned(format!("U+{:04X}", c as u32))),
        _ => None,
    }
}

/// Takes terminal codes out, and says how many there were: colours and movements
/// (`ESC [ … letter`), titles and links (`ESC ] … BEL`), and the short ones.
pub(crate) fn without_terminal_codes(text: &str) -> (Cow<'_, str>, usize) {
    if !text.contains(['\u{1b}', '\u{9b}']) {
        return (Cow::Borrowed(text), 0);
    }
    let mut plain = String::with_capacity(text.len());
    let mut removed = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['\u{1b}', '\u{9b}']) {
        plain.push_str(&rest[..at]);
        let code = &rest[at..];
        if let Some(length) = code_length(code) {
            removed += 1;
            rest = &code[length..];
        } else {
            let first = code.chars().next().map_or(0, char::len_utf8);
            plain.push_str(&code[..first]);
            rest = &code[first..];
        }
    }
    plain.push_str(rest);
    (Cow::Owned(plain), removed)
}

/// Longest title or link in a terminal code; whatever is longer is text.
const TITLE_MOST: usize = 4096;

/// The length of the terminal code that a text begins with, if it is a whole one.
fn code_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let after = |from: usize, range: std::ops::RangeInclusive<u8>| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| range.contains(byte)).count()
    };
    let ends = |at: usize, range: std::ops::RangeInclusive<u8>| {
        bytes.get(at).is_some_and(|byte| range.contains(byte)).then_some(at + 1)
    };
    if text.starts_with("\u{1b}]") {
        let end = text.bytes().take(TITLE_MOST).position(|byte| byte == 7);
        let other = text.match_indices("\u{1b}\\").next().map(|(at, _)| at);
        let other = other.filter(|at| *at < TITLE_MOST && end.is_none_or(|end| *at < end));
        return other.map(|at| at + 2).or(end.map(|at| at + 1));
    }
    if text.starts_with("\u{1b}[") || text.starts_with('\u{9b}') {
        // Both are two bytes long.
        return ends(after(after(2, 0x30..=0x3f), 0x20..=0x2f), 0x40..=0x7e);
    }
    let middle = after(1, 0x20..=0x2f);
    ends(middle, 0x30..=0x7e)
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
    let end = text.floor_char_boundary(by_lines.min(bytes));
    let hidden = &text[end..];
    Fold {
        shown: &text[..end],
        hidden_lines: hidden.trim_start_matches('\n').lines().count(),
        hidden_bytes: hidden.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(text: &str) -> String {
        visible(text)
            .into_iter()
            .map(|piece| match piece {
                VisibleChunk::Text(text) => text.into_owned(),
                VisibleChunk::Label(label) => format!("<{label}>"),
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
        assert_eq!(flat("می\u{200c}خواهم a\u{200d}b"), "می\u{200c}خواهم a<U+200D>b");
        assert_eq!(flat("\u{e0041}\u{2067}\u{7f}"), "<U+E0041><U+2067><DEL>");
        assert_eq!(plain("a\u{202e}b\r\nc"), "a[U+202E]b\nc");
    }

    #[test]
    fn many_labels_are_words_in_the_end() {
        let pieces = visible("a\u{0}".repeat(LABELS + 2).leak());
        assert_eq!(pieces.len(), LABELS * 2 + 2);
        assert_eq!(pieces.last(), Some(&VisibleChunk::Text(Cow::Borrowed("[NUL]a[NUL]"))));
    }

    #[test]
    fn removes_terminal_codes_and_counts_them() {
        let (plain, removed) = without_terminal_codes("\u{1b}[1;31mFAILED\u{1b}[0m 3 tests");
        assert_eq!((plain.as_ref(), removed), ("FAILED 3 tests", 2));
        let (plain, removed) = without_terminal_codes("\u{1b}[31\u{1b}[é");
        assert_eq!((plain.as_ref(), removed), ("\u{1b}[31\u{1b}[é", 0));
        assert_eq!(without_terminal_codes("none").1, 0);
        let link = "\u{1b}]8;;javascript:alert(1)\u{7}here\u{1b}]8;;\u{1b}\\ \u{1b}(B\u{9b}2Kx";
        let (plain, removed) = without_terminal_codes(link);
        assert_eq!((plain.as_ref(), removed), ("here x", 4));
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
}
