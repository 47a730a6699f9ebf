//! Stands in for the crate `fancy-regex` in every build of this workspace.
//!
//! `jsonschema` turns the regular expressions of a schema into those of Rust and runs them with
//! `fancy-regex` or `regex`, whose engines and Unicode tables are a third of a wasm and which its
//! own declaration keeps from being switched off. A schema's expressions are those of ECMA-262,
//! though, so this stand-in runs them as they are, with the engine of a JavaScript interpreter:
//! a third of the size with brotli, and `\d`, `\w`, `\s`, `\p{…}`, look-around and references back mean what
//! they mean to ajv. `core/patterns/jsonschema-regex` leaves out the translation.
//!
//! That engine goes back to try another way, and may have more ways than anybody waits for: of
//! `^(a+)+$` twice as many for each further letter. Where an expression or a text could make that
//! happen, `steady` answers, in time proportional to both. Expressions with a reference back, and
//! those of more than 20,000 steps when their repetitions are written out, go to `bounded`, which
//! counts its steps. Either gives up after a second or so, which is an error: no match, and no
//! verdict that there is none.
#![forbid(unsafe_code)]

mod bounded;
mod read;
mod steady;

use std::fmt;
use std::sync::Arc;

use bounded::Bounded;
use steady::{Risk, Steady};

/// Groups that an expression may open. The engine reads and runs nested ones by calling itself,
/// and a stack of wasm ends soon.
const MAX_GROUPS: usize = 250;
/// Alternatives of an expression: to the engine each is nested in the one before.
const MAX_ALTERNATIVES: usize = 1_000;

/// Why an expression cannot be used, or a text not be matched.
#[derive(Clone, Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// An expression, ready to be matched.
#[derive(Clone, Debug)]
pub struct Regex {
    pattern: Box<str>,
    engine: regress::Regex,
    matcher: Arc<Matcher>,
}

/// What answers where the engine might not.
#[derive(Debug)]
enum Matcher {
    Steady(Steady, Risk),
    Bounded(Bounded),
}

impl Regex {
    /// Reads an expression as `new RegExp(pattern, "u")` does, or without the flag if it cannot be
    /// read with it: `\-` and the like are no escapes with the flag, and common.
    ///
    /// # Errors
    ///
    /// When neither way can read it, when it opens more than 250 groups or has more than 1,000
    /// alternatives, or when its time could not be bounded.
    pub fn new(pattern: &str) -> Result<Self, Error> {
        let (engine, flags) = match engine(pattern, "u") {
            Ok(engine) => (engine, "u"),
            Err(error) => (engine(pattern, "").map_err(|_| error)?, ""),
        };
        let read = read::read(pattern, flags)
            .ok_or_else(|| Error("it is not known how long it may take".to_owned()))?;
        let matcher = match Steady::new(&read) {
            Some((steady, risk)) => Matcher::Steady(steady, risk),
            None => Matcher::Bounded(Bounded::new(&read)),
        };
        Ok(Self { pattern: pattern.into(), engine, matcher: Arc::new(matcher) })
    }

    /// Whether it matches anywhere in `text`.
    ///
    /// # Errors
    ///
    /// When it takes more steps than anybody waits for.
    pub fn is_match(&self, text: &str) -> Result<bool, Error> {
        let found = match &*self.matcher {
            Matcher::Steady(_, risk) if risk.is_low(text.len()) => {
                Some(self.engine.find(text).is_some())
            }
            Matcher::Steady(steady, _) => steady.is_match(text),
            Matcher::Bounded(bounded) => bounded.is_match(text).ok(),
        };
        found.ok_or_else(|| Error("the text takes more steps than a match may take".to_owned()))
    }

    /// Where it matches first. For expressions that are known not to go back and forth: its time is
    /// not bounded.
    pub fn find(&self, text: &str) -> Option<std::ops::Range<usize>> {
        self.engine.find(text).map(|found| found.range())
    }

    /// The expression as it was written.
    pub fn as_str(&self) -> &str {
        &self.pattern
    }
}

