//! The chart of a run with its readout, and the same numbers as a table.

mod labels;
mod panel;
mod table;
mod tools;
mod view;

use hindscope::Origin;
use leptos::prelude::*;

use crate::chart::{RunPlot, Shown, Span, float};
use crate::components::Steps;
use crate::platform::Key;
use crate::protocol::{Columns, RunBody};
use crate::state::{App, Asked, use_keys};
use labels::{Tone, sentence};
use panel::{Panel, panel};
use table::ChartTable;
use tools::{Foot, Tools};
use view::{STEP, Viewport};

/// Reward, change and outcome over the iterations.
#[component]
pub(crate) fn RunChartPanel(
    run: Asked<RunBody>,
    steps: Steps,
    part: Memo<Option<(usize, usize)>>,
    has_rewards: Memo<bool>,
) -> impl IntoView {
    let app = App::get();
    let Steps { at, select, .. } = steps;
    let panel = panel(run, steps.columns, at);
    let Panel { columns, shown, tone, viewport, held, written, .. } = panel;
    let kept = StoredValue::new(panel);
    let hovered = RwSignal::new(None::<usize>);
    let has_focus = RwSignal::new(false);
    let say = move |at: usize, written: Option<&str>| {
        columns.with(|columns| {
            tone.with(|tone| shown.with(|shown| sentence(columns, at, tone, &shown.marks, written)))
        })
    };
    let selected = Memo::new(move |_| say(at.get()?, written.get().as_deref()));
    let readout =
        Memo::new(move |_| hovered.get().map_or_else(|| selected.get(), |at| say(at, None)));
    announce(app, run, at, selected, has_focus);
    follow(&viewport, shown, at);
    use_keys(move |key: &Key| {
        let still = at.get_untracked();
        let still = still.map(|at| shown.with_untracked(|shown| slot(shown, at)));
        match key.name.as_str() {
            "+" | "=" => viewport.zoom(STEP, still),
            "-" => viewport.zoom(1.0 / STEP, still),
            "0" => viewport.show_all(),
            _ => return false,
        }
        true
    });
    view! {
        <figure class="panel run-chart" aria-labelledby="chart-title">
            <figcaption class="panel-head">
                <h2 id="chart-title">
                    {move || tone.with(Tone::title)}
                    {move || tone.with(Tone::rule).map(|rule| view! { " " <code class="rule">{rule}</code> })}
                </h2>
                <Tools panel=kept/>
            </figcaption>
            <p class="readout chart-readout" id="chart-readout">{move || readout.get()}</p>
            <Show when=move || !has_rewards.get() && tone.with(|tone| tone.origin == Origin::None)>
                <p class="lane-note">"No reward was recorded. Outcomes are shown."</p>
            </Show>
            <Show
                when=move || !app.as_table.get()
                fallback=move || view! { <ChartTable columns tone part at select/> }
            >
                <div
                    class="chart-slider"
                    role="slider"
                    tabindex="0"
                    aria-label="Iteration"
                    aria-describedby="chart-caption"
                    aria-valuemin="1"
                    aria-valuemax=move || columns.with(Columns::len).to_string()
                    aria-valuenow=move || (at.get().unwrap_or_default() + 1).to_string()
                    aria-valuetext=move || selected.get()
                    on:keydown=move |event| kept.with_value(|panel| keydown(&event, panel, select))
                    on:focus=move |_| has_focus.set(true)
                    on:blur=move |_| has_focus.set(false)
                >
                    // No blur is heard when the table takes its place: see platform/own_events.rs.
                    {on_cleanup(move || { let _ = has_focus.try_set(false); })}
                    <RunPlot
                        shown
                        kept=viewport.kept
                        span=viewport.span
                        is_points=Signal::derive(move || tone.with(|tone| tone.is_points))
                        selected=at
                        held
                        hovered
                        width=viewport.width
                        on_pick=select
                        on_span=Callback::new(move |(span, is_done)| viewport.set(span, is_done))
                    />
                </div>
                <Foot panel=kept/>
            </Show>
        </figure>
    }
}

fn slot(shown: &Shown, at: usize) -> f64 {
    float(shown.axis.slot(at))
}

/// Says each step aloud, unless the slider has the focus and is read anyway.
fn announce(
    app: App,
    run: Asked<RunBody>,
    at: Memo<Option<usize>>,
    selected: Memo<Option<String>>,
    has_focus: RwSignal<bool>,
) {
    Effect::new(move |before: Option<Option<(hindscope::RunId, usize)>>| {
        let at = at.get()?;
        let id = run.answer.with_untracked(|run| run.as_ref().map(|run| run.row.view.id))?;
        let is_step = before.flatten().is_some_and(|(run, other)| run == id && other != at);
        if is_step
            && !has_focus.get_untracked()
            && let Some(text) = selected.get_untracked()
        {
            app.say(text);
        }
        Some((id, at))
    });
}

/// Keeps what is selected in sight.
fn follow(viewport: &Viewport, shown: Memo<Shown>, at: Memo<Option<usize>>) {
    let viewport = *viewport;
    Effect::new(move |before: Option<Option<usize>>| {
        let at = at.get();
        let Span(first, end) = viewport.span.get_untracked();
        if let Some(slot) = at.map(|at| shown.with_untracked(|shown| slot(shown, at)))
            && before.is_some_and(|before| before != at)
            && !(first..end).contains(&slot)
        {
            let half = (end - first) / 2.0;
            viewport.set(Span((slot - half).floor(), (slot + half).floor()), true);
        }
        at
    });
}

fn keydown(event: &leptos::ev::KeyboardEvent, panel: &Panel, select: Callback<usize>) {
    let Panel { columns, viewport, at, .. } = *panel;
    let last = columns.with_untracked(Columns::len).saturating_sub(1);
    let Some(now) = at.get_untracked() else { return };
    let Span(first, end) = viewport.span.get_untracked();
    #[expect(clippy::cast_possible_truncation, reason = "a part of what is in sight")]
    let page = (((end - first) / 10.0).floor() as isize).max(1);
    let step = |by: isize| select.run(now.saturating_add_signed(by).min(last));
    match (event.key().as_str(), event.shift_key()) {
        ("ArrowLeft", true) => viewport.pan(-0.25),
        ("ArrowRight", true) => viewport.pan(0.25),
        ("ArrowLeft" | "ArrowDown", _) => step(-1),
        ("ArrowRight" | "ArrowUp", _) => step(1),
        ("PageDown", _) => step(-page),
        ("PageUp", _) => step(page),
        ("Home", _) => step(isize::MIN),
        ("End", _) => step(isize::MAX),
        ("Enter", _) => {
            crate::platform::focus_id(crate::views::iteration::INSPECTOR);
        }
        ("Escape", _) => {
            crate::platform::focus_id(crate::state::HEADING);
        }
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}
