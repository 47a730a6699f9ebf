//! Files that lost records, in a line below the list.

use hindscope::SourceView;
use leptos::prelude::*;

use crate::ask::asked;
use crate::components::RecordText;
use crate::platform;
use crate::protocol::{Answer, FindingChoice, Query, Rows};
use crate::route::{self, Place, View};

/// Files that are named.
const NAMED: usize = 3;

/// What was lost, file by file, with the way to its findings.
#[component]
pub(crate) fn Damage() -> impl IntoView {
    let findings = asked(
        || {
            let rows = Rows { first: 0, count: 0 };
            Some(Query::Findings { choice: FindingChoice::default(), rows })
        },
        |answer| match answer {
            Answer::Findings(body) => Some(body.damage),
            _ => None,
        },
    );
    move || {
        let lost: Vec<SourceView> = findings.answer.with(|damage| {
            damage.iter().flatten().filter(|source| source.skipped > 0).cloned().collect()
        });
        (!lost.is_empty()).then(|| {
            let more = lost.len().saturating_sub(NAMED);
            view! {
                <p class="damage-line">
                    <strong>"Damage: "</strong>
                    {lost.iter().take(NAMED).map(file).collect::<Vec<_>>()}
                    {(more > 0).then(|| format!("and {more} more files. "))}
                    <a href="#/findings">"All findings"</a>
                </p>
            }
        })
    }
}

fn file(source: &SourceView) -> impl IntoView + use<> {
    let mut place = Place::of(View::Findings);
    place.query.source = Some(source.path.clone());
    let text = format!(
        ", kept {} of {} records. ",
        platform::whole(source.kept),
        platform::whole(source.kept + source.skipped)
    );
    let show = format!("Show the other {}", platform::whole(source.skipped));
    view! {
        <span class="damage-file">
            <code><RecordText text=source.path.clone()/></code>
            {text}
            <a href=route::write(&place)>{show}</a>
            ". "
        </span>
    }
}
