//! The life of each reflection: a row per reflection, a column per iteration.

use leptos::prelude::*;

use crate::platform;
use crate::protocol::{Lifespan, LifespanRow};
use crate::route::{self, RunTab};
use crate::state::App;

/// The grid around the chosen iteration.
#[component]
pub(crate) fn Grid(life: Lifespan, at: i64) -> impl IntoView {
    let app = App::get();
    if life.rows.is_empty() {
        return view! { <p class="advice">"No reflection was written in this run."</p> }.into_any();
    }
    let heads: Vec<_> = life
        .columns
        .iter()
        .map(|number| {
            let number = *number;
            let href =
                app.place.with_untracked(|place| place.href_at(RunTab::Window, Some(number)));
            view! {
                <th scope="col" class:chosen=number == at>
                    <a
                        href=href.clone()
                        on:click=move |event| {
                            event.prevent_default();
                            app.go(route::read(&href), true);
                        }
                    >
                        {number}
                    </a>
                </th>
            }
        })
        .collect();
    let chosen = life.columns.iter().position(|number| *number == at);
    let rows: Vec<_> = life.rows.iter().map(|row| draw(row, chosen)).collect();
    let hidden = hidden(&life);
    view! {
        <section class="life" aria-labelledby="life-title">
            <div class="life-head">
                <h2 id="life-title">"Life of each reflection"</h2>
                <span class="life-legend">
                    <span class="life-cell life-written">"\u{25cf}"</span>" written "
                    <span class="life-cell life-last"><span aria-hidden="true"></span></span>
                    " in reach, up to the rounded end"
                </span>
            </div>
            <div class="life-box" tabindex="0" role="group" aria-label="Grid of reflections">
                <table class="life-table">
                    <thead>
                        <tr>
                            <td class="corner">"written in"</td>
                            {heads}
                            <td></td>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {hidden.map(|text| view! { <p class="quiet">{text}</p> })}
        </section>
    }
    .into_any()
}

fn draw(row: &LifespanRow, chosen: Option<usize>) -> impl IntoView + use<> {
    let cells: Vec<_> = row
        .cells
        .chars()
        .enumerate()
        .map(|(at, cell)| {
            let (class, mark, word) = match cell {
                'w' => ("life-cell life-written", "\u{25cf}", "written"),
                'h' => ("life-cell life-held", "=", "in reach"),
                'l' => ("life-cell life-last", "#", "in reach for the last time"),
                'o' => ("life-cell life-out", "\u{b7}", "out"),
                _ => ("life-cell", "", ""),
            };
            view! {
                <td class=class class:chosen=chosen == Some(at)>
                    <span aria-hidden="true">{mark}</span>
                    <span class="spoken">{word}</span>
                </td>
            }
        })
        .collect();
    view! {
        <tr>
            <th scope="row">{row.reference.number}</th>
            {cells}
            <td class="fate">{fate(row, chosen)}</td>
        </tr>
    }
}

/// What becomes of a reflection, seen from the chosen iteration.
fn fate(row: &LifespanRow, chosen: Option<usize>) -> String {
    let now = chosen.and_then(|at| row.cells.chars().nth(at));
    let was = row.cells.contains(['h', 'l', 'o']);
    match (now, row.last) {
        (Some('l' | 'h'), Some(last)) => format!("leaves after {last}"),
        (Some('h' | 'l'), None) => "stays".to_owned(),
        (Some('o'), Some(last)) => format!("out after {last}"),
        (Some('o'), None) => "out before".to_owned(),
        (_, None) if !row.cells.contains('h') && was => "never in reach".to_owned(),
        _ => String::new(),
    }
}

fn hidden(life: &Lifespan) -> Option<String> {
    match (life.hidden_columns, life.hidden_rows) {
        (0, 0) => None,
        (columns, 0) => {
            Some(format!("{} more iterations are not drawn.", platform::whole(columns)))
        }
        (columns, rows) => Some(format!(
            "{} more iterations and {} more reflections are not drawn.",
            platform::whole(columns),
            platform::whole(rows)
        )),
    }
}

#[cfg(test)]
mod tests {
    use hindscope::{RecordId, ReflectionRef};

    use super::*;

    fn row(cells: &str, last: Option<i64>) -> LifespanRow {
        let reference = ReflectionRef { number: 0, ordinal: 0, record: RecordId(0), part: 0 };
        LifespanRow { reference, cells: cells.to_owned(), last }
    }

    #[test]
    fn fates_are_seen_from_the_chosen_iteration() {
        assert_eq!(fate(&row("whlo", Some(2)), Some(1)), "leaves after 2");
        assert_eq!(fate(&row("whlo", Some(2)), Some(3)), "out after 2");
        assert_eq!(fate(&row("   w", None), Some(1)), "", "nobody knows yet");
        assert_eq!(fate(&row("wooo", None), Some(0)), "never in reach");
        assert_eq!(fate(&row("whhh", None), Some(2)), "stays");
        assert_eq!(fate(&row("  wh", None), Some(0)), "");
    }
}
