//! Files that lost records, in a line below the list.

use hindscope::SourceView;
use leptos::prelude::*;

use crate::components::RecordText;
use crate::platform;
use crate::protocol::{Answer, Query, Rows};
use crate::route::{self, Place, View};
use crate::state::asked;

/// Files that are named.
const NAMED: usize = 3;
/// Files that are asked about.
const LOOKED_AT: u32 = 100;

/// What was lost, file by file, with the way to its findings.
#[component]
pub(crate) fn Damage() -> impl IntoView {
    let damage =
        asked(|| Some(Query::Damage(Rows { first: 0, count: LOOKED_AT })), Answer::try_as_damage);
    move || {
        let lost: Vec<SourceView> = damage.answer.with(|page| {
            let rows = page.iter().flat_map(|page| &page.rows);
            rows.map(|row| &row.view).filter(|source| source.skipped > 0).cloned().collect()
        });
        let unseen = damage
            .answer
            .with(|page| page.as_ref().map_or(0, |page| page.total.saturating_sub(LOOKED_AT)));
        (!lost.is_empty()).then(|| {
            let more = lost.len().saturating_sub(NAMED) + unseen as usize;
            view! {
                <p class="damage-line">
                    <strong>"Damage: "</strong>
                    {lost.iter().take(NAMED).map(file).collect::<Vec<_>>()}
                    {(more > 0).then(|| format!("and {more} more files. "))}
                    <a href="#/findings?show=damage">"Damage report"</a>
                </p>
            }
        })
    }
}

fn file(source: &SourceView) -> impl IntoView + use<> {
    let place = Place::of_source(View::Findings, &source.path);
    let text = format!(
        ": {} of {} records could not be read. ",
        platform::whole(source.skipped),
        platform::whole(source.kept + source.skipped)
    );
    let show = if source.skipped == 1 { "Show it" } else { "Show them" };
    view! {
        <span class="damage-file">
            <code><RecordText text=source.path.clone()/></code>
            {text}
            <a href=route::write(&place)>{show}</a>
            ". "
        </span>
    }
}
