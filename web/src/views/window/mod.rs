//! What the agent could read when an iteration began: which reflections, since when, until when,
//! and the exact text.

pub(crate) mod grid;

use hindscope::{ReflectionRef, RunId};
use leptos::prelude::*;

use crate::ask::asked;
use crate::components::{CopyButton, LongText, OutcomeMark};
use crate::format::{self, noun};
use crate::platform::{self, Key};
use crate::protocol::{Answer, Columns, HeldText, Query, WindowBody};
use crate::route::{self, RunTab, View};
use crate::state::{App, use_keys};
use crate::views::iteration::outputs::memory;
use crate::views::run::facts::omega as omega_word;
use crate::views::window::grid::Grid;

/// The largest window that can be chosen.
const MOST: u8 = 10;

/// The window at the selected iteration.
#[component]
pub(crate) fn WindowTab(
    id: Memo<Option<RunId>>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
) -> impl IntoView {
    let app = App::get();
    let omega = Memo::new(move |_| app.place.with(|place| place.query.omega));
    let number = Memo::new(move |_| {
        // The attempt after the last one has a window too.
        let named = app.place.with(|place| place.view.number());
        columns.with(|columns| {
            let next = columns.len().checked_sub(1).and_then(|last| columns.number(last))? + 1;
            named
                .filter(|named| *named == next)
                .or_else(|| at.get().and_then(|at| columns.number(at)))
        })
    });
    let window = asked(
        move || Some(Query::Window { run: id.get()?, at: number.get()?, omega: omega.get() }),
        |answer| match answer {
            Answer::Window(body) => Some(*body),
            _ => None,
        },
    );
    let given = Memo::new(move |_| window.answer.with(|w| w.as_ref().and_then(|w| w.given)));
    let change = move |by: i8| {
        let now = omega.get_untracked().or(given.get_untracked()).unwrap_or(MOST);
        let next = now.saturating_add_signed(by).min(MOST);
        app.choose(|query| query.omega = Some(next));
    };
    use_keys(move |key: &Key| match key.name.as_str() {
        "+" | "=" => {
            change(1);
            true
        }
        "-" => {
            change(-1);
            true
        }
        _ => false,
    });
    view! {
        <div class="window-left" data-scroller="">
            <Controls window=window.answer columns number omega change=Callback::new(change)/>
            {move || window.problem.get().map(|problem| view! { <p class="advice">{problem}</p> })}
            {move || window.answer.with(|body| body.as_ref().map(|body| view! {
                <Summary body=body.clone()/>
                <Grid life=body.life.clone() at=body.view.at/>
            }))}
        </div>
        <div class="window-right" data-scroller="">
            {move || window.answer.with(|body| body.as_ref().map(|body| view! {
                <Texts body=body.clone()/>
            }))}
        </div>
    }
}

/// Which iteration, and how large the window.
#[component]
fn Controls(
    window: RwSignal<Option<WindowBody>>,
    columns: Memo<Columns>,
    number: Memo<Option<i64>>,
    omega: Memo<Option<u8>>,
    change: Callback<i8>,
) -> impl IntoView {
    let app = App::get();
    let go = move |to: Option<i64>| {
        if let Some(to) = to {
            let place = app.place.get_untracked();
            let key = place.view.run_key().unwrap_or_default().to_owned();
            app.go(place.with_view(View::Run { key, tab: RunTab::Window, number: Some(to) }), true);
        }
    };
    let step = move |by: isize| {
        let number = number.get()?;
        columns.with(|columns| {
            let last = columns.len().checked_sub(1)?;
            let next = columns.number(last)? + 1;
            if number == next {
                return (by < 0).then(|| columns.number(last)).flatten();
            }
            let at = columns.ordinal(number)?;
            if by > 0 && at == last {
                return Some(next);
            }
            columns.number(at.checked_add_signed(by)?)
        })
    };
    let title = move || {
        let number = number.get()?;
        let is_next = columns.with(|columns| columns.ordinal(number).is_none());
        Some(if is_next {
            format!("Before the next attempt, {number}")
        } else {
            format!("When iteration {number} began")
        })
    };
    let size = move || {
        window.with(|body| {
            body.as_ref().map_or("", |body| body.view.omega_provenance.as_str()).to_owned()
        })
    };
    let shown = move || {
        omega_word(
            omega.get().or_else(|| window.with(|body| body.as_ref().and_then(|b| b.view.omega))),
        )
    };
    let given = move || {
        window.with(|body| {
            let body = body.as_ref().filter(|_| omega.get().is_some())?;
            Some(format!("{} {}", omega_word(body.given), body.given_provenance))
        })
    };
    view! {
        <header class="window-controls">
            <h2>{title}</h2>
            <span class="steps-buttons">
                <button
                    class="small"
                    aria-label="Previous iteration"
                    disabled=move || step(-1).is_none()
                    on:click=move |_| go(step(-1))
                >
                    "\u{2190}"
                </button>
                <button
                    class="small"
                    aria-label="Next iteration"
                    disabled=move || step(1).is_none()
                    on:click=move |_| go(step(1))
                >
                    "\u{2192}"
                </button>
            </span>
            <div class="omega" role="group" aria-label="Size of the window, omega">
                <span class="omega-name">"\u{3a9}"</span>
                <button
                    class="small"
                    aria-label="Smaller window"
                    disabled=move || omega.get() == Some(0)
                    on:click=move |_| change.run(-1)
                >
                    "\u{2212}"
                </button>
                <output class="omega-value">{shown}</output>
                <button
                    class="small"
                    aria-label="Larger window"
                    disabled=move || omega.get() == Some(MOST)
                    on:click=move |_| change.run(1)
                >
                    "+"
                </button>
                <span class="omega-origin">{size}</span>
                {move || given().map(|text| view! {
                    <button class="small" on:click=move |_| app.choose(|query| query.omega = None)>
                        {format!("back to {text}")}
                    </button>
                })}
            </div>
        </header>
    }
}

