//! The two iterations whose lessons are compared.

use leptos::prelude::*;

use crate::components::Steps;
use crate::platform;
use crate::protocol::Patterns;
use crate::state::App;

/// Iterations that a list is offered for; more are typed.
const CHOICES: usize = 400;

/// The two iterations that are compared; the later one is the selected one.
#[component]
pub(crate) fn Ends(
    from: Memo<Option<i64>>,
    to: Memo<Option<i64>>,
    patterns: Memo<Option<Patterns>>,
    steps: Steps,
) -> impl IntoView {
    let app = App::get();
    let choose_from = move |number: i64| {
        app.choose(|query| query.from = Some(number.to_string()));
    };
    let choose_to = move |number: i64| {
        if let Some(at) = steps.columns.with_untracked(|columns| columns.ordinal(number)) {
            steps.select.run(at);
        }
    };
    let numbers = Memo::new(move |_| {
        patterns.with(|patterns| patterns.as_ref().map(|p| p.numbers.clone()).unwrap_or_default())
    });
    view! {
        <span class="ends">
            <Pick label="from" value=from numbers pick=Callback::new(choose_from)/>
            <Pick label="to" value=to numbers pick=Callback::new(choose_to)/>
        </span>
    }
}

/// A list of iterations, or a field where there are too many of them.
#[component]
fn Pick(
    label: &'static str,
    value: Memo<Option<i64>>,
    numbers: Memo<Vec<i64>>,
    pick: Callback<i64>,
) -> impl IntoView {
    let change = move |event: leptos::ev::Event| {
        if let Ok(number) = platform::value_of(&event).parse() {
            pick.run(number);
        }
    };
    let is_long = Memo::new(move |_| numbers.with(|numbers| numbers.len() > CHOICES));
    let text = move || value.get().map(|number| number.to_string()).unwrap_or_default();
    let options = move || {
        let mut all = numbers.get();
        // One without lessons can be looked at, too.
        if let Some(own) = value.get()
            && let Err(at) = all.binary_search(&own)
        {
            all.insert(at, own);
        }
        let option = |number: i64| {
            view! {
                <option value=number.to_string() selected=move || value.get() == Some(number)>
                    {number}
                </option>
            }
        };
        all.into_iter().map(option).collect_view()
    };
    view! {
        <label class="pick">
            <span>{label}</span>
            <Show
                when=move || is_long.get()
                fallback=move || view! {
                    <select class="field" on:change=change prop:value=text>{options}</select>
                }
            >
                <input class="field" type="number" prop:value=text on:change=change/>
            </Show>
        </label>
    }
}
