//! Cells of the list: a run in columns, a run where there is no room for columns, a heading.

use hindscope::{Origin, RunVerdict, RunView, TrajectoryClass, UsageSum};
use leptos::prelude::*;

use crate::components::{Chevron, OutcomeMark, RecordText, Spark, Trend, or_none};
use crate::format::{self, counted, duration, group_label};
use crate::platform;
use crate::protocol::{GroupBy, Heading, OUTCOMES, RunRow, Sort, UNSEEN};
use crate::state::{Clock, Settings};
use crate::views::runs::category;
use crate::views::runs::columns::Column;

/// The cells of a run, column by column.
pub(super) fn wide(row: &RunRow, shown: &[Column], link: AnyView) -> Vec<AnyView> {
    let mut link = Some(link);
    shown
        .iter()
        .map(|column| {
            let cell = match column.sort {
                Sort::Key => {
                    let task = row.view.task.clone().map(|task| {
                        view! { <span class="task"><RecordText text=task/></span> }
                    });
                    view! { {link.take()}{task} }.into_any()
                }
                sort => cell(row, sort),
            };
            view! { <div class=column.class role="gridcell">{cell}</div> }.into_any()
        })
        .collect()
}

fn cell(row: &RunRow, sort: Sort) -> AnyView {
    let (view, more) = (&row.view, &row.more);
    match sort {
        Sort::Key => ().into_any(),
        Sort::Iterations => platform::whole(view.iterations).into_any(),
        Sort::Outcome => outcome(row).into_any(),
        Sort::Last => view! { {origin(view)}{reward(view.last)} }.into_any(),
        Sort::Best => reward(view.best).into_any(),
        Sort::Selected => {
            let selected = more.selected.map(|(number, value)| {
                view! { <span class="quiet">{format!("at {number}")}</span>" "{reward(value)} }
            });
            or_none(selected, "none")
        }
        Sort::FirstSuccess => {
            or_none(view.first_success_number.map(|number| format!("at {number}")), "never")
        }
        Sort::Trajectory => trajectory(more.trajectory),
        Sort::Start => or_none(more.start_ms.map(date), "none"),
        Sort::End => or_none(more.end_ms.map(date), "none"),
        Sort::Duration => {
            let length = more.start_ms.zip(more.end_ms).map(|(start, end)| end - start);
            or_none(length.filter(|length| *length > 0.0).map(duration), "none")
        }
        Sort::Tokens => took(more.usage.tokens, "tokens", format::tokens),
        Sort::Cost => took(more.usage.cost_usd, "US dollars", format::dollars),
        Sort::Reflections => count(view.reflections),
        Sort::Category => category::cell(&more.category),
        Sort::Trend => trend(row),
        Sort::Verdict => verdict(more.verdict.as_ref()),
        Sort::Findings => count(view.findings),
        Sort::Group => view! { <RecordText text=source(row)/> }.into_any(),
    }
}

/// How a run ended; "stale" where it says that it runs, and nothing came for a day.
fn outcome(row: &RunRow) -> impl IntoView + use<> {
    let detail = if row.more.is_stale {
        Some("(stale)".to_owned())
    } else {
        row.view.outcome_detail.clone()
    };
    view! { <OutcomeMark outcome=row.view.outcome detail/> }
}

/// Where it was stuck and how it ended; the whole of it on hover.
fn verdict(verdict: Option<&RunVerdict>) -> AnyView {
    let Some(verdict) = verdict else { return ().into_any() };
    let says = verdict.headline.says.clone();
    let is_stuck = !verdict.stuck.is_empty();
    let title = says.clone();
    view! { <span class="verdict-text" class:stuck=is_stuck title=title>{says}</span> }.into_any()
}

/// Rewards as a line; outcomes where there are none, or where rewards say no more than outcomes.
fn trend(row: &RunRow) -> AnyView {
    let view = &row.view;
    let is_verdict = view.reward_rule.as_deref() == Some("reward/derive-verdict");
    let rewards: Vec<Option<f64>> = row.more.spark.iter().collect();
    if is_verdict || rewards.iter().all(Option::is_none) {
        return view! { <Trend letters=view.trend.clone() iterations=view.iterations/> }.into_any();
    }
    view! { <Spark rewards is_derived=view.reward_origin == Origin::Derived/> }.into_any()
}

/// The group, or the file where there is no group.
fn source(row: &RunRow) -> String {
    if row.group.is_empty() && !row.more.path.is_empty() {
        return row.more.path.clone();
    }
    group_label(&row.group)
}

