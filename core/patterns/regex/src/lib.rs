//! Stands in for the crate `regex` in every build of this workspace.
//!
//! `jsonschema` links two engines and lets its caller choose; here both names mean one. See
//! `core/patterns/fancy-regex`.
//!
//! It has what `jsonschema` calls, and what `leptos_config` needs to compile: that one reads a
//! server's `Cargo.toml` with it, and there is no server. A third user of the real crate would not
//! compile, and somebody would have to think again.
#![forbid(unsafe_code)]

pub use fancy_regex::Error;

/// An expression, ready to be matched.
#[derive(Clone, Debug)]
pub struct Regex(fancy_regex::Regex);

impl Regex {
    /// Reads an expression of ECMA-262.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn new(pattern: &str) -> Result<Self, Error> {
        fancy_regex::Regex::new(pattern).map(Self)
    }

    /// Whether it matches anywhere in `text`.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text).unwrap_or(false)
    }

    /// The first match in `text`.
    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.0.find(text).map(|range| Match { text, start: range.start, end: range.end })
    }

    /// The expression as it was written.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// A stretch of text that an expression matches.
#[derive(Clone, Copy, Debug)]
pub struct Match<'t> {
    text: &'t str,
    start: usize,
    end: usize,
}

impl<'t> Match<'t> {
    /// Offset of its first byte.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The text itself.
    pub fn as_str(&self) -> &'t str {
        self.text.get(self.start..self.end).unwrap_or_default()
    }
}

/// Limits are those of other engines: they are heard and not needed.
#[derive(Clone, Debug)]
pub struct RegexBuilder(String);

impl RegexBuilder {
    /// For one expression.
    pub fn new(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    /// Without effect: there is no automaton.
    pub fn size_limit(&mut self, _limit: usize) -> &mut Self {
        self
    }

    /// Without effect: there is no automaton.
    pub fn dfa_size_limit(&mut self, _limit: usize) -> &mut Self {
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
