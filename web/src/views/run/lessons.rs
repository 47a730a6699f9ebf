//! Which lessons came, stayed and went, between any two iterations or over the whole run.

use std::fmt::Write as _;

use std::sync::Arc;

use hindscope::{LessonChange, LessonState};
use leptos::prelude::*;
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::ends::Ends;
use super::patterns::PatternsPart;
use crate::components::{
    CopyButton, GridRow, Legend, Letter, RecordText, Reworded, Steps, VisibleRange, WideGrid,
    plain, rows_around, switch,
};
use crate::format::counted;
use crate::protocol::{LearnOf, LessonLine, Lessons};
use crate::state::App;
use crate::views::iteration::learn::{Notes, StepLink, learnt};

const LETTERS: [Letter; 5] = [
    Letter { code: 'N', mark: "N", class: "life-new", word: "new" },
    Letter { code: '=', mark: "=", class: "life-stays", word: "kept" },
    Letter { code: '~', mark: "~", class: "life-reworded", word: "reworded" },
    Letter { code: 'R', mark: "R", class: "life-back", word: "returned" },
    Letter { code: '-', mark: "\u{2212}", class: "life-gone", word: "dropped" },
];

/// Rows that are asked for before any is in sight.
const FIRST: u32 = 64;

/// How lessons are shown.
#[derive(Clone, Copy, PartialEq, Eq, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "lowercase", const_into_str)]
enum Mode {
    Grid,
    Sets,
    Words,
}

impl Mode {
    fn title(self) -> &'static str {
        match self {
            Self::Grid => "All attempts",
            Self::Sets => "Two attempts",
            Self::Words => "Two, word by word",
        }
    }
}

/// Lessons of two iterations, or of all; below, what recurs.
#[component]
pub(crate) fn LessonsTab(steps: Steps) -> impl IntoView {
    let app = App::get();
    let mode = Memo::new(move |_| {
        app.place.with(|place| {
            let named = place.query.mode.as_ref().and_then(|name| name.parse().ok());
            // An address that names another attempt means two.
            let usual = if place.query.from.is_some() { Mode::Sets } else { Mode::Grid };
            named.unwrap_or(usual)
        })
    });
    let body = learnt(steps.id, || Some(LearnOf::Patterns));
    let patterns = Memo::new(move |_| {
        body.answer.with(|body| body.as_ref()?.part.try_as_patterns_ref().cloned())
    });
    let has_any = Memo::new(move |_| {
        patterns.with(|patterns| patterns.as_ref().is_some_and(|p| !p.numbers.is_empty()))
    });
    let to = Memo::new(move |_| steps.number());
    let from = Memo::new(move |_| {
        let named = app.place.with(|place| place.query.from.as_ref()?.parse().ok());
        named.or_else(|| patterns.with(|patterns| before(&patterns.as_ref()?.numbers, to.get()?)))
    });
    view! {
        <section class="learn-tab lessons" aria-labelledby="lessons-title">
            <header class="learn-head">
                <h2 id="lessons-title">"Lessons"</h2>
                <Show when=move || has_any.get()>
                    <Show when=move || mode.get() != Mode::Grid>
                        <Ends from to patterns steps/>
                    </Show>
                    {switch("Show", |mode: &Mode| mode.title(), move |own| mode.get() == own, move |own| {
                        app.choose(|query| {
                            query.mode = Some(own.into_str().to_owned());
                        });
                    })}
                </Show>
            </header>
            <Notes body/>
            <Show
                when=move || has_any.get()
                fallback=move || patterns.with(Option::is_some).then(|| view! {
                    <p class="empty">"No reflection of this run has a lesson that another could be compared with."</p>
                })
            >
                <Show
                    when=move || mode.get() == Mode::Grid
                    fallback=move || view! { <Between from to mode steps/> }
                >
                    <Lifecycles steps/>
                </Show>
                {move || patterns.get().map(|patterns| view! { <PatternsPart patterns steps/> })}
            </Show>
        </section>
    }
}

/// The last iteration with lessons before `to`; if there is none, the first one with lessons.
fn before(numbers: &[i64], to: i64) -> Option<i64> {
    let end = numbers.partition_point(|number| *number < to);
    numbers[..end].last().or_else(|| numbers.first()).copied()
}

