//! One run: its chart and iterations, or its window, beside the iteration that is looked at.

use hindscope::Origin;
use leptos::prelude::*;

use super::export::ExportMenu;
use super::inspector::Inspector;
use super::missing::MissingRun;
use super::provenance::Provenance;
use super::run_chart::RunChartPanel;
use super::run_facts::RunFacts;
use super::run_list::IterationList;
use super::window::WindowTab;
use crate::app::HEADING;
use crate::ask::{Asked, asked};
use crate::components::{OutcomeMark, RecordText};
use crate::format::{self, noun};
use crate::platform::{self, Key};
use crate::route::{self, Place, View};
use crate::state::{App, run_place, use_keys};
use crate::worker::protocol::{Answer, Columns, ExportOf, Query, RunAddress, RunBody};

/// The run that the address names.
#[component]
pub(crate) fn RunPage() -> impl IntoView {
    let app = App::get();
    let address = Memo::new(move |_| {
        app.place.with(|place| RunAddress {
            key: place.view.run_key().unwrap_or_default().to_owned(),
            group: place.query.group.clone(),
        })
    });
    let run = asked(
        move || {
            let is_open = app.summary.with(|summary| summary.sources > 0);
            let (address, choice) = (address.get(), app.choice.get());
            is_open.then_some(Query::Run { address, choice })
        },
        |answer| match answer {
            Answer::Run(body) => Some(*body),
            _ => None,
        },
    );
    let has_run = Memo::new(move |_| run.answer.with(Option::is_some));
    let is_missing = Memo::new(move |_| {
        run.problem.with(Option::is_some) || app.summary.with(|summary| summary.sources == 0)
    });
    Effect::new(move |_| {
        let key = address.with(|address| address.key.clone());
        platform::set_title(&format!("{key} - hindscope"));
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

/// Position of the iteration that the address names; of the last one if it names none.
pub(crate) fn selected(columns: &Columns, number: Option<i64>) -> Option<usize> {
    let last = columns.len().checked_sub(1)?;
    Some(number.and_then(|number| columns.ordinal(number)).unwrap_or(last))
}

#[component]
fn RunTabs(run: Asked<RunBody>) -> impl IntoView {
    let app = App::get();
    let number = Memo::new(move |_| app.place.with(|place| place.view.number()));
    let is_window =
        Memo::new(move |_| app.place.with(|place| matches!(place.view, View::Window { .. })));
    let columns = Memo::new(move |_| {
        run.answer.with(|run| run.as_ref().map(|run| run.columns.clone()).unwrap_or_default())
    });
    let at = Memo::new(move |_| columns.with(|columns| selected(columns, number.get())));
    let select = Callback::new(move |ordinal: usize| {
        let Some(number) = columns.with_untracked(|columns| columns.number(ordinal)) else {
            return;
        };
        go_to(app, number);
    });
    keys(app, run, columns, at, select);
    app.has_heading();
    let id = Memo::new(move |_| run.answer.with(|run| run.as_ref().map(|run| run.row.view.id)));
    let has_rewards = Memo::new(move |_| {
        run.answer
            .with(|run| run.as_ref().is_some_and(|run| run.row.view.reward_origin != Origin::None))
    });
    let is_derived = Memo::new(move |_| {
        run.answer.with(|run| {
            run.as_ref().is_some_and(|run| run.row.view.reward_origin == Origin::Derived)
        })
    });
    view! {
        <div class="run-page" class:window=move || is_window.get()>
            <RunHead run/>
            <Tabs run at/>
            <div class="run-body">
                <Show
                    when=move || is_window.get()
                    fallback=move || {
                        view! {
                            <div class="run-left" data-scroller="">
                                <RunChartPanel run columns at select has_rewards/>
                                <IterationList columns at select is_derived/>
                                <RunFacts run/>
                                <Provenance id/>
                            </div>
                            <div class="run-right" data-scroller="">
                                <Inspector id columns at select/>
                            </div>
                        }
                    }
                >
                    <WindowTab id columns at/>
                </Show>
            </div>
        </div>
    }
}

/// Shows an iteration in the tab that is open.
fn go_to(app: App, number: i64) {
    let place = app.place.get_untracked();
    let view = match &place.view {
        View::Run { key, .. } => View::Run { key: key.clone(), number: Some(number) },
        View::Window { key, .. } => View::Window { key: key.clone(), number: Some(number) },
        View::Open | View::Runs | View::Findings | View::Unknown(_) => return,
    };
    app.go(place.with_view(view), true);
}

fn keys(
    app: App,
    run: Asked<RunBody>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
) {
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
            "1" | "2" | "w" => {
                let place = app.place.get_untracked();
                let Some(key_of_run) = place.view.run_key().map(str::to_owned) else {
                    return false;
                };
                let number = place.view.number();
                let view = if key.name == "1" {
                    View::Run { key: key_of_run, number }
                } else {
                    View::Window { key: key_of_run, number }
                };
                app.go(place.with_view(view), false);
                return true;
            }
            "d" if !key.is_repeated => {
                app.as_table.update(|as_table| *as_table = !*as_table);
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
    view! {
        {move || run.answer.with(|run| run.as_ref().map(|run| {
            let view = &run.row.view;
            let address = run.row.address.clone();
            let step = |address: &Option<RunAddress>, label: &'static str, text: &'static str| {
                address.as_ref().map(|address| {
                    let href = route::write(&run_place(address, None));
                    view! { <a class="button small" href=href aria-label=label>{text}</a> }
                })
            };
            let position = run.position.map(|(at, all)| {
                format!("{} of {}", platform::whole(at), platform::whole(all))
            });
            let best = view.best.map(|best| {
                let at = view.best_number.map(|number| format!(" at {number}")).unwrap_or_default();
                format!("best {}{at}", format::reward(best))
            });
            let derived = (view.reward_origin == Origin::Derived)
                .then(|| view! { <span class="derived">"derived"</span> });
            let solved = view.first_success.map(|at| format!("solved at attempt {}", at + 1));
            let iterations = format!(
                "{} {}",
                platform::whole(view.iterations),
                noun(u64::from(view.iterations), "iteration"),
            );
            view! {
                <header class="run-head">
                    <a class="back" href="#/runs">"Runs"</a>
                    <h1 id=HEADING tabindex="-1"><RecordText text=view.key.clone()/></h1>
                    <OutcomeMark outcome=view.outcome detail=view.outcome_detail.clone()/>
                    <span class="fact">{iterations}</span>
                    {best.map(|best| view! { <span class="fact">{best}" "{derived}</span> })}
                    {solved.map(|solved| view! { <span class="fact">{solved}</span> })}
                    <span class="run-steps">
                        {step(&run.previous, "Previous run", "\u{2190}")}
                        <span class="quiet">{position}</span>
                        {step(&run.next, "Next run", "\u{2192}")}
                        <ExportMenu
                            label="Export this run"
                            runs=move || ExportOf::Run(address.clone())
                            count=Signal::derive(|| 1)
                            is_one=true
                        />
                    </span>
                </header>
            }
        }))}
    }
}

/// Overview and window of the same run, at the same iteration, and its findings.
#[component]
fn Tabs(run: Asked<RunBody>, at: Memo<Option<usize>>) -> impl IntoView {
    let app = App::get();
    let href = move |is_window: bool| {
        app.place.with(|place| {
            let key = place.view.run_key().unwrap_or_default().to_owned();
            let number = place.view.number();
            route::write(&place.with_view(if is_window {
                View::Window { key, number }
            } else {
                View::Run { key, number }
            }))
        })
    };
    let current = move |is_window: bool| {
        let is = app.place.with(|place| matches!(place.view, View::Window { .. })) == is_window;
        is.then_some("page")
    };
    let findings = move || {
        run.answer.with(|run| {
            let run = run.as_ref()?;
            let mut place = Place::of(View::Findings);
            place.query.run = Some(run.row.address.key.clone());
            place.query.group.clone_from(&run.row.address.group);
            Some((route::write(&place), run.row.view.findings))
        })
    };
    view! {
        <nav class="tabs" aria-label="Of this run">
            <a class="tab" href=move || href(false) aria-current=move || current(false)>"Overview"</a>
            <a
                class="tab"
                href=move || href(true)
                aria-current=move || current(true)
                aria-disabled=move || at.get().is_none().to_string()
            >
                "Window"
            </a>
            {move || findings().map(|(href, count)| view! {
                <a class="tab" href=href>
                    "Findings "<span class="count">{platform::whole(count)}</span>
                </a>
            })}
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
