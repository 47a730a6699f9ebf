//! Which iteration, how large the window, what stays in it.

use hindscope::{OmegaProvenance, Policy};
use leptos::prelude::*;

use crate::components::RecordText;
use crate::format::omega_text;
use crate::platform;
use crate::protocol::{Columns, WindowBody};
use crate::state::App;
use crate::views::window::slider::Slider;

/// The largest window that can be chosen.
pub(crate) const LARGEST: u8 = 10;

/// The definition of a policy, as docs/spec/rules.md has it.
pub(crate) fn definition(policy: Policy) -> &'static str {
    match policy {
        Policy::Fifo => "The last \u{3a9} reflections by number (window/fifo).",
        Policy::Recency => {
            "The last \u{3a9} by the time at which they were written; by number where times are \
             equal or not recorded (window/recency)."
        }
        Policy::RelevanceWeighted => {
            "The \u{3a9} that share most rare words with the task and the latest errors, weighed \
             by age (half as much every 3 iterations) and by their writer's confidence \
             (window/relevance-weighted)."
        }
        _ => "A rule of the core that this page does not describe yet.",
    }
}

/// The scrubber and the rule.
#[component]
pub(crate) fn Controls(
    window: RwSignal<Option<WindowBody>>,
    columns: Memo<Columns>,
    number: Memo<Option<i64>>,
    change: Callback<i8>,
) -> impl IntoView {
    let app = App::get();
    let go = Callback::new(move |to: i64| {
        let place = app.place.get_untracked();
        let tab = place.view.tab().unwrap_or_default();
        app.go(place.with_view(place.view.at(tab, Some(to))), true);
    });
    let title = move || {
        let number = number.get()?;
        let is_next = columns.with(|columns| columns.ordinal(number).is_none());
        Some(if is_next {
            format!("Before the next attempt, {number}")
        } else {
            format!("When iteration {number} began")
        })
    };
    view! {
        <header class="window-controls">
            <h2>{title}</h2>
            <Slider window columns number go/>
        </header>
        <div class="window-rule">
            <Omega window change/>
            <PolicyMenu window/>
            <Budget/>
        </div>
    }
}

/// The stepper of Ω, with where its value comes from.
#[component]
fn Omega(window: RwSignal<Option<WindowBody>>, change: Callback<i8>) -> impl IntoView {
    let app = App::get();
    let omega = Memo::new(move |_| app.place.with(|place| place.query.omega));
    let shown = move || {
        let now = window.with(|body| body.as_ref().and_then(|body| body.view.omega));
        omega_text(omega.get().or(now))
    };
    let origin = move || {
        window.with(|body| {
            let body = body.as_ref()?;
            let (word, place) = if omega.get().is_some() {
                ("configured here", String::new())
            } else {
                let word = match body.given_provenance {
                    OmegaProvenance::Recorded => "recorded in ",
                    _ => "assumed ",
                };
                (word, body.given_place.clone())
            };
            Some(view! { {word}<RecordText text=place/> })
        })
    };
    let given = move || {
        window.with(|body| {
            let body = body.as_ref().filter(|_| omega.get().is_some())?;
            Some(format!("back to {} {}", omega_text(body.given), body.given_provenance))
        })
    };
    view! {
        <div class="omega" role="group" aria-label="Size of the window, omega">
            <span class="omega-name">"\u{3a9}"</span>
            <button
                class="small"
                aria-label="Smaller window"
                disabled=move || omega.get() == Some(0)
                on:click=move |_| change.run(-1)
            >
                "\u{2212}"
            </button>
            <output class="omega-value">{shown}</output>
            <button
                class="small"
                aria-label="Larger window"
                disabled=move || omega.get() == Some(LARGEST)
                on:click=move |_| change.run(1)
            >
                "+"
            </button>
            <span class="omega-origin">{origin}</span>
            {move || given().map(|text| view! {
                <button class="small" on:click=move |_| app.choose(|query| query.omega = None)>
                    {text}
                </button>
            })}
        </div>
    }
}

/// Which reflections stay, with the definition of the one that is chosen.
#[component]
fn PolicyMenu(window: RwSignal<Option<WindowBody>>) -> impl IntoView {
    let app = App::get();
    let now = move || {
        let used = window.with(|body| body.as_ref().map(|body| body.view.policy));
        match app.place.with(|place| place.query.policy.clone()) {
            Some(word) => Policy::named(&word).unwrap_or_default(),
            None => used.unwrap_or_default(),
        }
    };
    let origin = move || {
        let is_chosen = app.place.with(|place| place.query.policy.is_some());
        window.with(|body| match body.as_ref().map(|body| &body.given_policy) {
            _ if is_chosen => "configured here",
            Some((_, true)) => "recorded",
            _ => "assumed",
        })
    };
    let choose = move |event: leptos::ev::Event| {
        let word = platform::value_of(&event);
        let given = window.with_untracked(|body| body.as_ref().map(|it| it.given_policy.0.clone()));
        app.choose(|query| query.policy = Some(word).filter(|word| Some(word) != given.as_ref()));
    };
    view! {
        <div class="policy">
            <label>
                <span class="quiet">"Policy "</span>
                <select aria-describedby="policy-says" on:change=choose prop:value=move || now().as_str()>
                    {Policy::ALL
                        .map(|policy| view! {
                            <option value=policy.as_str() selected=move || now() == policy>
                                {policy.as_str()}
                            </option>
                        })
                        .collect_view()}
                </select>
            </label>
            " "
            <span class="quiet">{origin}</span>
            <p id="policy-says" class="policy-says">{move || definition(now())}</p>
        </div>
    }
}

/// The field for the token budget of the window, in tokens; empty for none.
#[component]
fn Budget() -> impl IntoView {
    let app = App::get();
    let budget = Memo::new(move |_| app.place.with(|place| place.query.budget));
    let choose = move |event: leptos::ev::Event| {
        let text = platform::value_of(&event);
        let budget = text.trim().parse::<u32>().ok();
        app.choose(|query| query.budget = budget);
    };
    view! {
        <label class="budget">
            <span class="quiet">"Token budget "</span>
            <input
                class="field"
                type="number"
                min="0"
                step="1"
                inputmode="numeric"
                placeholder="none"
                title="Filled from the newest on, until one is too large (window/token-budget)"
                prop:value=move || budget.get().map(|budget| budget.to_string()).unwrap_or_default()
                on:change=choose
            />
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_names_its_rule() {
        for policy in Policy::ALL {
            let rule = policy.as_str().replace('_', "-");
            assert!(definition(policy).contains(&format!("window/{rule}")), "{rule}");
        }
    }
}
