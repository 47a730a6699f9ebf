//! Experiments over the same tasks (`headline/compare`): which of them solved more, how sure that is, and on which tasks.

use hindscope::{ComparedExperiment, Comparison, Interval, p_value};
use leptos::prelude::*;

use crate::components::{HeadlineText, RecordText, Trend, menu_options, number_heads};
use crate::format::{self, counted, group_label};
use crate::platform;
use crate::protocol::{Answer, ExperimentsBody, Query, RunRow};
use crate::route::{self, run_place};
use crate::state::{App, asked};

/// Attempts that are offered; more are compared by the address.
const LISTED: u32 = 200;

/// All experiments that are open, or those that were chosen, against the first of them.
#[component]
pub(super) fn Experiments() -> impl IntoView {
    let app = App::get();
    let body = asked(
        move || {
            let has_several = app.summary.with(|summary| summary.groups > 1);
            let (labels, attempts) = app
                .place
                .with(|place| (place.query.lists.experiments.clone(), place.query.lists.attempts));
            has_several.then_some(Query::Experiments { labels, attempts })
        },
        |answer: Answer| answer.try_as_experiments().map(|body| *body),
    );
    move || {
        body.answer.with(|body| {
            let body = body.as_ref()?;
            let problem = body.problem.clone();
            (body.labels.len() > 1).then(|| {
                view! {
                    <section class="experiments" aria-label="Experiments">
                        {problem.map(|problem| view! {
                            <p class="advice">{problem}" "<a href="#/compare">"Compare all that are open"</a>"."</p>
                        })}
                        {body.comparison.as_ref().map(|comparison| {
                            view! { <HeadlineText headline=comparison.headline.clone() href=|_: &_| None/> }
                        })}
                        {body.comparison.as_ref().map(|comparison| options(app, body, comparison.attempts))}
                        {table(app, body)}
                        {body.comparison.as_ref().map(|comparison| {
                            view! {
                                <div class="experiments-parts">
                                    {four(comparison)}
                                    {retries(body, comparison)}
                                </div>
                                {unlike(body, comparison)}
                            }
                        })}
                    </section>
                }
            })
        })
    }
}

/// Labels of those that are compared, the first one first.
fn chosen(app: App, all: &[String]) -> Vec<String> {
    let chosen = app.place.with_untracked(|place| place.query.lists.experiments.clone());
    if chosen.is_empty() { all.to_vec() } else { chosen }
}

/// With which experiment the others are compared, and after how many attempts.
fn options(app: App, body: &ExperimentsBody, at: u32) -> impl IntoView + use<> {
    let all = body.labels.clone();
    let now = chosen(app, &all);
    let names = now.iter().map(|label| (label.clone(), group_label(label))).collect();
    let base = menu_options(names, now.first().map(String::as_str));
    let put_base = move |event| {
        let label = platform::value_of(&event);
        let mut now = chosen(app, &all);
        now.retain(|one| *one != label);
        now.insert(0, label);
        app.choose(|query| query.lists.experiments = now);
    };
    let most = body.most;
    let attempts = (1..=most.min(LISTED)).map(|n| (n.to_string(), n.to_string())).collect();
    let attempts = menu_options(attempts, Some(&at.to_string()));
    let put_attempts = move |event| {
        let n = platform::value_of(&event).parse().ok().filter(|n| *n != most);
        app.choose(|query| query.lists.attempts = n);
    };
    view! {
        <div class="filters">
            <label>"Compared with "<select class="field pick" on:change=put_base>{base}</select></label>
            <label>"Attempts of each task that count "<select class="field" on:change=put_attempts>{attempts}</select></label>
        </div>
    }
}

