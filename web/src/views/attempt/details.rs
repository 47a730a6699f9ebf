//! Plan against outcome, what worked and what did not, and what is carried over.

use leptos::prelude::*;

use super::replay::Replay;
use crate::components::{
    Delta, Fold, LongText, NamedList, OutcomeMark, RecordText, Reward, TimeText,
};
use crate::format::{self, counted, duration};
use crate::platform;
use crate::protocol::{AttemptBody, EndBody, Given, Left, Lesson, PlanBody, Took};
use crate::state::{App, attempt_href};

/// Steps of a plan that are listed.
const STEPS: usize = 200;

/// Everything that is known of an attempt.
#[component]
pub(super) fn Details(body: AttemptBody, replay: Replay) -> impl IntoView {
    let (number, estimated) = (body.number, body.plan.estimated);
    view! {
        <div class="attempt-details" data-attempt=number.to_string()>
            {body.task.map(|text| view! { <div class="attempt-task"><LongText text/></div> })}
            <div class="beside">
                <section class="attempt-part"><h3>"Plan"</h3><Plan plan=body.plan number replay/></section>
                <section class="attempt-part">
                    <h3>"Outcome"</h3>
                    <Outcome end=body.end estimated actions=body.actions/>
                </section>
            </div>
            <div class="beside">
                <Noted title="What worked" tone="pass" points=body.worked/>
                <Noted title="What didn\u{2019}t work" tone="fail" points=body.failed/>
            </div>
            <NamedList name="Milestones" points=body.milestones/>
            <GivenPart given=body.given/>
            <LeftPart left=body.left/>
        </div>
    }
}

/// What was planned, step by step, with the actions that say which step they belong to.
#[component]
fn Plan(plan: PlanBody, number: i64, replay: Replay) -> impl IntoView {
    let is_empty = plan.approach.is_empty() && plan.steps.is_empty() && plan.written.is_none();
    if is_empty {
        return view! { <p class="none">"No plan is recorded."</p> }.into_any();
    }
    let has_steps = !plan.steps.is_empty();
    let more = plan.steps.len().saturating_sub(STEPS);
    let step = |(at, text): (usize, String)| {
        view! { <li dir="auto"><LongText text/><StepActions at number replay/></li> }
    };
    let steps = plan.steps.into_iter().take(STEPS).enumerate().map(step).collect_view();
    // Until the whole list is read, nobody knows whether any action names a step.
    let is_untied = move || {
        replay.list.answer.with(|list| {
            let own = list.as_ref().filter(|list| list.number == number && list.total > 0);
            let Some(list) = own else { return false };
            list.read == list.total && list.steps.iter().all(|(_, all)| *all == 0)
        })
    };
    let written = plan.written;
    view! {
        {(!plan.approach.is_empty()).then(|| view! { <LongText text=plan.approach/> })}
        {has_steps.then(|| view! { <ol class="plan-steps">{steps}</ol> })}
        {(more > 0).then(|| view! { <p class="quiet">{format!("{more} more steps")}</p> })}
        <Show when=move || has_steps && is_untied()>
            <p class="quiet">"No action says which step it belongs to."</p>
        </Show>
        {plan.estimated.map(|n| view! { <p class="quiet">{format!("Estimated iterations: {n}")}</p> })}
        {written.map(|text| view! {
            <Fold title="Plan as written" note="plan.md" is_closed=true>
                <LongText text=text.clone()/>
            </Fold>
        })}
    }
    .into_any()
}

/// Actions of a step, as links.
#[component]
fn StepActions(at: usize, number: i64, replay: Replay) -> impl IntoView {
    let of_step = Memo::new(move |_| {
        // The list of the attempt before may still stand.
        replay
            .list
            .answer
            .with(|list| list.as_ref().filter(|list| list.number == number)?.steps.get(at).cloned())
    });
    let link = move |position: u32| {
        view! {
            <button class="jump" on:click=move |_| replay.go(position)>
                {format!("action {}", platform::whole(position + 1))}
            </button>
            " "
        }
    };
    move || {
        let (first, all) = of_step.get().filter(|(_, all)| *all > 0)?;
        let more = all.saturating_sub(u32::try_from(first.len()).unwrap_or(all));
        Some(view! {
            <p class="quiet">
                {first.into_iter().map(link).collect_view()}
                {(more > 0).then(|| format!("and {} more", platform::whole(more)))}
            </p>
        })
    }
}

/// How it ended, in numbers beside those of the plan.
#[component]
fn Outcome(
    end: EndBody,
    #[prop(optional_no_strip)] estimated: Option<f64>,
    actions: u32,
) -> impl IntoView {
    let made = made(&end, actions);
    let iterations = end.iterations.map(|made| match estimated {
        Some(estimated) => format!("{made} of {estimated} estimated"),
        None => made.to_string(),
    });
    let rated: Vec<String> = end
        .rated
        .iter()
        .filter_map(|(number, value)| Some(format!("{number}: {}", format::reward((*value)?))))
        .collect();
    let quality = end.reward.map(|value| {
        let written = end.written.map(|written| format!(" (written {written})"));
        view! {
            <Reward value/>
            {end.delta.map(|value| view! { " "<Delta value/> })}
            <span class="quiet"><RecordText text=written.unwrap_or_default()/></span>
        }
        .into_any()
    });
    let fact = |name: &'static str, value: Option<AnyView>| {
        value.map(|value| view! { <div><dt>{name}</dt><dd>{value}</dd></div> })
    };
    let text = |text: Option<String>| text.map(IntoAny::into_any);
    let time = |text: Option<String>| text.map(|text| view! { <TimeText text/> }.into_any());
    view! {
        <p><OutcomeMark outcome=end.outcome detail=end.detail/></p>
        {end.reason.map(|text| view! { <LongText text/> })}
        <dl class="attempt-facts">
            {fact("Quality", quality)}
            {fact("Done", text(end.done.map(|done| format::percent(done, 1.0))))}
            {fact("Iterations", text(iterations))}
            {fact("Rated on the way", text((!rated.is_empty()).then(|| rated.join(", "))))}
            {fact("Actions", text(made))}
            {fact("Errors", text(end.errors.map(platform::whole)))}
            {fact("Took", text(end.duration.map(duration)))}
            {fact("Began", time(end.start))}
            {fact("Ended", time(end.end))}
        </dl>
    }
}

