//! What can be chosen about a chart, and what its signs mean.

use hindscope::Origin;
use leptos::prelude::*;

use super::labels::{caption, degradation, landmarks};
use super::panel::Panel;
use super::view::{STEP, ends};
use crate::chart::{Span, float};
use crate::components::{Toggle, menu_options};
use crate::format::numbers;
use crate::platform;
use crate::protocol::{ChartPart, Columns};
use crate::state::App;

/// Series, unit, zoom, table.
#[component]
pub(super) fn Tools(panel: StoredValue<Panel>) -> impl IntoView {
    let app = App::get();
    let Panel { series, tone, viewport, .. } = panel.get_value();
    let names = Memo::new(move |_| {
        let mut names = series
            .answer
            .with(|body| body.as_ref().map(|body| body.names.clone()).unwrap_or_default());
        // One that the address names may be in none of the records that were looked at.
        if let Some(chosen) = app.place.with(|place| place.query.series.clone())
            && !names.contains(&chosen)
        {
            names.push(chosen);
        }
        names
    });
    let choose = move |event| {
        let name = platform::value_of(&event);
        app.choose(|query| query.series = Some(name).filter(|name| !name.is_empty()));
    };
    let options = move || {
        let chosen = app.place.with(|place| place.query.series.clone());
        let names = names.get().into_iter().map(|name| (name.clone(), name));
        menu_options(names.collect(), chosen.as_deref())
    };
    let has_rewards = Memo::new(move |_| tone.with(|tone| tone.origin != Origin::None));
    let can_zoom = move || viewport.slots.get() > 3 && !app.as_table.get();
    view! {
        <span class="chart-tools">
            <Show when=move || names.with(|names| !names.is_empty())>
                <select class="small" aria-label="Series" on:change=choose>
                    <option value="" selected=move || app.place.with(|place| place.query.series.is_none())>
                        "the run's own reward"
                    </option>
                    {options}
                </select>
            </Show>
            <Show when=move || has_rewards.get()>
                <button
                    class="small"
                    aria-pressed=move || tone.with(|tone| tone.is_points).to_string()
                    title="Rewards as points, 0 to 100"
                    on:click=move |_| app.choose(|query| {
                        query.unit = match query.unit.as_deref() {
                            Some("points") => None,
                            _ => Some("points".to_owned()),
                        };
                    })
                >
                    "Points"
                </button>
            </Show>
            <Show when=can_zoom>
                <span class="zoom" role="group" aria-label="Zoom">
                    <button
                        class="small"
                        aria-label="Show more"
                        title="Show more (\u{2212})"
                        disabled=move || !viewport.is_zoomed()
                        on:click=move |_| viewport.zoom(1.0 / STEP, None)
                    >
                        "\u{2212}"
                    </button>
                    <button
                        class="small"
                        aria-label="All: show the whole run"
                        title="Show the whole run (0)"
                        disabled=move || !viewport.is_zoomed()
                        on:click=move |_| viewport.show_all()
                    >
                        "All"
                    </button>
                    <button
                        class="small"
                        aria-label="Show less, larger"
                        title="Show less, larger (+)"
                        disabled=move || viewport.span.get().len() <= 3.0
                        on:click=move |_| viewport.zoom(STEP, None)
                    >
                        "+"
                    </button>
                </span>
            </Show>
            <Toggle is_on=app.as_table>"Table"</Toggle>
        </span>
    }
}

