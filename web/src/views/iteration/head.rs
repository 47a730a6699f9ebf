//! How an iteration ended, and what came next.

use std::sync::Arc;

use hindscope::{Details, HeadlinePart, IterationView};
use leptos::prelude::*;

use crate::components::{HeadlineText, OriginMark, OutcomeMark, TimeText};
use crate::format::{self, noun};
use crate::platform;
use crate::protocol::IterationBody;
use crate::route::Place;
use crate::state::App;

/// The headline of the attempt, which says what came next; then outcome, reward, change and errors.
#[component]
pub(crate) fn Head(body: Arc<IterationBody>, details: Details) -> impl IntoView {
    let app = App::get();
    let own = body.view.number;
    // The next attempt is a step away.
    let href = move |part: &HeadlinePart| {
        let to = part.from.filter(|number| *number != own)?;
        let tab = |place: &Place| Some(place.href_at(place.view.tab()?, Some(to)));
        app.place.with_untracked(tab)
    };
    let base = format!("counted from {} ({})", body.base.0, body.base.1);
    let time = details.time.clone().or(details.start.clone());
    view! {
        <div class="attempt-headline"><HeadlineText headline=body.headline.clone() href/></div>
        <div class="verdict">
            <OutcomeMark outcome=body.view.outcome detail=body.view.outcome_detail.clone()/>
            {measures(&body, &details)}
            {time.map(|text| view! { <span class="measure quiet"><TimeText text/></span> })}
            <span class="measure quiet">{base}</span>
        </div>
    }
}

/// Reward, change and errors, with where each comes from.
fn measures(body: &IterationBody, details: &Details) -> Vec<AnyView> {
    let view = &body.view;
    let mut parts: Vec<AnyView> = Vec::new();
    if let Some(reward) = view.reward {
        // The series of the run decides: a record may state another reward than that.
        let raw = details.reward.as_ref().filter(|own| own.origin == body.origin.0);
        let raw = raw.and_then(hindscope::RewardView::written);
        let (origin, rule) = body.origin.clone();
        let origin = view! { <OriginMark origin rule raw/> };
        let value = format::reward(reward);
        parts.push(
            view! { <span class="measure">"reward "<b>{value}</b>" "{origin}</span> }.into_any(),
        );
    } else {
        parts.push(view! { <span class="measure none">"no reward"</span> }.into_any());
    }
    if let Some(delta) = view.delta {
        let tone = if delta > 0.0 {
            "pass"
        } else if delta < 0.0 {
            "fail"
        } else {
            ""
        };
        let gap = (view.delta_gap > 0)
            .then(|| format!(" over a gap of {}", platform::whole(view.delta_gap)));
        parts.push(
            view! {
                <span class="measure">
                    "change "<b class=tone>{format::delta(delta)}</b>{gap}{said(view)}
                </span>
            }
            .into_any(),
        );
    }
    if let Some(errors) = view.errors {
        let change = view.error_delta.filter(|delta| *delta != 0).map(format::whole_delta);
        parts.push(
            view! {
                <span class="measure">
                    <b>{platform::whole(errors)}</b>" "{noun(u64::from(errors), "error")}
                    {change.map(|change| format!(" ({change})"))}
                </span>
            }
            .into_any(),
        );
    }
    parts
}

/// The change as the record states it, where that is another one.
fn said(view: &IterationView) -> Option<impl IntoView + use<>> {
    let stored = view.stored?.reward_change?;
    let ours = view.delta?;
    (format::delta(stored) != format::delta(ours)).then(
        || view! { <span class="partial">{format!(" (file: {})", format::delta(stored))}</span> },
    )
}