/// Lessons of two iterations.
#[component]
fn Between(
    from: Memo<Option<i64>>,
    to: Memo<Option<i64>>,
    mode: Memo<Mode>,
    steps: Steps,
) -> impl IntoView {
    let body =
        learnt(steps.id, move || Some(LearnOf::Lessons { from: from.get()?, to: to.get()? }));
    let lessons =
        move || body.answer.with(|body| body.as_ref()?.part.try_as_lessons_ref().cloned());
    view! {
        {move || body.problem.get().map(|problem| view! { <p class="advice">{problem}</p> })}
        {move || lessons().map(|lessons| {
            let (from, to) = (from.get().unwrap_or_default(), to.get().unwrap_or_default());
            let copied = markdown(&lessons.changes, from, to);
            let alone = (from == to).then(|| view! {
                <p class="quiet">"Only one iteration is chosen: there is nothing to compare it with."</p>
            });
            let empty = missing(&lessons, from, to);
            view! {
                <div class="panel between">
                    <header class="panel-head">
                        <h3>
                            <StepLink number=from steps/>" \u{2192} "<StepLink number=to steps/>
                        </h3>
                        <span class="quiet">{counts(&lessons.changes)}</span>
                        <CopyButton text=move |()| copied.clone() what="lessons"/>
                    </header>
                    <div class="card-body">
                        {alone}
                        {empty.map(|text| view! { <p class="quiet">{text}</p> })}
                        {match mode.get() {
                            Mode::Words => words(&lessons),
                            _ => sets(lessons.changes, steps),
                        }}
                    </div>
                </div>
            }
        })}
    }
}

/// What an iteration without lessons means.
fn missing(lessons: &Lessons, from: i64, to: i64) -> Option<String> {
    match (lessons.was.is_empty(), lessons.is.is_empty()) {
        (false, false) => None,
        (true, true) => Some(format!("Neither {from} nor {to} wrote a lesson.")),
        (true, false) => Some(format!("Iteration {from} wrote no lesson.")),
        (false, true) => Some(format!("Iteration {to} wrote no lesson.")),
    }
}

/// In the order in which they are shown, with sign and class.
const STATES: [(LessonState, &str, &str); 5] = [
    (LessonState::New, "+", "pass"),
    (LessonState::Returned, "R", "partial"),
    (LessonState::Reworded, "~", "accent"),
    (LessonState::Kept, "=", "muted"),
    (LessonState::Dropped, "\u{2212}", "fail"),
];

fn counts(changes: &[LessonChange]) -> String {
    let count = |state| changes.iter().filter(|change| change.state == state).count();
    let all: Vec<_> = STATES
        .into_iter()
        .map(|(state, ..)| (count(state), state.as_str()))
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    all.join(", ")
}

fn sets(changes: Vec<LessonChange>, steps: Steps) -> AnyView {
    let mut sections = Vec::new();
    for (state, sign, class) in STATES {
        let own: Vec<_> = changes.iter().filter(|change| change.state == state).cloned().collect();
        if own.is_empty() {
            continue;
        }
        let rows: Vec<_> = own
            .into_iter()
            .map(|change| {
                let note = note(&change, steps);
                let text = match change.before {
                    Some(was) => view! { <Reworded was is=change.text/> }.into_any(),
                    None => view! { <RecordText text=change.text/> }.into_any(),
                };
                view! {
                    <li>
                        <b class=format!("sign {class}") aria-hidden="true">{sign}</b>
                        <span class="lesson-text" dir="auto">{text}</span>
                        <span class="quiet lesson-note">{note}</span>
                    </li>
                }
            })
            .collect();
        sections.push(view! {
            <section class="lesson-set">
                <h4>{state.as_str()}" "<span class="count">{rows.len()}</span></h4>
                <ul>{rows}</ul>
            </section>
        });
    }
    sections.into_any()
}

/// Since when, until when, or how much in common.
fn note(change: &LessonChange, steps: Steps) -> AnyView {
    let shared = change.shared.map(|shared| format!("word overlap {shared:.2}, "));
    match (change.state, change.last) {
        (LessonState::New, _) => ().into_any(),
        (LessonState::Dropped, Some(last)) => {
            view! { "last seen at " <StepLink number=last steps/> }.into_any()
        }
        _ => view! { {shared}"since " <StepLink number=change.since steps/> }.into_any(),
    }
}

