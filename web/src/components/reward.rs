//! A reward with where it comes from: what a rule derived never looks like what a record reports.

use hindscope::{Origin, RewardView};
use leptos::prelude::*;

use super::{RecordText, Reward};

/// The word of an origin, with its rule; nothing for what has none.
#[component]
pub(crate) fn OriginMark(
    origin: Origin,
    /// Rule that derived it.
    #[prop(optional_no_strip)]
    rule: Option<String>,
    /// As written, where that is another form.
    #[prop(optional_no_strip)]
    raw: Option<String>,
) -> impl IntoView {
    match origin {
        Origin::Derived => view! {
            <span class="derived">"derived"</span>
            {rule.map(|rule| view! { " "<code class="rule">{rule}</code> })}
            {raw.map(|raw| view! { <span class="quiet">" from "<RecordText text=raw/></span> })}
        }
        .into_any(),
        Origin::Reported => {
            let written = raw.map(|raw| view! { " as "<RecordText text=raw/> });
            view! { <span class="quiet">"reported"{written}</span> }.into_any()
        }
        Origin::None => ().into_any(),
    }
}

/// A reward, its origin and how it was written.
#[component]
pub(crate) fn RewardMark(reward: RewardView) -> impl IntoView {
    let raw = reward.written();
    view! {
        <b class="num"><Reward value=reward.value/></b>
        " "
        <OriginMark origin=reward.origin rule=reward.rule raw/>
    }
}