/// Reads an expression with the flags of ECMA-262.
fn engine(pattern: &str, flags: &str) -> Result<regress::Regex, Error> {
    if pattern.matches(['(', '[']).count() > MAX_GROUPS {
        return Err(Error(format!("more than {MAX_GROUPS} groups and classes")));
    }
    if pattern.matches('|').count() > MAX_ALTERNATIVES {
        return Err(Error(format!("more than {MAX_ALTERNATIVES} alternatives")));
    }
    if flags.is_empty() && has_incomplete_control(pattern) {
        return Err(Error("no letter after \\c".to_owned()));
    }
    regress::Regex::with_flags(pattern, flags).map_err(|error| Error(error.text))
}

/// Whether a `\c` is followed by something else than a letter. The engine reads a few of these, and
/// where a group ignores case, it compiles them wrongly.
fn has_incomplete_control(pattern: &str) -> bool {
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        if c == '\\'
            && rest.next() == Some('c')
            && !rest.as_str().starts_with(|next: char| next.is_ascii_alphabetic())
        {
            return true;
        }
    }
    false
}

/// Whether `new RegExp(pattern, "u")` reads the expression.
pub fn is_ecma(pattern: &str) -> bool {
    engine(pattern, "u").is_ok()
}

/// Limits are those of other engines: they are heard and not needed.
#[derive(Clone, Debug)]
pub struct RegexBuilder(String);

