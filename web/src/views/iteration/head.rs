//! How an iteration ended, and whether what was learned in it helped.

use std::fmt::Write as _;
use std::sync::Arc;

use hindscope::{Details, IterationView, Origin};
use leptos::prelude::*;

use crate::components::{OriginMark, OutcomeMark, TimeText};
use crate::format::{self, noun};
use crate::platform;
use crate::protocol::IterationBody;

/// Outcome, reward, change and errors; then what came next.
#[component]
pub(crate) fn Head(body: Arc<IterationBody>, details: Details) -> impl IntoView {
    let base = format!("counted from {} ({})", body.base.0, body.base.1);
    let time = details.time.clone().or(details.start.clone());
    view! {
        <div class="verdict">
            <OutcomeMark outcome=body.view.outcome detail=body.view.outcome_detail.clone()/>
            {measures(&body, &details)}
            {time.map(|text| view! { <span class="measure quiet"><TimeText text/></span> })}
            <span class="measure quiet">{base}</span>
        </div>
        <p class="helped">{helped(&body)}</p>
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

/// What came next, which is the only evidence there is on whether a reflection helped.
fn helped(body: &IterationBody) -> impl IntoView + use<> {
    let question = if body.view.reflections.is_empty() { "Next" } else { "Did it help?" };
    let answer = match &body.next {
        None => view! { "This is the last attempt: there is no next." }.into_any(),
        Some(next) => {
            let facts = next_facts(next, body.origin.0);
            view! {
                {format!("{}: ", next.number)}
                <OutcomeMark outcome=next.outcome/>
                {facts}
            }
            .into_any()
        }
    };
    view! { <strong>{question}</strong>" "{answer} }
}

/// Reward, change and judgement of the attempt that follows.
fn next_facts(next: &IterationView, origin: Origin) -> String {
    let mut text = String::new();
    if let Some(reward) = next.reward {
        let _ = write!(text, ", {}", format::reward(reward));
        if origin == Origin::Derived {
            text.push_str(" derived");
        }
    }
    if let Some(delta) = next.delta {
        let _ = write!(text, " ({})", format::delta(delta));
    }
    match next.is_improvement {
        Some(true) => text.push_str(", improved"),
        Some(false) => text.push_str(", not improved"),
        None => {}
    }
    if let Some(delta) = next.error_delta.filter(|delta| *delta != 0) {
        let count = delta.unsigned_abs();
        let word = if delta < 0 { "fewer" } else { "more" };
        let _ = write!(text, ", {count} {word} {}", noun(count, "error"));
    }
    text
}

#[cfg(test)]
mod tests {
    use hindscope::{Outcome, RecordId};

    use super::*;

    #[test]
    fn says_what_came_next_with_what_is_known() {
        let mut next = IterationView {
            ordinal: 1,
            number: 10,
            outcome: Outcome::Failure,
            outcome_detail: None,
            time_ms: None,
            reward: Some(0.55),
            delta: Some(0.14),
            delta_gap: 0,
            errors: Some(1),
            error_delta: Some(-1),
            is_improvement: Some(true),
            stored: None,
            record: RecordId(0),
            part: 0,
            merged: Vec::new(),
            reflections: Vec::new(),
            findings: 0,
        };
        let says = ", 0.550 (+0.140), improved, 1 fewer error";
        assert_eq!(next_facts(&next, Origin::Reported), says);
        let says = ", 0.550 derived (+0.140), improved, 1 fewer error";
        assert_eq!(next_facts(&next, Origin::Derived), says);
        next.reward = None;
        next.delta = None;
        next.error_delta = None;
        next.is_improvement = None;
        assert_eq!(next_facts(&next, Origin::Derived), "");
    }
}
