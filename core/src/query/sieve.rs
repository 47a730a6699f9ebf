//! Records that cannot match, found by their bytes before they are parsed.

use memchr::memmem::Finder;

use super::Query;
use super::fold::{Needle, fold_ascii};

/// The words that a query needs, as they would stand in the bytes of a record.
#[derive(Debug)]
pub(super) struct Sieve {
    pieces: Vec<Option<Finder<'static>>>,
}

impl Sieve {
    /// At most so many words are sieved for; the others are looked for after parsing.
    const MOST: usize = 64;

    pub(super) fn of(query: &Query) -> Self {
        let needed = query.terms.iter().filter(|t| !t.is_negated && t.test.is_of_text());
        let needles = needed.filter_map(|term| term.needle.as_ref());
        Self { pieces: needles.take(Self::MOST).map(piece).collect() }
    }

    /// One bit for each word that is needed.
    pub(super) fn all(&self) -> u64 {
        let count = u32::try_from(self.pieces.len()).unwrap_or(64);
        1u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1)
    }

    /// Bits of the words that may be in a record. `is_verbatim`: its texts stand in its bytes but
    /// for escapes.
    pub(super) fn sift(&self, bytes: &[u8], is_verbatim: bool) -> u64 {
        if !is_verbatim || self.pieces.is_empty() {
            return self.all();
        }
        let folded = fold_ascii(bytes);
        let mut may_hide = None;
        let mut bits = 0;
        for (at, piece) in self.pieces.iter().enumerate() {
            let may = match piece {
                None => true,
                Some(piece) => {
                    piece.find(&folded).is_some()
                        || *may_hide.get_or_insert_with(|| may_hide_letters(bytes))
                        || folds_into(piece.needle(), &folded)
                }
            };
            bits |= u64::from(may) << at;
        }
        bits
    }
}

/// The longest part of a word that no format escapes, breaks or doubles.
fn piece(needle: &Needle) -> Option<Finder<'static>> {
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let pieces = needle.folded().split(|b| !is_plain(b));
    let longest = pieces.max_by_key(|piece| piece.len()).filter(|piece| !piece.is_empty())?;
    Some(Finder::new(longest).into_owned())
}

/// Whether a letter may be hidden behind a backslash: `\u0061`, `\x61`, a line that goes on, or the
/// escape of a sign that folds into a letter.
fn may_hide_letters(bytes: &[u8]) -> bool {
    let mut from = 0;
    while let Some(at) = bytes.get(from..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        let rest = bytes.get(from + at + 1..).unwrap_or_default();
        let is_hiding = match rest {
            [b'u', code @ ..] => {
                let code = code.get(..4).unwrap_or_default();
                code.starts_with(b"00") && !matches!(code.get(2), Some(b'0' | b'1'))
                    || [b"212a", b"017f"].iter().any(|sign| code.eq_ignore_ascii_case(*sign))
                    || !code.first().is_some_and(u8::is_ascii_hexdigit)
            }
            [b'n' | b'r' | b't' | b'b' | b'f' | b'"' | b'/' | b'\\', ..] => false,
            _ => true,
        };
        if is_hiding {
            return true;
        }
        from += at + 2;
    }
    false
}

/// Whether signs beyond ASCII may fold into the letters of a word: the Kelvin sign and the long s.
fn folds_into(word: &[u8], folded: &[u8]) -> bool {
    let has = |sign: &str| memchr::memmem::find(folded, sign.as_bytes()).is_some();
    word.contains(&b'k') && has("\u{212a}") || word.contains(&b's') && has("\u{17f}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may(word: &str, bytes: &str) -> bool {
        let sieve = Sieve::of(&Query::parse(word).expect("a word"));
        sieve.sift(bytes.as_bytes(), true) == sieve.all()
    }

    #[test]
    fn keeps_what_may_match() {
        assert!(may("timeout", r#"{"a":"a TIMEOUT"}"#));
        assert!(!may("timeout", r#"{"a":"timed out"}"#));
        assert!(!may("timeout", r#"{"a":"x\n\t\u001b[0m\u2019 \\u0061"}"#));
        assert!(may("timeout", r#"{"a":"\u0074imeout"}"#), "letters may be escaped");
        assert!(may("timeout", "a: \"time\\\n  out\""), "YAML breaks lines inside of words");
        assert!(may("kilo", "{\"a\":\"\u{212a}ilo\"}"));
        assert!(may("sum", r#"{"a":"\u017fum"}"#));
        assert!(may("\"a/b\"", r#"{"a":"a\/b"}"#));
        assert!(may("über", r#"{"a":"\u00dcBER"}"#));
        assert!(may("é", "{}"), "without a plain letter nothing is known");
        assert!(!may("timeout retry", r#"{"a":"timeout"}"#));
    }
}
