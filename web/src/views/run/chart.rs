//! The chart of a run with its readout, and the same numbers as a table.

use std::fmt::Write as _;

use hindscope::Origin;
use leptos::prelude::*;

use crate::ask::Asked;
use crate::chart::{ChartView, RunChart};
use crate::format::{self, noun};
use crate::protocol::{Columns, RunBody};
use crate::state::App;
use crate::views::runs::curve::TableButton;

/// Reward, change and outcome over the iterations.
#[component]
pub(crate) fn RunChartPanel(
    run: Asked<RunBody>,
    columns: Memo<Columns>,
    at: Memo<Option<usize>>,
    select: Callback<usize>,
    has_rewards: Memo<bool>,
) -> impl IntoView {
    let app = App::get();
    let hovered = RwSignal::new(None::<usize>);
    let selected = Signal::derive(move || at.get());
    let is_derived = Memo::new(move |_| {
        run.answer.with(|run| {
            run.as_ref().is_some_and(|run| run.row.view.reward_origin == Origin::Derived)
        })
    });
    let readout = Memo::new(move |_| {
        let shown = hovered.get().or(at.get())?;
        columns.with(|columns| sentence(columns, shown, is_derived.get()))
    });
    let title = Memo::new(move |_| {
        run.answer.with(|run| {
            run.as_ref().map_or("", |run| match run.row.view.reward_origin {
                Origin::Reported => "Reward, reported",
                Origin::Derived => "Reward, derived",
                Origin::None => "Outcomes",
            })
        })
    });
    let rule = Memo::new(move |_| {
        run.answer.with(|run| {
            let view = &run.as_ref()?.row.view;
            view.reward_rule.clone().filter(|_| view.reward_origin == Origin::Derived)
        })
    });
    let step = move |by: isize| {
        let last = columns.with_untracked(Columns::len).saturating_sub(1);
        if let Some(now) = at.get_untracked() {
            select.run(now.saturating_add_signed(by).min(last));
        }
    };
    let keydown = move |event: leptos::ev::KeyboardEvent| {
        match event.key().as_str() {
            "ArrowLeft" => step(-1),
            "ArrowRight" => step(1),
            "Home" => step(isize::MIN),
            "End" => step(isize::MAX),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let draw = move |width| {
        let (origin, best) = run.answer.with(|run| {
            let view = &run.as_ref()?.row.view;
            Some((view.reward_origin, view.best_number))
        })?;
        columns.with(|columns| {
            (columns.len() > 0).then(|| RunChart::new(columns, origin, best, width))
        })
    };
    view! {
        <figure class="panel run-chart" aria-labelledby="chart-title">
            <figcaption class="panel-head">
                <h2 id="chart-title">
                    {move || title.get()}
                    {move || rule.get().map(|rule| view! { " " <code class="rule">{rule}</code> })}
                </h2>
                <span class="readout">{move || readout.get()}</span>
                <TableButton/>
            </figcaption>
            <Show when=move || !has_rewards.get()>
                <p class="lane-note">"No reward was recorded. Outcomes are shown."</p>
            </Show>
            <Show
                when=move || !app.as_table.get()
                fallback=move || columns.with(|columns| table(columns, title.get()))
            >
                <div
                    class="chart-slider"
                    role="slider"
                    tabindex="0"
                    aria-label="Iteration"
                    aria-valuemin="1"
                    aria-valuemax=move || columns.with(Columns::len).to_string()
                    aria-valuenow=move || (at.get().unwrap_or_default() + 1).to_string()
                    aria-valuetext=move || readout.get()
                    on:keydown=keydown
                >
                    <ChartView draw selected hovered on_pick=select/>
                </div>
            </Show>
        </figure>
    }
}

/// One iteration in a line.
fn sentence(columns: &Columns, at: usize, is_derived: bool) -> Option<String> {
    let mut text = format!("Iteration {}: {}", columns.number(at)?, columns.outcome(at).as_str());
    match columns.rewards.get(at) {
        Some(reward) => {
            let origin = if is_derived { "derived reward" } else { "reward" };
            let _ = write!(text, ", {origin} {}", format::reward(reward));
        }
        None if columns.rewards.iter().any(|reward| reward.is_some()) => {
            text.push_str(", no reward");
        }
        None => {}
    }
    if let Some(delta) = columns.deltas.get(at) {
        let _ = write!(text, " ({})", format::delta(delta));
    }
    if let Some(errors) = columns.errors.get(at) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let count = errors as u64;
        let _ = write!(text, ", {count} {}", noun(count, "error"));
    }
    Some(text)
}

/// The numbers of the chart. What is absent is said, never written as zero.
fn table(columns: &Columns, title: &'static str) -> impl IntoView + use<> {
    let rows: Vec<_> = (0..columns.len())
        .map(|at| {
            let reward = columns.rewards.get(at).map_or("no reward".to_owned(), format::reward);
            let stored = columns.stored.get(at).map(format::delta);
            view! {
                <tr>
                    <th scope="row" class="num">{columns.number(at)}</th>
                    <td>{columns.outcome(at).as_str()}</td>
                    <td class="num">{reward}</td>
                    <td class="num">{columns.deltas.get(at).map(format::delta)}</td>
                    <td class="num">{stored}</td>
                    <td class="num">{columns.errors.get(at).map(|errors| errors.to_string())}</td>
                    <td class="num">{columns.findings.get(at).map(|count| count.to_string())}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <div class="table-box" tabindex="0" role="region" aria-label=title>
            <table class="plain" id="run-table">
                <thead>
                    <tr>
                        <th scope="col" class="num">"Iteration"</th>
                        <th scope="col">"Outcome"</th>
                        <th scope="col" class="num">{title}</th>
                        <th scope="col" class="num">"Change"</th>
                        <th scope="col" class="num">"File says"</th>
                        <th scope="col" class="num">"Errors"</th>
                        <th scope="col" class="num">"Findings"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_one_iteration_in_a_line() {
        let columns = Columns {
            numbers: [8.0, 9.0].into_iter().collect(),
            rewards: [Some(0.53), None].into_iter().collect(),
            deltas: [Some(-0.12), None].into_iter().collect(),
            errors: [Some(1.0), None].into_iter().collect(),
            outcomes: "FP".to_owned(),
            ..Columns::default()
        };
        assert_eq!(
            sentence(&columns, 0, false).as_deref(),
            Some("Iteration 8: failure, reward 0.530 (−0.120), 1 error")
        );
        assert_eq!(sentence(&columns, 1, true).as_deref(), Some("Iteration 9: success, no reward"));
        assert_eq!(sentence(&columns, 2, false), None);
    }
}
