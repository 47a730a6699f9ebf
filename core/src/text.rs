//! When two texts of people or models say the same (docs/spec/rules.md, "Comparing texts").

use unicode_normalization::UnicodeNormalization;
use xxhash_rust::xxh3::xxh3_64;

/// Words that say nothing about a subject (`window/relevance-weighted`, `reflection/generic`).
/// In order, as they are searched.
pub(crate) const STOP_WORDS: [&str; 45] = [
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "did", "do", "for", "from",
    "had", "has", "have", "i", "if", "in", "into", "is", "it", "its", "me", "my", "no", "not",
    "of", "on", "or", "so", "that", "the", "then", "there", "this", "to", "was", "we", "were",
    "when", "which", "with", "you",
];

/// `norm(text)`: what is left of a text when case, markup and final marks do not count. Rules call
/// two texts the same when this is equal (docs/spec/rules.md, "Comparing texts").
pub fn norm(text: &str) -> String {
    let lower = text.nfc().collect::<String>().to_lowercase();
    let unlabelled = without_label(lower.trim_start());
    let mut norm = String::with_capacity(unlabelled.len());
    let unmarked = unlabelled.replace(['*', '_', '`', '#', '>'], "");
    for word in unmarked.split_whitespace() {
        if !norm.is_empty() {
            norm.push(' ');
        }
        norm.push_str(word);
    }
    let end = norm.trim_end_matches(['.', '!', '?', ':', ';', ' ']).len();
    norm.truncate(end);
    norm
}

/// Without one leading `iteration 3:`, `trial #3.` or `attempt 3 -`.
fn without_label(text: &str) -> &str {
    let rest = ["iteration", "trial", "attempt"].iter().find_map(|word| text.strip_prefix(word));
    let rest = rest.and_then(|rest| rest.strip_prefix(' '));
    let rest = rest.map(|rest| rest.strip_prefix('#').unwrap_or(rest));
    let Some(rest) = rest else { return text };
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.len() == rest.len() {
        return text;
    }
    after.strip_prefix([':', '.', '-']).unwrap_or(text)
}

/// Maximal runs of letters and digits.
pub(crate) fn words(norm: &str) -> impl Iterator<Item = &str> {
    norm.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The first six words, with hyphens between them.
pub(crate) fn kebab(text: &str) -> String {
    let norm = norm(text);
    words(&norm).take(6).collect::<Vec<_>>().join("-")
}

/// Equality of short texts: nearly all of them differ in their length, or not at all.
#[inline]
pub(crate) fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && is_prefix(a.as_bytes(), b.as_bytes())
}

/// Whether a text begins with a short one. It compares 8 or 4 bytes at a time, because most texts are so
/// short that a call would cost more. The last bytes compared may overlap those before.
#[inline]
pub(crate) fn is_prefix(prefix: &[u8], text: &[u8]) -> bool {
    let Some(text) = text.get(..prefix.len()) else { return false };
    if let (Some(last), Some(other)) = (prefix.last_chunk::<8>(), text.last_chunk::<8>()) {
        let is_equal =
            |(a, b): (&[u8; 8], &[u8; 8])| u64::from_le_bytes(*a) == u64::from_le_bytes(*b);
        return is_equal((last, other))
            && prefix.as_chunks().0.iter().zip(text.as_chunks().0).all(is_equal);
    }
    if let (Some(first), Some(last)) = (prefix.first_chunk::<4>(), prefix.last_chunk::<4>()) {
        return text.first_chunk() == Some(first) && text.last_chunk() == Some(last);
    }
    prefix.iter().zip(text).all(|(a, b)| a == b)
}

/// So many things, as a sentence says it.
pub(crate) fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A text made ready for comparing it with many others.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) norm: String,
    word_count: usize,
    /// Hashes of its three-word windows, in order, each once.
    shingles: Vec<u64>,
}

/// With fewer words, only equal texts are near each other.
const ENOUGH_WORDS: usize = 8;
/// Share of windows of so many words that near texts have in common.
pub(crate) const NEAR: f64 = 0.80;
pub(crate) const NEAR_WORDS: usize = 3;

impl Said {
    pub(crate) fn new(text: &str) -> Self {
        let norm = norm(text);
        let words: Vec<&str> = words(&norm).collect();
        let shingles = set(words.windows(NEAR_WORDS).map(hash));
        let word_count = words.len();
        Self { norm, word_count, shingles }
    }

    /// `same(a, b)`.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.norm == other.norm
    }

    /// `near(a, b)`.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        if !self.has_enough_words() || !other.has_enough_words() {
            return self.is_same(other);
        }
        jaccard(&self.shingles, &other.shingles) >= NEAR
    }

    /// Whether it can be near a text that it does not equal.
    pub(crate) fn has_enough_words(&self) -> bool {
        self.word_count >= ENOUGH_WORDS
    }

    /// Hashes of its three-word windows, in order, each once.
    pub(crate) fn shingles(&self) -> &[u64] {
        &self.shingles
    }
}

/// Distinct words of a text as hashes, in order.
pub(crate) fn word_set(norm: &str) -> Vec<u64> {
    set(words(norm).map(|word| hash(&[word])))
}

fn set(hashes: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut set: Vec<u64> = hashes.collect();
    set.sort_unstable();
    set.dedup();
    set
}

/// Runs of many long texts are compared by hashes, because their three-word windows as strings would
/// take more room than the texts. No word has a space in it.
fn hash(words: &[&str]) -> u64 {
    xxh3_64(words.join(" ").as_bytes())
}

/// What two sets have in common, 0..1; two empty sets have nothing. Both are in order, each member
/// once.
#[expect(clippy::cast_precision_loss, reason = "numbers of words")]
pub(crate) fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        shared += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// A hash of the trimmed text, 0 for a blank one. Equal texts have equal hashes in every run
/// and on every platform.
pub(crate) fn hash_of(text: &str) -> u64 {
    let text = text.trim();
    if text.is_empty() { 0 } else { xxh3_64(text.as_bytes()).max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_hashes() {
        assert_eq!(hash_of(" a longer text\n"), hash_of("a longer text"));
        assert_ne!(hash_of("a longer text"), hash_of("a longer texu"));
        assert_eq!(hash_of("  "), 0);
    }

    #[test]
    fn stop_words_are_in_order() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn norms_forget_what_does_not_count() {
        assert_eq!(norm("  Iteration 3: **Retry** the\n `build`!! "), "retry the build");
        assert_eq!(norm("Trial #12 - no label"), "trial 12 - no label");
        assert_eq!(norm("Trial #12- label"), "label");
        assert_eq!(norm("Attempt: none"), "attempt: none");
        assert_eq!(norm("Cafe\u{301}."), "café");
        assert_eq!(norm(" ?! "), "");
    }

    #[test]
    fn near_needs_words_and_shingles() {
        let a = Said::new("one two three four five six seven eight nine ten eleven");
        let last = Said::new("one two three four five six seven eight nine ten twelve");
        let middle = Said::new("one two three four five other seven eight nine ten eleven");
        assert!(a.is_near(&last), "8 of 10 shingles");
        assert!(!a.is_near(&middle), "6 of 12 shingles");
        let short = Said::new("one two three");
        assert!(short.is_near(&Said::new("One two three.")));
        assert!(!short.is_near(&Said::new("one two three four")));
    }
}
