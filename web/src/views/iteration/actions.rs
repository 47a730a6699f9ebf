//! What was done in an iteration, and what points at it.

use std::fmt::Write as _;
use std::sync::Arc;

use hindscope::{Action, Credit, Details};
use leptos::prelude::*;

use crate::components::{Diff, Fold, LongText, NamedText, Output, RecordText, TimeText};
use crate::format;
use crate::platform;
use crate::protocol::{NotesBody, count};
use crate::state::{App, attempt_href};

/// Actions that are listed; whoever wants more of them replays them.
const LISTED: usize = 200;

/// Actions in order. Those that the reflection blames say so.
#[component]
pub(crate) fn Actions(
    details: Details,
    /// The iteration.
    number: i64,
    notes: Memo<Option<NotesBody>>,
) -> impl IntoView {
    let app = App::get();
    let actions = details.actions;
    if actions.is_empty() {
        return None;
    }
    let replay = attempt_href(app, number, None);
    let failing = actions.iter().filter(|action| action.is_credited).count();
    let mut note = actions.len().to_string();
    if failing > 0 {
        let _ = write!(note, ", {failing} marked failing");
    }
    let more = actions.len().saturating_sub(LISTED);
    // What a link of an action is called.
    let errors: Vec<String> =
        details.errors.iter().map(|error| format!("error {}", error.kind)).collect();
    let checks: Vec<String> = details.checks.iter().map(|check| check.tool.clone()).collect();
    let names = Arc::new((errors, checks));
    Some(view! {
        <Fold title="Actions" note>
            <p><a class="replay-link" href=replay>"Replay them one by one"</a></p>
            <ol class="actions" start="0">
                {actions
                    .clone()
                    .into_iter()
                    .take(LISTED)
                    .enumerate()
                    .map(|(at, action)| {
                        view! { <ActionItem at action names=Arc::clone(&names) notes/> }
                    })
                    .collect::<Vec<_>>()}
            </ol>
            {(more > 0).then(|| view! {
                <p class="quiet">
                    {format!(
                        "Not listed here: {} more {}. The replay has all of them.",
                        platform::whole(count(more)),
                        format::noun(more as u64, "action"),
                    )}
                </p>
            })}
        </Fold>
    })
}

#[component]
fn ActionItem(
    at: usize,
    action: Action,
    names: Arc<(Vec<String>, Vec<String>)>,
    notes: Memo<Option<NotesBody>>,
) -> impl IntoView {
    let counts = counts(&action);
    let tied = move || {
        let credit = notes.with(|notes| {
            let credits = &notes.as_ref()?.credits;
            credits.iter().find(|credit| credit.action as usize == at).cloned()
        })?;
        tied(&credit, &names)
    };
    view! {
        <li class="action" id=format!("action-{at}") tabindex="-1" class:failing=action.is_credited>
            <div class="action-head">
                <span class="index">{at}</span>
                {action.is_credited.then(|| view! { <span class="failing-mark" aria-hidden="true">"!"</span> })}
                <code class="kind"><RecordText text=action.kind/></code>
                {action.path.map(|path| view! { <code class="file"><RecordText text=path/></code> })}
                {action.tool.map(|tool| view! { <code class="file"><RecordText text=tool/></code> })}
                {action.success.map(|worked| {
                    let (tone, word) = if worked { ("pass", "worked") } else { ("fail", "failed") };
                    view! { <b class=tone>{word}</b> }
                })}
                {counts.map(|counts| view! { <span class="diff-counts">{counts}</span> })}
                {action.is_credited.then(|| view! { <b class="failing-word">"failing"</b> })}
                {action.time.map(|text| view! { <span class="quiet"><TimeText text/></span> })}
            </div>
            {tied}
            {(!action.description.is_empty())
                .then(|| view! { <LongText text=action.description/> })}
            {action.command.map(|command| view! {
                <div class="command"><span aria-hidden="true">"$ "</span><RecordText text=command/></div>
            })}
            {action.reasoning.map(|text| view! { <NamedText name="Reasoning" text/> })}
            {action.expected.map(|text| view! { <NamedText name="Expected" text/> })}
            {action.params.map(|text| view! { <NamedText name="Parameters" text is_code=true/> })}
            {action.diff.map(|text| view! { <Diff text/> })}
            {action.output.map(|text| view! { <Output name="Output" text/> })}
        </li>
    }
}

/// Leads to an action of the iteration that is shown: in the list, or in its replay.
pub(super) fn action_link(app: App, action: u32) -> AnyView {
    let text = format!("action {action}");
    if (action as usize) < LISTED {
        let id = format!("action-{action}");
        return view! { <button class="jump" on:click=jump(id)>{text}</button>" " }.into_any();
    }
    let href = move || {
        let number = app.place.with(|place| place.view.number())?;
        Some(attempt_href(app, number, Some(action))())
    };
    view! { <a class="jump" href=href>{text}</a>" " }.into_any()
}

fn counts(action: &Action) -> Option<String> {
    let parts = [
        action.additions.map(|n| format!("+{n}")),
        action.deletions.map(|n| format!("\u{2212}{n}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Links to the errors in the same file and the checks of the same command.
fn tied(credit: &Credit, (errors, checks): &(Vec<String>, Vec<String>)) -> Option<AnyView> {
    let link = |kind: &str, at: u32, names: &[String]| {
        let id = format!("{kind}-{at}");
        let text = names.get(at as usize)?.clone();
        Some(
            view! { <button class="jump" on:click=jump(id)><RecordText text/></button>" " }
                .into_any(),
        )
    };
    let of_errors: Vec<AnyView> =
        credit.errors.iter().filter_map(|at| link("error", *at, errors)).collect();
    let of_checks: Vec<AnyView> =
        credit.checks.iter().filter_map(|at| link("check", *at, checks)).collect();
    if of_errors.is_empty() && of_checks.is_empty() {
        return None;
    }
    let has = (!of_errors.is_empty(), !of_checks.is_empty());
    let view = view! {
        <p class="tied">
            {has.0.then_some("Same file: ")}{of_errors}
            {has.1.then_some("Same command: ")}{of_checks}
        </p>
    };
    Some(view.into_any())
}

/// Goes to a part of the page that has an id.
fn jump(id: String) -> impl Fn(leptos::ev::MouseEvent) + 'static {
    move |_| platform::scroll_to_id(&id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_are_not_known_are_left_out() {
        let mut action = Action { additions: Some(12), ..Action::default() };
        assert_eq!(counts(&action).as_deref(), Some("+12"));
        action.deletions = Some(0);
        assert_eq!(counts(&action).as_deref(), Some("+12 \u{2212}0"));
        assert_eq!(counts(&Action::default()), None);
    }
}
