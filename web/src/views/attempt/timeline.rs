//! The attempts of a task, one below the other along their time.

use leptos::prelude::*;

use super::labels::{self, Bar};
use crate::components::{OutcomeMark, Reward, outcome_class};
use crate::format::{counted, duration};
use crate::protocol::AttemptRow;
use crate::state::{App, attempt_href};

/// Attempts around the chosen one, which is marked. Each is a link.
#[component]
pub(super) fn Timeline(
    attempts: Vec<AttemptRow>,
    /// Attempts that are not listed, before and after.
    left_out: (u32, u32),
    number: i64,
) -> impl IntoView {
    let bars = labels::bars(&attempts);
    let rows: Vec<_> = attempts
        .into_iter()
        .zip(bars)
        .map(|(row, bar)| view! { <Row is_here={row.number == number} row bar/> })
        .collect();
    let more = |count: u32, word: &'static str| {
        (count > 0).then(|| {
            view! { <p class="quiet">{format!("{} {word}", counted(count, "attempt"))}</p> }
        })
    };
    view! {
        <nav class="attempts" aria-label="Attempts of this task">
            {more(left_out.0, "before these")}
            <ol>{rows}</ol>
            {more(left_out.1, "after these")}
        </nav>
    }
}

#[component]
fn Row(
    row: AttemptRow,
    #[prop(optional_no_strip)] bar: Option<Bar>,
    is_here: bool,
) -> impl IntoView {
    let app = App::get();
    let number = row.number;
    let href = attempt_href(app, number, None);
    let actions = actions(&row);
    let errors = row.errors.filter(|errors| *errors > 0);
    let bar = bar.map(|bar| {
        view! {
            <span
                class=format!("attempt-bar {}", outcome_class(row.outcome))
                style:left=format!("{}%", bar.from)
                style:width=format!("{}%", bar.width)
            ></span>
        }
    });
    view! {
        <li>
            <a class="attempt-row" href=href aria-current=is_here.then_some("step")>
                <span class="attempt-number"><span class="spoken">"Attempt "</span>{number}</span>
                <OutcomeMark outcome=row.outcome detail=row.detail/>
                <span class="attempt-track" aria-hidden="true">{bar}</span>
                <span class="c-num">{row.duration.map_or_else(|| "no times".to_owned(), duration)}</span>
                <span class="c-num">{actions}</span>
                <span class="c-num" class:fail=errors.is_some()>
                    {errors.map(|errors| counted(errors, "error"))}
                </span>
                <span class="c-num">{row.reward.map(|value| view! { <Reward value/> })}</span>
            </a>
        </li>
    }
}

/// How many actions are recorded; where none is, how many the attempt says it made.
fn actions(row: &AttemptRow) -> String {
    match row.counted.filter(|_| row.actions == 0) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small count"
        )]
        Some(own) => format!("says {}", counted(own.max(0.0) as u32, "action")),
        None => counted(row.actions, "action"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindscope::Outcome;

    #[test]
    fn what_an_attempt_counts_itself_is_called_so() {
        let mut row = AttemptRow {
            number: 1,
            outcome: Outcome::Failure,
            detail: None,
            reward: None,
            actions: 2,
            counted: Some(7.0),
            errors: None,
            duration: None,
            start: None,
        };
        assert_eq!(actions(&row), "2 actions");
        row.actions = 0;
        assert_eq!(actions(&row), "says 7 actions");
        row.counted = None;
        assert_eq!(actions(&row), "0 actions");
    }
}
