//! Which errors came, stayed, went and came back.

use std::fmt::Write as _;
use std::sync::Arc;

use leptos::prelude::*;

use super::part::{self, PartFields};
use crate::components::{
    CopyButton, GridRow, Legend, Letter, LongText, RecordText, Steps, VisibleRange, WideGrid,
    rows_around, switch,
};
use crate::format::counted;
use crate::platform;
use crate::protocol::{Columns, ErrorLine, ErrorSort, Errors, LearnOf};
use crate::state::App;
use crate::views::iteration::learn::{Notes, StepLinks, learnt};

const LETTERS: [Letter; 5] = [
    Letter { code: 'N', mark: "N", class: "life-new", word: "first seen" },
    Letter { code: '=', mark: "=", class: "life-stays", word: "persisting" },
    Letter { code: '.', mark: "\u{b7}", class: "life-gone", word: "cleared" },
    Letter { code: 'R', mark: "R", class: "life-back", word: "came back" },
    Letter { code: '?', mark: "?", class: "life-unknown", word: "list not known" },
];

/// Rows that are asked for before any is in sight.
const FIRST: u32 = 64;
/// In an address: only errors that are still open.
const OPEN: &str = "open";

/// A row for each error, a column for each iteration.
#[component]
pub(crate) fn ErrorsTab(steps: Steps) -> impl IntoView {
    let app = App::get();
    let Steps { id, columns, .. } = steps;
    let sort = Memo::new(move |_| app.place.with(|place| order(place.query.sort.as_deref())));
    // Older links say it as `mode`, which is now that of the lessons beside it.
    let is_open_only = Memo::new(move |_| {
        app.place.with(|place| {
            let query = &place.query;
            [&query.show, &query.mode].iter().any(|word| word.as_deref() == Some(OPEN))
        })
    });
    let part = part::chosen(app, columns);
    let within = Memo::new(move |_| {
        let (first, last) = part.get()?;
        columns.with(|columns| columns.number(first).zip(columns.number(last)))
    });
    let visible_range = RwSignal::new(VisibleRange::default());
    let total = RwSignal::new(FIRST);
    let rows = Memo::new(move |_| rows_around(&visible_range.get(), total.get().max(1)));
    let body = learnt(id, move || {
        Some(LearnOf::Errors {
            sort: sort.get(),
            is_open_only: is_open_only.get(),
            within: within.get(),
            rows: rows.get(),
        })
    });
    let errors = Memo::new(move |_| {
        body.answer.with(|body| body.as_ref()?.part.try_as_errors_ref().cloned())
    });
    let shown = Memo::new(move |_| {
        errors.with(|errors| errors.as_ref().map_or(0, |errors| errors.page.total))
    });
    Effect::new(move |_| total.set(shown.get()));
    let active = RwSignal::new(0u32);
    Effect::new(move |_| {
        let _ = (sort.get(), is_open_only.get(), within.get());
        active.set(0);
    });
    let row = Arc::new(move |index| {
        let part = part.get();
        errors.with(|errors| Some(grid_row(errors.as_ref()?.page.get(index)?, part)))
    });
    let has_any = Memo::new(move |_| {
        errors.with(|errors| errors.as_ref().is_some_and(|errors| errors.page.all > 0))
    });
    let line =
        Memo::new(move |_| errors.with(|errors| errors.as_ref()?.page.get(active.get()).cloned()));
    let grid = part::grid(steps, part);
    view! {
        <section class="learn-tab errors" aria-labelledby="errors-title">
            <header class="learn-head">
                <h2 id="errors-title">"Errors"</h2>
                <p class="quiet" role="status">
                    {move || errors.with(|errors| errors.as_ref().map(|errors| summary(errors, within.get())))}
                </p>
                <Show when=move || has_any.get()><Controls sort is_open_only columns part/></Show>
            </header>
            <Notes body/>
            <Show
                when=move || has_any.get()
                fallback=move || errors.with(|errors| errors.as_ref().map(|errors| {
                    view! { <p class="empty">{nothing(errors)}</p> }
                }))
            >
                {
                    let row = row.clone();
                    view! {
                        <Show when=move || { shown.get() > 0 } fallback=move || view! {
                            <p class="empty">{move || none_shown(is_open_only.get(), within.get())}</p>
                        }>
                            <WideGrid
                                label="Errors by iteration"
                                corner="Signature"
                                letters=&LETTERS
                                columns=grid.columns
                                total=shown
                                row=row.clone()
                                visible_range
                                active
                                at=grid.at
                                select=grid.select
                                on_brush=grid.on_brush
                            />
                            <Legend letters=&LETTERS/>
                            {move || line.get().map(|line| view! { <Original line steps/> })}
                        </Show>
                    }
                }
            </Show>
        </section>
    }
}

/// The order that an address names.
fn order(name: Option<&str>) -> ErrorSort {
    name.and_then(|name| name.parse().ok()).unwrap_or_default()
}

#[component]
fn Controls(
    sort: Memo<ErrorSort>,
    is_open_only: Memo<bool>,
    columns: Memo<Columns>,
    part: Memo<Option<(usize, usize)>>,
) -> impl IntoView {
    let app = App::get();
    view! {
        <div class="learn-controls">
            {switch("Sort", ErrorSort::into_str, move |own| sort.get() == own, move |own| {
                app.choose(|query| {
                    query.sort = (own != ErrorSort::default()).then(|| own.into_str().to_owned());
                });
            })}
            <label class="tick">
                <input
                    type="checkbox"
                    prop:checked=move || is_open_only.get()
                    on:change=move |_| app.choose(|query| {
                        let is_open_only = is_open_only.get_untracked();
                        query.mode = query.mode.take().filter(|mode| mode != OPEN);
                        query.show = (!is_open_only).then(|| OPEN.to_owned());
                    })
                />
                "still open"
            </label>
            <PartFields columns part/>
        </div>
    }
}

