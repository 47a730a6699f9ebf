//! What the parts of a run about its lessons have in common.

use hindscope::RunId;
use leptos::prelude::*;

use crate::components::Steps;
use crate::format::{counted, noun};
use crate::platform;
use crate::protocol::{LearnBody, LearnOf, Query, Reach};
use crate::state::{App, Asked, asked};

/// Numbers of a list that become links; more are counted.
const LINKS: usize = 24;

/// Asks for a part of what a run teaches.
pub(crate) fn learnt(
    id: Memo<Option<RunId>>,
    of: impl Fn() -> Option<LearnOf> + Send + Sync + 'static,
) -> Asked<LearnBody> {
    asked(
        move || Some(Query::Learn { run: id.get()?, of: of()? }),
        |answer| answer.try_as_learn().map(|body| *body),
    )
}

/// A link to an iteration in the tab that is open.
#[component]
pub(crate) fn StepLink(number: i64, steps: Steps) -> impl IntoView {
    let app = App::get();
    let href = move || {
        app.place.with(|place| place.href_at(place.view.tab().unwrap_or_default(), Some(number)))
    };
    let click = move |event: leptos::ev::MouseEvent| {
        // Stepping through a run is one step back, not one per iteration.
        if event.ctrl_key() || event.meta_key() || event.shift_key() {
            return;
        }
        if let Some(at) = steps.columns.with_untracked(|columns| columns.ordinal(number)) {
            event.prevent_default();
            steps.select.run(at);
        }
    };
    view! {
        <a class="number" href=href on:click=click aria-label=format!("Iteration {number}")>{number}</a>
    }
}

/// Links to iterations; of a long list the first, and how many more there are.
#[component]
pub(crate) fn StepLinks(numbers: Vec<i64>, steps: Steps) -> impl IntoView {
    let more = numbers.len().saturating_sub(LINKS);
    let more = u32::try_from(more).ok().filter(|more| *more > 0);
    view! {
        <span class="number-links">
            {numbers
                .into_iter()
                .take(LINKS)
                .map(|number| view! { <StepLink number steps/> })
                .collect_view()}
            {more.map(|more| view! {
                <span class="quiet">{format!("and {} more", platform::whole(more))}</span>
            })}
        </span>
    }
}

/// Why there is no answer, or how far it reaches.
#[component]
pub(crate) fn Notes(body: Asked<LearnBody>) -> impl IntoView {
    view! {
        {move || body.problem.get().map(|problem| view! { <p class="advice">{problem}</p> })}
        {move || body.answer.with(|body| body.as_ref().map(|body| {
            view! { <ReachNote reach=body.reach.clone()/> }
        }))}
    }
}

/// What could not be looked at, and which rules are silent because of it.
#[component]
pub(crate) fn ReachNote(reach: Reach) -> impl IntoView {
    sentence(&reach).map(|text| {
        let rules = reach.left_out.join(", ");
        view! {
            <div class="advice reach">
                <p>{text}</p>
                {(!rules.is_empty()).then(|| view! {
                    <details>
                        <summary>"Which rules"</summary>
                        <p class="rule">{rules}</p>
                    </details>
                })}
            </div>
        }
    })
}

fn sentence(reach: &Reach) -> Option<String> {
    let mut parts = Vec::new();
    if reach.unread > 0 {
        let unread = counted(reach.unread, "record");
        let were = if reach.unread == 1 { "was" } else { "were" };
        parts.push(format!("{unread} {were} not read: there are too many."));
    }
    if let Some(problem) = &reach.problem {
        // Some reasons are sentences already.
        let problem = problem.trim_end_matches('.');
        parts.push(format!("Not every record could be read: {problem}."));
    } else if reach.missing > reach.unread {
        let missing = counted(reach.missing - reach.unread, "record");
        parts.push(format!("{missing} could not be read."));
    }
    let silent = reach.left_out.len();
    if silent > 0 {
        let rules = noun(silent as u64, "rule");
        parts.push(format!("Left out for that: {silent} {rules}."));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_read_is_said() {
        assert_eq!(sentence(&Reach::default()), None);
        let reach = Reach {
            unread: 1200,
            missing: 1200,
            left_out: vec!["stuck/cycle-2".into()],
            problem: None,
        };
        assert_eq!(
            sentence(&reach).as_deref(),
            Some("1,200 records were not read: there are too many. Left out for that: 1 rule.")
        );
        let reach = Reach { problem: Some("a.jsonl: gone".into()), ..Reach::default() };
        assert_eq!(
            sentence(&reach).as_deref(),
            Some("Not every record could be read: a.jsonl: gone.")
        );
    }
}
