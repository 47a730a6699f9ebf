//! The list of runs: virtual lines, sorted, filtered and divided in the worker.

use leptos::html::Div;
use leptos::prelude::*;

use crate::components::{RecordText, VirtualList, VisibleRange, rows_around};
use crate::platform::{self, Key};
use crate::protocol::{Answer, Choice, Line, Query, RunAddress, RunRow, RunsBody, Sort};
use crate::route::{self, run_place};
use crate::state::{App, asked_in_motion, use_keys};
use crate::views::runs::choice::clear;
use crate::views::runs::columns::{Column, Layout, layout};
use crate::views::runs::filters::Counts;
use crate::views::runs::row;

/// Height of a line where all columns have room, and where they do not.
const ROW: f64 = 29.0;
const NARROW_ROW: f64 = 62.0;
/// Height of the sticky header.
const HEADER: f64 = 30.0;
/// Lines that Page Down moves by.
const PAGE: u32 = 20;
/// Fast scrolling is over when nothing has moved for so long.
const RACE_MS: f64 = 60.0;
/// Id of the first header, which is reached from the first line.
const FIRST_HEADER: &str = "run-head-0";

/// What all lines of a list share.
#[derive(Clone, Copy)]
struct Lines {
    app: App,
    choice: Memo<Choice>,
    body: RwSignal<Option<RunsBody>>,
    active: RwSignal<Option<u32>>,
    awaits_focus: RwSignal<Option<u32>>,
    layout: Memo<Layout>,
}

/// Lines for the runs that `choice` lets through.
#[component]
pub(crate) fn RunsList(
    choice: Memo<Choice>,
    /// Set to how many runs there are, and how many are shown.
    counts: RwSignal<Counts>,
    /// Optional columns that the reader wants.
    wanted: RwSignal<Vec<Sort>>,
    /// Set to the number of wanted columns that do not fit.
    hidden: RwSignal<usize>,
) -> impl IntoView {
    let app = App::get();
    let visible_range = RwSignal::new(VisibleRange::default());
    let restarts = RwSignal::new(0u32);
    let total = RwSignal::new(0u32);
    // The column of failure categories is shown, which runs are looked at for.
    let has_column = RwSignal::new(false);
    let runs = asked_in_motion(
        move || {
            let rows = rows_around(&visible_range.get(), total.get());
            let choice = choice.get();
            let is_asked = has_column.get() || choice.asks_category();
            let looked = is_asked.then(|| app.looked.get());
            app.has_runs().then_some(Query::Runs {
                choice,
                rows,
                looked,
                compared: app.compared.get(),
            })
        },
        Answer::try_as_runs,
        races(visible_range),
    );
    Effect::new(move |_| {
        runs.answer.with(|body| {
            if let Some(body) = body {
                counts.set(Counts {
                    all: body.all,
                    shown: body.shown,
                    categories: body.categories,
                    is_by_category: choice.with_untracked(Choice::filters_category),
                });
                total.set(body.lines.total);
            }
        });
    });
    let grid = NodeRef::<Div>::new();
    // Until it is measured nothing is known to lack room.
    let width = RwSignal::new(f64::INFINITY);
    let watch = StoredValue::new_local(None);
    Effect::new(move |_| {
        if let Some(grid) = grid.get() {
            watch.set_value(platform::width_of(&grid, move |pixels| width.set(pixels)));
        }
    });
    let has_tasks = Memo::new(move |_| {
        runs.answer.with(|body| {
            let lines = body.iter().flat_map(|body| &body.lines.rows);
            lines.into_iter().any(|line| matches!(line, Line::Run(row) if row.view.task.is_some()))
        })
    });
    let layout =
        Memo::new(move |_| wanted.with(|wanted| layout(wanted, width.get(), has_tasks.get())));
    Effect::new(move |_| {
        layout.with(|layout| {
            hidden.set(layout.hidden);
            has_column.set(layout.has(Sort::Category) && !app.is_narrow.get());
        });
    });
    let lines = Lines {
        app,
        choice,
        body: runs.answer,
        active: RwSignal::new(None),
        awaits_focus: RwSignal::new(None),
        layout,
    };
    Effect::new(move |before: Option<Choice>| {
        let choice = choice.get();
        // Folding a heading leaves the reader where he is.
        let same = |before: &Choice| Choice { closed: Vec::new(), ..before.clone() };
        if before.is_some_and(|before| same(&before) != same(&choice)) {
            lines.active.set(None);
            restarts.update(|restarts| *restarts += 1);
        }
        choice
    });
    lines.listen(total);
    let row_height = Signal::derive(move || if app.is_narrow.get() { NARROW_ROW } else { ROW });
    let row = move |index: u32| lines.draw(index);
    view! {
        <div
            class="grid runs-grid"
            node_ref=grid
            style=("--columns", move || layout.with(|layout| layout.template.clone()))
            role="grid"
            aria-label="Runs"
            aria-multiselectable="true"
            aria-rowcount=move || (total.get() + 1).to_string()
        >
            <Header choice layout/>
            <VirtualList total row_height visible_range active=lines.active restarts covered=HEADER row/>
        </div>
        <Show when=move || counts.with(|counts| counts.shown == 0 && counts.all != 0)>
            <p class="advice">
                "No run fits these filters. "
                <button class="small" on:click=move |_| app.choose(clear)>"Clear the filters"</button>
            </p>
        </Show>
    }
}

