//! What the runs shown come to together: a sentence, and behind it the curve and its numbers.

use std::fmt::Write as _;

use hindscope::HeadlinePart;
use leptos::prelude::*;

use crate::chart;
use crate::components::{FoldButton, HeadlineText};
use crate::format::{self, counted};
use crate::protocol::{Choice, Query, SUMMED, SummaryBody};
use crate::route::{self, Place, View};
use crate::state::{App, asked};
use crate::views::runs::curve::CurvePanel;
use crate::views::runs::facts::{Attempts, Facts};
use crate::views::runs::filters::Counts;

/// This section, as `App::folds` knows it.
const SUMMARY: &str = "Summary";
/// The query for runs that were stuck.
const STUCK: &str = "finding:headline/stuck";
/// With fewer runs, the list says it all.
const FEW: u32 = 10;

/// The summary, folded away where there are few runs.
#[component]
pub(crate) fn Summary(choice: Memo<Choice>, counts: RwSignal<Counts>) -> impl IntoView {
    let app = App::get();
    // Runs that are open, not shown: a filter must not fold what is being read.
    let all = Memo::new(move |_| app.summary.with(|summary| summary.runs));
    // While runs still come, even a few leave the summary open: opening it later would move the list down.
    let least = Memo::new(move |_| if app.shows_early() { 0 } else { FEW });
    let is_open =
        Memo::new(move |_| app.is_open(SUMMARY, (least.get()..=SUMMED).contains(&all.get())));
    let body = asked(
        move || {
            let shown = Choice { closed: Vec::new(), sort: None, by: None, ..choice.get() };
            let looked = shown.filters_category().then(|| app.looked.get());
            let is_wanted = is_open.get() || all.get() <= SUMMED;
            (is_wanted && app.has_runs()).then_some(Query::Summary {
                choice: shown,
                looked,
                compared: app.compared.get(),
            })
        },
        |answer| answer.try_as_summary().map(|body| *body),
    );
    let says = move || body.answer.with(|body| body.as_ref().map(sentence));
    let lines = Memo::new(move |_| {
        body.answer
            .with(|body| body.as_ref().map_or_else(Vec::new, |b| chart::lines(&b.groups.rows)))
    });
    // Attempts of several experiments, counted together, are those of none of them.
    let has_one =
        Memo::new(move |_| body.answer.with(|body| body.as_ref().is_none_or(|b| b.groups.all < 2)));
    let has_lines = Memo::new(move |_| lines.with(|lines| !lines.is_empty()));
    let title = move || format!("{} shown", counted(counts.get().shown, "run"));
    let headline = move || {
        body.answer.with(|body| {
            let headline = body.as_ref()?.headline.clone();
            let here = app.place.get();
            Some(view! { <HeadlineText headline href=move |part: &HeadlinePart| runs_of(part, &here)/> })
        })
    };
    view! {
        <div class="headline-place">{headline}</div>
        <section class="summary" class:closed=move || !is_open.get() aria-label="Summary">
            <h2>
                <FoldButton section=SUMMARY is_open>
                    <span class="fold-title">{title}</span>
                    <span class="fold-note">{says}</span>
                </FoldButton>
            </h2>
            <Show when=move || is_open.get()>
                <div class="summary-parts">
                    <Show
                        when=move || has_lines.get()
                        fallback=move || {
                            body.answer.with(Option::is_some).then(|| view! {
                                <p class="advice">
                                    "No run shown has a recorded outcome, so there is no curve of solved runs."
                                </p>
                            })
                        }
                    >
                        <CurvePanel lines/>
                    </Show>
                    <Show when=move || has_one.get()>
                        <Attempts body=body.answer/>
                    </Show>
                    <Facts body=body.answer choice counts lines/>
                </div>
            </Show>
        </section>
    }
}

/// Where a part of the headline leads: of the runs that are shown here, to those that were stuck; of tasks that only
/// one of two experiments solved, to their comparison.
fn runs_of(part: &HeadlinePart, here: &Place) -> Option<String> {
    if part.rule == "headline/compare" && !part.runs.is_empty() {
        return Some(route::write(&here.with_view(View::Compare)));
    }
    let is_stuck = part.rule == "headline/stuck" && part.text.contains("got stuck");
    let text = here.query.text.clone().unwrap_or_default();
    (is_stuck && !text.contains(STUCK)).then(|| {
        let mut place = here.clone();
        place.query.text = Some(format!("{text} {STUCK}").trim().to_owned());
        route::write(&place)
    })
}

/// Rates in a line.
fn sentence(body: &SummaryBody) -> String {
    let sums = &body.attempts;
    if body.groups.all > 1 {
        return counted(body.groups.all, "group");
    }
    if sums.judged == 0 {
        return "no outcome recorded, so no rate of success".to_owned();
    }
    let share = format::percent(f64::from(sums.solved), f64::from(sums.judged));
    let mut text = format!("success {share}");
    if let Some(mean) = sums.mean_attempts {
        let _ = write!(text, ", solved after {mean:.1} attempts on average");
    }
    text
}

#[cfg(test)]
mod tests {
    use hindscope::AttemptSum;

    use super::*;

    #[test]
    fn without_outcomes_there_is_no_rate() {
        let mut body = SummaryBody::default();
        body.attempts.runs = 3;
        assert_eq!(sentence(&body), "no outcome recorded, so no rate of success");
        body.attempts.judged = 3;
        body.attempts.runs = 5;
        body.attempts.solved = 2;
        body.attempts.mean_attempts = Some(1.5);
        body.attempts.attempts.push(AttemptSum {
            attempt: 1,
            attempted: 3,
            solved_after: 1,
            success_at: Some(1.0 / 3.0),
            mean_reward: None,
            rewarded: 0,
            is_faint: true,
        });
        assert_eq!(sentence(&body), "success 67 %, solved after 1.5 attempts on average");
    }
}