/// The error that the cursor is at: its life, and how it was written first.
#[component]
fn Original(line: ErrorLine, steps: Steps) -> impl IntoView {
    let copied = format!("`{}`\n\n{}\n\n{}\n", line.signature, line.message, sentence(&line));
    let mut numbers = vec![line.first];
    numbers.extend(line.turns.iter().map(|(number, _)| *number));
    view! {
        <article class="panel original">
            <header class="panel-head">
                <h3><RecordText text=line.signature.clone()/></h3>
                <CopyButton text=move |()| copied.clone() what="error"/>
            </header>
            <div class="card-body">
                <p>{sentence(&line)}</p>
                <StepLinks numbers steps/>
                <h4 class="quiet">"As it was written first"</h4>
                <LongText text=line.message is_code=true/>
            </div>
        </article>
    }
}

/// The row of an error; its cells are those of the part that is shown.
fn grid_row(line: &ErrorLine, part: Option<(usize, usize)>) -> GridRow {
    GridRow {
        name: line.signature.clone(),
        sentence: format!("{}: {}", line.signature, sentence(line)),
        cells: part
            .map_or(Some(line.cells.as_str()), |(first, last)| line.cells.get(first..=last))
            .unwrap_or_default()
            .to_owned(),
    }
}

/// Why the grid has no row although the run has errors.
fn none_shown(is_open_only: bool, within: Option<(i64, i64)>) -> String {
    let what = if is_open_only { "No error that is still open" } else { "No error" };
    match within {
        Some((first, last)) => format!("{what} is in iterations {first} to {last}."),
        None => "No error is still open at the last list of errors.".to_owned(),
    }
}

/// The life of an error: `first 1, cleared 3, back 6, cleared 10`.
pub(crate) fn sentence(line: &ErrorLine) -> String {
    const TURNS: usize = 12;
    let mut text = format!("first {}", line.first);
    for (number, is_back) in line.turns.iter().take(TURNS) {
        let _ = write!(text, ", {} {number}", if *is_back { "back" } else { "cleared" });
    }
    if line.turns.len() > TURNS {
        let _ = write!(text, ", and {} more turns", line.turns.len() - TURNS);
    }
    let open = if line.is_open { ", still open" } else { "" };
    let _ = write!(text, "; seen in {}{open}", counted(line.seen, "iteration"));
    text
}

fn summary(errors: &Errors, within: Option<(i64, i64)>) -> String {
    if errors.page.all == 0 {
        return String::new();
    }
    let all = counted(errors.page.all, "signature");
    let [shown, returned, open] =
        [errors.page.total, errors.returned, errors.open].map(platform::whole);
    match within {
        Some((first, last)) => format!("{shown} of {all}, in iterations {first} to {last}"),
        None => format!("{all}, {returned} came back, {open} still open"),
    }
}

/// Why there is no grid.
fn nothing(errors: &Errors) -> String {
    match errors.known {
        0 => {
            "No iteration of this run has a list of errors, so nothing is known of any.".to_owned()
        }
        known => format!(
            "No errors. {} {} a list of them, and each is empty.",
            platform::whole(known),
            if known == 1 { "iteration has" } else { "iterations have" },
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifecycles_are_sentences() {
        let line = ErrorLine {
            signature: "timeout|after <n> ms".into(),
            message: String::new(),
            cells: String::new(),
            seen: 5,
            first: 1,
            turns: vec![(3, false), (6, true), (10, false)],
            is_open: false,
        };
        assert_eq!(sentence(&line), "first 1, cleared 3, back 6, cleared 10; seen in 5 iterations");
        let open = ErrorLine { turns: Vec::new(), is_open: true, seen: 1, ..line.clone() };
        assert_eq!(sentence(&open), "first 1; seen in 1 iteration, still open");
        let many = ErrorLine { turns: (2..40).map(|n| (n, n % 2 == 0)).collect(), ..line };
        assert!(sentence(&many).contains("and 26 more turns"));
    }

    #[test]
    fn a_part_of_the_run_has_its_own_cells_and_count() {
        let line = ErrorLine {
            signature: "e".into(),
            message: String::new(),
            cells: " N=.R".into(),
            seen: 3,
            first: 2,
            turns: Vec::new(),
            is_open: true,
        };
        assert_eq!(grid_row(&line, Some((1, 2))).cells, "N=");
        assert_eq!(grid_row(&line, None).cells, " N=.R");
        let page = crate::protocol::Page { all: 5, total: 2, ..Default::default() };
        let errors = Errors { page, returned: 0, open: 0, known: 4 };
        assert_eq!(summary(&errors, Some((3, 8))), "2 of 5 signatures, in iterations 3 to 8");
        assert_eq!(none_shown(false, Some((3, 8))), "No error is in iterations 3 to 8.");
    }

    #[test]
    fn an_empty_grid_says_why() {
        let page = crate::protocol::Page::default();
        let errors = Errors { page, returned: 0, open: 0, known: 0 };
        assert!(nothing(&errors).starts_with("No iteration of this run has a list"));
        assert!(
            nothing(&Errors { known: 4, ..errors }).starts_with("No errors. 4 iterations have")
        );
        assert_eq!(order(Some("longest")), ErrorSort::Longest);
        assert_eq!(order(Some("-last")), ErrorSort::Returned);
    }
}
