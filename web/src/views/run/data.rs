//! Every record of a run, with its place.

use hindscope::RecordId;
use leptos::prelude::*;

use crate::components::{
    FindingItem, RawRecord, RecordText, Steps, VirtualList, VisibleRange, length, rows_around,
};
use crate::format::{self, counted, noun};
use crate::platform;
use crate::protocol::{Answer, Query, RecordRow};
use crate::route::{self, Place, RunTab};
use crate::state::{App, asked};

const ROW: f64 = 27.0;
const HEADER: f64 = 30.0;

/// Every record of a run, with its place.
#[component]
pub(crate) fn DataTab(steps: Steps) -> impl IntoView {
    let app = App::get();
    let visible_range = RwSignal::new(VisibleRange::default());
    let total = RwSignal::new(0_u32);
    let rows = Memo::new(move |_| visible_range.with(|range| rows_around(range, total.get())));
    let number = Memo::new(move |_| steps.number());
    let place = Memo::new(move |_| app.place.with(|place| place.query.record.clone()));
    let list = asked(
        move || {
            let (run, rows) = (steps.id.get()?, rows.get());
            Some(Query::Records { run, rows, place: place.get(), number: number.get() })
        },
        Answer::try_as_records,
    );
    Effect::new(move |_| {
        if let Some(all) = list.answer.with(|list| list.as_ref().map(|(page, _)| page.total))
            && total.get_untracked() != all
        {
            total.set(all);
        }
    });
    let chosen = Memo::new(move |_| list.answer.with(|list| list.as_ref().and_then(|it| it.1)));
    let active = Memo::new(move |_| chosen.get().map(|(at, _)| at));
    let record = Memo::new(move |_| chosen.get().map(|(_, record)| record));
    let row = move |index: u32| {
        let cells = move || {
            list.answer.with(|list| {
                let row = list.as_ref()?.0.get(index)?;
                Some(cells(app, row, active.get() == Some(index)))
            })
        };
        view! {
            <div
                class="row"
                role="row"
                class:active=move || active.get() == Some(index)
                aria-rowindex=(index + 2).to_string()
                aria-selected=move || (active.get() == Some(index)).to_string()
            >
                {cells}
            </div>
        }
        .into_any()
    };
    view! {
        <div class="data-left" data-scroller="">
            <p class="count-line">{move || counted(total.get(), "record")}</p>
            {move || list.problem.get().map(|text| view! { <p class="advice"><RecordText text/></p> })}
            <div
                class="grid record-grid"
                role="grid"
                aria-label="Records"
                aria-rowcount=move || (total.get() + 1).to_string()
            >
                <div class="row head" role="row" aria-rowindex="1">
                    <div role="columnheader">"Place"</div>
                    <div class="c-num" role="columnheader">"Iter."</div>
                    <div class="c-bytes" role="columnheader">"Bytes"</div>
                    <div class="c-format" role="columnheader">"Format"</div>
                    <div class="c-num" role="columnheader">"Find."</div>
                </div>
                <VirtualList total row_height=ROW visible_range active restarts=0u32 covered=HEADER row/>
            </div>
        </div>
        <div class="data-right" data-scroller="">
            <Chosen record/>
        </div>
    }
}

/// The place of a record's row in an address: its iteration goes along.
fn address(place: &Place, row: &RecordRow) -> Place {
    let number = row.numbers.first().copied().or(place.view.number());
    let mut to = place.with_view(place.view.at(RunTab::Data, number));
    to.query.record = Some(at(row));
    to
}

/// `path:line:column`
fn at(row: &RecordRow) -> String {
    format!("{}:{}:{}", row.span.path, row.span.line, row.span.column)
}

fn cells(app: App, row: &RecordRow, is_current: bool) -> impl IntoView + use<> {
    let to = app.place.with(|place| address(place, row));
    let href = route::write(&to);
    let span = &row.span;
    let bytes = usize::try_from(span.end - span.start).unwrap_or(usize::MAX);
    let bytes = format!("{}\u{2013}{} ({})", span.start, span.end, length(bytes));
    let findings = (row.findings > 0).then(|| platform::whole(row.findings));
    let none = || "\u{2013}".to_owned();
    view! {
        <div class="c-place" role="gridcell">
            <a
                class="row-link"
                href=href
                tabindex=if is_current { "0" } else { "-1" }
                on:click=move |event| {
                    // Going through records is one step back, as through iterations.
                    event.prevent_default();
                    app.go(to.clone(), true);
                }
            >
                <RecordText text=at(row)/>
            </a>
        </div>
        <div class="c-num" role="gridcell">{format::numbers(&row.numbers)}</div>
        <div class="c-bytes" role="gridcell">{bytes}</div>
        <div class="c-format" role="gridcell">{row.format.clone().unwrap_or_else(none)}</div>
        <div class="c-num" role="gridcell">{findings.unwrap_or_else(none)}</div>
    }
}

/// The chosen record: its text, and everything that was found in it.
#[component]
fn Chosen(record: Memo<Option<RecordId>>) -> impl IntoView {
    let text = asked(
        move || Some(Query::Record { record: record.get()? }),
        |answer| answer.try_as_record().map(|body| *body),
    );
    view! {
        <section class="chosen-record" aria-label="Record">
            {move || text.problem.get().map(|text| view! { <p class="advice"><RecordText text/></p> })}
            {move || text.answer.get().map(|body| {
                let count = body.findings.len();
                let title = match count {
                    0 => "No findings".to_owned(),
                    some => format!("{some} {}", noun(some as u64, "finding")),
                };
                view! {
                    <RawRecord part=body.part/>
                    <h2>{title}</h2>
                    {body.findings
                        .into_iter()
                        .map(|finding| view! { <FindingItem finding/> })
                        .collect_view()}
                }
            })}
        </section>
    }
}
