//! One finding: how much it matters, its rule, its place, what was found and what to do.

use std::fmt::Write as _;

use leptos::prelude::*;

use super::{CopyButton, LevelMark, RecordText};
use crate::protocol::FindingRow;
use crate::route;
use crate::state::run_place;

/// A finding with links to where it belongs.
#[component]
pub(crate) fn FindingItem(
    finding: FindingRow,
    /// Its iteration and file are what the reader is looking at.
    #[prop(optional)]
    is_here: bool,
) -> impl IntoView {
    let copied = markdown(&finding);
    let iteration = finding.run.clone().filter(|_| !is_here).map(|run| {
        let href = route::write(&run_place(&run, finding.iteration));
        let text = match finding.iteration {
            Some(number) => format!("{}, iteration {number}", run.key),
            None => run.key.clone(),
        };
        view! { <a class="finding-run" href=href><RecordText text/></a> }
    });
    let place = place(&finding);
    view! {
        <article class="finding">
            <div class="finding-head">
                <LevelMark level=finding.level/>
                <code class="rule">{finding.rule}</code>
                {iteration}
                {(!place.is_empty()).then(|| view! { <span class="place"><RecordText text=place/></span> })}
                <span class="finding-copy"><CopyButton text=move |()| copied.clone() what="finding"/></span>
            </div>
            <p class="finding-message"><RecordText text=finding.message/></p>
            {finding.hint.map(|hint| view! { <p class="hint">{hint}</p> })}
        </article>
    }
}

/// `path:line:column`, with what is known of it.
pub(crate) fn place(finding: &FindingRow) -> String {
    let mut place = finding.path.clone().unwrap_or_default();
    if let Some(line) = finding.line {
        let _ = write!(place, ":{line}");
        if let Some(column) = finding.column {
            let _ = write!(place, ":{column}");
        }
    } else if let Some(offset) = finding.offset {
        let _ = write!(place, ", byte {offset}");
    }
    if let Some(pointer) = finding.pointer.as_ref().filter(|pointer| !pointer.is_empty()) {
        let _ = write!(place, "  {pointer}");
    }
    place
}

/// The finding as one block for an issue or a chat.
fn markdown(finding: &FindingRow) -> String {
    let place = place(finding);
    let mut text = format!("**{}** `{}`", finding.level.word(), finding.rule);
    if !place.is_empty() {
        let _ = write!(text, " at `{place}`");
    }
    let _ = write!(text, "\n\n{}\n", finding.message);
    if let Some(hint) = &finding.hint {
        let _ = write!(text, "\n{hint}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Level;

    #[test]
    fn places_say_what_is_known() {
        let mut finding = FindingRow {
            rule: "jsonl/bad-line".to_owned(),
            level: Level::Error,
            path: Some("a.jsonl".to_owned()),
            line: Some(412),
            column: Some(88),
            offset: Some(9.0),
            pointer: None,
            run: None,
            iteration: None,
            message: "Expected a comma.".to_owned(),
            hint: None,
        };
        assert_eq!(place(&finding), "a.jsonl:412:88");
        finding.line = None;
        assert_eq!(place(&finding), "a.jsonl, byte 9");
        assert!(markdown(&finding).starts_with("**error** `jsonl/bad-line` at `a.jsonl, byte 9`"));
    }
}
