//! Failure categories in the list of runs: a cell, and how far runs were looked at.

use leptos::prelude::*;

use crate::components::RecordText;
use crate::format::{counted, noun};
use crate::platform;
use crate::protocol::{Judged, RunCategory};
use crate::visible_text::plain;

/// What a run without a category is called.
pub(super) const NONE: &str = "no failure category";
/// What a run is called that was not looked at.
pub(super) const UNSEEN: &str = "not looked at";
const NOT_YET: &str = "not looked at yet";
const LEFT: &str = "not looked at: its reflections are too long together, or cannot be read";

/// The category of a run; blank where it has none, and a quiet mark where nobody knows.
pub(super) fn cell(category: &RunCategory) -> AnyView {
    let unseen = |mark: &'static str, words: &'static str| {
        view! {
            <span class="none" title=words>
                <span aria-hidden="true">{mark}</span>
                <span class="spoken">{words}</span>
            </span>
        }
        .into_any()
    };
    match category {
        RunCategory::NotYet => unseen("\u{2026}", NOT_YET),
        RunCategory::Left => unseen("?", LEFT),
        RunCategory::None => view! { <span class="spoken">{NONE}</span> }.into_any(),
        RunCategory::Is { name, times, of } => view! {
            <span class="category-cell" title=title(name, *times, *of)>
                <span class="category"><RecordText text=name.clone()/></span>
                <span class="quiet">{share(*times, *of)}</span>
            </span>
        }
        .into_any(),
    }
}

fn share(times: u32, of: u32) -> String {
    format!("{} of {}", platform::whole(times), platform::whole(of))
}

fn title(name: &str, times: u32, of: u32) -> String {
    let (share, give) = (share(times, of), if of == 1 { "gives" } else { "give" });
    let reflections = noun(u64::from(of), "reflection");
    let name = plain(name);
    format!("{name}: {share} {reflections} that {give} a category (aggregate/categories)")
}

/// How far runs were looked at; nothing once all were.
pub(super) fn progress(judged: &Judged) -> Option<String> {
    let Judged { done, total, left } = *judged;
    let [done, rest] = [done, left].map(platform::whole);
    let of = format!("{done} of {}", counted(total, "run"));
    if !judged.is_complete() {
        return Some(format!("Failure categories of {of} so far."));
    }
    (left > 0).then(|| {
        let are = if left == 1 { "is" } else { "are" };
        format!("Failure categories of {of}; the other {rest} {are} too long, or cannot be read.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_far_it_is() {
        let at = |done, total, left| progress(&Judged { done, total, left });
        assert_eq!(at(4, 12, 1).as_deref(), Some("Failure categories of 4 of 12 runs so far."));
        assert_eq!(at(12, 12, 0), None, "then there is nothing to say");
        assert_eq!(
            at(10, 12, 2).as_deref(),
            Some(
                "Failure categories of 10 of 12 runs; the other 2 are too long, or cannot be read."
            )
        );
    }

    #[test]
    fn a_title_names_its_rule() {
        assert_eq!(
            title("logic_error", 3, 5),
            "logic_error: 3 of 5 reflections that give a category (aggregate/categories)"
        );
        assert!(
            title("a\nb", 1, 1)
                .ends_with("1 of 1 reflection that gives a category (aggregate/categories)")
        );
        assert!(!title("a\u{202e}b", 1, 1).contains('\u{202e}'), "names come from files");
    }
}
