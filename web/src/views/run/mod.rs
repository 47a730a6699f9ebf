//! One run: its reflections, its attempts, its errors and lessons or its window, beside the attempt that is
//! looked at.

pub(crate) mod attempts;
pub(crate) mod chart;
pub(crate) mod data;
pub(crate) mod ends;
pub(crate) mod errors;
pub(crate) mod facts;
pub(crate) mod findings;
pub(crate) mod lessons;
pub(crate) mod list;
pub(crate) mod part;
pub(crate) mod patterns;
pub(crate) mod provenance;
pub(crate) mod quality;
pub(crate) mod reflections;
pub(crate) mod strip;
pub(crate) mod warnings;

use hindscope::{HeadlinePart, Origin};
use leptos::prelude::*;
use strum::VariantArray as _;

use crate::components::{
    HeadlineText, LinkButton, OutcomeMark, RecordText, SPLIT_LEFT, Split, Steps,
};
use crate::format::{self, counted};
use crate::platform::{self, Key};
use crate::protocol::{Columns, ExportOf, Query, RunAddress, RunBody};
use crate::route::{self, Place, RunTab, View, run_place};
use crate::state::{App, Asked, HEADING, asked, use_keys};
use crate::views::attempt::AttemptTab;
use crate::views::export::ExportMenu;
use crate::views::iteration::Inspector;
use crate::views::missing::MissingRun;
use crate::views::run::attempts::AttemptsTab;
use crate::views::run::data::DataTab;
use crate::views::run::errors::ErrorsTab;
use crate::views::run::findings::FindingsTab;
use crate::views::run::lessons::LessonsTab;
use crate::views::run::reflections::ReflectionsTab;
use crate::views::run::strip::AttemptStrip;
use crate::views::window::WindowTab;
use crate::visible_text::plain;

/// The run that the address names.
#[component]
pub(crate) fn RunPage() -> impl IntoView {
    let app = App::get();
    let address = Memo::new(move |_| {
        app.place.with(|place| {
            RunAddress::new(place.view.run_key().unwrap_or_default(), place.query.group.clone())
        })
    });
    let run = asked(
        move || {
            let is_open = app.summary.with(|summary| summary.sources > 0);
            let (address, choice) = (address.get(), app.choice.get());
            is_open.then_some(Query::Run { address, choice })
        },
        |answer| answer.try_as_run().map(|body| *body),
    );
    let has_run = Memo::new(move |_| run.answer.with(Option::is_some));
    let is_missing = Memo::new(move |_| {
        run.problem.with(Option::is_some) || app.summary.with(|summary| summary.sources == 0)
    });
    Effect::new(move |_| {
        let key = address.with(|address| address.key.clone());
        platform::set_title(&format!("{} - hindscope", plain(&key)));
    });
    view! {
        <Show
            when=move || has_run.get()
            fallback=move || {
                let is_shown = is_missing.get() && !app.phase.with(crate::state::Phase::is_busy);
                is_shown.then(|| view! {
                    <MissingRun
                        key=address.with(|address| address.key.clone())
                        problem=run.problem.get().unwrap_or_default()
                    />
                })
            }
        >
            <RunTabs run/>
        </Show>
    }
}

/// Position of an iteration; of the last one if there is none of that number.
pub(crate) fn selected(columns: &Columns, number: Option<i64>) -> Option<usize> {
    let last = columns.len().checked_sub(1)?;
    Some(number.and_then(|number| columns.ordinal(number)).unwrap_or(last))
}