/// Where the part in sight lies in the run, the signs, and the pictures.
#[component]
pub(super) fn Foot(panel: StoredValue<Panel>) -> impl IntoView {
    let app = App::get();
    let Panel { run, columns, shown, tone, viewport, at, held, .. } = panel.get_value();
    let named = move || {
        columns.with(|columns| {
            tone.with(|tone| shown.with(|shown| landmarks(columns, &shown.marks, tone)))
        })
    };
    let cost = move || tone.with(|tone| shown.with(|shown| degradation(&shown.marks, tone)));
    let line = move || {
        tone.with(|tone| match tone.origin {
            Origin::Reported => Some(("line-sample", tone.title().to_lowercase(), None)),
            Origin::Derived => {
                Some(("line-sample derived", tone.title().to_lowercase(), tone.rule()))
            }
            Origin::None => None,
        })
    };
    let seen = move || {
        let held = held.get();
        let number = columns.with(|columns| columns.number(at.get()?))?;
        let list = columns.with(|columns| list(columns, &held));
        let list = if list.is_empty() { "nothing" } else { &list };
        Some(format!("could be seen at {number}: {list}"))
    };
    let count = Memo::new(move |_| {
        let Span(first, end) = viewport.span.get();
        shown.with(|shown| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "slots")]
            let at = |slot: f64| shown.axis.first_at(slot.max(0.0) as usize);
            let (from, to) = (at(first.ceil()), at(end.ceil()));
            let drawn = viewport.kept.with(|kept| {
                kept.partition_point(|item| *item < to) - kept.partition_point(|item| *item < from)
            });
            caption(drawn, to - from, shown.columns.len())
        })
    });
    let save = move |is_png: bool| {
        let Some(address) =
            run.answer.with_untracked(|run| Some(run.as_ref()?.row.address.clone()))
        else {
            return;
        };
        let span = viewport.span.get_untracked();
        let part = shown.with_untracked(|shown| ends(shown, span));
        let part = part.filter(|_| span.len() < float(viewport.slots.get_untracked()));
        let part = ChartPart {
            first: part.map(|(first, _)| first),
            last: part.map(|(_, last)| last),
            is_points: tone.with_untracked(|tone| tone.is_points),
        };
        app.export_chart(address, part, is_png);
    };
    let has_holes = Memo::new(move |_| {
        let is_missing = |rewards: &[f64]| rewards.iter().any(|reward| reward.is_nan());
        tone.with(|tone| tone.origin != Origin::None)
            && shown.with(|shown| is_missing(&shown.columns.rewards))
    });
    let is_own = move || tone.with(|tone| tone.series.is_none());
    view! {
        <Show when=move || viewport.is_zoomed()>
            <Whole panel/>
        </Show>
        <div class="chart-foot">
            <ul class="legend" aria-label="Signs">
                {move || line().map(|(class, text, rule)| view! {
                    <li>
                        <span class=class aria-hidden="true"></span>
                        {text}
                        {rule.map(|rule| view! { " " <code class="rule">{rule}</code> })}
                    </li>
                })}
                {move || named().into_iter().map(|(letter, text)| view! {
                    <li><b>{letter.to_string()}</b>" "{text}</li>
                }).collect::<Vec<_>>()}
                {move || cost().map(|text| view! {
                    <li class="cost">{text}" "<code class="rule">"best/degradation"</code></li>
                })}
                <Show when=move || has_holes.get()>
                    <li><span class="hole-sample" aria-hidden="true"></span>"no reward"</li>
                </Show>
                {move || seen().map(|text| view! {
                    <li><span class="seen-sample" aria-hidden="true"></span>{text}</li>
                })}
            </ul>
            <span class="chart-caption quiet" id="chart-caption">{move || count.get()}</span>
            <Show when=is_own>
                <span class="zoom" role="group" aria-label="Save the chart">
                    <button class="small" on:click=move |_| save(false)>"SVG"</button>
                    <button class="small" on:click=move |_| save(true)>"PNG"</button>
                </span>
            </Show>
        </div>
    }
}

/// A strip as long as the run, with the part in sight marked on it: a press moves that part.
#[component]
fn Whole(panel: StoredValue<Panel>) -> impl IntoView {
    let Panel { viewport, .. } = panel.get_value();
    let strip = NodeRef::<leptos::html::Div>::new();
    let is_held = RwSignal::new(false);
    let share =
        move |slot: f64| format!("{:.3}%", slot / float(viewport.slots.get()).max(1.0) * 100.0);
    let go = move |event: &leptos::ev::PointerEvent, is_done: bool| {
        let Some(strip) = strip.get_untracked() else { return };
        let (x, _) = platform::place_in(&strip, event.client_x(), event.client_y());
        let width = f64::from(strip.client_width()).max(1.0);
        let (now, all) = (viewport.span.get_untracked(), float(viewport.slots.get_untracked()));
        let middle = x / width * all;
        let half = now.len() / 2.0;
        viewport.set(Span(middle - half, middle + half).inside(all), is_done);
    };
    view! {
        <div
            class="whole"
            aria-hidden="true"
            node_ref=strip
            on:pointerdown=move |event| {
                is_held.set(true);
                if let Some(strip) = strip.get_untracked() {
                    platform::capture(&strip, event.pointer_id());
                }
                go(&event, false);
            }
            on:pointermove=move |event| if is_held.get_untracked() { go(&event, false) }
            on:pointerup=move |event| {
                is_held.set(false);
                go(&event, true);
            }
            on:pointercancel=move |_| is_held.set(false)
        >
            <div
                class="part"
                style:left=move || share(viewport.span.get().0)
                style:width=move || share(viewport.span.get().len())
            ></div>
        </div>
    }
}

/// Numbers of iterations, for a sentence.
fn list(columns: &Columns, ordinals: &[u32]) -> String {
    let all: Vec<i64> =
        ordinals.iter().filter_map(|ordinal| columns.number(*ordinal as usize)).collect();
    numbers(&all)
}