fn row_id(index: u32) -> String {
    format!("run-row-{index}")
}

fn mark_id(index: u32) -> String {
    format!("run-mark-{index}")
}

/// Whether so much goes by in each frame that none of it is seen.
fn races(visible_range: RwSignal<VisibleRange>) -> impl Fn() -> bool + Copy + 'static {
    let raced = StoredValue::new(f64::NEG_INFINITY);
    Effect::new(move |before: Option<(VisibleRange, f64)>| {
        let (range, now) = (visible_range.get(), platform::now());
        let is_fast = before.is_some_and(|(before, at)| range.races(&before, now - at));
        raced.set_value(if is_fast { now } else { f64::NEG_INFINITY });
        (range, now)
    });
    move || raced.try_get_value().is_some_and(|at| platform::now() - at < RACE_MS)
}

impl Lines {
    /// Keys that move along the lines, mark and fold.
    fn listen(self, total: RwSignal<u32>) {
        let move_to = move |index: u32| {
            let last = total.get_untracked().saturating_sub(1);
            let index = index.min(last);
            self.active.set(Some(index));
            self.awaits_focus.set(Some(index));
            self.focus();
            true
        };
        use_keys(move |key: &Key| {
            let at = self.active.get_untracked();
            let now = at.unwrap_or_default();
            match key.name.as_str() {
                "j" | "ArrowDown" => move_to(at.map_or(0, |at| at.saturating_add(1))),
                "ArrowUp" if at == Some(0) => platform::focus_id(FIRST_HEADER),
                "k" | "ArrowUp" => move_to(now.saturating_sub(1)),
                "PageDown" => move_to(now.saturating_add(PAGE)),
                "PageUp" => move_to(now.saturating_sub(PAGE)),
                "Home" => move_to(0),
                "End" | "G" => move_to(u32::MAX),
                "x" if !key.is_repeated => self.mark(at),
                "ArrowLeft" => self.sideways(at, false),
                "ArrowRight" => self.sideways(at, true),
                _ => false,
            }
        });
    }

    fn line(self, at: Option<u32>) -> Option<Line> {
        self.body.with_untracked(|body| body.as_ref()?.lines.get(at?).cloned())
    }

    fn mark(self, at: Option<u32>) -> bool {
        match self.line(at) {
            Some(Line::Run(row)) => {
                self.app.toggle_mark(&row.address);
                true
            }
            _ => false,
        }
    }

    /// Folds a heading or unfolds it; in a run, goes between its mark and its name.
    fn sideways(self, at: Option<u32>, is_right: bool) -> bool {
        match (self.line(at), at) {
            (Some(Line::Heading(heading)), _) if heading.is_closed == is_right => {
                self.fold(&heading.title);
                true
            }
            (Some(Line::Run(_)), Some(at)) => {
                platform::focus_id(&if is_right { row_id(at) } else { mark_id(at) })
            }
            _ => false,
        }
    }

    fn fold(self, title: &str) {
        self.app.choose(|query| {
            let closed = &mut query.lists.closed;
            match closed.iter().position(|one| one == title) {
                Some(at) => drop(closed.remove(at)),
                None => closed.push(title.to_owned()),
            }
        });
    }

    /// Moves the focus to the line that waits for it, if that is there already.
    fn focus(self) {
        let awaits = self.awaits_focus;
        platform::next_frame(move || {
            if let Some(Some(index)) = awaits.try_get_untracked()
                && platform::focus_id(&row_id(index))
            {
                awaits.set(None);
            }
        });
    }