/// Actions that are recorded, and those that the attempt counts, where they differ.
fn made(end: &EndBody, recorded: u32) -> Option<String> {
    match end.counted {
        Some(counted) if (counted - f64::from(recorded)).abs() > 0.5 => {
            Some(format!("{} recorded, it says {counted}", platform::whole(recorded)))
        }
        None if recorded == 0 => None,
        _ => Some(platform::whole(recorded)),
    }
}

/// A list under a heading, which says when it is empty.
#[component]
fn Noted(title: &'static str, tone: &'static str, points: Vec<String>) -> impl IntoView {
    let list = if points.is_empty() {
        view! { <p class="none">"Nothing is recorded."</p> }.into_any()
    } else {
        let item = |text: String| view! { <li dir="auto"><LongText text/></li> };
        view! { <ul class=format!("noted {tone}")>{points.into_iter().map(item).collect_view()}</ul> }
            .into_any()
    };
    view! { <section class="attempt-part"><h3>{title}</h3>{list}</section> }
}

/// A link to another attempt of the task.
fn attempt_link(number: i64) -> impl IntoView {
    let href = attempt_href(App::get(), number, None);
    view! { <a href=href>{format!("attempt {number}")}</a> }
}

/// What it knew of earlier attempts.
#[component]
fn GivenPart(given: Given) -> impl IntoView {
    let Given { is_computed, lessons, more } = given;
    let lesson = |Lesson { number, texts }: Lesson| {
        let item = |text: String| view! { <li dir="auto"><LongText text/></li> };
        let is_missing = texts.is_empty();
        view! {
            <div class="lesson-from">
                <p>"From "{attempt_link(number)}</p>
                {is_missing.then(|| view! { <p class="none">"No reflection of it is open."</p> })}
                <ul class="noted">{texts.into_iter().map(item).collect_view()}</ul>
            </div>
        }
    };
    let word = match (lessons.is_empty(), is_computed) {
        (true, true) => "There was nothing to load.",
        (true, false) => "Its records say that no reflection was loaded.",
        (false, true) => "Computed: nobody says which were loaded; these could have been.",
        (false, false) => "Its records say that these were loaded.",
    };
    view! {
        <section class="attempt-part">
            <h3>"Loaded from earlier attempts"</h3>
            <p class="quiet">{word}</p>
            {lessons.into_iter().map(lesson).collect_view()}
            {(more > 0).then(|| view! {
                <p class="quiet">{format!("and of {} before them", counted(more, "attempt"))}</p>
            })}
        </section>
    }
}

/// What it left to the next attempt.
#[component]
fn LeftPart(left: Left) -> impl IntoView {
    let Left { reflections, next_time, next, took } = left;
    let is_empty = reflections.is_empty() && next_time.is_empty();
    let took = next.map(|next| {
        let word = match took {
            Some(Took::Yes) => " was given this: its records say so.",
            Some(Took::No) => " was not given this: its records say so.",
            Some(Took::Could) => " could have seen this; nobody says whether it did.",
            Some(Took::CouldNot) => " could not see this: it was out of its window.",
            None => " comes next.",
        };
        view! { <p>"Carried over to "{attempt_link(next)}":"{word}</p> }
    });
    let last = next.is_none().then(|| view! { <p class="quiet">"There is no next attempt."</p> });
    let reflection = |reflection: hindscope::Reflection| {
        let hindscope::Reflection { text, kind, lessons, insights, trigger, .. } = reflection;
        let notes: Vec<String> = kind.into_iter().chain(trigger).collect();
        // What the text says already is not said again.
        let is_new = |item: &String| !text.contains(item.as_str());
        let lessons: Vec<String> = lessons.into_iter().filter(is_new).collect();
        let insights: Vec<String> = insights.into_iter().filter(is_new).collect();
        view! {
            <div class="left-reflection">
                {(!notes.is_empty()).then(|| view! { <p class="quiet"><RecordText text=notes.join(", after ")/></p> })}
                <LongText text=text.trim().to_owned()/>
                <NamedList name="Lessons" points=lessons/>
                <NamedList name="To do" points=insights/>
            </div>
        }
    };
    view! {
        <section class="attempt-part">
            <h3>"Learned"</h3>
            {is_empty.then(|| view! { <p class="none">"No reflection was written after it."</p> })}
            {(!is_empty).then_some(took)}
            {(!is_empty).then_some(last)}
            <NamedList name="Next time" points=next_time/>
            {reflections.into_iter().map(reflection).collect_view()}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_counts_that_differ_are_both_shown() {
        let mut end = EndBody {
            outcome: hindscope::Outcome::Failure,
            detail: None,
            reason: None,
            reward: None,
            delta: None,
            written: None,
            done: None,
            iterations: None,
            counted: Some(7.0),
            errors: None,
            start: None,
            end: None,
            duration: None,
            rated: Vec::new(),
        };
        assert_eq!(made(&end, 2).as_deref(), Some("2 recorded, it says 7"));
        assert_eq!(made(&end, 7).as_deref(), Some("7"));
        end.counted = None;
        assert_eq!((made(&end, 0), made(&end, 3).as_deref()), (None, Some("3")));
    }
}
