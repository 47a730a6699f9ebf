//! What is known of a run as a whole, each with its origin.

use hindscope::RunView;
use leptos::prelude::*;

use crate::ask::Asked;
use crate::components::{LongText, RecordText};
use crate::platform;
use crate::protocol::RunBody;
use crate::views::runs::groups::group_label;

/// Facts in two columns; absent ones are left out.
#[component]
pub(crate) fn RunFacts(run: Asked<RunBody>) -> impl IntoView {
    view! {
        {move || run.answer.with(|run| run.as_ref().map(|run| {
            let task = run.row.view.task.clone();
            view! {
                <section class="facts" aria-label="Facts">
                    {task.map(|task| view! { <div class="fact-task"><LongText text=task/></div> })}
                    <dl>
                        {facts(&run.row.view, &run.row.group)
                            .into_iter()
                            .map(|(name, value)| view! {
                                <div><dt>{name}</dt><dd><RecordText text=value/></dd></div>
                            })
                            .collect::<Vec<_>>()}
                    </dl>
                </section>
            }
        }))}
    }
}

fn facts(view: &RunView, group: &str) -> Vec<(&'static str, String)> {
    let title = hindscope::formats().iter().find(|info| info.id == view.format);
    let mut facts = vec![
        ("Format", title.map_or_else(|| view.format.clone(), |info| info.title.to_owned())),
        ("Group", group_label(group)),
        ("Window \u{3a9}", format!("{}, {}", omega(view.omega), view.omega_provenance)),
        ("First number", format!("{}, {}", view.base, view.base_provenance)),
        ("Reflections", platform::whole(view.reflections)),
    ];
    let origin = match &view.reward_rule {
        Some(rule) => format!("{} by {rule}", view.reward_origin.as_str()),
        None => view.reward_origin.as_str().to_owned(),
    };
    facts.push(("Rewards", origin));
    facts
}

/// The size of a window in words.
pub(crate) fn omega(omega: Option<u8>) -> String {
    omega.map_or_else(|| "unbounded".to_owned(), |omega| omega.to_string())
}
