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
    let lower = lower(text);
    let unlabelled = without_label(lower.trim_start());
    let mut norm = if unlabelled.is_ascii() {
        one_spaced(unlabelled)
    } else {
        let unmarked = unlabelled.chars().filter(|c| !is_mark(*c)).collect::<String>();
        unmarked.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let end = norm.trim_end_matches(['.', '!', '?', ':', ';', ' ']).len();
    norm.truncate(end);
    norm
}

/// Asks whether the [`nearest`] known name was meant: a sentence with a blank before it, or nothing.
pub(crate) fn did_you_mean(key: &str, known: &[&str]) -> String {
    nearest(key, known).map_or_else(String::new, |name| format!(" Did you mean `{name}`?"))
}

/// The known name with the fewest edits, if it is more alike than different.
fn nearest<'a>(key: &str, known: &[&'a str]) -> Option<&'a str> {
    // Longer keys are like none of ours, and would cost.
    if key.len() > 40 {
        return None;
    }
    let fold = |name: &str| name.to_lowercase().replace(['-', ' '], "_");
    let folded = fold(key);
    known
        .iter()
        .map(|name| (strsim::levenshtein(&folded, &fold(name)), *name))
        .min()
        .filter(|(edits, name)| edits * 2 < name.len().max(folded.len()))
        .map(|(_, name)| name)
}

/// Whether it marks up a text.
pub(crate) const fn is_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '`' | '#' | '>')
}

/// Lower case, in NFC.
pub(crate) fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Characters that NFC leaves alone among others of their kind; it takes long to ask it.
    let is_settled = |c| {
        matches!(c, '\0'..'\u{300}' | '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}')
            || matches!(c, '\u{30A1}'..='\u{30FA}' | '\u{4E00}'..='\u{9FFF}')
    };
    if text.chars().all(is_settled) {
        return text.to_lowercase();
    }
    text.nfc().collect::<String>().to_lowercase()
}

/// An ASCII text without marks, trimmed at its start, with one space for any white space.
fn one_spaced(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut before = b' ';
    bytes.retain_mut(|byte| {
        if is_mark(char::from(*byte)) {
            return false;
        }
        if matches!(*byte, b'\t'..=b'\r') {
            *byte = b' ';
        }
        let is_kept = *byte != b' ' || before != b' ';
        before = *byte;
        is_kept
    });
    String::from_utf8(bytes).unwrap_or_default()
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
    format!("{} {what}{}", whole(n), if n == 1 { "" } else { "s" })
}

/// A number of things, as a sentence writes it: 12,345.
pub(crate) fn whole(n: impl ToString + Copy) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
    fn the_nearest_name_is_offered_and_nothing_far() {
        const OPTIONS: [&str; 4] = ["max_iterations", "on_failure", "required", "schema"];
        assert_eq!(nearest("max_iteration", &OPTIONS), Some("max_iterations"));
        assert_eq!(nearest("onFailure", &OPTIONS), Some("on_failure"));
        assert_eq!(nearest("shema", &OPTIONS), Some("schema"));
        assert_eq!(nearest("requird", &OPTIONS), Some("required"));
        assert_eq!(nearest("zzzzzz", &OPTIONS), None);
    }

    #[test]
    fn equal_texts_have_equal_hashes() {
        assert_eq!(hash_of(" a longer text\n"), hash_of("a longer text"));
        assert_ne!(hash_of("a longer text"), hash_of("a longer texu"));
        assert_eq!(hash_of("  "), 0);
    }

    #[test]
    fn large_numbers_have_commas() {
        let all = [0usize, 999, 1000, 12_345, 1_000_000];
        assert_eq!(all.map(whole), ["0", "999", "1,000", "12,345", "1,000,000"]);
        assert_eq!(counted(1000, "task"), "1,000 tasks");
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
        assert_eq!(norm("a *\t b\x0b_c_ "), "a b c");
        assert_eq!(norm("\u{e9} *\t b\x0b_c_\u{2003}"), "\u{e9} b c");
        assert_eq!(norm("か\u{3099}缓存"), "が缓存");
    }
}
