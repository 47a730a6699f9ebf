//! Where a run comes from, and what its files say of it as a whole.

use hindscope::{Declared, RunDetails};
use leptos::prelude::*;

use crate::components::{
    Fold, LongText, NamedList, NamedTexts, OutcomeMark, ReadText, RecordText, RewardMark,
    counter_rows, fact_rows, usage,
};
use crate::format::{counted, noun};
use crate::platform;
use crate::protocol::{AboutBody, Answer, FilePlaces, Query, RawText, RecordPlace, Said, count};
use crate::route::{self, View};
use crate::state::{App, Asked};

/// Both sections; each only if there is something in it.
#[component]
pub(crate) fn Provenance(about: Asked<AboutBody>) -> impl IntoView {
    view! {
        <section class="provenance" aria-label="Provenance">
            {move || about.problem.get().map(|problem| view! { <p class="advice">{problem}</p> })}
            {move || about.answer.get().map(|body| view! { <Statements body=body.clone()/><Files body/> })}
        </section>
    }
}

/// What records say of the run, each statement with its place.
#[component]
fn Statements(body: AboutBody) -> impl IntoView {
    let has = !body.said.is_empty() || body.problem.is_some();
    has.then(|| {
        let note = match body.said.len() {
            0 => String::new(),
            some => format!("{some} {}", noun(some as u64, "statement")),
        };
        let unread = (body.unread > 0).then(|| {
            format!("{} more records were not read for this.", platform::whole(body.unread))
        });
        view! {
            <Fold title="What its files say" note>
                {body.problem.clone().map(|text| view! { <p class="advice"><RecordText text/></p> })}
                {body.said.clone().into_iter().map(|said| view! { <Statement said/> }).collect::<Vec<_>>()}
                {unread.clone().map(|text| view! { <p class="quiet">{text}</p> })}
            </Fold>
        }
    })
}

#[component]
fn Statement(said: Said) -> impl IntoView {
    let others = said.records.saturating_sub(1);
    let others = (others > 0).then(|| {
        format!(" and {} more {}", platform::whole(others), noun(u64::from(others), "record"))
    });
    let says = said.says;
    let facts = facts(&says);
    let declared = says.declared.as_ref().map(declared).filter(|facts| !facts.is_empty());
    view! {
        <div class="statement">
            <p class="place"><RecordText text=said.place/>{others}</p>
            {says.task.map(|text| view! { <div class="fact-task"><LongText text/></div> })}
            <dl class="counters">
                {says.outcome.map(|outcome| view! {
                    <div>
                        <dt>"Outcome"</dt>
                        <dd><OutcomeMark outcome detail=says.outcome_detail.clone()/></dd>
                    </div>
                })}
                {says.reward.map(|reward| view! {
                    <div><dt>"Reward"</dt><dd><RewardMark reward/></dd></div>
                })}
                {fact_rows(facts)}
                {counter_rows(says.counters)}
            </dl>
            <NamedList name="Done when" points=says.criteria/>
            <NamedList name="Lessons of no single attempt" points=says.lessons/>
            {declared.map(|facts| view! {
                <div class="named">
                    <h4>"Its own summary, as its writer declares it"</h4>
                    <dl class="counters">{fact_rows(facts)}</dl>
                </div>
            })}
            <NamedTexts texts=says.texts/>
        </div>
    }
}

fn facts(says: &RunDetails) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let mut add = |name, text: Option<String>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            facts.push((name, text));
        }
    };
    add("Status", says.status.clone());
    add("Agent", says.agent.clone());
    add("Model", says.model.clone());
    add("Started", says.start.clone());
    add("Ended", says.end.clone());
    add("Last written", says.updated.clone());
    add("Limits", Some(limits(says)));
    add("Attempts it counts", says.counter.map(|count| count.to_string()));
    add("Window \u{3a9}", says.omega.map(|omega| omega.to_string()));
    add("First number", says.base.map(|base| base.to_string()));
    add("Labels", Some(says.tags.join(", ")));
    add("Other ids", Some(says.aliases.join(", ")));
    add("Related runs", Some(says.related.join(", ")));
    facts
}

