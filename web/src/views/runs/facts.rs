//! Numbers beside the curve: attempt by attempt, retries, failure categories, trust, groups.

use hindscope::{AttemptSum, CategoryCount, StableSort as _, Trust};
use std::fmt::Write as _;

use leptos::prelude::*;

use crate::chart::CurveLine;
use crate::components::{RecordText, number_heads, or_none};
use crate::format::{self, counted, group_label};
use crate::platform;
use crate::protocol::{Answer, CategoriesBody, Choice, Query, SummaryBody};
use crate::state::App;
use crate::views::runs::filters::Counts;
use crate::views::runs::groups::GroupTable;

/// Attempts that are listed.
const ATTEMPTS: usize = 100;

/// The runs shown, attempt by attempt.
#[component]
pub(super) fn Attempts(body: RwSignal<Option<SummaryBody>>) -> impl IntoView {
    let rows = move || {
        body.with(|body| {
            let attempts = body.iter().flat_map(|body| &body.attempts.attempts);
            attempts.take(ATTEMPTS).map(attempt).collect::<Vec<_>>()
        })
    };
    let rest = move || {
        let all = body.with(|body| body.as_ref().map_or(0, |b| b.attempts.attempts.len()));
        (all > ATTEMPTS).then(|| {
            let text = format!("The first {ATTEMPTS} of {all} attempts are listed.");
            view! { <p class="quiet rest">{text}</p> }
        })
    };
    view! {
        <div class="panel part" tabindex="0" role="region" aria-label="Attempt by attempt">
            <table class="plain" id="attempts-table">
                <thead>
                    <tr>
                        <th scope="col" class="num" title="n-th attempt of a run, whatever its number">"Nth"</th>
                        {number_heads(["Tried", "Solved", "Success", "Mean reward", "Rewards"])}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {rest}
        </div>
    }
}

fn attempt(sum: &AttemptSum) -> impl IntoView + use<> {
    let success = sum.success_at.map(|share| format::percent(share, 1.0));
    let mean = sum.mean_reward.map(format::reward);
    let is_faint = sum.is_faint && mean.is_some();
    view! {
        <tr>
            <th scope="row" class="num">{sum.attempt}</th>
            <td class="num">{platform::whole(sum.attempted)}</td>
            <td class="num">{platform::whole(sum.solved_after)}</td>
            <td class="num">{or_none(success, "none")}</td>
            <td class="num" class:faint=is_faint>{or_none(mean, "none")}</td>
            <td class="num quiet">
                {platform::whole(sum.rewarded)}{is_faint.then_some(", few")}
            </td>
        </tr>
    }
}

/// Everything else that the runs shown come to.
#[component]
pub(super) fn Facts(
    body: RwSignal<Option<SummaryBody>>,
    choice: Memo<Choice>,
    counts: RwSignal<Counts>,
    lines: Memo<Vec<CurveLine>>,
) -> impl IntoView {
    let parts = move || {
        body.with(|body| {
            let body = body.as_ref()?;
            let groups = body.groups.clone();
            Some(view! {
                {(groups.all > 1).then(|| view! { <GroupTable groups lines/> })}
                {trust(&body.trusts)}
            })
        })
    };
    view! {
        <div class="panel part facts-part" tabindex="0" role="region" aria-label="What they come to">
            {parts}
            <Categories choice counts/>
        </div>
    }
}

/// How far internal tests can be believed (`evaluator/trust`).
fn trust(trusts: &[(String, Trust)]) -> Option<AnyView> {
    if trusts.is_empty() {
        return None;
    }
    let cell = |rate: Option<f64>, part: u32, all: u32| {
        let text = rate.map(|rate| format!("{:.1} %", rate * 100.0));
        let counts = format!("{} of {}", platform::whole(part), platform::whole(all));
        view! { <td class="num">{or_none(text, "none")}<span class="quiet">{counts}</span></td> }
    };
    let rows = trusts.iter().map(|(label, trust)| {
        let assumed = trust.is_strategy_assumed.then_some(" strategy assumed");
        let inferred = trust.is_limit_inferred.then_some(" limit inferred");
        let Trust { passed, passed_solved, never, never_solved, .. } = *trust;
        view! {
            <tr>
                <th scope="row">
                    <RecordText text=group_label(label)/>
                    <span class="quiet">{assumed}{inferred}</span>
                </th>
                {cell(trust.true_positive, passed_solved, passed)}
                {cell(trust.false_positive, passed - passed_solved, passed)}
                {cell(trust.false_negative, never_solved, never)}
                {cell(trust.true_negative, never - never_solved, never)}
            </tr>
        }
    });
    let rows: Vec<_> = rows.collect();
    Some(
        view! {
            <h3>"Trust in the evaluator" <code class="rule">"evaluator/trust"</code></h3>
            <table class="plain trust">
                <thead>
                    <tr>
                        <th scope="col">"Group"</th>
                        {number_heads(["TP", "FP", "FN", "TN"])}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <p class="quiet">
                "TP and FP: of the tasks whose internal tests passed, the shares that were solved and not solved. FN and TN: the same shares of the tasks that used all reflections; their internal tests did not pass before the last attempt. Filters do not change these shares."
            </p>
        }
        .into_any(),
    )
}