/// All lessons of the two as one text each, word by word.
fn words(lessons: &Lessons) -> AnyView {
    let (was, is) = (lessons.was.join("\n"), lessons.is.join("\n"));
    view! { <div class="text lesson-words" dir="auto"><Reworded was is/></div> }.into_any()
}

/// The sets as a list for an issue or a chat.
fn markdown(changes: &[LessonChange], from: i64, to: i64) -> String {
    let mut text = format!("Lessons, iteration {from} to {to}: {}\n", counts(changes));
    for (state, sign, _) in STATES {
        for change in changes.iter().filter(|change| change.state == state) {
            let says = match &change.before {
                Some(was) => plain(was, &change.text),
                None => change.text.clone(),
            };
            let says = says.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = write!(text, "\n- {sign} {}: {says}", state.as_str());
        }
    }
    text.push('\n');
    text
}

/// Every lesson of the run over its iterations.
#[component]
fn Lifecycles(steps: Steps) -> impl IntoView {
    let Steps { id, columns, at, select } = steps;
    let visible_range = RwSignal::new(VisibleRange::default());
    let total = RwSignal::new(FIRST);
    let rows = Memo::new(move |_| rows_around(&visible_range.get(), total.get().max(1)));
    let body = learnt(id, move || Some(LearnOf::Lifecycles(rows.get())));
    let page = Memo::new(move |_| {
        let page = body.answer.with(|body| body.as_ref()?.part.try_as_lifecycles_ref().cloned());
        page.unwrap_or_default()
    });
    let all = Memo::new(move |_| page.with(|page| page.total));
    Effect::new(move |_| total.set(all.get()));
    let active = RwSignal::new(0u32);
    let row = Arc::new(move |index| page.with(|page| page.get(index).map(grid_row)));
    let line = Memo::new(move |_| page.with(|page| page.get(active.get()).cloned()));
    view! {
        <p class="quiet">
            {move || format!("{}; those in the most reflections come first", counted(all.get(), "lesson"))}
        </p>
        <WideGrid
            label="Lessons by iteration"
            corner="Lesson"
            letters=&LETTERS
            columns
            total=all
            row
            visible_range
            active
            at
            select
        />
        <Legend letters=&LETTERS/>
        {move || line.get().map(|line| view! {
            <article class="panel original">
                <div class="card-body">
                    <p class="text" dir="auto"><RecordText text=line.text.clone()/></p>
                    <p class="quiet">
                        {lifecycle(&line)}" "
                        <StepLink number=line.first steps/>" "<StepLink number=line.last steps/>
                    </p>
                </div>
            </article>
        })}
    }
}

fn grid_row(line: &LessonLine) -> GridRow {
    GridRow {
        name: line.text.clone(),
        sentence: format!("{}: {}", line.text, lifecycle(line)),
        cells: line.cells.clone(),
    }
}

fn lifecycle(line: &LessonLine) -> String {
    format!("first {}, last {}, in {}", line.first, line.last, counted(line.seen, "iteration"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(state: LessonState, text: &str, before: Option<&str>) -> LessonChange {
        LessonChange {
            state,
            text: text.into(),
            before: before.map(str::to_owned),
            since: 1,
            last: None,
            shared: None,
        }
    }

    #[test]
    fn the_one_before_has_lessons() {
        assert_eq!(before(&[1, 4, 9], 9), Some(4));
        assert_eq!(before(&[1, 4, 9], 7), Some(4));
        assert_eq!(before(&[1, 4, 9], 1), Some(1), "the first has none before it");
        assert_eq!(before(&[], 1), None);
    }

    #[test]
    fn copies_read_without_colour() {
        let changes = [
            change(LessonState::Kept, "run it", None),
            change(LessonState::Reworded, "check the limit", Some("check the count")),
        ];
        assert_eq!(counts(&changes), "1 reworded, 1 kept");
        assert_eq!(
            markdown(&changes, 8, 9),
            "Lessons, iteration 8 to 9: 1 reworded, 1 kept\n\n\
             - ~ reworded: check the [-count-]{+limit+}\n- = kept: run it\n"
        );
    }
}
