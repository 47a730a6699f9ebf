//! What the rules of loop health say of a run, each with its evidence.

use hindscope::{InsightRule, Severity, StableSort as _, insight_rules};
use leptos::prelude::*;

use crate::components::{LevelMark, OutcomeMark, RecordText, Steps};
use crate::format;
use crate::platform;
use crate::protocol::{Overview, Warning, count};
use crate::views::iteration::learn::{StepLink, StepLinks};

/// Warnings that are shown at first.
const SHOWN: usize = 6;

/// The rule of a finding, in the core's own words.
pub(crate) fn rule(id: &str) -> Option<&'static InsightRule> {
    insight_rules().iter().find(|rule| rule.id == id)
}

/// Every warning, severe ones first; one quiet line if there is none.
#[component]
pub(crate) fn Warnings(overview: Overview, steps: Steps) -> impl IntoView {
    let mut all = overview.warnings;
    if all.is_empty() {
        return view! {
            <p class="quiet no-warnings">
                "No warnings. Checked: stuck, oscillation, regression, plateau, stop, best and returned errors; also budget, if the records state a limit."
            </p>
        }
        .into_any();
    }
    all.stable_sort_by_key(|warning| warning.finding.severity);
    let notes = all.iter().filter(|w| w.finding.severity == Severity::Info).count();
    let count = all.len();
    let is_whole = RwSignal::new(count <= SHOWN);
    let summary = match (count - notes, notes) {
        (0, notes) => format!("{notes} to know"),
        (warnings, 0) => warnings.to_string(),
        (warnings, notes) => format!("{warnings}, and {notes} to know"),
    };
    view! {
        <section class="panel card warnings" aria-labelledby="warnings-title">
            <header class="panel-head">
                <h2 id="warnings-title">"Warnings"</h2>
                <span class="quiet">{summary}</span>
            </header>
            <div class="card-body">
                {move || {
                    let shown = if is_whole.get() { count } else { SHOWN };
                    all.iter()
                        .take(shown)
                        .cloned()
                        .map(|warning| view! { <One warning steps/> })
                        .collect_view()
                }}
                <Show when=move || !is_whole.get()>
                    <button class="more" on:click=move |_| is_whole.set(true)>
                        {format!("Show all {count}")}
                    </button>
                </Show>
            </div>
        </section>
    }
    .into_any()
}

#[component]
fn One(warning: Warning, steps: Steps) -> impl IntoView {
    let Warning { finding, places } = warning;
    let opened = RwSignal::new(None::<&'static str>);
    let about = rule(&finding.rule);
    let level = finding.severity;
    let numbers: Vec<i64> = finding.evidence.iter().map(|evidence| evidence.number).collect();
    let all = count(numbers.len());
    let rows = StoredValue::new(numbers.iter().copied().zip(places).collect::<Vec<_>>());
    let hint = StoredValue::new(finding.hint.clone().map(|hint| hint.to_string()));
    let toggle = move |name: &'static str| {
        let label = if name == "why" { "Why" } else { "Evidence" };
        view! {
            <button
                class="small"
                aria-expanded=move || (opened.get() == Some(name)).to_string()
                on:click=move |_| {
                    opened.update(|opened| *opened = (*opened != Some(name)).then_some(name));
                }
            >
                {label}
            </button>
        }
    };
    view! {
        <article class="warning">
            <p class="warning-says"><LevelMark level/>" "<RecordText text=finding.message/></p>
            <div class="warning-foot">
                <code class="rule">{finding.rule.to_string()}</code>
                {about.and_then(|rule| rule.threshold).map(|threshold| view! {
                    <span class="quiet threshold">{threshold}</span>
                })}
                <StepLinks numbers steps/>
                <span class="warning-buttons">{toggle("why")}{toggle("evidence")}</span>
            </div>
            <Show when=move || opened.get() == Some("why")>
                <div class="warning-more">
                    <p>{about.map(|rule| rule.says)}</p>
                    {hint.get_value().map(|hint| view! { <p class="hint">{hint}</p> })}
                </div>
            </Show>
            <Show when=move || opened.get() == Some("evidence")>
                <div class="warning-more">
                    <table class="plain evidence">
                        <thead>
                            <tr>
                                <th scope="col">"Iteration"</th>
                                <th scope="col">"Outcome"</th>
                                <th scope="col" class="num">"Reward"</th>
                                <th scope="col" class="num">"Change"</th>
                                <th scope="col">"Place"</th>
                            </tr>
                        </thead>
                        <tbody>
                            {rows.with_value(|rows| rows
                                .iter()
                                .map(|(number, place)| evidence(*number, place.clone(), steps))
                                .collect_view())}
                        </tbody>
                    </table>
                    {move || {
                        let more = all.saturating_sub(rows.with_value(|rows| {
                            count(rows.len())
                        }));
                        (more > 0).then(|| view! {
                            <p class="quiet">{format!("and {} more", platform::whole(more))}</p>
                        })
                    }}
                </div>
            </Show>
        </article>
    }
}

fn evidence(number: i64, place: String, steps: Steps) -> impl IntoView {
    let at = steps.columns.with(|columns| columns.ordinal(number));
    let (outcome, reward, delta) = steps.columns.with(|columns| {
        (
            at.map(|at| columns.outcome(at)),
            at.and_then(|at| columns.rewards.get(at)),
            at.and_then(|at| columns.deltas.get(at)),
        )
    });
    view! {
        <tr>
            <th scope="row"><StepLink number steps/></th>
            <td>{outcome.map(|outcome| view! { <OutcomeMark outcome/> })}</td>
            <td class="num">{reward.map_or("none".to_owned(), format::reward)}</td>
            <td class="num">{delta.map(format::delta)}</td>
            <td class="place"><RecordText text=place/></td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_explain_themselves() {
        let known = rule("stuck/repeated-reflection").expect("it is listed");
        assert_eq!(known.threshold, Some("3 in a row"));
        assert!(rule("stuck/unheard-of").is_none());
    }
}
