//! Rewards of up to eight runs over each other, a panel for each series; and the same as a table.

use hindscope::Origin;
use leptos::prelude::*;

use crate::chart::{ChartView, CompareChart, CompareLine};
use crate::components::{RecordText, slide};
use crate::format;
use crate::protocol::{CompareBody, CompareRun};
use crate::route::{self, run_place};
use crate::state::App;
use crate::views::compare::compared::{Compared, chosen, run_name};
use crate::views::compare::grid::outcome_cells;
use crate::views::compare::model::{LINES, Series, cells, letter, places, rewards};

/// Cells that a table has at most.
const CELLS: usize = 4000;

/// A panel for each series, and outcomes for runs without rewards.
#[component]
pub(super) fn Lines(compared: Compared) -> impl IntoView {
    let app = App::get();
    let at = RwSignal::new(None::<usize>);
    Effect::new(move |_| {
        compared.body.track();
        at.set(None);
    });
    move || {
        let base = compared.base.get();
        compared.with(|body| {
            chosen(app, body, base)
                .into_iter()
                .map(|(series, of)| {
                    if series.origin == Origin::None {
                        view! { <Outcomes compared of/> }.into_any()
                    } else {
                        view! { <Panel compared series of at/> }.into_any()
                    }
                })
                .collect::<Vec<_>>()
        })
    }
}

fn line(body: &CompareBody, at: usize, series: &Series) -> Option<CompareLine> {
    Some(CompareLine {
        letter: letter(at)?,
        position: at,
        rewards: rewards(body.runs.get(at)?),
        is_derived: series.origin == Origin::Derived,
    })
}

/// The lines of one series.
#[component]
fn Panel(
    compared: Compared,
    series: Series,
    of: Vec<usize>,
    at: RwSignal<Option<usize>>,
) -> impl IntoView {
    let hovered = RwSignal::new(None::<usize>);
    let data = compared.peek(|body| {
        let lines: Vec<CompareLine> = of.iter().filter_map(|at| line(body, *at, &series)).collect();
        (lines, places(body), caption(body))
    });
    let (lines, places, caption) = data.unwrap_or_default();
    let unit = compared.align.get_untracked().into_str();
    let legend = compared.peek(|body| {
        of.iter().filter_map(|at| Some(legend(*at, body.runs.get(*at)?))).collect::<Vec<_>>()
    });
    let last = places.len().saturating_sub(1);
    let stored = StoredValue::new((lines, places));
    let readout = Memo::new(move |_| {
        let shown = hovered.get().or(at.get()).unwrap_or(last);
        stored.with_value(|(lines, places)| readout(lines, places, unit, shown))
    });
    let draw = move |width| {
        stored.with_value(|(lines, places)| {
            let chart = || CompareChart::new(lines, places.clone(), unit, width);
            (!lines.is_empty()).then(chart)
        })
    };
    let title = match series.origin {
        Origin::Derived => "Reward, derived",
        Origin::Reported | Origin::None => "Reward, reported",
    };
    view! {
        <figure class="panel compare-lines" aria-label=title>
            <figcaption class="panel-head">
                <h2>{title}{series.rule.map(|rule| view! { " "<code class="rule">{rule}</code> })}</h2>
                <span class="readout">{move || readout.get()}</span>
            </figcaption>
            <p class="series-legend">{legend}</p>
            <div
                class="chart-slider"
                role="slider"
                tabindex="0"
                aria-label=format!("{title}, {unit}")
                aria-valuemin="0"
                aria-valuemax=last.to_string()
                aria-valuenow=move || at.get().unwrap_or(last).to_string()
                aria-valuetext=move || readout.get()
                on:keydown=move |event| slide(&event, at, last)
            >
                <ChartView draw name=title selected=at hovered on_pick=move |item| at.set(Some(item))/>
            </div>
            {caption.map(|text| view! { <p class="lane-note">{text}</p> })}
        </figure>
    }
}

/// What of the iterations is drawn, where not all of them are.
fn caption(body: &CompareBody) -> Option<String> {
    (body.step > 1).then(|| {
        format!("Of each {} attempts the least and the greatest reward are drawn.", body.step)
    })
}

