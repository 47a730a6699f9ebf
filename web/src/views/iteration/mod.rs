//! One iteration in full. The order never changes: how it ended, whether the reflection helped,
//! the reflection, actions, errors, output, raw.

pub(crate) mod memory;
pub(crate) mod outputs;
pub(crate) mod raw;
pub(crate) mod reflection;
pub(crate) mod scores;

use std::fmt::Write as _;

use hindscope::{Details, IterationView, Origin, RunId};
use leptos::prelude::*;

use crate::ask::asked;
use crate::components::{FindingItem, OriginMark, OutcomeMark, RecordText, written};
use crate::format::{self, noun};
use crate::platform;
use crate::protocol::{Answer, Columns, IterationBody, Query, RecordBody, WindowBody};
use crate::state::App;
use crate::views::iteration::memory::{Memory, Seen};
use crate::views::iteration::outputs::{Actions, Checks, Errors, Rest};
use crate::views::iteration::raw::Raw;
use crate::views::iteration::reflection::Reflections;
use crate::views::iteration::scores::{Given, Scores};

/// Id of the part of the page that shows an iteration.
pub(crate) const INSPECTOR: &str = "inspector";

/// The selected iteration.
#[component]
pub(crate) fn Inspector(
    id: Memo<Option<RunId>>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    let app = App::get();
    let omega = Memo::new(move |_| app.place.with(|place| place.query.omega));
    let iteration = asked(
        move || {
            let (run, ordinal) = (id.get()?, u32::try_from(at.get()?).ok()?);
            Some(Query::Iteration { run, ordinal })
        },
        |answer| match answer {
            Answer::Iteration(body) => Some(*body),
            _ => None,
        },
    );
    let memory = asked(
        move || {
            let at = columns.with(|columns| columns.number(at.get()?))?;
            Some(Query::Window { run: id.get()?, at, omega: omega.get() })
        },
        |answer| match answer {
            Answer::Window(body) => Some(*body),
            _ => None,
        },
    );
    view! {
        <section class="inspector" aria-label="Iteration" id=INSPECTOR tabindex="-1">
            <Steps columns at select/>
            {move || iteration.problem.get().map(|problem| view! { <p class="advice">{problem}</p> })}
            {move || iteration.answer.get().map(|body| view! { <Body body memory=memory.answer/> })}
        </section>
    }
}

/// Which iteration it is, and the steps to its neighbours.
#[component]
fn Steps(
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) -> impl IntoView {
    let title = move || {
        let at = at.get()?;
        columns.with(|columns| {
            let number = columns.number(at)?;
            Some(view! {
                <h2>{format!("Iteration {number}")}</h2>
                <span class="quiet">{format!("attempt {} of {}", at + 1, columns.len())}</span>
            })
        })
    };
    let before = move || at.get().and_then(|at| at.checked_sub(1));
    let after = move || at.get().map(|at| at + 1).filter(|next| *next < columns.with(Columns::len));
    let step = move |to: Option<usize>| {
        if let Some(to) = to {
            select.run(to);
        }
    };
    view! {
        <header class="steps">
            {title}
            <span class="steps-buttons">
                <button
                    class="small"
                    aria-label="Previous iteration"
                    disabled=move || before().is_none()
                    on:click=move |_| step(before())
                >
                    <kbd aria-hidden="true">"k"</kbd>
                    "\u{2191}"
                </button>
                <button
                    class="small"
                    aria-label="Next iteration"
                    disabled=move || after().is_none()
                    on:click=move |_| step(after())
                >
                    <kbd aria-hidden="true">"j"</kbd>
                    "\u{2193}"
                </button>
            </span>
        </header>
    }
}

#[component]
fn Body(body: IterationBody, memory: RwSignal<Option<WindowBody>>) -> impl IntoView {
    let details =
        body.records.first().and_then(|record| record.details.clone()).unwrap_or_default();
    let problems: Vec<_> = body
        .records
        .iter()
        .filter_map(|record| record.problem.clone())
        .map(|problem| view! { <p class="advice"><RecordText text=problem/></p> })
        .collect();
    let findings = body.findings.clone();
    let texts = !details.reflections.is_empty();
    view! {
        <div class="verdict">
            <OutcomeMark outcome=body.view.outcome detail=body.view.outcome_detail.clone()/>
            {measures(&body, &details)}
        </div>
        <p class="helped">{helped(&body)}</p>
        {problems}
        {(!findings.is_empty()).then(|| view! {
            <div class="findings-here">
                {findings
                    .into_iter()
                    .map(|finding| view! { <FindingItem finding is_here=true/> })
                    .collect::<Vec<_>>()}
            </div>
        })}
        <Seen body=body.clone()/>
        {(!texts).then(|| view! { <p class="none-written">"No reflection was written in this iteration."</p> })}
        <Reflections details=details.clone()/>
        {further(&body.records)}
        <Memory number=body.view.number memory/>
        <Given retrieved=details.retrieved.clone().unwrap_or_default()/>
        <Scores details=details.clone()/>
        <Actions actions=details.actions.clone()/>
        <Errors errors=details.errors.clone()/>
        <Checks checks=details.checks.clone()/>
        <Rest details/>
        {body.is_shortened.then(|| view! {
            <p class="advice">
                "Texts above 1 MB are shown from their beginning. The raw record has them whole."
            </p>
        })}
        <Raw records=body.records/>
    }
}

/// Reflections of the other records that speak of this iteration, each with its place.
fn further(records: &[RecordBody]) -> Vec<AnyView> {
    records
        .iter()
        .skip(1)
        .filter_map(|record| {
            let details = record.details.clone()?;
            let span = record.span.as_ref()?;
            let place = format!("Also at {}:{}:{}", span.path, span.line, span.column);
            (!details.reflections.is_empty()).then(|| {
                view! {
                    <p class="quiet"><RecordText text=place/></p>
                    <Reflections details/>
                }
                .into_any()
            })
        })
        .collect()
}

/// Reward, change and errors, with where each comes from.
fn measures(body: &IterationBody, details: &Details) -> Vec<AnyView> {
    let view = &body.view;
    let mut parts: Vec<AnyView> = Vec::new();
    if let Some(reward) = view.reward {
        // The series of the run decides: a record may state another reward than that.
        let raw = details.reward.as_ref().filter(|own| own.origin == body.origin.0);
        let raw = raw.and_then(written);
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
