//! What the agent wrote down.

use hindscope::{Details, Reflection};
use leptos::prelude::*;

use crate::components::{Fold, LongText, NamedList, NamedText, RecordText, TimeText};
use crate::format;
use crate::protocol::NotesBody;
use crate::views::iteration::copies::CopyReflection;

/// The reflections of an iteration; most write one.
#[component]
pub(crate) fn ReflectionsOf(details: Details, notes: Memo<Option<NotesBody>>) -> impl IntoView {
    let next = details.strategy_next.clone();
    let number = details.number;
    details
        .reflections
        .into_iter()
        .enumerate()
        .map(|(at, reflection)| {
            let next = next.clone().filter(|_| at == 0);
            view! { <ReflectionBlock number reflection next notes/> }
        })
        .collect::<Vec<_>>()
}

#[component]
fn ReflectionBlock(
    number: Option<i64>,
    reflection: Reflection,
    /// Strategy for the next attempt, which some formats keep beside the reflection.
    #[prop(optional_no_strip)]
    next: Option<String>,
    notes: Memo<Option<NotesBody>>,
) -> impl IntoView {
    let note = note(&reflection);
    view! {
        <Fold title="Reflection" note>
            <div class="reflection">
                <div class="reflection-text">
                    <LongText text=reflection.text.trim().to_owned()/>
                    <CopyReflection number reflection=reflection.clone()/>
                </div>
                {reflection.root_cause.clone().map(|text| view! { <NamedText name="Root cause" text/> })}
                {reflection.category.clone().map(|text| view! { <NamedText name="Failure category" text/> })}
                {reflection.reasoning.clone().map(|text| view! { <NamedText name="Causal reasoning" text/> })}
                <NamedList name="Insights" points=reflection.insights.clone()/>
                <NamedList name="Lessons" points=reflection.lessons.clone()/>
                {next.clone().map(|text| view! { <NamedText name="Strategy next" text/> })}
                {facts(&reflection)}
                {move || notes.with(|notes| notes.as_ref().map(noted))}
            </div>
        </Fold>
    }
}

/// Kind and confidence, beside the title.
fn note(reflection: &Reflection) -> String {
    let mut notes: Vec<String> = reflection.kind.iter().cloned().collect();
    if let Some(confidence) = reflection.confidence {
        notes.push(format!("confidence {confidence}"));
    }
    notes.join(" · ")
}

/// Which actions it blames, and which reflections it builds on.
fn facts(reflection: &Reflection) -> Option<impl IntoView + use<>> {
    let mut facts = Vec::new();
    if !reflection.failing_actions.is_empty() {
        let list = format::numbers(&reflection.failing_actions);
        facts.push(format!("Failing actions, counted from 0: {list}"));
    }
    if !reflection.related.is_empty() {
        facts.push(format!("Builds on {}", format::numbers(&reflection.related)));
    }
    let said = [
        ("Effectiveness, as its writer judged it", &reflection.effectiveness),
        ("Written after", &reflection.trigger),
    ];
    let said =
        said.into_iter().filter_map(|(name, text)| Some(format!("{name}: {}", text.as_ref()?)));
    facts.extend(said);
    let time = reflection.time.clone();
    (!facts.is_empty() || time.is_some()).then(|| {
        view! {
            <p class="quiet">
                <RecordText text=facts.join(" · ")/>
                {time.map(|text| view! { " Written at "<TimeText text/> })}
            </p>
        }
    })
}

/// Hints on its quality, and the actions that took its lessons up: evidence, never a cause.
fn noted(notes: &NotesBody) -> AnyView {
    let mut marks: Vec<String> = notes
        .reflections
        .iter()
        .flat_map(|row| row.marks.iter().map(ToString::to_string))
        .collect();
    marks.dedup();
    let uptakes = notes.uptakes.iter().filter_map(|uptake| {
        let (at, name) = (uptake.taken_up?, uptake.name.clone()?);
        let action = uptake.action.map(|action| format!(", action {action}")).unwrap_or_default();
        Some(view! {
            <li><code><RecordText text=name/></code>{format!(" named again in iteration {at}{action}")}</li>
        })
    });
    let uptakes = uptakes.collect_view();
    let has_uptakes = !uptakes.is_empty();
    view! {
        {(!marks.is_empty()).then(|| view! {
            <p class="quiet">"Hints on its quality: "<code class="rule">{marks.join(" ")}</code></p>
        })}
        {has_uptakes.then(|| view! {
            <div class="named">
                <h4>"Evidence of uptake " <code class="rule">"credit/uptake"</code></h4>
                <ul class="points plain-list">{uptakes}</ul>
            </div>
        })}
    }
    .into_any()
}
