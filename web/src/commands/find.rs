//! Finding a command by some of its letters.

/// How well a title fits what was typed, larger being better; none where a word does not fit.
///
/// Each word must be the beginning of a word, or occur within one, or be a word of the title with
/// letters left out.
pub(crate) fn fit(title: &str, typed: &str) -> Option<u32> {
    let title = title.to_lowercase();
    typed.split_whitespace().map(|word| fit_word(&title, &word.to_lowercase())).sum()
}

fn fit_word(title: &str, word: &str) -> Option<u32> {
    if title.starts_with(word) {
        return Some(8);
    }
    let mut words = title.split(|c: char| !c.is_alphanumeric());
    if words.any(|part| part.starts_with(word)) {
        return Some(4);
    }
    if title.contains(word) {
        return Some(2);
    }
    let mut words = title.split(|c: char| !c.is_alphanumeric());
    words.any(|part| is_short_for(word, part)).then_some(1)
}

/// Whether a word has the letters of a longer one in their order, beginning with its first.
fn is_short_for(word: &str, part: &str) -> bool {
    let mut letters = part.chars();
    part.chars().next() == word.chars().next()
        && word.chars().all(|wanted| letters.any(|letter| letter == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fit_in_any_order_and_the_nearest_first() {
        let title = "Next failure";
        assert!(fit(title, "fail next").is_some());
        assert!(fit(title, "nxt").is_some(), "some letters are enough");
        assert_eq!(fit(title, "xn"), None, "in their order");
        assert_eq!(fit(title, "nf"), None, "of one word");
        assert_eq!(fit(title, "next x"), fit(title, "next").map(|best| best + 2));
        assert!(fit(title, "next") > fit(title, "fail"));
        assert!(fit(title, "fail") > fit(title, "ail"));
        assert_eq!(fit(title, ""), Some(0));
    }
}