#[component]
fn RunTabs(run: Asked<RunBody>) -> impl IntoView {
    let app = App::get();
    // A run opens where something happened: at what its headline speaks of first.
    // It stays there while the run grows.
    let told = Memo::new(move |before: Option<&(Option<String>, Option<i64>)>| {
        run.answer.with(|run| {
            let key = run.as_ref().map(|run| run.row.address.name());
            let stays = before.filter(|before| before.0 == key && before.1.is_some());
            stays.cloned().unwrap_or_else(|| (key, run.as_ref().and_then(told)))
        })
    });
    let number = Memo::new(move |_| {
        let named = app.place.with(|place| place.view.number());
        named.or_else(|| told.with(|told| told.1))
    });
    let tab = tab(app, run);
    let columns = Memo::new(move |_| {
        run.answer.with(|run| run.as_ref().map(|run| run.columns.clone()).unwrap_or_default())
    });
    let at = Memo::new(move |_| columns.with(|columns| selected(columns, number.get())));
    // Shows an iteration in the tab that is open.
    let select = Callback::new(move |ordinal: usize| {
        let number = columns.with_untracked(|columns| columns.number(ordinal));
        let place = app.place.get_untracked();
        if let Some(number) = number {
            let tab = tab.get_untracked();
            app.go(place.with_view(place.view.at(tab, Some(number))), true);
        }
    });
    let id = Memo::new(move |_| run.answer.with(|run| run.as_ref().map(|run| run.row.view.id)));
    let steps = Steps { id, columns, at, select };
    keys(app, run, steps);
    let is_full = Memo::new(move |_| app.place.with(|place| place.query.is_full));
    app.has_heading();
    // These show the iteration beside them; it stays while one of them gives way to another.
    let is_split = Memo::new(move |_| tab.get().is_split());
    // The side stays while one of them gives way to another; where that was scrolled to means nothing in this.
    Effect::new(move |before: Option<RunTab>| {
        let tab = tab.get();
        if before.is_some_and(|before| before != tab) {
            platform::rewind_id(SPLIT_LEFT);
        }
        tab
    });
    let tab_of_split = move || match tab.get() {
        RunTab::Errors => view! { <ErrorsTab steps/><LessonsTab steps/> }.into_any(),
        RunTab::Reflections => view! { <ReflectionsTab run steps/> }.into_any(),
        _ => view! { <AttemptsTab run steps/> }.into_any(),
    };
    let left = move || tab_of_split.into_any();
    let right = move || view! { <Inspector steps/> };
    let whole = move || match tab.get() {
        RunTab::Window => view! { <WindowTab steps/> }.into_any(),
        RunTab::Findings => view! { <FindingsTab/> }.into_any(),
        RunTab::Data => view! { <DataTab steps/> }.into_any(),
        _ => ().into_any(),
    };
    let is_attempt = Memo::new(move |_| tab.get() == RunTab::Actions);
    // It divides its place itself.
    let other = move || {
        if is_attempt.get() {
            view! { <AttemptTab steps/> }.into_any()
        } else {
            view! { <div class="run-body">{whole}</div> }.into_any()
        }
    };
    view! {
        <div
            class="run-page"
            class:window=move || !is_split.get() && !is_attempt.get()
            class:full=move || is_split.get() && is_full.get()
            class:single=move || columns.with(|columns| columns.len() < 2)
        >
            <RunHead run/>
            <AttemptStrip run steps/>
            <Tabs run tab/>
            <Show
                when=move || is_split.get()
                fallback=move || other
            >
                <Split left right/>
            </Show>
        </div>
    }
}

/// The attempt that a headline speaks of first, else the last one.
fn told(run: &RunBody) -> Option<i64> {
    let said = run.verdict.headline.parts.iter().find_map(|part| part.from);
    said.or_else(|| run.columns.number(run.columns.len().checked_sub(1)?))
}

/// The tab that is shown: a run without a column of reflections begins with its attempts.
fn tab(app: App, run: Asked<RunBody>) -> Memo<RunTab> {
    let has_reflections =
        Memo::new(move |_| run.answer.with(|run| run.as_ref().is_some_and(has_reflections)));
    Memo::new(move |_| match app.place.with(|place| place.view.tab().unwrap_or_default()) {
        RunTab::Reflections if !has_reflections.get() => RunTab::Attempts,
        tab => tab,
    })
}

/// Whether there is a column of them: the only reflection of the only attempt stands in that.
fn has_reflections(run: &RunBody) -> bool {
    let count = run.columns.reflections.iter().flatten().sum::<f64>();
    count > 1.0 || count > 0.0 && run.columns.len() > 1
}

