//! In, out, not yet written, never shown; what it costs, and what records say against it.

use hindscope::{InjectedOrigin, OmegaProvenance, RecordedWindow, ReflectionRef};
use leptos::prelude::*;

use crate::components::{FindingItem, RecordText, memory_after};
use crate::format::{self, counted};
use crate::platform;
use crate::protocol::WindowBody;
use crate::route::RunTab;
use crate::state::App;

/// The newest reflections of a list that are links; older ones are joined into ranges of numbers.
const LINKS: usize = 40;

/// Everything about one window that is no text.
#[component]
pub(crate) fn Summary(body: WindowBody) -> impl IntoView {
    let (held, evicted) = (body.view.held.len(), body.view.evicted.len());
    let injected = body.injected.as_ref();
    let has_saw = injected.is_some_and(|injected| !injected.is_computed);
    let saw = injected.filter(|injected| !injected.is_computed).map(|injected| {
        let (field, rule) = origin(injected.origin);
        let list = if injected.numbers.is_empty() {
            "none".to_owned()
        } else {
            format::numbers(&injected.numbers)
        };
        view! {
            <div class="saw">
                <dt>{format!("Saw, {rule} ")}<span class="quiet">{format!("({field})")}</span></dt>
                <dd>{list}</dd>
            </div>
        }
    });
    let after = body.recorded.as_ref().and_then(after);
    let never = never(&body);
    let notes = body.notes.clone();
    let view_notes = body.view.notes.clone();
    let dropped = body.view.dropped.len();
    // The page says which rule this answer was computed by: after a change it may still be the old one.
    let omega =
        body.view.omega.filter(|_| body.view.omega_provenance == OmegaProvenance::Configured);
    let omega = omega.map(|omega| omega.to_string()).unwrap_or_default();
    let rule = format!("{omega} {}", body.view.policy);
    view! {
        <dl class="window-summary" data-at=body.view.at.to_string() data-rule=rule>
            <div>
                <dt>
                    "Could have seen " <span class="quiet">{held}</span>
                    {(!has_saw).then(|| view! { <span class="quiet">", computed"</span> })}
                </dt>
                <dd class="number-links">{list(&body.view.held, "nothing")}</dd>
            </div>
            {saw}
            <div>
                <dt>"Pushed out " <span class="quiet">{evicted}</span></dt>
                <dd class="number-links">{list(&body.view.evicted, "none")}</dd>
            </div>
            {(dropped > 0).then(|| view! {
                <div>
                    <dt>"Beyond the budget " <span class="quiet">{dropped}</span></dt>
                    <dd class="number-links">{list(&body.view.dropped, "none")}</dd>
                </div>
            })}
            <div>
                <dt>"Not yet written"</dt>
                <dd>{platform::whole(body.view.later)}</dd>
            </div>
            <div class="never">
                <dt>"Written but never shown"</dt>
                <dd>{never}</dd>
            </div>
            {after.map(|after| view! {
                <div><dt>"Memory after, says the record"</dt><dd><RecordText text=after/></dd></div>
            })}
            <div class="cost">
                <dt>"Cost"</dt>
                <dd>{cost(&body)}</dd>
            </div>
        </dl>
        {(body.view.unread > 0).then(|| {
            let unread = platform::whole(body.view.unread);
            let says = format!("{unread} earlier reflections were not read: the run is too long, and the rule asks for their texts.");
            view! { <p class="advice">{says}</p> }
        })}
        {body.problem.clone().map(|text| view! { <p class="advice"><RecordText text/></p> })}
        {view_notes.into_iter().map(|note| view! {
            <p class="advice"><code class="rule">{note.rule.into_owned()}</code>" "<RecordText text=note.message/></p>
        }).collect_view()}
        {(!notes.is_empty()).then(|| view! {
            <div class="window-notes">
                {notes.into_iter().map(|finding| view! { <FindingItem finding/> }).collect_view()}
            </div>
        })}
    }
}

/// The member that says it, in words.
fn origin(origin: InjectedOrigin) -> (&'static str, &'static str) {
    match origin {
        InjectedOrigin::Retrieved => ("what the log lists", "as the log says"),
        InjectedOrigin::Stated => ("previous_reflections_used", "as the record says"),
        InjectedOrigin::PreviousWindow => {
            ("reflections_in_context of the record before", "as it was stored")
        }
        InjectedOrigin::Computed => ("computed", "computed"),
    }
}

/// Numbers that lead to the iterations that wrote them; of very many the oldest are a range.
fn list(of: &[ReflectionRef], none: &'static str) -> AnyView {
    if of.is_empty() {
        return view! { <span class="none">{none}</span> }.into_any();
    }
    let (older, shown) = of.split_at(of.len().saturating_sub(LINKS));
    let older: Vec<i64> = older.iter().map(|reference| reference.number).collect();
    let older =
        (!older.is_empty()).then(|| view! { <span class="quiet">{format::numbers(&older)}</span> });
    let shown = shown.iter().map(|reference| link(reference.number)).collect_view();
    view! { {older}{shown} }.into_any()
}

/// The number of an iteration, leading there.
pub(crate) fn link(number: i64) -> impl IntoView {
    let app = App::get();
    let href = move || app.place.with(|place| place.href_at(RunTab::Attempts, Some(number)));
    view! { <a class="number" href=href>{number}</a> }
}

fn never(body: &WindowBody) -> String {
    match &body.never {
        None => "not known: the run has too many iterations to try them all".to_owned(),
        Some(list) if list.is_empty() => "none".to_owned(),
        Some(list) => format::numbers(list),
    }
}

fn cost(body: &WindowBody) -> String {
    let tokens = counted(body.tokens, "token");
    format!("{tokens} (estimate: UTF-16 units / 4, rounded up per item)")
}

/// The window after the record was stored, in its own words.
fn after(window: &RecordedWindow) -> Option<String> {
    Some(memory_after(window)).filter(|text| !text.is_empty())
}
