//! The list of runs: virtual rows, sorted and filtered in the worker.

use hindscope::{Origin, RunView};
use leptos::prelude::*;

use crate::ask::asked;
use crate::components::{OutcomeMark, RecordText, Sight, Trend, VirtualList, rows_around};
use crate::format;
use crate::platform::{self, Key};
use crate::protocol::{Answer, Choice, Page, Query, RunRow, Sort};
use crate::route;
use crate::state::{App, run_place, use_keys};
use crate::views::runs::groups::group_label;

/// Height of a row where all columns have room, and where they do not.
const ROW: f64 = 29.0;
const NARROW_ROW: f64 = 62.0;
/// Height of the sticky header.
const HEADER: f64 = 30.0;
/// Rows that Page Down moves by.
const PAGE: u32 = 20;

/// Column, title, and whether its first click sorts with the largest first.
const COLUMNS: [(Sort, &str, &str, bool); 8] = [
    (Sort::Key, "Run", "c-run", false),
    (Sort::Group, "Group", "c-group", false),
    (Sort::Outcome, "Outcome", "c-outcome", false),
    (Sort::Iterations, "Iter.", "c-num", true),
    (Sort::Best, "Best", "c-num c-best", true),
    (Sort::Last, "Last reward", "c-last", true),
    (Sort::Reflections, "Refl.", "c-num c-refl", true),
    (Sort::Findings, "Find.", "c-num c-find", true),
];

/// Rows for the runs that `choice` lets through.
#[component]
pub(crate) fn RunsList(
    choice: Memo<Choice>,
    /// Told how many runs there are, and how many are shown.
    counts: RwSignal<(u32, u32)>,
) -> impl IntoView {
    let app = App::get();
    let in_sight = RwSignal::new(Sight::default());
    let active = RwSignal::new(None::<u32>);
    let awaits_focus = RwSignal::new(None::<u32>);
    let restarts = RwSignal::new(0u32);
    let total = Memo::new(move |_| counts.get().1);
    let runs = asked(
        move || {
            let rows = rows_around(&in_sight.get(), total.get());
            Some(Query::Runs { choice: choice.get(), rows })
        },
        |answer| match answer {
            Answer::Runs(page) => Some(page),
            _ => None,
        },
    );
    Effect::new(move |_| {
        runs.answer.with(|page| {
            if let Some(page) = page {
                counts.set((page.all, page.total));
            }
        });
    });
    Effect::new(move |before: Option<Choice>| {
        let choice = choice.get();
        if before.is_some_and(|before| before != choice) {
            active.set(None);
            restarts.update(|restarts| *restarts += 1);
        }
        choice
    });
    let move_to = move |index: u32| {
        let last = total.get_untracked().saturating_sub(1);
        let index = index.min(last);
        active.set(Some(index));
        awaits_focus.set(Some(index));
        focus_row(awaits_focus);
        true
    };
    use_keys(move |key: &Key| {
        let at = active.get_untracked();
        let next = at.map_or(0, |at| at.saturating_add(1));
        match key.name.as_str() {
            "j" | "ArrowDown" => move_to(next),
            "k" | "ArrowUp" => move_to(at.unwrap_or_default().saturating_sub(1)),
            "PageDown" => move_to(at.unwrap_or_default().saturating_add(PAGE)),
            "PageUp" => move_to(at.unwrap_or_default().saturating_sub(PAGE)),
            "Home" => move_to(0),
            "End" | "G" => move_to(u32::MAX),
            _ => false,
        }
    });
    let has_groups = Memo::new(move |_| app.summary.with(|summary| summary.groups > 1));
    // Names alone need less room than names with their tasks.
    let has_tasks = Memo::new(move |_| {
        runs.answer.with(|page| {
            page.as_ref().is_some_and(|page| page.rows.iter().any(|row| row.view.task.is_some()))
        })
    });
    let row_height = Signal::derive(move || if app.is_narrow.get() { NARROW_ROW } else { ROW });
    let row = move |index: u32| draw_row(index, runs.answer, active, awaits_focus, app.is_narrow);
    view! {
        <div
            class="grid runs-grid"
            class:with-groups=move || has_groups.get()
            class:with-tasks=move || has_tasks.get()
            role="grid"
            aria-label="Runs"
            aria-rowcount=move || (total.get() + 1).to_string()
        >
            <Header choice/>
            <VirtualList total row_height in_sight active restarts covered=HEADER row/>
        </div>
        <Show when=move || total.get() == 0 && counts.get().0 != 0>
            <p class="advice">"No run fits these filters."</p>
        </Show>
    }
}

fn row_id(index: u32) -> String {
    format!("run-row-{index}")
}

#[component]
fn Header(choice: Memo<Choice>) -> impl IntoView {
    let app = App::get();
    let cells: Vec<_> = COLUMNS
        .into_iter()
        .map(|(sort, title, class, falls_first)| {
            let state = move || {
                choice.with(|choice| (choice.sort == Some(sort)).then_some(choice.is_falling))
            };
            let aria = move || match state() {
                None => "none",
                Some(false) => "ascending",
                Some(true) => "descending",
            };
            let arrow = move || match state() {
                None => "",
                Some(false) => "\u{2191}",
                Some(true) => "\u{2193}",
            };
            let click = move |_| {
                let now = choice.with_untracked(|c| (c.sort == Some(sort)).then_some(c.is_falling));
                app.choose(|query| query.sort = next_sort(sort, now, falls_first));
            };
            view! {
                <div class=format!("cell-head {class}") role="columnheader" aria-sort=aria>
                    <button class="sort" on:click=click>
                        {title}
                        <span class="arrow" aria-hidden="true">{arrow}</span>
                    </button>
                </div>
            }
        })
        .collect();
    view! {
        <div class="row head" role="row" aria-rowindex="1">
            {cells}
            // There is no order among rows of outcomes.
            <div class="cell-head c-trend" role="columnheader">"Outcomes"</div>
        </div>
    }
}

