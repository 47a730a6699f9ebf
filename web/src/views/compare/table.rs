//! The runs in numbers, regressions against the baseline first.

use leptos::prelude::*;

use crate::components::{OutcomeMark, RecordText, number_heads, or_none, piecemeal};
use crate::format;
use crate::platform;
use crate::protocol::{CompareBody, RunAddress};
use crate::route::{self, run_place};
use crate::state::App;
use crate::views::compare::compared::{Compared, run_name};
use crate::views::compare::errors_and_lessons::{ErrorsAndLessons, READ};
use crate::views::compare::model::{Versus, is_regression, ranked, versus};

/// One row for each run.
#[component]
pub(super) fn RunTable(compared: Compared) -> impl IntoView {
    let rows = move || {
        let base = compared.base.get();
        let order = compared.with(|body| ranked(&body.runs, base))?;
        Some(piecemeal(order.len(), move |rows| {
            compared.peek(|body| {
                let rows = order[rows].iter().map(|at| row(compared, body, *at, base));
                rows.collect::<Vec<_>>()
            })
        }))
    };
    let note = move || {
        let (done, read, all) = compared.errors_and_lessons.progress();
        if done < read {
            Some(format!("Errors and stuck loops: {done} of {read} runs read so far."))
        } else if read < all {
            Some(format!("Errors and stuck loops are read for the first {READ} of {all} runs."))
        } else {
            None
        }
    };
    view! {
        <div class="panel table-box compare-table" tabindex="0" role="region" aria-label="Runs in numbers">
            <table class="plain" id="compare-table">
                <thead>
                    <tr>
                        <th scope="col">"Run"</th>
                        <th scope="col" class="num">"Iter."</th>
                        <th scope="col">"Outcome"</th>
                        {number_heads(["Success", "Best", "Final", "vs base", "Errors", "Stuck"])}
                        <th scope="col"><span class="spoken">"Actions"</span></th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {move || note().map(|text| view! { <p class="quiet" role="status">{text}</p> })}
    }
}

fn row(compared: Compared, body: &CompareBody, at: usize, base: usize) -> impl IntoView + use<> {
    let run = &body.runs[at];
    let view = &run.row.view;
    let id = view.id;
    let href = route::write(&run_place(&run.row.address, None));
    let name = run_name(at, run, body.runs.len());
    let number = |value: Option<f64>| or_none(value.map(format::reward), "none");
    let success = or_none(view.first_success_number.map(|number| format!("at {number}")), "never");
    let is_worse = is_regression(&body.runs, at, base);
    let against = match versus(&body.runs, at, base) {
        Versus::Base => view! { <span class="quiet">"base"</span> }.into_any(),
        Versus::Change(by) => {
            let class = if is_worse { "num fail" } else { "num" };
            view! { <span class=class>{format::delta(by)}</span> }.into_any()
        }
        Versus::Unlike => view! { <span class="none">"n/a"</span> }.into_any(),
    };
    let pending = move || if ErrorsAndLessons::is_read(at) { "\u{2026}" } else { "not read" };
    let known = move || {
        ErrorsAndLessons::is_read(at).then(|| compared.errors_and_lessons.get(id)).flatten()
    };
    let errors = move || match known() {
        Some(known) if !known.knows_errors && known.errors.is_empty() => "?".to_owned(),
        Some(known) => known.errors.len().to_string(),
        None => pending().to_owned(),
    };
    let stuck = move || match known() {
        Some(known) => {
            let title: Vec<String> =
                known.stuck.iter().map(|(rule, text)| format!("{rule}: {text}")).collect();
            view! { <span title=title.join("\n")>{known.stuck.len()}</span> }.into_any()
        }
        None => pending().into_any(),
    };
    view! {
        <tr class:regression=is_worse>
            <th scope="row">
                <a href=href><RecordText text=name/></a>
                {is_worse.then(|| view! { <span class="quiet fail">" worse than base"</span> })}
            </th>
            <td class="num" data-label="Iter.">{platform::whole(view.iterations)}</td>
            <td data-label="Outcome"><OutcomeMark outcome=view.outcome/></td>
            <td class="num" data-label="Success">{success}</td>
            <td class="num" data-label="Best">{number(view.best)}</td>
            <td class="num" data-label="Final">{number(view.last)}</td>
            <td class="num" data-label="vs base">{against}</td>
            <td class="num" data-label="Errors">{errors}</td>
            <td class="num" data-label="Stuck">{stuck}</td>
            <td class="num take-out">{remove(run.row.address.clone())}</td>
        </tr>
    }
}

/// Takes a run out of the comparison.
fn remove(run: RunAddress) -> impl IntoView {
    let app = App::get();
    let label = format!("Take {} out", run.key);
    view! {
        <button
            class="small chip-close"
            aria-label=label
            on:click=move |_| app.choose(|query| {
                query.lists.runs.retain(|one| *one != run);
                query.lists.pair.retain(|one| *one != run);
                if query.lists.runs.is_empty() {
                    // Nothing is left, so nothing is marked.
                    app.marks.set(Vec::new());
                }
            })
        >
            "\u{d7}"
        </button>
    }
}
