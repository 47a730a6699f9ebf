//! The summary above the runs: one line per group in the chart, one row in the table beside it.

use hindscope::GroupView;
use leptos::prelude::*;

use crate::ask::asked;
use crate::chart;
use crate::components::RecordText;
use crate::format;
use crate::platform;
use crate::protocol::{Answer, Page, Query};
use crate::views::runs::curve::CurvePanel;

/// The curve, and what it rests on.
#[component]
pub(crate) fn Groups() -> impl IntoView {
    let groups = asked(
        || Some(Query::Groups),
        |answer| match answer {
            Answer::Groups(groups) => Some(groups),
            _ => None,
        },
    );
    let lines =
        Memo::new(move |_| groups.answer.with(|groups| chart::lines(shown(groups.as_ref()))));
    let has_lines = Memo::new(move |_| lines.with(|lines| !lines.is_empty()));
    let has_several = Memo::new(move |_| {
        groups.answer.with(|groups| groups.as_ref().is_some_and(|page| page.all > 1))
    });
    let is_known = Memo::new(move |_| groups.answer.with(Option::is_some));
    let rest = move || {
        let hidden = groups.answer.with(|page| {
            let page = page.as_ref()?;
            page.all.checked_sub(u32::try_from(page.rows.len()).ok()?)
        })?;
        let text = || format!("{} smaller groups are not listed.", platform::whole(hidden));
        (hidden > 0).then(text)
    };
    view! {
        <section class="summary" class:alone=move || !has_several.get() aria-label="Summary">
            <Show
                when=move || has_lines.get()
                fallback=move || {
                    is_known
                        .get()
                        .then(|| {
                            view! {
                                <p class="advice">
                                    "No run has a recorded outcome, so there is no curve of solved runs."
                                </p>
                            }
                        })
                }
            >
                <CurvePanel lines/>
            </Show>
            <Show when=move || has_several.get()>
            <div class="groups" tabindex="0" role="region" aria-label="Groups">
                <table class="plain">
                    <thead>
                        <tr>
                            <th scope="col">"Group"</th>
                            <th scope="col" class="num">"Runs"</th>
                            <th scope="col" class="num">"Solved"</th>
                            <th scope="col" class="num">"Refl."</th>
                        </tr>
                    </thead>
                    <tbody>
                        {move || {
                            let letters: Vec<(usize, char)> = lines
                                .with(|lines| {
                                    lines.iter().map(|line| (line.group, line.letter)).collect()
                                });
                            groups.answer.with(|groups| {
                                shown(groups.as_ref())
                                    .iter()
                                    .enumerate()
                                    .map(|(at, group)| {
                                        let letter = letters
                                            .iter()
                                            .find(|(group, _)| *group == at && letters.len() > 1)
                                            .map(|(_, letter)| *letter);
                                        row(group, letter)
                                    })
                                    .collect::<Vec<_>>()
                            })
                        }}
                    </tbody>
                </table>
                {move || rest().map(|text| view! { <p class="quiet rest">{text}</p> })}
            </div>
            </Show>
        </section>
    }
}

fn shown(page: Option<&Page<GroupView>>) -> &[GroupView] {
    page.map_or(&[], |page| &page.rows)
}

/// What a group is called; files that were not in a folder have none of their own.
pub(crate) fn group_label(label: &str) -> String {
    if label.is_empty() { "single files".to_owned() } else { label.to_owned() }
}

fn row(group: &GroupView, letter: Option<char>) -> impl IntoView + use<> {
    let title = hindscope::formats().iter().find(|info| info.id == group.format);
    let format = title.map_or_else(|| group.format.clone(), |info| info.title.to_owned());
    let solved = group.solved_after.last().map(|solved| {
        let share = format::percent(f64::from(*solved), f64::from(group.runs));
        view! {
            {platform::whole(*solved)}
            " "
            <span class="quiet">{share}</span>
        }
    });
    let solved = match solved {
        Some(solved) => solved.into_any(),
        None => view! { <span class="none">"unknown"</span> }.into_any(),
    };
    view! {
        <tr>
            <th scope="row">
                {letter.map(|letter| view! { <b class="line-letter">{letter.to_string()}</b> })}
                <span class="group-label"><RecordText text=group_label(&group.label)/></span>
                <span class="quiet group-format">{format}</span>
            </th>
            <td class="num">{platform::whole(group.runs)}</td>
            <td class="num">{solved}</td>
            <td class="num">{platform::whole(group.reflections)}</td>
        </tr>
    }
}
