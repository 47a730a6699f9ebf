//! `signature(error)`: what is left of an error when places and numbers do not count
//! (docs/spec/rules.md, "Error signature").

use crate::model::details::ErrorDetails;

/// Longest message that counts, in characters.
const MESSAGE_LEN: usize = 200;

/// What is left of an error when places and numbers do not count: `type|rule`, else `type|message`
/// without its numbers and places (docs/spec/rules.md, "Error signature").
/// [`ErrorRow`](crate::ErrorRow) is kept by it.
///
/// # Example: two tests fail in the same way
///
/// ```
/// use hindscope::{ErrorDetails, error_signature};
///
/// let error = |message: &str| ErrorDetails {
///     kind: "timeout".into(),
///     message: message.into(),
///     ..ErrorDetails::default()
/// };
/// assert_eq!(error_signature(&error("after 30 ms")), "timeout|after <n> ms");
/// assert_eq!(error_signature(&error("After 45 ms")), error_signature(&error("after 30 ms")));
/// ```
pub fn signature(error: &ErrorDetails) -> String {
    let rule = error.rule.as_deref().filter(|rule| !rule.trim().is_empty());
    match rule {
        Some(rule) => format!("{}|{rule}", error.kind),
        None => format!("{}|{}", error.kind, message(&error.message)),
    }
}

fn message(message: &str) -> String {
    let line = message.trim_start().lines().next().unwrap_or_default().to_lowercase();
    let words: Vec<_> = line.split_whitespace().map(plain).collect();
    words.join(" ").chars().take(MESSAGE_LEN).collect()
}

/// One stretch without spaces.
fn plain(word: &str) -> String {
    let word = last_segments(word);
    let mut plain = String::with_capacity(word.len());
    let mut rest = word.as_str();
    while let Some(first) = rest.chars().next() {
        let before = plain.chars().next_back();
        let is_start = !before.is_some_and(char::is_alphanumeric);
        let (put, len) = if let Some(len) = uuid(rest).filter(|_| is_start) {
            ("<id>", len)
        } else if let Some(len) = place(rest).filter(|_| before.is_some()) {
            ("", len)
        } else if let Some(len) = hex(rest).filter(|_| is_start) {
            ("<hex>", len)
        } else if first.is_ascii_digit() {
            ("<n>", digits(rest))
        } else {
            let len = first.len_utf8();
            (&rest[..len], len)
        };
        plain.push_str(put);
        rest = &rest[len..];
    }
    plain
}

/// Without the folders of the paths in it.
fn last_segments(word: &str) -> String {
    let is_path = |c: char| {
        c.is_alphanumeric() || matches!(c, '/' | '\\' | '.' | '_' | '-' | '~' | '@' | '+')
    };
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let len = rest.find(|c| is_path(c) != is_path(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(len);
        let last = run.split(['/', '\\']).rfind(|part| !part.is_empty());
        out.push_str(last.filter(|_| is_path(first)).unwrap_or(run));
        rest = after;
    }
    out
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn hex_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_hexdigit).count()
}

fn ends(text: &str, len: usize) -> bool {
    !text.get(len..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}

/// Length of the UUID that stands here.
fn uuid(text: &str) -> Option<usize> {
    let mut len = 0;
    for (i, part) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if i > 0 {
            text.get(len..)?.strip_prefix('-')?;
            len += 1;
        }
        if hex_digits(text.get(len..)?) < part {
            return None;
        }
        len += part;
    }
    ends(text, len).then_some(len)
}

/// Length of `:line:col`.
fn place(text: &str) -> Option<usize> {
    let line = digits(text.strip_prefix(':')?);
    let column = digits(text.get(1 + line..)?.strip_prefix(':')?);
    (line > 0 && column > 0).then_some(2 + line + column)
}

/// Length of `0x...`, or of seven hex digits or more with a digit among them.
fn hex(text: &str) -> Option<usize> {
    if let Some(rest) = text.strip_prefix("0x") {
        let len = hex_digits(rest);
        return (len > 0 && ends(rest, len)).then_some(2 + len);
    }
    let len = hex_digits(text);
    let has_digit = text.bytes().take(len).any(|b| b.is_ascii_digit());
    (len >= 7 && has_digit && ends(text, len)).then_some(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: &str, message: &str, expected: &str) {
        let error = ErrorDetails {
            kind: kind.to_owned(),
            message: message.to_owned(),
            ..ErrorDetails::default()
        };
        assert_eq!(signature(&error), expected);
    }

    #[test]
    fn places_and_numbers_do_not_count() {
        check(
            "runtime_error",
            "TypeError at src/a.ts:23:15: expected 3 got 5",
            "runtime_error|typeerror at a.ts: expected <n> got <n>",
        );
        check(
            "x",
            "at 0xFF00 of  deadbee1, not feedface\nsecond",
            "x|at <hex> of <hex>, not feedface",
        );
        check("x", "id 550e8400-e29b-41d4-a716-446655440000!", "x|id <id>!");
        check("x", "(C:\\work\\a.rs:1:2) and /var/ and env_12", "x|(c:a.rs) and var and env_<n>");
        check("x", "größe/ä.rs: ::1", "x|ä.rs: ::<n>");
        check("x", &"é".repeat(300), &format!("x|{}", "é".repeat(200)));
    }

    #[test]
    fn a_rule_says_it_all() {
        let error = ErrorDetails {
            kind: "lint_error".to_owned(),
            message: "line 3".to_owned(),
            rule: Some("no-unused".to_owned()),
            ..ErrorDetails::default()
        };
        assert_eq!(signature(&error), "lint_error|no-unused");
    }
}
