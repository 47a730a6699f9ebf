//! Two to two hundred runs beside each other, against one of them.

mod compared;
mod errors_and_lessons;
mod experiments;
mod grid;
mod lines;
mod model;
mod pair;
#[cfg(test)]
mod sample;
mod shared;
mod table;

use leptos::prelude::*;
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::components::menu_options;
use crate::format::noun;
use crate::platform;
use crate::protocol::{Align, CompareBody, Query, RunAddress};
use crate::state::{App, HEADING, asked};
use crate::views::compare::compared::{Compared, run_options};
use crate::views::compare::errors_and_lessons::ErrorsAndLessons;
use crate::views::compare::experiments::Experiments;
use crate::views::compare::grid::Grid;
use crate::views::compare::lines::{Lines, Values};
use crate::views::compare::model::{LINES, panels};
use crate::views::compare::pair::Pair;
use crate::views::compare::shared::SharedPanel;
use crate::views::compare::table::RunTable;

/// How runs are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "lowercase", const_into_str)]
enum Mode {
    Lines,
    Grid,
    Table,
}

impl Mode {
    fn title(self) -> &'static str {
        match self {
            Self::Lines => "Lines",
            Self::Grid => "Grid",
            Self::Table => "Table",
        }
    }
}

/// Runs side by side.
#[component]
pub(crate) fn Compare() -> impl IntoView {
    let app = App::get();
    platform::set_title("Compare - hindscope");
    let wanted = Memo::new(move |_| app.place.with(|place| place.query.lists.runs.clone()));
    // The address says what is compared; without it, the marks do.
    Effect::new(move |_| {
        let runs = wanted.get();
        let marks = app.marks.get_untracked();
        if runs.is_empty() && !marks.is_empty() {
            app.choose(|query| query.lists.runs = marks);
        } else if !runs.is_empty() && runs != marks {
            app.marks.set(runs);
        }
    });
    let word = move |part: fn(&crate::route::Query) -> &Option<String>| {
        app.place.with(|place| part(&place.query).clone())
    };
    let align = Memo::new(move |_| {
        let word = word(|query| &query.lists.align);
        word.and_then(|word| word.parse().ok()).unwrap_or_default()
    });
    let answer = asked(
        move || {
            // A link is there before its files are.
            let is_open = app.summary.with(|summary| summary.sources > 0);
            let runs = wanted.get();
            (is_open && !runs.is_empty()).then(|| Query::Compare { runs, align: align.get() })
        },
        |answer| answer.try_as_compare().map(|body| *body),
    );
    let base = Memo::new(move |_| {
        let base = app.place.with(|place| place.query.lists.base.clone());
        answer.answer.with(|body| {
            let runs = body.as_ref().map_or(&[][..], |body| &body.runs);
            runs.iter().position(|run| Some(&run.row.address) == base.as_ref()).unwrap_or(0)
        })
    });
    let ids = Memo::new(move |_| {
        answer.answer.with(|body| {
            let runs = body.iter().flat_map(|body| &body.runs);
            runs.map(|run| run.row.view.id).collect::<Vec<_>>()
        })
    });
    let errors_and_lessons = ErrorsAndLessons::follow(ids);
    let compared = Compared { body: answer.answer, align, base, errors_and_lessons };
    let count = Memo::new(move |_| compared.count());
    let mode = Memo::new(move |_| {
        let word = word(|query| &query.mode);
        let chosen = word.and_then(|word| word.parse().ok());
        let usual = if count.get() > LINES { Mode::Grid } else { Mode::Lines };
        chosen.filter(|one| *one != Mode::Lines || count.get() <= LINES).unwrap_or(usual)
    });
    view! {
        <div class="page compare">
            <header class="runs-head">
                <h1 id=HEADING tabindex="-1">
                    {move || match count.get() {
                        0 => "Compare".to_owned(),
                        n => format!("Compare {n} {}", noun(n as u64, "run")),
                    }}
                </h1>
                <Show when=move || { count.get() > 0 }><Options compared mode count/></Show>
            </header>
            <Experiments/>
            {move || answer.problem.get().map(|problem| view! { <p class="advice">{problem}</p> })}
            {move || compared.with(missing).flatten()}
            <Show
                when=move || { count.get() > 1 }
                fallback=move || view! { <TooFew wanted/> }
            >
                {move || match mode.get() {
                    Mode::Lines => view! { <Lines compared/> }.into_any(),
                    Mode::Grid => view! { <Grid compared/> }.into_any(),
                    Mode::Table => view! { <Values compared/> }.into_any(),
                }}
                <RunTable compared/>
                <SharedPanel compared/>
                <Pair compared/>
            </Show>
        </div>
    }
}