fn keys(app: App, run: Asked<RunBody>, steps: Steps) {
    let Steps { columns, at, select, .. } = steps;
    use_keys(move |key: &Key| {
        let Some(now) = at.get_untracked() else { return false };
        let last = columns.with_untracked(Columns::len).saturating_sub(1);
        let failure = |mut range: Box<dyn Iterator<Item = usize>>| {
            columns.with_untracked(|columns| {
                range.find(|at| columns.outcome(*at) == hindscope::Outcome::Failure)
            })
        };
        let to = match key.name.as_str() {
            "j" | "ArrowDown" => (now < last).then(|| now + 1),
            "k" | "ArrowUp" => now.checked_sub(1),
            "Home" => Some(0),
            "G" | "End" => Some(last),
            "." => failure(Box::new(now + 1..=last)),
            "," => failure(Box::new((0..now).rev())),
            "]" | "[" => {
                let other = run.answer.with_untracked(|run| {
                    let run = run.as_ref()?;
                    if key.name == "]" { run.next.clone() } else { run.previous.clone() }
                });
                if let Some(other) = other {
                    app.go(run_place(&other, None), true);
                }
                return true;
            }
            "1" | "2" | "3" | "4" | "5" | "6" | "7" | "w" => {
                let nth =
                    key.name.parse::<usize>().map_or(RunTab::Window, |n| RunTab::VARIANTS[n - 1]);
                let place = app.place.get_untracked();
                let view = place.view.at(nth, place.view.number());
                app.go(place.with_view(view), false);
                return true;
            }
            "d" if !key.is_repeated => {
                app.as_table.update(|as_table| *as_table = !*as_table);
                return true;
            }
            "x" if !key.is_repeated => {
                let own = run.answer.with_untracked(|run| Some(run.as_ref()?.row.address.clone()));
                if let Some(own) = own {
                    app.toggle_mark(&own);
                }
                return true;
            }
            "Escape" => {
                app.go(Place::of(View::Runs), false);
                return true;
            }
            _ => return false,
        };
        if let Some(to) = to {
            select.run(to);
        }
        true
    });
}

/// Name, what came of it, and the steps to its neighbours.
#[component]
fn RunHead(run: Asked<RunBody>) -> impl IntoView {
    let app = App::get();
    // Where several experiments are open, a name says too little.
    let has_groups = Memo::new(move |_| app.summary.with(|summary| summary.groups > 1));
    // Apart from the rest, so that a menu stays open while the run grows.
    let address =
        Memo::new(move |_| run.answer.with(|run| Some(run.as_ref()?.row.address.clone())));
    let acts = |address: RunAddress| {
        view! {
            <MarkButton run=address.clone()/>
            <LinkButton/>
            <ExportMenu
                label="Export this run"
                runs=move || ExportOf::Run(address.clone())
                count=Signal::derive(|| 1)
                is_one=true
            />
        }
    };
    let facts = move |run: &RunBody| {
        let view = &run.row.view;
        let best = view.best.map(|best| {
            let at = view.best_number.map(|number| format!(" at {number}")).unwrap_or_default();
            format!("best {}{at}", format::reward(best))
        });
        let derived = (view.reward_origin == Origin::Derived)
            .then(|| view! { <span class="derived">"derived"</span> });
        let group = has_groups.get().then(|| {
            view! { <span class="fact"><RecordText text=format::group_label(&run.row.group)/></span> }
        });
        view! {
            <h1 id=HEADING tabindex="-1"><RecordText text=view.key.clone()/></h1>
            {group}
            <OutcomeMark outcome=view.outcome detail=view.outcome_detail.clone()/>
            <span class="fact">{counted(view.iterations, "iteration")}</span>
            {best.map(|best| view! { <span class="fact">{best}" "{derived}</span> })}
        }
    };
    let neighbours = |run: &RunBody| {
        let step = |address: &Option<RunAddress>, label: &'static str, text: &'static str| {
            address.as_ref().map(|address| {
                let href = route::write(&run_place(address, None));
                view! { <a class="button small" href=href aria-label=label>{text}</a> }
            })
        };
        let position = run
            .position
            .map(|(at, all)| format!("{} of {}", platform::whole(at), platform::whole(all)));
        view! {
            {step(&run.previous, "Previous run", "\u{2190}")}
            <span class="quiet">{position}</span>
            {step(&run.next, "Next run", "\u{2192}")}
        }
    };
    let headline = |run: &RunBody| {
        let (headline, own) = (run.verdict.headline.clone(), run_place(&run.row.address, None));
        let href =
            move |part: &HeadlinePart| Some(own.href_at(RunTab::Reflections, Some(part.from?)));
        view! { <HeadlineText headline href/> }
    };
    view! {
        <p class="print-only">{move || run.answer.with(|run| run.as_ref().map(begins))}</p>
        <header class="run-head">
            <a class="back" href="#/runs">"Runs"</a>
            {move || run.answer.with(|run| run.as_ref().map(facts))}
            <span class="run-steps">
                {move || run.answer.with(|run| run.as_ref().map(neighbours))}
                {move || address.get().map(acts)}
            </span>
        </header>
        {move || run.answer.with(|run| run.as_ref().map(headline))}
    }
}

