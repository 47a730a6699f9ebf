//! What came of an iteration: output of tools, counters, texts.

use hindscope::{Check, Details};
use leptos::prelude::*;

use crate::components::{
    Fold, NamedText, NamedTexts, Output, RecordText, TimeText, counter_rows, fact_rows,
    memory_after, seconds, usage,
};

/// Results of tools with their output.
#[component]
pub(crate) fn Checks(checks: Vec<Check>) -> impl IntoView {
    if checks.is_empty() {
        return None;
    }
    let note = checks.len().to_string();
    Some(view! {
        <Fold title="Output" note>
            <ul class="checks">
                {checks
                    .clone()
                    .into_iter()
                    .enumerate()
                    .map(|(at, check)| view! { <CheckItem at check/> })
                    .collect::<Vec<_>>()}
            </ul>
        </Fold>
    })
}

#[component]
fn CheckItem(at: usize, check: Check) -> impl IntoView {
    let tone = match check.status.as_str() {
        "pass" => "pass",
        "fail" | "error" => "fail",
        _ => "muted",
    };
    let exit = check.exit_code.map(|code| format!("exit {code}"));
    let took = check.duration_ms.map(seconds);
    let outputs = [("stdout", check.stdout), ("stderr", check.stderr)]
        .into_iter()
        .filter_map(|(name, text)| text.filter(|text| !text.is_empty()).map(|text| (name, text)))
        .map(|(name, text)| view! { <Output name text/> })
        .collect::<Vec<_>>();
    view! {
        <li class="check" id=format!("check-{at}") tabindex="-1">
            <div class="check-head">
                <code class="kind"><RecordText text=check.tool/></code>
                <b class=tone><RecordText text=check.status/></b>
                <span class="quiet">{exit}</span>
                <span class="quiet">{took}</span>
            </div>
            {outputs}
        </li>
    }
}

/// Everything else that the record says; what it does not say is not there.
#[component]
pub(crate) fn Rest(details: Details) -> impl IntoView {
    let counters = details.counters.clone();
    let facts = facts(&details);
    let times: Vec<(&str, String)> = [("Began", &details.start), ("Ended", &details.time)]
        .into_iter()
        .filter_map(|(name, time)| Some((name, time.clone()?)))
        .collect();
    let has_facts = !times.is_empty() || !facts.is_empty() || !counters.is_empty();
    let texts = details.texts.clone();
    let (rationale, strategy, task) =
        (details.rationale.clone(), details.strategy.clone(), details.task.clone());
    let has_plan = rationale.is_some() || strategy.is_some() || task.is_some();
    view! {
        {has_plan.then(|| view! {
            <Fold title="Plan">
                {strategy.clone().map(|text| view! { <NamedText name="Strategy" text/> })}
                {rationale.clone().map(|text| view! { <NamedText name="Rationale" text/> })}
                {task.clone().map(|text| view! { <NamedText name="Task" text/> })}
            </Fold>
        })}
        {has_facts.then(|| view! {
            <Fold title="Facts">
                <dl class="counters">
                    {times.clone().into_iter().map(|(name, text)| view! {
                        <div><dt>{name}</dt><dd><TimeText text/></dd></div>
                    }).collect::<Vec<_>>()}
                    {fact_rows(facts.clone())}
                    {counter_rows(counters.clone())}
                </dl>
            </Fold>
        })}
        {(!texts.is_empty()).then(|| view! {
            <Fold title="Texts" note=texts.len().to_string() is_closed=true>
                <NamedTexts texts=texts.clone()/>
            </Fold>
        })}
    }
}

fn facts(details: &Details) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let mut add = |name, text: Option<String>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            facts.push((name, text));
        }
    };
    add("Took", details.duration_ms.map(seconds));
    add("Usage", details.usage.as_ref().map(usage));
    add("Qualified as", Some(details.flags.join(", ")));
    add("Verification", details.verification.clone());
    add("Files", Some(details.files.join(", ")));
    if let Some(window) = &details.window {
        add("Memory after", Some(memory_after(window)));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_parts_are_left_out() {
        assert!(facts(&Details::default()).is_empty());
    }
}