/// What a click on a column asks for: its own order, the other one, then none.
fn next_sort(sort: Sort, now: Option<bool>, falls_first: bool) -> Option<String> {
    let falling = match now {
        None => falls_first,
        Some(falling) if falling == falls_first => !falls_first,
        Some(_) => return None,
    };
    Some(format!("{}{}", if falling { "-" } else { "" }, sort.name()))
}

/// Moves the focus to the row that waits for it, if that is there already.
fn focus_row(awaits_focus: RwSignal<Option<u32>>) {
    request_animation_frame(move || {
        if let Some(index) = awaits_focus.get_untracked()
            && platform::focus_id(&row_id(index))
        {
            awaits_focus.set(None);
        }
    });
}

fn draw_row(
    index: u32,
    page: RwSignal<Option<Page<RunRow>>>,
    active: RwSignal<Option<u32>>,
    awaits_focus: RwSignal<Option<u32>>,
    is_narrow: RwSignal<bool>,
) -> AnyView {
    let data = Memo::new(move |_| page.with(|page| page.as_ref()?.get(index).cloned()));
    let is_active = move || active.get() == Some(index);
    let tabindex = move || {
        let is_stop = active.get().map_or(index == 0, |active| active == index);
        if is_stop { "0" } else { "-1" }
    };
    view! {
        <div
            class="row"
            role="row"
            class:active=is_active
            aria-rowindex=(index + 2).to_string()
        >
            {move || data.get().map(|row| {
                if awaits_focus.get_untracked() == Some(index) {
                    focus_row(awaits_focus);
                }
                let href = route::write(&run_place(&row.address, None));
                let link = view! {
                    <a
                        class="row-link"
                        id=row_id(index)
                        href=href
                        tabindex=tabindex
                        on:focus=move |_| active.set(Some(index))
                    >
                        <RecordText text=row.view.key.clone()/>
                    </a>
                };
                if is_narrow.get() {
                    narrow_cells(&row.view, link).into_any()
                } else {
                    wide_cells(&row, link).into_any()
                }
            })}
        </div>
    }
    .into_any()
}

fn wide_cells<L: IntoView + 'static>(row: &RunRow, link: L) -> impl IntoView + use<L> {
    let view = &row.view;
    let task = view.task.clone().map(|task| {
        view! { <span class="task"><RecordText text=task/></span> }
    });
    view! {
        <div class="c-run" role="gridcell">{link}{task}</div>
        <div class="c-group" role="gridcell"><RecordText text=group_label(&row.group)/></div>
        <div class="c-outcome" role="gridcell">
            <OutcomeMark outcome=view.outcome detail=view.outcome_detail.clone()/>
        </div>
        <div class="c-num" role="gridcell">{platform::whole(view.iterations)}</div>
        <div class="c-num c-best" role="gridcell">{reward(view.best)}{short(view)}</div>
        <div class="c-last" role="gridcell">{reward(view.last)}{origin(view)}</div>
        <div class="c-num c-refl" role="gridcell">{count(view.reflections)}</div>
        <div class="c-num c-find" role="gridcell">{count(view.findings)}</div>
        <div class="c-trend" role="gridcell">
            <Trend letters=view.trend.clone() iterations=view.iterations/>
        </div>
    }
}

fn narrow_cells<L: IntoView + 'static>(view: &RunView, link: L) -> impl IntoView + use<L> {
    let findings = (view.findings > 0).then(|| {
        let noun = format::noun(u64::from(view.findings), "finding");
        format!("{} {noun}", platform::whole(view.findings))
    });
    let reward = view.last.map_or_else(|| "no reward".to_owned(), format::reward);
    view! {
        <div class="n-run" role="gridcell">{link}</div>
        <div class="n-outcome" role="gridcell"><OutcomeMark outcome=view.outcome/></div>
        <div class="n-facts" role="gridcell">
            <Trend letters=view.trend.clone() iterations=view.iterations/>
            <span class="n-reward">{reward}{origin(view)}</span>
            <span class="n-findings">{findings}</span>
        </div>
    }
}

fn reward(value: Option<f64>) -> impl IntoView {
    match value {
        Some(value) => format::reward(value).into_any(),
        None => view! { <span class="none">"none"</span> }.into_any(),
    }
}

fn origin(view: &RunView) -> Option<impl IntoView + use<>> {
    (view.reward_origin == Origin::Derived && view.last.is_some())
        .then(|| view! { <span class="derived">"derived"</span> })
}

/// The same where there is no room for the word.
fn short(view: &RunView) -> Option<impl IntoView + use<>> {
    (view.reward_origin == Origin::Derived && view.best.is_some()).then(|| {
        view! { <abbr class="derived" title="derived">"d"</abbr> }
    })
}

fn count(number: u32) -> impl IntoView {
    if number == 0 {
        view! { <span class="none">"\u{2013}"</span> }.into_any()
    } else {
        platform::whole(number).into_any()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_go_round() {
        assert_eq!(next_sort(Sort::Last, None, true).as_deref(), Some("-last"));
        assert_eq!(next_sort(Sort::Last, Some(true), true).as_deref(), Some("last"));
        assert_eq!(next_sort(Sort::Last, Some(false), true), None);
        assert_eq!(next_sort(Sort::Key, None, false).as_deref(), Some("run"));
    }
}
