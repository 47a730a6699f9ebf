//! Groups of runs: one line each in the chart, one row each in the table beside it.

use hindscope::GroupView;
use leptos::prelude::*;

use crate::chart::CurveLine;
use crate::components::{RecordText, number_heads, or_none};
use crate::format::{self, group_label};
use crate::platform;
use crate::protocol::{Page, count};

/// The groups of the runs shown, with the letters of their lines.
#[component]
pub(super) fn GroupTable(groups: Page<GroupView>, lines: Memo<Vec<CurveLine>>) -> impl IntoView {
    let hidden = groups.all.saturating_sub(count(groups.rows.len()));
    let rest = (hidden > 0).then(|| {
        let text = format!("{} smaller groups are not listed.", platform::whole(hidden));
        view! { <p class="quiet rest">{text}</p> }
    });
    let rows = move || {
        let letters: Vec<(usize, char)> =
            lines.with(|lines| lines.iter().map(|line| (line.group, line.letter)).collect());
        let letter = |at: usize| {
            letters.iter().find(|(group, _)| *group == at && letters.len() > 1).map(|found| found.1)
        };
        groups.rows.iter().enumerate().map(|(at, group)| row(group, letter(at))).collect::<Vec<_>>()
    };
    view! {
        <div class="groups">
            <table class="plain">
                <thead>
                    <tr>
                        <th scope="col">"Group"</th>
                        {number_heads(["Runs", "Solved", "Refl."])}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {rest}
        </div>
    }
}

fn row(group: &GroupView, letter: Option<char>) -> impl IntoView + use<> {
    let title = hindscope::formats().iter().find(|info| info.id == group.format);
    let format = title.map_or_else(|| group.format.clone(), |info| info.title.to_owned());
    let solved = group.solved_after.last().map(|solved| {
        let share = format::percent(f64::from(*solved), f64::from(group.judged));
        view! {
            {platform::whole(*solved)}
            " "
            <span class="quiet">{share}</span>
        }
    });
    view! {
        <tr>
            <th scope="row">
                {letter.map(|letter| view! { <b class="line-letter">{letter.to_string()}</b> })}
                <span class="group-label"><RecordText text=group_label(&group.label)/></span>
                <span class="quiet group-format">{format}</span>
            </th>
            <td class="num">{platform::whole(group.runs)}</td>
            <td class="num">{or_none(solved, "unknown")}</td>
            <td class="num">{platform::whole(group.reflections)}</td>
        </tr>
    }
}
