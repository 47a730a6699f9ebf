//! Differences. Lines keep their signs, words that changed are underlined: colour only repeats it.

use std::ops::Range;

use leptos::prelude::*;

use super::{RecordText, Taste, Toggle};
use crate::diff::{Kind, Line, Part, beside, lines, stretches, words};
use crate::format::noun;
use crate::platform;
use crate::protocol::count;
use crate::visible_text::fold;

/// Lines of a diff that are shown at first; pieces of it are drawn one element a line.
const LINES: usize = 40;
const BYTES: usize = 64 << 10;
/// Lines that are shown at all: each is an element.
const MOST: usize = 5000;

/// A unified diff, as it is or with both files beside each other.
#[component]
pub(crate) fn Diff(#[prop(into)] text: String) -> impl IntoView {
    let taste = Taste::get();
    let folded = fold(&text, LINES, BYTES);
    let hidden = folded.hidden_lines;
    let is_whole = RwSignal::new(folded.hidden_bytes == 0);
    let beginning = folded.shown.to_owned();
    let more = format!("Show all: {hidden} more {}", noun(hidden as u64, "line"));
    let is_long = folded.hidden_bytes > 0;
    view! {
        <div class="diff-part">
            <Toggle is_on=taste.is_beside class="small diff-switch">"Side by side"</Toggle>
            {move || {
                let text = if is_whole.get() { &text } else { &beginning };
                let lines = lines(text);
                let cut = lines.len().saturating_sub(MOST);
                let shown = &lines[..lines.len() - cut];
                let drawn = if taste.is_beside.get() { two(shown) } else { one(shown) };
                view! {
                    {drawn}
                    {(cut > 0).then(|| {
                        let cut = platform::whole(count(cut));
                        view! { <p class="quiet">{format!("{cut} more lines stand in the raw record.")}</p> }
                    })}
                }
            }}
            {is_long.then(|| view! {
                <Toggle is_on=is_whole class="more" opens=true>
                    {move || if is_whole.get() { "Show less".to_owned() } else { more.clone() }}
                </Toggle>
            })}
        </div>
    }
}

fn one(lines: &[Line<'_>]) -> AnyView {
    let rows = lines.iter().map(line).collect::<Vec<_>>();
    view! { <div class="diff" dir="ltr" tabindex="0" role="group" aria-label="Diff">{rows}</div> }
        .into_any()
}

fn two(lines: &[Line<'_>]) -> AnyView {
    let side = |at: Option<usize>, is_new: bool| match at.and_then(|at| lines.get(at)) {
        Some(line) => {
            let number = if is_new { line.new } else { line.old };
            let number = number.map(|number| number.to_string());
            view! { <td class="diff-number">{number}</td><td class="diff-side">{self::line(line)}</td> }
                .into_any()
        }
        None => view! { <td class="diff-number"></td><td class="diff-side none"></td> }.into_any(),
    };
    let rows = beside(lines)
        .into_iter()
        .map(|(old, new)| view! { <tr>{side(old, false)}{side(new, true)}</tr> })
        .collect::<Vec<_>>();
    view! {
        <div class="diff" dir="ltr" tabindex="0" role="group" aria-label="Diff, side by side">
            <table class="diff-table">
                <thead class="spoken"><tr>
                    <th>"line"</th><th>"before"</th><th>"line"</th><th>"after"</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn line(line: &Line<'_>) -> AnyView {
    let class = match line.kind {
        Kind::Added => "line added",
        Kind::Removed => "line removed",
        Kind::Place => "line place",
        Kind::Header => "line header",
        Kind::Context => "line",
    };
    // An empty line must keep its height.
    if line.text.is_empty() {
        return view! { <div class=class>" "</div> }.into_any();
    }
    let mut from = 0;
    let mut parts = Vec::new();
    for Range { start, end } in line.marks.iter().cloned() {
        parts.push(view! { <RecordText text=&line.text[from..start]/> }.into_any());
        parts.push(view! { <u><RecordText text=&line.text[start..end]/></u> }.into_any());
        from = end;
    }
    parts.push(view! { <RecordText text=&line.text[from..]/> }.into_any());
    view! { <div class=class>{parts}</div> }.into_any()
}

/// How one text becomes another, word by word. What is gone stands in `[-…-]`, what is new in
/// `{+…+}`, for eyes and for screen readers.
#[component]
pub(crate) fn WordDiff(#[prop(into)] old: String, #[prop(into)] new: String) -> impl IntoView {
    let parts = words(&old, &new);
    let is_same = parts.iter().all(|part| matches!(part, Part::Same(_)));
    if is_same {
        return view! { <p class="quiet">"Both are equal, character by character."</p> }.into_any();
    }
    let drawn = stretches(&parts)
        .into_iter()
        .map(|(part, text)| match part {
            Part::Same(_) => view! { <RecordText text/> }.into_any(),
            Part::Removed(_) => {
                view! { <del><span class="sign">"[-"</span><RecordText text/><span class="sign">"-]"</span></del> }
                    .into_any()
            }
            Part::Added(_) => {
                view! { <ins><span class="sign">"{+"</span><RecordText text/><span class="sign">"+}"</span></ins> }
                    .into_any()
            }
        })
        .collect::<Vec<_>>();
    view! { <div class="text code word-diff" dir="auto">{drawn}</div> }.into_any()
}
