//! What recurs in a run, what an index of patterns would do with it, and what was taken up.

use hindscope::{Advice, Pattern, PatternKind, Uptake};
use leptos::prelude::*;

use crate::components::{Fold, RecordText, Steps};
use crate::format::counted;
use crate::platform;
use crate::protocol::{Patterns, count};
use crate::views::iteration::learn::{StepLink, StepLinks};

/// Recurring lessons, strategies and failures, and uptakes.
#[component]
pub(crate) fn PatternsPart(patterns: Patterns, steps: Steps) -> impl IntoView {
    let recurring = recurring(&patterns, steps);
    let uptakes = (patterns.judged > 0).then(|| uptakes(patterns.clone(), steps));
    view! { {recurring}{uptakes} }
}

fn recurring(patterns: &Patterns, steps: Steps) -> AnyView {
    let all = patterns.all_recurring;
    let shown = StoredValue::new(patterns.recurring.clone());
    let note = match all {
        0 => "nothing".to_owned(),
        all => platform::whole(all),
    };
    let hidden = all.saturating_sub(count(patterns.recurring.len()));
    view! {
        <Fold title="What recurs" note>
            {move || if all == 0 {
                view! {
                    <p class="quiet">
                        "No lesson stands in the reflections of two iterations, and no approach or error groups."
                    </p>
                }
                .into_any()
            } else {
                shown.with_value(|shown| view! {
                    <ul class="patterns">
                        {shown.iter().cloned().map(|pattern| view! { <One pattern steps/> }).collect_view()}
                    </ul>
                })
                .into_any()
            }}
            {(hidden > 0).then(|| view! {
                <p class="quiet">{format!("{} more are not listed.", platform::whole(hidden))}</p>
            })}
        </Fold>
    }
    .into_any()
}

#[component]
fn One(pattern: Pattern, steps: Steps) -> impl IntoView {
    let (kind, rule) = match pattern.kind {
        PatternKind::Lesson => ("lesson", "pattern/recurring-lesson"),
        PatternKind::Strategy => ("strategy", "pattern/strategy"),
        PatternKind::Antipattern => ("antipattern", "pattern/antipattern"),
    };
    let advice = advice(&pattern);
    view! {
        <li class="pattern">
            <p>
                <span class="kind">{kind}</span>" "
                <RecordText text=pattern.description.clone()/>
            </p>
            <div class="warning-foot">
                <code class="rule">{rule}</code>
                <span class="quiet">{success(&pattern)}</span>
                {advice.map(|(class, text)| view! { <b class=class>{text}</b> })}
                <StepLinks numbers=pattern.numbers steps/>
            </div>
        </li>
    }
}

/// How often it went along with success: a rate only where there are enough uses for one.
fn success(pattern: &Pattern) -> String {
    let times = format!("{} times", pattern.frequency);
    let counted = format!("{} of {}", pattern.successes, pattern.uses);
    let rate = match (pattern.uses, pattern.success_rate) {
        (0, _) => "never in a window".to_owned(),
        (_, None) => format!("{counted} with it improved or succeeded"),
        (_, Some(rate)) => format!("success {rate:.2} ({counted})"),
    };
    let confidence = pattern.confidence.map(|sure| format!(", confidence {sure:.2}"));
    format!("{times}, {rate}{}", confidence.unwrap_or_default())
}

/// What an index of patterns would do with it, or whether it is worth keeping (`pattern/gate`).
fn advice(pattern: &Pattern) -> Option<(&'static str, &'static str)> {
    match (pattern.advice, pattern.is_promotable) {
        (Some(Advice::Inject), _) => Some(("pass", "would be injected")),
        (Some(Advice::Prune), _) => Some(("fail", "would be pruned")),
        (None, Some(true)) => Some(("pass", "worth keeping for other runs")),
        (None, Some(false)) => Some(("muted", "not worth keeping yet")),
        (None, None) => None,
    }
}

fn uptakes(patterns: Patterns, steps: Steps) -> AnyView {
    let note = format!(
        "{} of {} that name something in the code",
        platform::whole(patterns.all_uptakes),
        counted(patterns.judged, "lesson"),
    );
    let hidden = patterns.all_uptakes.saturating_sub(count(patterns.uptakes.len()));
    let shown = StoredValue::new(patterns.uptakes);
    view! {
        <Fold title="Taken up" note>
            <p class="quiet">
                "A later action names the same file or identifier while the lesson is in the window: evidence, and no proof that one led to the other. "
                <code class="rule">"credit/uptake"</code>
            </p>
            <ul class="patterns">
                {shown.with_value(|shown| shown
                    .iter()
                    .cloned()
                    .map(|uptake| view! { <Taken uptake steps/> })
                    .collect_view())}
            </ul>
            {(hidden > 0).then(|| view! {
                <p class="quiet">{format!("{} more are not listed.", platform::whole(hidden))}</p>
            })}
        </Fold>
    }
    .into_any()
}

#[component]
fn Taken(uptake: Uptake, steps: Steps) -> impl IntoView {
    let action = uptake.action.map(|action| format!(" by action {}", action + 1));
    view! {
        <li class="pattern">
            <p><RecordText text=uptake.text/></p>
            <div class="warning-foot">
                <span class="quiet">"lesson of "</span>
                <StepLink number=uptake.number steps/>
                {uptake.taken_up.map(|number| view! {
                    <span class="quiet">"taken up at "</span><StepLink number steps/>
                })}
                <span class="quiet">{action}</span>
                {uptake.name.map(|name| view! { <code><RecordText text=name/></code> })}
            </div>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_uses_have_no_rate() {
        let pattern = Pattern {
            kind: PatternKind::Lesson,
            pattern_id: String::new(),
            description: String::new(),
            frequency: 2,
            numbers: vec![1, 2],
            uses: 2,
            successes: 1,
            success_rate: None,
            confidence: None,
            is_promotable: None,
            advice: None,
        };
        assert_eq!(success(&pattern), "2 times, 1 of 2 with it improved or succeeded");
        assert_eq!(advice(&pattern), None);
        let rated = Pattern {
            uses: 4,
            successes: 3,
            success_rate: Some(0.75),
            advice: Some(Advice::Inject),
            ..pattern
        };
        assert_eq!(success(&rated), "2 times, success 0.75 (3 of 4)");
        assert_eq!(advice(&rated), Some(("pass", "would be injected")));
    }
}
