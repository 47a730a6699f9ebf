//! How a text was reworded, within a line: brackets and signs say it, colour only repeats it.

use leptos::prelude::*;

use super::RecordText;
use crate::diff::{Part, stretches, words};

/// The same as plain text, for copies.
pub(crate) fn plain(was: &str, is: &str) -> String {
    stretches(&words(was, is))
        .into_iter()
        .map(|(part, text)| match part {
            Part::Same(_) => text,
            Part::Removed(_) => format!("[-{text}-]"),
            Part::Added(_) => format!("{{+{text}+}}"),
        })
        .collect()
}

/// A text as it was and as it is, in one.
#[component]
pub(crate) fn Reworded(was: String, is: String) -> impl IntoView {
    stretches(&words(&was, &is))
        .into_iter()
        .map(|(part, text)| match part {
            Part::Same(_) => view! { <RecordText text/> }.into_any(),
            Part::Removed(_) => {
                view! { <del class="word-cut">"[\u{2212}"<RecordText text/>"]"</del> }.into_any()
            }
            Part::Added(_) => {
                view! { <ins class="word-put">"{+"<RecordText text/>"}"</ins> }.into_any()
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
            "check the retry [-count-]{+limit+}"
        );
        assert_eq!(plain("same", "same"), "same");
        assert_eq!(plain("", "new"), "{+new+}");
    }
}
