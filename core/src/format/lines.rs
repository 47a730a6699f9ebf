//! Lines of a text, each with its place.

use crate::json::numeric;

/// One line, without its break and without white space at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Offset of its first byte.
    pub(crate) start: usize,
    pub(crate) text: &'a str,
}

impl Line<'_> {
    /// Offset behind its last byte that is no white space.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        Line { start: at, text: line.trim_end() }
    })
}

/// The first lines that are not blank.
pub(crate) fn first_lines(text: &str) -> impl Iterator<Item = &str> {
    lines(text).map(|line| line.text.trim_start()).filter(|line| !line.is_empty())
}

/// Adds a line to a text.
pub(crate) fn add_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// The number that a text begins with, and what follows it.
pub(crate) fn leading_number(text: &str) -> Option<(i64, &str)> {
    leading_iteration(text).filter(|(number, _)| !numeric::is_beyond(*number))
}

/// The same of the number of an iteration, which may be too large: see [`numeric::iteration`].
pub(crate) fn leading_iteration(text: &str) -> Option<(i64, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(len)?;
    Some((numeric::iteration_of_digits(digits)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_places() {
        let text = "a \r\n\n b";
        let all: Vec<_> = lines(text).map(|l| (l.start, l.end(), l.text)).collect();
        assert_eq!(all, [(0, 1, "a"), (4, 4, ""), (5, 7, " b")]);
        assert_eq!(leading_number("12: x"), Some((12, ": x")));
        assert_eq!(leading_number("x"), None);
    }
}
