//! How a text was reworded, word by word: brackets and signs say it, colour only repeats it.

use leptos::prelude::*;
use similar::{ChangeTag, TextDiff};

use super::RecordText;

/// Longer texts are shown one after the other: comparing them would keep the page from drawing.
const MOST: usize = 20_000;

/// A stretch of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stretch {
    Same(String),
    Cut(String),
    Put(String),
}

/// Stretches that both texts have, or one of them.
pub(crate) fn stretches(was: &str, is: &str) -> Vec<Stretch> {
    if was.len() + is.len() > MOST {
        return vec![Stretch::Cut(was.to_owned()), Stretch::Put(is.to_owned())];
    }
    let diff = TextDiff::from_words(was, is);
    let mut all: Vec<Stretch> = Vec::new();
    for change in diff.iter_all_changes() {
        let text = change.value();
        match (change.tag(), all.last_mut()) {
            (ChangeTag::Equal, Some(Stretch::Same(last)))
            | (ChangeTag::Delete, Some(Stretch::Cut(last)))
            | (ChangeTag::Insert, Some(Stretch::Put(last))) => last.push_str(text),
            (ChangeTag::Equal, _) => all.push(Stretch::Same(text.to_owned())),
            (ChangeTag::Delete, _) => all.push(Stretch::Cut(text.to_owned())),
            (ChangeTag::Insert, _) => all.push(Stretch::Put(text.to_owned())),
        }
    }
    all
}

/// The same as plain text, for copies.
pub(crate) fn plain(was: &str, is: &str) -> String {
    stretches(was, is)
        .into_iter()
        .map(|stretch| match stretch {
            Stretch::Same(text) => text,
            Stretch::Cut(text) => format!("[-{text}-]"),
            Stretch::Put(text) => format!("[+{text}+]"),
        })
        .collect()
}

/// A text as it was and as it is, in one.
#[component]
pub(crate) fn WordDiff(was: String, is: String) -> impl IntoView {
    stretches(&was, &is)
        .into_iter()
        .map(|stretch| match stretch {
            Stretch::Same(text) => view! { <RecordText text/> }.into_any(),
            Stretch::Cut(text) => {
                view! { <del class="word-cut">"[\u{2212}"<RecordText text/>"]"</del> }.into_any()
            }
            Stretch::Put(text) => {
                view! { <ins class="word-put">"[+"<RecordText text/>"]"</ins> }.into_any()
            }
        })
        .collect::<Vec<_>>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_stand_in_brackets() {
        assert_eq!(
            plain("check the retry count", "check the retry limit"),
            "check the retry [-count-][+limit+]"
        );
        assert_eq!(plain("same", "same"), "same");
        assert_eq!(plain("", "new"), "[+new+]");
        let long = "a ".repeat(MOST);
        assert_eq!(stretches(&long, "b").len(), 2);
    }
}
