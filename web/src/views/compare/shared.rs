//! Errors and lessons that the runs have in common, and those that only one of them has.

use leptos::prelude::*;

use crate::components::{RecordText, or_none};
use crate::format::counted;
use crate::protocol::{CompareBody, ErrorsAndLessonsBody};
use crate::views::compare::compared::{Compared, run_name};
use crate::views::compare::errors_and_lessons::READ;
use crate::views::compare::model::{Shared, errors, shared};

/// Texts that are listed in a line.
const LISTED: usize = 5;

/// What runs share, in two columns.
#[component]
pub(super) fn SharedPanel(compared: Compared) -> impl IntoView {
    let known = Memo::new(move |_| {
        let (done, read, all) = compared.errors_and_lessons.progress();
        compared.with(|body| {
            let runs = body.runs.iter().enumerate().take(READ);
            let found: Vec<(usize, ErrorsAndLessonsBody)> = runs
                .filter_map(|(at, run)| {
                    Some((at, compared.errors_and_lessons.get(run.row.view.id)?))
                })
                .collect();
            let lists: Vec<_> = found
                .iter()
                .filter(|(_, of)| of.knows_errors || !of.errors.is_empty())
                .map(|(at, of)| (*at, errors(of)))
                .collect();
            let of_errors = shared(lists.iter().map(|(at, list)| (*at, list.as_slice())));
            let of_lessons = shared(found.iter().map(|(at, of)| (*at, of.lessons.as_slice())));
            let unread: u32 = found.iter().map(|(_, of)| of.unread).sum();
            (of_errors, of_lessons, unread, done < read, read < all)
        })
    });
    move || {
        known.get().map(|(errors, lessons, unread, is_going_on, is_cut)| {
            let mut notes = Vec::new();
            if is_going_on {
                notes.push("Records are still being read.".to_owned());
            }
            if is_cut {
                notes.push(format!("Of the first {READ} runs."));
            }
            if unread > 0 {
                notes.push(format!("Not read: {}.", counted(unread, "record")));
            }
            view! {
                <section class="panel shared" aria-label="Shared and unique">
                    {part(compared, "Errors", "No run compared has a list of errors.", &errors)}
                    {part(compared, "Lessons", "No run compared wrote a lesson.", &lessons)}
                    {(!notes.is_empty()).then(|| view! { <p class="quiet">{notes.join(" ")}</p> })}
                </section>
            }
        })
    }
}

fn part(
    compared: Compared,
    title: &'static str,
    without: &'static str,
    shared: &Shared,
) -> AnyView {
    let has_any = !shared.in_all.is_empty()
        || !shared.in_some.is_empty()
        || shared.only.iter().any(|(_, texts)| !texts.is_empty());
    if shared.runs == 0 || (title == "Lessons" && !has_any) {
        return view! { <div><h2>{title}</h2><p class="quiet">{without}</p></div> }.into_any();
    }
    let count = format!("of {} runs that have some", shared.runs);
    let some: Vec<String> = shared
        .in_some
        .iter()
        .map(|(text, runs)| format!("{text} ({runs} of {})", shared.runs))
        .collect();
    let only: Vec<_> = shared
        .only
        .iter()
        .filter(|(_, texts)| !texts.is_empty())
        .filter_map(|(at, texts)| {
            let name = compared.with(|body: &CompareBody| {
                Some(run_name(*at, body.runs.get(*at)?, body.runs.len()))
            })??;
            Some(line(format!("Only in {name}"), texts))
        })
        .collect();
    view! {
        <div>
            <h2>{title}" "<span class="quiet">{count}</span></h2>
            <dl class="shared-lines">
                {line(format!("In all {}", shared.runs), &shared.in_all)}
                {(!some.is_empty()).then(|| line("In several".to_owned(), &some))}
                {only}
            </dl>
        </div>
    }
    .into_any()
}

fn line(name: String, texts: &[String]) -> AnyView {
    let shown: Vec<_> = texts
        .iter()
        .take(LISTED)
        .map(|text| view! { <li><RecordText text=text.clone()/></li> })
        .collect();
    let more = texts.len().saturating_sub(LISTED);
    let body = (!texts.is_empty()).then(|| {
        view! {
            <ul>{shown}</ul>
            {(more > 0).then(|| view! { <span class="quiet">{format!("and {more} more")}</span> })}
        }
    });
    let body = or_none(body, "nothing");
    view! { <div><dt><RecordText text=name/></dt><dd>{body}</dd></div> }.into_any()
}