/// A row for each experiment.
fn table(app: App, body: &ExperimentsBody) -> impl IntoView + use<> {
    let now = chosen(app, &body.labels);
    let compared = body.comparison.as_ref();
    let tasks = compared.map_or(0, |comparison| comparison.tasks);
    let rows = compared.map_or(&[][..], |comparison| &comparison.experiments);
    let first =
        rows.first().map_or_else(|| "the first".to_owned(), |first| group_label(&first.label));
    // Two are always both compared.
    let has_ticks = body.labels.len() > 2;
    let tick = |label: &String| {
        has_ticks.then(|| {
            let all = body.labels.clone();
            let own = label.clone();
            let is_in = now.contains(label);
            let put = move |_| {
                let mut now = chosen(app, &all);
                if now.contains(&own) {
                    now.retain(|one| *one != own);
                } else {
                    now.push(own.clone());
                }
                app.choose(|query| query.lists.experiments = now);
            };
            let title = format!("Compare {}", group_label(label));
            view! {
                <td class="tick">
                    <input
                        type="checkbox"
                        aria-label=title
                        checked=is_in
                        disabled=is_in && now.len() == 2
                        on:change=put
                    />
                </td>
            }
        })
    };
    let name = |label: &str| view! { <th scope="row"><RecordText text=group_label(label)/></th> };
    let compared: Vec<_> = rows
        .iter()
        .map(|one| view! { <tr>{tick(&one.label)}{name(&one.label)}{cells(one, tasks)}</tr> })
        .collect();
    let is_row = |label: &&String| rows.iter().any(|one| one.label == **label);
    let others: Vec<_> = body
        .labels
        .iter()
        .filter(|label| !is_row(label))
        .map(|label| view! { <tr>{tick(label)}{name(label)}<td colspan="7"></td></tr> })
        .collect();
    view! {
        <div class="panel table-box" tabindex="0" role="region" aria-label="Experiments in numbers">
            <table class="plain" id="experiments-table">
                <thead>
                    <tr>
                        {has_ticks.then(|| view! { <th scope="col"><span class="spoken">"Compared"</span></th> })}
                        <th scope="col">"Experiment"</th>
                        {number_heads(["Solved", "Rate"])}
                        <th scope="col" colspan="2">"95 % interval"</th>
                        <th scope="col" class="num">{format!("Difference to {first}, in points")}</th>
                        <th scope="col">"95 % interval"</th>
                        <th scope="col" class="num" title="How likely so uneven a result is by chance: McNemar's exact test, corrected by Holm's method where several are compared">"By chance"</th>
                    </tr>
                </thead>
                <tbody>{compared}{others}</tbody>
            </table>
            {(tasks > 0).then(|| view! {
                <p class="quiet">
                    {format!("Only tasks that all of them have, and that say how they ended, are counted: {}.", platform::whole(tasks))}
                </p>
            })}
        </div>
    }
}

fn cells(one: &ComparedExperiment, tasks: u32) -> impl IntoView + use<> {
    let rate = format::percent(f64::from(one.solved), f64::from(tasks));
    let percent = |share: f64| format::percent(share, 1.0);
    let range =
        one.interval.map(|range| format!("{} to {}", percent(range.low), percent(range.high)));
    let bar =
        one.interval.map(|range| interval_bar(range, f64::from(one.solved) / f64::from(tasks)));
    // Of 100, as the core has them.
    let points = |points: f64| format::points_delta(points / 100.0);
    let between = one
        .points_interval
        .map(|between| format!("{} to {}", points(between.low), points(between.high)));
    let chance = one.p_value.map(p_value);
    view! {
        <td class="num">{format!("{} of {}", platform::whole(one.solved), platform::whole(tasks))}</td>
        <td class="num"><b>{rate}</b></td>
        <td>{bar}</td>
        <td>{range}</td>
        <td class="num">{one.points.map(|by| view! { <b>{points(by)}</b> })}</td>
        <td>{between}</td>
        <td class="num">{chance}</td>
    }
}

/// From 0 to 100 %: where the rate is, and between which rates it lies.
fn interval_bar(range: Interval, rate: f64) -> impl IntoView + use<> {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    view! {
        <span class="interval" aria-hidden="true">
            <span class="interval-range" style:left=percent(range.low) style:width=percent(range.high - range.low)></span>
            <span class="interval-rate" style:left=percent(rate)></span>
        </span>
    }
}