/// What to do where there is nothing to compare.
#[component]
fn TooFew(wanted: Memo<Vec<RunAddress>>) -> impl IntoView {
    let app = App::get();
    let has_runs = Memo::new(move |_| app.summary.with(|summary| summary.runs > 1));
    view! {
        <p class="advice">
            {move || if wanted.with(Vec::len) == 1 {
                "One run is marked. A comparison needs two. "
            } else {
                "No run is marked. "
            }}
            <Show
                when=move || has_runs.get()
                fallback=|| view! { <a href="#/">"Open files or a sample"</a>" with several runs." }
            >
                "Mark runs with "<kbd>"x"</kbd>" or their boxes in "<a href="#/runs">"Runs"</a>
                ", 200 at most."
            </Show>
        </p>
    }
}

/// Runs of the address that are not open.
fn missing(body: &CompareBody) -> Option<impl IntoView + use<>> {
    let names: Vec<&str> = body.missing.iter().map(|run| run.key.as_str()).collect();
    (!names.is_empty()).then(|| {
        let text = format!(
            "Not among the open runs: {}. Open their files, or compare without them.",
            names.join(", ")
        );
        view! { <p class="advice">{text}</p> }
    })
}

/// Baseline, alignment, series and mode.
#[component]
fn Options(compared: Compared, mode: Memo<Mode>, count: Memo<usize>) -> impl IntoView {
    let app = App::get();
    let runs = move || run_options(compared, Some(compared.base.get()));
    let put_base = move |event| {
        let at: Option<usize> = platform::value_of(&event).parse().ok();
        let run = compared.body.with_untracked(|body| {
            body.as_ref().and_then(|body| Some(body.runs.get(at?)?.row.address.clone()))
        });
        app.choose(|query| query.lists.base = run);
    };
    let put_align = move |event| {
        let word = platform::value_of(&event);
        let is_usual = word == Align::default().into_str();
        app.choose(|query| {
            query.lists.align = Some(word).filter(|_| !is_usual);
            query.lists.at = None;
        });
    };
    let series = move || {
        let names = compared.with(|body| {
            let panels = panels(&body.runs, compared.base.get());
            panels.iter().map(|(series, _)| series.name()).collect::<Vec<_>>()
        });
        let now = app.place.with(|place| place.query.series.clone());
        let names = names.unwrap_or_default().into_iter().map(|name| (name.clone(), name));
        menu_options(names.collect(), now.as_deref())
    };
    let put_series = move |event| {
        let word = Some(platform::value_of(&event)).filter(|word| !word.is_empty());
        app.choose(|query| query.series = word);
    };
    let switch = Mode::VARIANTS.iter().map(|&one| {
        view! {
            <button
                class="small switch-part"
                aria-pressed=move || (mode.get() == one).to_string()
                disabled=move || one == Mode::Lines && { count.get() > LINES }
                on:click=move |_| app.choose(|query| query.mode = Some(one.into_str().to_owned()))
            >
                {one.title()}
            </button>
        }
    }).collect_view();
    view! {
        <div class="compare-options">
            <label>"Baseline "<select class="field pick" on:change=put_base>{runs}</select></label>
            <label>
                "Align "
                <select class="field" on:change=put_align>
                    {Align::VARIANTS.iter().map(|&one| view! {
                        <option
                            value=one.into_str()
                            selected=move || compared.align.get() == one
                        >{one.into_str()}</option>
                    }).collect_view()}
                </select>
            </label>
            <label>
                "Series "
                <select class="field pick" on:change=put_series>
                    <option value="">"auto"</option>
                    {series}
                </select>
            </label>
            <div class="switch" role="group" aria-label="Shown as">{switch}</div>
        </div>
    }
}