/// In, out, not yet written.
#[component]
fn Summary(body: WindowBody) -> impl IntoView {
    let links =
        |list: &[ReflectionRef]| list.iter().map(|reference| link(*reference)).collect::<Vec<_>>();
    let (held, evicted) = (body.view.held.len(), body.view.evicted.len());
    let later = body.view.later;
    let recorded = body.recorded.as_ref();
    let used = recorded
        .and_then(|window| window.injected.clone())
        .map(|used| if used.is_empty() { "none".to_owned() } else { format::numbers(&used) });
    let after = recorded.map(memory).filter(|text| !text.is_empty());
    view! {
        <dl class="window-summary" data-at=body.view.at.to_string()>
            <div>
                <dt>"Could have seen " <span class="quiet">{held}</span></dt>
                <dd class="number-links">
                    {if held == 0 { view! { "nothing" }.into_any() } else { links(&body.view.held).into_any() }}
                </dd>
            </div>
            <div>
                <dt>"Pushed out " <span class="quiet">{evicted}</span></dt>
                <dd class="number-links">
                    {if evicted == 0 {
                        view! { <span class="none">"none"</span> }.into_any()
                    } else {
                        links(&body.view.evicted).into_any()
                    }}
                </dd>
            </div>
            <div>
                <dt>"Not yet written"</dt>
                <dd>{platform::whole(later)}</dd>
            </div>
            {used.map(|used| view! { <div><dt>"Used, says the record"</dt><dd>{used}</dd></div> })}
            {after.map(|after| view! { <div><dt>"Memory after, says the record"</dt><dd>{after}</dd></div> })}
        </dl>
    }
}

/// The number of a reflection, leading to the iteration that wrote it.
fn link(reference: ReflectionRef) -> impl IntoView {
    let app = App::get();
    let href = move || {
        app.place.with(|place| {
            let key = place.view.run_key().unwrap_or_default().to_owned();
            route::write(&place.with_view(View::Run {
                key,
                tab: RunTab::Overview,
                number: Some(reference.number),
            }))
        })
    };
    view! { <a class="number" href=href>{reference.number}</a> }
}

/// The held reflections one by one, and the text made of them.
#[component]
fn Texts(body: WindowBody) -> impl IntoView {
    let rendered = body.rendered.clone();
    let copied = rendered.clone();
    let estimate = rendered.encode_utf16().count().div_ceil(4);
    let is_empty = body.held.is_empty();
    let left_out = body.left_out;
    view! {
        <section class="held" aria-labelledby="held-title">
            <h2 id="held-title">"In reach, oldest first"</h2>
            {is_empty.then(|| view! {
                <p class="none-written">"No reflection was in reach: the agent began without memory."</p>
            })}
            {(left_out > 0).then(|| view! {
                <p class="advice">
                    {format!(
                        "{} older {} in reach too; the newest are shown.",
                        platform::whole(left_out),
                        if left_out == 1 { "reflection was" } else { "reflections were" },
                    )}
                </p>
            })}
            {body.held.into_iter().map(held).collect::<Vec<_>>()}
        </section>
        {(!is_empty).then(|| view! {
            <section class="rendered" aria-labelledby="rendered-title">
                <div class="rendered-head">
                    <h2 id="rendered-title">"As plain text"</h2>
                    <span class="quiet">
                        {format!(
                            "about {} {} (characters / 4)",
                            platform::whole(u32::try_from(estimate).unwrap_or(u32::MAX)),
                            noun(estimate as u64, "token"),
                        )}
                    </span>
                    <CopyButton text=move |()| copied.clone() what="window text"/>
                </div>
                <LongText text=rendered is_code=true/>
            </section>
        })}
    }
}

/// One reflection in reach, with its number leading to the iteration that wrote it.
pub(crate) fn held(held: HeldText) -> impl IntoView {
    let until = held.until.map(|until| format!("in reach until {until}"));
    view! {
        <article class="held-one">
            <header>
                {link(held.reference)}
                <OutcomeMark outcome=held.outcome/>
                <span class="quiet">{until}</span>
            </header>
            <LongText text=held.text.trim().to_owned()/>
        </article>
    }
}