/// Letter and name of a line.
fn legend(at: usize, run: &CompareRun) -> impl IntoView + use<> {
    let href = route::write(&run_place(&run.row.address, None));
    view! {
        <a class="legend-item" href=href>
            <b class="line-letter">{letter(at).map(String::from)}</b>
            <RecordText text=run.row.address.name()/>
        </a>
    }
}

/// One place in words.
fn readout(lines: &[CompareLine], places: &[i64], unit: &str, at: usize) -> String {
    let parts: Vec<String> = lines
        .iter()
        .map(|line| match line.rewards.get(at).copied().flatten() {
            Some(reward) => format!("{} {}", line.letter, format::reward(reward)),
            None => format!("{} none", line.letter),
        })
        .collect();
    let place = places.get(at).copied().unwrap_or_default();
    format!("{unit} {place}: {}", parts.join(", "))
}

/// Runs without rewards: their outcomes, in the same places.
#[component]
fn Outcomes(compared: Compared, of: Vec<usize>) -> impl IntoView {
    let rows = compared.peek(|body| {
        let per = (body.slots as usize).div_ceil(240).max(1);
        of.iter()
            .filter_map(|at| {
                let run = body.runs.get(*at)?;
                let name = run_name(*at, run, body.runs.len());
                let href = route::write(&run_place(&run.row.address, None));
                Some(view! {
                    <li>
                        <a class="cells-name" href=href><RecordText text=name/></a>
                        {outcome_cells(&cells(run, per))}
                    </li>
                })
            })
            .collect::<Vec<_>>()
    });
    view! {
        <section class="panel outcome-rows" aria-label="Runs without rewards">
            <h2>"No reward recorded: outcomes only"</h2>
            <ul tabindex="0">{rows}</ul>
        </section>
    }
}

/// Rewards and outcomes of all runs as text, place by place.
#[component]
pub(super) fn Values(compared: Compared) -> impl IntoView {
    move || compared.with(|body| values(body, compared.align.get().into_str()))
}

fn values(body: &CompareBody, unit: &'static str) -> impl IntoView + use<> {
    let places = places(body);
    let shown = (CELLS / body.runs.len().max(1)).min(places.len());
    let heads: Vec<_> = body
        .runs
        .iter()
        .enumerate()
        .map(|(at, run)| {
            let name = run_name(at, run, body.runs.len().min(LINES + 1));
            view! { <th scope="col" class="num"><RecordText text=name/></th> }
        })
        .collect();
    let rows: Vec<_> = (0..shown)
        .map(|slot| {
            let each: Vec<_> = body.runs.iter().map(|run| value(run, slot)).collect();
            view! { <tr><th scope="row" class="num">{places[slot]}</th>{each}</tr> }
        })
        .collect();
    let rest = (shown < places.len()).then(|| {
        let text = format!("The first {shown} of {} places are listed.", places.len());
        view! { <p class="quiet">{text}</p> }
    });
    view! {
        <div class="panel table-box" tabindex="0" role="region" aria-label="Rewards and outcomes">
            <table class="plain" id="compare-values">
                <thead><tr><th scope="col" class="num">{unit}</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
            {rest}
        </div>
    }
}

fn value(run: &CompareRun, slot: usize) -> AnyView {
    let at = slot.checked_sub(run.from as usize);
    let letter = at.and_then(|at| run.outcomes.chars().nth(at)).filter(|letter| *letter != ' ');
    let Some(letter) = letter else {
        return view! { <td class="num none">"\u{2013}"</td> }.into_any();
    };
    let reward = at.and_then(|at| run.rewards.get(at)).map(format::reward);
    view! { <td class="num">{reward.unwrap_or_else(|| "none".to_owned())}" "<b>{letter.to_string()}</b></td> }
        .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_words_says_what_is_missing() {
        let line = |letter, rewards: &[Option<f64>]| CompareLine {
            letter,
            position: 0,
            rewards: rewards.to_vec(),
            is_derived: false,
        };
        let lines = [line('a', &[Some(0.5), Some(0.6)]), line('b', &[Some(0.1)])];
        assert_eq!(readout(&lines, &[3, 4], "number", 1), "number 4: a 0.600, b none");
    }
}
