//! `window/token-budget`: as many of the newest as fit.

use super::entry::Entry;
use crate::model::reward::count;

/// Tokens of a reflection as nobody's tokenizer counts them: a quarter of the UTF-16 code units of
/// its text and its insights (joined by one space), rounded up.
///
/// # Example: four units a token
///
/// ```
/// use hindscope::{Entry, Outcome, tokens_estimated};
///
/// let mut entry = Entry::new(1, Outcome::Failure, "Clear the cache.");
/// assert_eq!(tokens_estimated(&entry), 4);
/// entry.insights = vec!["Retry".into(), "once".into()];
/// assert_eq!(tokens_estimated(&entry), 7);
/// ```
pub fn tokens_estimated(entry: &Entry) -> u32 {
    estimate(&entry.text, &entry.insights)
}

pub(crate) fn estimate(text: &str, insights: &[String]) -> u32 {
    let units = |text: &str| text.encode_utf16().count();
    let spaces = insights.len().saturating_sub(1);
    let all = units(text) + insights.iter().map(|i| units(i)).sum::<usize>() + spaces;
    count(all.div_ceil(4))
}

/// How many of the oldest do not fit, and the sum of the others. The first one from the newest that
/// is too large ends the walk: memory has no holes.
pub(crate) fn fit(tokens: &[u32], budget: u32) -> (usize, u32) {
    let mut sum = 0_u32;
    let mut first = tokens.len();
    while let Some(older) = first.checked_sub(1) {
        match sum.checked_add(tokens[older]) {
            Some(more) if more <= budget => (first, sum) = (older, more),
            _ => break,
        }
    }
    (first, sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_rule() {
        let sizes = [400, 900, 200].map(|units| estimate(&"x".repeat(units), &[]));
        assert_eq!(sizes, [100, 225, 50]);
        assert_eq!(fit(&sizes, 280), (1, 275));
        assert_eq!(fit(&sizes, 200), (2, 50), "the oldest would fit, and stays out");
        assert_eq!(fit(&sizes, 375), (0, 375));
        assert_eq!(fit(&sizes, 374), (1, 275));
        assert_eq!(fit(&sizes, 0), (3, 0));
        assert_eq!(fit(&[], 0), (0, 0));
        assert_eq!(fit(&[u32::MAX, u32::MAX], u32::MAX), (1, u32::MAX));
    }

    #[test]
    fn units_are_those_of_utf_16() {
        assert_eq!(estimate("𝄞𝄞", &[]), 1);
        assert_eq!(estimate("𝄞𝄞x", &[]), 2);
        assert_eq!(estimate("", &[]), 0);
    }
}
