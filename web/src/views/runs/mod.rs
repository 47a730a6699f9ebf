//! Every run that is open, and above them how many were solved after each attempt.

pub(crate) mod curve;
pub(crate) mod groups;
pub(crate) mod list;

use hindscope::Outcome;
use leptos::prelude::*;

use crate::app::HEADING;
use crate::format::noun;
use crate::platform;
use crate::protocol::{Choice, ExportOf, Sort};
use crate::route::Query as Choices;
use crate::state::App;
use crate::views::export::ExportMenu;
use crate::views::runs::groups::Groups;
use crate::views::runs::list::RunsList;

/// Id of the filter field.
const FILTER: &str = "filter";

/// Outcomes that can be filtered by, in this order.
const OUTCOMES: [Outcome; 7] = [
    Outcome::Success,
    Outcome::Partial,
    Outcome::Failure,
    Outcome::Running,
    Outcome::Aborted,
    Outcome::Void,
    Outcome::Unknown,
];

/// The list of runs with its summary and filters.
#[component]
pub(crate) fn Runs() -> impl IntoView {
    let app = App::get();
    platform::set_title("Runs - hindscope");
    let choice = Memo::new(move |_| app.place.with(|place| choice(&place.query)));
    Effect::new(move |_| app.choice.set(choice.get()));
    let counts = RwSignal::new((0u32, 0u32));
    let is_empty = Memo::new(move |_| app.summary.with(|summary| summary.runs == 0));
    view! {
        <div class="page runs">
            <header class="runs-head">
                <h1 id=HEADING tabindex="-1">
                    {move || {
                        let runs = app.summary.with(|summary| summary.runs);
                        format!("{} {}", platform::whole(runs), noun(u64::from(runs), "run"))
                    }}
                </h1>
                <p class="quiet">{move || app.summary.with(subtitle)}</p>
                <Show when=move || !is_empty.get()>
                    <ExportMenu
                        label="Export the runs shown"
                        runs=move || ExportOf::Shown(choice.get_untracked())
                        count=Signal::derive(move || counts.get().1)
                    />
                </Show>
            </header>
            <Show
                when=move || !is_empty.get()
                fallback=|| {
                    view! {
                        <p class="advice">
                            "No run is open. "<a href="#/">"Open files or a sample"</a>"."
                        </p>
                    }
                }
            >
                <Groups/>
                <Filters choice counts/>
                <RunsList choice counts/>
            </Show>
        </div>
    }
}

fn subtitle(summary: &crate::protocol::Summary) -> String {
    let part = |count: u32, one: &str| {
        format!("{} {}", platform::whole(count), noun(u64::from(count), one))
    };
    let groups = match summary.groups {
        0 | 1 => String::new(),
        several => format!(" in {}", part(several, "group")),
    };
    format!(
        "from {}{groups}, with {}",
        part(summary.sources, "file"),
        part(summary.reflections, "reflection"),
    )
}

/// Filter and order, as the address has them.
pub(crate) fn choice(query: &Choices) -> Choice {
    let sort = query.sort.as_deref().unwrap_or_default();
    let (name, is_falling) = sort.strip_prefix('-').map_or((sort, false), |name| (name, true));
    Choice {
        text: query.text.clone().unwrap_or_default(),
        outcome: query
            .outcome
            .as_ref()
            .and_then(|word| OUTCOMES.into_iter().find(|outcome| outcome.as_str() == word)),
        sort: Sort::ALL.into_iter().find(|column| column.name() == name),
        is_falling,
    }
}

/// Filters, and how many runs they leave.
#[component]
fn Filters(choice: Memo<Choice>, counts: RwSignal<(u32, u32)>) -> impl IntoView {
    let app = App::get();
    let is_filtered =
        Memo::new(move |_| choice.with(|c| !c.text.is_empty() || c.outcome.is_some()));
    let shown = move || {
        let (all, total) = counts.get();
        let all_text = format!("{} {}", platform::whole(all), noun(u64::from(all), "run"));
        if all == total {
            format!("All {all_text}")
        } else {
            let hidden = platform::whole(all - total);
            format!("Showing {} of {all_text}; {hidden} hidden by filters", platform::whole(total))
        }
    };
    view! {
        <div class="filters" role="search">
            <input
                id=FILTER
                class="field"
                type="search"
                placeholder="Filter by name, task or group"
                aria-label="Filter runs by name, task or group"
                prop:value=move || choice.with(|choice| choice.text.clone())
                on:input=move |event| {
                    let text = platform::value_of(&event);
                    app.choose(|query| query.text = Some(text).filter(|text| !text.is_empty()));
                }
            />
            <select
                class="field"
                aria-label="Outcome"
                on:change=move |event| {
                    let word = platform::value_of(&event);
                    app.choose(|query| query.outcome = Some(word).filter(|word| !word.is_empty()));
                }
                prop:value=move || {
                    choice.with(|choice| choice.outcome.map_or("", Outcome::as_str))
                }
            >
                <option value="">"any outcome"</option>
                {OUTCOMES
                    .into_iter()
                    .map(|outcome| {
                        view! { <option value=outcome.as_str()>{outcome.as_str()}</option> }
                    })
                    .collect::<Vec<_>>()}
            </select>
            <span class="count-line" role="status">{shown}</span>
            <Show when=move || is_filtered.get()>
                <button
                    class="small"
                    on:click=move |_| {
                        app.choose(|query| {
                            query.text = None;
                            query.outcome = None;
                        });
                    }
                >
                    "Clear"
                </button>
            </Show>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::read;

    #[test]
    fn reads_filter_and_order_from_the_address() {
        let got = choice(&read("#/runs?sort=-last&q=env%20x&outcome=failure").query);
        assert_eq!(got.sort, Some(Sort::Last));
        assert!(got.is_falling);
        assert_eq!((got.text.as_str(), got.outcome), ("env x", Some(Outcome::Failure)));
        assert_eq!(choice(&read("#/runs?sort=nonsense&outcome=x").query), Choice::default());
    }
}
