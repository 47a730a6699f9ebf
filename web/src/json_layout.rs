//! JSON, laid out for reading. Nothing is parsed: numbers, escapes, repeated members and the order
//! stay as written, and text that is cut or broken comes out as far as it goes.

/// Lays out text that looks like JSON; none for any other.
pub(crate) fn pretty(text: &str) -> Option<String> {
    let first = text.trim_start_matches('\u{feff}').trim_start().chars().next()?;
    if !matches!(first, '{' | '[') {
        return None;
    }
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut depth = 0_usize;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                let end = string_end(text, at);
                out.push_str(&text[at..end]);
                while chars.next_if(|(next, _)| *next < end).is_some() {}
            }
            '{' | '[' => {
                while chars.next_if(|(_, c)| c.is_ascii_whitespace()).is_some() {}
                let close = if c == '{' { '}' } else { ']' };
                out.push(c);
                if chars.next_if(|(_, next)| *next == close).is_some() {
                    out.push(close);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    Some(out)
}

/// Deeper levels are not indented any more: a thousand brackets must not make a megabyte of spaces.
const DEEPEST: usize = 40;

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(DEEPEST)));
}

/// The byte after a string that begins at `start`; the end of the text if it is cut.
fn string_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    // A backslash may be the last of them.
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_is_written() {
        let text = r#"{"a":1.50,"a":[ ],"b":{"c":"x: {\"y\"}, é"},"n":[1e3,null]}"#;
        let says = "{\n  \"a\": 1.50,\n  \"a\": [],\n  \"b\": {\n    \"c\": \"x: {\\\"y\\\"}, é\"\n  },\n  \"n\": [\n    1e3,\n    null\n  ]\n}";
        assert_eq!(pretty(text).as_deref(), Some(says));
    }

    #[test]
    fn goes_as_far_as_the_text() {
        assert_eq!(pretty(r#"{"a":"cut\"#).as_deref(), Some("{\n  \"a\": \"cut\\"));
        assert_eq!(pretty("loop: 1\n"), None);
        assert_eq!(pretty(""), None);
        let deep = "[".repeat(10_000);
        assert!(pretty(&deep).is_some_and(|text| text.len() < 2_000_000));
    }
}
