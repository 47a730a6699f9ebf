//! What is said first of runs: sentences of the core, whose parts lead to what they are about.

use hindscope::{Headline, HeadlinePart};
use leptos::prelude::*;

/// The sentences of a headline. `href` says where a part leads.
#[component]
pub(crate) fn HeadlineText(
    headline: Headline,
    href: impl Fn(&HeadlinePart) -> Option<String> + 'static,
) -> impl IntoView {
    let part = |part: &HeadlinePart| {
        let text = part.text.clone();
        let warns = part.rule == "headline/stuck";
        match href(part) {
            // Blanks at its ends stay outside of a link.
            Some(href) => {
                let (before, after) = (text.starts_with(' '), text.ends_with(' '));
                let text = text.trim().to_owned();
                view! {
                    {before.then_some(" ")}
                    <a href=href class:stuck=warns title=part.rule.to_string()>{text}</a>
                    {after.then_some(" ")}
                }
                .into_any()
            }
            None => text.into_any(),
        }
    };
    let parts: Vec<_> = headline.parts.iter().map(part).collect();
    (!parts.is_empty()).then(|| view! { <p class="headline">{parts}</p> })
}
