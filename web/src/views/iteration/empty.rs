//! Fields that a record of an iteration may have, and this one has not.

use hindscope::Details;
use leptos::prelude::*;

use crate::components::{Taste, Toggle};

/// Which ones there are; listed once somebody asks.
#[component]
pub(crate) fn EmptyFields(details: Details) -> impl IntoView {
    let taste = Taste::get();
    let absent = absent(&details);
    (!absent.is_empty()).then(|| {
        let count = absent.len();
        let list = absent.join(", ");
        view! {
            <p class="empty-fields">
                <Toggle is_on=taste.has_empty opens=true>
                    {move || {
                        let verb = if taste.has_empty.get() { "Hide" } else { "Show" };
                        format!("{verb} empty fields ({count})")
                    }}
                </Toggle>
                {move || taste.has_empty.get().then(|| view! {
                    <span class="quiet">{format!(" Not recorded: {list}.")}</span>
                })}
            </p>
        }
    })
}

fn absent(details: &Details) -> Vec<&'static str> {
    let reflection = details.reflections.first();
    let said = |has: fn(&hindscope::Reflection) -> bool| reflection.is_some_and(has);
    let fields = [
        ("outcome", details.outcome.is_some()),
        ("reward", details.reward.is_some()),
        ("reflection", reflection.is_some()),
        ("root cause", said(|it| it.root_cause.is_some())),
        ("causal reasoning", said(|it| it.reasoning.is_some())),
        ("failure category", said(|it| it.category.is_some())),
        ("insights", said(|it| !it.insights.is_empty())),
        ("lessons", said(|it| !it.lessons.is_empty())),
        ("failing actions", said(|it| !it.failing_actions.is_empty())),
        ("related reflections", said(|it| !it.related.is_empty())),
        ("confidence", said(|it| it.confidence.is_some())),
        ("strategy", details.strategy.is_some()),
        ("strategy next", details.strategy_next.is_some()),
        ("rationale", details.rationale.is_some()),
        ("task", details.task.is_some()),
        ("actions", !details.actions.is_empty()),
        ("errors", !details.errors.is_empty()),
        ("tool results", !details.checks.is_empty()),
        ("counts", !details.counters.is_empty()),
        ("files", !details.files.is_empty()),
        ("verification", details.verification.is_some()),
        ("window", details.window.is_some()),
        ("start", details.start.is_some()),
        ("end", details.time.is_some()),
        ("duration", details.duration_ms.is_some()),
        ("usage", details.usage.is_some()),
    ];
    fields.into_iter().filter(|(_, is_there)| !is_there).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_a_value_are_not_empty() {
        let all = absent(&Details::default());
        assert!(all.contains(&"root cause") && all.contains(&"usage"));
        let reflection =
            hindscope::Reflection { confidence: Some(0.0), ..hindscope::Reflection::default() };
        let details = Details { reflections: vec![reflection], ..Details::default() };
        let some = absent(&details);
        assert!(!some.contains(&"confidence") && !some.contains(&"reflection"), "0 is a value");
        assert_eq!(some.len(), all.len() - 2);
    }
}
