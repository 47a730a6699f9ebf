//! What changed in a step: evidence beside a change of reward, and no cause.

use std::fmt::Write as _;

use hindscope::{Change, ChangeKind, Origin, RunId};
use leptos::prelude::*;

use super::learn::{ReachNote, learnt};
use crate::components::{Fold, OriginMark, RecordText, Reworded};
use crate::format::{self, noun};
use crate::protocol::{LearnOf, Learnt, Step};

/// Changes of one kind that are shown; more are counted.
const SHOWN: usize = 8;

/// Title of the section.
const TITLE: &str = "What changed in this step";

/// What changed from the attempt before; the first has none.
#[component]
pub(crate) fn StepChanges(id: Memo<Option<RunId>>, number: i64) -> impl IntoView {
    let body = learnt(id, move || Some(LearnOf::Step(number)));
    view! {
        {move || body.problem.get().map(|problem| view! { <p class="advice">{problem}</p> })}
        {move || body.answer.get().map(|body| match body.part {
            Learnt::Step(step) if step.number == number => {
                view! { <Body step/><ReachNote reach=body.reach/> }.into_any()
            }
            _ => ().into_any(),
        })}
    }
}

#[component]
fn Body(step: Step) -> impl IntoView {
    step.from.map(|from| {
        view! { <Fold title=TITLE note=format!("against {from}")>{inside(&step)}</Fold> }
    })
}

fn inside(step: &Step) -> AnyView {
    let lines = lines(step);
    let nothing = lines.is_empty() && step.delta.is_none();
    view! {
        <dl class="step-lines">
            <div><dt>"Reward"</dt><dd>{reward(step)}</dd></div>
            {lines
                .into_iter()
                .map(|(name, summary, rows)| view! {
                    <div>
                        <dt>{name}</dt>
                        <dd>{summary.map(|text| view! { <p>{text}</p> })}{rows}</dd>
                    </div>
                })
                .collect_view()}
        </dl>
        <p class="quiet">
            {if nothing {
                "Nothing that the records name differs between the two."
            } else {
                "These changes happened together; none is shown to be the cause."
            }}
        </p>
    }
    .into_any()
}

fn reward(step: &Step) -> AnyView {
    let Some(delta) = step.delta else {
        let text = match step.origin {
            Origin::None => "none in this run",
            _ => "no change known: one of the two has none",
        };
        return view! { <span class="none">{text}</span> }.into_any();
    };
    let tone = if delta > 0.0 {
        "num pass"
    } else if delta < 0.0 {
        "num fail"
    } else {
        "num"
    };
    let gap = (step.gap > 0).then(|| format!(" over a gap of {}", step.gap));
    let stored = step.stored.map(|stored| {
        view! { <span class="partial">{format!(" (file: {})", format::delta(stored))}</span> }
    });
    view! {
        <b class=tone>{format::delta(delta)}</b>
        {gap}
        {stored}
        " "
        <OriginMark origin=step.origin rule=step.rule.clone()/>
    }
    .into_any()
}