/// The same in two lines.
pub(super) fn narrow(row: &RunRow, link: AnyView) -> impl IntoView + use<> {
    let view = &row.view;
    let findings = (view.findings > 0).then(|| counted(view.findings, "finding"));
    let iterations = format!("{} it", platform::whole(view.iterations));
    let last = view.last.map_or_else(|| "no reward".to_owned(), format::reward);
    view! {
        <div class="n-run" role="gridcell">{link}</div>
        <div class="n-facts" role="gridcell">
            {outcome(row)}
            <span class="n-reward">{last}" "{origin(view)}</span>
            <span>{iterations}</span>
            {trend(row)}
            <span class="n-findings">{findings}</span>
        </div>
    }
}

/// What stands above the runs of a group.
pub(super) fn heading(heading: &Heading, by: Option<GroupBy>) -> AnyView {
    let outcome = OUTCOMES.into_iter().find(|one| one.as_str() == heading.title);
    let title = match (by, outcome) {
        (Some(GroupBy::Outcome), Some(outcome)) => view! { <OutcomeMark outcome/> }.into_any(),
        (Some(GroupBy::Task), _) if heading.title.is_empty() => "no task recorded".into_any(),
        (Some(GroupBy::Category), _) if heading.title.is_empty() => category::NONE.into_any(),
        (Some(GroupBy::Category), _) if heading.title == UNSEEN => category::UNSEEN.into_any(),
        (Some(GroupBy::Group), _) => {
            view! { <RecordText text=group_label(&heading.title)/> }.into_any()
        }
        _ => view! { <RecordText text=heading.title.clone()/> }.into_any(),
    };
    let so_far = if heading.is_so_far { " so far" } else { "" };
    let runs = format!("{}{so_far}", counted(heading.runs, "run"));
    let solved = (heading.judged > 0 && by != Some(GroupBy::Outcome)).then(|| {
        let share = format::percent(f64::from(heading.solved), f64::from(heading.judged));
        format!(", {} solved ({share})", platform::whole(heading.solved))
    });
    view! {
        <Chevron/>
        <span class="heading-title">{title}</span>
        <span class="quiet">{runs}{solved}</span>
    }
    .into_any()
}

fn reward(value: Option<f64>) -> AnyView {
    or_none(value.map(format::reward), "none")
}

fn origin(view: &RunView) -> Option<impl IntoView + use<>> {
    (view.reward_origin == Origin::Derived && view.last.is_some())
        .then(|| view! { <span class="derived">"derived"</span> })
}

fn count(number: u32) -> AnyView {
    if number == 0 {
        view! { <span class="none">"\u{2013}"</span> }.into_any()
    } else {
        platform::whole(number).into_any()
    }
}

/// A sum, with the whole of it on hover; blank where nothing is recorded.
fn took(sum: Option<UsageSum>, unit: &str, write: fn(f64) -> String) -> AnyView {
    let Some(sum) = sum else { return ().into_any() };
    let (text, title) = took_text(sum, unit, write);
    view! { <span class="number-text" title=title>{text}</span> }.into_any()
}

/// The sum as it stands in the cell, and in full.
fn took_text(sum: UsageSum, unit: &str, write: fn(f64) -> String) -> (String, String) {
    let UsageSum { sum, known, unknown } = sum;
    let [said, all] = [known, known + unknown].map(platform::whole);
    match (known, unknown) {
        (0, _) => (write(sum), format!("{sum} {unit}, as the file says of the run")),
        (_, 0) => (write(sum), format!("{sum} {unit}")),
        _ => (
            format!("\u{2265} {}", write(sum)),
            format!("at least {sum} {unit}: {said} of {all} iterations say"),
        ),
    }
}

fn trajectory(trajectory: TrajectoryClass) -> AnyView {
    match trajectory {
        TrajectoryClass::InsufficientData => {
            view! { <span class="none">"too few"</span> }.into_any()
        }
        known => known.as_str().into_any(),
    }
}

/// A moment to the minute, in the reader's zone if that was chosen, else in UTC: a run keeps the moments
/// of its records and not their zones. The exact moment is shown on hover.
fn date(ms: f64) -> AnyView {
    let Some(exact) = platform::date_of(ms) else { return view! { "none" }.into_any() };
    let clock = Settings::get().clock;
    let utc = format!("{}Z", exact.chars().take(16).collect::<String>().replace('T', " "));
    let local = platform::local_minute(ms);
    let shown = move || if clock.get() == Clock::Local { local.clone() } else { utc.clone() };
    view! { <span title=exact>{shown}</span> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_say_what_they_rest_on() {
        let of = |sum, known, unknown| {
            took_text(UsageSum { sum, known, unknown }, "tokens", format::tokens)
        };
        assert_eq!(of(1234.75, 3, 0), ("1235".to_owned(), "1234.75 tokens".to_owned()));
        let (text, title) = of(1200.0, 2, 1);
        assert_eq!(text, "\u{2265} 1200");
        assert_eq!(title, "at least 1200 tokens: 2 of 3 iterations say");
        assert!(of(90.0, 0, 0).1.ends_with("as the file says of the run"));
    }
}
