//! Numbers of an attempt beside its reward, and what was put before the agent.

use hindscope::{Counter, Details, NamedReward, Retrieved, SubStep};
use leptos::prelude::*;

use crate::components::{Fold, LongText, RecordText, RewardMark, or_none};
use crate::format::noun;

/// Parts of the reward, other rewards, and rated steps.
#[component]
pub(crate) fn Scores(details: Details) -> impl IntoView {
    let Details { breakdown, series, steps, .. } = details;
    let note = [(breakdown.len(), "part"), (series.len(), "other reward"), (steps.len(), "step")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {}", noun(count as u64, word)))
        .collect::<Vec<_>>()
        .join(", ");
    (!note.is_empty()).then(|| {
        view! {
            <Fold title="Scores" note>
                {parts(&breakdown)}
                {others(&series)}
                {rated(&steps)}
            </Fold>
        }
    })
}

fn parts(breakdown: &[Counter]) -> Option<impl IntoView + use<>> {
    let row = |part: &Counter| {
        let value = part.value.to_string();
        view! {
            <div>
                <dt><RecordText text=part.name.clone()/></dt>
                <dd><meter min="0" max="1" value=value.clone()></meter>" "{value}</dd>
            </div>
        }
    };
    list("What the reward was weighed of", breakdown.iter().map(row).collect())
}

fn others(series: &[NamedReward]) -> Option<impl IntoView + use<>> {
    let row = |other: &NamedReward| {
        let reward = other.reward.clone();
        view! {
            <div><dt><RecordText text=other.name.clone()/></dt><dd><RewardMark reward/></dd></div>
        }
    };
    list("Other rewards of this attempt", series.iter().map(row).collect())
}

fn rated(steps: &[SubStep]) -> Option<impl IntoView + use<>> {
    let row = |step: &SubStep| {
        let reward = step.reward.clone().map(|reward| view! { <RewardMark reward/> });
        let reward = or_none(reward, "no reward");
        view! { <div><dt>{format!("Step {}", step.number)}</dt><dd>{reward}</dd></div> }
    };
    list("Steps inside of it", steps.iter().map(row).collect())
}

/// A list under a name; nothing where there is nothing to list.
fn list<V: IntoView + 'static>(name: &'static str, rows: Vec<V>) -> Option<impl IntoView + use<V>> {
    (!rows.is_empty()).then(|| {
        view! {
            <div class="named">
                <h4>{name}</h4>
                <dl class="counters">{rows}</dl>
            </div>
        }
    })
}

/// Reflections that the record says were put before the agent.
#[component]
pub(crate) fn Given(retrieved: Vec<Retrieved>) -> impl IntoView {
    (!retrieved.is_empty()).then(|| {
        let note = retrieved.len().to_string();
        view! {
            <Fold title="Put before the agent, as the record says" note>
                {retrieved.clone().into_iter().map(|one| view! { <GivenOne one/> }).collect::<Vec<_>>()}
            </Fold>
        }
    })
}

#[component]
fn GivenOne(one: Retrieved) -> impl IntoView {
    let facts: Vec<String> = [
        one.reward.map(|reward| format!("reward {reward} as written")),
        one.similarity.map(|similarity| format!("similarity {similarity}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    view! {
        <article class="held-one">
            <header>
                <b>{one.number}</b>
                <code class="file"><RecordText text=one.key/></code>
                <span class="quiet">{facts.join(", ")}</span>
            </header>
            <LongText text=one.text/>
        </article>
    }
}