/// A name, a summary of what is behind it, and its rows.
type Line = (&'static str, Option<String>, AnyView);

fn lines(step: &Step) -> Vec<Line> {
    let of = |kinds: &[ChangeKind]| -> Vec<&Change> {
        step.changes.iter().filter(|change| kinds.contains(&change.kind)).collect()
    };
    let mut lines: Vec<Line> = Vec::new();
    let errors = of(&[ChangeKind::ErrorCleared, ChangeKind::ErrorNew, ChangeKind::ErrorPersisting]);
    if step.has_errors || !errors.is_empty() {
        lines.push(("Errors", Some(errors_sentence(&step.changes)), marked(&errors)));
    } else {
        let text = "not known: at least one of the two has no list of errors".to_owned();
        lines.push(("Errors", Some(text), ().into_any()));
    }
    for (name, kinds) in [
        ("Counts", &[ChangeKind::Counter][..]),
        ("Checks", &[ChangeKind::Check]),
        ("Files", &[ChangeKind::FileNew, ChangeKind::FileAgain]),
        ("Actions", &[ChangeKind::Action]),
        ("Lessons that came into the window", &[ChangeKind::LessonNew]),
        ("Strategy", &[ChangeKind::Strategy]),
        ("Verification", &[ChangeKind::Verification]),
    ] {
        let changes = of(kinds);
        if !changes.is_empty() {
            lines.push((name, summary(&changes), marked(&changes)));
        }
    }
    lines
}

/// Only the numbers of errors are worth a sentence of their own.
pub(crate) fn errors_sentence(changes: &[Change]) -> String {
    let count = |kind| changes.iter().filter(|change| change.kind == kind).count();
    format!(
        "{} cleared, {} new, {} persisting",
        count(ChangeKind::ErrorCleared),
        count(ChangeKind::ErrorNew),
        count(ChangeKind::ErrorPersisting),
    )
}

fn summary(changes: &[&Change]) -> Option<String> {
    let first = changes.first()?;
    match first.kind {
        ChangeKind::Action => {
            let lines = |of: fn(&Change) -> Option<i64>| {
                changes.iter().filter_map(|change| of(change)).reduce(i64::saturating_add)
            };
            let mut text = format!("{} {}", changes.len(), noun(changes.len() as u64, "action"));
            if let Some(added) = lines(|change| change.added) {
                let _ = write!(text, ", {}", format::whole_delta(added));
            }
            if let Some(removed) = lines(|change| change.removed) {
                let _ = write!(text, " {} lines", format::whole_delta(-removed));
            }
            Some(text)
        }
        ChangeKind::Verification => Some("The change of reward may not compare.".to_owned()),
        _ => None,
    }
}

fn marked(changes: &[&Change]) -> AnyView {
    let more = changes.len().saturating_sub(SHOWN);
    view! {
        <ul class="step-rows">
            {changes.iter().take(SHOWN).map(|change| row(change)).collect_view()}
            {(more > 0).then(|| view! { <li class="quiet">{format!("and {more} more")}</li> })}
        </ul>
    }
    .into_any()
}

/// A sign, the word that it stands for, and what changed.
fn row(change: &Change) -> impl IntoView + use<> {
    let (sign, word, class) = match change.kind {
        ChangeKind::ErrorCleared => ("\u{2212}", "cleared", "pass"),
        ChangeKind::ErrorNew => ("+", "new", "fail"),
        ChangeKind::ErrorPersisting => ("=", "persisting", "muted"),
        ChangeKind::FileNew => ("+", "not in the step before", "accent"),
        ChangeKind::FileAgain => ("=", "again", "muted"),
        ChangeKind::LessonNew => ("+", "", "accent"),
        _ => ("\u{b7}", "", "muted"),
    };
    let change = change.clone();
    let is_text = matches!(change.kind, ChangeKind::LessonNew | ChangeKind::Strategy);
    let what = match (change.kind, change.before, change.after) {
        (ChangeKind::Strategy | ChangeKind::Verification, Some(was), Some(is)) => {
            view! { <Reworded was is/> }.into_any()
        }
        (ChangeKind::Counter | ChangeKind::Check, Some(was), Some(is)) => {
            let amount =
                change.amount.map(|amount| format!(" ({amount:+})").replace('-', "\u{2212}"));
            view! {
                <RecordText text=change.text/>" "<RecordText text=was/>" \u{2192} "
                <b><RecordText text=is/></b>{amount}
            }
            .into_any()
        }
        _ => view! { <RecordText text=change.text/> }.into_any(),
    };
    let sizes =
        [change.added.map(|n| format!("+{n}")), change.removed.map(|n| format!("\u{2212}{n}"))];
    let sizes: Vec<_> = sizes.into_iter().flatten().collect();
    view! {
        <li class:record=!is_text>
            <b class=format!("sign {class}") aria-hidden="true">{sign}</b>
            <span class="step-what">{what}</span>
            {(!sizes.is_empty()).then(|| view! { <span class="diff-counts">{sizes.join(" ")}</span> })}
            {(!word.is_empty()).then(|| view! { <span class="quiet">{word}</span> })}
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(kind: ChangeKind, added: Option<i64>) -> Change {
        Change {
            number: 2,
            from: 1,
            kind,
            text: "x".into(),
            before: None,
            after: None,
            amount: None,
            action: None,
            added,
            removed: added,
        }
    }

    #[test]
    fn changes_are_summed_up_as_far_as_they_are_known() {
        let errors = [change(ChangeKind::ErrorCleared, None), change(ChangeKind::ErrorNew, None)];
        assert_eq!(errors_sentence(&errors), "1 cleared, 1 new, 0 persisting");
        let (known, unknown) =
            (change(ChangeKind::Action, Some(3)), change(ChangeKind::Action, None));
        let both = [&known, &unknown];
        assert_eq!(summary(&both).as_deref(), Some("2 actions, +3 \u{2212}3 lines"));
        assert_eq!(summary(&[&unknown]).as_deref(), Some("1 action"));
    }
}
