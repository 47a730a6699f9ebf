//! Runs solved after each attempt: the chart, its readout and its table.

use leptos::prelude::*;

use crate::chart::{self, ChartView, Curve, CurveLine};
use crate::components::{Toggle, number_heads, slide};
use crate::format;
use crate::platform::{self, Key};
use crate::state::{App, use_keys};

/// The curve of all groups, as chart or table.
#[component]
pub(crate) fn CurvePanel(lines: Memo<Vec<CurveLine>>) -> impl IntoView {
    let app = App::get();
    let hovered = RwSignal::new(None::<usize>);
    let numbers = Memo::new(move |_| lines.with(|lines| chart::numbers(lines)));
    let first = move || numbers.with(|numbers| numbers.first().copied().unwrap_or_default());
    let last = move || numbers.with(|numbers| numbers.last().copied().unwrap_or_default());
    let chosen = RwSignal::new(None::<usize>);
    // A new history begins without a chosen attempt.
    Effect::new(move |_| {
        lines.track();
        chosen.set(None);
    });
    let most = move || numbers.with_untracked(|numbers| numbers.len().saturating_sub(1));
    let shown = Memo::new(move |_| {
        let at = hovered.get().or(chosen.get());
        numbers.with(|numbers| {
            at.and_then(|at| numbers.get(at)).or(numbers.last()).copied().unwrap_or_default()
        })
    });
    let readout = Memo::new(move |_| lines.with(|lines| readout(lines, shown.get())));
    use_keys(move |key: &Key| {
        if key.name == "d" && !key.is_repeated {
            app.as_table.update(|as_table| *as_table = !*as_table);
            return true;
        }
        false
    });
    view! {
        <figure class="panel" aria-labelledby="curve-title">
            <figcaption class="panel-head">
                <h2 id="curve-title">"Runs solved after each attempt"</h2>
                <span class="readout">{move || readout.get()}</span>
                <Toggle is_on=app.as_table>"Table"</Toggle>
            </figcaption>
            <Show
                when=move || !app.as_table.get()
                fallback=move || lines.with(|lines| table(lines))
            >
                <div
                    class="chart-slider"
                    role="slider"
                    tabindex="0"
                    aria-label="Attempt"
                    aria-valuemin=move || first().to_string()
                    aria-valuemax=move || last().to_string()
                    aria-valuenow=move || shown.get().to_string()
                    aria-valuetext=move || readout.get()
                    on:keydown=move |event| slide(&event, chosen, most())
                >
                    <ChartView
                        draw=move |width| lines.with(|lines| {
                            (!lines.is_empty()).then(|| Curve::new(lines, width))
                        })
                        name="Runs solved after each attempt"
                        selected=chosen
                        hovered
                        on_pick=move |at| chosen.set(Some(at))
                    />
                </div>
            </Show>
        </figure>
    }
}

/// One attempt in words, for one group or for several.
fn readout(lines: &[CurveLine], number: i64) -> String {
    let parts: Vec<String> = lines
        .iter()
        .filter_map(|line| {
            let (solved, attempted) = line.at(number)?;
            let share = format::percent(f64::from(solved), f64::from(line.runs));
            let [solved, runs, attempted] = [solved, line.runs, attempted].map(platform::whole);
            Some(if lines.len() == 1 {
                format!("{solved} of {runs} solved ({share}); {attempted} tried")
            } else {
                format!("{} {solved} of {runs} ({share})", line.letter)
            })
        })
        .collect();
    format!("After attempt {number}: {}", parts.join(", "))
}

/// The same numbers as the chart.
fn table(lines: &[CurveLine]) -> impl IntoView + use<> {
    let has_letters = lines.len() > 1;
    let rows: Vec<_> = lines
        .iter()
        .flat_map(|line| {
            let mut before = 0;
            line.numbers
                .iter()
                .map(|&number| {
                    let (solved, attempted) = line.at(number).unwrap_or_default();
                    let new = solved.saturating_sub(before);
                    before = solved;
                    let share = format::percent(f64::from(solved), f64::from(line.runs));
                    view! {
                        <tr>
                            {has_letters.then(|| view! { <td>{line.letter.to_string()}</td> })}
                            <th scope="row" class="num">{number}</th>
                            <td class="num">{platform::whole(solved)}</td>
                            <td class="num">{share}</td>
                            <td class="num">{platform::whole(new)}</td>
                            <td class="num">{platform::whole(attempted)}</td>
                        </tr>
                    }
                })
                .collect::<Vec<_>>()
        })
        .collect();
    view! {
        <div class="table-box" tabindex="0" role="region" aria-label="Runs solved after each attempt">
            <table class="plain" id="curve-table">
                <thead>
                    <tr>
                        {has_letters.then(|| view! { <th scope="col">"Line"</th> })}
                        {number_heads(["Attempt", "Solved", "Share", "New", "Tried"])}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(letter: char, runs: u32) -> CurveLine {
        CurveLine {
            group: 0,
            letter,
            numbers: vec![0, 1],
            solved: vec![84, 103],
            attempted: vec![134, 50],
            runs,
        }
    }

    #[test]
    fn says_what_the_chart_shows() {
        assert_eq!(
            readout(&[line('a', 134)], 1),
            "After attempt 1: 103 of 134 solved (77 %); 50 tried"
        );
        assert_eq!(
            readout(&[line('a', 134), line('b', 200)], 0),
            "After attempt 0: a 84 of 134 (63 %), b 84 of 200 (42 %)"
        );
    }
}