fn limits(says: &RunDetails) -> String {
    let iterations = says
        .max_iterations
        .map(|most| format!("{most} {}", noun(most.unsigned_abs(), "iteration")));
    let minutes = says.max_minutes.map(|most| format!("{most} min"));
    iterations.into_iter().chain(minutes).collect::<Vec<_>>().join(", ")
}

fn declared(declared: &Declared) -> Vec<(&'static str, String)> {
    let number = |number: Option<i64>| number.map(|number| number.to_string());
    let usage = declared.usage.as_ref().map(usage).filter(|usage| !usage.is_empty());
    [
        ("Best", number(declared.best)),
        ("Selected", number(declared.selected)),
        ("Last", number(declared.last)),
        ("Trajectory", declared.trajectory.clone()),
        ("Diminishing at", number(declared.diminishing)),
        ("Reason", declared.reason.clone()),
        ("Took", usage),
    ]
    .into_iter()
    .filter_map(|(name, text)| Some((name, text?)))
    .collect()
}

/// The files that its records stand in, with their lines.
#[component]
fn Files(body: AboutBody) -> impl IntoView {
    let note =
        format!("{} in {}", counted(body.records, "record"), counted(body.all_files, "file"));
    let hidden = body.all_files.saturating_sub(count(body.files.len()));
    let files = body.files;
    view! {
        <Fold title="Where it comes from" note is_closed=true>
            <ul class="files-of-run">
                {files.clone().into_iter().map(|file| view! { <FileOfRun file/> }).collect::<Vec<_>>()}
            </ul>
            {(hidden > 0).then(|| view! {
                <p class="quiet">
                    {format!("{} more {} not listed.", platform::whole(hidden), noun(u64::from(hidden), "file"))}
                </p>
            })}
        </Fold>
    }
}

#[component]
fn FileOfRun(file: FilePlaces) -> impl IntoView {
    let FilePlaces { path, records, places } = file;
    let place = route::Place::of_source(View::Open, &path);
    let hidden = records.saturating_sub(count(places.len()));
    let shown = RwSignal::new(None::<(RecordPlace, RawText)>);
    view! {
        <li>
            <a class="file" href=route::write(&place)><RecordText text=path/></a>
            <span class="lines">
                {places
                    .into_iter()
                    .map(|place| view! { <Line place shown/> })
                    .collect::<Vec<_>>()}
                {(hidden > 0).then(|| format!("and {} more", platform::whole(hidden)))}
            </span>
            {move || shown.get().map(|(_, text)| view! { <ReadText text/> })}
        </li>
    }
}

/// The line of a record; a click shows the record as it is written.
#[component]
fn Line(place: RecordPlace, shown: RwSignal<Option<(RecordPlace, RawText)>>) -> impl IntoView {
    let app = App::get();
    let own = place.clone();
    let is_shown = Memo::new(move |_| {
        shown.with(|shown| shown.as_ref().is_some_and(|(place, _)| *place == own))
    });
    let line = format!("line {}", place.line);
    let click = move |_| {
        if is_shown.get_untracked() {
            shown.set(None);
            return;
        }
        let place = place.clone();
        app.ask(Query::Raw { record: place.record }, move |answer| {
            let text = match answer {
                Answer::Raw(text) => text,
                Answer::Failed(reason) => RawText { head: reason, ..RawText::default() },
                _ => return,
            };
            shown.set(Some((place, text)));
        });
    };
    view! {
        <button class="small" aria-expanded=move || is_shown.get().to_string() on:click=click>
            {line}
        </button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_not_there() {
        assert!(facts(&RunDetails::default()).is_empty());
        assert!(declared(&Declared::default()).is_empty());
        let says =
            RunDetails { max_iterations: Some(1), max_minutes: Some(7.5), ..RunDetails::default() };
        assert_eq!(facts(&says), [("Limits", "1 iteration, 7.5 min".to_owned())]);
    }
}
