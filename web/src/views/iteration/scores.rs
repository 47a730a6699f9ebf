//! Numbers of an attempt beside its reward, and what was put before the agent.

use hindscope::{Counter, Details, NamedReward, Retrieved, SubStep};
use leptos::prelude::*;

use crate::components::{Fold, LongText, RecordText, RewardMark};
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
    let rows: Vec<_> = breakdown
        .iter()
        .cloned()
        .map(|part| {
            let value = part.value;
            view! {
                <div>
                    <dt><RecordText text=part.name/></dt>
                    <dd>
                        <meter min="0" max="1" value=value.to_string()></meter>
                        " "
                        {value.to_string()}
                    </dd>
                </div>
            }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <div class="named">
                <h4>"What the reward was weighed of"</h4>
                <dl class="counters">{rows}</dl>
            </div>
        }
    })
}

fn others(series: &[NamedReward]) -> Option<impl IntoView + use<>> {
    let rows: Vec<_> = series
        .iter()
        .cloned()
        .map(|other| view! {
            <div><dt><RecordText text=other.name/></dt><dd><RewardMark reward=other.reward/></dd></div>
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <div class="named">
                <h4>"Other rewards of this attempt"</h4>
                <dl class="counters">{rows}</dl>
            </div>
        }
    })
}

fn rated(steps: &[SubStep]) -> Option<impl IntoView + use<>> {
    let rows: Vec<_> = steps
        .iter()
        .cloned()
        .map(|step| {
            let reward = match step.reward {
                Some(reward) => view! { <RewardMark reward/> }.into_any(),
                None => view! { <span class="none">"no reward"</span> }.into_any(),
            };
            view! { <div><dt>{format!("Step {}", step.number)}</dt><dd>{reward}</dd></div> }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <div class="named">
                <h4>"Steps inside of it"</h4>
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