/// Of two experiments: tasks that both solved, one of them only, or neither.
fn four(comparison: &Comparison) -> Option<impl IntoView + use<>> {
    let [first, other] = &comparison.experiments[..] else { return None };
    let (only_other, only_first) = (other.only_this?, other.only_first?);
    let both = other.solved - only_other;
    let neither = comparison.tasks - both - only_other - only_first;
    let [first, other] = [first, other].map(|one| group_label(&one.label));
    let cell = |n: u32, class: &'static str| view! { <td class=format!("num four-cell {class}")>{platform::whole(n)}</td> };
    Some(view! {
        <section class="panel table-box" tabindex="0" role="region" aria-label="Task by task">
            <h2>"Task by task"</h2>
            <table class="plain four">
                <thead>
                    <tr>
                        <td></td>
                        <th scope="col">{format!("solved by {first}")}</th>
                        <th scope="col">{format!("not solved by {first}")}</th>
                    </tr>
                </thead>
                <tbody>
                    <tr>
                        <th scope="row">{format!("solved by {other}")}</th>
                        {cell(both, "")}
                        {cell(only_other, "is-other")}
                    </tr>
                    <tr>
                        <th scope="row">{format!("not solved by {other}")}</th>
                        {cell(only_first, "is-first")}
                        {cell(neither, "")}
                    </tr>
                </tbody>
            </table>
        </section>
    })
}

/// What each retry solved, of the tasks that had it.
fn retries(body: &ExperimentsBody, comparison: &Comparison) -> Option<impl IntoView + use<>> {
    let most = body.retries.iter().map(Vec::len).max().filter(|most| *most > 0)?;
    let heads: Vec<_> = comparison
        .experiments
        .iter()
        .map(|one| view! { <th scope="col" class="num">{group_label(&one.label)}</th> })
        .collect();
    let rows: Vec<_> = (0..most)
        .map(|at| {
            let cells: Vec<_> = body
                .retries
                .iter()
                .map(|retries| {
                    let text = retries.get(at).map(|(solved, tried)| {
                        format!("{} of {}", platform::whole(*solved), platform::whole(*tried))
                    });
                    view! { <td class="num">{text}</td> }
                })
                .collect();
            view! { <tr><th scope="row" class="num">{at + 1}</th>{cells}</tr> }
        })
        .collect();
    Some(view! {
        <section class="panel table-box" tabindex="0" role="region" aria-label="What retries solved">
            <h2>"What each retry solved, of the tasks that were tried again"</h2>
            <table class="plain">
                <thead><tr><th scope="col" class="num">"Retry"</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    })
}

/// Tasks that one of two experiments solved and the other did not, with both runs.
fn unlike(body: &ExperimentsBody, comparison: &Comparison) -> Option<impl IntoView + use<>> {
    let [first, other] = &comparison.experiments[..] else { return None };
    if body.unlike.is_empty() {
        return None;
    }
    let title = format!("{} that only one of them solved", counted(body.unlike_count, "task"));
    let is_cut = body.unlike.len() < body.unlike_count as usize;
    let rest = is_cut.then(|| {
        view! { <p class="quiet">{format!("The first {} are listed.", body.unlike.len())}</p> }
    });
    let run = |row: &RunRow| {
        let href = route::write(&run_place(&row.address, None));
        let label = format!("{} of {}", row.view.key, group_label(&row.group));
        view! {
            <td>
                <a class="trend-link" href=href aria-label=label>
                    <Trend letters=row.view.trend.clone() iterations=row.view.iterations/>
                </a>
            </td>
        }
    };
    let rows: Vec<_> = body
        .unlike
        .iter()
        .map(|pair| view! { <tr><th scope="row"><RecordText text=pair[0].view.key.clone()/></th>{pair.iter().map(run).collect_view()}</tr> })
        .collect();
    Some(view! {
        <section class="panel table-box" tabindex="0" role="region" aria-label="Tasks that only one solved">
            <h2>{title}</h2>
            <table class="plain" id="unlike-table">
                <thead>
                    <tr>
                        <th scope="col">"Task"</th>
                        <th scope="col">{group_label(&first.label)}</th>
                        <th scope="col">{group_label(&other.label)}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {rest}
        </section>
    })
}
