//! Lines of prose before the first value: captured output often begins with some.

use super::skip;

/// No more than this is taken for prose, in bytes: what goes on longer is a text.
const MAX_LEN: usize = 64 << 10;

/// How many bytes of other lines stand before one that begins a value; 0 if none does. None
/// while that is undecided.
pub(super) fn leading_text(text: &[u8], is_end: bool) -> Option<usize> {
    let is_all = is_end || text.len() >= MAX_LEN;
    let text = text.get(..MAX_LEN).unwrap_or(text);
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && !rest.is_empty()
    {
        match begins_value(rest) {
            Some(true) if at > 0 => return Some(at),
            None if at > 0 && !is_all => return None,
            _ => {}
        }
        if is_markup(rest) {
            return Some(0);
        }
        match memchr::memchr2(b'\n', b'\r', rest) {
            Some(len) => at += len + 1,
            None => break,
        }
    }
    is_all.then_some(0)
}

/// Whether a line begins as lines of YAML or Markdown do, and as captured output does not.
fn is_markup(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    matches!(line.first(), Some(b'#' | b'%' | b'`'))
        || line.starts_with(b"- ")
        || line.starts_with(b"---\n")
        || line.starts_with(b"---\r")
        || line.starts_with(b"--- ")
}

/// Whether an object, or an array of some, begins here. None while that is undecided.
fn begins_value(text: &[u8]) -> Option<bool> {
    let wanted: &[u8] = match text.first() {
        Some(b'{') => b"\"}",
        // Logs put times and levels into brackets.
        Some(b'[') => b"{]",
        _ => return Some(false),
    };
    text.get(skip(text, 1, b" \t\r\n")).map(|byte| wanted.contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_begin_lines() {
        let found = |text: &str| leading_text(text.as_bytes(), true);
        assert_eq!(found("one\ntwo: 2\n3\n4\n5\n6\n7\n{\"a\":1}"), Some(21));
        assert_eq!(found("found:\n[\n  {\"a\":1}]"), Some(7));
        assert_eq!(found("found:\r[{\"a\":1}]"), Some(7));
        assert_eq!(found("[12:00] started\n[12:01] {ended}\n"), Some(0));
        assert_eq!(found("if (x)\n{ return; }\n"), Some(0));
        assert_eq!(found("# title\n{\"a\":1}"), Some(0));
        assert_eq!(found("a: 1\n---\n{\"a\":1}"), Some(0));
        assert_eq!(leading_text(b"one\n{", false), None);
        assert_eq!(leading_text(b"one\ntwo", false), None);
    }

    #[test]
    fn what_goes_on_is_a_text() {
        let text = "a line of a log\n".repeat(10_000) + "{\"a\":1}";
        assert_eq!(leading_text(text.as_bytes(), false), Some(0));
    }
}
