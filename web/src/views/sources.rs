//! The files that are open: what each was recognised as, and what was kept of it.

use hindscope::{SourceId, SourceState, SourceView};
use leptos::prelude::*;

use crate::ask::asked;
use crate::components::{FindingItem, LongText, RecordText};
use crate::format::{self, noun};
use crate::platform;
use crate::route::{self, Place, View};
use crate::state::App;
use crate::worker::protocol::{Answer, Query, RawText, Rows, SourceRow};

/// Rules whose finding only repeats the reason of a source.
const SAME_AS_REASON: [&str; 3] = ["source/unknown", "source/refused", "source/unreadable"];
/// Rows that are shown before the reader asks for more.
const STEP: u32 = 200;

/// A row per file, in the order of opening.
#[component]
pub(crate) fn Sources() -> impl IntoView {
    let shown = RwSignal::new(STEP);
    let sources = asked(
        move || Some(Query::Sources(Rows { first: 0, count: shown.get() })),
        |answer| match answer {
            Answer::Sources(page) => Some(page),
            _ => None,
        },
    );
    let rows = move || {
        sources.answer.with(|page| {
            page.as_ref().map(|page| page.rows.iter().cloned().map(row).collect::<Vec<_>>())
        })
    };
    let rest = Memo::new(move |_| {
        sources
            .answer
            .with(|page| page.as_ref().map_or(0, |page| page.total.saturating_sub(shown.get())))
    });
    view! {
        <ul class="sources">{rows}</ul>
        <Show when=move || rest.get() != 0>
            <button class="more" on:click=move |_| shown.update(|shown| *shown += STEP * 5)>
                {move || format!("Show more: {} not shown", platform::whole(rest.get()))}
            </button>
        </Show>
    }
}

fn row(row: SourceRow) -> impl IntoView {
    let SourceRow { view, worst, findings } = row;
    let state = match view.state {
        SourceState::Reading => ("muted", "reading"),
        SourceState::Read => ("pass", "read"),
        SourceState::Raw => ("partial", "raw"),
        SourceState::Refused => ("fail", "refused"),
    };
    let more = findings.saturating_sub(u32::try_from(worst.len()).unwrap_or(u32::MAX));
    let mut all = Place::of(View::Findings);
    all.query.source = Some(view.path.clone());
    view! {
        <li class="source">
            <div class="source-head">
                <span class=format!("state {}", state.0)>{state.1}</span>
                <span class="source-path"><RecordText text=view.path.clone()/></span>
                <span class="source-facts">{facts(&view)}</span>
            </div>
            {view.reason.clone().map(|reason| view! { <p class="reason"><RecordText text=reason/></p> })}
            {(view.state == SourceState::Raw).then(|| view! { <FileText source=view.id/> })}
            {worst
                .into_iter()
                // The reason has said it already.
                .filter(|finding| view.reason.is_none() || !SAME_AS_REASON.contains(&finding.rule.as_str()))
                .map(|finding| view! { <FindingItem finding is_here=true/> })
                .collect::<Vec<_>>()}
            {(more > 0)
                .then(|| {
                    view! {
                        <a href=route::write(&all)>
                            {format!(
                                "{} more {}",
                                platform::whole(more),
                                noun(u64::from(more), "finding"),
                            )}
                        </a>
                    }
                })}
        </li>
    }
}

/// The text of a file that is no history, when it is asked for.
#[component]
fn FileText(source: SourceId) -> impl IntoView {
    let app = App::get();
    let text = RwSignal::new(None::<RawText>);
    let show = move |_| {
        if text.with_untracked(Option::is_some) {
            text.set(None);
            return;
        }
        app.ask(Query::Text { source }, move |answer| {
            let read = match answer {
                Answer::Raw(read) => read,
                Answer::Failed(reason) => RawText { head: reason, ..RawText::default() },
                _ => return,
            };
            let _ = text.try_set(Some(read));
        });
    };
    view! {
        <div class="file-text">
            <button
                class="small"
                aria-expanded=move || text.with(Option::is_some).to_string()
                on:click=show
            >
                {move || if text.with(Option::is_some) { "Hide text" } else { "Show text" }}
            </button>
            {move || text.get().map(|text| {
                let hidden = (text.hidden > 0).then(|| {
                    format!("{} are not shown here.", format::bytes(f64::from(text.hidden)))
                });
                view! {
                    <LongText text=text.head is_code=true/>
                    {hidden.map(|hidden| view! {
                        <p class="quiet">{hidden}</p>
                        <LongText text=text.tail is_code=true/>
                    })}
                }
            })}
        </div>
    }
}

/// Format, size and counts, with what applies.
#[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
fn facts(view: &SourceView) -> String {
    let mut facts = Vec::new();
    if let Some(format) = &view.format {
        let title = hindscope::formats().iter().find(|info| info.id == *format);
        facts.push(title.map_or_else(|| format.clone(), |info| info.title.to_owned()));
    }
    facts.extend(view.framing.clone());
    if view.encoding != "utf-8" {
        facts.push(view.encoding.clone());
    }
    facts.push(format::bytes(view.bytes as f64));
    for (count, word) in
        [(view.kept, "kept"), (view.repaired, "repaired"), (view.skipped, "skipped")]
    {
        if count > 0 && view.state != SourceState::Raw {
            facts.push(format!("{} {word}", platform::whole(count)));
        }
    }
    facts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_leave_out_what_is_nothing() {
        let view = SourceView {
            id: SourceId(0),
            path: "a.bin".to_owned(),
            format: None,
            why: None,
            framing: None,
            encoding: "utf-8".to_owned(),
            bytes: 1,
            state: SourceState::Refused,
            reason: None,
            kept: 0,
            repaired: 0,
            skipped: 3,
        };
        assert_eq!(facts(&view), "1 byte · 3 skipped");
    }
}
