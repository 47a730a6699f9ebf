//! Two experiments over the same tasks (`headline/compare`).

use leptos::prelude::*;

use crate::components::menu_options;
use crate::format::group_label;
use crate::platform;
use crate::protocol::{Answer, Query};
use crate::state::{App, asked};

/// The choice of two groups, and how far they differ.
#[component]
pub(super) fn Experiments() -> impl IntoView {
    let app = App::get();
    let has_groups = Memo::new(move |_| app.summary.with(|summary| summary.groups > 1));
    view! {
        <Show when=move || has_groups.get()>
            <Chosen/>
        </Show>
    }
}

#[component]
fn Chosen() -> impl IntoView {
    let app = App::get();
    let groups = asked(|| Some(Query::Groups), Answer::try_as_groups);
    let chosen = Memo::new(move |_| app.place.with(|place| place.query.lists.experiments.clone()));
    let body = asked(
        move || {
            let labels: [String; 2] = chosen.get().try_into().ok()?;
            let at = app.place.with(|place| place.query.lists.trial);
            Some(Query::Experiments { labels, at })
        },
        Answer::try_as_experiments,
    );
    let labels = Memo::new(move |_| {
        groups.answer.with(|page| {
            let rows = page.iter().flat_map(|page| &page.rows);
            rows.map(|group| group.label.clone())
                .filter(|label| !label.is_empty())
                .collect::<Vec<_>>()
        })
    });
    let menu = move |side: usize, label: &'static str| {
        let options = move || {
            let now = chosen.with(|chosen| chosen.get(side).cloned());
            let all = labels.get().into_iter().map(|label| (label.clone(), group_label(&label)));
            menu_options(all.collect(), now.as_deref())
        };
        let put = move |event| {
            let label = platform::value_of(&event);
            // The other side is whatever is left, until the reader says otherwise.
            let all = labels.get_untracked();
            app.choose(|query| {
                let other = query.lists.experiments.get(1 - side).cloned();
                let other = other.filter(|other| *other != label);
                let other = other.or_else(|| all.into_iter().find(|one| *one != label));
                let Some(other) = other else { return };
                query.lists.experiments =
                    if side == 0 { vec![label, other] } else { vec![other, label] };
            });
        };
        view! {
            <label>
                {label}" "
                <select class="field pick" aria-label=label on:change=put>
                    <option value="" disabled selected=move || chosen.with(Vec::is_empty)>"choose"</option>
                    {options}
                </select>
            </label>
        }
    };
    let trial = move || {
        body.answer.with(|body| {
            let body = body.as_ref()?;
            let trials = body.trials.iter().map(|trial| (trial.to_string(), trial.to_string()));
            let options = menu_options(trials.collect(), Some(&body.at.to_string()));
            let put = move |event| {
                let trial = platform::value_of(&event).parse().ok();
                app.choose(|query| query.lists.trial = trial);
            };
            Some(view! { <label>"up to trial "<select class="field" on:change=put>{options}</select></label> })
        })
    };
    view! {
        <section class="panel experiments" aria-label="Two experiments">
            <header class="panel-head">
                <h2>"Two experiments over the same tasks "<code class="rule">"headline/compare"</code></h2>
            </header>
            <div class="filters">{menu(0, "experiment")}{menu(1, "baseline")}{trial}</div>
            {move || body.problem.get().map(|problem| view! { <p class="advice">{problem}</p> })}
            {move || body.answer.with(|body| body.as_ref().map(|body| view! {
                <p class="experiments-result"><strong>{body.says.clone()}</strong></p>
            }))}
            <p class="quiet">
                "Only tasks that both have, and that say how they ended, are counted."
            </p>
        </section>
    }
}