impl RegexBuilder {
    /// For one expression.
    pub fn new(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    /// Without effect: see the limits of this crate.
    pub fn backtrack_limit(&mut self, _limit: usize) -> &mut Self {
        self
    }

    /// Without effect: there is no automaton.
    pub fn delegate_size_limit(&mut self, _limit: usize) -> &mut Self {
        self
    }

    /// Without effect: there is no automaton.
    pub fn delegate_dfa_size_limit(&mut self, _limit: usize) -> &mut Self {
        self
    }

    /// Reads the expression.
    ///
    /// # Errors
    ///
    /// As [`Regex::new`].
    pub fn build(&self) -> Result<Regex, Error> {
        Regex::new(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_match(pattern: &str, text: &str) -> bool {
        let regex = Regex::new(pattern).expect(pattern);
        regex.is_match(text).expect("never fails")
    }

    /// Answers of V8 to `new RegExp(pattern).test(text)`, for expressions that it refuses with `u`.
    #[test]
    fn without_the_flag_escapes_that_are_not_complete_are_letters() {
        for (pattern, text, expected) in [
            (r"\p{\p{}*|ed}*edx", "", false),
            (r"^(\p{2}\-)*$", "pp-pp-", true),
            (r"^(\u{2}\-)*$", "uu-", true),
            (r"^(\u00g\-)*$", "u00g-", true),
            (r"^(\x41\-)*$", "A-A-", true),
        ] {
            assert_eq!(is_match(pattern, text), expected, "{pattern} on {text}");
        }
        // What engines read differently is refused.
        for pattern in [r"^(\xg\-)*$", r"\c1\-", r"(?i:a|\c!)\-", r"[\c!\-]"] {
            assert!(Regex::new(pattern).is_err(), "{pattern}");
        }
    }

    /// Answers of V8 to `new RegExp(pattern, "u").test(text)`.
    #[test]
    fn means_what_javascript_means() {
        for (pattern, text, expected) in [
            // An expression may match anywhere.
            ("b", "abc", true),
            ("^b", "abc", false),
            ("^$", "", true),
            ("^a$", "a\n", false),
            ("^a.c$", "a\nc", false),
            ("^.$", "😀", true),
            // Classes are those of ASCII, white space is that of Unicode.
            (r"^\d+$", "٣", false),
            (r"^\w+$", "é", false),
            (r"^\s$", "\u{a0}", true),
            (r"^\s$", "\u{feff}", true),
            (r"^\s$", "\u{85}", false),
            (r"\bé", "é", false),
            ("^[^a-c]$", "d", true),
            ("^[a-z&&[^b]]$", "b]", true),
            ("^[]$", "a", false),
            ("^[^]$", "\n", true),
            // Quantifiers, groups, alternatives.
            ("^(foo|bar){2,3}$", "foobarfoo", true),
            ("^(?:a|ab)(?:c|bcd)(?:d*)$", "abcd", true),
            ("^a{3}$", "aa", false),
            ("^a+?b$", "aaab", true),
            // Look-around, references back, names.
            (r"^(?=.*[A-Z])(?=.*\d).{8,}$", "Passw0rd", true),
            (r"^(?=.*[A-Z])(?=.*\d).{8,}$", "password", false),
            ("^(?!tmp-)", "tmp-1", false),
            (r"(?<=\$)\d+", "$42", true),
            (r"(?<!\$)\b\d+", "$42", false),
            (r"^(.)\1$", "aa", true),
            (r"^(?<q>['“]).*\k<q>$", "'x'", true),
            // Escapes.
            (r"^\u{1F600}$", "😀", true),
            (r"^\uD83D\uDE00$", "😀", true),
            (r"^\x41\cI\t$", "A\t\t", true),
            (r"^\p{L}+$", "Grüße", true),
            (r"^\p{Lu}", "grüße", false),
            (r"^\p{Script=Greek}+$", "λόγος", true),
            (r"^\P{Nd}$", "٣", false),
        ] {
            assert_eq!(is_match(pattern, text), expected, "{pattern} on {text:?}");
        }
    }

    #[test]
    fn no_text_takes_for_ever() {
        let long = "a".repeat(100_000);
        for pattern in [
            "^(a+)+$",
            "^(a|a)*$",
            "^(a|aa)+$",
            "a*a*a*a*a*b",
            "(?=(a+)+b)",
            "^(?:a?){30}a{30}$",
            "(.*a){12}b",
            "a+$",
            "^([a-z]+)*@",
        ] {
            assert!(!is_match(pattern, &format!("{long}!")), "{pattern}");
        }
        assert!(is_match("^(a+)+$", &long));
    }

    #[test]
    fn no_match_takes_more_than_so_many_steps() {
        let long = format!("{}!", "a".repeat(1_000));
        for pattern in [r"^(a+)+\1$", "^(?:(a)\\1?|a)*$", "^(?:(?:a{0,999}){1,999}){1,999}$"] {
            assert!(Regex::new(pattern).expect(pattern).is_match(&long).is_err(), "{pattern}");
        }
        assert!(!is_match("^(?i:(A+)+)$", &long));
        assert!(is_match("^.{0,65535}$", &long));
        assert!(!is_match(r"^(?i:a)+(?!.)$", &long));
    }

    #[test]
    fn reads_without_the_flag_what_is_common_without_it() {
        for (pattern, text) in
            [(r"^\-\_$", "-_"), (r"^a\@b$", "a@b"), ("^a{$", "a{"), (r"^\d{3}-]$", "123-]")]
        {
            assert!(!is_ecma(pattern), "{pattern}");
            assert!(is_match(pattern, text), "{pattern}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        for pattern in ["(", "[", "a**", "(?<n>a)(?<n>b)", "[b-a]", "a{2,1}", r"\", "(?P<n>a)"] {
            assert!(Regex::new(pattern).is_err(), "{pattern}");
        }
        let deep = "(".repeat(100_000) + &")".repeat(100_000);
        assert!(Regex::new(&deep).is_err());
        let limit = "(".repeat(MAX_GROUPS) + &")".repeat(MAX_GROUPS);
        assert!(is_match(&limit, ""));
        assert!(Regex::new(&"a|".repeat(10_000)).is_err() && !is_ecma(&"a|".repeat(10_000)));
        let limit = "a|".repeat(MAX_ALTERNATIVES - 1) + "b";
        assert!(is_match(&format!("^({limit})$"), "b") && !is_match(&format!("^({limit})$"), "c"));
    }

    #[test]
    fn repetitions_in_each_other_come_to_an_end() {
        let long = "a".repeat(20_000);
        for pattern in ["((a{0,30}){0,30}){0,30}b", "(a{1000}){1000}", "((a{1,99}){9,99}){9,99}b"] {
            let read = Regex::new(pattern).expect(pattern);
            let matched = read.is_match(&long);
            assert!(matched.is_err() || matched.is_ok_and(|found| !found), "{pattern}");
        }
    }
}