/// Marks the run for being compared, as its box in the list does.
#[component]
fn MarkButton(run: RunAddress) -> impl IntoView {
    let app = App::get();
    let marked = run.clone();
    let is_marked =
        Memo::new(move |_| app.marks.with(|marks| marks.iter().any(|mark| mark.is(&marked))));
    view! {
        <button
            class="small"
            title="Mark for Compare (x)"
            aria-pressed=move || is_marked.get().to_string()
            on:click=move |_| app.toggle_mark(&run)
        >
            {move || if is_marked.get() { "In Compare" } else { "+ Compare" }}
        </button>
    }
}

/// The file in which a run begins, for paper.
fn begins(run: &RunBody) -> String {
    let digest = run.digest.as_deref().unwrap_or("none, for it was not read to its end");
    format!("Begins in {}, digest {digest}", run.path)
}

/// The tabs of a run, all at the same iteration.
#[component]
fn Tabs(run: Asked<RunBody>, tab: Memo<RunTab>) -> impl IntoView {
    let app = App::get();
    let count = move |tab| {
        let findings = move || run.answer.with(|run| Some(run.as_ref()?.row.view.findings));
        (tab == RunTab::Findings).then(|| {
            view! {
                " "<span class="count">{move || findings().map(platform::whole)}</span>
            }
        })
    };
    let shown = tab;
    let link = |tab: RunTab| {
        let href = move || app.place.with(|place| place.href_at(tab, place.view.number()));
        let current = move || (shown.get() == tab).then_some("page");
        // Few runs have actions in logs of their own, and not all have reflections.
        let has_it = Memo::new(move |_| {
            let has =
                |of: fn(&RunBody) -> bool| run.answer.with(|run| run.as_ref().is_some_and(of));
            match tab {
                RunTab::Actions => shown.get() == tab || has(|run| run.has_log),
                RunTab::Reflections => has(has_reflections),
                _ => true,
            }
        });
        move || {
            has_it.get().then(|| {
                view! {
                    <a class="tab" href=href aria-current=current>{tab.title()}{count(tab)}</a>
                }
            })
        }
    };
    view! {
        <nav class="tabs" aria-label="Of this run">
            {RunTab::VARIANTS.iter().copied().map(link).collect_view()}
        </nav>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_iteration_is_shown_unless_another_is_named() {
        let columns =
            Columns { numbers: [3.0, 4.0, 9.0].into_iter().collect(), ..Columns::default() };
        assert_eq!(selected(&columns, None), Some(2));
        assert_eq!(selected(&columns, Some(4)), Some(1));
        assert_eq!(selected(&columns, Some(5)), Some(2));
        assert_eq!(selected(&Columns::default(), None), None);
    }
}