    fn draw(self, index: u32) -> AnyView {
        let data =
            Memo::new(move |_| self.body.with(|body| body.as_ref()?.lines.get(index).cloned()));
        let tabindex = move || {
            let active = self.active.get();
            let is_stop = active.map_or(index == 0, |active| active == index);
            if is_stop { "0" } else { "-1" }
        };
        let is_marked = Memo::new(move |_| {
            data.with(|line| match line {
                Some(Line::Run(row)) => {
                    self.app.marks.with(|marks| marks.iter().any(|mark| mark.is(&row.address)))
                }
                _ => false,
            })
        });
        view! {
            <div
                class="row"
                role="row"
                class:active=move || self.active.get() == Some(index)
                class:marked=move || is_marked.get()
                aria-rowindex=(index + 2).to_string()
                aria-selected=move || is_marked.get().then_some("true")
            >
                {move || data.get().map(|line| {
                    if self.awaits_focus.get_untracked() == Some(index) {
                        self.focus();
                    }
                    match line {
                        Line::Run(row) => self.run(index, &row, is_marked, tabindex),
                        Line::Heading(heading) => {
                            let title = heading.title.clone();
                            view! {
                                <div
                                    class="heading-cell"
                                    role="gridcell"
                                    class:closed=heading.is_closed
                                >
                                    <button
                                        class="heading-button"
                                        id=row_id(index)
                                        aria-expanded=(!heading.is_closed).to_string()
                                        tabindex=tabindex
                                        on:focus=move |_| self.active.set(Some(index))
                                        on:click=move |_| self.fold(&title)
                                    >
                                        {row::heading(&heading, self.choice.with_untracked(|c| c.by))}
                                    </button>
                                </div>
                            }
                            .into_any()
                        }
                    }
                })}
            </div>
        }
        .into_any()
    }

    fn run(
        self,
        index: u32,
        row: &RunRow,
        is_marked: Memo<bool>,
        tabindex: impl Fn() -> &'static str + Copy + Send + Sync + 'static,
    ) -> AnyView {
        let href = route::write(&run_place(&row.address, None));
        let link = view! {
            <a
                class="row-link"
                id=row_id(index)
                href=href
                tabindex=tabindex
                on:focus=move |_| self.active.set(Some(index))
            >
                <RecordText text=row.view.key.clone()/>
            </a>
        }
        .into_any();
        let cells = if self.app.is_narrow.get() {
            row::narrow(row, link).into_any()
        } else {
            self.layout.with(|layout| row::wide(row, &layout.shown, link)).into_any()
        };
        view! {
            <div class="c-mark" role="gridcell">
                {mark(self.app, index, row.address.clone(), is_marked)}
            </div>
            {cells}
        }
        .into_any()
    }
}

/// The box that marks a run.
fn mark(app: App, index: u32, run: RunAddress, is_marked: Memo<bool>) -> impl IntoView {
    let label = format!("Mark {} for Compare", run.key);
    view! {
        <button
            class="mark"
            id=mark_id(index)
            role="checkbox"
            tabindex="-1"
            aria-label=label
            aria-checked=move || is_marked.get().to_string()
            on:click=move |_| app.toggle_mark(&run)
        >
            <svg viewBox="0 0 12 12" aria-hidden="true"><path d="M2 6.2 5 9l5-6"></path></svg>
        </button>
    }
}

#[component]
fn Header(choice: Memo<Choice>, layout: Memo<Layout>) -> impl IntoView {
    let cells = move || {
        layout.with(|layout| {
            layout
                .shown
                .iter()
                .enumerate()
                .map(|(at, column)| head(at, *column, choice))
                .collect::<Vec<_>>()
        })
    };
    view! {
        <div class="row head" role="row" aria-rowindex="1">
            <div class="cell-head c-mark" role="columnheader">
                <span class="spoken">"Marked"</span>
            </div>
            {cells}
        </div>
    }
}

/// A title that sorts. All of them are one stop of the list, reached from its first line.
fn head(at: usize, column: Column, choice: Memo<Choice>) -> AnyView {
    let app = App::get();
    let Column { sort, title, class, falls_first, about, .. } = column;
    let state =
        move || choice.with(|choice| (choice.sort == Some(sort)).then_some(choice.is_falling));
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
    let keydown = move |event: leptos::ev::KeyboardEvent| {
        let to = match event.key().as_str() {
            "ArrowRight" => at + 1,
            "ArrowLeft" => at.saturating_sub(1),
            _ => return,
        };
        platform::focus_id(&format!("run-head-{to}"));
        event.prevent_default();
        event.stop_propagation();
    };
    view! {
        <div class=format!("cell-head {class}") role="columnheader" aria-sort=aria>
            <button
                class="sort"
                id=format!("run-head-{at}")
                tabindex="-1"
                title=about
                on:click=click
                on:keydown=keydown
            >
                {title}
                <span class="arrow" aria-hidden="true">{arrow}</span>
            </button>
        </div>
    }
    .into_any()
}

/// What a click on a column asks for: its own order, the other one, then none.
fn next_sort(sort: Sort, now: Option<bool>, falls_first: bool) -> Option<String> {
    let falling = match now {
        None => falls_first,
        Some(falling) if falling == falls_first => !falls_first,
        Some(_) => return None,
    };
    Some(format!("{}{}", if falling { "-" } else { "" }, sort.into_str()))
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