/// Failure categories, counted run by run for as long as the summary is open.
#[component]
fn Categories(choice: Memo<Choice>, counts: RwSignal<Counts>) -> impl IntoView {
    let app = App::get();
    let sums = RwSignal::new(None::<CategoriesBody>);
    let asked = StoredValue::new(0u32);
    let shown =
        Memo::new(move |_| Choice { closed: Vec::new(), sort: None, by: None, ..choice.get() });
    let version = Memo::new(move |_| app.summary.with(|summary| summary.version));
    // While a filter by failure category still looks at runs, the runs shown change, and with them the
    // positions that the count goes by.
    let waits = Memo::new(move |_| {
        let is_complete = |counts: &Counts| counts.categories.is_none_or(|one| one.is_complete());
        shown.with(Choice::filters_category) && !counts.with(is_complete)
    });
    Effect::new(move |_| {
        version.get();
        app.withdraw(asked.get_value());
        sums.set(None);
        if !waits.get() {
            go_on(app, shown.get(), sums, asked);
        }
    });
    on_cleanup(move || {
        if let Some(id) = asked.try_get_value() {
            app.withdraw(id);
        }
    });
    view! {
        {move || {
            waits.get().then(|| view! { <p class="quiet">"Failure categories are counted once all runs were looked at."</p> })
        }}
        {move || sums.with(|sums| sums.as_ref().and_then(categories))}
    }
}

/// Asks for the next runs until all were looked at.
fn go_on(
    app: App,
    choice: Choice,
    sums: RwSignal<Option<CategoriesBody>>,
    asked: StoredValue<u32>,
) {
    let from = sums.with_untracked(|sums| sums.as_ref().map_or(0, |sums| sums.looked));
    let again = choice.clone();
    let id = app.ask_for_page(Query::Categories { choice, from }, move |answer| {
        let Answer::Categories(more) = answer else { return };
        let is_done = more.looked == 0 || from + more.looked >= more.total;
        let _ = sums.try_update(|sums| {
            let before = sums.take().unwrap_or_default();
            *sums = Some(CategoriesBody {
                looked: before.looked + more.looked,
                total: more.total,
                unread: before.unread + more.unread,
                counts: together(before.counts, more.counts),
            });
        });
        if !is_done && sums.try_get_untracked().is_some() {
            go_on(app, again, sums, asked);
        }
    });
    asked.set_value(id);
}

/// Adds counts up, most frequent first, then by name.
fn together(counts: Vec<CategoryCount>, more: Vec<CategoryCount>) -> Vec<CategoryCount> {
    let mut sums = counts;
    for one in more {
        match sums.iter_mut().find(|sum| sum.category == one.category) {
            Some(sum) => sum.reflections += one.reflections,
            None => sums.push(one),
        }
    }
    sums.stable_sort_by(|a, b| {
        b.reflections.cmp(&a.reflections).then_with(|| a.category.cmp(&b.category))
    });
    sums
}

/// None where all runs were looked at, and none of their reflections names a category.
fn categories(body: &CategoriesBody) -> Option<AnyView> {
    if body.counts.is_empty() && body.unread == 0 && body.looked >= body.total {
        return None;
    }
    let most = body.counts.first().map_or(1, |one| one.reflections).max(1);
    let rows: Vec<_> = body
        .counts
        .iter()
        .map(|one| {
            let width = format!("{:.0}%", f64::from(one.reflections) / f64::from(most) * 100.0);
            view! {
                <li>
                    <span class="category"><RecordText text=one.category.clone()/></span>
                    <span class="bar-track"><span class="bar-fill" style:width=width></span></span>
                    <span class="num">{platform::whole(one.reflections)}</span>
                </li>
            }
        })
        .collect();
    let mut note = if body.looked < body.total {
        format!(
            "{} of {} runs counted so far",
            platform::whole(body.looked),
            platform::whole(body.total)
        )
    } else {
        format!(
            "Counted over {}: the reflections that name a category.",
            counted(body.total, "run")
        )
    };
    if body.unread > 0 {
        let _ = write!(note, " Not read: {}.", counted(body.unread, "record"));
    }
    Some(
        view! {
            <h3>"Failure categories"</h3>
            <ul class="categories">{rows}</ul>
            <p class="quiet">{note}</p>
        }
        .into_any(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_parts_add_up() {
        let count = |category: &str, reflections| CategoryCount {
            category: category.to_owned(),
            reflections,
        };
        let sums = together(vec![count("logic", 2), count("type", 1)], vec![count("type", 4)]);
        assert_eq!(sums, [count("type", 5), count("logic", 2)]);
    }
}
