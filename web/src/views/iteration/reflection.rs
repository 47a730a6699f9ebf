//! What the agent wrote down.

use hindscope::{Details, Reflection};
use leptos::prelude::*;

use crate::components::{CopyButton, Fold, LongText, RecordText};
use crate::format;

/// The reflections of an iteration; most write one.
#[component]
pub(crate) fn Reflections(details: Details) -> impl IntoView {
    let next = details.strategy_next.clone();
    details
        .reflections
        .into_iter()
        .enumerate()
        .map(|(at, reflection)| {
            let next = next.clone().filter(|_| at == 0);
            view! { <ReflectionBlock reflection next/> }
        })
        .collect::<Vec<_>>()
}

#[component]
fn ReflectionBlock(
    reflection: Reflection,
    /// Strategy for the next attempt, which some formats keep beside the reflection.
    #[prop(optional_no_strip)]
    next: Option<String>,
) -> impl IntoView {
    let note = note(&reflection);
    view! {
        <Fold title="Reflection" note>
            <div class="reflection">
                <div class="reflection-text">
                    <LongText text=reflection.text.trim().to_owned()/>
                    <CopyButton
                        text={
                            let text = reflection.text.clone();
                            move |()| text.clone()
                        }
                        what="reflection"
                    />
                </div>
                {reflection.root_cause.clone().map(|text| view! { <NamedBlock name="Root cause" text/> })}
                {reflection.reasoning.clone().map(|text| view! { <NamedBlock name="Reasoning" text/> })}
                <Points name="Insights" points=reflection.insights.clone()/>
                <Points name="Lessons" points=reflection.lessons.clone()/>
                {next.clone().map(|text| view! { <NamedBlock name="Strategy next" text/> })}
                {facts(&reflection)}
            </div>
        </Fold>
    }
}

/// Category and confidence, beside the title.
fn note(reflection: &Reflection) -> String {
    let mut notes: Vec<String> =
        [&reflection.kind, &reflection.category].into_iter().flatten().cloned().collect();
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
        ("Written at", &reflection.time),
    ];
    let said =
        said.into_iter().filter_map(|(name, text)| Some(format!("{name}: {}", text.as_ref()?)));
    facts.extend(said);
    (!facts.is_empty()).then(|| view! { <p class="quiet"><RecordText text=facts.join(" · ")/></p> })
}

/// A short list under a name; nothing where there are none.
#[component]
pub(crate) fn Points(name: &'static str, points: Vec<String>) -> impl IntoView {
    (!points.is_empty()).then(|| {
        view! {
            <div class="named">
                <h4>{name}</h4>
                <ol class="points">
                    {points
                        .into_iter()
                        .map(|text| view! { <li dir="auto"><RecordText text/></li> })
                        .collect::<Vec<_>>()}
                </ol>
            </div>
        }
    })
}

/// A long named text, such as a prompt or a solution.
#[component]
pub(crate) fn NamedBlock(name: &'static str, text: String) -> impl IntoView {
    view! {
        <div class="named">
            <h4>{name}</h4>
            <LongText text/>
        </div>
    }
}
