//! Errors as the evaluator reported them, each with the history of its signature.

use std::fmt::Write as _;

use hindscope::{ErrorDetails, ErrorRow, error_signature};
use leptos::prelude::*;

use crate::components::{Fold, LongText, RecordText, Toggle};
use crate::format;
use crate::protocol::NotesBody;
use crate::route::RunTab;
use crate::state::App;
use crate::views::iteration::actions::action_link;

/// Errors in order.
#[component]
pub(crate) fn Errors(errors: Vec<ErrorDetails>, notes: Memo<Option<NotesBody>>) -> impl IntoView {
    if errors.is_empty() {
        return None;
    }
    let note = errors.len().to_string();
    Some(view! {
        <Fold title="Errors" note>
            <ul class="errors">
                {errors
                    .clone()
                    .into_iter()
                    .enumerate()
                    .map(|(at, error)| view! { <ErrorItem at error notes/> })
                    .collect::<Vec<_>>()}
            </ul>
        </Fold>
    })
}

#[component]
fn ErrorItem(at: usize, error: ErrorDetails, notes: Memo<Option<NotesBody>>) -> impl IntoView {
    let app = App::get();
    let place = place(&error);
    let rule = error.rule.clone();
    let severity = error.severity.clone().filter(|word| word != "error");
    let signature = error_signature(&error);
    let actions = move || {
        let blamed: Vec<u32> = notes.with(|notes| {
            let credits = notes.as_ref().map(|notes| notes.credits.as_slice()).unwrap_or_default();
            let of_this = |errors: &[u32]| errors.iter().any(|error| *error as usize == at);
            credits.iter().filter(|it| of_this(&it.errors)).map(|it| it.action).collect()
        });
        let links = blamed.iter().map(|action| action_link(app, *action)).collect_view();
        (!blamed.is_empty()).then(|| view! { <span class="tied">"Same file: "{links}</span> })
    };
    let row = move || {
        notes.with(|notes| {
            let row = notes.as_ref()?.errors.iter().find(|row| row.signature == signature)?;
            Some(view! { <History row=row.clone()/> })
        })
    };
    view! {
        <li class="error" id=format!("error-{at}") tabindex="-1">
            <div class="error-head">
                <code class="kind"><RecordText text=error.kind/></code>
                {severity.map(|text| view! { <span class="quiet"><RecordText text/></span> })}
                {place.map(|text| view! { <code class="file"><RecordText text/></code> })}
                {rule.map(|text| view! { <span class="quiet"><RecordText text/></span> })}
                {actions}
            </div>
            <LongText text=error.message/>
            {row}
            {error.stack.map(|text| view! { <Stack text/> })}
        </li>
    }
}

/// When the error came, went and came back.
#[component]
fn History(row: ErrorRow) -> impl IntoView {
    let app = App::get();
    let href = move || app.place.with(|place| place.href_at(RunTab::Errors, place.view.number()));
    let says = sentence(&row);
    view! {
        <p class="error-history">
            <a href=href>"History"</a>
            ": "
            <code><RecordText text=row.signature/></code>
            " "
            {says}
        </p>
    }
}

/// `first 1, cleared 3, back 6`: the words of the error grid.
fn sentence(row: &ErrorRow) -> String {
    let mut events: Vec<(i64, u8, &str)> = Vec::new();
    events.extend(row.seen.first().map(|number| (*number, 0, "first")));
    events.extend(row.cleared.iter().map(|number| (*number, 1, "cleared")));
    events.extend(row.came_back.iter().map(|number| (*number, 2, "back")));
    events.sort_unstable();
    let most = 8;
    let more = events.len().saturating_sub(most);
    let mut says: Vec<String> =
        events.iter().take(most).map(|(number, _, word)| format!("{word} {number}")).collect();
    if more > 0 {
        says.push(format!("and {more} more"));
    }
    let mut text = says.join(", ");
    let _ = write!(text, "; seen at {}", format::numbers(&row.seen));
    text
}

/// The stack of an error, folded: it is long, and most of it is the same each time.
#[component]
fn Stack(text: String) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let lines = text.lines().count();
    view! {
        <Toggle is_on=is_open class="more" opens=true>
            {move || {
                let verb = if is_open.get() { "Hide" } else { "Show" };
                format!("{verb} stack, {lines} {}", format::noun(lines as u64, "line"))
            }}
        </Toggle>
        {move || is_open.get().then(|| view! { <LongText text=text.clone() is_code=true/> })}
    }
}

/// `file:line:column`, as far as it is known.
fn place(error: &ErrorDetails) -> Option<String> {
    let mut place = error.file.clone()?;
    for part in [error.line, error.column] {
        let Some(part) = part else { break };
        let _ = write!(place, ":{part}");
    }
    Some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_end_where_knowledge_does() {
        let mut error = ErrorDetails { file: Some("src/a.rs".into()), ..ErrorDetails::default() };
        assert_eq!(place(&error).as_deref(), Some("src/a.rs"));
        error.column = Some(4);
        assert_eq!(place(&error).as_deref(), Some("src/a.rs"), "a column needs its line");
        error.line = Some(9);
        assert_eq!(place(&error).as_deref(), Some("src/a.rs:9:4"));
    }

    #[test]
    fn histories_are_listed_in_order() {
        let row = ErrorRow {
            signature: "timeout|after <n> ms".into(),
            message: String::new(),
            seen: vec![1, 2, 6],
            cleared: vec![3, 10],
            came_back: vec![6],
        };
        assert_eq!(sentence(&row), "first 1, cleared 3, back 6, cleared 10; seen at 1, 2, 6");
    }
}
