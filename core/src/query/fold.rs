//! Texts without case, and where one occurs in another.

use memchr::memmem::Finder;

/// A folded text, and how its bytes follow from those of the text.
pub(super) struct Folded {
    bytes: Vec<u8>,
    /// The position after each character whose length changed: its byte in the folded text, and its
    /// byte in the text. From one such position on, both advance alike until the next such character.
    steps: Vec<(usize, usize)>,
}

/// Folds a text.
pub(super) fn fold(text: &str) -> Folded {
    if text.is_ascii() {
        return Folded { bytes: fold_ascii(text.as_bytes()), steps: Vec::new() };
    }
    let mut bytes = String::with_capacity(text.len());
    let mut steps = Vec::new();
    for (at, c) in text.char_indices() {
        let folded = fold_char(c);
        bytes.push(folded);
        if folded.len_utf8() != c.len_utf8() {
            steps.push((bytes.len(), at + c.len_utf8()));
        }
    }
    Folded { bytes: bytes.into_bytes(), steps }
}

/// Folds the letters and spaces of ASCII; other bytes stay.
pub(super) fn fold_ascii(bytes: &[u8]) -> Vec<u8> {
    // Without branches, so that the compiler makes vectors of it.
    let fold = |b: &u8| {
        let is_upper = b.wrapping_sub(b'A') < 26;
        let is_space = b.wrapping_sub(9) < 5;
        let lower = b | (u8::from(is_upper) << 5);
        if is_space { b' ' } else { lower }
    };
    bytes.iter().map(fold).collect()
}

/// Simple case folding of one character. Upper case first: `ς` and `σ` have one upper case, as have
/// `s` and `ſ`.
fn fold_char(c: char) -> char {
    if c.is_whitespace() {
        return ' ';
    }
    // The dotless and the dotted i are letters of their own.
    if c == '\u{131}' || c == '\u{130}' {
        return c;
    }
    let single = |mut chars: &mut dyn Iterator<Item = char>| {
        let first = (&mut chars).next()?;
        (&mut chars).next().is_none().then_some(first)
    };
    let upper = single(&mut c.to_uppercase()).unwrap_or(c);
    single(&mut upper.to_lowercase()).unwrap_or(upper)
}

impl Folded {
    /// The byte of the text that a byte of the folded text comes from, at the border of a character.
    fn origin(&self, at: usize) -> usize {
        let step = self.steps.partition_point(|step| step.0 <= at).checked_sub(1);
        let (folded, text) = step.and_then(|step| self.steps.get(step)).copied().unwrap_or((0, 0));
        text + (at - folded)
    }
}

/// A text to be looked for.
#[derive(Clone, Debug)]
pub(super) struct Needle {
    finder: Finder<'static>,
}

impl Needle {
    pub(super) fn new(text: &str) -> Self {
        Self { finder: Finder::new(&fold(text).bytes).into_owned() }
    }

    /// As it is looked for.
    pub(super) fn folded(&self) -> &[u8] {
        self.finder.needle()
    }

    pub(super) fn is_in(&self, text: &Folded) -> bool {
        self.finder.find(&text.bytes).is_some()
    }

    /// Every place where it occurs, in bytes of the text; none overlaps the one before.
    pub(super) fn places(&self, text: &Folded) -> Vec<(usize, usize)> {
        let len = self.folded().len();
        let all = self.finder.find_iter(&text.bytes);
        all.map(|at| (text.origin(at), text.origin(at + len))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places<'t>(needle: &str, text: &'t str) -> Vec<&'t str> {
        let found = Needle::new(needle).places(&fold(text));
        found.into_iter().map(|(start, end)| &text[start..end]).collect()
    }

    #[test]
    fn case_and_spaces_do_not_count() {
        assert_eq!(places("timeout", "TimeOut, then TIMEOUT"), ["TimeOut", "TIMEOUT"]);
        assert_eq!(places("null check", "a Null\ncheck"), ["Null\ncheck"]);
        assert_eq!(places("ÜBER", "über"), ["über"]);
        assert_eq!(places("ΣΑΣ", "σας"), ["σας"]);
        assert_eq!(places("aa", "aaaa"), ["aa", "aa"]);
    }

    #[test]
    fn places_are_those_of_the_text_where_lengths_differ() {
        // The Kelvin sign has three bytes and folds to one, the long s two.
        assert_eq!(places("k", "5 \u{212a}, 6 k, \u{212a}"), ["\u{212a}", "k", "\u{212a}"]);
        assert_eq!(places("so", "\u{17f}o \u{23a}so"), ["\u{17f}o", "so"]);
        // This one grows.
        assert_eq!(places("\u{2c65}x", "\u{23a}X \u{23a}x"), ["\u{23a}X", "\u{23a}x"]);
    }

    #[test]
    fn what_is_not_folded() {
        assert!(places("ss", "stra\u{df}e").is_empty());
        assert!(places("i", "\u{131}\u{130}").is_empty());
        assert!(places("e", "\u{e9}").is_empty());
    }
}
