//! Stands in for the crate `jsonschema-regex` in every build of this workspace.
//!
//! The real one turns the regular expressions of ECMA-262 into those of Rust, as far as they can
//! be. The engine in `core/patterns/fancy-regex` takes them as they are.
#![forbid(unsafe_code)]

use std::borrow::Cow;

/// The expression itself.
///
/// # Errors
///
/// None: the type is that of the real crate. An expression that cannot be read is refused when it
/// is built.
#[expect(clippy::result_unit_err, reason = "the signature of the real crate")]
pub fn to_rust_regex(pattern: &str) -> Result<Cow<'_, str>, ()> {
    Ok(Cow::Borrowed(pattern))
}

/// The verdict of the format `regex`, as ajv has it.
pub fn is_valid_ecma_regex(pattern: &str) -> bool {
    fancy_regex::is_ecma(pattern)
}

/// Expressions that need no engine.
#[derive(Debug, PartialEq)]
pub enum PatternAnalysis<'a> {
    /// `^prefix`
    Prefix(Cow<'a, str>),
    /// `^exact$`
    Exact(Cow<'a, str>),
    /// `^(a|b|c)$`
    Alternation(Vec<String>),
    /// `^\S*$`
    NoWhitespace,
}

/// `^prefix` and `^exact$` of letters, digits, `-`, `_` and `/`; anything else is the engine's.
pub fn analyze_pattern(pattern: &str) -> Option<PatternAnalysis<'_>> {
    let rest = pattern.strip_prefix('^')?;
    let exact = rest.strip_suffix('$');
    let word = exact.unwrap_or(rest);
    if !word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'/')) {
        return None;
    }
    let word = Cow::Borrowed(word);
    Some(if exact.is_some() { PatternAnalysis::Exact(word) } else { PatternAnalysis::Prefix(word) })
}

/// Whether `\s` matches somewhere in `text`.
pub fn contains_ecma_whitespace(text: &str) -> bool {
    // Rust's white space is Unicode's: with NEL, which ECMA-262 leaves out, without its BOM.
    text.chars().any(|c| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}')
}

/// A text that an expression matches, for schemas that are rewritten. None is: they are not.
pub fn pattern_witness(_pattern: &str) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_no_engine_is_what_the_engine_says() {
        for pattern in ["^loop-1", "^a/b_c$", "^", "^$"] {
            let regex = fancy_regex::Regex::new(pattern).expect("plain");
            for text in ["loop-1", "loop-12", "xloop-1", "a/b_c", "a/b_c\n", ""] {
                let simple = match analyze_pattern(pattern).expect("simple") {
                    PatternAnalysis::Prefix(prefix) => text.starts_with(&*prefix),
                    PatternAnalysis::Exact(exact) => text == exact,
                    other => panic!("{other:?}"),
                };
                assert_eq!(Ok(simple), regex.is_match(text).map_err(drop), "{pattern} on {text:?}");
            }
        }
        for pattern in ["a", "^a.b$", "^a$b", r"^\d", "^(a|b)$", "^a^", "^a|b$"] {
            assert_eq!(analyze_pattern(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn white_space_is_that_of_the_engine() {
        let regex = fancy_regex::Regex::new(r"^\s$").expect("a class");
        for c in char::MIN..=char::MAX {
            let text = c.to_string();
            let expected = regex.is_match(&text).map_err(drop);
            assert_eq!(Ok(contains_ecma_whitespace(&text)), expected, "{c:?}");
        }
    }
}
